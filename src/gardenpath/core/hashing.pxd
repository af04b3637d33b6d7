"""Hashes that are the same on every machine, for feature keys and string values."""

from libc.stdint cimport uint64_t


cdef inline uint64_t mix(uint64_t x) noexcept nogil:
    """Spread the bits of a number (the finaliser of splitmix64)."""
    x = (x ^ (x >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * <uint64_t>0x94D049BB133111EB
    return x ^ (x >> 31)


cdef inline double draw(uint64_t* state) noexcept nogil:
    """Return the next random number between 0 and 1 of a generator with this state (splitmix64)."""
    state[0] += <uint64_t>0x9E3779B97F4A7C15
    return (mix(state[0]) >> 11) * (1.0 / 9007199254740992.0)


cdef inline uint64_t join(uint64_t key, uint64_t value) noexcept nogil:
    """Add a value to a key; the order matters."""
    key = (key ^ value) * <uint64_t>0x9E3779B97F4A7C15
    return key ^ (key >> 32)


cdef inline uint64_t hash_bytes(const char* text, Py_ssize_t length) noexcept nogil:
    """Hash a string by its bytes (FNV-1a, then mixed). The result is never 0, which stands for a missing value."""
    cdef uint64_t key = <uint64_t>0xCBF29CE484222325
    cdef Py_ssize_t i
    for i in range(length):
        key = (key ^ <unsigned char>text[i]) * <uint64_t>0x100000001B3
    return mix(key) | 1
