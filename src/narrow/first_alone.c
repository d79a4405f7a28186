#include "narrow/first_alone.h"

#include "base/platform.h"
#include "pair/narrowed.h"

/* SSE2 is part of every x86-64. Elsewhere lanes of width 1 take the same time as these did before. */
#if defined(__SSE2__)
#include <emmintrin.h>

/* Differences at the start and at the end as vectors (x, y, z, 0), where probe_lanes has a lane for each pair. */
typedef struct alone {
    __m128 start[4], end[4];
} alone;

static GZ_INLINE __m128 narrowed(const double to[3], const double from[3]) {
    __m128d xy = _mm_sub_pd(_mm_loadu_pd(to), _mm_loadu_pd(from));
    __m128d z = _mm_sub_sd(_mm_load_sd(to + 2), _mm_load_sd(from + 2));
    return _mm_movelh_ps(_mm_cvtpd_ps(xy), _mm_cvtpd_ps(z));
}

static GZ_INLINE f_vec vec_of(__m128 row) {
    float part[4];
    _mm_storeu_ps(part, row);
    return (f_vec){part[0], part[1], part[2]};
}

/* As f_probe_size. */
static GZ_INLINE f_vec size_of(const alone *pair, int count) {
    const __m128 sizes = _mm_castsi128_ps(_mm_set1_epi32(0x7fffffff));
    __m128 most = _mm_setzero_ps();
    for (int k = 0; k < count; k++) {
        most = _mm_max_ps(most, _mm_and_ps(pair->start[k], sizes));
        most = _mm_max_ps(most, _mm_and_ps(pair->end[k], sizes));
    }
    return vec_of(most);
}

/* True if each of four rows is beyond `least` along n. */
static GZ_INLINE bool all_beyond(const __m128 rows[4], f_vec n, __m128 least) {
    __m128 x = rows[0], y = rows[1], z = rows[2], unused = rows[3];
    _MM_TRANSPOSE4_PS(x, y, z, unused);
    __m128 dot = _mm_add_ps(_mm_mul_ps(_mm_set1_ps(n.x), x), _mm_mul_ps(_mm_set1_ps(n.y), y));
    dot = _mm_sub_ps(_mm_add_ps(dot, _mm_mul_ps(_mm_set1_ps(n.z), z)), least);
    return _mm_movemask_ps(_mm_cmplt_ps(_mm_setzero_ps(), dot)) == 15;
}

/* `kind` is a constant at every call. */
static GZ_INLINE bool look(graze_kind kind, const graze_query *query, float separation) {
    int count = gz_difference_count(kind);
    alone pair;
    f_vec middle[4];
    for (int k = 0; k < count; k++) {
        int to = gz_difference_to(kind, k), from = gz_difference_from(kind, k);
        pair.start[k] = narrowed(query->x0[to], query->x0[from]);
        pair.end[k] = narrowed(query->x1[to], query->x1[from]);
    }
    f_vec size = size_of(&pair, count);
    f_real scale = narrowed_scale(&size);
    __m128 scales = _mm_set1_ps(scale);
    for (int k = 0; k < count; k++) {
        pair.start[k] = _mm_mul_ps(pair.start[k], scales);
        pair.end[k] = _mm_mul_ps(pair.end[k], scales);
        middle[k] = vec_of(_mm_add_ps(pair.start[k], pair.end[k]));
    }
    for (int k = count; k < 4; k++) pair.start[k] = pair.start[0], pair.end[k] = pair.end[0];
    f_vec n = f_probe_direction(middle, count);
    __m128 least = _mm_set1_ps(narrowed_least(size, n, scale, separation, separation > 0));
    return all_beyond(pair.start, n, least) && all_beyond(pair.end, n, least);
}

bool gz_first_alone(graze_kind kind, const graze_query *query, float separation) {
    switch (kind) {
    case GRAZE_VF: return look(GRAZE_VF, query, separation);
    case GRAZE_EE: return look(GRAZE_EE, query, separation);
    default: return false;
    }
}

#else

bool gz_first_alone(graze_kind kind, const graze_query *query, float separation) {
    (void)kind, (void)query, (void)separation;
    return false;
}

#endif
