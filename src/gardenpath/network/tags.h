/* The distribution of tags: 16 words at a time, one in each lane. */

#pragma once

#include "elementwise.h"

namespace gp {

/* Transpose the scores of parts to [parts, 16]. Lanes without a word repeat the last word. */
GP_INLINE void transpose_parts(const float* scores, size_t stride, int parts, int count, float* lanes) {
    for (int first = 0; first < parts; first += LANES) {
        const int end = parts - first < LANES ? parts : first + LANES;
        for (int lane = 0; lane < LANES; lane++) {
            const float* row = scores + (lane < count ? lane : count - 1) * stride;
            for (int part = first; part < end; part++) lanes[part * LANES + lane] = row[part];
        }
    }
}

/* s_T = sum of the scores of the parts of T; also the best tag of each lane, and its score. */
template <int WIDTH>
GP_INLINE void score_tags(const TagTable& table, const float* parts, float* scores, int32_t* best, float* highest) {
    typedef typename Simd<WIDTH>::Floats Floats;
    typedef typename Simd<WIDTH>::Bits Bits;
    enum { GROUPS = LANES / WIDTH };
    Floats top[GROUPS];
    Bits chosen[GROUPS];
    GP_UNROLL for (int g = 0; g < GROUPS; g++) {
        top[g] = Floats{} - 3e38f;
        chosen[g] = Bits{};
    }
    uint32_t at = 0;
    for (int tag = 0; tag < table.tags; tag++) {
        Floats sums[GROUPS];
        GP_UNROLL for (int g = 0; g < GROUPS; g++) sums[g] = Floats{};
        for (; at < table.ends[tag]; at++) {
            const float* part = parts + (size_t)table.members[at] * LANES;
            GP_UNROLL for (int g = 0; g < GROUPS; g++) sums[g] = sums[g] + loaded<Floats>(part + g * WIDTH);
        }
        GP_UNROLL for (int g = 0; g < GROUPS; g++) {
            chosen[g] = sums[g] > top[g] ? Bits{} + (uint32_t)tag : chosen[g];
            top[g] = sums[g] > top[g] ? sums[g] : top[g];
            memcpy(scores + (size_t)tag * LANES + g * WIDTH, &sums[g], sizeof sums[g]);
        }
    }
    memcpy(best, chosen, sizeof chosen);
    memcpy(highest, top, sizeof top);
}

/* Replace scores by e^(s - highest s), and return the sums over all tags. */
template <int WIDTH>
GP_INLINE void exponentials_of_tags(float* scores, int tags, const float* highest, float* sums) {
    typedef typename Simd<WIDTH>::Floats Floats;
    for (int first = 0; first < LANES; first += WIDTH) {
        const Floats top = loaded<Floats>(highest + first);
        Floats total = Floats{};
        for (int tag = 0; tag < tags; tag++) {
            float* own = scores + (size_t)tag * LANES + first;
            const Floats value = exp_of<Floats, typename Simd<WIDTH>::Bits>(limited(loaded<Floats>(own) - top, -87, 0));
            total = total + value;
            memcpy(own, &value, sizeof value);
        }
        memcpy(sums + first, &total, sizeof total);
    }
}

/* Return whether a value of these tags exceeds the limit of its lane. */
template <int WIDTH>
GP_INLINE bool any_above(const float* values, int tags, const float* limits) {
    typedef typename Simd<WIDTH>::Floats Floats;
    typedef typename Simd<WIDTH>::Bits Bits;
    Bits signs = Bits{};
    for (int first = 0; first < LANES; first += WIDTH) {
        const Floats limit = loaded<Floats>(limits + first);
        for (int tag = 0; tag < tags; tag++)
            signs = signs | same_bits<Bits>(limit - loaded<Floats>(values + tag * LANES + first));
    }
    uint32_t all[WIDTH], any = 0;
    memcpy(all, &signs, sizeof signs);
    for (int i = 0; i < WIDTH; i++) any |= all[i];
    return any >> 31;
}

/* v = v + sum of p_T U[T] over the tags that are likely enough. Four tags at a time are skipped if none is. */
template <int WIDTH>
GP_INLINE void add_inputs(const TagTable& table, const float* exponentials, const float* sums, int count,
                          float* vectors, size_t vector_stride) {
    float least[LANES];
    for (int lane = 0; lane < LANES; lane++) least[lane] = sums[lane] * LEAST_PROBABILITY;
    for (int first = 0; first < table.tags; first += 4) {
        const int end = first + 4 < table.tags ? first + 4 : table.tags;
        if (!any_above<WIDTH>(exponentials + (size_t)first * LANES, end - first, least)) continue;
        for (int tag = first; tag < end; tag++) {
            const float* own = exponentials + (size_t)tag * LANES;
            const float* inputs = table.inputs + (size_t)tag * table.size;
            for (int lane = 0; lane < count; lane++) {
                if (!(own[lane] > least[lane])) continue;
                const float probability = own[lane] / sums[lane];
                float* vector = vectors + lane * vector_stride;
                for (int i = 0; i < table.size; i++) vector[i] += probability * inputs[i];
            }
        }
    }
}

template <int WIDTH>
GP_INLINE void mix_tags_body(const TagTable& table, const float* scores, size_t stride, int count, float* scratch,
                             TagResult* results, float* vectors, size_t vector_stride) {
    float highest[LANES], sums[LANES];
    int32_t best[LANES];
    float* tags = scratch + (size_t)table.parts * LANES;
    transpose_parts(scores, stride, table.parts, count, scratch);
    score_tags<WIDTH>(table, scratch, tags, best, highest);
    exponentials_of_tags<WIDTH>(tags, table.tags, highest, sums);
    for (int lane = 0; lane < count; lane++) results[lane] = TagResult{best[lane], 1.0f / sums[lane]};
    add_inputs<WIDTH>(table, tags, sums, count, vectors, vector_stride);
}

GP_VERSIONS(void, mix_tags,
            (const TagTable& table, const float* scores, size_t stride, int count, float* scratch, TagResult* results,
             float* vectors, size_t vector_stride),
            (table, scores, stride, count, scratch, results, vectors, vector_stride))

}  // namespace gp
