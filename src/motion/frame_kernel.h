/* Products of moving frames, the four columns of a row side by side: gz_frame_compose() and gz_frame_seen_from(). In
   every lane the operations of taylor.h in their order; what is known to be 0 is multiplied here, which changes no bit.
   Not for lanes of more than four doubles. */
#include "motion/frame.h"
#include "motion/taylor.h"

#include "numerics/lanes.h"

#if defined(GZ_SIMD_AVX512)
#define GZ_FRAME_KERNELS .frame = NULL, .turn = NULL
#else
#define GZ_FRAME_KERNELS .frame = frame_kernel, .turn = turn_kernel

/* A sum of products on its way: gz_taylor and gz_taylor_tail in lanes. */
typedef struct frame_sum {
    d_real c[4], r, d4, d5, d6, rounding;
} frame_sum;

/* a·b + c·d */
static GZ_INLINE d_real frame_two(d_real a, d_real b, d_real c, d_real d) { return d_add(d_mul(a, b), d_mul(c, d)); }

/* Entry [i][l] of a times columns j … of row k of b, where nothing moves. */
static GZ_INLINE void frame_add_still(frame_sum *f, const gz_frame_model *a, int i, int l, const gz_frame_model *b,
                                      int k, int j) {
    d_real xr = d_set1(a->r[i][l]), xn = d_set1(a->n[i][l]), yr = d_load(b->r[k] + j), yn = d_load(b->n[k] + j);
    f->c[0] = d_add(f->c[0], d_mul(d_set1(a->c[0][i][l]), d_load(b->c[0][k] + j)));
    f->rounding = d_add(f->rounding, d_mul(xn, yn));
    f->r = d_add(f->r, d_add(d_mul(xr, d_add(yn, yr)), d_mul(xn, yr)));
}

/* As frame_add_still(), but where something moves. */
static GZ_INLINE void frame_add_product(frame_sum *f, const gz_frame_model *a, int i, int l, const gz_frame_model *b,
                                        int k, int j) {
    d_real x[4], y[4];
    for (int q = 0; q < 4; q++) x[q] = d_set1(a->c[q][i][l]), y[q] = d_load(b->c[q][k] + j);
    frame_add_still(f, a, i, l, b, k, j);
    f->c[1] = d_add(f->c[1], frame_two(x[0], y[1], x[1], y[0]));
    f->c[2] = d_add(f->c[2], d_add(frame_two(x[0], y[2], x[1], y[1]), d_mul(x[2], y[0])));
    f->c[3] = d_add(f->c[3], d_add(d_add(frame_two(x[0], y[3], x[1], y[2]), d_mul(x[2], y[1])), d_mul(x[3], y[0])));
    f->d4 = d_add(f->d4, d_add(frame_two(x[1], y[3], x[2], y[2]), d_mul(x[3], y[1])));
    f->d5 = d_add(f->d5, frame_two(x[2], y[3], x[3], y[2]));
    f->d6 = d_add(f->d6, d_mul(x[3], y[3]));
}

/* gz_taylor_close() into columns j … of row i */
static GZ_INLINE void frame_close(const d_real c[4], d_real r, gz_frame_model *out, int i, int j) {
    d_real up = d_set1(GZ_TAYLOR_UP);
    d_real n = d_add(d_add(d_add(d_abs(c[0]), d_abs(c[1])), d_abs(c[2])), d_abs(c[3]));
    for (int q = 0; q < 4; q++) d_store(out->c[q][i] + j, c[q]);
    d_store(out->n[i] + j, d_mul(n, up));
    d_store(out->r[i] + j, d_add(d_mul(r, up), d_set1(GZ_TAYLOR_TINY)));
}

/* gz_taylor_finish() */
static GZ_INLINE void frame_finish(frame_sum *f, gz_frame_model *out, int i, int j) {
    d_real half = d_set1(0.5);
    f->c[0] = d_add(f->c[0], frame_two(half, f->d4, half, f->d6));
    d_real rest = d_add(d_add(d_mul(half, d_abs(f->d4)), d_abs(f->d5)), d_mul(half, d_abs(f->d6)));
    d_real r = d_add(f->r, d_add(rest, d_mul(d_set1(GZ_TAYLOR_SLACK), f->rounding)));
    frame_close(f->c, r, out, i, j);
}

/* Only the lane of column 3 of what is loaded. */
static GZ_INLINE d_real frame_origin(const double row[4], int j) {
    static const double none[4] = {0, 0, 0, 1};
    return d_mul(d_load(none + j), d_load(row + j));
}

static GZ_INLINE void frame_row(const gz_frame_model *a, const gz_frame_model *b, bool back, bool still, int i,
                                gz_frame_model *out) {
    d_real zero = d_set1(0);
    for (int j = 0; j < 4; j += d_width) {
        frame_sum f = {.r = back ? zero : frame_origin(a->r[i], j), .d4 = zero, .d5 = zero, .d6 = zero};
        for (int q = 0; q < 4; q++) f.c[q] = back || (still && q) ? zero : frame_origin(a->c[q][i], j);
        f.rounding = back ? zero : frame_origin(a->n[i], j);
        for (int k = 0; k < 3; k++) {
            int row = back ? k : i, column = back ? i : k;
            if (still)
                frame_add_still(&f, a, row, column, b, k, j);
            else
                frame_add_product(&f, a, row, column, b, k, j);
        }
        frame_finish(&f, out, i, j);
    }
}

/* out = a·b, or with `back` the transpose of a's rotation times b, without a's origin */
static void frame_kernel(const gz_frame_model *a, const gz_frame_model *b, bool back, bool still, gz_frame_model *out) {
    for (int i = 0; i < 3; i++)
        if (still)
            frame_row(a, b, back, true, i, out);
        else
            frame_row(a, b, back, false, i, out);
}

/* Row by row gz_taylor_mix(fixed, cosine, …, sine, …): the first three columns. */
static void turn_kernel(const gz_turn *turn, const gz_taylor *cosine, const gz_taylor *sine, double error,
                        gz_frame_model *out) {
    double reach = 1 + (cosine->n + cosine->r) + (sine->n + sine->r), beyond = error * reach;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j += d_width) {
            d_real k0 = d_load(turn->fixed.m[i] + j), k1 = d_load(turn->cosine.m[i] + j);
            d_real k2 = d_load(turn->sine.m[i] + j), a1 = d_abs(k1), a2 = d_abs(k2), c[4];
            d_real sizes = d_add(d_add(d_abs(k0), d_mul(d_set1(cosine->n), a1)), d_mul(d_set1(sine->n), a2));
            d_real r = d_add(frame_two(d_set1(cosine->r), a1, d_set1(sine->r), a2), d_set1(beyond));
            for (int q = 0; q < 4; q++) c[q] = frame_two(d_set1(cosine->c[q]), k1, d_set1(sine->c[q]), k2);
            c[0] = d_add(c[0], k0);
            frame_close(c, d_add(r, d_mul(d_set1(GZ_TAYLOR_SLACK), sizes)), out, i, j);
        }
}
#endif
