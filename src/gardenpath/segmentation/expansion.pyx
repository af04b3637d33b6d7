# cython: boundscheck=False, wraparound=False
"""Multiword tokens: a choice for each token among being a word and the rules of the treebank.

What a rule is, `expansion_rules` says.
"""

from libc.stdint cimport int32_t, uint64_t
from libcpp.string cimport string
from libcpp.vector cimport vector

from gardenpath.core.hashing cimport join
from gardenpath.perceptron.weights cimport MAX_CLASSES, Weights
from gardenpath.core.characters cimport NOTHING
from gardenpath.segmentation.decision cimport Features, add, template
from gardenpath.core.draft cimport Draft
from gardenpath.segmentation.passage cimport Character, Piece

cdef enum:
    WHOLE = -1
    AFFIX = 5                  # prefixes and suffixes up to so many characters


cdef class Expansion:
    """The rules, and what a choice among them looks at. Only a token with one of the `endings` (a table over hashes) is looked at."""

    def __init__(self, rules, endings):
        if endings.shape != (ENDINGS,) or len(rules) >= MAX_CLASSES:
            raise ValueError("tables for multiword tokens")
        self.rules = rules
        self.endings_array = endings
        self.endings = endings
        for cut, first, middle, last, keeps, part in rules:
            self.native.push_back(_native(cut, first, middle, last, keeps, part))

    cdef bint may_expand(self, const Character* passage, const Piece* piece) noexcept nogil:
        """May the token be more than a word?"""
        return self.native.size() and self.endings[ending_of(passage, piece)]

    cdef void write_keys(self, const Character* passage, const vector[Piece]& pieces, int at, Features* f) noexcept nogil:
        """The features of a token."""
        cdef const Piece* piece = &pieces[at]
        cdef uint64_t before = pieces[at - 1].lower if at else NOTHING
        cdef uint64_t after = pieces[at + 1].lower if at + 1 < <int>pieces.size() else NOTHING
        cdef uint64_t key
        cdef int i
        f.count = 0
        add(f, template(0))
        add(f, join(template(1), piece.lower))
        add(f, join(template(2), piece.cased))
        add(f, join(template(3), piece.shape))
        add(f, join(join(template(4), piece.lower), before))
        add(f, join(join(template(5), piece.lower), after))
        add(f, join(join(template(6), piece.suffix), before))
        add(f, join(join(template(7), piece.suffix), after))
        add(f, join(join(template(8), piece.suffix), piece.shape))
        add(f, join(join(template(9), piece.suffix), min(piece.end - piece.begin, 8)))
        if at:
            add(f, join(join(template(10), piece.lower), pieces[at - 1].suffix))
            add(f, join(join(template(11), piece.lower), pieces[at - 1].shape))
        if at + 1 < <int>pieces.size():
            add(f, join(join(template(12), piece.lower), pieces[at + 1].suffix))
            add(f, join(join(template(13), piece.lower), pieces[at + 1].shape))
        key = template(14)
        for i in range(min(AFFIX, piece.end - piece.begin)):
            key = join(key, passage[piece.end - 1 - i].lower)
            add(f, key)
        key = template(15)
        for i in range(min(AFFIX, piece.end - piece.begin)):
            key = join(key, passage[piece.begin + i].lower)
            add(f, key)

    cdef int expand(self, Weights weights, const Character* passage, const vector[Piece]& pieces, int at, Form* form, Draft draft) except -1 nogil:
        """Add the words of a token, whose form is spelled out, to the draft if it is a multiword token; how many?"""
        cdef Features features
        cdef int32_t scores[MAX_CLASSES + 16]
        cdef int i, best = 0
        self.write_keys(passage, pieces, at, &features)
        weights.score(features.keys, features.count, scores)
        for i in range(1, weights.classes):
            if scores[i] > scores[best] and _is_applicable(&self.native[i - 1], form):
                best = i
        return _apply(&self.native[best - 1], form, draft) if best else 0


cdef int ending_of(const Character* passage, const Piece* piece) noexcept nogil:
    """The place of a token's ending in the table."""
    cdef uint64_t key = passage[piece.end - 1].lower
    return <int>(join(key, passage[piece.end - 2].lower if piece.end - piece.begin > 1 else NOTHING) % ENDINGS)


cdef Rule _native(int cut, str first, middle, str last, bint keeps, int part) except *:
    cdef Rule rule
    if cut < WHOLE or part < 0 or (cut == WHOLE and not first) or not all(middle) or (keeps and not part and not last):
        raise ValueError("a rule for multiword tokens")
    rule.cut, rule.part, rule.keeps = cut, part, keeps
    rule.first, rule.last = first.encode(), last.encode()
    rule.middle = [word.encode() for word in middle]
    return rule


cdef bint _is_applicable(const Rule* rule, const Form* form) noexcept nogil:
    """Does the rule make words of the form that are not empty, and neither end nor begin with a space?"""
    cdef int length = <int>form.starts.size() - 1
    cdef int first = 0 if rule.cut == WHOLE else length - rule.cut
    cdef int last = length - rule.part if rule.keeps else rule.part
    if first < 0 or last < 0 or last > length:
        return False
    if rule.first.empty() and (first == 0 or form.utf8[form.starts[first - 1]] == c" "):
        return False
    return not rule.last.empty() or (last < length and form.utf8[form.starts[last]] != c" ")


cdef int _apply(const Rule* rule, const Form* form, Draft draft) except -1 nogil:
    cdef string word
    cdef size_t i
    cdef int length = <int>form.starts.size() - 1
    cdef int start = form.starts[length - rule.part if rule.keeps else rule.part]
    if rule.cut != WHOLE:
        word.assign(form.utf8.data(), form.starts[length - rule.cut])
    word.append(rule.first)
    draft.add_word(word.data(), <int>word.size())
    for i in range(rule.middle.size()):
        draft.add_word(rule.middle[i].data(), <int>rule.middle[i].size())
    word = rule.last
    word.append(form.utf8.data() + start, form.starts[length] - start)
    draft.add_word(word.data(), <int>word.size())
    return <int>rule.middle.size() + 2


cdef int spell(const char* utf8, const Character* passage, const Piece* piece, Form* form) except -1 nogil:
    """Write the form of a token, with a space where it has whitespace inside."""
    cdef int i
    form.utf8.clear()
    form.starts.clear()
    for i in range(piece.begin, piece.end):
        if i > piece.begin and passage[i].spaced:
            form.starts.push_back(<int>form.utf8.size())
            form.utf8.push_back(c" ")
        form.starts.push_back(<int>form.utf8.size())
        form.utf8.insert(form.utf8.end(), utf8 + passage[i].start, utf8 + passage[i].end)
    form.starts.push_back(<int>form.utf8.size())
    return 0
