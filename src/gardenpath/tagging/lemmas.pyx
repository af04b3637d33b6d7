"""Lemmatization by edit rules.

The rule comes from a lexicon of pairs of form and tag. For other pairs, an averaged perceptron chooses a rule.
"""

from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from gardenpath.core.hashing cimport join, mix
from gardenpath.perceptron.frozen cimport FrozenWeights
from gardenpath.perceptron.weights cimport MAX_KEYS
from gardenpath.tagging.edits cimport count_characters
from gardenpath.tagging.spelling cimport FORM, TAG

from gardenpath.core.stored import BadModelError, reading, require, require_arrays, weight_tables

TEMPLATES = [
    "lower[0]", "lower[0] upos[0]", "form[0]", "tag[0]", "shape[0] tag[0]", "shape[0] upos[0]",
    *(f"suffix{size}[0]" for size in range(1, 6)), *(f"suffix{size}[0] tag[0]" for size in range(1, 6)),
    *(f"suffix{size}[0] upos[0]" for size in range(1, 6)),
    *(f"prefix{size}[0] tag[0]" for size in range(2, 5)),
]


cdef class Lemmatizer:
    """A trained lemmatizer: immutable, shared by all threads."""

    def __init__(self, Edits edits, Lexicon lexicon, Window window, Weights weights):
        if not 0 < weights.classes <= len(edits.rules) or lexicon.largest() > <size_t>len(edits.rules):
            raise BadModelError("the lemmatizer refers to edit rules that it does not have")
        self.edits, self.lexicon, self.window, self.weights = edits, lexicon, window, weights

    cdef int write(
        self, const Traits* word, const char* form, int length, int32_t* scores, vector[char]* lemma
    ) except -1 nogil:
        """Write the lemma of a tagged word. `scores` is scratch space with room for all classes."""
        cdef int characters = count_characters(form, length)
        return self.edits.apply(self.choose(word, characters, scores), form, length, characters, lemma)

    cdef int choose(self, const Traits* word, int characters, int32_t* scores) noexcept nogil:
        """Return the rule for a word of this many characters."""
        cdef int rule = <int>self.lexicon.find(pair_key(word)) - 1
        if rule >= 0 and self.edits.is_applicable(rule, characters):
            return rule
        return self.guess(word, characters, scores)

    cdef int guess(self, const Traits* word, int characters, int32_t* scores) noexcept nogil:
        """Return the applicable rule with the highest score. Rule 0 is always applicable."""
        cdef uint64_t keys[MAX_KEYS]
        cdef int rule, best = 0
        self.weights.score(keys, self.window.write_keys(word, keys), scores)
        for rule in range(1, self.weights.classes):
            if scores[rule] > scores[best] and self.edits.is_applicable(rule, characters):
                best = rule
        return best

    def arrays(self):
        """Return the arrays to save, by name."""
        cdef FrozenWeights weights = self.weights
        return {
            "keys": self.lexicon.keys_array, "values": self.lexicon.values_array,
            "slots": weights.slots_array, "rows": weights.rows_array,
        }

    def record(self):
        """Return the plain values to save."""
        return {
            "rules": [list(rule) for rule in self.edits.rules], "templates": self.window.templates,
            "classes": self.weights.classes,
        }

    @staticmethod
    def build(record, arrays):
        """Build a lemmatizer from its `record()` and `arrays()`."""
        shape = {"classes": int, "rules": [(int, int, str, int, str)], "templates": [str]}
        require(record, shape, "the lemmatizer")
        require_arrays(arrays, weight_tables([""]) | {"keys": "U64", "values": "U32"}, "the lemmatizer")
        weights = FrozenWeights(record["classes"], arrays["slots"], arrays["rows"])
        if not weights.is_sound():
            raise BadModelError("the weight tables of the lemmatizer are inconsistent")
        lexicon = Lexicon(arrays["keys"], arrays["values"])
        with reading("the templates of the lemmatizer"):
            window = Window(record["templates"])
        return Lemmatizer(Edits(record["rules"]), lexicon, window, weights)


cdef uint64_t pair_key(const Traits* word) noexcept nogil:
    """Return the key of a pair of form and tag in the lexicon."""
    return mix(join(word.values[FORM], word.values[TAG])) | 1
