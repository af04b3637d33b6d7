"""Templates compiled to index arrays."""

from libc.stdint cimport uint64_t

from gardenpath.core.configuration cimport Configuration
from gardenpath.features.encoding cimport EncodedSentence
from gardenpath.perceptron.weights cimport MAX_KEYS
from gardenpath.systems.base cimport TransitionSystem

cdef enum:
    MAX_ADDRESSES = 64
    MAX_ATOMS = 256
    MAX_TEMPLATES = MAX_KEYS

# The parts of a set, each scored by itself where candidates or neighbouring pairs share scores: templates that look otherwise at deep left-arcs, at all deep
# arcs, at deep right-arcs (`has_depths`), or that look at the left word of the pair, at both, at the right one (`has_pairs`). Elsewhere all are in the first.
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


# What templates found in a configuration: the words at all addresses, the values of all atoms.
cdef struct Reading:
    int words[MAX_ADDRESSES]
    uint64_t values[MAX_ATOMS]


cdef class Extractor:
    cdef readonly list lines
    cdef readonly tuple properties
    cdef TransitionSystem system
    cdef Address addresses[MAX_ADDRESSES]
    cdef int address_count
    cdef int buffer_addresses      # how many begin in the buffer: they come first, and so do their atoms;
    cdef int buffer_atoms
    cdef int stack_addresses       # how many begin there or on the stack: these come next; all others, and the distance, last
    cdef int stack_atoms
    cdef AtomCode atoms[MAX_ATOMS]
    cdef int atom_count
    cdef TemplateCode templates[MAX_TEMPLATES]
    cdef readonly int template_count
    cdef int part_ends[PARTS]

    cdef void read(self, const Configuration* c, int move, const EncodedSentence* sentence, Reading* reading) noexcept nogil
    cdef void read_buffer(self, const Configuration* c, const EncodedSentence* sentence, Reading* reading) noexcept nogil
    cdef void read_stack(self, const Configuration* c, const EncodedSentence* sentence, Reading* reading) noexcept nogil
    cdef void read_rest(self, const Configuration* c, const EncodedSentence* sentence, Reading* reading) noexcept nogil
    cdef void _read_words(self, const Configuration* c, int move, Reading* reading, int first, int end) noexcept nogil
    cdef void _read_values(self, const Configuration* c, const EncodedSentence* sentence, Reading* reading, int first, int end) noexcept nogil
    cdef void copy_stack(self, const Reading* source, Reading* target) noexcept nogil
    cdef bint is_stack_untouched(self, const Configuration* c, const Reading* reading, int since) noexcept nogil
    cdef int write_keys(self, const Reading* reading, int first_part, int last_part, uint64_t* keys) noexcept nogil
    cdef int extract(self, const Configuration* c, int move, const EncodedSentence* sentence, uint64_t* keys) noexcept nogil
