"""Calibration: from margins to probabilities.

The probability that a decision is right is a logistic function of the features of some margins, as proposed by Platt
("Probabilistic outputs for support vector machines", 1999):

    p = 1 / (1 + exp(-w · x))

A margin m has two features: m / (|m| + scale) and 0, or 0 and 1 if there was no alternative. The probability of a label
is conditional: it assumes that the head is right.

    upos     1, margin of the UPOS
    tag      1, margin of the tag
    head     1, margin of the arc, smallest margin in focus, smallest margin in focus of the head,
             distance d between word and head: d / (d + 5)
    label    1, margin of the label

A tag is only right if its UPOS is right, so the probability of the UPOS is at least that of the tag.
"""

from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_SET_ITEM
from libc.math cimport NAN, exp, fabs, fmax, isinf, isnan, rint

from gardenpath.core.stored import BadModelError, require
from gardenpath.formats.confidence import Confidence

cdef extern from "Python.h":
    object PyType_GenericAlloc(type kind, Py_ssize_t size)

TARGET_NAMES = ("upos", "tag", "head", "label")
MARGIN_NAMES = (*TARGET_NAMES, "focus")
LARGEST = 1e30                         # for numbers in records
SIZES = {"upos": 3, "tag": 3, "head": 8, "label": 3}       # the number of features
_SHAPE = {
    "words": int, "scales": dict.fromkeys(MARGIN_NAMES, float), "weights": {"head": [float], "label": [float]},
    "ece": {"head": float, "label": float, "arc": float},
}

cdef enum:
    PRECISION = 10_000                 # probabilities are rounded to multiples of 1 / PRECISION

cdef double DISTANCE = 5.0


cdef class Calibration:
    """The scales and weights of a model, as plain values in `record`. Tags have none if the model has no tagger."""

    def __init__(self, dict record):
        require(record, _SHAPE, "the calibration")
        require(record["ece"], dict.fromkeys(record["ece"], float), "the calibration error")
        self.record = record
        for number, name in enumerate(MARGIN_NAMES):
            self.scales[number] = _number(record["scales"][name])
            if self.scales[number] <= 0:
                raise BadModelError(f"the scale {name!r} of the calibration is not positive")
        for number, name in enumerate(TARGET_NAMES):
            if name in record["weights"]:
                self._read_weights(number, name, record["weights"][name])

    def _read_weights(self, int target, str name, weights):
        require({name: weights}, {name: [float]}, "the weights of the calibration")
        if len(weights) != SIZES[name]:
            raise BadModelError(f"the weights {name!r} of the calibration are not {SIZES[name]} numbers")
        for number, weight in enumerate(weights):
            self.weights[target][number] = _number(weight)
        self.is_known[target] = True

    def __call__(self, margins):
        """Return the confidence of a word from its margins: those of MARGIN_NAMES, focus of the head, distance."""
        cdef WordMargins read = _read(margins)
        return self.confidence(&read, None)

    cdef void write(self, const WordMargins* margins, double* probabilities) noexcept nogil:
        """Write the probabilities of all targets: between 0 and 1, NAN if unknown."""
        cdef int target
        for target in range(TARGETS):
            probabilities[target] = self._probability(target, margins)
        probabilities[UPOS] = fmax(probabilities[UPOS], probabilities[TAG])

    cdef double _probability(self, int target, const WordMargins* margins) noexcept nogil:
        cdef double x[MOST_FEATURES]
        cdef double z = 0, p
        cdef int i
        if not self.is_known[target]:
            return NAN
        for i in range(write_features(target, self.scales, margins, x)):
            z += self.weights[target][i] * x[i]
        p = rint(PRECISION / (1 + exp(-z)))
        # No decision is certain. The result is NAN if a margin is.
        return p if isnan(p) else min(max(p, 1.0), PRECISION - 1.0) / PRECISION

    cdef confidence(self, const WordMargins* margins, tagged):
        """Return the confidence of a word. If `tagged` is not None, its tags have the confidence of that object."""
        cdef double probabilities[TARGETS]
        cdef int i
        self.write(margins, probabilities)
        # This creates the named tuple without a call in Python.
        result = PyType_GenericAlloc(<type>Confidence, TARGETS)
        for i in range(TARGETS):
            value = None if isnan(probabilities[i]) else probabilities[i]
            if i <= TAG and tagged is not None:
                value = (<tuple>tagged)[i]
            Py_INCREF(value)
            PyTuple_SET_ITEM(result, i, value)
        return result


cdef double _number(value) except? -1:
    """Return a number of the record as a finite float."""
    if not -LARGEST < value < LARGEST:
        raise BadModelError(f"the calibration has a number that is not between -{LARGEST:g} and {LARGEST:g}")
    return value


cdef int write_features(int target, const double* scales, const WordMargins* margins, double* x) noexcept nogil:
    """Write the features of a probability, and return their number."""
    x[0] = 1
    if target == HEAD:
        _write_margin(margins.arc.head, scales[HEAD], x + 1)
        _write_margin(margins.arc.focus, scales[FOCUS], x + 3)
        _write_margin(margins.head_focus, scales[FOCUS], x + 5)
        x[7] = margins.distance / (margins.distance + DISTANCE)
        return 8
    if target == LABEL:
        _write_margin(margins.arc.label, scales[LABEL], x + 1)
    else:
        _write_margin(margins.tags.upos if target == UPOS else margins.tags.tag, scales[target], x + 1)
    return 3


cdef void _write_margin(double margin, double scale, double* x) noexcept nogil:
    cdef bint is_absent = isinf(margin)
    x[0] = 0 if is_absent else margin / (fabs(margin) + scale)
    x[1] = is_absent


cdef WordMargins _read(row) except *:
    cdef WordMargins margins
    margins.tags.upos, margins.tags.tag = row[0], row[1]
    margins.arc.head, margins.arc.label, margins.arc.focus = row[2], row[3], row[4]
    margins.head_focus, margins.distance = row[5], row[6]
    return margins


def features(str target, dict scales, rows):
    """Return the features of a probability, a list for each row. A row has the arguments of `Calibration.__call__`."""
    cdef double numbers[MARGINS]
    cdef double x[MOST_FEATURES]
    cdef WordMargins margins
    cdef int i, count, number = TARGET_NAMES.index(target)
    for i, name in enumerate(MARGIN_NAMES):
        numbers[i] = scales[name]
    found = []
    for row in rows:
        margins = _read(row)
        count = write_features(number, numbers, &margins, x)
        found.append([x[i] for i in range(count)])
    return found
