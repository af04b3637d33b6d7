"""The properties of a form: lower case, prefixes, suffixes and shape."""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from gardenpath.core.characters cimport (
    DIGIT, LETTER, LOWER as LOWER_LETTER, UPPER, decode, is_decimal_digit, kind_of, lower_case,
)
from gardenpath.core.hashing cimport hash_bytes, join, mix

PROPERTY_NAMES = (
    "form", "lower", "shape", *(f"prefix{size + 1}" for size in range(PREFIXES)),
    *(f"suffix{size + 1}" for size in range(SUFFIXES)), "initial", "possible", "possible_upos", "likely", "cluster",
    "cluster6", "cluster4", "upos", "xpos", "feats", "tag", "opening",
)

cdef enum:                 # the bits of a shape
    CAPITAL_FIRST = 1
    CAPITAL_LATER = 2
    SMALL = 4              # a letter that is not a capital
    NUMERAL = 8
    HYPHEN = 16
    OTHER = 32
    LENGTHS = 64           # the length, up to 3, is stored above the other bits


cdef void read_spelling(const char* form, int length, uint64_t* values) noexcept nogil:
    """Fill in the properties of the form, and set all others to 0."""
    cdef uint32_t last[SUFFIXES]
    cdef uint32_t point
    cdef uint64_t key = 0
    cdef int position = 0, count = 0, signs = 0, i
    memset(values, 0, PROPERTIES * sizeof(uint64_t))
    while position < length:
        position += decode(form + position, &point)
        signs |= _sign(point, count == 0)
        point = c"0" if is_decimal_digit(point) else lower_case(point)
        key = join(key, point)
        if count < PREFIXES:
            values[PREFIX + count] = key | 1
        last[count % SUFFIXES] = point
        count += 1
    values[FORM] = hash_bytes(form, length)
    values[LOWER] = mix(key) | 1
    values[SHAPE] = mix(signs + LENGTHS * min(count, 3)) | 1
    key = 0
    for i in range(min(count, SUFFIXES)):
        key = join(key, last[(count - 1 - i) % SUFFIXES])
        values[SUFFIX + i] = key | 1


cdef inline int _sign(uint32_t point, bint first) noexcept nogil:
    cdef uint32_t kind = kind_of(point)
    if kind == UPPER:
        return CAPITAL_FIRST if first else CAPITAL_LATER
    if kind == LOWER_LETTER or kind == LETTER:
        return SMALL
    if kind == DIGIT:
        return NUMERAL
    return HYPHEN if point == c"-" else OTHER
