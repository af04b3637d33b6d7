# cython: boundscheck=False, wraparound=False
"""Write a draft as CoNLL-U, without the GIL, or convert it to a `Document`. Both have the same content."""

from libc.math cimport INFINITY, NAN, isnan, rint
from libcpp.string cimport string
from libcpp.vector cimport vector

from gardenpath.core.calibration cimport TARGETS, Calibration, WordMargins
from gardenpath.core.configuration cimport NONE
from gardenpath.core.draft cimport Draft, DraftSentence, DraftToken, DraftWord

from gardenpath.formats.confidence import KEYS, with_confidence
from gardenpath.formats.document import EMPTY, Document, Sentence, Token, Word
from gardenpath.pipeline.given import NOT_GIVEN

cdef extern from *:
    """
    #include <string>
    static inline void gp_append_number(std::string& target, long long number) { target += std::to_string(number); }
    """
    void append_number "gp_append_number"(string& target, long long number) noexcept nogil

NO_SPACE = "SpaceAfter=No"
TAG_COLUMNS = ("upos", "xpos", "raw_feats")    # attributes of words


cdef class Writer:
    """Writes drafts whose tags and labels are numbers in these lists. `tags` are triples of UPOS, XPOS and FEATS.

    With a `calibration`, the confidence of the words can be written.
    """

    cdef list tags
    cdef list labels
    cdef Calibration calibration
    cdef bint is_calibrated
    cdef vector[string] tag_columns        # by tag: UPOS, XPOS and FEATS, separated by tabs
    cdef vector[string] label_names
    cdef vector[string] keys               # of the items of MISC with probabilities, each with `=0.`

    def __init__(self, tags, labels, Calibration calibration=None):
        self.tags = [tuple(tag) for tag in tags]
        self.labels = list(labels)
        self.calibration, self.is_calibrated = calibration, calibration is not None
        for key in KEYS:
            self.keys.push_back(f"{key}=0.".encode())
        for tag in self.tags:
            self.tag_columns.push_back("\t".join(tag).encode())
        for label in self.labels:
            self.label_names.push_back(label.encode())

    def conllu(
        self, Draft draft, Py_ssize_t number=1, str heading="", str prefix="", bint ranges=False, bint confidence=False,
    ):
        """Return the draft as CoNLL-U in UTF-8.

        Sentences are numbered from `number` on; their ids begin with `prefix`. `heading` is a comment above the first
        sentence. With `ranges`, tokens have their character offsets in MISC (`TokenRange`). With `confidence`, words
        have their probabilities there.
        """
        cdef string target, id_prefix = prefix.encode()
        cdef size_t i
        if heading and draft.sentences.size():
            target = heading.encode() + b"\n"
        with nogil:
            target.reserve(draft.bytes.size() + 48 * draft.words.size())
            for i in range(draft.sentences.size()):
                self._write(draft, <int>i, number + <Py_ssize_t>i, id_prefix, ranges, confidence, target)
        return target

    cdef int _write(
        self, Draft draft, int index, Py_ssize_t number, const string& prefix, bint ranges, bint confidence,
        string& target,
    ) except -1 nogil:
        cdef const DraftSentence* sentence = &draft.sentences[index]
        cdef const DraftToken* token
        cdef size_t misc
        cdef int i, j
        if sentence.opens_paragraph:
            target.append(b"# newpar\n")
        target.append(b"# sent_id = ")
        target.append(prefix)
        append_number(target, number)
        target.append(b"\n# text = ")
        _write_text(draft, sentence, target)
        target.append(b"\n")
        for i in range(sentence.first_token, sentence.first_token + sentence.tokens):
            token = &draft.tokens[i]
            if token.words > 1:
                append_number(target, token.first_word - sentence.first_word + 1)
                target.append(b"-")
                append_number(target, token.first_word - sentence.first_word + token.words)
                target.append(b"\t")
                _write_token(draft, token, target)
                target.append(b"\t_\t_\t_\t_\t_\t_\t_\t")
                misc = target.size()
                _write_items(draft, i, ranges, target)
                target.append(b"_\n" if target.size() == misc else b"\n")
            for j in range(token.first_word, token.first_word + token.words):
                self._write_word(draft, &draft.words[j], j - sentence.first_word + 1, target)
                misc = target.size()
                if token.words == 1:
                    _write_items(draft, i, ranges, target)
                if confidence and self.is_calibrated:
                    self._write_confidence(draft, sentence, j, target.size() == misc, target)
                target.append(b"_\n" if target.size() == misc else b"\n")
        target.append(b"\n")
        return 0

    cdef int _write_word(self, Draft draft, const DraftWord* word, int id, string& target) except -1 nogil:
        """Append all columns of a word except MISC."""
        append_number(target, id)
        target.append(b"\t")
        target.append(draft.bytes.data() + word.form, word.form_length)
        target.append(b"\t")
        if word.lemma_length:
            target.append(draft.bytes.data() + word.lemma, word.lemma_length)
        else:
            target.append(b"_")
        target.append(b"\t")
        if word.tag != NONE:
            target.append(self.tag_columns[word.tag])
        else:
            target.append(b"_\t_\t_")
        target.append(b"\t")
        if word.head != NONE:
            append_number(target, word.head)
            target.append(b"\t")
            target.append(self.label_names[word.label])
        else:
            target.append(b"_\t_")
        target.append(b"\t_\t")
        return 0

    cdef int _write_confidence(
        self, Draft draft, const DraftSentence* sentence, int word, bint is_first, string& target,
    ) except -1 nogil:
        """Append the known probabilities of a word as items of MISC."""
        cdef WordMargins margins = _margins(draft, sentence, word)
        cdef double probabilities[TARGETS]
        cdef int i, digits, unit
        self.calibration.write(&margins, probabilities)
        for i in range(TARGETS):
            if isnan(probabilities[i]):
                continue
            if not is_first:
                target.append(b"|")
            is_first = False
            target.append(self.keys[i])
            digits = <int>rint(10_000 * probabilities[i])           # probabilities are between 0 and 1, exclusively
            unit = 1_000
            while unit:
                target.push_back(<char>(48 + digits // unit % 10))
                unit //= 10
        return 0

    def document(
        self, Draft draft, Py_ssize_t number=1, str heading="", str prefix="", bint ranges=False, bint confidence=False,
    ):
        """Return the draft as a document. The arguments are those of `conllu`."""
        cdef size_t i
        document = Document([
            self._sentence(draft, <int>i, f"{prefix}{number + <Py_ssize_t>i}", "" if i else heading, ranges)
            for i in range(draft.sentences.size())
        ])
        if confidence:
            for sentence in document:
                for word in sentence:
                    word.misc = with_confidence(word.misc, word.confidence)
        return document

    cdef _sentence(self, Draft draft, int index, str id, str heading, bint ranges):
        cdef DraftSentence sentence = draft.sentences[index]
        cdef DraftToken token
        cdef WordMargins margins
        cdef int i, j, first
        cdef string text
        _write_text(draft, &sentence, text)
        comments = [heading] if heading else []
        if sentence.opens_paragraph:
            comments.append("# newpar")
        comments += [f"# sent_id = {id}", f"# text = {text.decode('utf-8')}"]
        words, multiword = [], []
        for i in range(sentence.first_token, sentence.first_token + sentence.tokens):
            token = draft.tokens[i]
            start = end = None
            if token.start != NONE:
                start, end = draft.offset + token.from_character, draft.offset + token.to_character
            misc = _misc(draft, i, ranges)
            first = token.first_word - sentence.first_word + 1
            if token.words > 1:
                text.clear()
                _write_token(draft, &token, text)
                last, form = first + token.words - 1, text.decode("utf-8")
                multiword.append(Token(first, last, form, (EMPTY,) * 7 + (misc,), start, end))
            for j in range(token.words):
                own = EMPTY if token.words > 1 else misc
                word = self._word(draft, &draft.words[token.first_word + j], first + j, own, start, end)
                if self.is_calibrated:
                    margins = _margins(draft, &sentence, token.first_word + j)
                    word.confidence = self.calibration.confidence(&margins, None)
                words.append(word)
        return Sentence(words, comments, multiword)

    def fill(self, Draft draft, sentences, given=None):
        """Copy tags and lemmas from a draft to the words of its sentences. LEMMA is copied only if the draft has it.

        `given` has the UPOS, XPOS and FEATS that are given of each word, or None in their place (`pipeline.given`).
        These stay, and so do given lemmas. The words get the confidence of the columns that are copied.
        """
        cdef const DraftWord* word
        cdef WordMargins margins
        cdef size_t i = 0
        kept = NOT_GIVEN
        margins.arc.head = margins.arc.label = margins.arc.focus = margins.head_focus = NAN
        margins.distance = 0
        for sentence in sentences:
            for target in sentence:
                word = &draft.words[i]
                if given is not None:
                    kept = given[i]
                i += 1
                for column, value, own in zip(TAG_COLUMNS, self.tags[word.tag], kept):
                    if own is None:
                        setattr(target, column, value)
                if word.lemma_length and (given is None or target.lemma == EMPTY):
                    target.lemma = (draft.bytes.data() + word.lemma)[: word.lemma_length].decode("utf-8")
                if self.is_calibrated:
                    margins.tags.upos = word.tag_margins.upos if kept[0] is None else NAN
                    margins.tags.tag = word.tag_margins.tag if kept == NOT_GIVEN else NAN
                    target.confidence = self.calibration.confidence(&margins, None)

    cdef _word(self, Draft draft, const DraftWord* word, int id, misc, start, end):
        cdef const char* data = draft.bytes.data()
        form = (data + word.form)[: word.form_length].decode("utf-8")
        lemma = (data + word.lemma)[: word.lemma_length].decode("utf-8") if word.lemma_length else EMPTY
        upos, xpos, feats = self.tags[word.tag] if word.tag != NONE else (EMPTY, EMPTY, EMPTY)
        head, label = (word.head, self.labels[word.label]) if word.head != NONE else (None, EMPTY)
        return Word(id, form, lemma, upos, xpos, feats, head, label, EMPTY, misc, start, end)


cdef int _write_text(Draft draft, const DraftSentence* sentence, string& target) except -1 nogil:
    """Append the text of a sentence: its tokens, with one space where the text has white space."""
    cdef int i, end = sentence.first_token + sentence.tokens
    for i in range(sentence.first_token, end):
        _write_token(draft, &draft.tokens[i], target)
        if i + 1 < end and not _is_joined(draft, i):
            target.append(b" ")
    return 0


cdef int _write_token(Draft draft, const DraftToken* token, string& target) except -1 nogil:
    """Append the form of a token: the form of its word or, for a multi-word token, the characters of the text."""
    cdef const DraftWord* word = &draft.words[token.first_word]
    if token.words == 1:
        target.append(draft.bytes.data() + word.form, word.form_length)
    else:
        target.append(draft.utf8 + token.start, token.end - token.start)
    return 0


cdef bint _is_joined(Draft draft, int token) noexcept nogil:
    """Return whether the next token follows without a space."""
    if token + 1 == <int>draft.tokens.size() or draft.tokens[token].start == NONE:
        return False
    return draft.tokens[token].end == draft.tokens[token + 1].start


cdef WordMargins _margins(Draft draft, const DraftSentence* sentence, int word) noexcept nogil:
    """Return the margins of a word, given by its number in the draft."""
    cdef WordMargins margins
    cdef int head = draft.words[word].head
    margins.tags, margins.arc = draft.words[word].tag_margins, draft.words[word].arc_margins
    margins.head_focus, margins.distance = INFINITY, 0
    if head > 0:
        margins.head_focus = draft.words[sentence.first_word + head - 1].arc_margins.focus
        margins.distance = abs(sentence.first_word + head - 1 - word)
    return margins


cdef int _write_items(Draft draft, int token, bint ranges, string& target) except -1 nogil:
    """Append the items of MISC that belong to a token."""
    cdef bint joined = _is_joined(draft, token), has_range = ranges and draft.tokens[token].start != NONE
    if joined:
        target.append(b"SpaceAfter=No")
    if has_range:
        target.append(b"|TokenRange=" if joined else b"TokenRange=")
        append_number(target, draft.offset + draft.tokens[token].from_character)
        target.append(b":")
        append_number(target, draft.offset + draft.tokens[token].to_character)
    return 0


cdef _misc(Draft draft, int token, bint ranges):
    """Return the column MISC of a token."""
    cdef string target
    if not ranges:
        return NO_SPACE if _is_joined(draft, token) else EMPTY
    _write_items(draft, token, ranges, target)
    return target.decode("utf-8") if target.size() else EMPTY
