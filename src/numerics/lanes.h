/* Doubles and floats in lanes, one set of names for every instruction set.
 *
 * d_… are doubles, f_… floats, and both live in one unit. A unit defines one of GZ_SIMD_SCALAR, GZ_SIMD_AVX2,
 * GZ_SIMD_AVX512, GZ_SIMD_NEON, GZ_SIMD_WASM first; without any, lanes have the width 1. Every operation is the IEEE
 * one in each lane and min, max are "a < b ? a : b" everywhere, so all paths agree bit for bit, NaN and signed zeros
 * included.
 *
 * What is written once for both uses the v_… names below: as_double.h and as_float.h say which they are from there on.
 */
#ifndef GZ_NUMERICS_LANES_H
#define GZ_NUMERICS_LANES_H

#include "base/platform.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef double d_element;
typedef float f_element;

#if defined(GZ_SIMD_AVX512)
#include "numerics/lanes_avx512.h"
#elif defined(GZ_SIMD_AVX2)
#include "numerics/lanes_avx2.h"
#elif defined(GZ_SIMD_NEON)
#include "numerics/lanes_neon.h"
#elif defined(GZ_SIMD_WASM)
#include "numerics/lanes_wasm.h"
#else
#include "numerics/lanes_scalar.h"
#endif

/* f_parts differences of doubles, narrowed, make up the lanes of float */
enum { f_parts = (int)f_width / (int)d_width };

/* lane i of x, y, z from p[i][0], p[i][1], p[i][2] */
static GZ_INLINE void f_load3(const float *const p[f_width], f_real *x, f_real *y, f_real *z) {
    float lanes[3][f_width];
    for (int i = 0; i < f_width; i++)
        for (int c = 0; c < 3; c++) lanes[c][i] = p[i][c];
    *x = f_load(lanes[0]);
    *y = f_load(lanes[1]);
    *z = f_load(lanes[2]);
}

/* lane i of start and end from b[i] − a[i], where the first three of eight are the start and those from the fifth on
   the end */
#if !defined(GZ_SIMD_AVX512) && !defined(GZ_SIMD_AVX2)
static GZ_INLINE void f_sub_ends(const float *const a[f_width], const float *const b[f_width], f_real start[3],
                                 f_real end[3]) {
    float lanes[2][3][f_width];
    for (int i = 0; i < f_width; i++)
        for (int c = 0; c < 3; c++) {
            lanes[0][c][i] = b[i][c] - a[i][c];
            lanes[1][c][i] = b[i][4 + c] - a[i][4 + c];
        }
    for (int c = 0; c < 3; c++) {
        start[c] = f_load(lanes[0][c]);
        end[c] = f_load(lanes[1][c]);
    }
}
#endif

#ifndef GZ_SIMD_AVX512
static GZ_INLINE d_real d_max_abs(d_real a, d_real b) { return d_max(d_abs(a), d_abs(b)); }
static GZ_INLINE f_real f_max_abs(f_real a, f_real b) { return f_max(f_abs(a), f_abs(b)); }
#endif

/* V(name) is d_name or f_name */
#define GZ_PASTE_(a, b) a##_##b
#define GZ_PASTE(a, b) GZ_PASTE_(a, b)
#define V(name) GZ_PASTE(V_PREFIX, name)

#define v_element V(element)
#define v_real V(real)
#define v_mask V(mask)
#define v_width V(width)
#define v_load V(load)
#define v_load3 V(load3)
#define v_store V(store)
#define v_set1 V(set1)
#define v_add V(add)
#define v_sub V(sub)
#define v_mul V(mul)
#define v_div V(div)
#define v_sqrt V(sqrt)
#define v_min V(min)
#define v_max V(max)
#define v_abs V(abs)
#define v_max_abs V(max_abs)
#define v_lt V(lt)
#define v_le V(le)
#define v_eq V(eq)
#define v_select V(select)
#define m_and V(m_and)
#define m_bits V(m_bits)
#define V_ALL_LANES ((1u << v_width) - 1u)

#include "numerics/as_double.h"

#endif
