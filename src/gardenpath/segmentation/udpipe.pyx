"""UDPipe's tokenizer (Straka and Straková, CoNLL 2017) in place of this package's own: a GRU over characters, through the package `ufal.udpipe`."""

import tempfile
from pathlib import Path

from libc.stdint cimport uint32_t

from gardenpath.core.characters cimport decode
from gardenpath.core.draft cimport Draft
from gardenpath.segmentation.tokenizer cimport Tokenizer

from gardenpath.errors import InputError, UsageError

OPTIONS = "epochs=40"
ARRAY = "tokenizer.udpipe"


cdef class UdpipeTokenizer(Tokenizer):
    """A tokenizer of UDPipe. It holds the GIL."""

    cdef readonly object model_array       # the bytes of UDPipe's model file
    cdef object library
    cdef object model

    def __init__(self, model_array):
        self.library = _library()
        self.model_array = model_array
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "tokenizer.udpipe")
            path.write_bytes(model_array.tobytes())
            self.model = self.library.Model.load(str(path))
        if self.model is None:
            raise ValueError("a model of UDPipe")

    @staticmethod
    def train(sentences, dev=None, *, options=None):
        """Train UDPipe's tokenizer with options of its own (`name=value`, joined by `;`); it reports on standard error.

        With a `dev` set it keeps the best epoch.
        """
        import numpy as np             # here only: a tokenizer starts without it

        library = _library()
        error = library.ProcessingError()
        train, held_out = (_sentences(library, part) for part in (sentences, dev or ()))
        model = library.Trainer.train("morphodita_parsito", train, held_out, OPTIONS if options is None else options, "none", "none", error)
        if error.occurred():
            raise InputError(f"UDPipe could not train a tokenizer: {error.message}")
        return UdpipeTokenizer(np.frombuffer(model, dtype=np.uint8))

    cdef int segment(self, Draft draft, bint by_line) except -1 nogil:
        with gil:
            self._segment(draft, by_line)
        return 0

    def _segment(self, Draft draft, bint by_line):
        reader = self.model.newTokenizer("ranges;presegmented" if by_line else "ranges")
        reader.setText(draft.text.replace("\0", "\N{REPLACEMENT CHARACTER}"))      # a NUL would end the text
        sentence, error = self.library.Sentence(), self.library.ProcessingError()
        cdef Place place
        place.byte = place.position = 0
        while reader.nextSentence(sentence, error):
            draft.begin_sentence(sentence.getNewPar())
            _add_tokens(draft, sentence, &place)
        if error.occurred():
            raise InputError(f"UDPipe could not divide the text: {error.message}")

    def arrays(self):
        """The arrays that make up the tokenizer, by name."""
        return {ARRAY: self.model_array}

    def record(self):
        """What else makes up the tokenizer, as plain values."""
        return {"kind": "udpipe"}

    @staticmethod
    def build(record, arrays):
        """The tokenizer of which these are `record()` and `arrays()`."""
        return UdpipeTokenizer(arrays[ARRAY])


cdef struct Place:             # a character of the text
    int byte
    int position


cdef int _add_tokens(Draft draft, sentence, Place* place) except -1:
    """Add the tokens of one of UDPipe's sentences."""
    ranges = {token.idFirst: token for token in sentence.multiwordTokens}
    words = list(sentence.words)[1:]
    last = 0
    for word in words:
        if word.id <= last:
            continue
        token = ranges.get(word.id, word)
        last = token.idLast if word.id in ranges else word.id
        forms = [part.form for part in words[word.id - 1 : last]] if word.id in ranges else [_form(draft, token)]
        _add_token(draft, token.getTokenRangeStart(), token.getTokenRangeEnd(), forms, place)
    return 0


cdef int _add_token(Draft draft, int start, int end, forms, Place* place) except -1:
    cdef int first_byte
    cdef bytes form
    _advance(draft, start, place)
    first_byte = place.byte
    _advance(draft, end, place)
    draft.begin_token(first_byte, place.byte, start, end)
    for content in forms:
        form = content.encode()
        draft.add_word(form, <int>len(form))
    return 0


cdef void _advance(Draft draft, int position, Place* place) noexcept nogil:
    cdef uint32_t point
    while place.position < position:
        place.byte += decode(draft.utf8 + place.byte, &point)
        place.position += 1


def _form(Draft draft, token):
    return " ".join(draft.text[token.getTokenRangeStart() : token.getTokenRangeEnd()].split())


def _sentences(library, sentences):
    """Sentences as UDPipe has them."""
    found, error = library.Sentences(), library.ProcessingError()
    reader = library.InputFormat.newConlluInputFormat()
    reader.setText("".join(sentence.to_conllu() for sentence in sentences))
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
