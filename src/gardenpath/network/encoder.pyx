# cython: boundscheck=False, wraparound=False
"""The sentence encoder of the network: from forms to tags, lemma rules and the parser's word vectors.

A batch is encoded in chunks of sentences of similar length, so that scratch memory does not grow with the text. The
result of a sentence does not depend on the other sentences.
"""

from libc.stdint cimport int8_t, int32_t
from libc.string cimport memcmp, memcpy
from libcpp.algorithm cimport sort
from libcpp.pair cimport pair
from libcpp.vector cimport vector

from gardenpath.core.given_tags cimport GivenTags
from gardenpath.core.hashing cimport hash_bytes
from gardenpath.network.arrays import NetworkArrays
from gardenpath.network.encoding cimport MissingWord
from gardenpath.network.kernels cimport padded
from gardenpath.network.spelling cimport Form

CACHED_FORMS = 65_536
cdef enum:
    CHUNK = 1536               # words, unless a sentence is longer
    FORMS = 256                # forms whose characters are read together


cdef class NativeEncoder:
    """Encodes sentences. Threads can share it; each needs its own `Encoding`.

    `arrays` are the arrays of a model file. An array that cannot be used raises `BadModelError`. The vectors of up to
    `cached_forms` forms are kept; they do not change any result.
    """

    def __init__(self, arrays, Py_ssize_t cached_forms=CACHED_FORMS):
        checked = NetworkArrays(arrays)
        self.forms = FormEncoder(checked)
        self.layers = Layer(checked, 1, self.forms.size)
        self.states = self.layers.top.size
        self.heads = Heads(checked, self.states, self.forms.size)
        self.cache.set(max(cached_forms, 0), self.forms.size)

    cdef int run(self, const char** forms, const int* lengths, const int* sentence_lengths, Py_ssize_t sentences,
                 Encoding encoding) except -1 nogil:
        """Encode sentences. `forms` and `lengths` are those of all their words; a length is a number of bytes."""
        cdef Chunk* chunk = &encoding.chunk
        cdef Py_ssize_t first = 0, end = 0, words = 0, i
        chunk.sentences.clear()
        chunk.starts.resize(sentences)
        for i in range(sentences):
            chunk.starts[i] = words
            words += sentence_lengths[i]
            if sentence_lengths[i]:
                chunk.sentences.push_back(pair[int, Py_ssize_t](-sentence_lengths[i], i))
        sort(chunk.sentences.begin(), chunk.sentences.end())
        encoding.prepare(words, self.heads.size)
        while end < <Py_ssize_t>chunk.sentences.size():
            first, words = end, 0
            while end < <Py_ssize_t>chunk.sentences.size() and words < CHUNK:
                words -= chunk.sentences[end].first
                end += 1
            self._set_chunk(chunk, first, end)
            self._read_words(forms, lengths, chunk)
            self.layers.run(
                &chunk.sequences, chunk.words.data(), padded(self.forms.size), chunk.word_scales.data(), &chunk.layers
            )
            self.heads.run(
                chunk.layers.states.data(), padded(self.states), chunk.words.data(), padded(self.forms.size),
                chunk.word_scales.data(), chunk.numbers.data(), chunk.sequences.rows, encoding,
            )
        return 0

    cdef int _set_chunk(self, Chunk* chunk, Py_ssize_t first, Py_ssize_t end) except -1 nogil:
        """Lay out the words of the sentences `first` to `end` in rows."""
        cdef Py_ssize_t i, start
        cdef int step
        chunk.lengths.clear()
        for i in range(first, end):
            chunk.lengths.push_back(-chunk.sentences[i].first)
        chunk.sequences.set(chunk.lengths.data(), <int>chunk.lengths.size())
        chunk.numbers.resize(chunk.sequences.rows)
        for i in range(first, end):
            start = chunk.starts[chunk.sentences[i].second]
            for step in range(chunk.lengths[i - first]):
                chunk.numbers[chunk.sequences.offsets[step] + (i - first)] = start + step
        return 0

    cdef int _read_words(self, const char** forms, const int* lengths, Chunk* chunk) except -1 nogil:
        """Set x of all rows, from the cache if possible."""
        cdef int row, width = padded(self.forms.size)
        cdef Form form
        cdef MissingWord missing
        chunk.words.resize(max(chunk.words.size(), <size_t>chunk.sequences.rows * width))
        chunk.word_scales.resize(chunk.sequences.rows)
        chunk.forms.clear()
        chunk.missing.clear()
        for row in range(chunk.sequences.rows):
            form.utf8, form.length = forms[chunk.numbers[row]], lengths[chunk.numbers[row]]
            form.hash = hash_bytes(form.utf8, form.length)
            if not self.cache.find(
                form.hash, form.utf8, form.length, chunk.words.data() + <size_t>row * width, &chunk.word_scales[row]
            ):
                missing.row, missing.form = row, _number_of(&form, chunk)
                chunk.missing.push_back(missing)
        self._encode_forms(chunk)
        for missing in chunk.missing:
            chunk.word_scales[missing.row] = chunk.form_scales[missing.form]
            memcpy(
                chunk.words.data() + <size_t>missing.row * width,
                chunk.form_vectors.data() + <size_t>missing.form * width, self.forms.size,
            )
        return 0

    cdef int _encode_forms(self, Chunk* chunk) except -1 nogil:
        """Compute x of the missing forms, and add them to the cache."""
        cdef int count = <int>chunk.forms.size(), width = padded(self.forms.size), i = 0
        chunk.form_vectors.resize(<size_t>count * width)
        chunk.form_scales.resize(count)
        while i < count:
            self.forms.encode(
                chunk.forms.data() + i, min(<int>FORMS, count - i), chunk.form_vectors.data() + <size_t>i * width,
                width, chunk.form_scales.data() + i, &chunk.form_scratch,
            )
            i += FORMS
        for i in range(count):
            self.cache.add(
                chunk.forms[i].hash, chunk.forms[i].utf8, chunk.forms[i].length,
                chunk.form_vectors.data() + <size_t>i * width, chunk.form_scales[i],
            )
        return 0

    def encode(self, sentences, GivenTags given=None):
        """Encode sentences, which are lists of forms, for tests. `given` are the tags that the words can get.

        Return arrays with one row per word: tags, their probabilities, scores of lemma rules, int8 vectors, scales.
        """
        cdef _Scores encoding = _Scores()
        cdef vector[const char*] forms
        cdef vector[int] lengths, sentence_lengths
        texts = [form.encode("utf-8", "surrogatepass") for sentence in sentences for form in sentence]
        for text in texts:
            forms.push_back(text)
            lengths.push_back(<int>len(text))
        for sentence in sentences:
            sentence_lengths.push_back(<int>len(sentence))
        if given is not None:
            encoding.give_tags(given, self.heads.table.tags, 0, forms.size())
        with nogil:
            encoding.rule_scores.resize(forms.size() * self.heads.rules)
            self.run(forms.data(), lengths.data(), sentence_lengths.data(), sentence_lengths.size(), encoding)
        return encoding.arrays(self.heads.rules, self.heads.size)


cdef class _Scores(Encoding):
    """An encoding that keeps the scores of all lemma rules."""

    cdef vector[float] rule_scores

    cdef int choose_rule(self, Py_ssize_t word, const float* scores, int count) except -2 nogil:
        if count:
            memcpy(self.rule_scores.data() + word * count, scores, count * sizeof(float))
        return Encoding.choose_rule(self, word, scores, count)

    def arrays(self, int rules, int size):
        import numpy as np

        cdef Py_ssize_t words = self.words
        if not words:
            return tuple(np.zeros(shape, kind) for shape, kind in (
                (0, "i"), (0, "f"), ((0, rules), "f"), ((0, size), "b"), (0, "f")
            ))
        return (
            np.array(<int32_t[:words]>self.tags.data()), np.array(<float[:words]>self.probabilities.data()),
            np.array(<float[:words, :rules]>self.rule_scores.data()) if rules else np.zeros((words, 0), "f"),
            np.array(<int8_t[:words, :self.stride]>self.vectors.data())[:, :size],
            np.array(<float[:words]>self.scales.data()),
        )


cdef int _number_of(const Form* form, Chunk* chunk) except -1 nogil:
    """Return the number of a form among the missing forms, to which it is added if it is new."""
    cdef size_t size = 1, slot
    cdef const Form* other
    if chunk.forms.empty():
        while size < 2 * <size_t>chunk.sequences.rows:
            size *= 2
        chunk.slots.assign(size, -1)
    size = chunk.slots.size() - 1
    slot = form.hash & size
    while chunk.slots[slot] >= 0:
        other = &chunk.forms[chunk.slots[slot]]
        if other.hash == form.hash and other.length == form.length and not memcmp(other.utf8, form.utf8, form.length):
            return chunk.slots[slot]
        slot = (slot + 1) & size
    chunk.slots[slot] = <int>chunk.forms.size()
    chunk.forms.push_back(form[0])
    return chunk.slots[slot]
