"""A table of parts of derivations of Attardi's parser."""

from libcpp.vector cimport vector


# A part of a derivation: with one word on top of the stack it reads some words and ends with h2 and h3 in place of it.
cdef struct DerivationItem:
    int h2
    int h3
    int excess


# What is left of a part of a derivation after an arc between its two words.
cdef struct Survivor:
    int word
    int free           # the least excess if the arc is free
    int any            # the least excess


# The items that begin with the same word on top of the stack, at the same index, and that end at the same index.
cdef struct ItemGroup:
    int end
    size_t first_item
    size_t last_item
    size_t first_survivor
    size_t last_survivor
    int shorter        # the next group that begins in the same way


cdef class DerivationTable:
    cdef vector[int] heads             # by word: its gold head; NONE if that is gone
    cdef int size                      # the number of words
    cdef int stack_size                # the first words are on the stack, the others in the buffer
    cdef bint single_root
    cdef bint is_derivable             # whether the gold tree can be built from the start
    cdef int most                      # the greatest excess that matters
    cdef vector[DerivationItem] items  # group by group, each in the order of h3
    cdef vector[Survivor] survivors
    cdef vector[ItemGroup] groups
    cdef vector[int] starts            # the words that items begin with, index by index
    cdef vector[size_t] rows           # by index: the first of them
    cdef vector[int] longest           # by slot: the longest group that begins so
    cdef vector[int] before            # by slot: the least excess of what comes before
    cdef vector[int] best              # by h3 and h2: the least excess; TOO_MUCH between two groups
    cdef vector[int] touched
    cdef vector[int] below             # by h2: the excess of the item of a block that leaves it; TOO_MUCH otherwise
    cdef vector[int] first_child       # by word: the index of its first gold dependent in `children`
    cdef vector[int] children
    cdef vector[int] right             # by column and word: the number of its gold dependents from the column on
    cdef vector[int] crossing          # by column and word: the sum of these numbers from the word up to the column

    cdef int excess(self, int most) noexcept nogil
    cdef void _prepare(self) noexcept nogil
    cdef void _list_children(self) noexcept nogil
    cdef void _count_dependents(self, int columns) noexcept nogil
    cdef size_t _slot(self, int i, int h1) noexcept nogil
    cdef void _shift(self, int i) noexcept nogil
    cdef void _fill_cell(self, int h1, int i, int j) noexcept nogil
    cdef void _join(self, int i, size_t first, size_t last, const ItemGroup* other) noexcept nogil
    cdef int _cheapest_wrong(self, int i, size_t first, size_t last) noexcept nogil
    cdef void _build_long_arcs(self, int wrong, const ItemGroup* other) noexcept nogil
    cdef void _relax(self, int h2, int h3, int excess) noexcept nogil
    cdef void _close(self, int h1, int i, int j) noexcept nogil
    cdef int _future(self, int h1, int j, int h2, int h3) noexcept nogil
    cdef bint _is_gone(self, int h1, int j, int h2, int h3, int word) noexcept nogil
    cdef void _add_survivors(self, ItemGroup* group) noexcept nogil
    cdef void _survive(self, size_t first, int word, int excess, int price) noexcept nogil
    cdef int _price(self, int head, int dependent) noexcept nogil
