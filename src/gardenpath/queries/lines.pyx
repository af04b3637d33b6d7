# cython: boundscheck=False, wraparound=False
"""Columns of integers from the lines of CoNLL-U, without making words and sentences."""

from array import array

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int32_t
from libc.string cimport memchr
from libcpp.vector cimport vector

cdef enum:
    COLUMNS = 10
    NOTHING = -1         # the head of a word without one
    WRONG = -2
    HUGE = 100_000_000

PLACES = {"form": 1, "lemma": 2, "upos": 3, "xpos": 4, "feats": 5, "deprel": 7, "misc": 9}


cdef class Lines:
    """The words of sentences as lines of CoNLL-U, and the places of their columns."""

    cdef list lines
    cdef vector[int32_t] bounds          # of each line: where its columns begin, and where the last one ends
    cdef vector[int32_t] sizes, heads

    def __init__(self):
        self.lines = []

    def add(self, list block):
        """Add a sentence. Return False, and add nothing, if it has anything unusual, such as an empty node or an error.

        The caller must check that the lines are UTF-8.
        """
        cdef Py_ssize_t size = len(self.lines), count = 0
        cdef int32_t last = 0                # the last word of the last multi-word token
        cdef bint ended = False
        cdef object line
        cdef const char* text
        for line in block:
            text = PyBytes_AS_STRING(line)
            if text[0] == c"\n":
                ended = True
            elif ended:
                return self._without(size)
            elif text[0] != c"#" or count or last:
                if not self._split(line, text):
                    return self._without(size)
                if self._is_range(text, count + 1, &last):
                    self._forget_line()
                elif self._is_word(text, count + 1):
                    count += 1
                else:
                    return self._without(size)
        if not count or last > count:
            return self._without(size)
        self.sizes.push_back(<int32_t>count)
        return True

    cdef bint _without(self, Py_ssize_t size):
        """Remove the lines from this number on."""
        del self.lines[size:]
        self.bounds.resize(size * (COLUMNS + 1))
        self.heads.resize(size)
        return False

    cdef void _forget_line(self):
        """Remove the last line, which is no word."""
        self.lines.pop()
        self.bounds.resize(self.bounds.size() - COLUMNS - 1)

    cdef bint _split(self, line, const char* text):
        """Add a line with ten columns that are not empty; return whether it is one."""
        cdef Py_ssize_t end = PyBytes_GET_SIZE(line), begin = 0
        cdef const char* tab
        cdef int column
        if end and text[end - 1] == c"\n":
            end -= 1
        if memchr(text, c"\r", end) != NULL:
            return False
        self.lines.append(line)
        for column in range(COLUMNS):
            self.bounds.push_back(<int32_t>begin)
            tab = <const char*>memchr(text + begin, c"\t", end - begin)
            if (tab == NULL) != (column == COLUMNS - 1) or (end if tab == NULL else tab - text) == begin:
                return False
            begin = end + 1 if tab == NULL else tab - text + 1
        self.bounds.push_back(<int32_t>begin)
        return True

    cdef bint _is_word(self, const char* text, Py_ssize_t expected):
        """Return whether the last line is the word with this id, and add its head."""
        cdef size_t first = self.bounds.size() - COLUMNS - 1
        cdef int32_t head = _number(text, self.bounds[first + 6], self.bounds[first + 7] - 1)
        self.heads.push_back(head)
        return head != WRONG and _number(text, 0, self.bounds[first + 1] - 1) == expected

    cdef bint _is_range(self, const char* text, Py_ssize_t expected, int32_t* last):
        """Return whether the last line is a multi-word token whose first word is this one; set its last word."""
        cdef Py_ssize_t end = self.bounds[self.bounds.size() - COLUMNS] - 1
        cdef const char* dash = <const char*>memchr(text, c"-", end)
        cdef int32_t found
        if dash == NULL or last[0] >= expected or _number(text, 0, dash - text) != expected:
            return False
        found = _number(text, dash - text + 1, end)
        if found < expected:
            return False
        last[0] = found
        return True

    def trees(self, dict ids, list values):
        """Return the first nodes of the sentences, the heads and the labels; see `Trees`."""
        cdef Py_ssize_t size = len(self.lines) + self.sizes.size()
        starts = array("i", bytes(4 * (self.sizes.size() + 1)))
        found_heads, found_labels = array("i", bytes(4 * size)), array("i", bytes(4 * size))
        cdef int32_t[::1] first = starts, heads = found_heads, labels = found_labels
        cdef size_t s, word = 0
        cdef Py_ssize_t at = 0
        cdef int32_t i
        for s in range(self.sizes.size()):
            first[s] = at
            heads[at] = NOTHING
            for i in range(1, self.sizes[s] + 1):
                heads[at + i] = NOTHING
                if 0 <= self.heads[word] <= self.sizes[s]:
                    heads[at + i] = at + self.heads[word]
                    labels[at + i] = self._value(word, 7, ids, values)
                word += 1
            at += self.sizes[s] + 1
        first[self.sizes.size()] = at
        return starts, found_heads, found_labels

    def numbers(self, str name, dict ids, list values, int32_t anchor):
        """Return the numbers of the values of a column; see `columns.numbers`."""
        result = array("i", bytes(4 * (len(self.lines) + self.sizes.size())))
        cdef int32_t[::1] column = result
        cdef int place = PLACES[name]
        cdef size_t s, word = 0
        cdef Py_ssize_t at = 0
        cdef int32_t i
        for s in range(self.sizes.size()):
            column[at] = anchor
            for i in range(1, self.sizes[s] + 1):
                column[at + i] = self._value(word, place, ids, values)
                word += 1
            at += self.sizes[s] + 1
        return result

    cdef int32_t _value(self, size_t word, int place, dict ids, list values) except -1:
        cdef size_t at = word * (COLUMNS + 1) + place
        cdef object line = self.lines[word]
        cdef object value = PyUnicode_DecodeUTF8(
            PyBytes_AS_STRING(line) + self.bounds[at], self.bounds[at + 1] - self.bounds[at] - 1, NULL
        )
        cdef object number = ids.get(value)
        if number is None:
            number = len(values)
            ids[value] = number
            values.append(value)
        return number


cdef int32_t _number(const char* text, Py_ssize_t begin, Py_ssize_t end) noexcept:
    """Return a number that is written without leading zeros, NOTHING for `_`, or WRONG. HUGE is a larger number."""
    cdef int32_t result = 0
    cdef Py_ssize_t i
    if end - begin == 1 and text[begin] == c"_":
        return NOTHING
    if end - begin > 1 and text[begin] == c"0":
        return WRONG
    for i in range(begin, end):
        if not c"0" <= text[i] <= c"9":
            return WRONG
        result = min(10 * result + text[i] - c"0", HUGE)
    return result
