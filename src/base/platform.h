/* Every translation unit of the library relies on IEEE arithmetic in double, no contraction, no fast-math. */
#ifndef GZ_BASE_PLATFORM_H
#define GZ_BASE_PLATFORM_H

#include <float.h>

#if !defined(GRAZE_ANY_ARITHMETIC) && /* which is for the test of the self-test alone */                               \
    (defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__))
#error "graze's proofs need IEEE arithmetic: build without -ffast-math, -Ofast and -ffinite-math-only"
#endif
#if !defined(__SIZEOF_INT128__)
#error "graze needs 128-bit integers: a compiler for a 64-bit machine, or clang for WebAssembly"
#endif
#if !defined(GRAZE_ANY_ARITHMETIC) && FLT_EVAL_METHOD != 0
#error "graze needs FLT_EVAL_METHOD 0"
#endif
#if DBL_MANT_DIG != 53 || FLT_MANT_DIG != 24
#error "graze needs IEEE binary64 double and binary32 float"
#endif

/* Marks what a GPU runs too: the pair, its lanes of width 1, its bounds. */
#if defined(__CUDACC__)
#define GZ_PAIR_FN __host__ __device__
#else
#define GZ_PAIR_FN
#endif

#if defined(__MINGW32__)
#define GZ_PRINTF(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define GZ_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define GZ_PRINTF(text, first)
#endif
#if defined(__GNUC__)
#define GZ_NOINLINE __attribute__((noinline))
#define GZ_INLINE GZ_PAIR_FN inline __attribute__((always_inline))
#define GZ_LIKELY(x) __builtin_expect(!!(x), 1)
#define GZ_UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#define GZ_NOINLINE
#define GZ_INLINE GZ_PAIR_FN inline
#define GZ_LIKELY(x) (x)
#define GZ_UNLIKELY(x) (x)
#endif

#endif
