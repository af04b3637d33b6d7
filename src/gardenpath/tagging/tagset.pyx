"""Tags are triples of UPOS, XPOS and FEATS. The score of a tag is the sum of the scores of its parts."""

from collections import Counter

from libc.stdint cimport int32_t

from gardenpath.core.hashing cimport hash_bytes
from gardenpath.perceptron.weights cimport MAX_CLASSES
from gardenpath.tagging.spelling cimport UPOS

from gardenpath.core.stored import BadModelError
from gardenpath.errors import InputError
from gardenpath.formats.document import EMPTY

MOST_TAGS = 1 << 16        # the dictionary uses 16 bits for the number of a tag


cdef class Tagset:
    """The tags of a treebank by number, the most frequent first, and their parts.

    The parts of a tag are UPOS, XPOS, FEATS, each feature of FEATS, and the whole tag. Parts that all tags share have
    no class. If there are more than MAX_CLASSES parts, those of the rarest tags have no class either.
    """

    def __init__(self, tags):
        self.tags = [tuple(tag) for tag in tags]
        if len(self.tags) > MOST_TAGS:
            raise InputError(
                f"the treebank has {len(self.tags)} different tags, and the limit is {MOST_TAGS}; "
                "check that XPOS and FEATS contain nothing but tags and features"
            )
        if not self.tags or not all(map(_is_tag, self.tags)):
            raise BadModelError("the tags are not a non-empty list of triples of UPOS, XPOS and FEATS")
        numbers = _numbered_parts(self.tags)
        self.classes = max(len(numbers), 1)
        upos_numbers = {}
        for tag in self.tags:
            known = [numbers[part] for part in parts_of(tag) if part in numbers]
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
        """Make the tag set of these sentences."""
        counts = Counter((word.upos, word.xpos, word.raw_feats) for sentence in sentences for word in sentence)
        return Tagset(sorted(counts, key=lambda tag: (-counts[tag], tag)))

    cdef int32_t score(self, int tag, const int32_t* scores) noexcept nogil:
        """Return the score of a tag, given the scores of all parts."""
        cdef int i
        cdef int32_t total = 0
        for i in range(self.part_ends[tag - 1] if tag else 0, self.part_ends[tag]):
            total += scores[self.parts[i]]
        return total

    cdef int list_difference(self, int tag, int other, int* parts) noexcept nogil:
        """Write the parts of a tag that another tag does not have, and return their number."""
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
        """Write the values of a tag into a word, for the features of the following words."""
        cdef int kind
        for kind in range(KINDS):
            word.values[UPOS + kind] = self.values[KINDS * tag + kind]


def _is_tag(tag):
    return len(tag) == 3 and all(isinstance(column, str) for column in tag)


def parts_of(tag):
    """Return the parts of a tag: UPOS, XPOS, FEATS, each feature, and the whole tag."""
    upos, xpos, feats = tag
    features = [] if feats == EMPTY else sorted(set(feats.split("|")))
    return [
        ("upos", upos), ("xpos", xpos), ("feats", feats), *(("feature", feature) for feature in features), ("tag", tag),
    ]


def _numbered_parts(tags):
    """Return the classes of the parts that have one."""
    owners = Counter(part for tag in tags for part in parts_of(tag))
    telling = (part for tag in tags for part in parts_of(tag) if owners[part] < len(tags))
    return {part: number for number, part in enumerate(list(dict.fromkeys(telling))[:MAX_CLASSES])}
