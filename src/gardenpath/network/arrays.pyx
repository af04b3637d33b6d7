# cython: boundscheck=False, wraparound=False
"""Arrays of a model file, checked before use."""

from libc.math cimport isfinite

from gardenpath.core.stored import BadModelError, require_arrays
from gardenpath.network.kernels cimport Matrix
from gardenpath.network.settings import MAX_NETWORKS

PREFIX = "network."
_WHERE = "the network"
# Arrays that all networks of an ensemble share, below their heads: the symbols, and pretrained vectors.
SHARED = (
    "characters", "forms.keys", "forms.values", "vectors.keys", "vectors.values", "vectors.rows", "vectors.rows.scale",
)


class NetworkArrays:
    """The arrays of a network by name. Each method raises `BadModelError` for an array that cannot be used.

    In an ensemble, the arrays of the second network have the prefix `network.2.`, and so on. Those in `SHARED` and
    those of the ensemble as a whole are there only once, without a number.
    """

    def __init__(self, arrays, str prefix=PREFIX):
        self.arrays, self.prefix = arrays, prefix

    @property
    def members(self):
        """The number of networks."""
        found = {name.split(".")[1] for name in self.arrays if name.startswith(PREFIX)}
        count = 1
        while str(count + 1) in found:
            count += 1
        if count > MAX_NETWORKS:
            raise BadModelError(f"there are {count} networks; the most are {MAX_NETWORKS}")
        return count

    def of_member(self, int number):
        """Return the arrays that a network of the ensemble reads. The first one has the number 0."""
        return NetworkArrays(self.arrays, f"{PREFIX}{number + 1}.") if number else self

    def __contains__(self, str name):
        return self._full(name) in self.arrays

    def _full(self, str name):
        """Return the name of an array in the file."""
        return (PREFIX if name in SHARED else self.prefix) + name

    def get(self, str name, str kind, *shape):
        """Return an array of this type (`F32`, `I8`, ...) and shape. None in a shape means any size of at least 1."""
        name = self._full(name)
        require_arrays(self.arrays, {name: kind}, _WHERE, dimensions=len(shape))
        view = memoryview(self.arrays[name])
        if not view.c_contiguous:
            raise BadModelError(f"the array {name!r} is not contiguous")
        if any(size < 1 if wanted is None else size != wanted for size, wanted in zip(view.shape, shape, strict=True)):
            wanted = " x ".join("any" if size is None else str(size) for size in shape)
            raise BadModelError(f"the array {name!r} has the shape {' x '.join(map(str, view.shape))}, not {wanted}")
        if kind == "F32" and not _all_finite(view.cast("B").cast("f")):
            raise BadModelError(f"the array {name!r} has a value that is not a finite number")
        return view

    def matrix(self, str name, outputs=None, inputs=None):
        """Return an int8 matrix with its scales."""
        weights = self.get(name, "I8", outputs, inputs)
        return Matrix(weights, self.get(f"{name}.scale", "F32", weights.shape[0]), self._full(name))

    def rows(self, str name, columns=None):
        """Return the rows of an int8 table, and their scales."""
        rows = self.get(name, "I8", None, columns)
        return rows, self.get(f"{name}.scale", "F32", rows.shape[0])


cdef bint _all_finite(const float[::1] values) noexcept:
    cdef Py_ssize_t i
    for i in range(values.shape[0]):
        if not isfinite(values[i]):
            return False
    return True
