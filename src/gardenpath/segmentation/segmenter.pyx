# cython: boundscheck=False, wraparound=False
"""The segmenter: tokenization, sentence splitting and multi-word tokens.

Each of the three steps is an averaged perceptron over hashed features.
"""

from libc.stdint cimport uint8_t
from libcpp.vector cimport vector

from gardenpath.core.draft cimport Draft
from gardenpath.segmentation.decision cimport BINARY_CLASSES, Decision
from gardenpath.segmentation.expansion cimport Expansion, Form, spell
from gardenpath.segmentation.passage cimport Character, PassageToken, TextCursor, gather_tokens, read_passage
from gardenpath.segmentation.sentence_ends cimport SentenceEnds
from gardenpath.segmentation.token_ends cimport TokenEnds
from gardenpath.segmentation.tokenizer cimport Tokenizer

from gardenpath.core.stored import BadModelError, require, require_arrays, weight_tables
from gardenpath.perceptron.frozen import FrozenWeights
from gardenpath.segmentation.expansion_rules import STORED_RULE

TOKENS, SENTENCES, EXPANSIONS = "tokens", "sentences", "expansions"


cdef class Segmenter(Tokenizer):
    """A trained segmenter: immutable, shared by all threads."""

    def __init__(self, TokenEnds token_ends, SentenceEnds sentence_ends, Expansion expansion, dict weights):
        self.token_ends, self.sentence_ends, self.expansion = token_ends, sentence_ends, expansion
        self.weights = weights
        self.ends_token = Decision(weights[TOKENS])
        self.ends_sentence = Decision(weights[SENTENCES])
        self.expands = weights[EXPANSIONS]

    cdef int segment(self, Draft draft, bint by_line) except -1 nogil:
        cdef vector[Character] passage
        cdef vector[PassageToken] tokens
        cdef vector[uint8_t] ends
        cdef TextCursor cursor
        cdef Form form
        cursor.byte = cursor.position = 0
        while read_passage(draft.utf8, draft.utf8_length, &cursor, by_line, passage):
            ends.assign(passage.size(), 0)
            self.token_ends.mark(self.ends_token, passage, 0, <int>passage.size(), ends)
            gather_tokens(passage, ends, tokens)
            ends.assign(tokens.size(), 0)
            if not by_line:
                self.sentence_ends.mark(self.ends_sentence, tokens, 0, <int>tokens.size(), ends)
            self._write(draft, passage.data(), tokens, ends, cursor.opens_paragraph, &form)
        return 0

    cdef int _write(
        self, Draft draft, const Character* passage, const vector[PassageToken]& tokens, const vector[uint8_t]& ends,
        bint opens_paragraph, Form* form
    ) except -1 nogil:
        """Write the sentences of a passage into the draft."""
        cdef const PassageToken* token
        cdef const Character* first
        cdef const Character* last
        cdef int i
        for i in range(<int>tokens.size()):
            if i == 0 or ends[i - 1]:
                draft.begin_sentence(opens_paragraph and i == 0)
            token = &tokens[i]
            last = &passage[token.end - 1]
            first = &passage[token.begin]
            draft.begin_token(first.start, last.end, first.position, last.position + 1)
            if self.expansion.may_expand(passage, token):
                spell(draft.utf8, passage, token, form)
                if self.expansion.expand(self.expands, passage, tokens, i, form, draft):
                    continue
            if self.token_ends.spaces_inside:
                spell(draft.utf8, passage, token, form)
                draft.add_word(form.utf8.data(), <int>form.utf8.size())
            else:
                draft.add_word(draft.utf8 + first.start, last.end - first.start)
        return 0

    def arrays(self):
        """Return the arrays to save, by name."""
        arrays = {
            "segmenter.tokens.rules": self.token_ends.rules_array,
            "segmenter.tokens.exceptions": self.token_ends.exceptions_array,
            "segmenter.sentences.rules": self.sentence_ends.rules_array,
            "segmenter.expansions.endings": self.expansion.endings_array,
        }
        for name, weights in self.weights.items():
            arrays[f"segmenter.{name}.slots"] = weights.slots_array
            arrays[f"segmenter.{name}.rows"] = weights.rows_array
        return arrays

    def record(self):
        """Return the plain values to save."""
        return {
            "kind": "gardenpath", "spaces_inside": self.token_ends.spaces_inside,
            "whole_addresses": self.token_ends.whole_addresses, "expansions": self.expansion.rules,
        }

    @staticmethod
    def build(record, arrays):
        """Build a segmenter from its `record()` and `arrays()`.

        Raises:
            BadModelError: Something is missing or invalid.
        """
        record = {"whole_addresses": False} | record           # models of earlier versions do not have it
        shape = {"spaces_inside": bool, "whole_addresses": bool, "expansions": [STORED_RULE]}
        require(record, shape, "the segmenter")
        types = weight_tables(f"segmenter.{name}." for name in (TOKENS, SENTENCES, EXPANSIONS))
        types |= {"segmenter.tokens.exceptions": "U64", "segmenter.expansions.endings": "U8"}
        require_arrays(arrays, types, "the segmenter")
        tables = {"segmenter.tokens.rules": "U8", "segmenter.sentences.rules": "U8"}
        require_arrays(arrays, tables, "the segmenter", dimensions=3)
        rules = record["expansions"]
        classes = {TOKENS: BINARY_CLASSES, SENTENCES: BINARY_CLASSES, EXPANSIONS: len(rules) + 1}
        weights = {
            name: FrozenWeights(count, arrays[f"segmenter.{name}.slots"], arrays[f"segmenter.{name}.rows"])
            for name, count in classes.items()
        }
        if not all(table.is_sound() for table in weights.values()):
            raise BadModelError("the weight tables of the segmenter are inconsistent")
        token_ends = TokenEnds(
            arrays["segmenter.tokens.rules"], arrays["segmenter.tokens.exceptions"], record["spaces_inside"],
            record["whole_addresses"],
        )
        expansion = Expansion(rules, arrays["segmenter.expansions.endings"])
        return Segmenter(token_ends, SentenceEnds(arrays["segmenter.sentences.rules"]), expansion, weights)
