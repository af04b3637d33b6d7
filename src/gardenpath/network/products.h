/* Products of int8 rows with packed int8 matrices. The integer sums are exact. */

#pragma once

#include <string.h>

#include "baseline.h"
#include "kernels.h"
#include "targets.h"

namespace gp {

/* out = start + sum * (scale of x * scale of w), for the outputs from `first` on. */
GP_INLINE void finish_row(const PackedMatrix& matrix, const Product& p, int row, int first, const int32_t* sums) {
    const float scale = p.scales ? p.scales[row] : STATE_SCALE;
    float* out = p.out + row * p.out_stride + first;
    const int count = matrix.outputs - first < PANEL ? matrix.outputs - first : PANEL;
    for (int i = 0; i < count; i++) {
        const float start = p.add ? out[i] : p.bias ? p.bias[first + i] : 0.0f;
        out[i] = start + (float)sums[i] * (scale * matrix.scales[first + i]);
    }
}

static void multiply_portable(const PackedMatrix& matrix, const Product& p) {
    for (int panel = 0; panel < matrix.panels; panel++) {
        const int8_t* weights = matrix.weights + (size_t)panel * matrix.steps * PANEL * STEP;
        for (int row = 0; row < p.count; row++) {
            int32_t sums[PANEL];
            dot_panel(weights, matrix.steps, p.rows + row * p.stride, sums);
            finish_row(matrix, p, row, panel * PANEL, sums);
        }
    }
}

#if GP_X86

/* AVX2: weights and inputs are extended to int16. vpmaddwd adds pairs of products, so that an accumulator holds two
   partial sums of each of 4 outputs. */

GP_TARGET_AVX2 GP_INLINE __m256i four_inputs(const int8_t* x) {
    return _mm256_cvtepi8_epi16(_mm_castps_si128(_mm_broadcast_ss((const float*)x)));
}

GP_TARGET_AVX2 GP_INLINE __m256 eight_sums(const __m256i* partial) {
    const __m256i sums = _mm256_hadd_epi32(partial[0], partial[1]);
    return _mm256_cvtepi32_ps(_mm256_permute4x64_epi64(sums, 0xD8));
}

GP_TARGET_AVX2 GP_INLINE void finish_eight(const PackedMatrix& matrix, const Product& p, int row, int first,
                                           const __m256i* partial) {
    const __m256 scale = _mm256_set1_ps(p.scales ? p.scales[row] : STATE_SCALE);
    float* out = p.out + row * p.out_stride + first;
    const __m256 start = p.add ? _mm256_loadu_ps(out) : p.bias ? _mm256_loadu_ps(p.bias + first) : _mm256_setzero_ps();
    const __m256 scales = _mm256_mul_ps(scale, _mm256_loadu_ps(matrix.scales + first));
    _mm256_storeu_ps(out, _mm256_add_ps(start, _mm256_mul_ps(eight_sums(partial), scales)));
}

GP_TARGET_AVX2 GP_INLINE void finish_panel(const PackedMatrix& matrix, const Product& p, int row, int panel,
                                           const __m256i* partial) {
    if ((panel + 1) * PANEL <= matrix.outputs) {
        finish_eight(matrix, p, row, panel * PANEL, partial);
        finish_eight(matrix, p, row, panel * PANEL + 8, partial + 2);
        return;
    }
    int32_t pairs[2 * PANEL], sums[PANEL];
    memcpy(pairs, partial, sizeof pairs);
    for (int i = 0; i < PANEL; i++) sums[i] = pairs[2 * i] + pairs[2 * i + 1];
    finish_row(matrix, p, row, panel * PANEL, sums);
}

template <int ROWS>
GP_TARGET_AVX2 GP_INLINE void tile_avx2(const PackedMatrix& matrix, const Product& p, int row, int panel) {
    const int8_t* w = matrix.weights + (size_t)panel * matrix.steps * PANEL * STEP;
    const int8_t* x = p.rows + row * p.stride;
    __m256i sums[2][4], inputs[2];
    __m256i stored[ROWS][4];                       // without it, GCC stores sums in each step
#define GP_BEGIN(r) \
    if (r < ROWS) sums[r][0] = sums[r][1] = sums[r][2] = sums[r][3] = _mm256_setzero_si256();
#define GP_READ(r) \
    if (r < ROWS) inputs[r] = four_inputs(x + r * p.stride);
#define GP_ADD(r, i) \
    if (r < ROWS) sums[r][i] = _mm256_add_epi32(sums[r][i], _mm256_madd_epi16(weights, inputs[r]));
#define GP_WEIGHTS(i)                                                                                     \
    {                                                                                                     \
        const __m256i weights = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i*)(w + 16 * i)));      \
        GP_ADD(0, i) GP_ADD(1, i)                                                                         \
    }
#define GP_STORE(r, i) \
    if (r < ROWS) _mm256_store_si256(&stored[r][i], sums[r][i]);
    GP_BEGIN(0) GP_BEGIN(1)
    for (int step = 0; step < matrix.steps; step++, w += PANEL * STEP, x += STEP) {
        GP_READ(0) GP_READ(1)
        GP_WEIGHTS(0) GP_WEIGHTS(1) GP_WEIGHTS(2) GP_WEIGHTS(3)
    }
    GP_STORE(0, 0) GP_STORE(0, 1) GP_STORE(0, 2) GP_STORE(0, 3)
    GP_STORE(1, 0) GP_STORE(1, 1) GP_STORE(1, 2) GP_STORE(1, 3)
    for (int r = 0; r < ROWS; r++) finish_panel(matrix, p, row + r, panel, stored[r]);
#undef GP_BEGIN
#undef GP_READ
#undef GP_ADD
#undef GP_WEIGHTS
#undef GP_STORE
}

GP_TARGET_AVX2 static void multiply_avx2(const PackedMatrix& matrix, const Product& p) {
    for (int panel = 0; panel < matrix.panels; panel++) {
        int row = 0;
        for (; row + 2 <= p.count; row += 2) tile_avx2<2>(matrix, p, row, panel);
        if (row < p.count) tile_avx2<1>(matrix, p, row, panel);
    }
}

/* AVX-512 VNNI: vpdpbusd multiplies unsigned inputs with signed weights. 128 is added to the inputs; the sums begin
   with the offsets of the matrix, which compensate for it. */

GP_TARGET_AVX512 GP_INLINE __m512i four_unsigned_inputs(const int8_t* x) {
    int32_t four;
    memcpy(&four, x, 4);
    return _mm512_xor_si512(_mm512_set1_epi32(four), _mm512_set1_epi8((char)0x80));
}

GP_TARGET_AVX512 GP_INLINE void finish_sixteen(const PackedMatrix& matrix, const Product& p, int row, int panel,
                                               const int32_t* sums) {
    const int first = panel * PANEL, rest = matrix.outputs - first;
    const __mmask16 mask = rest >= PANEL ? (__mmask16)0xFFFF : (__mmask16)((1 << rest) - 1);
    float* out = p.out + row * p.out_stride + first;
    const __m512 start = p.add ? _mm512_maskz_loadu_ps(mask, out)
                       : p.bias ? _mm512_maskz_loadu_ps(mask, p.bias + first) : _mm512_setzero_ps();
    const __m512 scale = _mm512_set1_ps(p.scales ? p.scales[row] : STATE_SCALE);
    const __m512 scales = _mm512_mul_ps(scale, _mm512_loadu_ps(matrix.scales + first));
    const __m512 floats = _mm512_cvtepi32_ps(_mm512_load_si512(sums));
    _mm512_mask_storeu_ps(out, mask, _mm512_add_ps(start, _mm512_mul_ps(floats, scales)));
}

template <int ROWS, int PANELS>
GP_TARGET_AVX512 GP_INLINE void tile_avx512(const PackedMatrix& matrix, const Product& p, int row, int panel) {
    const size_t panel_size = (size_t)matrix.steps * PANEL * STEP;
    const int8_t* w = matrix.weights + panel * panel_size;
    const int8_t* x = p.rows + row * p.stride;
    alignas(64) int32_t stored[ROWS][PANELS][PANEL];       // else GCC stores the sums in each step
    __m512i sums[6][4], weights[4];
#define GP_BEGIN(r, i) \
    if (r < ROWS && i < PANELS) sums[r][i] = _mm512_loadu_si512(matrix.offsets + (panel + i) * PANEL);
#define GP_WEIGHTS(i) \
    if (i < PANELS) weights[i] = _mm512_loadu_si512(w + i * panel_size);
#define GP_ADD(r, i) \
    if (i < PANELS) sums[r][i] = _mm512_dpbusd_epi32(sums[r][i], inputs, weights[i]);
#define GP_READ(r)                                                            \
    if (r < ROWS) {                                                           \
        const __m512i inputs = four_unsigned_inputs(x + r * p.stride);        \
        GP_PANELS(GP_ADD, r)                                                  \
    }
#define GP_STORE(r, i) \
    if (r < ROWS && i < PANELS) _mm512_store_si512(stored[r][i], sums[r][i]);
#define GP_PANELS(action, r) action(r, 0) action(r, 1) action(r, 2) action(r, 3)
#define GP_ALL(action) \
    GP_PANELS(action, 0) GP_PANELS(action, 1) GP_PANELS(action, 2) \
    GP_PANELS(action, 3) GP_PANELS(action, 4) GP_PANELS(action, 5)
    GP_ALL(GP_BEGIN)
    for (int step = 0; step < matrix.steps; step++, w += PANEL * STEP, x += STEP) {
        GP_WEIGHTS(0) GP_WEIGHTS(1) GP_WEIGHTS(2) GP_WEIGHTS(3)
        GP_READ(0) GP_READ(1) GP_READ(2) GP_READ(3) GP_READ(4) GP_READ(5)
    }
    GP_ALL(GP_STORE)
    for (int i = 0; i < PANELS; i++)
        for (int r = 0; r < ROWS; r++) finish_sixteen(matrix, p, row + r, panel + i, stored[r][i]);
#undef GP_BEGIN
#undef GP_WEIGHTS
#undef GP_ADD
#undef GP_READ
#undef GP_STORE
#undef GP_PANELS
#undef GP_ALL
}

template <int PANELS>
GP_TARGET_AVX512 GP_INLINE void panels_avx512(const PackedMatrix& matrix, const Product& p, int panel) {
    int row = 0;
    for (; row + 6 <= p.count; row += 6) tile_avx512<6, PANELS>(matrix, p, row, panel);
    switch (p.count - row) {
    case 5: tile_avx512<5, PANELS>(matrix, p, row, panel); break;
    case 4: tile_avx512<4, PANELS>(matrix, p, row, panel); break;
    case 3: tile_avx512<3, PANELS>(matrix, p, row, panel); break;
    case 2: tile_avx512<2, PANELS>(matrix, p, row, panel); break;
    case 1: tile_avx512<1, PANELS>(matrix, p, row, panel); break;
    }
}

GP_TARGET_AVX512 static void multiply_avx512(const PackedMatrix& matrix, const Product& p) {
    int panel = 0;
    for (; panel + 4 <= matrix.panels; panel += 4) panels_avx512<4>(matrix, p, panel);
    switch (matrix.panels - panel) {
    case 3: panels_avx512<3>(matrix, p, panel); break;
    case 2: panels_avx512<2>(matrix, p, panel); break;
    case 1: panels_avx512<1>(matrix, p, panel); break;
    }
}

#endif

}  // namespace gp
