"""Turns words into hashed values. Nothing is stored about words: one that training never saw simply meets no weight."""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp

from gardenpath.core.hashing cimport hash_bytes

from gardenpath.errors import UsageError

cdef enum Kind:
    WHOLE
    INITIAL            # the first characters
    ENDING             # the last characters
    FEATURE            # the value of one feature in FEATS

cdef uint64_t OF_ROOT = <uint64_t>0x726F6F74_00000001
COLUMNS = {"w": "form", "u": "upos", "x": "xpos", "m": "feats"}


cdef class Batch:
    """Encoded sentences in one block of memory."""

    def __dealloc__(self):
        free(self.sentences)
        free(self.block)


cdef class Encoder:
    """Encodes the properties that the templates ask for.

    Properties are named as in templates: `w` form, `u` UPOS, `x` XPOS, `m` FEATS, `m[Case]` one feature, `i2` the first and `e3` the last characters.
    """

    def __init__(self, properties):
        self.properties = tuple(properties)
        self.columns = [_column(name) for name in self.properties]

    cpdef Batch encode(self, list sentences):
        """Encode sentences, each a list of words with the CoNLL-U columns as attributes."""
        cdef Batch batch = Batch()
        cdef Py_ssize_t total = 0, width = len(self.properties)
        cdef int i
        for sentence in sentences:
            total += (len(sentence) + 2) * width
        batch.size = <int>len(sentences)
        batch.sentences = <EncodedSentence*>calloc(len(sentences) + 1, sizeof(EncodedSentence))
        batch.block = <uint64_t*>calloc(total + 1, sizeof(uint64_t))
        if batch.sentences == NULL or batch.block == NULL:
            raise MemoryError("no memory for a batch of sentences")
        total = 0
        for i, sentence in enumerate(sentences):
            batch.sentences[i].n = <int>len(sentence)
            batch.sentences[i].values = batch.block + total
            self.fill(&batch.sentences[i], sentence)
            total += (len(sentence) + 2) * width
        return batch

    cdef int fill(self, EncodedSentence* sentence, words) except -1:
        cdef uint64_t* values = sentence.values
        cdef uint64_t whole
        cdef Py_ssize_t length
        cdef const char* text
        cdef str content
        cdef int kind, argument
        for column, kind, key in self.columns:
            argument = key if kind in (INITIAL, ENDING) else 0
            values[1] = OF_ROOT
            values += 2
            for word in words:
                content = getattr(word, column)     # held while its bytes are read
                text = PyUnicode_AsUTF8AndSize(content, &length)
                if kind == WHOLE:
                    values[0] = hash_bytes(text, length)
                elif kind == INITIAL:
                    values[0] = hash_bytes(text, _prefix(text, length, argument))
                elif kind == ENDING:
                    whole = _suffix(text, length, argument)
                    values[0] = hash_bytes(text + length - whole, whole)
                else:
                    values[0] = _feature(text, length, <bytes>key)
                values += 1
        return 0


cdef tuple _column(str name):
    if name in COLUMNS:
        return COLUMNS[name], WHOLE, 0
    if name[0] in "ie" and name[1:].isdecimal():
        return "form", INITIAL if name[0] == "i" else ENDING, int(name[1:])
    if name.startswith("m[") and name.endswith("]"):
        return "feats", FEATURE, name[2:-1].encode() + b"="
    raise UsageError(f"no property is called {name!r}")


cdef inline bint _begins_character(char byte) noexcept nogil:
    return (<unsigned char>byte & 0xC0) != 0x80


cdef Py_ssize_t _prefix(const char* text, Py_ssize_t length, int characters) noexcept nogil:
    """How many bytes the first characters take."""
    cdef Py_ssize_t end = 0
    while end < length and (characters > 0 or not _begins_character(text[end])):
        characters -= _begins_character(text[end])
        end += 1
    return end


cdef Py_ssize_t _suffix(const char* text, Py_ssize_t length, int characters) noexcept nogil:
    """How many bytes the last characters take."""
    cdef Py_ssize_t start = length
    while start > 0 and characters > 0:
        start -= 1
        characters -= _begins_character(text[start])
    return length - start


cdef uint64_t _feature(const char* text, Py_ssize_t length, bytes key) noexcept:
    """The hash of `Key=Value` in FEATS, 0 if the key is not there."""
    cdef Py_ssize_t start = 0, end, size = len(key)
    cdef const char* wanted = key
    while start < length:
        end = start
        while end < length and text[end] != c"|":
            end += 1
        if end - start > size and memcmp(text + start, wanted, size) == 0:
            return hash_bytes(text + start, end - start)
        start = end + 1
    return 0
