/* Exponentials, steps of LSTMs and quantisation, for vectors of any width. */

#pragma once

#include <string.h>

#include "kernels.h"
#include "targets.h"

namespace gp {

static const float ROUNDER = 12582912.0f;          // 1.5 * 2^23: adding it rounds to whole numbers, ties to even
static const uint32_t ROUNDER_BITS = 0x4B400000;   // its bits; those of a sum differ from them by the whole number

template <class To, class From>
GP_INLINE To same_bits(const From& from) {
    static_assert(sizeof(To) == sizeof(From), "");
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}

template <class Vector, class Value>
GP_INLINE Vector loaded(const Value* from) {
    Vector vector;
    memcpy(&vector, from, sizeof vector);
    return vector;
}

template <class Floats>
GP_INLINE Floats limited(const Floats& x, float low, float high) {
    const Floats above = x < low ? Floats{} + low : x;
    return above > high ? Floats{} + high : above;
}

/* e^x = 2^n e^r with |r| <= ln(2) / 2. The polynomial is that of Cephes (expf). x must be in -87 .. 88. */
template <class Floats, class Bits>
GP_INLINE Floats exp_of(const Floats& x) {
    const Floats rounded = x * 1.44269504088896341f + ROUNDER;
    const Floats n = rounded - ROUNDER;
    Floats r = x - n * 0.693359375f;
    r = r - n * -2.12194440e-4f;
    Floats p = r * 1.9875691500e-4f + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * (r * r) + r + 1.0f;
    return p * same_bits<Floats>((same_bits<Bits>(rounded) - ROUNDER_BITS + 127) << 23);
}

template <int WIDTH>
GP_INLINE void exponential_body(float* values, size_t count) {
    typedef typename Simd<WIDTH>::Floats Floats;
    size_t i = 0;
    for (; i + WIDTH <= count; i += WIDTH) {
        const Floats result = exp_of<Floats, typename Simd<WIDTH>::Bits>(limited(loaded<Floats>(values + i), -87, 88));
        memcpy(values + i, &result, sizeof result);
    }
    for (; i < count; i++) values[i] = exp_of<float, uint32_t>(limited(values[i], -87, 88));
}

/* c' = sig(f) c + sig(i) tanh(g) and h' = sig(o) tanh(c'), with sig(x) = 1 / (1 + e^-x), tanh(x) = 2 sig(2x) - 1, and
   the fractions brought to a common denominator. Beyond 20, a sigmoid is 0 or 1 in float32. h' replaces the gate i. */
template <class Floats, class Bits>
GP_INLINE void lstm_cells(float* gates, float* cells, int hidden) {
    const Floats e_in = exp_of<Floats, Bits>(limited(-loaded<Floats>(gates), -20, 20));
    const Floats e_forget = exp_of<Floats, Bits>(limited(-loaded<Floats>(gates + hidden), -20, 20));
    const Floats e_new = exp_of<Floats, Bits>(limited(-2.0f * loaded<Floats>(gates + 2 * hidden), -20, 20));
    const Floats e_out = exp_of<Floats, Bits>(limited(-loaded<Floats>(gates + 3 * hidden), -20, 20));
    const Floats new_part = (1.0f + e_in) * (1.0f + e_new), old_part = 1.0f + e_forget;
    const Floats cell = (loaded<Floats>(cells) * new_part + (1.0f - e_new) * old_part) / (new_part * old_part);
    const Floats e_cell = exp_of<Floats, Bits>(limited(-2.0f * cell, -20, 20));
    const Floats state = (1.0f - e_cell) / ((1.0f + e_out) * (1.0f + e_cell));
    memcpy(cells, &cell, sizeof cell);
    memcpy(gates, &state, sizeof state);
}

/* Round values * factor, which must be at most 127, to the nearest whole numbers. */
GP_INLINE void round_to_int8(const float* values, int size, float factor, int8_t* out) {
    for (int i = 0; i < size; i++) {
        out[i] = (int8_t)(same_bits<uint32_t>(values[i] * factor + ROUNDER) & 0xFFu);
    }
}

template <int WIDTH>
GP_INLINE void lstm_step_body(float* gates, float* cells, int8_t* states, size_t state_stride, int hidden, int count) {
    for (int row = 0; row < count; row++, gates += 4 * hidden, cells += hidden, states += state_stride) {
        int i = 0;
        for (; i + WIDTH <= hidden; i += WIDTH)
            lstm_cells<typename Simd<WIDTH>::Floats, typename Simd<WIDTH>::Bits>(gates + i, cells + i, hidden);
        for (; i < hidden; i++) lstm_cells<float, uint32_t>(gates + i, cells + i, hidden);
        round_to_int8(gates, hidden, 127.0f, states);
    }
}

/* Return the largest value, or the largest absolute value. The bits of floats without sign have the same order. */
GP_INLINE float largest_of(const float* values, int size, bool relu) {
    const int32_t mask = relu ? -1 : 0x7FFFFFFF;
    int32_t largest = 0;
    for (int i = 0; i < size; i++) {
        const int32_t bits = same_bits<int32_t>(values[i]) & mask;
        largest = bits > largest ? bits : largest;
    }
    return same_bits<float>(largest);
}

template <int WIDTH>
GP_INLINE float quantise_body(const float* values, int size, bool relu, int8_t* out) {
    const float largest = largest_of(values, size, relu);
    if (!(largest > 1e-30f && largest < 1e30f)) {          // zeros, or values that cannot be used
        memset(out, 0, size);
        return 1.0f;
    }
    const float factor = 127.0f / largest;
    if (!relu) {
        round_to_int8(values, size, factor, out);
    } else {
        for (int i = 0; i < size; i++) {
            const int32_t bits = same_bits<int32_t>(values[i]);
            const float positive = same_bits<float>(bits & ~(bits >> 31));
            out[i] = (int8_t)(same_bits<uint32_t>(positive * factor + ROUNDER) & 0xFFu);
        }
    }
    return largest / 127.0f;
}

GP_VERSIONS(void, exponential, (float* values, size_t count), (values, count))
GP_VERSIONS(void, lstm_step,
            (float* gates, float* cells, int8_t* states, size_t state_stride, int hidden, int count),
            (gates, cells, states, state_stride, hidden, count))
GP_VERSIONS(float, quantise, (const float* values, int size, bool relu, int8_t* out), (values, size, relu, out))

}  // namespace gp
