"""The features of a configuration with their weights, for people."""

from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport NONE, ROOT, sibling
from gardenpath.perceptron.extractor cimport (
    DISTANCE_BIN, LABEL, LEFT_LABELS, LEFT_VALENCY, REVERSE, RIGHT_LABELS, RIGHT_VALENCY,
)
from gardenpath.perceptron.weights cimport padded

from gardenpath.features.encoding import property_of
from gardenpath.parsing.reasons import Reason

DISTANCES = ("1", "2", "3", "4", "5", "6 to 10", "more than 10")


cdef class FeatureReasons:
    """Finds the features whose weights differ for two transitions."""

    def __init__(self, Extractor extractor, Weights weights, clusters, list labels):
        self.extractor = extractor
        self.weights = weights
        self.clusters = clusters
        self.labels = labels

    cdef list compare(
        self, const Configuration* c, const EncodedSentence* sentence, Choice choice, Choice other, list words
    ):
        """Return the reasons for one class against another.

        Deep transitions see other words than the rest. A feature that only one of the two transitions has contributes
        its weight for that transition.
        """
        cdef Reading seen, other_seen
        cdef vector[int32_t] scores
        cdef uint64_t key, other_key
        cdef bint has, other_has
        cdef int template, gain, loss
        self.extractor.read(c, choice.move, sentence, &seen)
        self.extractor.read(c, other.move, sentence, &other_seen)
        scores.resize(padded(self.weights.classes))
        found = []
        for template in range(self.extractor.template_count):
            has = self.extractor.find_key(&seen, template, &key)
            other_has = self.extractor.find_key(&other_seen, template, &other_key)
            gain = loss = 0
            if has:
                self.weights.score(&key, 1, scores.data())
                gain = scores[choice.index]
            if other_has:
                self.weights.score(&other_key, 1, scores.data())
                loss = scores[other.index]
            if has and other_has and key == other_key:
                gain, loss = gain - loss, 0
            if gain:
                found.append(self._reason(template, c, &seen, words, gain))
            if loss:
                found.append(self._reason(template, c, &other_seen, words, -loss))
        return found

    cdef object _reason(
        self, int template, const Configuration* c, const Reading* reading, list words, int contribution
    ):
        cdef int i, atom
        values, looked_at = [], []
        atoms = self.extractor.atoms_of[template]
        for i, (_, name) in enumerate(atoms):
            atom = self.extractor.templates[template].atoms[i]
            values.append(self._text_of(atom, name, c, reading, words))
            looked_at.append(reading.words[self.extractor.atoms[atom].address])
            if self.extractor.atoms[atom].kind == DISTANCE_BIN:
                looked_at.append(reading.words[self.extractor.atoms[atom].prop])
        text = " ".join(address + name for address, name in atoms)
        return Reason(text, ", ".join(values), tuple(dict.fromkeys(looked_at)), contribution)

    cdef str _text_of(self, int atom, str name, const Configuration* c, const Reading* reading, list words):
        """The value of an atom as text."""
        cdef int kind = self.extractor.atoms[atom].kind, word = reading.words[self.extractor.atoms[atom].address]
        cdef uint64_t distance
        if kind == DISTANCE_BIN:
            distance = reading.values[atom]
            return DISTANCES[(distance & ~<uint64_t>REVERSE) - 1] + (" (reversed)" if distance & REVERSE else "")
        if kind == LEFT_VALENCY:
            return str(c.left[word].count)
        if kind == RIGHT_VALENCY:
            return str(c.right[word].count)
        if kind == LEFT_LABELS:
            return self._labels_from(c, c.left[word].first)
        if kind == RIGHT_LABELS:
            return self._labels_from(c, c.right[word].first)
        if kind == LABEL:
            return self.labels[c.labels[word]] if c.labels[word] != NONE else "no label"
        return "ROOT" if word == ROOT else property_of(name, words[word - 1], self.clusters)

    cdef str _labels_from(self, const Configuration* c, int word):
        """The labels of a word and of its siblings on the same side."""
        found = set()
        while word != NONE:
            found.add(self.labels[c.labels[word]])
            word = sibling(c, word)
        return "{" + " ".join(sorted(found)) + "}"
