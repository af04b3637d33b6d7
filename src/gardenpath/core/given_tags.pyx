# cython: boundscheck=False, wraparound=False
"""Given tags: which tags the words of a batch can get. `pipeline.given` finds them."""

from gardenpath.core.configuration cimport NONE

from gardenpath.errors import UsageError


cdef class GivenTags:
    """The tags that agree with what is given of each word, as numbers in a tag set. Immutable."""

    def __init__(self, choices, int tags):
        """`choices` has, for each word, numbers of tags in increasing order, or None for all of the `tags` tags."""
        cdef int tag, before
        numbers = {None: NONE}
        for choice in choices:
            if choice not in numbers:
                before = -1
                for tag in choice:
                    if not before < tag < tags:
                        raise UsageError(f"{choice} is not a list of different tags between 0 and {tags - 1}, in order")
                    self.tags.push_back(tag)
                    before = tag
                numbers[choice] = <int>self.ends.size()
                self.ends.push_back(<int>self.tags.size())
            self.choices.push_back(numbers[choice])
        self.words, self.tag_count = self.choices.size(), tags

    cdef TagChoice choice(self, Py_ssize_t word) noexcept nogil:
        """Return the tags that a word can get."""
        cdef TagChoice choice
        cdef int number = self.choices[word], first
        choice.tags, choice.count = self.tags.data(), 0
        if number != NONE:
            first = self.ends[number - 1] if number else 0
            choice.tags += first
            choice.count = self.ends[number] - first
        return choice


cdef int require_tag_set(GivenTags given, int tags) except -1:
    """Raise `UsageError` if given tags are numbers in a tag set of another size. None is allowed."""
    if given is not None and given.tag_count != tags:
        raise UsageError(f"the given tags belong to a tag set of {given.tag_count} tags, not to one of {tags}")
    return 0
