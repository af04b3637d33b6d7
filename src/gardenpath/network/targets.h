/* The instruction sets that functions are compiled for. */

#pragma once

#include <stdint.h>

#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
#define GP_X86 1
#include <immintrin.h>
#define GP_TARGET_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))
#define GP_TARGET_AVX2 __attribute__((target("avx2")))
#else
#define GP_X86 0
#endif

#if defined(__GNUC__) || defined(__clang__)
#define GP_INLINE static inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define GP_INLINE static __forceinline
#else
#define GP_INLINE static inline
#endif

#if defined(__clang__)
#define GP_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define GP_UNROLL _Pragma("GCC unroll 8")
#pragma GCC diagnostic ignored "-Wpsabi"                   // about vectors as arguments: all such calls are inlined
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"     // in the intrinsics of GCC 12
#else
#define GP_UNROLL
#endif

namespace gp {

/* Vectors of floats and of their bits. Other compilers get scalars. */
template <int WIDTH>
struct Simd;

#if defined(__GNUC__) || defined(__clang__)
#define GP_SIMD(width)                                                                    \
    template <>                                                                           \
    struct Simd<width> {                                                                  \
        typedef float Floats __attribute__((vector_size(4 * width)));                     \
        typedef uint32_t Bits __attribute__((vector_size(4 * width)));                    \
    };
GP_SIMD(4)
GP_SIMD(8)
GP_SIMD(16)
#define GP_PORTABLE_WIDTH 4
#else
#define GP_PORTABLE_WIDTH 1
#endif

template <>
struct Simd<1> {
    typedef float Floats;
    typedef uint32_t Bits;
};

}  // namespace gp

/* Compile the template NAME_body<WIDTH>, which must be GP_INLINE, once for each instruction set. */
#define GP_VERSION(target, result, name, set, width, parameters, arguments) \
    target static result name##_##set parameters { return name##_body<width> arguments; }
#define GP_NO_TARGET
#if GP_X86
#define GP_VERSIONS(result, name, parameters, arguments)                                 \
    GP_VERSION(GP_TARGET_AVX512, result, name, avx512, 16, parameters, arguments)        \
    GP_VERSION(GP_TARGET_AVX2, result, name, avx2, 8, parameters, arguments)             \
    GP_VERSION(GP_NO_TARGET, result, name, portable, GP_PORTABLE_WIDTH, parameters, arguments)
#else
#define GP_VERSIONS(result, name, parameters, arguments) \
    GP_VERSION(GP_NO_TARGET, result, name, portable, GP_PORTABLE_WIDTH, parameters, arguments)
#endif
