# cython: boundscheck=False, wraparound=False
"""The passages of a treebank's raw text with the right answers beside them: what a segmenter learns from."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport NONE
from gardenpath.perceptron.growing cimport GrowingWeights
from gardenpath.perceptron.weights cimport MAX_CLASSES
from gardenpath.core.characters cimport KINDS
from gardenpath.segmentation.decision cimport Features, Lesson
from gardenpath.core.draft cimport Draft
from gardenpath.segmentation.expansion cimport ENDINGS, Expansion, ending_of
from gardenpath.segmentation.passage cimport Character, Piece, Place, gather_pieces, read_passage
from gardenpath.segmentation.sentence_ends cimport SentenceEnds
from gardenpath.segmentation.token_ends cimport ENDS, GOES_ON, TokenEnds

from gardenpath.segmentation.raw import SENTENCE_END, TOKEN_END

cdef enum:
    STRETCH = 8                # how many sentences are learnt from at a time

cdef struct Stretch:           # sentences of a passage
    int passage
    int begin                  # from this character
    int end                    # up to this one
    int first                  # and from this token
    int last                   # up to this one


cdef class GoldPassages:
    """The passages of a gold text. Learning goes by stretches of a few sentences, so that these can be shuffled."""

    cdef vector[vector[Character]] passages
    cdef vector[vector[Piece]] pieces
    cdef vector[Py_ssize_t] characters_before      # how many characters of the gold text stand before each passage
    cdef vector[Py_ssize_t] tokens_before          # and how many tokens
    cdef vector[Stretch] stretches
    cdef readonly object character_ends            # what ends with each character
    cdef readonly object token_ends                # what ends with each token

    def __init__(self, gold):
        self.character_ends = gold.ends
        self.token_ends = gold.ends[gold.ends >= TOKEN_END]
        self._read(Draft(gold.text), gold.ends)

    cdef int _read(self, Draft draft, const uint8_t[::1] gold) except -1:
        cdef vector[Character] passage
        cdef vector[Piece] pieces
        cdef vector[uint8_t] ends
        cdef Py_ssize_t characters = 0, tokens = 0
        cdef Place place
        place.byte = place.position = 0
        while read_passage(draft.utf8, draft.utf8_length, &place, False, passage):
            ends.assign(&gold[characters], &gold[characters] + passage.size())
            gather_pieces(passage, ends, pieces)
            self.passages.push_back(passage)
            self.pieces.push_back(pieces)
            self.characters_before.push_back(characters)
            self.tokens_before.push_back(tokens)
            self._cut(<int>self.passages.size() - 1, self.token_ends[tokens:])
            characters += <Py_ssize_t>passage.size()
            tokens += <Py_ssize_t>pieces.size()
        return 0

    cdef int _cut(self, int passage, const uint8_t[::1] ends) except -1:
        """Cut a passage into stretches."""
        cdef Stretch stretch
        cdef int i, sentences = 0, size = <int>self.pieces[passage].size()
        stretch.passage, stretch.first = passage, 0
        for i in range(size):
            sentences += ends[i] == <int>SENTENCE_END
            if sentences == STRETCH or i + 1 == size:
                stretch.last = i + 1
                stretch.begin, stretch.end = self.pieces[passage][stretch.first].begin, self.pieces[passage][i].end
                self.stretches.push_back(stretch)
                stretch.first, sentences = i + 1, 0
        return 0

    def __len__(self):
        """The number of stretches."""
        return self.stretches.size()

    def count_token_ends(self):
        """How often a token goes on, and ends, between two kinds of characters: counts[spaced, left, right, ends]."""
        cdef int64_t[:, :, :, ::1] counts = np.zeros((2, KINDS, KINDS, 2), dtype=np.int64)
        cdef const uint8_t[::1] ends = self.character_ends
        cdef const Character* c
        cdef size_t p, i
        for p in range(self.passages.size()):
            c = self.passages[p].data()
            for i in range(1, self.passages[p].size()):
                if c[i - 1].kind < KINDS and c[i].kind < KINDS:
                    counts[c[i].spaced, c[i - 1].kind, c[i].kind, ends[self.characters_before[p] + <Py_ssize_t>i - 1] > 0] += 1
        return counts.base

    def count_sentence_ends(self):
        """How often a sentence goes on, and ends, between a token that ends and one that begins with a kind of character: counts[spaced, last, first, ends]."""
        cdef int64_t[:, :, :, ::1] counts = np.zeros((2, KINDS, KINDS, 2), dtype=np.int64)
        cdef const uint8_t[::1] ends = self.token_ends
        cdef int sentence_end = SENTENCE_END
        cdef const Piece* piece
        cdef size_t p, i
        for p in range(self.pieces.size()):
            piece = self.pieces[p].data()
            for i in range(1, self.pieces[p].size()):
                if piece[i - 1].last < KINDS and piece[i].first < KINDS:
                    counts[piece[i].spaced, piece[i - 1].last, piece[i].first, ends[self.tokens_before[p] + <Py_ssize_t>i - 1] == sentence_end] += 1
        return counts.base

    def has_spaces_inside(self):
        """Is there a token with whitespace inside?"""
        cdef const uint8_t[::1] ends = self.character_ends
        cdef size_t p, i
        for p in range(self.passages.size()):
            for i in range(1, self.passages[p].size()):
                if self.passages[p][i].spaced and not ends[self.characters_before[p] + <Py_ssize_t>i - 1]:
                    return True
        return False

    def exceptions(self, const uint8_t[:, :, ::1] rules):
        """The chunks in which one of the rules for the ends of tokens is broken, sorted."""
        cdef const uint8_t[::1] ends = self.character_ends
        cdef const Character* c
        cdef size_t p, i, chunk
        cdef uint8_t wrong
        found = set()
        for p in range(self.passages.size()):
            c = self.passages[p].data()
            chunk = 0
            for i in range(1, self.passages[p].size()):
                wrong = GOES_ON if ends[self.characters_before[p] + <Py_ssize_t>i - 1] else ENDS
                if c[i - 1].kind < KINDS and c[i].kind < KINDS and rules[c[i].spaced, c[i - 1].kind, c[i].kind] == wrong:
                    found.add(c[chunk].rest)
                if c[i].spaced:
                    chunk = i
        return sorted(found)

    def endings(self, const int32_t[::1] numbers):
        """A table of the endings of multiword tokens; `numbers` are those of the tokens' rules, 0 for words."""
        cdef uint8_t[::1] table = np.zeros(ENDINGS, dtype=np.uint8)
        cdef size_t p, i
        for p in range(self.pieces.size()):
            for i in range(self.pieces[p].size()):
                if numbers[self.tokens_before[p] + <Py_ssize_t>i]:
                    table[ending_of(self.passages[p].data(), &self.pieces[p][i])] = True
        return table.base

    def learn_tokens(self, TokenEnds token_ends, Lesson lesson, const int32_t[::1] order):
        """Learn where tokens end, from the stretches in this order."""
        cdef vector[uint8_t] ends
        cdef Stretch stretch
        cdef Py_ssize_t i
        with nogil:
            for i in range(order.shape[0]):
                stretch = self.stretches[order[i]]
                lesson.offset = self.characters_before[stretch.passage]
                ends.resize(self.passages[stretch.passage].size())
                token_ends.mark(lesson, self.passages[stretch.passage], stretch.begin, stretch.end, ends)

    def learn_sentences(self, SentenceEnds sentence_ends, Lesson lesson, const int32_t[::1] order):
        """Learn where sentences end, likewise."""
        cdef vector[uint8_t] ends
        cdef Stretch stretch
        cdef Py_ssize_t i
        with nogil:
            for i in range(order.shape[0]):
                stretch = self.stretches[order[i]]
                lesson.offset = self.tokens_before[stretch.passage]
                ends.resize(self.pieces[stretch.passage].size())
                sentence_ends.mark(lesson, self.pieces[stretch.passage], stretch.first, stretch.last, ends)

    def learn_expansions(self, Expansion expansion, GrowingWeights weights, const int32_t[::1] numbers, const int32_t[::1] order, int margin, int64_t steps):
        """Learn which rules make words of tokens, likewise. So many steps have been made; how many is it after these?"""
        cdef Stretch stretch
        cdef Py_ssize_t i
        cdef int token
        with nogil:
            for i in range(order.shape[0]):
                stretch = self.stretches[order[i]]
                for token in range(stretch.first, stretch.last):
                    if expansion.may_expand(self.passages[stretch.passage].data(), &self.pieces[stretch.passage][token]):
                        steps += 1
                        self._learn_expansion(expansion, weights, stretch.passage, token, numbers[self.tokens_before[stretch.passage] + token], margin, steps)
        return steps

    cdef int _learn_expansion(self, Expansion expansion, GrowingWeights weights, int passage, int token, int right, int margin, int64_t step) except -1 nogil:
        cdef int32_t scores[MAX_CLASSES + 16]
        cdef Features features
        cdef int i, rival = NONE
        expansion.write_keys(self.passages[passage].data(), self.pieces[passage], token, &features)
        weights.score(features.keys, features.count, scores)
        for i in range(weights.classes):
            if i != right and (rival == NONE or scores[i] > scores[rival]):
                rival = i
        if scores[right] - scores[rival] <= margin:
            weights.update(features.keys, features.count, right, rival, step)
        return 0
