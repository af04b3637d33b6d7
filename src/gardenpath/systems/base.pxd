"""The interface of transition systems, and the configuration as Python sees it."""

from gardenpath.core.configuration cimport Configuration as RawConfiguration

# Where templates look for words: on the stack, in the buffer, on the spine above the head of a deep arc (`has_depths`),
# or between the two words of the pair (`has_pairs`).
cdef enum Base:
    STACK
    BUFFER
    ABOVE
    BETWEEN
    BASES


cdef class TransitionSystem:
    cdef readonly str name
    cdef readonly bint single_root       # whether every parse ends with exactly one root word
    cdef readonly bint is_projective     # whether every parse is projective
    cdef readonly bint reorders          # whether words can change places, so that every tree can be built
    cdef readonly bint has_depths        # whether arcs start at any depth of a spine, each with features of its own
    cdef readonly bint has_pairs         # whether transitions go through pairs of words, where neighbours share a word
    cdef readonly bint remembers_labels  # whether words remember the label that a right-arc has at their Shift
    cdef readonly tuple pair             # the addresses of the two words that arcs connect
    cdef int available[16]               # the kinds of transitions, in the paper's order
    cdef int available_count

    cdef void start(self, RawConfiguration* c) noexcept nogil
    cdef bint is_permitted(self, const RawConfiguration* c, int move) noexcept nogil
    cdef void apply_move(self, RawConfiguration* c, int move, int label) noexcept nogil
    cdef bint is_terminal(self, const RawConfiguration* c) noexcept nogil
    cdef bint repairs(self, const RawConfiguration* c, int move) noexcept nogil
    cdef bint builds_arc(self, const RawConfiguration* c, int move) noexcept nogil
    cdef int arc_head(self, const RawConfiguration* c, int move) noexcept nogil
    cdef int arc_child(self, const RawConfiguration* c, int move) noexcept nogil
    cdef int longest(self, int n) noexcept nogil
    cdef long limit(self, int n) noexcept nogil
    cdef int widest(self, int n) noexcept nogil
    cdef int forced(self, const RawConfiguration* c) noexcept nogil
    cdef int list_moves(self, const RawConfiguration* c, int* moves) noexcept nogil
    cdef int word_at(self, const RawConfiguration* c, int move, int base, int index) noexcept nogil
    cdef bint is_deep(self, const RawConfiguration* c, int move) noexcept nogil
    cdef bint is_moved(self, int kind, int base, int index) noexcept nogil
    cdef bint takes_label(self, int kind)
    cdef str kind_name(self, int kind)
    cdef str name_of(self, const RawConfiguration* c, int move)
    cdef dict named(self, Configuration c)
    cdef tuple arc_of(self, Configuration c, int move)
    cdef int require(self, Configuration c) except -1
    cdef int raise_failure(self) except -1
    cdef int stop(self, const RawConfiguration* c, int valid_count, long made) except -1 with gil


cdef inline long default_limit(int n) noexcept nogil:
    """Return a limit on the number of transitions for a system that states none: more than any known system needs."""
    return 4 * (<long>n + 4) * (<long>n + 4)


cdef inline int require_progress(
    TransitionSystem system, const RawConfiguration* c, int valid_count, long made, long limit
) except -1 nogil:
    """Raise an error if a configuration that is not final has no valid transition, or after `limit` transitions.

    `valid_count` is the number of valid transitions and `made` the number of transitions made so far. `limit` is
    `system.limit(n)`, which the caller asks for once per sentence.
    """
    if valid_count <= 0 or made >= limit:
        return system.stop(c, valid_count, made)
    return 0


cdef class Configuration:
    cdef RawConfiguration c
    cdef str system                      # the name of the system it belongs to
    cdef bint single_root                # whether that system is in single-root mode
    cdef list label_names                # by number; None while the native core has lent the configuration
    cdef bint is_editable                # whether Python code may change it: `apply` of a Python system

    cdef int label_of(self, label) except -2
    cdef object _label_name(self, int label)
    cdef int _require_editable(self) except -1
    cdef int _require_word(self, int word) except -1
    cdef void _find_places(self) noexcept


cdef Configuration lend(TransitionSystem system, const RawConfiguration* c, bint editable)
cdef void take_back(Configuration lent, RawConfiguration* c) noexcept
