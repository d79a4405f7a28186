/* The floating-point environment that the proofs assume: round to nearest, subnormals kept, no traps.
   Whoever calls graze may have another one (crtfastmath sets flush-to-zero for the whole process), so it is set at the
   door of every call and on every worker thread, and put back on the way out. */
#ifndef GZ_BASE_FP_ENVIRONMENT_H
#define GZ_BASE_FP_ENVIRONMENT_H

#include "base/platform.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct gz_fp_environment {
    uint64_t saved;
    bool changed;
} gz_fp_environment;

#if defined(__x86_64__) || defined(__SSE2__)
#include <xmmintrin.h>

/* flush-to-zero, rounding control and denormals-are-zero clear, all exceptions masked; the sticky flags do not matter
 */
#define GZ_MXCSR_CARE 0xFFC0u
#define GZ_MXCSR_IEEE 0x1F80u

static inline bool gz_fp_enter(gz_fp_environment *env) {
    uint32_t now = _mm_getcsr();
    env->saved = now;
    env->changed = (now & GZ_MXCSR_CARE) != GZ_MXCSR_IEEE;
    if (GZ_UNLIKELY(env->changed)) _mm_setcsr((now & ~GZ_MXCSR_CARE) | GZ_MXCSR_IEEE);
    return true;
}

static inline void gz_fp_leave(const gz_fp_environment *env) {
    if (GZ_UNLIKELY(env->changed)) _mm_setcsr((uint32_t)env->saved);
}

#elif defined(__aarch64__)

/* FPCR: FZ16, RMode, FZ and DN, and the trap enables, all clear is the IEEE default */
#define GZ_FPCR_CARE 0x07FF9F00u

static inline bool gz_fp_enter(gz_fp_environment *env) {
    uint64_t now;
    __asm__ volatile("mrs %0, fpcr" : "=r"(now));
    env->saved = now;
    env->changed = (now & GZ_FPCR_CARE) != 0;
    if (GZ_UNLIKELY(env->changed)) {
        uint64_t ieee = now & ~(uint64_t)GZ_FPCR_CARE;
        __asm__ volatile("msr fpcr, %0" : : "r"(ieee));
    }
    return true;
}

static inline void gz_fp_leave(const gz_fp_environment *env) {
    if (GZ_UNLIKELY(env->changed)) __asm__ volatile("msr fpcr, %0" : : "r"(env->saved));
}

#else
#include <fenv.h>

/* No portable way to see flush-to-zero: compute a subnormal and look. */
static inline bool gz_fp_enter(gz_fp_environment *env) {
    int mode = fegetround();
    env->saved = (uint64_t)mode;
    env->changed = mode != FE_TONEAREST;
    if (env->changed && fesetround(FE_TONEAREST) != 0) return false;
    volatile double tiny = DBL_MIN;
    tiny *= 0.5;
    if (tiny > 0) return true;
    if (env->changed) fesetround(mode);
    return false;
}

static inline void gz_fp_leave(const gz_fp_environment *env) {
    if (env->changed) fesetround((int)env->saved);
}
#endif

#endif
