# cython: boundscheck=False, wraparound=False
"""Sentence splitting: a decision after each token, from left to right.

No decision is made between two tokens whose kinds hardly ever occur at a sentence boundary, such as a comma and a
lower-case letter.
"""

from libc.stdint cimport uint8_t, uint64_t
from libcpp.vector cimport vector

from gardenpath.core.characters cimport KINDS, NOTHING
from gardenpath.core.hashing cimport join
from gardenpath.segmentation.decision cimport Decision, Features, add, template
from gardenpath.segmentation.passage cimport PassageToken, is_stop

from gardenpath.core.stored import BadModelError

cdef enum:                     # the tokens around a gap, from left to right
    THIRD_LAST
    SECOND_LAST
    LAST
    NEXT
    SECOND_NEXT
    THIRD_NEXT
    AROUND


cdef class SentenceEnds:
    """The rules and the features for sentence ends.

    `rules[spaced, last, first]` is 0 if a decision is needed between the two kinds of characters, and 1 if no sentence
    ends there.
    """

    def __init__(self, rules):
        if rules.shape != (2, KINDS, KINDS):
            raise BadModelError("the table of rules for sentence ends has the wrong shape")
        self.rules_array = rules
        self.rules = rules

    cdef int mark(
        self, Decision decision, const vector[PassageToken]& tokens, int begin, int end, vector[uint8_t]& ends
    ) except -1 nogil:
        """Mark the last tokens of sentences among the tokens from `begin` to `end`."""
        cdef int i, size = <int>tokens.size()
        cdef const PassageToken* p = tokens.data()
        cdef Features features
        cdef PartialSentence sentence
        sentence.before = p[begin - 1].last if begin else NOTHING
        sentence.begin, sentence.quotes, sentence.brackets = begin, 0, 0
        for i in range(begin, min(end, size - 1)):
            _take(&sentence, &p[i])
            ends[i] = False
            if self._is_open(&p[i], &p[i + 1]):
                _write_keys(p, size, i, &sentence, &features)
                ends[i] = decision.decide(&features, i)
            if ends[i]:
                sentence.before = p[i].last
                sentence.begin, sentence.quotes, sentence.brackets = i + 1, 0, 0
        if end >= size:
            ends[size - 1] = True
        return 0

    cdef bint _is_open(self, const PassageToken* last, const PassageToken* following) noexcept nogil:
        if last.last >= KINDS or following.first >= KINDS:
            return True
        return not self.rules[following.spaced, last.last, following.first]


cdef inline void _take(PartialSentence* sentence, const PassageToken* token) noexcept nogil:
    if token.first == c'"':
        sentence.quotes += 1
    elif token.first == c"(" or token.first == c"[":
        sentence.brackets += 1
    elif token.first == c")" or token.first == c"]":
        sentence.brackets -= 1


cdef struct View:              # the values of the tokens around a gap
    uint64_t lower[AROUND]
    uint64_t shape[AROUND]


cdef void _look(const PassageToken* p, int size, int at, View* view) noexcept nogil:
    cdef int i, k
    for k in range(AROUND):
        i = at - LAST + k
        view.lower[k] = p[i].lower if 0 <= i < size else NOTHING
        view.shape[k] = join(p[i].shape, min(p[i].end - p[i].begin, 4)) if 0 <= i < size else NOTHING


cdef void _write_keys(
    const PassageToken* p, int size, int at, const PartialSentence* sentence, Features* f
) noexcept nogil:
    """Write the features of the gap after a token."""
    cdef View view
    f.count = 0
    _look(p, size, at, &view)
    _write_forms(&p[at], &p[at + 1], &view, f)
    _write_shapes(&p[at], &p[at + 1], &view, f)
    _write_sentence(p, size, at, sentence, &view, f)


cdef void _write_forms(
    const PassageToken* last, const PassageToken* following, const View* view, Features* f
) noexcept nogil:
    cdef const uint64_t* w = &view.lower[0]
    cdef const uint64_t* s = &view.shape[0]
    add(f, join(template(0), w[LAST]))
    add(f, join(join(template(1), w[LAST]), following.spaced))
    add(f, join(template(2), following.cased))
    add(f, join(template(3), w[NEXT]))
    add(f, join(join(template(4), w[LAST]), following.cased))
    add(f, join(join(template(5), w[SECOND_LAST]), w[LAST]))
    add(f, join(join(template(6), w[NEXT]), w[SECOND_NEXT]))
    add(f, join(join(join(template(7), w[SECOND_LAST]), w[LAST]), w[NEXT]))
    add(f, join(join(join(template(8), w[LAST]), w[NEXT]), w[SECOND_NEXT]))
    add(f, join(join(template(9), w[LAST]), s[NEXT]))
    add(f, join(join(template(10), s[LAST]), w[NEXT]))
    add(f, join(join(join(template(11), w[LAST]), s[NEXT]), s[SECOND_NEXT]))
    add(f, join(join(join(template(12), w[SECOND_LAST]), w[LAST]), s[NEXT]))
    add(f, join(join(join(template(13), s[LAST]), following.cased), s[SECOND_NEXT]))
    add(f, join(join(template(14), last.cased), s[NEXT]))
    add(f, join(template(15), w[SECOND_LAST]))
    add(f, join(template(16), w[SECOND_NEXT]))
    add(f, join(join(template(17), last.suffix), s[NEXT]))
    add(f, join(join(template(18), following.suffix), s[NEXT]))
    add(f, join(join(join(template(19), s[SECOND_LAST]), w[LAST]), following.cased))
    add(f, join(join(template(20), last.suffix), following.suffix))
    add(f, join(join(template(21), last.suffix), w[NEXT]))
    add(f, join(join(template(22), w[LAST]), following.suffix))
    add(f, join(template(23), w[THIRD_LAST]))
    add(f, join(template(24), w[THIRD_NEXT]))


cdef void _write_shapes(
    const PassageToken* last, const PassageToken* following, const View* view, Features* f
) noexcept nogil:
    cdef const uint64_t* s = &view.shape[0]
    cdef uint64_t key = join(join(join(template(30), s[LAST]), s[NEXT]), following.spaced)
    add(f, key)
    add(f, join(join(key, s[SECOND_LAST]), 1))
    add(f, join(join(key, s[SECOND_NEXT]), 2))
    key = join(join(key, s[SECOND_LAST]), s[SECOND_NEXT])
    add(f, key)
    add(f, join(join(key, s[THIRD_LAST]), 3))
    add(f, join(join(key, s[THIRD_NEXT]), 4))
    add(f, join(join(join(template(31), last.last), following.first), following.spaced))
    add(f, join(join(template(32), s[SECOND_LAST]), s[LAST]))
    add(f, join(join(template(33), s[NEXT]), s[SECOND_NEXT]))
    add(f, join(join(join(template(34), s[NEXT]), s[SECOND_NEXT]), s[THIRD_NEXT]))
    add(f, join(join(join(template(35), s[THIRD_LAST]), s[SECOND_LAST]), s[LAST]))


cdef void _write_sentence(
    const PassageToken* p, int size, int at, const PartialSentence* sentence, const View* view, Features* f
) noexcept nogil:
    """Write features of the sentence up to here and of the distance to the next possible end."""
    cdef uint64_t length = _bin(at + 1 - sentence.begin)
    cdef uint64_t rest = _bin(size - at - 1)
    cdef uint64_t ahead = _bin(p[at + 1].ahead)
    cdef uint64_t stop = is_stop(p[at].last)
    cdef uint64_t open_marks = (sentence.quotes & 1) * 2 + (sentence.brackets > 0)
    cdef uint64_t shapes = join(view.shape[LAST], view.shape[NEXT])
    cdef const PassageToken* first = &p[sentence.begin]
    add(f, join(join(template(40), length), stop))
    add(f, join(join(template(41), length), shapes))
    add(f, join(join(template(42), length), view.lower[LAST]))
    add(f, join(join(template(43), length), view.shape[NEXT]))
    add(f, join(join(template(44), rest), shapes))
    add(f, join(join(join(template(45), rest), length), stop))
    add(f, join(join(join(template(46), open_marks), p[at].last), p[at + 1].first))
    add(f, join(join(template(47), open_marks), shapes))
    add(f, join(join(join(template(48), first.shape), shapes), 0))
    add(f, join(join(template(49), first.lower), view.lower[LAST]))
    add(f, join(join(join(template(50), ahead), length), shapes))
    add(f, join(join(template(51), ahead), shapes))
    add(f, join(join(template(52), sentence.before), shapes))
    add(f, join(join(template(54), length), view.lower[NEXT]))
    add(f, join(join(join(template(53), sentence.before), p[at].last), p[at + 1].first))


cdef inline int _bin(int number) noexcept nogil:
    """Put a number into a bin. Bins are wider for larger numbers."""
    if number < 6:
        return number
    if number < 16:
        return 6 if number < 8 else 7 if number < 11 else 8
    return 9 if number < 24 else 10 if number < 40 else 11
