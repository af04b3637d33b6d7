"""The features of a configuration with their weights, for people."""

from gardenpath.core.configuration cimport Configuration
from gardenpath.features.encoding cimport EncodedSentence
from gardenpath.parsing.hypothesis cimport Choice
from gardenpath.perceptron.extractor cimport Extractor, Reading
from gardenpath.perceptron.weights cimport Weights


cdef class FeatureReasons:
    cdef Extractor extractor
    cdef Weights weights
    cdef object clusters
    cdef list labels

    cdef list compare(
        self, const Configuration* c, const EncodedSentence* sentence, Choice choice, Choice other, list words
    )
    cdef object _reason(
        self, int template, const Configuration* c, const Reading* reading, list words, int contribution
    )
    cdef str _text_of(self, int atom, str name, const Configuration* c, const Reading* reading, list words)
    cdef str _labels_from(self, const Configuration* c, int word)
