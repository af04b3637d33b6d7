/* The recurrence of LSTMs for training, forwards and backwards, in single precision.

   The words of a batch are sorted by their position in the sentence, and the sentences by their length, the longest
   first. So the words at one position are neighbouring rows. The size of a state is a multiple of 16. */

#include <stdint.h>
#include <string.h>
#include <vector>

struct Steps {
    int count;               /* number of positions */
    int size;                /* of a state */
    const int64_t* sizes;    /* by position: the number of words */
    const int64_t* first;    /* by position: the first word */
};

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#define GP_X86 1
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512dq,fma")
#define GP_FLOATS 16
#define GP_VECTORS 4
#define GP_ROWS 6
namespace gp_avx512 {
#include "recurrence_body.h"
}
#undef GP_FLOATS
#undef GP_VECTORS
#undef GP_ROWS
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#define GP_FLOATS 8
#define GP_VECTORS 2
#define GP_ROWS 6
namespace gp_avx2 {
#include "recurrence_body.h"
}
#undef GP_FLOATS
#undef GP_VECTORS
#undef GP_ROWS
#pragma GCC pop_options
#endif

#define GP_FLOATS 4
#define GP_VECTORS 2
#define GP_ROWS 4
namespace gp_portable {
#include "recurrence_body.h"
}

/* The instruction sets, the fastest first. */
enum GpSet { GP_AVX512, GP_AVX2, GP_PORTABLE };

static bool gp_has_set(int set) {
#ifdef GP_X86
    if (set == GP_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    if (set == GP_AVX2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
    return set == GP_PORTABLE;
}

static void gp_run_lstm(
    int set, const Steps& s, bool backwards, const float* weights, float* gates, float* cells, float* squashed,
    float* states
) {
#ifdef GP_X86
    if (set == GP_AVX512) return gp_avx512::run(s, backwards, weights, gates, cells, squashed, states);
    if (set == GP_AVX2) return gp_avx2::run(s, backwards, weights, gates, cells, squashed, states);
#endif
    gp_portable::run(s, backwards, weights, gates, cells, squashed, states);
}

static void gp_run_lstm_back(
    int set, const Steps& s, bool backwards, const float* weights, float* gates, const float* cells,
    const float* squashed, const float* from_states
) {
#ifdef GP_X86
    if (set == GP_AVX512) return gp_avx512::run_back(s, backwards, weights, gates, cells, squashed, from_states);
    if (set == GP_AVX2) return gp_avx2::run_back(s, backwards, weights, gates, cells, squashed, from_states);
#endif
    gp_portable::run_back(s, backwards, weights, gates, cells, squashed, from_states);
}
