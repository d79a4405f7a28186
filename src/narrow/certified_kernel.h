/* One probe of many pairs, one pair to a lane. Body of certified_<isa>.c. */
#include "narrow/certified.h"
#include "narrow/probe.h"

#ifdef GZ_SIMD_F32
typedef gz_lane_source_f32 lane_source;
#else
typedef gz_lane_source lane_source;
#endif

/* where rows i of a pair are */
static GZ_INLINE void find_row(const lane_source *source, uint32_t pair, int i, const v_element **x0,
                               const v_element **x1) {
#ifndef GZ_SIMD_F32
    if (!source->queries) {
        uint32_t vertex = source->ids[pair][i];
        *x0 = gz_position(source->positions.x0, source->positions.stride, vertex);
        *x1 = gz_position(source->positions.x1, source->positions.stride, vertex);
        return;
    }
#endif
    *x0 = source->queries[pair].x0[i];
    *x1 = source->queries[pair].x1[i];
}

static GZ_INLINE void load_rows(const lane_source *source, const uint32_t *index, int rows, v_vec *x0, v_vec *x1) {
    const v_element *p0[4][V_WIDTH], *p1[4][V_WIDTH];
    for (int lane = 0; lane < V_WIDTH; lane++)
        for (int i = 0; i < rows; i++) find_row(source, index[lane], i, &p0[i][lane], &p1[i][lane]);
    for (int i = 0; i < rows; i++) {
        v_load3(p0[i], &x0[i].x, &x0[i].y, &x0[i].z);
        v_load3(p1[i], &x1[i].x, &x1[i].y, &x1[i].z);
    }
}

static GZ_INLINE void differences(graze_kind kind, const v_vec *x, v_vec *w) {
    switch (kind) {
    case GRAZE_VF:
        for (int k = 0; k < 3; k++) w[k] = vec_sub(x[k + 1], x[0]);
        break;
    case GRAZE_EE:
        for (int k = 0; k < 4; k++) w[k] = vec_sub(x[2 + (k & 1)], x[k >> 1]);
        break;
    case GRAZE_PE:
        for (int k = 0; k < 2; k++) w[k] = vec_sub(x[k + 1], x[0]);
        break;
    case GRAZE_PP: w[0] = vec_sub(x[1], x[0]); break;
    }
}

#ifndef GZ_SIMD_F32
/* The distance that counts as contact for each difference: the separation and the radii of its two vertices. */
static GZ_INLINE void load_reach(graze_kind kind, const lane_source *source, const uint32_t *index, int rows,
                                 v_real *reach) {
    v_element radii[4][V_WIDTH];
    for (int lane = 0; lane < V_WIDTH; lane++)
        for (int i = 0; i < rows; i++) radii[i][lane] = gz_lane_radius(source, index[lane], i);
    v_real separation = v_set1(source->separation), up = v_set1(GZ_REACH_UP);
    for (int k = 0; k < gz_difference_count(kind); k++) {
        int a = kind == GRAZE_EE ? k >> 1 : 0, b = kind == GRAZE_EE ? 2 + (k & 1) : k + 1;
        reach[k] = v_mul(v_add(v_add(separation, v_load(radii[a])), v_load(radii[b])), up);
    }
}
#endif

/* `kind` and `thick` are constants at every call: one loop is compiled for each. */
static GZ_INLINE void probe_round(graze_kind kind, int thick, const lane_source *source, v_element ahead,
                                  const uint32_t *index, size_t count, v_element *t, double (*directions)[3]) {
    int rows = kind == GRAZE_PP ? 2 : kind == GRAZE_PE ? 3 : 4, differences_count = gz_difference_count(kind);
    v_element separation = source->separation;
    for (size_t i = 0; i < count; i += V_WIDTH) {
        size_t lanes = count - i < V_WIDTH ? count - i : V_WIDTH;
        uint32_t lane_index[V_WIDTH];
        v_element lane_t[V_WIDTH];
        for (size_t lane = 0; lane < V_WIDTH; lane++) {
            size_t from = i + (lane < lanes ? lane : 0); /* empty lanes repeat the first */
            lane_index[lane] = index[from];
            lane_t[lane] = t[from];
        }
        v_vec x0[4], x1[4], w0[4], w1[4], w[4];
        load_rows(source, lane_index, rows, x0, x1);
        differences(kind, x0, w0);
        differences(kind, x1, w1);
        v_real now = v_load(lane_t);
        probe_at(w0, w1, differences_count, v_add(now, v_mul(v_set1(ahead), v_sub(v_set1(1), now))), w);
        v_vec n = probe_direction(w, differences_count);
        v_vec size = probe_size(w0, w1, differences_count);
#ifndef GZ_SIMD_F32
        if (thick) {
            v_real reach[4];
            load_reach(kind, source, lane_index, rows, reach);
            v_store(lane_t, probe_advance_thick(w0, w1, differences_count, size, n, now, reach));
        } else
#else
        (void)thick;
#endif
            v_store(lane_t, probe_advance(w0, w1, differences_count, size, n, now, separation));
        for (size_t lane = 0; lane < lanes; lane++) t[i + lane] = lane_t[lane];
        if (directions) vec_store(n, directions + i, lanes);
    }
}

void GZ_ISA_NAME(gz_certified_round)(const lane_source *source, v_element ahead, const uint32_t *index, size_t count,
                                     v_element *t, double (*directions)[3]) {
#ifndef GZ_SIMD_F32
    if (source->radii) {
        switch (source->kind) {
        case GRAZE_VF: probe_round(GRAZE_VF, 1, source, ahead, index, count, t, directions); break;
        case GRAZE_EE: probe_round(GRAZE_EE, 1, source, ahead, index, count, t, directions); break;
        case GRAZE_PE: probe_round(GRAZE_PE, 1, source, ahead, index, count, t, directions); break;
        case GRAZE_PP: probe_round(GRAZE_PP, 1, source, ahead, index, count, t, directions); break;
        }
        return;
    }
#endif
    switch (source->kind) {
    case GRAZE_VF: probe_round(GRAZE_VF, 0, source, ahead, index, count, t, directions); break;
    case GRAZE_EE: probe_round(GRAZE_EE, 0, source, ahead, index, count, t, directions); break;
    case GRAZE_PE: probe_round(GRAZE_PE, 0, source, ahead, index, count, t, directions); break;
    case GRAZE_PP: probe_round(GRAZE_PP, 0, source, ahead, index, count, t, directions); break;
    }
}
