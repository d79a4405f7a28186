/* The first probe of many pairs, one pair to a lane: in float, since it settles nine pairs in ten and float has twice
   the lanes. docs/numerics.md, section 4.2. */
#include "pair/narrowed.h"
#include "pair/source.h"

#include <stdbool.h>

#include "numerics/as_float.h"

/* where the rows of pairs are: at both ends of the step the same offset from a base */
typedef struct row_finder {
    const char *base[2];
    const uint32_t (*ids)[4]; /* NULL: queries, one after another */
    size_t stride;            /* from one vertex, or query, to the next */
    const float *separations; /* NULL: one for all */
} row_finder;

static GZ_INLINE size_t row_offset(const row_finder *rows, size_t stride, size_t pair, int i) {
    return rows->ids ? rows->ids[pair][i] * stride : pair * stride + (size_t)i * sizeof(double[3]);
}

static GZ_INLINE v_real probe_lanes(graze_kind kind, const row_finder *rows, const size_t (*offsets)[f_width],
                                    v_real separation, bool separated, v_vec *n) {
    int count = gz_difference_count(kind);
    v_vec w0[4], w1[4], middle[4];
    narrowed_differences(kind, rows->base[0], offsets, w0);
    narrowed_differences(kind, rows->base[1], offsets, w1);
    v_vec size = probe_size(w0, w1, count);
    v_real scale = narrowed_scale(&size);
    for (int k = 0; k < count; k++) {
        w0[k] = vec_scale(w0[k], scale);
        w1[k] = vec_scale(w1[k], scale);
        /* twice the difference half-way: a direction has no length */
        middle[k] = vec_add(w0[k], w1[k]);
    }
    *n = probe_direction(middle, count);
    return probe_last(w0, w1, count, *n, v_set1(0), narrowed_least(size, *n, scale, separation, separated));
}

/* `kind` and `stride` are constants where it pays: one loop is compiled for each. */
static GZ_INLINE void probe_first(graze_kind kind, size_t stride, const row_finder *rows, float separation, size_t base,
                                  size_t count, float *t, double (*directions)[3]) {
    size_t offsets[4][f_width], i = 0;
    const float *each = rows->separations; /* a pair that keeps none has a slack of its own, as if it had not asked */
    bool separated = each || separation > 0;
    v_real kept = v_set1(separation);
    v_vec n;
    for (; i + f_width <= count; i += f_width) {
        for (int lane = 0; lane < f_width; lane++)
            for (int row = 0; row < 4; row++)
                offsets[row][lane] = row_offset(rows, stride, base + i + (size_t)lane, row);
        if (each) kept = v_load(each + i);
        v_store(t + i, probe_lanes(kind, rows, (const size_t(*)[f_width])offsets, kept, separated, &n));
        if (directions) vec_store(n, directions + i, f_width);
    }
    if (i == count) return;
    size_t last = count - 1;
    float lanes[f_width];
    for (size_t lane = 0; lane < f_width; lane++) { /* empty lanes repeat the last pair */
        size_t pair = base + (i + lane < last ? i + lane : last);
        for (int row = 0; row < 4; row++) offsets[row][lane] = row_offset(rows, stride, pair, row);
        lanes[lane] = each ? each[pair - base] : separation;
    }
    kept = v_load(lanes);
    v_store(lanes, probe_lanes(kind, rows, (const size_t(*)[f_width])offsets, kept, separated, &n));
    for (size_t lane = 0; i + lane < count; lane++) t[i + lane] = lanes[lane];
    if (directions) vec_store(n, directions + i, count - i);
}

static GZ_PAIR_FN void first_kernel(const gz_lane_source *source, float separation, size_t base, size_t count, float *t,
                                    double (*directions)[3]) {
    const gz_positions *x = &source->positions;
    row_finder rows = {{x->x0, x->x1}, source->ids, x->stride, source->separations};
    if (source->queries)
        rows = (row_finder){{(const char *)source->queries->x0, (const char *)source->queries->x1},
                            NULL,
                            sizeof(graze_query),
                            source->separations};
    bool tight = rows.stride == sizeof(double[3]); /* the usual array: no multiplications */
    switch (source->kind) {
    case GRAZE_VF:
        if (tight)
            probe_first(GRAZE_VF, sizeof(double[3]), &rows, separation, base, count, t, directions);
        else
            probe_first(GRAZE_VF, rows.stride, &rows, separation, base, count, t, directions);
        break;
    case GRAZE_EE:
        if (tight)
            probe_first(GRAZE_EE, sizeof(double[3]), &rows, separation, base, count, t, directions);
        else
            probe_first(GRAZE_EE, rows.stride, &rows, separation, base, count, t, directions);
        break;
    case GRAZE_PE: probe_first(GRAZE_PE, rows.stride, &rows, separation, base, count, t, directions); break;
    case GRAZE_PP: probe_first(GRAZE_PP, rows.stride, &rows, separation, base, count, t, directions); break;
    }
}

#include "numerics/as_double.h"
