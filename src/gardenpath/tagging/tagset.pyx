"""Tags are triples of UPOS, XPOS and FEATS; what a learner scores are their parts, and a tag's score is the sum of theirs."""

from collections import Counter

from libc.stdint cimport int32_t

from gardenpath.core.hashing cimport hash_bytes
from gardenpath.perceptron.weights cimport MAX_CLASSES
from gardenpath.tagging.spelling cimport UPOS

from gardenpath.formats.document import EMPTY
from gardenpath.errors import InputError

MOST_TAGS = 1 << 16        # the dictionary has 16 bits for the number of a tag


cdef class Tagset:
    """The tags of a treebank by number, the most frequent first, and their parts.

    Parts are UPOS, XPOS, FEATS, each feature of FEATS, and the whole tag. What all tags share has no class, nor what the rarest tags have beyond MAX_CLASSES.
    """

    def __init__(self, tags):
        self.tags = [tuple(tag) for tag in tags]
        if len(self.tags) > MOST_TAGS:
            raise InputError(f"{len(self.tags)} different tags, more than {MOST_TAGS}: see whether XPOS or FEATS holds something else than tags and features")
        if not self.tags or not all(len(tag) == 3 and all(isinstance(column, str) for column in tag) for tag in self.tags):
            raise ValueError("tags of UPOS, XPOS and FEATS")
        numbers = _numbered_parts(self.tags)
        self.classes = max(len(numbers), 1)
        upos_numbers = {}
        for tag in self.tags:
            known = [numbers[part] for part in _parts(tag) if part in numbers]
            self.most_parts = max(self.most_parts, <int>len(known))
            for number in known:
                self.parts.push_back(number)
            self.part_ends.push_back(<int>self.parts.size())
            self.upos_numbers.push_back(upos_numbers.setdefault(tag[0], len(upos_numbers)))
            for column in (*tag, "\t".join(tag)):
                text = column.encode()
                self.values.push_back(hash_bytes(text, len(text)))

    @staticmethod
    def of(sentences):
        """The tags of these sentences."""
        counts = Counter((word.upos, word.xpos, word.feats) for sentence in sentences for word in sentence)
        return Tagset(sorted(counts, key=lambda tag: (-counts[tag], tag)))

    cdef int32_t score(self, int tag, const int32_t* scores) noexcept nogil:
        """The score of a tag, given those of all parts."""
        cdef int i
        cdef int32_t total = 0
        for i in range(self.part_ends[tag - 1] if tag else 0, self.part_ends[tag]):
            total += scores[self.parts[i]]
        return total

    cdef int list_difference(self, int tag, int other, int* parts) noexcept nogil:
        """List the parts of a tag that another has not; how many are there?"""
        cdef int i, j, count = 0
        for i in range(self.part_ends[tag - 1] if tag else 0, self.part_ends[tag]):
            for j in range(self.part_ends[other - 1] if other else 0, self.part_ends[other]):
                if self.parts[i] == self.parts[j]:
                    break
            else:
                parts[count] = self.parts[i]
                count += 1
        return count

    cdef void write(self, int tag, Traits* word) noexcept nogil:
        """Give a word the tag, for the features of those after it."""
        cdef int kind
        for kind in range(KINDS):
            word.values[UPOS + kind] = self.values[KINDS * tag + kind]


def _parts(tag):
    upos, xpos, feats = tag
    features = [] if feats == EMPTY else feats.split("|")
    return [("upos", upos), ("xpos", xpos), ("feats", feats), *(("feature", feature) for feature in sorted(set(features))), ("tag", tag)]


def _numbered_parts(tags):
    """The parts that have a class, each with its number."""
    owners = Counter(part for tag in tags for part in _parts(tag))
    telling = (part for tag in tags for part in _parts(tag) if owners[part] < len(tags))
    return {part: number for number, part in enumerate(list(dict.fromkeys(telling))[:MAX_CLASSES])}
