"""Templates compiled to index arrays."""

from libc.stdint cimport uint64_t

from gardenpath.core.configuration cimport Configuration
from gardenpath.core.encoding cimport EncodedSentence
from gardenpath.learning.weights cimport MAX_KEYS
from gardenpath.systems.base cimport TransitionSystem

cdef enum:
    MAX_ADDRESSES = 64
    MAX_ATOMS = 256
    MAX_TEMPLATES = MAX_KEYS

# The parts of a set: templates that look otherwise at deep left-arcs, at all deep arcs, at deep right-arcs. Without deep arcs all are in the first.
cdef enum:
    LEFT_PART
    COMMON_PART
    RIGHT_PART
    PARTS

cdef struct Address:
    int step               # how to get there
    int argument           # the place on the stack or in the buffer, or the address to step from

cdef struct AtomCode:
    int address
    int kind
    int prop               # for a property of the word: its number in the encoded sentence; for the distance: the other address

cdef struct TemplateCode:
    uint64_t seed
    int atoms[4]           # their numbers
    int size


cdef class Extractor:
    cdef readonly list lines
    cdef readonly tuple properties
    cdef TransitionSystem system
    cdef Address addresses[MAX_ADDRESSES]
    cdef int address_count
    cdef AtomCode atoms[MAX_ATOMS]
    cdef int atom_count
    cdef TemplateCode templates[MAX_TEMPLATES]
    cdef readonly int template_count
    cdef int part_ends[PARTS]

    cdef void read(self, const Configuration* c, int move, const EncodedSentence* sentence, uint64_t* values) noexcept nogil
    cdef int write_keys(self, const uint64_t* values, int first_part, int last_part, uint64_t* keys) noexcept nogil
    cdef int extract(self, const Configuration* c, int move, const EncodedSentence* sentence, uint64_t* keys) noexcept nogil
