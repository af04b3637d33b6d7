# cython: boundscheck=False, wraparound=False
"""The passages of a treebank's raw text with gold tokens and sentences, for training a segmenter."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t
from libcpp.vector cimport vector

from gardenpath.core.characters cimport KINDS
from gardenpath.core.configuration cimport NONE
from gardenpath.perceptron.growing cimport GrowingWeights
from gardenpath.perceptron.weights cimport MAX_CLASSES
from gardenpath.core.draft cimport Draft
from gardenpath.segmentation.addresses cimport Address, find_address
from gardenpath.segmentation.decision cimport Features, Lesson
from gardenpath.segmentation.expansion cimport ENDINGS, Expansion, ending_of
from gardenpath.segmentation.passage cimport (
    Character, PassageToken, TextCursor, chunk_end, gather_tokens, read_passage,
)
from gardenpath.segmentation.sentence_ends cimport SentenceEnds
from gardenpath.segmentation.token_ends cimport ENDS, GOES_ON, TokenEnds

from gardenpath.segmentation.raw import SENTENCE_END, TOKEN_END

cdef enum:
    STRETCH = 8                # number of sentences in a stretch

cdef struct Stretch:           # consecutive sentences of a passage
    int passage
    int begin                  # index of the first character
    int end                    # index after the last character
    int first                  # index of the first token
    int last                   # index after the last token


cdef class GoldPassages:
    """The passages of a gold text, cut into stretches of a few sentences. Training shuffles the stretches."""

    cdef vector[vector[Character]] passages
    cdef vector[vector[PassageToken]] tokens
    cdef vector[Py_ssize_t] characters_before      # by passage: number of characters of the gold text before it
    cdef vector[Py_ssize_t] tokens_before          # by passage: number of tokens before it
    cdef vector[Stretch] stretches
    cdef readonly object character_ends            # by character: INSIDE, TOKEN_END or SENTENCE_END
    cdef readonly object token_ends                # by token: TOKEN_END or SENTENCE_END

    def __init__(self, gold):
        self.character_ends = gold.ends
        self.token_ends = gold.ends[gold.ends >= TOKEN_END]
        self._read(Draft(gold.text), gold.ends)

    cdef int _read(self, Draft draft, const uint8_t[::1] gold) except -1:
        cdef vector[Character] passage
        cdef vector[PassageToken] tokens
        cdef vector[uint8_t] ends
        cdef Py_ssize_t characters_before = 0, tokens_before = 0
        cdef TextCursor cursor
        cursor.byte = cursor.position = 0
        while read_passage(draft.utf8, draft.utf8_length, &cursor, False, passage):
            ends.assign(&gold[characters_before], &gold[characters_before] + passage.size())
            gather_tokens(passage, ends, tokens)
            self.passages.push_back(passage)
            self.tokens.push_back(tokens)
            self.characters_before.push_back(characters_before)
            self.tokens_before.push_back(tokens_before)
            self._cut(<int>self.passages.size() - 1, self.token_ends[tokens_before:])
            characters_before += <Py_ssize_t>passage.size()
            tokens_before += <Py_ssize_t>tokens.size()
        return 0

    cdef int _cut(self, int passage, const uint8_t[::1] ends) except -1:
        """Cut a passage into stretches."""
        cdef Stretch stretch
        cdef int i, sentences = 0, size = <int>self.tokens[passage].size()
        stretch.passage, stretch.first = passage, 0
        for i in range(size):
            sentences += ends[i] == <int>SENTENCE_END
            if sentences == STRETCH or i + 1 == size:
                stretch.last = i + 1
                stretch.begin = self.tokens[passage][stretch.first].begin
                stretch.end = self.tokens[passage][i].end
                self.stretches.push_back(stretch)
                stretch.first, sentences = i + 1, 0
        return 0

    def __len__(self):
        """Return the number of stretches."""
        return self.stretches.size()

    def count_token_ends(self):
        """Count how often a token continues and ends between two kinds of characters.

        Returns:
            An array indexed by [spaced, left kind, right kind, whether the token ends].
        """
        cdef int64_t[:, :, :, ::1] counts = np.zeros((2, KINDS, KINDS, 2), dtype=np.int64)
        cdef const uint8_t[::1] ends = self.character_ends
        cdef const Character* c
        cdef size_t p, i
        cdef bint is_end
        for p in range(self.passages.size()):
            c = self.passages[p].data()
            for i in range(1, self.passages[p].size()):
                if c[i - 1].kind < KINDS and c[i].kind < KINDS:
                    is_end = ends[self.characters_before[p] + <Py_ssize_t>i - 1] > 0
                    counts[c[i].spaced, c[i - 1].kind, c[i].kind, is_end] += 1
        return counts.base

    def count_sentence_ends(self):
        """Count how often a sentence continues and ends between two tokens, by the kinds of characters at the gap.

        Returns:
            An array indexed by [spaced, last kind, first kind, whether the sentence ends].
        """
        cdef int64_t[:, :, :, ::1] counts = np.zeros((2, KINDS, KINDS, 2), dtype=np.int64)
        cdef const uint8_t[::1] ends = self.token_ends
        cdef int sentence_end = SENTENCE_END
        cdef const PassageToken* token
        cdef size_t p, i
        cdef bint is_end
        for p in range(self.tokens.size()):
            token = self.tokens[p].data()
            for i in range(1, self.tokens[p].size()):
                if token[i - 1].last < KINDS and token[i].first < KINDS:
                    is_end = ends[self.tokens_before[p] + <Py_ssize_t>i - 1] == sentence_end
                    counts[token[i].spaced, token[i - 1].last, token[i].first, is_end] += 1
        return counts.base

    def has_spaces_inside(self):
        """Return whether any token contains whitespace."""
        cdef const uint8_t[::1] ends = self.character_ends
        cdef size_t p, i
        for p in range(self.passages.size()):
            for i in range(1, self.passages[p].size()):
                if self.passages[p][i].spaced and not ends[self.characters_before[p] + <Py_ssize_t>i - 1]:
                    return True
        return False

    def keeps_addresses(self):
        """Return whether at most half of the web and e-mail addresses are divided."""
        cdef const uint8_t[::1] ends = self.character_ends
        cdef const Character* c
        cdef Address address
        cdef Py_ssize_t before, i
        cdef int size, chunk, end, whole = 0, divided = 0
        cdef size_t p
        for p in range(self.passages.size()):
            c, size, before = self.passages[p].data(), <int>self.passages[p].size(), self.characters_before[p]
            chunk = 0
            while chunk < size:
                end = chunk_end(c, size, chunk)
                address = find_address(c, chunk, end)
                while address.begin < address.end:
                    for i in range(before + address.begin, before + address.end - 1):
                        if ends[i]:
                            divided += 1
                            break
                    else:
                        whole += 1
                    address = find_address(c, address.end, end)
                chunk = end
        return divided <= whole

    def exceptions(self, const uint8_t[:, :, ::1] rules):
        """Return the hashes of the chunks that break a rule for token ends, sorted."""
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
                if c[i - 1].kind < KINDS and c[i].kind < KINDS:
                    if rules[c[i].spaced, c[i - 1].kind, c[i].kind] == wrong:
                        found.add(c[chunk].rest)
                if c[i].spaced:
                    chunk = i
        return sorted(found)

    def endings(self, const int32_t[::1] numbers):
        """Return the table of endings of multi-word tokens. `numbers` has the rule of each token, or 0."""
        cdef uint8_t[::1] table = np.zeros(ENDINGS, dtype=np.uint8)
        cdef size_t p, i
        for p in range(self.tokens.size()):
            for i in range(self.tokens[p].size()):
                if numbers[self.tokens_before[p] + <Py_ssize_t>i]:
                    table[ending_of(self.passages[p].data(), &self.tokens[p][i])] = True
        return table.base

    def learn_tokens(self, TokenEnds token_ends, Lesson lesson, const int32_t[::1] order):
        """Train the decisions about token ends on the stretches in this order."""
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
        """Train the decisions about sentence ends on the stretches in this order."""
        cdef vector[uint8_t] ends
        cdef Stretch stretch
        cdef Py_ssize_t i
        with nogil:
            for i in range(order.shape[0]):
                stretch = self.stretches[order[i]]
                lesson.offset = self.tokens_before[stretch.passage]
                ends.resize(self.tokens[stretch.passage].size())
                sentence_ends.mark(lesson, self.tokens[stretch.passage], stretch.first, stretch.last, ends)

    def learn_expansions(
        self, Expansion expansion, GrowingWeights weights, const int32_t[::1] numbers, const int32_t[::1] order,
        int margin, int64_t steps
    ):
        """Train the choice among expansion rules on the stretches in this order.

        `steps` is the number of steps made so far. Return the number after training.
        """
        cdef Stretch stretch
        cdef Py_ssize_t i
        cdef int token, gold
        with nogil:
            for i in range(order.shape[0]):
                stretch = self.stretches[order[i]]
                for token in range(stretch.first, stretch.last):
                    if expansion.may_expand(
                        self.passages[stretch.passage].data(), &self.tokens[stretch.passage][token]
                    ):
                        steps += 1
                        gold = numbers[self.tokens_before[stretch.passage] + token]
                        self._learn_expansion(expansion, weights, stretch.passage, token, gold, margin, steps)
        return steps

    cdef int _learn_expansion(
        self, Expansion expansion, GrowingWeights weights, int passage, int token, int gold, int margin, int64_t step
    ) except -1 nogil:
        cdef int32_t scores[MAX_CLASSES + 16]
        cdef Features features
        cdef int i, rival = NONE
        expansion.write_keys(self.passages[passage].data(), self.tokens[passage], token, &features)
        weights.score(features.keys, features.count, scores)
        for i in range(weights.classes):
            if i != gold and (rival == NONE or scores[i] > scores[rival]):
                rival = i
        if scores[gold] - scores[rival] <= margin:
            weights.update(features.keys, features.count, gold, rival, step)
        return 0
