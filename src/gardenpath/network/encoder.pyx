# cython: boundscheck=False, wraparound=False
"""The sentence encoder of the network: from forms to tags, lemma rules and the parser's word vectors.

A batch is encoded in chunks of sentences of similar length, so that scratch memory does not grow with the text. The
result of a sentence does not depend on the other sentences.
"""

from libc.stdint cimport int8_t, int32_t
from libc.string cimport memcpy
from libcpp.algorithm cimport sort
from libcpp.pair cimport pair
from libcpp.vector cimport vector

from gardenpath.core.given_tags cimport GivenTags
from gardenpath.network.arrays import NetworkArrays

CACHED_FORMS = 65_536
cdef enum:
    CHUNK = 1536               # words, unless a sentence is longer
    BLOCK = 96                 # words whose scores are computed together


cdef class NativeEncoder:
    """Encodes sentences. Threads can share it; each needs its own `Encoding`.

    `arrays` are the arrays of a model file. An array that cannot be used raises `BadModelError`. Each network keeps the
    vectors of up to `cached_forms` forms; they do not change any result.
    """

    def __init__(self, arrays, Py_ssize_t cached_forms=CACHED_FORMS):
        checked = NetworkArrays(arrays)
        self.count = checked.members
        self.networks = Member(checked, 0, cached_forms)
        self.heads = Heads(checked)

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
        chunk.rows.resize(self.count)
        encoding.prepare(words, self.heads.size)
        while end < <Py_ssize_t>chunk.sentences.size():
            first, words = end, 0
            while end < <Py_ssize_t>chunk.sentences.size() and words < CHUNK:
                words -= chunk.sentences[end].first
                end += 1
            self._set_chunk(chunk, first, end)
            self.networks.run(forms, lengths, chunk)
            self._run_heads(chunk, encoding)
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

    cdef int _run_heads(self, Chunk* chunk, Encoding encoding) except -1 nogil:
        """Write the results of all rows."""
        cdef int first = 0, rows
        chunk.scores.resize(<size_t>BLOCK * self.heads.outputs)
        while first < chunk.sequences.rows:
            rows = min(<int>BLOCK, chunk.sequences.rows - first)
            self.networks.score(chunk, first, rows, &self.heads.bias[0], chunk.scores.data())
            self.heads.run(chunk.scores.data(), chunk.numbers.data() + first, rows, encoding)
            first += BLOCK
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
