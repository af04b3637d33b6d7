"""Compiled templates."""

from libc.stdint cimport uint64_t

from gardenpath.core.configuration cimport Configuration
from gardenpath.features.encoding cimport EncodedSentence
from gardenpath.perceptron.weights cimport MAX_KEYS
from gardenpath.systems.addresses cimport MAX_ADDRESSES, Addresses
from gardenpath.systems.base cimport TransitionSystem

cdef enum:
    MAX_ATOMS = 256
    MAX_TEMPLATES = MAX_KEYS

# The parts of a template set. They are scored separately if candidates or neighbouring pairs share scores. With
# deep arcs, the parts are the templates whose words depend on the depth of a left-arc, of an arc in either direction,
# and of a right-arc. With Covington, they are the templates on the left word of the pair, on both words, and on the
# right word. With all other systems, all templates are in the first part.
cdef enum:
    LEFT_PART
    COMMON_PART
    RIGHT_PART
    PARTS

cdef enum AtomKind:
    PROPERTY
    LABEL
    LEFT_VALENCY
    RIGHT_VALENCY
    LEFT_LABELS
    RIGHT_LABELS
    DISTANCE_BIN

cdef enum:
    REVERSE = 8            # the bit of a distance for words in reverse order

cdef struct AtomCode:
    int address
    int kind
    int prop               # PROPERTY: number in the encoded sentence; DISTANCE_BIN: the other address

cdef struct TemplateCode:
    uint64_t seed
    int atoms[4]           # numbers of the atoms
    int size


# The words at all addresses and the values of all atoms in a configuration.
cdef struct Reading:
    int words[MAX_ADDRESSES]
    uint64_t values[MAX_ATOMS]


cdef class Extractor:
    cdef readonly list lines
    cdef readonly tuple properties
    cdef list atoms_of             # by template: pairs of address and property
    cdef TransitionSystem system
    cdef Addresses addresses
    # Addresses and atoms are ordered: those that begin in the buffer, those that begin on the stack, all others.
    cdef int buffer_addresses      # end of the addresses that begin in the buffer
    cdef int buffer_atoms          # end of their atoms
    cdef int stack_addresses       # end of the addresses that begin on the stack
    cdef int stack_atoms           # end of their atoms
    cdef AtomCode atoms[MAX_ATOMS]
    cdef int atom_count
    cdef TemplateCode templates[MAX_TEMPLATES]
    cdef readonly int template_count
    cdef int part_ends[PARTS]

    cdef void read(
        self, const Configuration* c, int move, const EncodedSentence* sentence, Reading* reading
    ) noexcept nogil
    cdef void read_buffer(
        self, const Configuration* c, const EncodedSentence* sentence, Reading* reading
    ) noexcept nogil
    cdef void read_stack(self, const Configuration* c, const EncodedSentence* sentence, Reading* reading) noexcept nogil
    cdef void read_rest(self, const Configuration* c, const EncodedSentence* sentence, Reading* reading) noexcept nogil
    cdef void _read_values(
        self, const Configuration* c, const EncodedSentence* sentence, Reading* reading, int first, int end
    ) noexcept nogil
    cdef void copy_stack(self, const Reading* source, Reading* target) noexcept nogil
    cdef bint is_stack_untouched(self, const Configuration* c, const Reading* reading, int since) noexcept nogil
    cdef int write_keys(self, const Reading* reading, int first_part, int last_part, uint64_t* keys) noexcept nogil
    cdef bint find_key(self, const Reading* reading, int template, uint64_t* key) noexcept nogil
    cdef int extract(
        self, const Configuration* c, int move, const EncodedSentence* sentence, uint64_t* keys
    ) noexcept nogil
