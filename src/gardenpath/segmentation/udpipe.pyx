"""UDPipe's tokenizer (Straka and Straková, CoNLL 2017): a GRU over characters, from the package `ufal.udpipe`.

It is an alternative to the segmenter of this package.
"""

import tempfile
from pathlib import Path

from libc.stdint cimport uint32_t

from gardenpath.core.characters cimport decode
from gardenpath.core.draft cimport Draft
from gardenpath.segmentation.tokenizer cimport Tokenizer

from gardenpath.core.stored import BadModelError, require_arrays
from gardenpath.errors import InputError, UsageError
from gardenpath.formats.joining import conllu_parts
from gardenpath.segmentation.udpipe_check import check_model

OPTIONS = "epochs=40"
ARRAY = "tokenizer.udpipe"


cdef class UdpipeTokenizer(Tokenizer):
    """A tokenizer of UDPipe. It holds the GIL while it runs."""

    cdef readonly object model_array       # contents of UDPipe's model file, as bytes
    cdef object library
    cdef object model

    def __init__(self, model_array, *, bint trusted=False):
        """Load a model of UDPipe. It is tried in another process first, unless it is `trusted`."""
        self.library = _library()
        self.model_array = model_array
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "tokenizer.udpipe")
            path.write_bytes(model_array.tobytes())
            if not trusted:
                check_model(path, self.library)
            self.model = self.library.Model.load(str(path))
        if self.model is None:
            raise BadModelError("UDPipe cannot load its tokenizer model")

    @staticmethod
    def train(sentences, dev=None, *, options=None):
        """Train UDPipe's tokenizer. It reports its progress on standard error.

        Args:
            sentences: The treebank.
            dev: A development set. If it is given, UDPipe keeps the best epoch.
            options: Options of UDPipe (`name=value`, joined by `;`).
        """
        import numpy as np             # imported here, since loading a tokenizer does not need it

        library = _library()
        error = library.ProcessingError()
        train, held_out = (_sentences(library, part) for part in (sentences, dev or ()))
        model = library.Trainer.train(
            "morphodita_parsito", train, held_out, OPTIONS if options is None else options, "none", "none", error
        )
        if error.occurred():
            raise InputError(f"UDPipe could not train a tokenizer: {error.message}")
        return UdpipeTokenizer(np.frombuffer(model, dtype=np.uint8), trusted=True)

    cdef int segment(self, Draft draft, bint by_line) except -1 nogil:
        with gil:
            self._segment(draft, by_line)
        return 0

    def _segment(self, Draft draft, bint by_line):
        reader = self.model.newTokenizer("ranges;presegmented" if by_line else "ranges")
        reader.setText(draft.text.replace("\0", "\N{REPLACEMENT CHARACTER}"))      # UDPipe stops at a NUL
        sentence, error = self.library.Sentence(), self.library.ProcessingError()
        cdef UdpipeCursor cursor
        cursor.byte = cursor.position = 0
        opens_paragraph = False
        while reader.nextSentence(sentence, error):
            opens_paragraph |= sentence.getNewPar()
            tokens = _tokens(draft, sentence)
            if tokens:
                draft.begin_sentence(opens_paragraph)
                _add_tokens(draft, tokens, &cursor)
                opens_paragraph = False
        if error.occurred():
            raise InputError(f"UDPipe could not tokenize the text: {error.message}")

    def arrays(self):
        """Return the arrays to save, by name."""
        return {ARRAY: self.model_array}

    def record(self):
        """Return the plain values to save."""
        return {"kind": "udpipe"}

    @staticmethod
    def build(record, arrays):
        """Build a tokenizer from its `record()` and `arrays()`."""
        require_arrays(arrays, {ARRAY: "U8"}, "the tokenizer")
        return UdpipeTokenizer(arrays[ARRAY])


cdef struct UdpipeCursor:      # a character of the text, by byte and by position
    int byte
    int position


def _tokens(Draft draft, sentence):
    """Return the tokens of a sentence of UDPipe: start, end and the forms of the words.

    UDPipe makes tokens of some white space, such as U+000C and U+2028. These are left out.
    """
    found = []
    ranges = {token.idFirst: token for token in sentence.multiwordTokens}
    words = list(sentence.words)[1:]
    last = 0
    for word in words:
        if word.id <= last:
            continue
        token = ranges.get(word.id, word)
        last = token.idLast if word.id in ranges else word.id
        start, end = token.getTokenRangeStart(), token.getTokenRangeEnd()
        given = [part.form for part in words[word.id - 1 : last]] if word.id in ranges else [draft.text[start:end]]
        forms = [form for form in map(_joined, given) if form]
        if forms:
            found.append((start, end, forms))
    return found


cdef int _add_tokens(Draft draft, tokens, UdpipeCursor* cursor) except -1:
    """Add the tokens of a sentence to the draft."""
    for start, end, forms in tokens:
        _add_token(draft, start, end, forms, cursor)
    return 0


cdef int _add_token(Draft draft, int start, int end, forms, UdpipeCursor* cursor) except -1:
    cdef int first_byte
    cdef bytes form
    _advance(draft, start, cursor)
    first_byte = cursor.byte
    _advance(draft, end, cursor)
    draft.begin_token(first_byte, cursor.byte, start, end)
    for content in forms:
        form = content.encode()
        draft.add_word(form, <int>len(form))
    return 0


cdef void _advance(Draft draft, int position, UdpipeCursor* cursor) noexcept nogil:
    cdef uint32_t point
    while cursor.position < position:
        cursor.byte += decode(draft.utf8 + cursor.byte, &point)
        cursor.position += 1


def _joined(text):
    """Return a form with single spaces, as CoNLL-U allows them."""
    return " ".join(text.split())


def _sentences(library, sentences):
    """Convert sentences to those of UDPipe."""
    found, error = library.Sentences(), library.ProcessingError()
    reader = library.InputFormat.newConlluInputFormat()
    conllu = "".join(conllu_parts(sentences)).replace("\r\n", "\n")
    if "\r" in conllu:          # UDPipe's reader would never return
        raise InputError("UDPipe cannot read the treebank: a line has a carriage return (CR) inside; remove it")
    reader.setText(conllu)
    sentence = library.Sentence()
    while reader.nextSentence(sentence, error):
        found.append(sentence)
        sentence = library.Sentence()
    if error.occurred():
        raise InputError(f"UDPipe cannot read the treebank: {error.message}")
    return found


def _library():
    try:
        import ufal.udpipe as library
    except ImportError:
        raise UsageError("UDPipe's tokenizer needs the package ufal.udpipe: pip install ufal.udpipe") from None
    return library
