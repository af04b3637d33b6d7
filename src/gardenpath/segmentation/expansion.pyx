# cython: boundscheck=False, wraparound=False
"""Multi-word tokens: for each token, choose between one word and the rules learnt from the treebank.

The module `expansion_rules` defines the rules.
"""

from libc.stdint cimport int32_t, uint64_t
from libcpp.string cimport string
from libcpp.vector cimport vector

from gardenpath.core.characters cimport NOTHING
from gardenpath.core.hashing cimport join
from gardenpath.perceptron.weights cimport MAX_CLASSES, Weights
from gardenpath.core.draft cimport Draft
from gardenpath.segmentation.decision cimport Features, add, template
from gardenpath.segmentation.passage cimport Character, PassageToken

from gardenpath.core.stored import BadModelError, encoded
from gardenpath.segmentation.expansion_rules import MOST_MIDDLE, is_slice_rule

RULE = "a rule for multi-word tokens"

cdef enum:
    WHOLE = -1
    AFFIX = 5                  # length of the longest prefixes and suffixes


cdef class Expansion:
    """The rules and the features that choose among them.

    A token is considered only if its ending is marked in `endings`, a table indexed by hash.
    """

    def __init__(self, rules, endings):
        if endings.shape != (ENDINGS,) or len(rules) >= MAX_CLASSES:
            raise BadModelError("the table of endings or the number of rules for multi-word tokens is invalid")
        self.rules = rules
        self.endings_array = endings
        self.endings = endings
        for rule in rules:
            self.native.push_back(_slice_rule(rule) if is_slice_rule(rule) else _edge_rule(rule))

    cdef bint may_expand(self, const Character* passage, const PassageToken* token) noexcept nogil:
        """Return whether the token may be a multi-word token."""
        return self.native.size() and self.endings[ending_of(passage, token)]

    cdef void write_keys(
        self, const Character* passage, const vector[PassageToken]& tokens, int at, Features* f
    ) noexcept nogil:
        """Write the features of a token."""
        cdef const PassageToken* token = &tokens[at]
        cdef uint64_t before = tokens[at - 1].lower if at else NOTHING
        cdef uint64_t after = tokens[at + 1].lower if at + 1 < <int>tokens.size() else NOTHING
        cdef uint64_t key
        cdef int i
        f.count = 0
        add(f, template(0))
        add(f, join(template(1), token.lower))
        add(f, join(template(2), token.cased))
        add(f, join(template(3), token.shape))
        add(f, join(join(template(4), token.lower), before))
        add(f, join(join(template(5), token.lower), after))
        add(f, join(join(template(6), token.suffix), before))
        add(f, join(join(template(7), token.suffix), after))
        add(f, join(join(template(8), token.suffix), token.shape))
        add(f, join(join(template(9), token.suffix), min(token.end - token.begin, 8)))
        if at:
            add(f, join(join(template(10), token.lower), tokens[at - 1].suffix))
            add(f, join(join(template(11), token.lower), tokens[at - 1].shape))
        if at + 1 < <int>tokens.size():
            add(f, join(join(template(12), token.lower), tokens[at + 1].suffix))
            add(f, join(join(template(13), token.lower), tokens[at + 1].shape))
        key = template(14)
        for i in range(min(AFFIX, token.end - token.begin)):
            key = join(key, passage[token.end - 1 - i].lower)
            add(f, key)
        key = template(15)
        for i in range(min(AFFIX, token.end - token.begin)):
            key = join(key, passage[token.begin + i].lower)
            add(f, key)

    cdef int expand(
        self, Weights weights, const Character* passage, const vector[PassageToken]& tokens, int at, Form* form,
        Draft draft
    ) except -1 nogil:
        """Add the words of a multi-word token to the draft and return their number; return 0 for any other token.

        `form` is the form of the token.
        """
        cdef Features features
        cdef int32_t scores[MAX_CLASSES + 16]
        cdef int i, best = 0
        self.write_keys(passage, tokens, at, &features)
        weights.score(features.keys, features.count, scores)
        for i in range(1, weights.classes):
            if scores[i] > scores[best] and _is_applicable(self.native[i - 1], form):
                best = i
        return _apply(self.native[best - 1], form, draft) if best else 0


cdef int ending_of(const Character* passage, const PassageToken* token) noexcept nogil:
    """Return the index of a token's ending in the table."""
    cdef uint64_t key = passage[token.end - 1].lower
    return <int>(join(key, passage[token.end - 2].lower if token.end - token.begin > 1 else NOTHING) % ENDINGS)


cdef vector[WordRule] _edge_rule(rule) except *:
    """Return the words of a rule of the first kind; raise `BadModelError` if it is invalid."""
    cdef vector[WordRule] words
    cut, first, middle, last, keeps, part = rule
    if cut < WHOLE or part < 0 or (cut == WHOLE and not first) or not all(middle) or (keeps and not part and not last):
        raise BadModelError(f"the rule {rule} for multi-word tokens is invalid")
    _check_number(len(middle))
    words.push_back(_constant(first) if cut == WHOLE else _slice("", 0, False, cut, first))
    for word in middle:
        words.push_back(_constant(word))
    words.push_back(_slice(last, part, keeps, 0, ""))
    return words


cdef vector[WordRule] _slice_rule(rule) except *:
    """Return the words of a rule of the second kind; raise `BadModelError` if it is invalid."""
    cdef vector[WordRule] words
    before, front, skip, drop, back, after = rule
    constant = [*before, *after]
    if skip < 0 or drop < 0 or not constant or not all(constant):
        raise BadModelError(f"the rule {rule} for multi-word tokens is invalid")
    _check_number(len(constant))
    for word in before:
        words.push_back(_constant(word))
    words.push_back(_slice(front, skip, False, drop, back))
    for word in after:
        words.push_back(_constant(word))
    return words


cdef int _check_number(Py_ssize_t count) except -1:
    if count > MOST_MIDDLE:
        raise BadModelError(f"a rule for multi-word tokens adds {count:,} words, more than {MOST_MIDDLE}")
    return 0


cdef WordRule _constant(str word) except *:
    """Return a word that does not depend on the form: its slice is empty, at the end of the form."""
    return _slice(word, 0, True, 0, "")


cdef WordRule _slice(str front, int begin, bint from_end, int drop, str back) except *:
    cdef WordRule word
    word.front, word.back = encoded(front, RULE), encoded(back, RULE)
    word.begin, word.from_end, word.drop = begin, from_end, drop
    return word


cdef inline int _begin(const WordRule* word, int length) noexcept nogil:
    """Return the first character of the slice in a form of this length."""
    return length - word.begin if word.from_end else word.begin


cdef bint _is_applicable(const vector[WordRule]& words, const Form* form) noexcept nogil:
    """Return whether the words that the rule makes of the form are non-empty and have no space at the cuts."""
    cdef int length = <int>form.starts.size() - 1
    cdef const WordRule* word
    cdef int begin, end
    cdef size_t i
    for i in range(words.size()):
        word = &words[i]
        begin, end = _begin(word, length), length - word.drop
        if begin < 0 or begin > end:
            return False
        if word.front.empty() and (form.utf8[form.starts[begin]] == c" " if begin < end else word.back.empty()):
            return False
        if word.back.empty() and begin < end and form.utf8[form.starts[end - 1]] == c" ":
            return False
    return True


cdef int _apply(const vector[WordRule]& words, const Form* form, Draft draft) except -1 nogil:
    cdef string text
    cdef const WordRule* word
    cdef int length = <int>form.starts.size() - 1
    cdef int begin, end
    cdef size_t i
    for i in range(words.size()):
        word = &words[i]
        begin, end = form.starts[_begin(word, length)], form.starts[length - word.drop]
        text = word.front
        text.append(form.utf8.data() + begin, end - begin)
        text.append(word.back)
        draft.add_word(text.data(), <int>text.size())
    return <int>words.size()


cdef int spell(const char* utf8, const Character* passage, const PassageToken* token, Form* form) except -1 nogil:
    """Write the form of a token, with one space for each run of whitespace inside it."""
    cdef int i
    form.utf8.clear()
    form.starts.clear()
    for i in range(token.begin, token.end):
        if i > token.begin and passage[i].spaced:
            form.starts.push_back(<int>form.utf8.size())
            form.utf8.push_back(c" ")
        form.starts.push_back(<int>form.utf8.size())
        form.utf8.insert(form.utf8.end(), utf8 + passage[i].start, utf8 + passage[i].end)
    form.starts.push_back(<int>form.utf8.size())
    return 0
