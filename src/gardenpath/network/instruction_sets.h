/* The tables of kernels, and the choice among them. One module includes this file; others get a table from it. */

#pragma once

#include "elementwise.h"
#include "products.h"
#include "tags.h"

namespace gp {

#define GP_TABLE(set) {#set, multiply_##set, exponential_##set, lstm_step_##set, quantise_##set, mix_tags_##set}

static const Kernels PORTABLE = GP_TABLE(portable);
#if GP_X86
static const Kernels AVX2 = GP_TABLE(avx2);
static const Kernels AVX512 = GP_TABLE(avx512);
#endif

/* Return the kernels of an instruction set, from the fastest to the portable one; NULL: not on this machine. */
static const Kernels* kernels_of(int number) {
#if GP_X86
    __builtin_cpu_init();
    if (number == 0) {
        const bool supported = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
            && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")
            && __builtin_cpu_supports("avx512vnni");
        return supported ? &AVX512 : NULL;
    }
    if (number == 1) return __builtin_cpu_supports("avx2") ? &AVX2 : NULL;
#endif
    return number == 2 ? &PORTABLE : NULL;
}

}  // namespace gp
