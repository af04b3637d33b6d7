"""Feature templates of the tagger and the lemmatizer.

A template is a line of atoms such as `lower[0] tag[-1]`. An atom is a property and the offset of a word, relative to
the current one.
"""

import re

from libc.stdint cimport uint64_t
from libc.string cimport memset

from gardenpath.core.hashing cimport join, mix
from gardenpath.perceptron.weights cimport MAX_KEYS
from gardenpath.tagging.spelling cimport FORM, LOWER, TAG, UPOS, Traits

from gardenpath.errors import UsageError
from gardenpath.tagging.spelling import PROPERTY_NAMES

ATOM = re.compile(r"(\w+)\[([+-]?\d+)\]")

cdef uint64_t EDGE = 3     # the value of words beyond the ends of a sentence


cdef class Window:
    """Templates, one per line. The order of the lines determines their numbers."""

    def __init__(self, templates):
        cdef WindowAtom atom
        self.templates = list(templates)
        if len(self.templates) > MAX_KEYS:
            raise UsageError(f"there are {len(self.templates)} templates, and the limit is {MAX_KEYS}; remove some")
        for line in self.templates:
            for text in line.split():
                atom.property, atom.offset = _atom(text, line)
                self.atoms.push_back(atom)
            self.ends.push_back(<int>self.atoms.size())

    cdef int write_keys(self, const Traits* word, uint64_t* keys) noexcept nogil:
        """Write the keys of a word and return their number.

        There must be REACH words or edges on either side. A template has no key if one of its values is missing.
        """
        cdef uint64_t key, value
        cdef int i, j = 0, count = 0
        cdef const WindowAtom* atoms = self.atoms.data()
        for i in range(<int>self.ends.size()):
            key = i
            value = 1
            while j < self.ends[i]:
                if value:
                    value = word[atoms[j].offset].values[atoms[j].property]
                    key = join(key, value)
                j += 1
            if value:
                keys[count] = mix(key)
                count += 1
        return count


cdef void set_edges(Traits* words, int n) noexcept nogil:
    """Fill in the REACH words before and after a sentence of n words."""
    cdef int i, property
    for i in range(1, REACH + 1):
        memset(&words[-i], 0, sizeof(Traits))
        for property in range(UPOS, TAG + 1):
            words[-i].values[property] = EDGE
        words[-i].values[FORM] = words[-i].values[LOWER] = EDGE
        words[n - 1 + i] = words[-i]


def _atom(text, line):
    """Return the property and the offset of an atom."""
    match = ATOM.fullmatch(text)
    if match is None or match[1] not in PROPERTY_NAMES or abs(int(match[2])) > REACH:
        names = ", ".join(PROPERTY_NAMES)
        raise UsageError(
            f"template {line!r}: {text!r} is not a property with an offset between -{REACH} and {REACH}, such as "
            f"lower[-1]; the properties are {names}"
        )
    return PROPERTY_NAMES.index(match[1]), int(match[2])
