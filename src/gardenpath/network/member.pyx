# cython: boundscheck=False, wraparound=False
"""A network of an ensemble, up to the states of its sentence encoder. A single network is an ensemble of one.

The networks of an ensemble read the same words. Each has its own vectors of forms, its own layers, and its own part of
the output layer (`heads`).
"""

from libc.string cimport memcmp, memcpy

from gardenpath.core.hashing cimport hash_bytes
from gardenpath.core.stored import BadModelError
from gardenpath.network.settings import MAX_NETWORKS
from gardenpath.network.encoding cimport MissingWord, Rows
from gardenpath.network.kernels cimport padded
from gardenpath.network.spelling cimport Form

cdef enum:
    FORMS = 256                # forms whose characters are read together


cdef class Member:
    """A network and, as `other`, those after it. Threads can share it.

    The vectors of up to `cached_forms` forms are kept; they do not change any result.
    """

    def __init__(self, arrays, int number, Py_ssize_t cached_forms):
        own = arrays.of_member(number)
        self.number = number
        self.forms = FormEncoder(own)
        self.layers = Layer(own, 1, self.forms.size)
        self.states = self.layers.top.size
        outputs = arrays.get("heads.bias", "F32", None).shape[0]
        self.state = own.matrix("heads.state", outputs, self.states)
        self.word = own.matrix("heads.word", outputs, self.forms.size)
        self.cache.set(max(cached_forms, 0), self.forms.size)
        self.other, self.count = None, 1
        if arrays.has_member(number + 1):
            if number + 1 == MAX_NETWORKS:
                raise BadModelError(f"there are more than {MAX_NETWORKS} networks")
            self.other = Member(arrays, number + 1, cached_forms)
            self.count += self.other.count

    cdef int run(self, const char** forms, const int* lengths, Chunk* chunk) except -1 nogil:
        """Compute x and h of all rows, also with the networks after this one.

        `forms` and `lengths` are those of all words of the batch.
        """
        cdef Rows* rows = &chunk.rows[self.number]
        self._read_words(forms, lengths, chunk)
        self.layers.run(
            &chunk.sequences, rows.words.data(), padded(self.forms.size), rows.word_scales.data(), &rows.layers
        )
        if self.other is not None:
            self.other.run(forms, lengths, chunk)
        return 0

    cdef void score(self, const Chunk* chunk, int first, int rows, const float* bias, float* scores) noexcept nogil:
        """Write z = bias + B [h; x] of some rows, summed over this network and those after it.

        If there is no bias, the scores are added to those that are already there.
        """
        cdef const Rows* own = &chunk.rows[self.number]
        cdef size_t state_stride = padded(self.states), word_stride = padded(self.forms.size)
        cdef int outputs = self.state.packed.outputs
        self.state.multiply(
            own.layers.states.data() + first * state_stride, state_stride, NULL, rows, bias, bias == NULL, scores,
            outputs,
        )
        self.word.multiply(
            own.words.data() + first * word_stride, word_stride, own.word_scales.data() + first, rows, NULL, True,
            scores, outputs,
        )
        if self.other is not None:
            self.other.score(chunk, first, rows, NULL, scores)

    cdef int _read_words(self, const char** forms, const int* lengths, Chunk* chunk) except -1 nogil:
        """Set x of all rows, from the cache if possible."""
        cdef int row, width = padded(self.forms.size)
        cdef Rows* rows = &chunk.rows[self.number]
        cdef Form form
        cdef MissingWord missing
        rows.words.resize(max(rows.words.size(), <size_t>chunk.sequences.rows * width))
        rows.word_scales.resize(chunk.sequences.rows)
        chunk.forms.clear()
        chunk.missing.clear()
        for row in range(chunk.sequences.rows):
            form.utf8, form.length = forms[chunk.numbers[row]], lengths[chunk.numbers[row]]
            form.hash = hash_bytes(form.utf8, form.length)
            if not self.cache.find(
                form.hash, form.utf8, form.length, rows.words.data() + <size_t>row * width, &rows.word_scales[row]
            ):
                missing.row, missing.form = row, _number_of(&form, chunk)
                chunk.missing.push_back(missing)
        self._encode_forms(chunk)
        for missing in chunk.missing:
            rows.word_scales[missing.row] = chunk.form_scales[missing.form]
            memcpy(
                rows.words.data() + <size_t>missing.row * width,
                chunk.form_vectors.data() + <size_t>missing.form * width, self.forms.size,
            )
        return 0

    cdef int _encode_forms(self, Chunk* chunk) except -1 nogil:
        """Compute x of the missing forms, and add them to the cache."""
        cdef int count = <int>chunk.forms.size(), width = padded(self.forms.size), i = 0
        chunk.form_vectors.resize(<size_t>count * width)
        chunk.form_scales.resize(count)
        while i < count:
            self.forms.encode(
                chunk.forms.data() + i, min(<int>FORMS, count - i), chunk.form_vectors.data() + <size_t>i * width,
                width, chunk.form_scales.data() + i, &chunk.form_scratch,
            )
            i += FORMS
        for i in range(count):
            self.cache.add(
                chunk.forms[i].hash, chunk.forms[i].utf8, chunk.forms[i].length,
                chunk.form_vectors.data() + <size_t>i * width, chunk.form_scales[i],
            )
        return 0


cdef int _number_of(const Form* form, Chunk* chunk) except -1 nogil:
    """Return the number of a form among the missing forms, to which it is added if it is new."""
    cdef size_t size = 1, slot
    cdef const Form* other
    if chunk.forms.empty():
        while size < 2 * <size_t>chunk.sequences.rows:
            size *= 2
        chunk.slots.assign(size, -1)
    size = chunk.slots.size() - 1
    slot = form.hash & size
    while chunk.slots[slot] >= 0:
        other = &chunk.forms[chunk.slots[slot]]
        if other.hash == form.hash and other.length == form.length and not memcmp(other.utf8, form.utf8, form.length):
            return chunk.slots[slot]
        slot = (slot + 1) & size
    chunk.slots[slot] = <int>chunk.forms.size()
    chunk.forms.push_back(form[0])
    return chunk.slots[slot]
