"""Drafts: text, tokens, words and trees in columns that native code fills in."""

from libcpp.vector cimport vector

from gardenpath.core.given_tags cimport GivenTags
from gardenpath.core.margins cimport ArcMargins, TagMargins

cdef struct DraftToken:        # a surface token
    int start                  # its first byte in the text
    int end                    # the byte after its last one
    int from_character         # the same in code points
    int to_character
    int first_word             # the number of its first word in the draft
    int words                  # the number of its words; a multi-word token has more than one

cdef struct DraftWord:         # a syntactic word
    int form                   # where its form begins in `bytes`
    int form_length
    int lemma                  # where its lemma begins in `bytes`; a length of 0 means that there is none
    int lemma_length
    int tag                    # its number in the tagger's tag set; NONE if it has none yet
    int head                   # within its sentence, from 1; 0 is the root, NONE none yet
    int label                  # its number among the parser's labels
    TagMargins tag_margins
    ArcMargins arc_margins

cdef struct DraftSentence:
    int first_token
    int tokens
    int first_word
    int words
    bint opens_paragraph


cdef class Draft:
    cdef readonly str text             # the text that the offsets of tokens refer to; empty if there is none
    cdef readonly Py_ssize_t offset    # where it begins in its document, in characters
    cdef readonly bint continues       # whether it begins in the middle of a paragraph
    cdef const char* utf8              # its bytes
    cdef Py_ssize_t utf8_length
    cdef vector[DraftToken] tokens
    cdef vector[DraftWord] words
    cdef vector[DraftSentence] sentences
    cdef vector[char] bytes            # forms and lemmas
    cdef readonly GivenTags given      # the tags that its words can get; None if every word can get every tag
    cdef object encoded                # results of the tagger for the parser, of a batch of drafts; None if none
    cdef int encoded_first             # the number of the draft's first sentence in that batch

    cdef int begin_sentence(self, bint opens_paragraph) except -1 nogil
    cdef int begin_token(self, int start, int end, int from_character, int to_character) except -1 nogil
    cdef int add_word(self, const char* form, int length) except -1 nogil
    cdef int set_lemma(self, int word, const char* lemma, int length) except -1 nogil
    cdef int _append(self, const char* text, int length) except -1 nogil


cdef inline const char* form_of(Draft draft, int word) noexcept nogil:
    """Return the bytes of a word's form. They are valid until the next word or lemma is added."""
    return draft.bytes.data() + draft.words[word].form
