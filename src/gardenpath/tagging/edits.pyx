"""Edit rules, learnt from pairs of form and lemma (after Chrupała, PhD thesis, 2008, with prefixes and case).

A rule changes the case of the form, and replaces characters at its front and at its back. If form and lemma have too
little in common, the rule contains the whole lemma. Case is mapped character by character, so the form keeps its
length.
"""

from libc.stdint cimport uint32_t
from libcpp.vector cimport vector

from gardenpath.core.characters cimport decode, lower_case

from gardenpath.core.stored import LONGEST_ADDED, BadModelError, encoded

cdef extern from "Python.h":
    uint32_t to_uppercase "Py_UNICODE_TOUPPER"(uint32_t point) noexcept nogil

IDENTITY = (AS_IS, 0, "", 0, "")


cdef class Edits:
    """Rules by number.

    A rule is a tuple (case, number of characters to remove at the front, string to add there, number of characters to
    remove at the back, string to add there).
    """

    def __init__(self, rules):
        cdef Edit edit
        self.rules = [tuple(rule) for rule in rules]
        added = bytearray()
        for case, cut_front, front, cut_back, back in self.rules:
            cuts_are_valid = 0 <= cut_front < 1 << 30 and 0 <= cut_back < 1 << 30
            if not 0 <= case < CASES or not cuts_are_valid or (case == REPLACED and not front):
                raise BadModelError(f"the edit rule {[case, cut_front, front, cut_back, back]} is invalid")
            front, back = (encoded(part, "an edit rule") for part in (front, back))
            edit.case, edit.cut_front, edit.cut_back = case, cut_front, cut_back
            edit.front = <int>len(added)
            edit.back = edit.front + <int>len(front)
            edit.end = edit.back + <int>len(back)
            added += front + back
            self.edits.push_back(edit)
        self.added = bytes(added)

    cdef bint is_constant(self, int rule) noexcept nogil:
        """Return whether the rule contains the whole lemma."""
        return self.edits[rule].case == REPLACED

    cdef bint is_applicable(self, int rule, int characters) noexcept nogil:
        """Return whether the rule gives a non-empty lemma for a form of this many characters."""
        cdef const Edit* edit = &self.edits[rule]
        cdef int left = characters - edit.cut_front - edit.cut_back
        return edit.case == REPLACED or left > 0 or (left == 0 and edit.end > edit.front)

    cdef int apply(self, int rule, const char* form, int length, int characters, vector[char]* lemma) except -1 nogil:
        """Write the lemma of a form. The rule must be applicable to it."""
        cdef const Edit* edit = &self.edits[rule]
        cdef const char* added = self.added.data()
        cdef uint32_t point
        cdef int i, position = 0
        lemma.assign(added + edit.front, added + edit.back)
        if edit.case == REPLACED:
            return 0
        for i in range(characters - edit.cut_back):
            position += decode(form + position, &point)
            if i >= edit.cut_front:
                append(lemma, cased(point, edit.case, i == 0))
        lemma.insert(lemma.end(), added + edit.back, added + edit.end)
        return 0

    def lemma(self, int rule, str form):
        """Return the lemma of a form by a rule, or None if the rule is not applicable."""
        cdef vector[char] lemma
        cdef bytes text = form.encode()
        if not self.is_applicable(rule, <int>len(form)):
            return None
        self.apply(rule, text, <int>len(text), <int>len(form), &lemma)
        return lemma.data()[:lemma.size()].decode()


def rule_of(str form, str lemma):
    """Return the rule that turns a form into a lemma with the fewest changes. Ties go to the rule for lower case.

    A rule cannot add thousands of characters. The form is its own lemma then.
    """
    best = None
    for case in (LOWERED, AS_IS, CAPITALISED):
        changed = in_case(form, case)
        start, place, size = _longest_shared(changed, lemma)
        rule = (case, start, lemma[:place], len(form) - start - size, lemma[place + size:])
        if best is None or size > best[0]:
            best = size, rule
    rule = best[1] if 2 * best[0] >= len(lemma) or best[0] > 3 else (REPLACED, 0, lemma, 0, "")
    return IDENTITY if len(rule[2]) > LONGEST_ADDED or len(rule[4]) > LONGEST_ADDED else rule


def in_case(str form, int case):
    """Return a form with its case changed, character by character."""
    return "".join([chr(cased(ord(character), case, i == 0)) for i, character in enumerate(form)])


def _longest_shared(str form, str lemma):
    """Return the longest common substring: its start in the form, its start in the lemma, and its length."""
    cdef vector[int] lengths           # by position in the lemma: length of the common substring that ends there
    cdef int i, j, before, here, start = 0, place = 0, size = 0
    lengths.resize(len(lemma) + 1)
    for i in range(len(form)):
        before = 0
        for j in range(len(lemma)):
            here = lengths[j + 1]
            lengths[j + 1] = before + 1 if form[i] == lemma[j] else 0
            before = here
            if lengths[j + 1] > size:
                size = lengths[j + 1]
                start, place = i + 1 - size, j + 1 - size
    return start, place, size


cdef inline uint32_t cased(uint32_t point, int case, bint first) noexcept nogil:
    if case == AS_IS:
        return point
    return to_uppercase(point) if case == CAPITALISED and first else lower_case(point)


cdef int append(vector[char]* text, uint32_t point) except -1 nogil:
    """Append a character in UTF-8."""
    if point < 0x80:
        text.push_back(<char>point)
        return 0
    if point < 0x800:
        text.push_back(<char>(0xC0 | point >> 6))
    elif point < 0x10000:
        text.push_back(<char>(0xE0 | point >> 12))
        text.push_back(<char>(0x80 | (point >> 6 & 0x3F)))
    else:
        text.push_back(<char>(0xF0 | point >> 18))
        text.push_back(<char>(0x80 | (point >> 12 & 0x3F)))
        text.push_back(<char>(0x80 | (point >> 6 & 0x3F)))
    text.push_back(<char>(0x80 | (point & 0x3F)))
    return 0


cdef int count_characters(const char* text, int length) noexcept nogil:
    """Count the characters of valid UTF-8."""
    cdef int i, count = 0
    for i in range(length):
        count += (text[i] & 0xC0) != 0x80
    return count
