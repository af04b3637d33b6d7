# cython: boundscheck=False, wraparound=False
"""Tags, lemma rules and the parser's word vectors, from the states of a sentence encoder.

    z   = d + B [h; x]                     part scores, lemma rule scores, parser part; computed by `Member`
    s_T = sum of the part scores of T      p = softmax(s)
    r   = z_rules + sum of Q[part] over the parts of the tag with the highest score
    v   = relu(z_parser + sum_T p_T U[T])

If tags are given for a word and T disagrees with them for the best T, then p = softmax(s) over the T that agree.
"""

from libc.math cimport INFINITY
from libc.string cimport memcpy
from libcpp.algorithm cimport binary_search

from gardenpath.core.stored import BadModelError
from gardenpath.network.kernels cimport LANES, LEAST_PROBABILITY, TagResult, kernels

cdef class Heads:
    """The output layer. Immutable."""

    def __init__(self, arrays):
        self.bias = arrays.get("heads.bias", "F32", None)
        self.outputs = <int>self.bias.shape[0]
        self.tag_ends = arrays.get("tag_ends", "U32", None)
        self.tag_parts = arrays.get("tag_parts", "U32", None)
        self.tag_inputs = arrays.get("tag_inputs", "F32", self.tag_ends.shape[0], None)
        self.size = <int>self.tag_inputs.shape[1]
        self._check_tags(arrays.prefix)
        self.rules = self.outputs - self.table.parts - self.size
        if self.rules < 0:
            raise BadModelError(f"the array '{arrays.prefix}heads.bias' has too few values")
        self.has_rule_inputs = "rule_inputs" in arrays
        if self.has_rule_inputs:
            self.rule_inputs, self.rule_scales = arrays.rows("rule_inputs", self.rules)
            self.first_rule_input = self.table.parts - <int>self.rule_inputs.shape[0]
            if self.first_rule_input < 0:
                raise BadModelError(f"the array '{arrays.prefix}rule_inputs' has more rows than there are parts")

    def _check_tags(self, prefix):
        cdef Py_ssize_t i
        cdef uint32_t end = 0, largest = 0
        for i in range(self.tag_ends.shape[0]):
            if self.tag_ends[i] < end:
                raise BadModelError(f"the array '{prefix}tag_ends' is not sorted")
            end = self.tag_ends[i]
        if end != self.tag_parts.shape[0]:
            raise BadModelError(f"the arrays '{prefix}tag_ends' and '{prefix}tag_parts' do not fit")
        for i in range(self.tag_parts.shape[0]):
            largest = max(largest, self.tag_parts[i])
        if largest >= <uint32_t>self.outputs:
            raise BadModelError(f"the array '{prefix}tag_parts' has a part without a score")
        self.table.tags, self.table.parts, self.table.size = self.tag_ends.shape[0], largest + 1, self.size
        self.table.members, self.table.ends = &self.tag_parts[0], &self.tag_ends[0]
        self.table.inputs = &self.tag_inputs[0, 0]

    @property
    def tags(self):
        """The number of tags."""
        return self.table.tags

    cdef int run(self, float* scores, const Py_ssize_t* numbers, int count, Encoding encoding) except -1 nogil:
        """Write the results of words from their z, which is overwritten. `numbers` are their numbers in the batch."""
        cdef int first = 0
        encoding.chunk.lanes.resize(<size_t>LANES * (self.table.parts + self.table.tags))
        encoding.chunk.inputs.resize(<size_t>LANES * self.size)
        while first < count:
            self._finish(
                scores + <size_t>first * self.outputs, numbers + first, min(<int>LANES, count - first), encoding,
            )
            first += LANES
        return 0

    cdef void _add_rule_inputs(self, int tag, float* scores) noexcept nogil:
        """Add what the parts of a tag contribute to the scores of lemma rules."""
        cdef uint32_t i = self.tag_ends[tag - 1] if tag else 0
        cdef int part, rule
        while i < self.tag_ends[tag]:
            part = <int>self.tag_parts[i] - self.first_rule_input
            if part >= 0:
                for rule in range(self.rules):
                    scores[rule] += self.rule_scales[part] * self.rule_inputs[part, rule]
            i += 1

    cdef void _keep_inputs(
        self, const float* scores, const Py_ssize_t* numbers, int count, Encoding encoding
    ) noexcept nogil:
        """Keep z_parser of the words that have given tags, before their tags are added."""
        cdef int i
        for i in range(count):
            if encoding.given[numbers[i]].count:
                memcpy(
                    &encoding.chunk.inputs[i * self.size], scores + <size_t>(i + 1) * self.outputs - self.size,
                    self.size * sizeof(float),
                )

    cdef void _mix_given(
        self, float* scores, const Py_ssize_t* numbers, int count, Encoding encoding, TagResult* results
    ) noexcept nogil:
        """Replace the tags of words whose best tag disagrees with what is given by those that agree."""
        cdef int i
        cdef float* own
        cdef TagChoice given
        for i in range(count):
            given = encoding.given[numbers[i]]
            if given.count and not binary_search(given.tags, given.tags + given.count, results[i].tag):
                own = scores + <size_t>i * self.outputs
                memcpy(own + self.outputs - self.size, &encoding.chunk.inputs[i * self.size], self.size * sizeof(float))
                results[i] = self._mix(own, given, encoding.chunk.lanes.data(), own + self.outputs - self.size)

    cdef TagResult _mix(self, const float* scores, TagChoice given, float* room, float* vector) noexcept nogil:
        """Add to a vector the inputs of some tags, weighted with their probabilities, and return the best tag.

        `scores` are those of the parts; `room` has space for a number per tag.
        """
        cdef TagResult result
        cdef float highest = -INFINITY, total = 0, probability
        cdef const float* inputs
        cdef int i, j
        result.tag = given.tags[0]
        for i in range(given.count):
            room[i] = self._score(given.tags[i], scores)
            if room[i] > highest:
                highest, result.tag = room[i], given.tags[i]
        for i in range(given.count):
            room[i] -= highest
        kernels().exponential(room, given.count)
        for i in range(given.count):
            total += room[i]
        for i in range(given.count):
            if room[i] > total * LEAST_PROBABILITY:
                probability = room[i] / total
                inputs = self.table.inputs + <size_t>given.tags[i] * self.size
                for j in range(self.size):
                    vector[j] += probability * inputs[j]
        result.probability = 1 / total
        return result

    cdef float _score(self, int tag, const float* scores) noexcept nogil:
        """Return s_T: the sum of the scores of the parts of a tag."""
        cdef float total = 0
        cdef uint32_t i
        for i in range(self.tag_ends[tag - 1] if tag else 0, self.tag_ends[tag]):
            total += scores[self.tag_parts[i]]
        return total

    cdef int _finish(self, float* scores, const Py_ssize_t* numbers, int count, Encoding encoding) except -1 nogil:
        """Write the results of up to 16 words from their z."""
        cdef TagResult[LANES] results
        cdef int parts = self.table.parts, i
        cdef float* own
        cdef Py_ssize_t word
        cdef bint has_given = not encoding.given.empty()
        if has_given:
            self._keep_inputs(scores, numbers, count, encoding)
        kernels().mix_tags(
            self.table, scores, self.outputs, count, encoding.chunk.lanes.data(), results, scores + parts + self.rules,
            self.outputs,
        )
        if has_given:
            self._mix_given(scores, numbers, count, encoding, results)
        for i in range(count):
            own, word = scores + <size_t>i * self.outputs + parts, numbers[i]
            encoding.tags[word], encoding.probabilities[word] = results[i].tag, results[i].probability
            encoding.scales[word] = kernels().quantise(
                own + self.rules, self.size, True, encoding.vectors.data() + word * encoding.stride
            )
            if self.has_rule_inputs:
                self._add_rule_inputs(results[i].tag, own)
            encoding.rules[word] = encoding.choose_rule(word, own, self.rules)
        return 0
