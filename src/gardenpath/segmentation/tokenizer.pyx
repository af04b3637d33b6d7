"""The interface of all tokenizers: from text to sentences, tokens and words."""

from gardenpath.core.draft cimport Draft


cdef class Tokenizer:
    """Splits text into sentences, tokens and words. Immutable, shared by all threads.

    `arrays()` and `record()` return what is saved: arrays by name, and plain values. The method `build(record, arrays)`
    of the class restores the tokenizer.
    """

    requires = ("text",)
    provides = ("words",)

    cdef int segment(self, Draft draft, bint by_line) except -1 nogil:
        """Fill in the sentences, tokens and words of the draft. With `by_line`, each line is a sentence."""
        return 0

    def divide(self, Draft draft, bint by_line):
        """Fill in the sentences, tokens and words of the draft, as `segment` does. Releases the GIL."""
        with nogil:
            self.segment(draft, by_line)

    def segment_text(self, str text, bint by_line=False):
        """Return a draft with the sentences, tokens and words of a text."""
        cdef Draft draft = Draft(text)
        self.divide(draft, by_line)
        return draft
