# cython: boundscheck=False, wraparound=False
"""Brown clusters (Brown et al., Computational Linguistics 1992): words have bit strings, and the longer the beginning that two share, the more alike they are.

`slots` is an open-addressing table, a power of two long: the high 32 bits are those of the form's hash, the low ones the number of its cluster, counted from 1.
"""

import re
from array import array

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from gardenpath.core.configuration cimport NONE
from gardenpath.core.hashing cimport hash_bytes

from gardenpath.errors import InputError

cdef enum:
    LONGEST_NUMBER = 64        # bytes of a form whose digits are seen as zeros

cdef uint64_t FINGERPRINT = <uint64_t>0xFFFFFFFF00000000
GZIP = b"\x1f\x8b"
_PATH = re.compile("[01]+")


cdef class Clusters:
    """Immutable, shared by all threads, asked without the GIL."""

    def __init__(self, paths, slots, int words, bint zero_digits):
        self.paths = [path.encode("ascii") for path in paths]
        self.slots_array = slots
        self.slots = slots
        self.words = words
        self.zero_digits = zero_digits

    @staticmethod
    def of(words, bint ignore_case=True):
        """Clusters of words, a mapping from each to its bit string.

        With `ignore_case` a word in lower case also stands for itself capitalised and in capitals, where these have no cluster of their own.
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
        """The bit string of a word's cluster, None if it has none."""
        cdef Py_ssize_t length
        cdef const char* text = PyUnicode_AsUTF8AndSize(form, &length)
        cdef int cluster = self.find(text, length)
        return None if cluster == NONE else self.paths[cluster].decode("ascii")

    def value_of(self, str form, int bits=0):
        """What templates see of a word: a number for the first bits of its cluster, or for all of them (0); 0 if it has none."""
        cdef Py_ssize_t length
        cdef const char* text = PyUnicode_AsUTF8AndSize(form, &length)
        return self.value(text, length, bits)

    cdef uint64_t value(self, const char* form, Py_ssize_t length, int bits) noexcept nogil:
        """The same for the bytes of a form."""
        cdef int cluster = self.find(form, length)
        if cluster == NONE:
            return 0
        cdef const string* path = &self.paths[cluster]
        # A hash is never even, so that this is never 0; and the first four bits of one word are not the whole string of another.
        return hash_bytes(path.data(), min(<size_t>bits, path.size()) if bits else path.size()) ^ (<uint64_t>bits << 1)

    cdef int find(self, const char* form, Py_ssize_t length) noexcept nogil:
        """The number of a form's cluster, or NONE: as it stands, else with zeros for its digits if the words were written so."""
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
        """The number of the cluster of the form with this hash, or NONE."""
        cdef uint64_t last = self.slots.shape[0] - 1, place = _place(key, last)
        while self.slots[place] and (self.slots[place] ^ key) & FINGERPRINT:
            place = (place + 1) & last
        return <int>(self.slots[place] & ~FINGERPRINT) - 1 if self.slots[place] else NONE

    def is_sound(self):
        """Can every slot be followed safely, and does every search end? Asked of files, whose content nobody vouches for."""
        cdef Py_ssize_t i, size = self.slots.shape[0], empty = 0
        for i in range(size):
            empty += self.slots[i] == 0
            if self.slots[i] and not 1 <= self.slots[i] & ~FINGERPRINT <= self.paths.size():
                return False
        return empty > 0 and size & (size - 1) == 0

    def arrays(self):
        """The table, for a file."""
        return {"clusters.slots": self.slots_array}

    def record(self):
        """What a file tells beside it: the bit strings by the number of the cluster."""
        return {"words": self.words, "paths": [path.decode("ascii") for path in self.paths], "zero_digits": self.zero_digits}

    @staticmethod
    def build(record, arrays):
        """The clusters of a file."""
        if not all(_PATH.fullmatch(path) for path in record["paths"]):
            raise ValueError("bit strings of clusters")
        clusters = Clusters(record["paths"], arrays["clusters.slots"], record["words"], record["zero_digits"])
        if not clusters.is_sound():
            raise ValueError("a table of clusters that fits together")
        return clusters


def read_clusters(source, bint ignore_case=True):
    """Read a cluster file, plain or gzipped: lines of bit string, word and, if known, count, separated by tabs.

    If the only digit in its words is 0, it was made of text with zeros for digits, and all numbers are looked up so.
    """
    words = {}
    for number, line in enumerate(_lines(source), 1):
        try:
            path, word = _read_line(line)
        except ValueError as error:
            raise InputError(f"{source}:{number}: {error}") from None
        if words.setdefault(word, path) != path:
            raise InputError(f"{source}:{number}: {word!r} is in two clusters, {words[word]} and {path}; take one of the lines out")
    if not words:
        raise InputError(f"{source}: no clusters in it; write lines of bit string, word and count, as `gardenpath clusters` does")
    return Clusters.of(words, ignore_case)


def _lines(source):
    """The lines of a file, unpacked if it is packed."""
    import gzip      # here: a parser starts without it
    import zlib
    with open(source, "rb") as file:
        try:
            yield from gzip.open(file) if file.peek(len(GZIP)).startswith(GZIP) else file
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise InputError(f"{source}: cannot be unpacked ({error}); it is cut short or damaged, fetch or pack it again") from None


def _read_line(bytes line):
    """The bit string and the word of a line."""
    try:
        columns = line.decode("utf-8").rstrip("\r\n").split("\t")
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {error.start + 1} of the line is not UTF-8; convert the file to UTF-8 first") from None
    if len(columns) not in (2, 3) or not columns[1]:
        raise ValueError("not a bit string, a word and perhaps a count, separated by single tabs")
    if not _PATH.fullmatch(columns[0]):
        raise ValueError(f"{columns[0]!r} is not a bit string of 0 and 1")
    if not all(column.isdecimal() for column in columns[2:]):
        raise ValueError(f"{columns[2]!r} is not a count; write a number, or leave the column out")
    return columns[0], columns[1]


def _put(uint64_t[::1] slots, str form, uint64_t cluster):
    """Enter a form that is not in the table yet."""
    cdef Py_ssize_t length
    cdef const char* text = PyUnicode_AsUTF8AndSize(form, &length)
    cdef uint64_t key = hash_bytes(text, length), last = slots.shape[0] - 1, place = _place(key, last)
    while slots[place]:
        place = (place + 1) & last
    slots[place] = (key & FINGERPRINT) | (cluster + 1)


cdef inline uint64_t _place(uint64_t key, uint64_t last) noexcept nogil:
    """Where the search for a key begins; its lowest bit is always 1 and tells nothing."""
    return (key >> 1) & last
