"""The columns of a draft: the counterpart of `Document` for native code.

The tokenizer (or a list of words) begins a draft; the tagger and the parser fill in their columns, without Python
objects and without the GIL. A draft is written directly as CoNLL-U, or converted to a `Document` for Python.
"""

from cpython cimport array
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.limits cimport INT_MAX
from libc.math cimport NAN

from gardenpath.core.configuration cimport NONE

import array

from gardenpath.errors import InputError, UsageError

cdef array.array _INTEGERS = array.array("i")

cdef enum:
    MOST_BYTES = 1 << 29       # forms and lemmas together may need a few times as much, which must fit an int


cdef class Draft:
    """Sentences whose columns are filled in step by step."""

    def __cinit__(self, str text="", Py_ssize_t offset=0, bint continues=False):
        self.text = text
        self.offset = offset
        self.continues = continues
        self.utf8 = utf8_of(text, &self.utf8_length)
        if self.utf8_length > MOST_BYTES:
            raise InputError(
                f"the text has {self.utf8_length:,} bytes, more than {MOST_BYTES:,}; "
                "give it in parts, such as paragraphs"
            )

    cdef int begin_sentence(self, bint opens_paragraph) except -1 nogil:
        """Begin a sentence. Tokens that are added belong to it."""
        cdef DraftSentence sentence
        sentence.first_token = <int>self.tokens.size()
        sentence.first_word = <int>self.words.size()
        sentence.tokens = sentence.words = 0
        sentence.opens_paragraph = opens_paragraph and not (self.continues and self.sentences.empty())
        self.sentences.push_back(sentence)
        return 0

    cdef int begin_token(self, int start, int end, int from_character, int to_character) except -1 nogil:
        """Begin a token of the current sentence: its place in the text, in bytes and in code points."""
        cdef DraftToken token
        token.start, token.end = start, end
        token.from_character, token.to_character = from_character, to_character
        token.first_word = <int>self.words.size()
        token.words = 0
        self.tokens.push_back(token)
        self.sentences[self.sentences.size() - 1].tokens += 1
        return 0

    cdef int add_word(self, const char* form, int length) except -1 nogil:
        """Add a word to the current token."""
        cdef DraftWord word
        word.form = <int>self.bytes.size()
        word.form_length = length
        word.lemma = word.lemma_length = 0
        word.tag = word.head = word.label = NONE
        word.tag_margins.upos = word.tag_margins.tag = NAN
        word.arc_margins.head = word.arc_margins.label = word.arc_margins.focus = NAN
        self._append(form, length)
        self.words.push_back(word)
        self.tokens[self.tokens.size() - 1].words += 1
        self.sentences[self.sentences.size() - 1].words += 1
        return 0

    cdef int set_lemma(self, int word, const char* lemma, int length) except -1 nogil:
        """Give a word its lemma."""
        cdef int start = <int>self.bytes.size()
        self._append(lemma, length)
        self.words[word].lemma = start
        self.words[word].lemma_length = length
        return 0

    cdef int _append(self, const char* text, int length) except -1 nogil:
        """Append a form or a lemma to the bytes, whose positions must fit an int."""
        if self.bytes.size() + length > <size_t>INT_MAX:
            with gil:
                raise InputError("the forms and lemmas need more than 2 GiB; give the text in smaller parts")
        self.bytes.insert(self.bytes.end(), text, text + length)
        return 0

    def set_lemmas(self, lemmas):
        """Give all words their lemmas: a list of strings for each sentence."""
        cdef Py_ssize_t length
        cdef const char* content
        cdef int word = 0
        if [len(sentence) for sentence in lemmas] != [len(sentence) for sentence in self.forms]:
            raise UsageError("lemmas need one list for each sentence, with one string for each word")
        for sentence in lemmas:
            for lemma in sentence:
                content = utf8_of(lemma, &length)
                self.set_lemma(word, content, <int>length)
                word += 1

    def give_tags(self, GivenTags given not None):
        """Set the tags that the words can get; taggers choose among them."""
        if given.words != <Py_ssize_t>self.words.size():
            raise UsageError(f"there are given tags for {given.words} words, but there are {self.words.size()} words")
        self.given = given

    def __len__(self):
        return self.sentences.size()

    @property
    def size(self):
        """The number of words."""
        return self.words.size()

    @staticmethod
    def of(sentences):
        """Return a draft of tokenised sentences, each a sequence of forms. Its tokens have no offsets."""
        cdef Draft draft = Draft()
        cdef Py_ssize_t length
        cdef const char* form
        for sentence in sentences:
            draft.begin_sentence(False)
            for content in sentence:
                form = utf8_of(content, &length)
                draft.begin_token(NONE, NONE, NONE, NONE)
                draft.add_word(form, <int>length)
        return draft

    def split_lines(self):
        """Split the text at line breaks into sentences, and at spaces into tokens. A blank line ends a paragraph."""
        cdef int byte = 0, start = NONE, from_character = 0, position = 0
        cdef bint in_line = False, opens_paragraph = True
        cdef Py_UCS4 character
        for character in self.text + "\n":
            if not character.isspace():
                if start == NONE:
                    if not in_line:
                        self.begin_sentence(opens_paragraph)
                        in_line, opens_paragraph = True, False
                    start, from_character = byte, position
            elif start != NONE:
                self.begin_token(start, byte, from_character, position)
                self.add_word(self.utf8 + start, byte - start)
                start = NONE
            if character == u"\n":
                opens_paragraph |= not in_line
                in_line = False
            byte += 1 if character < 0x80 else 2 if character < 0x800 else 3 if character < 0x10000 else 4
            position += 1

    def forget_tags(self):
        """Remove tags and lemmas."""
        cdef size_t i
        for i in range(self.words.size()):
            self.words[i].tag = NONE
            self.words[i].tag_margins.upos = self.words[i].tag_margins.tag = NAN
            self.words[i].lemma_length = 0

    @property
    def longest(self):
        """The number of words of the longest sentence."""
        cdef DraftSentence sentence
        cdef int most = 0
        for sentence in self.sentences:
            most = max(most, sentence.words)
        return most

    @property
    def forms(self):
        """The forms: a list for each sentence."""
        cdef DraftSentence sentence
        cdef int i
        return [
            [
                _string(self, self.words[i].form, self.words[i].form_length)
                for i in range(sentence.first_word, sentence.first_word + sentence.words)
            ]
            for sentence in self.sentences
        ]

    @property
    def lemmas(self):
        """The lemmas of all words, `_` where there is none."""
        cdef size_t i
        return [
            _string(self, self.words[i].lemma, self.words[i].lemma_length) if self.words[i].lemma_length else "_"
            for i in range(self.words.size())
        ]

    @property
    def sentence_starts(self):
        """The first character of each sentence in the text."""
        cdef DraftSentence sentence
        return [self.tokens[sentence.first_token].from_character for sentence in self.sentences]

    def columns(self):
        """Return the tags, the heads and the labels of all words as three arrays of numbers."""
        cdef array.array tags = array.clone(_INTEGERS, self.words.size(), False)
        cdef array.array heads = array.clone(_INTEGERS, self.words.size(), False)
        cdef array.array labels = array.clone(_INTEGERS, self.words.size(), False)
        cdef size_t i
        for i in range(self.words.size()):
            tags.data.as_ints[i] = self.words[i].tag
            heads.data.as_ints[i] = self.words[i].head
            labels.data.as_ints[i] = self.words[i].label
        return tags, heads, labels

    @property
    def margins(self):
        """The margins of the words, a tuple for each: of UPOS, tag, head and label, and the smallest one in focus."""
        cdef size_t i
        return [
            (
                self.words[i].tag_margins.upos, self.words[i].tag_margins.tag, self.words[i].arc_margins.head,
                self.words[i].arc_margins.label, self.words[i].arc_margins.focus,
            )
            for i in range(self.words.size())
        ]

    @property
    def spans(self):
        """The tokens, a list for each sentence: start and end in the text, in characters, and the number of words."""
        cdef DraftSentence sentence
        cdef int i
        return [
            [
                (self.tokens[i].from_character, self.tokens[i].to_character, self.tokens[i].words)
                for i in range(sentence.first_token, sentence.first_token + sentence.tokens)
            ]
            for sentence in self.sentences
        ]


cdef const char* utf8_of(str text, Py_ssize_t* length) except NULL:
    """Return the bytes of a string. They are valid as long as the string exists."""
    try:
        return PyUnicode_AsUTF8AndSize(text, length)
    except UnicodeEncodeError as error:
        code = f"U+{ord(text[error.start]):04X}"
        place = f"character {error.start + 1} of the text"
        problem = f"is half of a surrogate pair ({code}), which UTF-8 cannot represent"
        raise InputError(f"{place} {problem}; decode the text again") from None


cdef str _string(Draft draft, int start, int length):
    return (draft.bytes.data() + start)[:length].decode("utf-8")
