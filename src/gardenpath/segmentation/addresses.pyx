# cython: boundscheck=False, wraparound=False
"""Web and e-mail addresses: stretches of a chunk that most treebanks do not divide.

    https://example.org/a?b=c      letters, `://`, and the characters of a web address
    www.example.org                `www.`, and the characters of a web address
    anna.smith@example.org         a name, `@`, and labels with full stops between them, the last one of letters;
                                   also with `mailto:` before it

Punctuation at the end does not belong to an address, and neither does a closing bracket that is not opened in it.
"""

from libc.stdint cimport uint32_t

from gardenpath.core.characters cimport DIGIT, LOWER, MARK, UPPER

cdef enum:
    SHORTEST_TOP_LEVEL = 2     # characters of the last label of a domain
    MAILTO = 7                 # characters of `mailto:`


cdef Address find_address(const Character* c, int begin, int end) noexcept nogil:
    """Return the first address among these characters of a chunk, or an empty one at `end`."""
    cdef Address address
    cdef int at
    for at in range(begin, end):
        address.begin = address.end = at
        if c[at].point == c":":
            address = _with_scheme(c, begin, at, end)
        elif c[at].lower == c"w":
            address = _with_www(c, begin, at, end)
        elif c[at].point == c"@":
            address = _of_mail(c, begin, at, end)
        if address.begin < address.end:
            return address
    address.begin = address.end = end
    return address


cdef Address _with_scheme(const Character* c, int begin, int colon, int end) noexcept nogil:
    cdef Address address
    cdef int first = colon
    address.begin = address.end = colon
    while first > begin and _is_letter(&c[first - 1]):
        first -= 1
    if first < colon and colon + 3 < end and c[colon + 1].point == c"/" and c[colon + 2].point == c"/":
        if _is_letter_or_digit(&c[colon + 3]):
            address.begin, address.end = first, _web_end(c, colon + 3, end)
    return address


cdef Address _with_www(const Character* c, int begin, int at, int end) noexcept nogil:
    cdef Address address
    address.begin = address.end = at
    if at + 4 < end and c[at + 1].lower == c"w" and c[at + 2].lower == c"w" and c[at + 3].point == c".":
        if _is_letter_or_digit(&c[at + 4]) and (at == begin or not _is_letter_or_digit(&c[at - 1])):
            address.end = _web_end(c, at + 4, end)
    return address


cdef Address _of_mail(const Character* c, int begin, int sign, int end) noexcept nogil:
    cdef Address address
    cdef int first = sign
    address.begin = address.end = sign
    while first > begin and _is_in_name(&c[first - 1]):
        first -= 1
    while first < sign and not _is_letter_or_digit(&c[first]):
        first += 1
    if first < sign:
        address.end = _domain_end(c, sign + 1, end)
        if address.end > sign:
            address.begin = first - MAILTO if _follows_mailto(c, begin, first) else first
    return address


cdef bint _follows_mailto(const Character* c, int begin, int at) noexcept nogil:
    cdef const char* expected = "mailto:"
    cdef int i
    if at - begin < MAILTO:
        return False
    for i in range(MAILTO):
        if c[at - MAILTO + i].lower != <uint32_t>expected[i]:
            return False
    return True


cdef int _web_end(const Character* c, int begin, int end) noexcept nogil:
    """Return the end of a web address whose domain begins at `begin`."""
    cdef int at = begin, unclosed = 0
    while at < end and _is_in_web_address(&c[at]):
        unclosed += (c[at].point == c"(") - (c[at].point == c")")
        at += 1
    while at > begin and not _is_letter_or_digit(&c[at - 1]) and c[at - 1].point != c"/":
        if c[at - 1].point == c")":
            if unclosed >= 0:
                break
            unclosed += 1
        at -= 1
    return at


cdef int _domain_end(const Character* c, int begin, int end) noexcept nogil:
    """Return the end of the domain that begins at `begin`, or `begin - 1` if there is none."""
    cdef int at = begin, label = begin, found = begin - 1
    cdef bint has_letters_only = True
    while at < end:
        if _is_letter_or_digit(&c[at]) or c[at].point == c"-":
            has_letters_only = has_letters_only and _is_letter(&c[at])
            at += 1
            if label > begin and has_letters_only and at - label >= SHORTEST_TOP_LEVEL:
                found = at
        elif c[at].point == c"." and at > label:
            at += 1
            label, has_letters_only = at, True
        else:
            break
    return found


cdef inline bint _is_letter(const Character* character) noexcept nogil:
    return character.kind == LOWER or character.kind == UPPER


cdef inline bint _is_letter_or_digit(const Character* character) noexcept nogil:
    return _is_letter(character) or character.kind == DIGIT


cdef inline bint _is_in_name(const Character* character) noexcept nogil:
    cdef uint32_t point = character.point
    return (
        _is_letter_or_digit(character) or point == c"." or point == c"_" or point == c"-" or point == c"+"
        or point == c"%"
    )


cdef inline bint _is_in_web_address(const Character* character) noexcept nogil:
    """Return whether a web address can contain the character. Letters of scripts without case do not belong to it."""
    cdef uint32_t point = character.point
    if point >= 128:
        return _is_letter_or_digit(character) or character.kind == MARK
    return not (
        point == c'"' or point == c"'" or point == c"<" or point == c">" or point == c"[" or point == c"]"
        or point == c"\\" or point == c"^" or point == c"`" or point == c"{" or point == c"|" or point == c"}"
    )
