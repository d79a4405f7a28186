/* Pairs at the start of a step: distance and size, as the CPU has them. */
#ifndef GZ_CUDA_AT_REST_CUH
#define GZ_CUDA_AT_REST_CUH

#include "cuda/narrow.cuh"

#include "numerics/kept.h"
#include "pair/near.h"

/* A pair at rest. */
struct gz_pair_at_rest {
    uint32_t ids[4];
    gz_vec3 rows[4];
    double most[2]; /* the largest radius of each side */
};

__device__ inline void gz_read_at_rest(const gz_device_step &s, const double *radii, graze_kind kind, uint32_t a,
                                       uint32_t b, gz_pair_at_rest *pair) {
    gz_device_ids(s, kind, a, b, pair->ids);
    pair->most[0] = pair->most[1] = 0;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const gz_vertex_ends &v = s.ends[pair->ids[i]];
        for (int c = 0; c < 3; c++) pair->rows[i].c[c] = v.x0[c];
        if (!radii || i >= gz_kind_rows(kind)) continue;
        double &side = pair->most[i >= gz_kind_rows_of_a(kind)];
        side = radii[pair->ids[i]] > side ? radii[pair->ids[i]] : side;
    }
}

/* The largest difference of two of its coordinates on one axis. */
__device__ inline double gz_size_at_rest(graze_kind kind, const gz_vec3 rows[4]) {
    double size = 0;
    for (int c = 0; c < 3; c++) {
        double low = rows[0].c[c], high = low;
        for (int i = 1; i < gz_kind_rows(kind); i++) {
            low = rows[i].c[c] < low ? rows[i].c[c] : low;
            high = rows[i].c[c] > high ? rows[i].c[c] : high;
        }
        size = high - low > size ? high - low : size;
    }
    return size;
}

/* The bits of gz_closest_distance. */
__device__ inline double gz_distance_at_rest(graze_kind kind, gz_vec3 rows[4]) {
    int exponent = gz_closest_scale(kind, rows);
    gz_closest at = gz_closest_points(kind, rows);
    return ldexp(sqrt(at.squared), exponent);
}

/* The separation of a pair that keeps a part of its start distance. */
__device__ inline double gz_kept_by(const gz_device_step &s, graze_kind kind, uint32_t a, uint32_t b) {
    gz_pair_at_rest pair;
    gz_read_at_rest(s, NULL, kind, a, b, &pair);
    double size = gz_size_at_rest(kind, pair.rows);
    return gz_kept_separation(gz_distance_at_rest(kind, pair.rows), size, s.part, s.call.separation);
}

#endif
