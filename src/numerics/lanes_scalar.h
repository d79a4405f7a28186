/* lanes.h for plain C, and one thread of a GPU: lanes of width 1. */
#ifndef GZ_NUMERICS_LANES_SCALAR_H
#define GZ_NUMERICS_LANES_SCALAR_H

/* Compilers see through "a < b ? a : b" and make branches of what follows, which no processor foretells: a clamp then
   takes longer than the division before it. The instruction is the same comparison. The proofs read this file as C++,
   with numbers that no instruction knows. */
#if defined(__SSE2__) && defined(__GNUC__) && !defined(__cplusplus)
#define GZ_LEAST_BY_INSTRUCTION 1
#else
#define GZ_LEAST_BY_INSTRUCTION 0
#endif

enum { d_width = 1 };
typedef double d_real;
typedef unsigned d_mask; /* 0 or 1 */
static GZ_INLINE d_real d_load(const double *p) { return *p; }
static GZ_INLINE void d_store(double *p, d_real a) { *p = a; }
static GZ_INLINE d_real d_set1(double a) { return a; }
static GZ_INLINE d_real d_add(d_real a, d_real b) { return a + b; }
static GZ_INLINE d_real d_sub(d_real a, d_real b) { return a - b; }
static GZ_INLINE d_real d_mul(d_real a, d_real b) { return a * b; }
static GZ_INLINE d_real d_div(d_real a, d_real b) { return a / b; }
static GZ_INLINE d_real d_sqrt(d_real a) { return sqrt(a); }
#if GZ_LEAST_BY_INSTRUCTION
static GZ_INLINE d_real d_min(d_real a, d_real b) {
    __asm__("minsd %1, %0" : "+x"(a) : "xm"(b));
    return a;
}
static GZ_INLINE d_real d_max(d_real a, d_real b) {
    __asm__("maxsd %1, %0" : "+x"(a) : "xm"(b));
    return a;
}
#else
static GZ_INLINE d_real d_min(d_real a, d_real b) { return a < b ? a : b; }
static GZ_INLINE d_real d_max(d_real a, d_real b) { return a > b ? a : b; }
#endif
static GZ_INLINE d_real d_abs(d_real a) { return fabs(a); }
static GZ_INLINE d_mask d_lt(d_real a, d_real b) { return a < b; }
static GZ_INLINE d_mask d_le(d_real a, d_real b) { return a <= b; }
static GZ_INLINE d_mask d_eq(d_real a, d_real b) { return a == b; }
static GZ_INLINE d_mask d_m_and(d_mask a, d_mask b) { return a & b; }
static GZ_INLINE unsigned d_m_bits(d_mask a) { return a; }
static GZ_INLINE d_real d_select(d_mask m, d_real a, d_real b) { return m ? a : b; }
static GZ_INLINE d_real d_neg(d_real a) { return -a; }
static GZ_INLINE d_mask d_m_or(d_mask a, d_mask b) { return a | b; }
static GZ_INLINE d_mask d_m_from_bits(unsigned bits) { return bits & 1u; }
/* 2^-e for a size in [2^e, 2^(e+1)) that is normal and below 2^1022; as f_scale_of */
static GZ_INLINE d_real d_scale_of(d_real size) {
    uint64_t bits;
    memcpy(&bits, &size, sizeof bits);
    bits = 0x7fe0000000000000u - (bits & 0x7ff0000000000000u);
    memcpy(&size, &bits, sizeof size);
    return size;
}
static GZ_INLINE void d_load3(const double *const p[1], d_real *x, d_real *y, d_real *z) {
    *x = p[0][0];
    *y = p[0][1];
    *z = p[0][2];
}

enum { f_width = 1 };
typedef float f_real;
typedef unsigned f_mask; /* 0 or 1 */
static GZ_INLINE f_real f_load(const float *p) { return *p; }
static GZ_INLINE void f_store(float *p, f_real a) { *p = a; }
static GZ_INLINE f_real f_set1(float a) { return a; }
static GZ_INLINE f_real f_add(f_real a, f_real b) { return a + b; }
static GZ_INLINE f_real f_sub(f_real a, f_real b) { return a - b; }
static GZ_INLINE f_real f_mul(f_real a, f_real b) { return a * b; }
static GZ_INLINE f_real f_div(f_real a, f_real b) { return a / b; }
static GZ_INLINE f_real f_sqrt(f_real a) { return sqrtf(a); }
#if GZ_LEAST_BY_INSTRUCTION
static GZ_INLINE f_real f_min(f_real a, f_real b) {
    __asm__("minss %1, %0" : "+x"(a) : "xm"(b));
    return a;
}
static GZ_INLINE f_real f_max(f_real a, f_real b) {
    __asm__("maxss %1, %0" : "+x"(a) : "xm"(b));
    return a;
}
#else
static GZ_INLINE f_real f_min(f_real a, f_real b) { return a < b ? a : b; }
static GZ_INLINE f_real f_max(f_real a, f_real b) { return a > b ? a : b; }
#endif
static GZ_INLINE f_real f_abs(f_real a) { return fabsf(a); }
static GZ_INLINE f_mask f_lt(f_real a, f_real b) { return a < b; }
static GZ_INLINE f_mask f_le(f_real a, f_real b) { return a <= b; }
static GZ_INLINE f_mask f_eq(f_real a, f_real b) { return a == b; }
static GZ_INLINE f_mask f_m_and(f_mask a, f_mask b) { return a & b; }
static GZ_INLINE unsigned f_m_bits(f_mask a) { return a; }
static GZ_INLINE f_real f_select(f_mask m, f_real a, f_real b) { return m ? a : b; }
/* 2^-e for a size in [2^e, 2^(e+1)); 0 or not finite where that is no normal float */
static GZ_INLINE f_real f_scale_of(f_real size) {
    uint32_t bits;
    memcpy(&bits, &size, sizeof bits);
    bits = 0x7f000000u - (bits & 0x7f800000u);
    memcpy(&size, &bits, sizeof size);
    return size;
}
/* a difference of doubles, narrowed */
typedef float f_part;
static GZ_INLINE f_part f_narrow_sub(d_real a, d_real b) { return (float)(a - b); }
static GZ_INLINE f_real f_join(const f_part p[1]) { return p[0]; }

#endif
