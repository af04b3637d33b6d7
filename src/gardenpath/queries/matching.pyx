# cython: boundscheck=False, wraparound=False
"""Find the matches of a pattern in an index: backtracking without Python objects, with the GIL released."""

from array import array

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memchr
from libcpp.vector cimport vector

cdef enum:
    SCAN, HEAD, CHILD, NEXT, PREVIOUS
    EDGE, ADJACENT, BEFORE, DOMINATES, EQUAL, DIFFER, CROSSING, COVERED, DISJOINT, INSIDE, MEMBER
    LENGTH, DELTA
    PACE = 0x3FFF        # candidates between two looks at the clock and at signals

WAYS = {"scan": SCAN, "head": HEAD, "child": CHILD, "next": NEXT, "previous": PREVIOUS}
KINDS = {
    "edge": EDGE, "next": ADJACENT, "before": BEFORE, "dominates": DOMINATES, "equal": EQUAL, "differ": DIFFER,
    "crossing": CROSSING, "covered": COVERED, "disjoint": DISJOINT, "inside": INSIDE, "member": MEMBER,
    "length": LENGTH, "delta": DELTA,
}
# The results of a comparison for numbers that are smaller, equal and larger, as bits.
COMPARISONS = {"<": 1, "<=": 3, "=": 2, ">=": 6, ">": 4}


cdef struct Reading:
    const int32_t* column
    const int32_t* values


cdef struct Check:
    int kind
    int a, b, c, d
    int number
    int comparison
    const uint8_t* mask
    Reading[2] left
    Reading[2] right


cdef struct Step:
    int node
    int way
    int other
    const uint8_t* mask
    int first_check
    int last_check


cdef struct Block:
    int first_step
    int last_step
    int first_check
    int last_check
    bint wanted


cdef class Matcher:
    """A search in one index. It remembers where it is, so that matches can be taken in portions."""

    cdef vector[Step] steps
    cdef vector[Check] checks
    cdef vector[Block] blocks
    cdef vector[int32_t] bound, cursors
    cdef vector[uint8_t] injective
    cdef vector[int32_t] found
    cdef const int32_t[::1] starts, heads, child_starts, children
    cdef const uint8_t[::1] allowed
    cdef list kept
    cdef object watch
    cdef int32_t sentence, begin, end
    cdef int named
    cdef bint fresh
    cdef int64_t work

    def __init__(self, trees, allowed, injective, int named, watch):
        """Prepare a search. `allowed` has 1 for each sentence that is searched, `injective` 1 for each injective node.

        `named` is the number of nodes in a match. `watch` is called from time to time.
        """
        self.starts, self.heads = trees.starts, trees.heads
        self.child_starts, self.children = trees.child_starts, trees.children
        self.allowed = allowed
        self.injective = list(injective)
        self.bound.assign(self.injective.size() + 1, -1)
        self.named, self.watch, self.kept = named, watch, []
        self.sentence, self.fresh, self.work = 0, True, 0

    def add_block(self, steps, checks, bint wanted):
        """Add the plan of a block. The first one is the pattern itself, the others are its filters.

        A step is (node, way, other node, mask, checks); a check is (kind, nodes, number, comparison, mask, readings).
        """
        cdef Block block
        cdef Step step
        block.wanted = wanted
        block.first_check = self.checks.size()
        for check in checks:
            self._add_check(check)
        block.last_check = self.checks.size()
        block.first_step = self.steps.size()
        for node, way, other, mask, own in steps:
            step.node, step.way, step.other = node, WAYS[way], other
            step.mask = self._mask(mask)
            step.first_check = self.checks.size()
            for check in own:
                self._add_check(check)
            step.last_check = self.checks.size()
            self.steps.push_back(step)
        block.last_step = self.steps.size()
        self.blocks.push_back(block)
        self.cursors.assign(self.steps.size() + 1, 0)

    cdef int _add_check(self, tuple given) except -1:
        cdef Check check
        kind, nodes, number, comparison, mask, readings = given
        four = (*nodes, 0, 0, 0)[:4]
        check.kind = KINDS[kind]
        check.a, check.b, check.c, check.d = four
        check.number = number
        check.comparison = COMPARISONS.get(comparison, 0)
        check.mask = NULL
        if mask is not None:
            check.mask = self._mask(mask)
        check.left[0], check.left[1] = self._reading(readings, 0, 0), self._reading(readings, 0, 1)
        check.right[0], check.right[1] = self._reading(readings, 1, 0), self._reading(readings, 1, 1)
        self.checks.push_back(check)
        return 0

    cdef Reading _reading(self, readings, int side, int place) except *:
        """Return one of the columns of a feature with its values; both pointers are NULL if there is no such column."""
        cdef Reading result
        cdef const int32_t[::1] column, values
        result.column = result.values = NULL
        if side < len(readings) and place < len(readings[side]):
            column, values = readings[side][place]
            if column.shape[0] != self.heads.shape[0]:
                raise ValueError("the column and the trees have different lengths")
            self.kept.append((column, values))
            result.column, result.values = &column[0], &values[0]
        return result

    cdef const uint8_t* _mask(self, mask) except NULL:
        cdef const uint8_t[::1] view = mask
        if view.shape[0] != self.heads.shape[0]:
            raise ValueError("the mask and the trees have different lengths")
        self.kept.append(view)
        return &view[0]

    def find(self, Py_ssize_t limit):
        """Return up to `limit` further matches as (sentence, nodes...), in one array; an empty array is the end."""
        cdef Py_ssize_t most = limit * (self.named + 1)
        self.found.clear()
        with nogil:
            self._find(most)
        result = array("i", bytes(4 * self.found.size()))
        cdef int32_t[::1] view
        cdef Py_ssize_t i
        if self.found.size():
            view = result
            for i in range(view.shape[0]):
                view[i] = self.found[i]
        return result

    cdef int _find(self, Py_ssize_t most) except -1 nogil:
        cdef int node
        while self.sentence < self.allowed.shape[0] and <Py_ssize_t>self.found.size() < most:
            if self.fresh:
                self.begin, self.end = self.starts[self.sentence], self.starts[self.sentence + 1]
            if (self.fresh and not self.allowed[self.sentence]) or not self._advance(self.blocks[0], self.fresh):
                self.sentence += 1
                self.fresh = True
                continue
            self.fresh = False
            if self._passes():
                self.found.push_back(self.sentence)
                for node in range(self.named):
                    self.found.push_back(self.bound[node] - self.begin)
        return 0

    cdef int _passes(self) except -1 nogil:
        """Return whether the match passes all filters."""
        cdef size_t i
        cdef int step, found
        for i in range(1, self.blocks.size()):
            found = self._advance(self.blocks[i], True)
            for step in range(self.blocks[i].first_step, self.blocks[i].last_step):
                self.bound[self.steps[step].node] = -1
            if found != self.blocks[i].wanted:
                return False
        return True

    cdef int _advance(self, const Block& block, bint fresh) except -1 nogil:
        """Bind the nodes of a block in the next possible way; return whether there is one."""
        cdef int depth = block.first_step, last = block.last_step - 1
        cdef int32_t candidate
        if fresh:
            if not self._hold(block.first_check, block.last_check):
                return False
            if last < depth:
                return True
            self._begin(depth)
        else:
            depth = last
        while depth >= block.first_step:
            candidate = self._candidate(depth)
            if candidate < 0:
                self.bound[self.steps[depth].node] = -1
                depth -= 1
                continue
            self.work += 1
            if self.work & PACE == 0:
                self._look()
            if not self.steps[depth].mask[candidate] or not self._is_free(self.steps[depth].node, candidate):
                continue
            self.bound[self.steps[depth].node] = candidate
            if not self._hold(self.steps[depth].first_check, self.steps[depth].last_check):
                continue
            if depth == last:
                return True
            depth += 1
            self._begin(depth)
        return False

    cdef int _look(self) except -1 with gil:
        """Handle signals, such as an interrupt from the keyboard, and call the watch."""
        PyErr_CheckSignals()
        if self.watch is not None:
            self.watch()
        return 0

    cdef void _begin(self, int depth) noexcept nogil:
        """Set the cursor of a step to its first candidate."""
        cdef int32_t other = self.bound[self.steps[depth].other] if self.steps[depth].other >= 0 else 0
        cdef int way = self.steps[depth].way
        if way == SCAN:
            self.cursors[depth] = self.begin
        elif way == HEAD:
            self.cursors[depth] = self.heads[other]
        elif way == CHILD:
            self.cursors[depth] = self.child_starts[other]
        elif way == NEXT:
            self.cursors[depth] = other + 1 if other + 1 < self.end else -1
        else:
            self.cursors[depth] = other - 1 if other > self.begin else -1

    cdef int32_t _candidate(self, int depth) noexcept nogil:
        """Return the next candidate of a step, or -1."""
        cdef int32_t cursor = self.cursors[depth]
        cdef const uint8_t* mask = self.steps[depth].mask
        cdef const void* place
        if self.steps[depth].way == SCAN:
            if cursor >= self.end:
                return -1
            place = memchr(mask + cursor, 1, self.end - cursor)
            if place == NULL:
                self.cursors[depth] = self.end
                return -1
            cursor = <int32_t>(<const uint8_t*>place - mask)
            self.cursors[depth] = cursor + 1
            return cursor
        if self.steps[depth].way == CHILD:
            if cursor >= self.child_starts[self.bound[self.steps[depth].other] + 1]:
                return -1
            self.cursors[depth] = cursor + 1
            return self.children[cursor]
        self.cursors[depth] = -1
        return cursor

    cdef bint _is_free(self, int node, int32_t candidate) noexcept nogil:
        """Return whether no other node is bound to the candidate, unless one of the two nodes is not injective."""
        cdef size_t other
        if not self.injective[node]:
            return True
        for other in range(self.injective.size()):
            if self.bound[other] == candidate and <int>other != node and self.injective[other]:
                return False
        return True

    cdef bint _hold(self, int first, int last) noexcept nogil:
        cdef int i
        for i in range(first, last):
            if not self._holds(&self.checks[i]):
                return False
        return True

    cdef bint _holds(self, const Check* check) noexcept nogil:
        cdef int32_t a = self.bound[check.a], b = self.bound[check.b], left, right
        if check.kind == EDGE:
            return self.heads[b] == a
        if check.kind == MEMBER:
            return check.mask[a]
        if check.kind == ADJACENT:
            return a + 1 == b
        if check.kind == BEFORE:
            return a < b
        if check.kind == DOMINATES:
            return self._dominates(a, b)
        if check.kind == EQUAL or check.kind == DIFFER:
            left, right = _value(check.left, a), _value(check.right, b)
            return left and right and (left == right) == (check.kind == EQUAL)
        if check.kind == LENGTH:
            return _compare(b - a if b > a else a - b, check.number) & check.comparison
        if check.kind == DELTA:
            return _compare(b - a, check.number) & check.comparison
        if check.kind == INSIDE:
            left, right = self.bound[check.b], self.bound[check.c]
            return min(left, right) < a < max(left, right)
        return _related(check.kind, a, b, self.bound[check.c], self.bound[check.d])

    cdef bint _dominates(self, int32_t above, int32_t node) noexcept nogil:
        """Return whether a path of one or more edges leads from `above` to a node."""
        cdef int32_t _step
        for _step in range(self.end - self.begin):
            node = self.heads[node]
            if node == above:
                return True
            if node < 0:
                return False
        return False


cdef inline int32_t _value(const Reading* readings, int32_t node) noexcept nogil:
    """Return the number of the value of a feature, or 0 if it is undefined."""
    cdef int32_t value = readings[0].values[readings[0].column[node]]
    if not value and readings[1].column != NULL:
        value = readings[1].values[readings[1].column[node]]
    return value


cdef inline int _compare(int32_t number, int32_t other) noexcept nogil:
    return 1 if number < other else 2 if number == other else 4


cdef bint _related(int kind, int32_t a, int32_t b, int32_t c, int32_t d) noexcept nogil:
    """Return whether the edges between a and b and between c and d cross, are disjoint, or the first is covered."""
    cdef int32_t left = min(a, b), right = max(a, b), other_left = min(c, d), other_right = max(c, d)
    if kind == CROSSING:
        return left < other_left < right < other_right or other_left < left < other_right < right
    if kind == DISJOINT:
        return right <= other_left or other_right <= left
    return other_left <= left and right <= other_right and (left != other_left or right != other_right)
