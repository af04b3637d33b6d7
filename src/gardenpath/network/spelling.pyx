# cython: boundscheck=False, wraparound=False
"""Vectors of forms from their characters, an embedding and a pretrained vector.

    c(form) = [last state ahead; last state back] of an LSTM over the characters of the form
    x(form) = E[id(lower(form))] + Wc c + Wg g[id(lower(form))] + b
"""

from libc.string cimport memcpy, memset

from gardenpath.core.characters cimport lower_case
from gardenpath.core.hashing cimport hash_bytes
from gardenpath.core.stored import BadModelError
from gardenpath.network.kernels cimport kernels, padded
from gardenpath.network.utf8 cimport next_point
from gardenpath.tagging.edits cimport append

cdef enum:
    MAX_TABLE = 1 << 28        # values in a table of gates


def form_key(str form):
    """Return the key of a form in the lexicons of a network: the hash of its UTF-8 in lower case."""
    cdef vector[char] lowered
    for character in form:
        append(&lowered, lower_case(ord(character)))
    return hash_bytes(lowered.data(), lowered.size())


cdef class FormEncoder:
    """Encodes forms without context. Immutable."""

    def __init__(self, arrays):
        self.characters = arrays.get("characters", "U32", None)
        self._check_characters(arrays.prefix)
        vectors = arrays.get("character_vectors", "F32", self.characters.shape[0] + 1, None)
        self.ahead = Lstm(arrays, "spelling.ahead", False, vectors.shape[1])
        self.back = Lstm(arrays, "spelling.back", True, vectors.shape[1])
        if self.ahead.hidden != self.back.hidden:
            raise BadModelError(f"the two directions of {arrays.prefix}spelling have different sizes")
        _tabulate(self.ahead, vectors, &self.gates_ahead)
        _tabulate(self.back, vectors, &self.gates_back)
        self.spelt = arrays.matrix("spelt", None, 2 * self.ahead.hidden)
        self.size = self.spelt.packed.outputs
        self.bias = arrays.get("word_bias", "F32", self.size)
        self.rows, self.row_scales = arrays.rows("form_vectors", self.size)
        self.forms = _lexicon(arrays, "forms", self.rows.shape[0])
        self.pretrained = None
        if "vectors.keys" in arrays:
            self._read_pretrained(arrays)

    def _check_characters(self, prefix):
        cdef Py_ssize_t i
        for i in range(1, self.characters.shape[0]):
            if self.characters[i] <= self.characters[i - 1]:
                raise BadModelError(f"the array '{prefix}characters' is not sorted")

    def _read_pretrained(self, arrays):
        self.pretrained_rows, self.pretrained_scales = arrays.rows("vectors.rows")
        self.pretrained = _lexicon(arrays, "vectors", self.pretrained_rows.shape[0])
        self.pretrained_weight = arrays.matrix("vectors.weight", self.size, self.pretrained_rows.shape[1])

    cdef int encode(self, const Form* forms, int count, int8_t* out, size_t stride, float* scales,
                    FormScratch* scratch) except -1 nogil:
        """Write the quantised vectors of forms and their scales."""
        cdef int i, width = padded(2 * self.ahead.hidden)
        scratch.characters.resize(<size_t>count * MAX_CHARACTERS)
        scratch.lengths.resize(count)
        scratch.keys.resize(count)
        for i in range(count):
            self._read(&forms[i], i, scratch)
        _order(count, scratch)
        scratch.spelt.assign(<size_t>count * width, 0)
        self._spell(self.ahead, self.gates_ahead.data(), count, 0, scratch)
        self._spell(self.back, self.gates_back.data(), count, self.ahead.hidden, scratch)
        scratch.sums.resize(<size_t>count * self.size)
        self.spelt.multiply(
            scratch.spelt.data(), width, NULL, count, &self.bias[0], False, scratch.sums.data(), self.size
        )
        if self.pretrained is not None:
            scratch.pretrained.assign(<size_t>count * padded(self.pretrained_weight.packed.inputs), 0)
            scratch.pretrained_scales.assign(count, 0)
            self._add_pretrained(count, scratch)
        for i in range(count):
            self._finish(i, out + i * stride, scales + i, scratch)
        return 0

    cdef int _read(self, const Form* form, int number, FormScratch* scratch) except -1 nogil:
        """Find the characters of a form, and the key of the form in lower case."""
        cdef int at = 0, kept, i
        cdef int* characters = scratch.characters.data() + <size_t>number * MAX_CHARACTERS
        cdef size_t index
        scratch.points.clear()
        scratch.lowered.clear()
        while at < form.length:
            scratch.points.push_back(0)
            at += next_point(form.utf8 + at, form.length - at, &scratch.points.back())
            append(&scratch.lowered, lower_case(scratch.points.back()))
        scratch.keys[number] = hash_bytes(scratch.lowered.data(), scratch.lowered.size())
        kept = <int>min(scratch.points.size(), <size_t>MAX_CHARACTERS)
        scratch.lengths[number] = kept
        for i in range(kept):
            index = i if i < MAX_CHARACTERS // 2 else scratch.points.size() - kept + i
            characters[i] = self._character(scratch.points[index])
        return 0

    cdef int _character(self, uint32_t point) noexcept nogil:
        """Return the number of a character, or 0 if it is unknown."""
        cdef Py_ssize_t low = 0, high = self.characters.shape[0], middle
        while low < high:
            middle = (low + high) // 2
            if self.characters[middle] < point:
                low = middle + 1
            else:
                high = middle
        return <int>low + 1 if low < self.characters.shape[0] and self.characters[low] == point else 0

    cdef int _spell(self, Lstm lstm, const float* gates, int count, int first, FormScratch* scratch) except -1 nogil:
        """Write the last states of an LSTM over the characters, from the column `first` on."""
        cdef int size = 4 * lstm.hidden, steps = scratch.sequences.steps, width = padded(2 * lstm.hidden)
        cdef int i, step, j, character
        lstm.begin(count, count, &scratch.lstm)
        for i in range(steps):
            step = steps - 1 - i if lstm.back else i
            for j in range(scratch.sequences.active[step]):
                character = scratch.characters[<size_t>scratch.order[j] * MAX_CHARACTERS + step]
                memcpy(scratch.lstm.gates.data() + <size_t>j * size, gates + <size_t>character * size, 4 * size)
            lstm.advance(scratch.lstm.gates.data(), scratch.sequences.active[step], &scratch.lstm)
        for j in range(count):
            memcpy(
                scratch.spelt.data() + <size_t>scratch.order[j] * width + first,
                scratch.lstm.states.data() + <size_t>j * padded(lstm.hidden), lstm.hidden,
            )
        return 0

    cdef void _add_pretrained(self, int count, FormScratch* scratch) noexcept nogil:
        """Add Wg g for forms with a pretrained vector."""
        cdef int width = padded(self.pretrained_weight.packed.inputs), i
        cdef uint32_t row
        for i in range(count):
            row = self.pretrained.find(scratch.keys[i])
            if row:
                scratch.pretrained_scales[i] = self.pretrained_scales[row]
                memcpy(
                    scratch.pretrained.data() + <size_t>i * width, &self.pretrained_rows[row, 0],
                    self.pretrained_rows.shape[1],
                )
        self.pretrained_weight.multiply(
            scratch.pretrained.data(), width, scratch.pretrained_scales.data(), count, NULL, True, scratch.sums.data(),
            self.size,
        )

    cdef void _finish(self, int number, int8_t* out, float* scale, FormScratch* scratch) noexcept nogil:
        """Add the embedding of a form, and quantise its vector."""
        cdef float* sums = scratch.sums.data() + <size_t>number * self.size
        cdef uint32_t row = self.forms.find(scratch.keys[number])
        cdef int i
        for i in range(self.size):
            sums[i] += self.rows[row, i] * self.row_scales[row]
        scale[0] = kernels().quantise(sums, self.size, False, out)


cdef int _tabulate(Lstm lstm, const float[:, ::1] vectors, vector[float]* gates) except -1:
    """Compute the gates of each character from its vector."""
    cdef Py_ssize_t rows = vectors.shape[0], i
    cdef int size = <int>vectors.shape[1], outputs = 4 * lstm.hidden
    cdef vector[int8_t] quantised
    cdef float scale
    if rows * outputs > MAX_TABLE:
        raise BadModelError("the table of characters is too large")
    quantised.resize(padded(size))
    gates.resize(rows * outputs)
    for i in range(rows):
        scale = kernels().quantise(&vectors[i, 0], size, False, quantised.data())
        lstm.input.multiply(
            quantised.data(), quantised.size(), &scale, 1, &lstm.bias[0], False, gates.data() + i * outputs, outputs
        )
    return 0


cdef int _order(int count, FormScratch* scratch) except -1 nogil:
    """Order forms by their number of characters, the longest first."""
    cdef int ends[MAX_CHARACTERS + 2]
    cdef int i, length
    cdef vector[int] lengths
    memset(ends, 0, sizeof(ends))
    for i in range(count):
        ends[MAX_CHARACTERS - scratch.lengths[i] + 1] += 1
    for i in range(MAX_CHARACTERS + 1):
        ends[i + 1] += ends[i]
    scratch.order.resize(count)
    lengths.resize(count)
    for i in range(count):
        length = scratch.lengths[i]
        scratch.order[ends[MAX_CHARACTERS - length]] = i
        lengths[ends[MAX_CHARACTERS - length]] = length
        ends[MAX_CHARACTERS - length] += 1
    scratch.sequences.set(lengths.data(), count)
    return 0


cdef Lexicon _lexicon(arrays, str name, Py_ssize_t rows):
    """Return a lexicon whose numbers are rows."""
    cdef Lexicon lexicon = Lexicon(arrays.get(f"{name}.keys", "U64", None), arrays.get(f"{name}.values", "U32", None))
    if lexicon.largest() >= rows:
        raise BadModelError(f"the array '{arrays.prefix}{name}.values' has a number without a row")
    return lexicon
