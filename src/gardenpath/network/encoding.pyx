"""Results of the sentence encoder, and its scratch memory."""

from gardenpath.core.given_tags cimport GivenTags, require_tag_set
from gardenpath.network.kernels cimport padded

from gardenpath.errors import UsageError


cdef class Encoding:
    """Results for all words of a batch. It belongs to one thread."""

    cdef int give_tags(self, GivenTags given, int tags, Py_ssize_t first, Py_ssize_t words) except -1:
        """Set the tags that this number of words, from `first` on, can get. The network has this number of tags."""
        cdef Py_ssize_t i
        require_tag_set(given, tags)
        if given.words != words:
            raise UsageError(f"there are given tags for {given.words} words, but there are {words} words")
        self.owners = [*(self.owners or ()), given]
        self.given.resize(first)
        for i in range(words):
            self.given.push_back(given.choice(i))
        return 0

    cdef int prepare(self, Py_ssize_t words, int size) except -1 nogil:
        """Make room for the results of this number of words."""
        self.words, self.stride = words, padded(size)
        if not self.given.empty():
            self.given.resize(words)
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
