"""Contributions of the parts of a sum to what follows a ReLU."""

cdef double attribute(
    const float* bias, const float** parts, const float** absent, int count, const double* weights, int size,
    double* contributions,
) except? -1
