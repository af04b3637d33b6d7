"""Encoding of sentences as hashed values. There is no vocabulary: values of unknown words have no weights."""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp

from gardenpath.core.hashing cimport hash_bytes
from gardenpath.features.clusters cimport Clusters

from gardenpath.errors import UsageError

cdef uint64_t OF_ROOT = <uint64_t>0x726F6F74_00000001
COLUMNS = {"w": "form", "u": "upos", "x": "xpos", "m": "raw_feats"}


cdef class Batch:
    """Encoded sentences in one block of memory."""

    cdef int reserve(self, int sentences, Py_ssize_t values) except -1:
        """Allocate this many sentences and values. All values are 0."""
        self.size = sentences
        self.sentences = <EncodedSentence*>calloc(sentences + 1, sizeof(EncodedSentence))
        self.block = <uint64_t*>calloc(values + 1, sizeof(uint64_t))
        if self.sentences == NULL or self.block == NULL:
            raise MemoryError("not enough memory for a batch of sentences")
        return 0

    def __dealloc__(self):
        free(self.sentences)
        free(self.block)


cdef class Encoder:
    """Encodes the properties that templates use.

    Properties have the same names as in templates: `w` form, `u` UPOS, `x` XPOS, `m` FEATS, `m[Case]` one feature, `i2`
    the first and `e3` the last characters, `c` the form's cluster, and `c4` its first bits. Without clusters, `c` is
    missing for all words, including the root.
    """

    def __init__(self, properties, Clusters clusters=None):
        self.properties = tuple(properties)
        self.clusters = clusters
        self.width = <int>len(self.properties)
        self.columns = []
        self.keys = []
        self.codes = <Property*>calloc(len(self.properties) + 1, sizeof(Property))
        if self.codes == NULL:
            raise MemoryError("not enough memory for an encoder")
        for number, name in enumerate(self.properties):
            self._compile(&self.codes[number], name)

    def __dealloc__(self):
        free(self.codes)

    cdef int _compile(self, Property* code, str name) except -1:
        cdef bytes key
        code.kind = WHOLE
        if name in COLUMNS:
            self.columns.append(COLUMNS[name])
        elif name[0] in "ie" and name[1:].isdecimal():
            self.columns.append("form")
            code.kind = INITIAL if name[0] == "i" else ENDING
            code.characters = int(name[1:])
        elif name == "c" or (name[0] == "c" and name[1:].isdecimal()):
            self.columns.append("form")
            code.kind = CLUSTER
            code.bits = int(name[1:] or 0)
        elif name.startswith("m[") and name.endswith("]"):
            self.columns.append("raw_feats")
            code.kind = FEATURE
            key = name[2:-1].encode() + b"="
            self.keys.append(key)
            code.key = key
            code.key_length = len(key)
        else:
            raise UsageError(f"there is no property {name!r}; see the template notation for the available properties")
        code.is_of_form = self.columns[-1] == "form"
        return 0

    cpdef Batch encode(self, list sentences):
        """Encode sentences, each a list of words with the CoNLL-U columns as attributes."""
        cdef Batch batch = Batch()
        cdef Py_ssize_t total = 0, width = self.width
        cdef int i
        for sentence in sentences:
            total += (len(sentence) + 2) * width
        batch.reserve(<int>len(sentences), total)
        total = 0
        for i, sentence in enumerate(sentences):
            batch.sentences[i].n = <int>len(sentence)
            batch.sentences[i].values = batch.block + total
            self.fill(&batch.sentences[i], sentence)
            total += (len(sentence) + 2) * width
        return batch

    cdef int fill(self, EncodedSentence* sentence, words) except -1:
        cdef uint64_t* values = sentence.values
        cdef Py_ssize_t length
        cdef const char* text
        cdef str content
        cdef int number
        self.mark_root(sentence)
        for number, column in enumerate(self.columns):
            values += 2
            for word in words:
                content = getattr(word, column)     # keeps the object alive while its bytes are read
                text = PyUnicode_AsUTF8AndSize(content, &length)
                values[0] = self.value_of(number, text, length)
                values += 1
        return 0

    cdef void mark_root(self, EncodedSentence* sentence) noexcept nogil:
        """Set all properties of word 0, the root."""
        cdef int i
        for i in range(self.width):
            if self.codes[i].kind != CLUSTER or self.clusters is not None:
                sentence.values[i * (sentence.n + 2) + 1] = OF_ROOT

    cdef uint64_t value_of(self, int number, const char* text, Py_ssize_t length) noexcept nogil:
        """Return the value of a property, given the content of its column."""
        cdef const Property* code = &self.codes[number]
        cdef Py_ssize_t size
        if code.kind == WHOLE:
            return hash_bytes(text, length)
        if code.kind == INITIAL:
            return hash_bytes(text, _prefix(text, length, code.characters))
        if code.kind == ENDING:
            size = _suffix(text, length, code.characters)
            return hash_bytes(text + length - size, size)
        if code.kind == FEATURE:
            return _feature(text, length, code.key, code.key_length)
        return self.clusters.value(text, length, code.bits) if self.clusters is not None else 0

    cdef void take_tag(self, EncodedSentence* sentence, int word, const EncodedSentence* tags, int tag) noexcept nogil:
        """Set the tag of a word. `tags` is an encoded sentence whose words have the tags in order."""
        cdef int i
        for i in range(self.width):
            if not self.codes[i].is_of_form:
                sentence.values[i * (sentence.n + 2) + word + 1] = value(tags, i, tag + 1)


def property_of(str name, word, Clusters clusters=None):
    """Return a property of a word as text: the value that the encoder hashes."""
    if name in COLUMNS:
        return getattr(word, COLUMNS[name])
    if name.startswith("m["):
        key = name[2:-1] + "="
        return next((feature for feature in word.feats.split("|") if feature.startswith(key)), key)
    if name.startswith("c"):
        path = clusters.path_of(word.form) or "" if clusters is not None else ""
        return path[: int(name[1:])] if name[1:] else path
    return word.form[: int(name[1:])] if name.startswith("i") else word.form[-int(name[1:]) :]


cdef inline bint _begins_character(char byte) noexcept nogil:
    return (<unsigned char>byte & 0xC0) != 0x80


cdef Py_ssize_t _prefix(const char* text, Py_ssize_t length, int characters) noexcept nogil:
    """Return the length in bytes of the first characters."""
    cdef Py_ssize_t end = 0
    while end < length and (characters > 0 or not _begins_character(text[end])):
        characters -= _begins_character(text[end])
        end += 1
    return end


cdef Py_ssize_t _suffix(const char* text, Py_ssize_t length, int characters) noexcept nogil:
    """Return the length in bytes of the last characters."""
    cdef Py_ssize_t start = length
    while start > 0 and characters > 0:
        start -= 1
        characters -= _begins_character(text[start])
    return length - start


cdef uint64_t _feature(const char* text, Py_ssize_t length, const char* key, Py_ssize_t size) noexcept nogil:
    """Return the hash of `Key=Value` in FEATS, or 0 if the key is missing."""
    cdef Py_ssize_t start = 0, end
    while start < length:
        end = start
        while end < length and text[end] != c"|":
            end += 1
        if end - start > size and memcmp(text + start, key, size) == 0:
            return hash_bytes(text + start, end - start)
        start = end + 1
    return 0
