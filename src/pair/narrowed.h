/* Differences of pairs in lanes of float: taken in double and then narrowed, so that the slack of float is one of the
   pair's size, not of its distance from the origin. docs/numerics.md, section 4.10. */
#ifndef GZ_PAIR_NARROWED_H
#define GZ_PAIR_NARROWED_H

#include "numerics/kind.h"
#include "pair/probe.h"

/* The differences of f_width pairs: row i of lane l lies at base + offsets[i][l]. */
static GZ_INLINE void narrowed_differences(graze_kind kind, const char *base, const size_t (*offsets)[f_width],
                                           f_vec *w) {
    enum { PART = f_width / f_parts };
    int rows = gz_kind_rows(kind), count = gz_difference_count(kind);
    f_part part[4][3][f_parts];
    for (int half = 0; half < f_parts; half++) {
        d_real x[4][3];
        for (int i = 0; i < rows; i++) {
            const double *p[PART];
            for (int lane = 0; lane < PART; lane++)
                p[lane] = (const double *)(const void *)(base + offsets[i][half * PART + lane]);
            d_load3(p, &x[i][0], &x[i][1], &x[i][2]);
        }
        for (int k = 0; k < count; k++)
            for (int c = 0; c < 3; c++)
                part[k][c][half] = f_narrow_sub(x[gz_difference_to(kind, k)][c], x[gz_difference_from(kind, k)][c]);
    }
    for (int k = 0; k < count; k++) w[k] = (f_vec){f_join(part[k][0]), f_join(part[k][1]), f_join(part[k][2])};
}

/* The factor that scales differences of this size to about 1, so that products of four components neither vanish nor
   overflow; `size` is then that of the scaled ones, and not below what narrowing may have lost. */
static GZ_INLINE f_real narrowed_scale(f_vec *size) {
    f_real scale = f_scale_of(f_max(size->x, f_max(size->y, size->z)));
    f_real least = f_mul(f_max(scale, f_set1(1)), f_set1(GZ_NARROW_TINY));
    *size = (f_vec){f_max(f_mul(size->x, scale), least), f_max(f_mul(size->y, scale), least),
                    f_max(f_mul(size->z, scale), least)};
    return scale;
}

/* The bound that the differences have to exceed along n. `separation` is not scaled. */
static GZ_INLINE f_real narrowed_least(f_vec size, f_vec n, f_real scale, f_real separation, bool separated) {
    f_real slack = f_probe_slack(size, n);
    if (!separated) return slack;
    f_real d = f_mul(separation, scale);
    return f_add(f_mul(f_mul(d, f_probe_norm(n)), f_set1(GZ_NORM_UP_F32)), slack);
}

#endif
