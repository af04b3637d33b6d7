/* Add dense rows to scores, 16 classes at a time, so that the sums stay in registers. The lengths of rows and scores
   are multiples of 16. With GCC on x86-64 Linux, a version for AVX2 is compiled as well. It is chosen when the library
   is loaded on a machine that supports it. */

#include <stdint.h>
#include <string.h>

#if defined(__GNUC__) || defined(__clang__)

#if !defined(__clang__) && defined(__x86_64__) && defined(__gnu_linux__)
__attribute__((target_clones("avx2", "default")))
#endif
static void gp_add_dense(const uint32_t* rows, const uint32_t* places, int count, int32_t* scores, int classes) {
    typedef int16_t short8 __attribute__((vector_size(16)));
    typedef int32_t int8 __attribute__((vector_size(32)));
    for (int first = 0; first < classes; first += 16) {
        int8 low, high;
        memcpy(&low, scores + first, 32);
        memcpy(&high, scores + first + 8, 32);
        for (int i = 0; i < count; i++) {
            short8 a, b;
            const int16_t* row = (const int16_t*)(rows + places[i]) + first;
            memcpy(&a, row, 16);
            memcpy(&b, row + 8, 16);
            low += __builtin_convertvector(a, int8);
            high += __builtin_convertvector(b, int8);
        }
        memcpy(scores + first, &low, 32);
        memcpy(scores + first + 8, &high, 32);
    }
}

#else

static void gp_add_dense(const uint32_t* rows, const uint32_t* places, int count, int32_t* scores, int classes) {
    for (int i = 0; i < count; i++) {
        const int16_t* row = (const int16_t*)(rows + places[i]);
        for (int j = 0; j < classes; j++) scores[j] += row[j];
    }
}

#endif
