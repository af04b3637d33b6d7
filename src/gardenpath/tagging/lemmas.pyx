"""Lemmas by edit rules: what the dictionary has for a form with its tag, or the rule that an averaged perceptron likes best."""

from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from gardenpath.core.hashing cimport join, mix
from gardenpath.perceptron.frozen cimport FrozenWeights
from gardenpath.perceptron.weights cimport MAX_KEYS
from gardenpath.tagging.edits cimport count_characters
from gardenpath.tagging.spelling cimport FORM, TAG

TEMPLATES = [
    "lower[0]", "lower[0] upos[0]", "form[0]", "tag[0]", "shape[0] tag[0]", "shape[0] upos[0]", *(f"suffix{size}[0]" for size in range(1, 6)),
    *(f"suffix{size}[0] tag[0]" for size in range(1, 6)), *(f"suffix{size}[0] upos[0]" for size in range(1, 6)),
    *(f"prefix{size}[0] tag[0]" for size in range(2, 5)),
]


cdef class Lemmatizer:
    """A trained lemmatizer: immutable, shared by all threads."""

    def __init__(self, Edits edits, Lexicon lexicon, Window window, Weights weights):
        if not 0 < weights.classes <= len(edits.rules) or <int>lexicon.largest() > <int>len(edits.rules):
            raise ValueError("edit rules for its lemmas")
        self.edits, self.lexicon, self.window, self.weights = edits, lexicon, window, weights

    cdef int write(self, const Traits* word, const char* form, int length, int32_t* scores, vector[char]* lemma) except -1 nogil:
        """Write the lemma of a word that has a tag; `scores` has room for all classes."""
        cdef int characters = count_characters(form, length)
        return self.edits.apply(self.choose(word, characters, scores), form, length, characters, lemma)

    cdef int choose(self, const Traits* word, int characters, int32_t* scores) noexcept nogil:
        """The rule for a word of so many characters."""
        cdef int rule = <int>self.lexicon.find(pair_key(word)) - 1
        return rule if rule >= 0 and self.edits.is_applicable(rule, characters) else self.guess(word, characters, scores)

    cdef int guess(self, const Traits* word, int characters, int32_t* scores) noexcept nogil:
        """The applicable rule with the highest score; rule 0 always is."""
        cdef uint64_t keys[MAX_KEYS]
        cdef int rule, best = 0
        self.weights.score(keys, self.window.write_keys(word, keys), scores)
        for rule in range(1, self.weights.classes):
            if scores[rule] > scores[best] and self.edits.is_applicable(rule, characters):
                best = rule
        return best

    def arrays(self):
        """What is saved of it as arrays."""
        cdef FrozenWeights weights = self.weights
        return {"keys": self.lexicon.keys_array, "values": self.lexicon.values_array, "slots": weights.slots_array, "rows": weights.rows_array}

    def record(self):
        """What is saved of it as plain values."""
        return {"rules": [list(rule) for rule in self.edits.rules], "templates": self.window.templates, "classes": self.weights.classes}

    @staticmethod
    def build(record, arrays):
        """The lemmatizer that was saved."""
        weights = FrozenWeights(record["classes"], arrays["slots"], arrays["rows"])
        if not weights.is_sound():
            raise ValueError("tables of lemmas that fit together")
        return Lemmatizer(Edits(record["rules"]), Lexicon(arrays["keys"], arrays["values"]), Window(record["templates"]), weights)


cdef uint64_t pair_key(const Traits* word) noexcept nogil:
    """What the lexicon knows a form with its tag by."""
    return mix(join(word.values[FORM], word.values[TAG])) | 1
