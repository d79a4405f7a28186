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

/* The rows of as many pairs as there are lanes, from `pair` on. */
static GZ_INLINE void find_offsets(graze_kind kind, const row_finder *rows, size_t stride, size_t pair,
                                   size_t (*offsets)[f_width]) {
    for (size_t lane = 0; lane < f_width; lane++)
        for (int row = 0; row < gz_kind_rows(kind); row++)
            offsets[row][lane] = row_offset(rows, stride, pair + lane, row);
}

/* The same for the last pairs, which may be fewer: empty lanes repeat the last one. Compiled once for all kinds. */
static GZ_PAIR_FN GZ_NOINLINE void find_last_offsets(const row_finder *given, size_t stride, size_t pair, size_t used,
                                                     size_t (*offsets)[f_width]) {
    const row_finder rows = *given; /* which offsets cannot overlap */
    for (size_t lane = 0; lane < used; lane++)
        for (int row = 0; row < 4; row++) offsets[row][lane] = row_offset(&rows, stride, pair + lane, row);
    for (size_t lane = used; lane < f_width; lane++)
        for (int row = 0; row < 4; row++) offsets[row][lane] = offsets[row][used - 1];
}

static GZ_INLINE v_real load_some(const float *x, size_t used) {
    float lanes[f_width];
    for (size_t lane = 0; lane < f_width; lane++) lanes[lane] = x[lane < used ? lane : used - 1];
    return v_load(lanes);
}

static GZ_INLINE void store_some(float *x, v_real value, size_t used) {
    float lanes[f_width];
    v_store(lanes, value);
    for (size_t lane = 0; lane < used; lane++) x[lane] = lanes[lane];
}

/* Once, for all kinds: the library asks one pair alone for its direction, and no lanes. */
static GZ_PAIR_FN GZ_NOINLINE void store_first(v_vec n, double (*directions)[3], size_t used) {
    vec_store(n, directions, used);
}

/* `kind` and `stride` are constants where it pays: one loop is compiled for each. */
static GZ_INLINE void probe_first(graze_kind kind, size_t stride, const row_finder *rows, float separation, size_t base,
                                  size_t count, float *t, double (*directions)[3]) {
    size_t offsets[4][f_width];
    const float *each = rows->separations; /* a pair that keeps none has a slack of its own, as if it had not asked */
    bool separated = each || separation > 0;
    v_real kept = v_set1(separation);
    v_vec n;
    for (size_t i = 0; i < count; i += f_width) {
        size_t used = count - i < f_width ? count - i : f_width;
        bool whole = GZ_LIKELY(used == f_width);
        if (whole)
            find_offsets(kind, rows, stride, base + i, offsets);
        else
            find_last_offsets(rows, stride, base + i, used, offsets);
        if (each) kept = whole ? v_load(each + i) : load_some(each + i, used);
        v_real last = probe_lanes(kind, rows, (const size_t(*)[f_width])offsets, kept, separated, &n);
        if (whole)
            v_store(t + i, last);
        else
            store_some(t + i, last, used);
        if (!directions) continue;
        if (f_width > 1)
            store_first(n, directions + i, used);
        else
            vec_store(n, directions + i, used);
    }
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
