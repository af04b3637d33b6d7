"""From text to tokens, words and sentences: what the tokenizers have in common."""

from gardenpath.core.draft cimport Draft


cdef class Tokenizer:
    """Divides text. Never changed by that, so any number of threads may share one.

    `arrays()` and `record()`, arrays by name and plain values, are what it is made of; `build(record, arrays)` of its class makes it of these again.
    """

    cdef int segment(self, Draft draft, bint by_line) except -1 nogil:
        """Fill in the tokens, words and sentences of the draft's text. `by_line`: each line is a sentence, and only tokens are to be found."""
        return 0

    def divide(self, Draft draft, bint by_line):
        """The same for Python; the GIL is released."""
        with nogil:
            self.segment(draft, by_line)

    def segment_text(self, str text, bint by_line=False):
        """A draft of the text, divided."""
        cdef Draft draft = Draft(text)
        self.divide(draft, by_line)
        return draft
