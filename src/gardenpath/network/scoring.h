/* The scores of a configuration: hidden = relu(bias + the sum of some rows), scores = bias + hidden * weights.

   The number of columns is a multiple of 16. All versions make the same additions and multiplications in the same
   order, so they give the same bits. With GCC on x86-64 Linux, versions for AVX2 and AVX-512 are compiled as well. The
   best one is chosen when the library is loaded. Scores are limited, so that they are numbers whatever a model file
   contains. */

#include <stdint.h>
#include <string.h>

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__gnu_linux__)
#define GP_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define GP_CLONES
#endif

#define GP_LARGEST_SCORE 1e30f

#if defined(__GNUC__) || defined(__clang__)

typedef float gp_floats __attribute__((vector_size(64)));

GP_CLONES
static void gp_hidden(const float* bias, const float* const* rows, int count, float* hidden, int size) {
    for (int first = 0; first < size; first += 16) {
        gp_floats sum, row;
        memcpy(&sum, bias + first, 64);
        for (int i = 0; i < count; i++) {
            memcpy(&row, rows[i] + first, 64);
            sum += row;
        }
        sum = (gp_floats)((sum > 0) & (__typeof__(sum > 0))sum);
        memcpy(hidden + first, &sum, 64);
    }
}

/* The scores of 16 * BLOCKS columns. `active` are the hidden units that are not zero. */
#define GP_SCORE_BLOCK(BLOCKS)                                                                     \
    {                                                                                              \
        gp_floats sums[BLOCKS], row;                                                               \
        memcpy(sums, bias + first, 64 * BLOCKS);                                                   \
        for (int i = 0; i < count; i++) {                                                          \
            const float* weight = weights + (size_t)active[i] * columns + first;                   \
            for (int block = 0; block < BLOCKS; block++) {                                         \
                memcpy(&row, weight + 16 * block, 64);                                             \
                sums[block] += row * hidden[active[i]];                                            \
            }                                                                                      \
        }                                                                                          \
        const gp_floats largest = gp_floats{} + GP_LARGEST_SCORE;                                  \
        for (int block = 0; block < BLOCKS; block++) {                                             \
            sums[block] = sums[block] > -largest ? sums[block] : -largest;                         \
            sums[block] = sums[block] < largest ? sums[block] : largest;                           \
        }                                                                                          \
        memcpy(scores + first, sums, 64 * BLOCKS);                                                 \
        first += 16 * BLOCKS;                                                                      \
    }

GP_CLONES
static void gp_scores(
    const float* bias, const float* weights, const float* hidden, const int* active, int count, float* scores,
    int columns
) {
    int first = 0;
    while (first + 64 <= columns) GP_SCORE_BLOCK(4)
    while (first < columns) GP_SCORE_BLOCK(1)
}

#else

static void gp_hidden(const float* bias, const float* const* rows, int count, float* hidden, int size) {
    for (int j = 0; j < size; j++) {
        float sum = bias[j];
        for (int i = 0; i < count; i++) sum += rows[i][j];
        hidden[j] = sum > 0 ? sum : 0;
    }
}

static void gp_scores(
    const float* bias, const float* weights, const float* hidden, const int* active, int count, float* scores,
    int columns
) {
    memcpy(scores, bias, columns * sizeof(float));
    for (int i = 0; i < count; i++) {
        const float* row = weights + (size_t)active[i] * columns;
        for (int j = 0; j < columns; j++) scores[j] += row[j] * hidden[active[i]];
    }
    for (int j = 0; j < columns; j++) {
        scores[j] = scores[j] > -GP_LARGEST_SCORE ? scores[j] : -GP_LARGEST_SCORE;
        scores[j] = scores[j] < GP_LARGEST_SCORE ? scores[j] : GP_LARGEST_SCORE;
    }
}

#endif
