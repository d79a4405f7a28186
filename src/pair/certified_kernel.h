/* One probe of many pairs, one pair to a lane; included twice, as double and as float. */
#include "pair/probe.h"
#include "pair/source.h"

#if V_DOUBLE
#define LANE_SOURCE gz_lane_source
#define LANE_ROW gz_lane_row
#else
#define LANE_SOURCE gz_lane_source_f32
#define LANE_ROW gz_lane_row_f32
#endif

/* The differences of a pair in each lane, at both ends. */
static GZ_INLINE void V(load_differences)(graze_kind kind, const LANE_SOURCE *source, const uint32_t *index, v_vec *w0,
                                          v_vec *w1) {
    const v_element *p0[4][v_width], *p1[4][v_width];
    v_vec x0[4], x1[4];
    for (int lane = 0; lane < v_width; lane++)
        for (int i = 0; i < gz_kind_rows(kind); i++) LANE_ROW(source, index[lane], i, &p0[i][lane], &p1[i][lane]);
    for (int i = 0; i < gz_kind_rows(kind); i++) {
        v_load3(p0[i], &x0[i].x, &x0[i].y, &x0[i].z);
        v_load3(p1[i], &x1[i].x, &x1[i].y, &x1[i].z);
    }
    for (int k = 0; k < gz_difference_count(kind); k++) {
        w0[k] = vec_sub(x0[gz_difference_to(kind, k)], x0[gz_difference_from(kind, k)]);
        w1[k] = vec_sub(x1[gz_difference_to(kind, k)], x1[gz_difference_from(kind, k)]);
    }
}

#if V_DOUBLE
/* The distance that counts as contact for each difference: the separation and the radii of its two vertices. */
static GZ_INLINE void load_reach(graze_kind kind, const gz_lane_source *source, const uint32_t *index, v_real *reach) {
    v_element radii[4][v_width];
    for (int lane = 0; lane < v_width; lane++)
        for (int i = 0; i < gz_kind_rows(kind); i++) radii[i][lane] = gz_lane_radius(source, index[lane], i);
    v_real separation = v_set1(source->separation), up = v_set1(GZ_REACH_UP);
    for (int k = 0; k < gz_difference_count(kind); k++) {
        v_real a = v_load(radii[gz_difference_from(kind, k)]), b = v_load(radii[gz_difference_to(kind, k)]);
        reach[k] = v_mul(v_add(v_add(separation, a), b), up);
    }
}
#endif

/* Once, for all kinds: the library asks one pair alone for its direction, and no lanes. */
static GZ_PAIR_FN GZ_NOINLINE void V(store_round)(v_vec n, double (*directions)[3], size_t lanes) {
    vec_store(n, directions, lanes);
}

/* `kind` is a constant at every call: one loop is compiled for each. */
static GZ_INLINE void V(probe_round)(graze_kind kind, const LANE_SOURCE *source, v_element ahead, const uint32_t *index,
                                     size_t count, v_element *t, double (*directions)[3]) {
    int differences = gz_difference_count(kind);
    for (size_t i = 0; i < count; i += v_width) {
        size_t lanes = count - i < v_width ? count - i : v_width;
        uint32_t lane_index[v_width];
        v_element lane_t[v_width];
        for (size_t lane = 0; lane < v_width; lane++) {
            size_t from = i + (lane < lanes ? lane : 0); /* empty lanes repeat the first */
            lane_index[lane] = index[from];
            lane_t[lane] = t[from];
        }
        v_vec w0[4], w1[4], w[4];
        V(load_differences)(kind, source, lane_index, w0, w1);
        v_real now = v_load(lane_t);
        probe_at(w0, w1, differences, v_add(now, v_mul(v_set1(ahead), v_sub(v_set1(1), now))), w);
        v_vec n = probe_direction(w, differences), size = probe_size(w0, w1, differences);
#if V_DOUBLE
        if (source->radii) {
            v_real reach[4];
            load_reach(kind, source, lane_index, reach);
            v_store(lane_t, probe_advance_thick(w0, w1, differences, size, n, now, reach));
        } else
#endif
            v_store(lane_t, probe_advance(w0, w1, differences, size, n, now, source->separation));
        for (size_t lane = 0; lane < lanes; lane++) t[i + lane] = lane_t[lane];
        if (!directions) continue;
        if (v_width > 1)
            V(store_round)(n, directions + i, lanes);
        else
            vec_store(n, directions + i, lanes);
    }
}

static GZ_PAIR_FN void V(round_kernel)(const LANE_SOURCE *source, v_element ahead, const uint32_t *index, size_t count,
                                       v_element *t, double (*directions)[3]) {
    switch (source->kind) {
    case GRAZE_VF: V(probe_round)(GRAZE_VF, source, ahead, index, count, t, directions); break;
    case GRAZE_EE: V(probe_round)(GRAZE_EE, source, ahead, index, count, t, directions); break;
    case GRAZE_PE: V(probe_round)(GRAZE_PE, source, ahead, index, count, t, directions); break;
    case GRAZE_PP: V(probe_round)(GRAZE_PP, source, ahead, index, count, t, directions); break;
    }
}

#undef LANE_SOURCE
#undef LANE_ROW
