"""Feature templates of the tagger: lines such as `lower[0] tag[-1]`, a property and whose it is, counted from the word that is looked at."""

import re

from libc.stdint cimport uint64_t
from libc.string cimport memset

from gardenpath.core.hashing cimport join, mix
from gardenpath.perceptron.weights cimport MAX_KEYS
from gardenpath.tagging.spelling cimport FORM, LOWER, TAG, UPOS, Traits

from gardenpath.errors import UsageError
from gardenpath.tagging.spelling import PROPERTY_NAMES

ATOM = re.compile(r"(\w+)\[([+-]?\d+)\]")

cdef uint64_t EDGE = 3     # what is found beyond the ends of a sentence


cdef class Window:
    """Templates, each a line, in the order that numbers them."""

    def __init__(self, templates):
        cdef Atom atom
        self.templates = list(templates)
        if len(self.templates) > MAX_KEYS:
            raise UsageError(f"{len(self.templates)} templates, more than {MAX_KEYS}: leave some out")
        for line in self.templates:
            for text in line.split():
                atom.property, atom.offset = _atom(text, line)
                self.atoms.push_back(atom)
            self.ends.push_back(<int>self.atoms.size())

    cdef int write_keys(self, const Traits* word, uint64_t* keys) noexcept nogil:
        """Write the keys of a word that has REACH others, or edges, on either side; a template that finds nothing at one of its places has none."""
        cdef uint64_t key, value
        cdef int i, j = 0, count = 0
        cdef const Atom* atoms = self.atoms.data()
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
    """Make the REACH places on either side of n words those beyond a sentence."""
    cdef int i, property
    for i in range(1, REACH + 1):
        memset(&words[-i], 0, sizeof(Traits))
        for property in range(UPOS, TAG + 1):
            words[-i].values[property] = EDGE
        words[-i].values[FORM] = words[-i].values[LOWER] = EDGE
        words[n - 1 + i] = words[-i]


def _atom(text, line):
    """The property and the offset that an atom names."""
    match = ATOM.fullmatch(text)
    if match is None or match[1] not in PROPERTY_NAMES or abs(int(match[2])) > REACH:
        names = ", ".join(PROPERTY_NAMES)
        raise UsageError(f"template {line!r}: {text!r} is no property with a place between -{REACH} and {REACH}, such as lower[-1]; properties are {names}")
    return PROPERTY_NAMES.index(match[1]), int(match[2])
