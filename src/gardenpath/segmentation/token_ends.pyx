# cython: boundscheck=False, wraparound=False
"""Tokenization: a decision at each gap between two characters, from left to right.

Most gaps need no decision. Between two kinds of characters the decision is nearly always the same: between two
lower-case letters, for example, a token continues. Whitespace always ends a token unless tokens of the treebank contain
whitespace. Rules cover these cases. Chunks that break a rule in the treebank are exceptions: in them, every gap is
decided by the weights. A web or e-mail address is one token, unless the treebank divides most of them.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libcpp.vector cimport vector

from gardenpath.core.characters cimport KINDS, NOTHING, SPACE
from gardenpath.core.hashing cimport join
from gardenpath.segmentation.addresses cimport find_address
from gardenpath.segmentation.decision cimport Decision, Features, add, template
from gardenpath.segmentation.passage cimport Character, chunk_end

from gardenpath.core.stored import BadModelError

cdef enum:
    WINDOW = 5                 # number of characters on each side
    LONGEST = 12               # greater lengths count as this one


cdef class TokenEnds:
    """The rules and the features for token ends.

    `rules[spaced, left, right]` is ASK, GOES_ON or ENDS for two kinds of characters. `exceptions` is an open-addressing
    table of hashes of chunks, indexed by their low bits.
    """

    def __init__(self, rules, exceptions, bint spaces_inside, bint whole_addresses):
        if rules.shape != (2, KINDS, KINDS) or len(exceptions) & (len(exceptions) - 1) or 0 not in exceptions:
            raise BadModelError("the table of rules or of exceptions for token ends is invalid")
        self.rules_array, self.exceptions_array = rules, exceptions
        self.rules, self.exceptions = rules, exceptions
        self.spaces_inside, self.whole_addresses = spaces_inside, whole_addresses

    cdef int mark(
        self, Decision decision, const vector[Character]& passage, int begin, int end, vector[uint8_t]& ends
    ) except -1 nogil:
        """Mark the last characters of tokens among the characters from `begin` to `end`. A token begins at `begin`."""
        cdef const Character* c = passage.data()
        cdef int size = <int>passage.size()
        cdef Features features
        cdef Gap gap
        cdef int answer, fixed
        _begin(c, size, begin, &gap)
        gap.exceptional = self._is_exception(c[gap.chunks[1]].rest)
        self._find_address(c, gap.chunks[1], &gap)
        _begin_token(&c[begin], begin, &gap)
        for gap.at in range(begin + 1, min(end + 1, size)):
            answer, fixed = self._answer(c, &gap), _answer_of_address(&gap)
            if answer == ASK and (fixed == ASK or decision.learns):
                _write_keys(c, size, &gap, &features)
                answer = ENDS if decision.decide(&features, gap.at - 1) else GOES_ON
            answer = answer if fixed == ASK else fixed
            ends[gap.at - 1] = answer == ENDS
            if c[gap.at].spaced:
                _next_chunk(c, size, &gap)
                gap.exceptional = self._is_exception(c[gap.at].rest)
                self._find_address(c, gap.at, &gap)
            elif gap.at == gap.address.end:
                self._find_address(c, gap.at, &gap)
            if answer == ENDS:
                _begin_token(&c[gap.at], gap.at, &gap)
            else:
                _extend_token(&c[gap.at], &gap)
        if end >= size:
            ends[size - 1] = True
        return 0

    cdef int _answer(self, const Character* c, const Gap* gap) noexcept nogil:
        """Return what the rules say about a gap."""
        if c[gap.at].spaced and not self.spaces_inside:
            return ENDS
        return ASK if gap.exceptional else self._rule(&c[gap.at - 1], &c[gap.at])

    cdef void _find_address(self, const Character* c, int begin, Gap* gap) noexcept nogil:
        """Find the first address of the current chunk that begins at `begin` or later."""
        if self.whole_addresses:
            gap.address = find_address(c, begin, gap.chunks[2])
        else:
            gap.address.begin = gap.address.end = gap.chunks[2]

    cdef int _rule(self, const Character* left, const Character* right) noexcept nogil:
        return self.rules[right.spaced, left.kind, right.kind] if left.kind < KINDS and right.kind < KINDS else ASK

    cdef bint _is_exception(self, uint64_t chunk) noexcept nogil:
        cdef uint64_t mask = self.exceptions.shape[0] - 1
        cdef uint64_t place = chunk & mask
        while self.exceptions[place] and self.exceptions[place] != chunk:
            place = (place + 1) & mask
        return self.exceptions[place] != 0


cdef inline int _answer_of_address(const Gap* gap) noexcept nogil:
    """Return what follows from the next address in the chunk.

    In training, the weights learn from addresses nevertheless, because file names and the like are similar.
    """
    if gap.at < gap.address.begin or gap.at > gap.address.end or gap.address.begin == gap.address.end:
        return ASK
    return GOES_ON if gap.address.begin < gap.at < gap.address.end else ENDS


cdef void _begin(const Character* c, int size, int at, Gap* gap) noexcept nogil:
    """Find the chunks around a character."""
    gap.chunks[1] = at
    while not c[gap.chunks[1]].spaced:
        gap.chunks[1] -= 1
    gap.chunks[0] = gap.chunks[1] - 1
    while gap.chunks[0] > 0 and not c[gap.chunks[0]].spaced:
        gap.chunks[0] -= 1
    gap.chunks[2] = chunk_end(c, size, at)
    gap.chunks[3] = chunk_end(c, size, gap.chunks[2])


cdef void _next_chunk(const Character* c, int size, Gap* gap) noexcept nogil:
    gap.chunks[0], gap.chunks[1], gap.chunks[2] = gap.chunks[1], gap.chunks[2], gap.chunks[3]
    gap.chunks[3] = chunk_end(c, size, gap.chunks[3])


cdef inline void _begin_token(const Character* character, int at, Gap* gap) noexcept nogil:
    gap.token = at
    gap.so_far = gap.shape = 1
    gap.kinds = 0
    gap.last = NOTHING
    _take(character, gap)


cdef inline void _extend_token(const Character* character, Gap* gap) noexcept nogil:
    if character.spaced:
        gap.so_far = join(gap.so_far, SPACE)
        gap.shape = join(gap.shape, SPACE)
        gap.last = SPACE
    _take(character, gap)


cdef inline void _take(const Character* character, Gap* gap) noexcept nogil:
    gap.so_far = join(gap.so_far, character.lower)
    if character.kind != gap.last:
        gap.last = character.kind
        gap.shape = join(gap.shape, character.kind)
        gap.kinds |= <uint64_t>1 << (character.kind & 63)


cdef struct CharacterContext:  # the characters on one side of a gap, the nearest first; SPACE stands for whitespace
    uint32_t lower[WINDOW]
    uint32_t kind[WINDOW]


cdef void _look_left(const Character* c, int at, CharacterContext* context) noexcept nogil:
    cdef int i = 0
    at -= 1
    while i < WINDOW:
        context.lower[i] = c[at].lower if at >= 0 else NOTHING
        context.kind[i] = c[at].kind if at >= 0 else NOTHING
        i += 1
        if at >= 0 and c[at].spaced and i < WINDOW:
            context.lower[i] = context.kind[i] = SPACE
            i += 1
        at -= 1


cdef void _look_right(const Character* c, int size, int at, CharacterContext* context) noexcept nogil:
    cdef int i = 0
    cdef bint inside = False
    while i < WINDOW:
        if inside and at < size and c[at].spaced:
            context.lower[i] = context.kind[i] = SPACE
            inside = False
            i += 1
            continue
        context.lower[i] = c[at].lower if at < size else NOTHING
        context.kind[i] = c[at].kind if at < size else NOTHING
        inside = True
        i += 1
        at += 1


cdef void _write_keys(const Character* c, int size, const Gap* gap, Features* f) noexcept nogil:
    """Write the features of a gap."""
    cdef CharacterContext left, right
    cdef int base = 64 if c[gap.at].spaced else 0
    f.count = 0
    _look_left(c, gap.at, &left)
    _look_right(c, size, gap.at, &right)
    _write_characters(&left, &right, c[gap.at - 1].point, c[gap.at].point, base, f)
    _write_kinds(&left, &right, base + 10, f)
    _write_token(c, gap, &left, &right, base + 20, f)
    if base:
        _write_chunks(c, size, gap, base + 40, f)
    else:
        _write_neighbours(c, size, gap, &left, &right, base + 40, f)


cdef void _write_characters(
    const CharacterContext* left, const CharacterContext* right, uint32_t last, uint32_t next, int base, Features* f
) noexcept nogil:
    """Write features of the characters to the left, to the right, and on both sides."""
    cdef const uint32_t* before = &left.lower[0]
    cdef const uint32_t* after = &right.lower[0]
    cdef uint64_t key = template(base)
    cdef int i
    add(f, join(template(base + 1), last))
    add(f, join(template(base + 2), next))
    add(f, join(join(template(base + 3), last), next))
    for i in range(4):
        key = join(key, before[i])
        add(f, key)
    key = template(base + 4)
    for i in range(4):
        key = join(key, after[i])
        add(f, key)
    key = join(join(template(base + 5), before[0]), after[0])
    add(f, key)
    add(f, join(key, after[1]))
    add(f, join(join(key, after[1]), after[2]))
    key = join(join(key, NOTHING), before[1])
    add(f, key)
    add(f, join(key, after[1]))
    add(f, join(join(key, after[1]), after[2]))
    key = join(key, before[2])
    add(f, join(key, NOTHING))
    add(f, join(join(key, after[1]), after[2]))


cdef void _write_kinds(
    const CharacterContext* left, const CharacterContext* right, int base, Features* f
) noexcept nogil:
    """Write features of the kinds of the surrounding characters."""
    cdef const uint32_t* before = &left.kind[0]
    cdef const uint32_t* after = &right.kind[0]
    cdef uint64_t key = template(base)
    cdef int i
    for i in range(4):
        key = join(join(key, before[i]), after[i])
        add(f, key)
    key = template(base + 1)
    for i in range(WINDOW):
        key = join(key, after[i])
    add(f, join(key, before[0]))
    key = template(base + 2)
    for i in range(WINDOW):
        key = join(key, before[i])
    add(f, join(key, after[0]))


cdef void _write_token(
    const Character* c, const Gap* gap, const CharacterContext* left, const CharacterContext* right, int base,
    Features* f
) noexcept nogil:
    """Write features of the token up to here and of the rest of the chunk."""
    cdef const Character* after = &c[gap.at]
    cdef uint64_t kinds = join(left.kind[0], right.kind[0])
    cdef int length = min(gap.at - gap.token, LONGEST)
    add(f, join(template(base), gap.so_far))
    add(f, join(join(template(base + 1), gap.so_far), right.lower[0]))
    add(f, join(template(base + 2), after.rest))
    add(f, join(join(template(base + 3), after.rest), left.lower[0]))
    add(f, join(join(template(base + 4), gap.so_far), after.rest))
    add(f, join(join(template(base + 5), gap.shape), after.shape))
    add(f, join(join(template(base + 6), gap.shape), right.lower[0]))
    add(f, join(join(template(base + 7), after.shape), left.lower[0]))
    add(f, join(join(join(template(base + 8), gap.kinds), after.kinds), kinds))
    add(f, join(join(template(base + 9), after.kinds), join(left.lower[0], right.lower[0])))
    add(f, join(join(template(base + 10), gap.kinds), join(left.lower[0], right.lower[0])))
    add(f, join(join(template(base + 11), length), kinds))
    add(f, join(join(template(base + 12), gap.so_far), after.shape))
    add(f, join(join(template(base + 13), after.rest), gap.shape))


cdef void _write_neighbours(
    const Character* c, int size, const Gap* gap, const CharacterContext* left, const CharacterContext* right, int base,
    Features* f
) noexcept nogil:
    """Write features of a gap inside a chunk: the whole chunk and its neighbours."""
    cdef uint64_t before = c[gap.chunks[0]].rest if gap.chunks[0] >= 0 else NOTHING
    cdef uint64_t after = c[gap.chunks[2]].rest if gap.chunks[2] < size else NOTHING
    cdef uint32_t kind = c[gap.chunks[2]].kind if gap.chunks[2] < size else NOTHING
    cdef uint64_t across = join(left.lower[0], right.lower[0])
    cdef uint64_t rest = min(gap.chunks[2] - gap.at, LONGEST)
    add(f, join(join(template(base), c[gap.chunks[1]].rest), gap.at - gap.chunks[1]))
    add(f, join(join(template(base + 1), before), across))
    add(f, join(join(template(base + 2), after), across))
    add(f, join(join(join(template(base + 3), kind), across), rest))
    add(f, join(join(template(base + 4), kind), gap.so_far))
    add(f, join(join(template(base + 5), rest), join(left.kind[0], right.kind[0])))
    add(f, join(join(join(template(base + 6), kind), gap.shape), rest))


cdef void _write_chunks(const Character* c, int size, const Gap* gap, int base, Features* f) noexcept nogil:
    """Write features of a gap between two chunks: the surrounding chunks."""
    cdef uint64_t words[4]
    cdef uint64_t kinds[4]
    cdef int i, at
    for i in range(4):
        at = gap.chunks[i]
        words[i] = c[at].rest if 0 <= at < size else NOTHING
        kinds[i] = c[at].shape if 0 <= at < size else NOTHING
    add(f, join(template(base), words[1]))
    add(f, join(template(base + 1), words[2]))
    add(f, join(join(template(base + 2), words[1]), words[2]))
    add(f, join(join(template(base + 3), words[0]), words[1]))
    add(f, join(join(template(base + 4), words[2]), words[3]))
    add(f, join(join(join(template(base + 5), words[0]), words[1]), words[2]))
    add(f, join(join(join(template(base + 6), words[1]), words[2]), words[3]))
    add(f, join(join(template(base + 7), gap.so_far), words[2]))
    add(f, join(join(template(base + 8), words[1]), kinds[2]))
    add(f, join(join(template(base + 9), kinds[1]), words[2]))
    add(f, join(join(template(base + 10), kinds[1]), kinds[2]))
    add(f, join(join(join(template(base + 11), kinds[0]), kinds[1]), kinds[2]))
    add(f, join(join(join(template(base + 12), kinds[1]), kinds[2]), kinds[3]))
    add(f, join(join(template(base + 13), words[0]), words[2]))
    add(f, join(join(template(base + 14), words[1]), words[3]))
