# cython: boundscheck=False, wraparound=False
"""The dictionary of the tagger: the tags of each form in the training data, with their frequencies.

Frequent forms can only get tags that they have in the training data. A frequent form with a single tag needs no
decision. For other forms, and for neighbouring words, the entries are used as features.
"""

from array import array
from collections import Counter

from libc.stdint cimport uint32_t, uint64_t
from libcpp.vector cimport vector

from gardenpath.core.hashing cimport join, mix
from gardenpath.core.lexicon cimport ABSENT
from gardenpath.tagging.spelling cimport FORM, LIKELY, LOWER, POSSIBLE, POSSIBLE_UPOS, PROPERTIES, read_spelling
from gardenpath.tagging.tagset cimport WHOLE, tag_value

from gardenpath.core.stored import BadModelError

cdef enum:
    KNOWN = 2              # occurrences from which a form is in the dictionary
    CERTAIN = 30           # occurrences from which a form with a single tag can get no other tag
    FREQUENT = 100         # occurrences from which a form can only get the tags that it has in the dictionary
    MOST_COUNTED = (1 << (32 - TAG_BITS)) - 1

cdef uint32_t COMPLETE = <uint32_t>1 << 31      # marks entries of forms that can get no other tags


cdef class TagDictionary:
    """A dictionary of forms. Lower-cased forms are looked up if the form itself is missing."""

    def __init__(self, Tagset tagset not None, Lexicon lexicon not None, entries):
        self.tagset, self.lexicon, self.entries_array = tagset, lexicon, entries
        self.entries = entries
        if not self._is_sound():
            raise BadModelError("the entries of the tag dictionary are invalid")

    @staticmethod
    def of(sentences, Tagset tagset not None):
        """Make the dictionary of a treebank."""
        numbers = {tag: number for number, tag in enumerate(tagset.tags)}
        forms = {}
        for sentence in sentences:
            for word in sentence:
                forms.setdefault(word.form, Counter())[numbers[word.upos, word.xpos, word.raw_feats]] += 1
        open_tags = Counter(tag for tags in forms.values() if tags.total() < FREQUENT for tag in tags)
        entries = array("I", _entry(open_tags or Counter(range(len(numbers))), True))
        places = {}
        for key, tags, is_complete in _known(forms):
            places[key] = len(entries)
            entries.extend(_entry(tags, is_complete))
        return TagDictionary(tagset, Lexicon.of(places), memoryview(entries))

    def _is_sound(self):
        """Return whether all entries have valid lengths and tags, and the lexicon points only to starts of entries."""
        cdef Py_ssize_t place = 0, i, end, length = self.entries.shape[0]
        cdef vector[bint] begins = vector[bint](length)
        if length == 0 or not self.entries[0] & COMPLETE:
            return False
        while place < length:
            begins[place] = True
            end = place + 1 + (self.entries[place] & ~COMPLETE)
            if end == place + 1 or end > length:
                return False
            for i in range(place + 1, end):
                if tag_of(self.entries[i]) >= <int>self.tagset.part_ends.size():
                    return False
            place = end
        for i in range(self.lexicon.values.shape[0]):
            if self.lexicon.values[i] >= length or not begins[self.lexicon.values[i]]:
                return False
        return True

    cdef void look_up(self, Traits* word, int without) noexcept nogil:
        """Fill in the properties of a word that come from the dictionary.

        One occurrence of the tag `without` is left out, unless it is NONE.
        """
        word.entry = self.lexicon.find(word.values[FORM])
        if not self._read_entry(word.entry, without, word):
            self._read_entry(self.lexicon.find(lower_key(word.values)), without, word)

    cdef bint knows(self, uint64_t key) noexcept nogil:
        """Return whether the dictionary has an entry for this key."""
        return self.lexicon.find(key) != ABSENT

    cdef bint _read_entry(self, uint32_t place, int without, Traits* word) noexcept nogil:
        cdef uint64_t possible = 0, upos = 0
        cdef int i, tag, count, total = 0, most = 0
        if place == ABSENT:
            return False
        for i in range(1, <int>(self.entries[place] & ~COMPLETE) + 1):
            tag = tag_of(self.entries[place + i])
            count = <int>(self.entries[place + i] >> TAG_BITS) - (tag == without)
            if count == 0:
                continue
            total += count
            possible += tag_value(self.tagset, tag, WHOLE)
            upos |= <uint64_t>1 << self.tagset.upos_numbers[tag] % 64
            if count > most:
                most = count
                word.values[LIKELY] = tag_value(self.tagset, tag, WHOLE)
        if total < KNOWN:
            word.values[LIKELY] = 0
            return False
        word.values[POSSIBLE] = possible | 1
        word.values[POSSIBLE_UPOS] = mix(upos) | 1
        return True

    cdef int candidates(self, const Traits* word, const uint32_t** tags) noexcept nogil:
        """Point to the tags that a word can get, and return their number."""
        cdef int place = word.entry if self.entries[word.entry] & COMPLETE else 0
        tags[0] = &self.entries[place + 1]
        return self.entries[place] & ~COMPLETE


def _known(forms):
    """Yield key, tags and whether other tags are excluded, for known forms and for known lower-cased forms."""
    cdef uint64_t values[PROPERTIES]
    lowered = {}
    for form, tags in sorted(forms.items()):
        text = form.encode()
        read_spelling(text, <int>len(text), values)
        lowered.setdefault(lower_key(values), Counter()).update(tags)
        if tags.total() >= KNOWN:
            yield values[FORM], tags, tags.total() >= FREQUENT or (len(tags) == 1 and tags.total() >= CERTAIN)
    for key, tags in sorted(lowered.items()):
        if tags.total() >= KNOWN:
            yield key, tags, False


def _entry(tags, is_complete):
    order = sorted(tags, key=lambda tag: (-tags[tag], tag))
    head = len(order) | (COMPLETE if is_complete else 0)
    return [head, *(tag | min(tags[tag], MOST_COUNTED) << TAG_BITS for tag in order)]


cdef uint64_t lower_key(const uint64_t* values) noexcept nogil:
    """Return the key of a lower-cased form in the lexicon."""
    return join(values[LOWER], 1) | 1
