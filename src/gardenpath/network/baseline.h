/* The products of a row with the 16 outputs of a panel, with instructions that all machines of a platform have. */

#pragma once

#include <string.h>

#include "kernels.h"
#include "targets.h"

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace gp {

#if defined(__SSE2__) || defined(_M_X64)

/* Add the products of 4 outputs to two sums of each: those of its first two inputs and those of its last two. */
GP_INLINE void add_four(const int8_t* w, __m128i inputs, __m128i* low, __m128i* high) {
    const __m128i weights = _mm_loadu_si128((const __m128i*)w);
    const __m128i first = _mm_srai_epi16(_mm_unpacklo_epi8(weights, weights), 8);
    const __m128i last = _mm_srai_epi16(_mm_unpackhi_epi8(weights, weights), 8);
    *low = _mm_add_epi32(*low, _mm_madd_epi16(first, inputs));
    *high = _mm_add_epi32(*high, _mm_madd_epi16(last, inputs));
}

GP_INLINE void store_four(__m128i low, __m128i high, int32_t* sums) {
    const __m128 a = _mm_castsi128_ps(low), b = _mm_castsi128_ps(high);
    const __m128i even = _mm_castps_si128(_mm_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0)));
    const __m128i odd = _mm_castps_si128(_mm_shuffle_ps(a, b, _MM_SHUFFLE(3, 1, 3, 1)));
    _mm_storeu_si128((__m128i*)sums, _mm_add_epi32(even, odd));
}

static void dot_panel(const int8_t* w, int steps, const int8_t* x, int32_t* sums) {
    __m128i s0, s1, s2, s3, s4, s5, s6, s7;
    s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = _mm_setzero_si128();
    for (int step = 0; step < steps; step++, w += PANEL * STEP, x += STEP) {
        int32_t four;
        memcpy(&four, x, 4);
        const __m128i bytes = _mm_set1_epi32(four);
        const __m128i inputs = _mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8);
        add_four(w, inputs, &s0, &s1);
        add_four(w + 16, inputs, &s2, &s3);
        add_four(w + 32, inputs, &s4, &s5);
        add_four(w + 48, inputs, &s6, &s7);
    }
    store_four(s0, s1, sums);
    store_four(s2, s3, sums + 4);
    store_four(s4, s5, sums + 8);
    store_four(s6, s7, sums + 12);
}

#elif defined(__ARM_NEON) && defined(__aarch64__)

/* The products of 4 outputs. Without vdotq, an int16 holds a product, and pairs of products are added to an int32. */
GP_INLINE int32x4_t add_four(int32x4_t sums, const int8_t* w, int8x16_t inputs) {
    const int8x16_t weights = vld1q_s8(w);
#if defined(__ARM_FEATURE_DOTPROD)
    return vdotq_s32(sums, weights, inputs);
#else
    const int32x4_t first = vpaddlq_s16(vmull_s8(vget_low_s8(weights), vget_low_s8(inputs)));
    const int32x4_t last = vpaddlq_s16(vmull_high_s8(weights, inputs));
    return vaddq_s32(sums, vpaddq_s32(first, last));
#endif
}

static void dot_panel(const int8_t* w, int steps, const int8_t* x, int32_t* sums) {
    int32x4_t s0, s1, s2, s3;
    s0 = s1 = s2 = s3 = vdupq_n_s32(0);
    for (int step = 0; step < steps; step++, w += PANEL * STEP, x += STEP) {
        int32_t four;
        memcpy(&four, x, 4);
        const int8x16_t inputs = vreinterpretq_s8_s32(vdupq_n_s32(four));
        s0 = add_four(s0, w, inputs);
        s1 = add_four(s1, w + 16, inputs);
        s2 = add_four(s2, w + 32, inputs);
        s3 = add_four(s3, w + 48, inputs);
    }
    vst1q_s32(sums, s0);
    vst1q_s32(sums + 4, s1);
    vst1q_s32(sums + 8, s2);
    vst1q_s32(sums + 12, s3);
}

#else

static void dot_panel(const int8_t* w, int steps, const int8_t* x, int32_t* sums) {
    for (int i = 0; i < PANEL; i++) sums[i] = 0;
    for (int step = 0; step < steps; step++, w += PANEL * STEP, x += STEP)
        for (int i = 0; i < PANEL; i++)
            for (int j = 0; j < STEP; j++) sums[i] += w[STEP * i + j] * x[j];
}

#endif

}  // namespace gp
