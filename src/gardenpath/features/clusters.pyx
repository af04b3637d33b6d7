# cython: boundscheck=False, wraparound=False
"""Brown clusters (Brown et al., Computational Linguistics 1992).

Each word has a bit string. The longer the common prefix of two bit strings, the more similar the words.

`slots` is an open-addressing table whose length is a power of two. The high 32 bits of a slot are those of the form's
hash, and the low ones are the number of its cluster, counted from 1.
"""

import re
from array import array

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from gardenpath.core.configuration cimport NONE
from gardenpath.core.hashing cimport hash_bytes

from gardenpath.core.stored import BadModelError, require, require_arrays
from gardenpath.errors import InputError

cdef enum:
    LONGEST_NUMBER = 64        # length in bytes of the longest form whose digits are replaced by zeros

cdef uint64_t FINGERPRINT = <uint64_t>0xFFFFFFFF00000000
GZIP = b"\x1f\x8b"
_PATH = re.compile("[01]+")


cdef class Clusters:
    """Word clusters: immutable, shared by all threads, read without the GIL."""

    def __init__(self, paths, slots, int words, bint zero_digits):
        self.paths = [path.encode("ascii") for path in paths]
        self.slots_array = slots
        self.slots = slots
        self.words = words
        self.zero_digits = zero_digits

    @staticmethod
    def of(words, bint ignore_case=True):
        """Make clusters from a mapping of words to bit strings.

        With `ignore_case`, the cluster of a lower-case word is also that of its capitalised and upper-case forms,
        unless these have a cluster of their own.
        """
        forms = dict(words)
        if ignore_case:
            for word in words:
                if word == word.lower():
                    forms.setdefault(word.capitalize(), words[word])
                    forms.setdefault(word.upper(), words[word])
        paths = sorted(set(words.values()))
        numbers = {path: number for number, path in enumerate(paths)}
        slots = memoryview(array("Q", bytes(8 << (len(forms) + len(forms) // 2 + 1).bit_length())))
        for form, path in forms.items():
            _put(slots, form, numbers[path])
        digits = {character for word in words for character in word if character in "0123456789"}
        return Clusters(paths, slots, len(words), digits == {"0"})

    def __len__(self):
        return self.paths.size()

    def path_of(self, str form):
        """Return the bit string of a word's cluster, or None."""
        cdef Py_ssize_t length
        cdef const char* text = PyUnicode_AsUTF8AndSize(form, &length)
        cdef int cluster = self.find(text, length)
        return None if cluster == NONE else self.paths[cluster].decode("ascii")

    def value_of(self, str form, int bits=0):
        """Return the feature value of a word's cluster, or 0 if it has none.

        `bits` is the number of bits to use; 0 means all.
        """
        cdef Py_ssize_t length
        cdef const char* text = PyUnicode_AsUTF8AndSize(form, &length)
        return self.value(text, length, bits)

    cdef uint64_t value(self, const char* form, Py_ssize_t length, int bits) noexcept nogil:
        """Return the feature value of a form in UTF-8, as `value_of` does."""
        cdef int cluster = self.find(form, length)
        if cluster == NONE:
            return 0
        cdef const string* path = &self.paths[cluster]
        # A hash is always odd, so the value is never 0. The number of bits is included, so that a prefix of one bit
        # string differs from an equal complete bit string.
        return hash_bytes(path.data(), min(<size_t>bits, path.size()) if bits else path.size()) ^ (<uint64_t>bits << 1)

    cdef int find(self, const char* form, Py_ssize_t length) noexcept nogil:
        """Return the number of a form's cluster, or NONE.

        If the form itself is missing and `zero_digits` is true, look it up with zeros for its digits.
        """
        cdef char zeros[LONGEST_NUMBER]
        cdef Py_ssize_t i
        cdef int cluster = self.find_hash(hash_bytes(form, length))
        if cluster != NONE or not self.zero_digits or length > LONGEST_NUMBER:
            return cluster
        memcpy(zeros, form, length)
        for i in range(length):
            if c"1" <= zeros[i] <= c"9":
                zeros[i] = c"0"
        return self.find_hash(hash_bytes(zeros, length))

    cdef int find_hash(self, uint64_t key) noexcept nogil:
        """Return the number of the cluster of the form with this hash, or NONE."""
        cdef uint64_t last = self.slots.shape[0] - 1, place = _place(key, last)
        while self.slots[place] and (self.slots[place] ^ key) & FINGERPRINT:
            place = (place + 1) & last
        return <int>(self.slots[place] & ~FINGERPRINT) - 1 if self.slots[place] else NONE

    def is_sound(self):
        """Return whether all numbers of clusters are valid and every search ends. Files may contain anything."""
        cdef Py_ssize_t i, size = self.slots.shape[0], empty = 0
        for i in range(size):
            empty += self.slots[i] == 0
            if self.slots[i] and not 1 <= self.slots[i] & ~FINGERPRINT <= self.paths.size():
                return False
        return empty > 0 and size & (size - 1) == 0

    def arrays(self):
        """Return the arrays to save, by name."""
        return {"clusters.slots": self.slots_array}

    def record(self):
        """Return the plain values to save. `paths` has the bit strings by number of the cluster."""
        paths = [path.decode("ascii") for path in self.paths]
        return {"words": self.words, "paths": paths, "zero_digits": self.zero_digits}

    @staticmethod
    def build(record, arrays):
        """Build clusters from their `record()` and `arrays()`."""
        require(record, {"paths": [str], "words": int, "zero_digits": bool}, "the clusters")
        require_arrays(arrays, {"clusters.slots": "U64"}, "the clusters")
        if not all(_PATH.fullmatch(path) for path in record["paths"]):
            raise BadModelError("a bit string of the clusters contains other characters than 0 and 1")
        clusters = Clusters(record["paths"], arrays["clusters.slots"], record["words"], record["zero_digits"])
        if not clusters.is_sound():
            raise BadModelError("the table of the clusters is inconsistent")
        return clusters


def read_clusters(source, bint ignore_case=True):
    """Read a cluster file, plain or compressed with gzip.

    A line has a bit string, a word and optionally a count, separated by tabs. If 0 is the only digit in the words, it
    stands for all digits, and forms are looked up with zeros for their digits.
    """
    words = {}
    for number, line in enumerate(_lines(source), 1):
        try:
            path, word = _read_line(line)
        except ValueError as error:
            raise InputError(f"{source}:{number}: {error}") from None
        if words.setdefault(word, path) != path:
            problem = f"{word!r} is in two clusters, {words[word]} and {path}; remove one of the lines"
            raise InputError(f"{source}:{number}: {problem}")
    if not words:
        remedy = "use a file with lines of bit string, word and count, such as `gardenpath clusters` writes"
        raise InputError(f"{source}: the file contains no clusters; {remedy}")
    return Clusters.of(words, ignore_case)


def _lines(source):
    """Yield the lines of a file, decompressed if necessary."""
    import gzip      # imported here, since parsing does not need it
    import zlib
    with open(source, "rb") as file:
        try:
            yield from gzip.open(file) if file.peek(len(GZIP)).startswith(GZIP) else file
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            problem = f"the file cannot be decompressed ({error}); it is incomplete or damaged"
            raise InputError(f"{source}: {problem}; download it or compress it again") from None


def _read_line(bytes line):
    """Return the bit string and the word of a line."""
    try:
        columns = line.decode("utf-8").rstrip("\r\n").split("\t")
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {error.start + 1} of the line is not UTF-8; convert the file to UTF-8") from None
    if len(columns) not in (2, 3) or not columns[1]:
        raise ValueError("the line is not a bit string, a word and optionally a count, separated by single tabs")
    if not _PATH.fullmatch(columns[0]):
        raise ValueError(f"{columns[0]!r} is not a bit string of 0 and 1")
    if not all(column.isdecimal() for column in columns[2:]):
        raise ValueError(f"{columns[2]!r} is not a count; write a number, or remove the column")
    return columns[0], columns[1]


def _put(uint64_t[::1] slots, str form, uint64_t cluster):
    """Insert a form that is not in the table yet."""
    cdef Py_ssize_t length
    cdef const char* text = PyUnicode_AsUTF8AndSize(form, &length)
    cdef uint64_t key = hash_bytes(text, length), last = slots.shape[0] - 1, place = _place(key, last)
    while slots[place]:
        place = (place + 1) & last
    slots[place] = (key & FINGERPRINT) | (cluster + 1)


cdef inline uint64_t _place(uint64_t key, uint64_t last) noexcept nogil:
    """Return the index at which the search for a key begins. The lowest bit of a key is always 1 and is ignored."""
    return (key >> 1) & last
