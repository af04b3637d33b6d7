"""Results of the sentence encoder, and its scratch memory."""

from gardenpath.network.kernels cimport padded


cdef class Encoding:
    """Results for all words of a batch. It belongs to one thread, which can use it for one batch after the other."""

    cdef int prepare(self, Py_ssize_t words, int size) except -1 nogil:
        """Make room for the results of this number of words."""
        self.words, self.stride = words, padded(size)
        self.tags.resize(words)
        self.probabilities.resize(words)
        self.rules.resize(words)
        self.vectors.resize(words * self.stride)
        self.scales.resize(words)
        return 0

    cdef int choose_rule(self, Py_ssize_t word, const float* scores, int count) except -2 nogil:
        """Return the lemma rule for a word, whose tag is already set: the best one, or -1 if there are no rules.

        Subclasses can choose among the applicable rules.
        """
        cdef int best = 0, i
        for i in range(1, count):
            if scores[i] > scores[best]:
                best = i
        return best if count else -1
