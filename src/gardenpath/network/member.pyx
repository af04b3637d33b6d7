# cython: boundscheck=False, wraparound=False
"""A network of an ensemble, up to the states of its sentence encoder. A single network is an ensemble of one.

The networks of an ensemble read the same words. Each has its own vectors of forms, its own layers, and its own part of
the output layer (`heads`).
"""

from libc.stdint cimport int8_t
from libc.string cimport memcmp, memcpy

from gardenpath.core.hashing cimport hash_bytes
from gardenpath.core.stored import BadModelError
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
        self.outputs = arrays.get("heads.bias", "F32", None).shape[0]
        size, rest = divmod(arrays.get("tag_inputs", "F32", None, None).shape[1], arrays.members)
        if rest or self.outputs <= size * arrays.members:
            raise BadModelError(f"the arrays '{arrays.prefix}heads.bias' and '{arrays.prefix}tag_inputs' do not fit")
        scores = self.outputs - size * arrays.members
        self.first_own = scores + number * size
        self.state_scores, self.state_vector = _two_matrices(own, "heads.state", scores, size, self.states)
        self.word_scores, self.word_vector = _two_matrices(own, "heads.word", scores, size, self.forms.size)
        self.cache.set(max(cached_forms, 0), self.forms.size)
        self.other = Member(arrays, number + 1, cached_forms) if number + 1 < arrays.members else None

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
        """Write z = d + B [h; x] of some rows, with the scores summed over this network and those after it.

        The first network begins the sums; `bias` is d.
        """
        self._multiply(self.state_scores, self.word_scores, chunk, first, rows, bias, self.number > 0, scores)
        self._multiply(
            self.state_vector, self.word_vector, chunk, first, rows, bias + self.first_own, False,
            scores + self.first_own,
        )
        if self.other is not None:
            self.other.score(chunk, first, rows, bias, scores)

    cdef void _multiply(self, Matrix state, Matrix word, const Chunk* chunk, int first, int rows, const float* bias,
                        bint add, float* out) noexcept nogil:
        cdef const Rows* own = &chunk.rows[self.number]
        cdef size_t state_stride = padded(self.states), word_stride = padded(self.forms.size)
        state.multiply(
            own.layers.states.data() + first * state_stride, state_stride, NULL, rows, bias, add, out, self.outputs,
        )
        word.multiply(
            own.words.data() + first * word_stride, word_stride, own.word_scales.data() + first, rows, NULL, True, out,
            self.outputs,
        )

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


cdef _two_matrices(arrays, str name, int scores, int size, int inputs):
    """Return the rows of a matrix for scores and those for the parser's vector, as two matrices."""
    cdef const int8_t[:, ::1] rows = arrays.get(name, "I8", scores + size, inputs)
    cdef const float[::1] scales = arrays.get(f"{name}.scale", "F32", scores + size)
    name = arrays.prefix + name
    return Matrix(rows[:scores], scales[:scores], name), Matrix(rows[scores:], scales[scores:], name)


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
