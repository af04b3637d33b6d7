"""Scores that neighbouring pairs of words share (Volokh and Neumann, KI 2012).

While the left word of the pair changes, the right one stays the same. Most left words have not changed since the
previous right word was processed. Templates that use only one of the two words are therefore read and scored again only
if something about that word has changed.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcmp, memcpy

from gardenpath.core.configuration cimport B, Configuration, NONE, S
from gardenpath.features.encoding cimport EncodedSentence
from gardenpath.perceptron.extractor cimport COMMON_PART, LEFT_PART, RIGHT_PART, Extractor
from gardenpath.perceptron.weights cimport Weights, padded


cdef class Pairs:
    """The cache of one thread: the last pair, and each word as the left word."""

    def __dealloc__(self):
        free(self.block)

    cdef int begin(self, int n, int templates, int classes) except -1 nogil:
        """Prepare for a sentence of n words."""
        cdef int word
        self._make_room(n, templates, classes)
        self.forget()
        self.right_word = NONE
        for word in range(n + 1):
            self.kept[word].changes = NONE
        return 0

    cdef int _make_room(self, int n, int templates, int classes) except -1 nogil:
        cdef size_t size = 2 * n + 2, keys = templates * sizeof(uint64_t), scores = padded(classes) * sizeof(int32_t)
        cdef char* block
        cdef size_t i
        if n < self.capacity:
            return 0
        block = <char*>realloc(self.block, size * (sizeof(Kept) + keys + scores))
        if block == NULL:
            with gil:
                raise MemoryError(f"not enough memory for a sentence of {n} words")
        self.block = block
        self.capacity = <int>size
        self.kept = <Kept*>block
        block += size * sizeof(Kept)
        for i in range(size):
            self.kept[i].version = NONE
            self.kept[i].count = 0
            self.kept[i].keys = <uint64_t*>(block + i * keys)
            self.kept[i].scores = <int32_t*>(block + size * keys + i * scores)
        return 0

    cdef void forget(self) noexcept nogil:
        """Invalidate all cached scores, because the weights have changed."""
        self.version += 1

    cdef int look(
        self, const Configuration* c, const EncodedSentence* sentence, Extractor extractor, Weights weights,
        uint64_t* keys, int32_t* both, int32_t* scores,
    ) noexcept nogil:
        """Write the keys of the pair in focus and the scores of all classes, and return the number of keys.

        `both` is scratch space for scores.
        """
        cdef Kept* right = self._recall_right(c, sentence, extractor, keys)
        cdef Kept* left = self._recall_left(c, sentence, extractor, keys + right.count)
        cdef const int32_t* right_scores = self._scores(right, weights)
        cdef const int32_t* left_scores = self._scores(left, weights)
        cdef int i, count, total = right.count + left.count
        extractor.read_rest(c, sentence, &self.reading)
        count = extractor.write_keys(&self.reading, COMMON_PART, COMMON_PART, keys + total)
        weights.score(keys + total, count, both)
        for i in range(padded(weights.classes)):
            scores[i] = left_scores[i] + both[i] + right_scores[i]
        return total + count

    cdef Kept* _recall_right(
        self, const Configuration* c, const EncodedSentence* sentence, Extractor extractor, uint64_t* keys
    ) noexcept nogil:
        """Return the entry of the right word.

        It is still valid if the right word is that of the last pair and no arc has changed since. Its keys are then
        still in place.
        """
        cdef Kept* kept = &self.kept[0]
        if self.right_word == B(c, 0) and kept.changes == c.changes:
            return kept
        self.right_word = B(c, 0)
        kept.changes = c.changes
        extractor.read_buffer(c, sentence, &self.reading)
        return self._keep(kept, keys, extractor.write_keys(&self.reading, RIGHT_PART, RIGHT_PART, keys))

    cdef Kept* _recall_left(
        self, const Configuration* c, const EncodedSentence* sentence, Extractor extractor, uint64_t* keys
    ) noexcept nogil:
        """Return the entry of the left word.

        It is still valid if no word that templates reach from the left word has changed since it was last in focus.
        """
        cdef Kept* kept = &self.kept[S(c, 0)]
        cdef bint is_known = kept.changes != NONE and extractor.is_stack_untouched(c, &kept.reading, kept.changes)
        kept.changes = c.changes
        if is_known:
            extractor.copy_stack(&kept.reading, &self.reading)
            memcpy(keys, kept.keys, kept.count * sizeof(uint64_t))
            return kept
        extractor.read_stack(c, sentence, &self.reading)
        extractor.copy_stack(&self.reading, &kept.reading)
        return self._keep(kept, keys, extractor.write_keys(&self.reading, LEFT_PART, LEFT_PART, keys))

    cdef Kept* _keep(self, Kept* kept, const uint64_t* keys, int count) noexcept nogil:
        """Store these keys. The scores stay valid if the keys have not changed."""
        if kept.count != count or memcmp(kept.keys, keys, count * sizeof(uint64_t)):
            memcpy(kept.keys, keys, count * sizeof(uint64_t))
            kept.count = count
            kept.version = NONE
        return kept

    cdef const int32_t* _scores(self, Kept* kept, Weights weights) noexcept nogil:
        if kept.version != self.version:
            weights.score(kept.keys, kept.count, kept.scores)
            kept.version = self.version
        return kept.scores
