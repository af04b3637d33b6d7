# cython: boundscheck=False, wraparound=False
"""Elementary cycles by Johnson's algorithm (SIAM Journal on Computing 1975).

Every cycle contains a wrong arc, since gold arcs have no cycles. So the search starts at wrong arcs only.
"""

from gardenpath.core.configuration cimport NONE

cdef enum:
    MOST_CYCLES = 50       # the search ends after this number of counted cycles, as there can be exponentially many,
    MOST_MET = 10_000      # or after this number of cycles, counted or not


cdef class CycleCounter:
    """Counts the cycles of present arcs and gold arcs that can still be built. Not thread-safe: it has scratch space.

    Arcs are followed upwards, from a word to its heads. An edge has the number EDGES * word + BUILT or WANTED.
    """

    cdef int prepare(self, int n) except -1 nogil:
        """Make room for n words."""
        self.n = n
        if <int>self.blocked.size() <= n:
            self.heads.resize(EDGES * (n + 1))
            self.is_gold.resize(EDGES * (n + 1))
            self.next_waiting.resize(EDGES * (n + 1))
            self.waits.resize(EDGES * (n + 1))
            self.blocked.resize(n + 1)
            self.waiting.resize(n + 1)
            self.reached.resize(n + 1)
            self.path.reserve(n + 1)
        return 0

    cdef void set_edges(self, int word, int built, int wanted, bint is_gold) noexcept nogil:
        """Set the present head of a word, whether it is gold, and the gold head it can still get; NONE for no head."""
        self.heads[EDGES * word + BUILT] = built
        self.heads[EDGES * word + WANTED] = wanted
        self.is_gold[EDGES * word + BUILT] = is_gold
        self.is_gold[EDGES * word + WANTED] = True

    cdef int total(self, int counted) noexcept nogil:
        """Return the number of cycles, up to a limit."""
        cdef int word
        self.counted = counted
        self.count = self.met = 0
        for word in range(1, self.n + 1):
            self.reached[word] = NONE
        for word in range(1, self.n + 1):
            if self.heads[EDGES * word + BUILT] == NONE or self.is_gold[EDGES * word + BUILT]:
                continue
            self.start = word
            self._search(word, BUILT, BUILT)
            # All cycles through this wrong arc are counted. It is removed, so that none of them is found again.
            self.heads[EDGES * word + BUILT] = NONE
        return self.count

    cdef bint _is_blocked(self, int word) noexcept nogil:
        """Return whether a word is blocked. The first call for a word in a round resets it."""
        if self.reached[word] != self.start:
            self.reached[word] = self.start
            self.blocked[word] = False
            self.waiting[word] = NONE
            self.waits[EDGES * word + BUILT] = self.waits[EDGES * word + WANTED] = False
        return self.blocked[word]

    cdef bint _search(self, int word, int first, int last) noexcept nogil:
        """Extend the path over the edges from a word, and return whether one of them leads back to the start."""
        cdef int edge, head
        cdef bint found = False
        self._is_blocked(word)
        self.blocked[word] = True
        for edge in range(EDGES * word + first, EDGES * word + last + 1):
            head = self.heads[edge]
            if head == NONE or self.count >= MOST_CYCLES or self.met >= MOST_MET:
                continue
            self.path.push_back(edge)
            if head == self.start:
                self.met += 1
                self.count += self.counted == ALL_CYCLES or self._is_problematic()
                found = True
            elif not self._is_blocked(head) and self._search(head, BUILT, WANTED):
                found = True
            self.path.pop_back()
        if found:
            self._unblock(word)
            return True
        for edge in range(EDGES * word + first, EDGES * word + last + 1):
            head = self.heads[edge]
            if head != NONE and not self.waits[edge]:
                self.waits[edge] = True
                self.next_waiting[edge] = self.waiting[head]
                self.waiting[head] = edge
        return False

    cdef void _unblock(self, int word) noexcept nogil:
        cdef int edge = self.waiting[word]
        self.blocked[word] = False
        self.waiting[word] = NONE
        while edge != NONE:
            self.waits[edge] = False
            if self.blocked[edge // EDGES]:
                self._unblock(edge // EDGES)
            edge = self.next_waiting[edge]

    cdef bint _is_problematic(self) noexcept nogil:
        """Return whether building the last arc of the cycle removes a gold arc: the one into the head of the last arc.

        The last arc to be built is the wanted one with the rightmost right end and then the leftmost left end.
        """
        cdef int i, edge, low, high, last = 0, left = 0, right = NONE, size = <int>self.path.size()
        for i in range(size):
            edge = self.path[i]
            if edge % EDGES != WANTED:
                continue
            low = min(edge // EDGES, self.heads[edge])
            high = max(edge // EDGES, self.heads[edge])
            if high > right or (high == right and low < left):
                last, left, right = i, low, high
        return self.is_gold[self.path[last + 1 if last + 1 < size else 0]]
