# cython: boundscheck=False, wraparound=False
"""Contributions of the parts of a sum to what follows a ReLU: integrated gradients (Sundararajan et al., ICML 2017).

The value of a hidden layer with output weights w is a function of the parts p_i of its sum:

    f(p) = sum over units j of w_j relu(b_j + sum over i of p_ij)

The gradients are integrated along the straight line from a baseline q to p. On this line the argument of each ReLU is
linear, so unit j is active on a share a_j of the line, and the integral is exact:

    contribution of part i = sum over j of w_j a_j (p_ij - q_ij)        f(p) = f(q) + sum of all contributions
"""

from libcpp.vector cimport vector


cdef double attribute(
    const float* bias, const float** parts, const float** absent, int count, const double* weights, int size,
    double* contributions,
) except? -1:
    """Write the contribution of each part, and return the value of the baseline f(q). `absent` are the parts of q."""
    cdef vector[double] slopes
    cdef double start, end, value = 0
    cdef int i, j
    slopes.resize(size)
    for j in range(size):
        start = end = bias[j]
        for i in range(count):
            start += absent[i][j]
            end += parts[i][j]
        slopes[j] = weights[j] * _active_share(start, end)
        value += weights[j] * max(start, 0)
    for i in range(count):
        contributions[i] = 0
        for j in range(size):
            contributions[i] += slopes[j] * (parts[i][j] - absent[i][j])
    return value


cdef inline double _active_share(double start, double end) noexcept nogil:
    """Return the share of the way from `start` to `end` that is above 0."""
    if start <= 0 and end <= 0:
        return 0
    if start > 0 and end > 0:
        return 1
    return max(start, end) / abs(end - start)
