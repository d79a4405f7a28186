#include "broad/hilbert.h"

#include "numerics/lanes.h"

#define HILBERT_LANES 32u /* several vectors: each step has to wait for the one before it */

#if defined(GZ_SIMD_AVX2) || defined(GZ_SIMD_AVX512)
#include "numerics/turn_avx.h"

/* 2 × each × center; the high ends are negated */
static GZ_INLINE __m128 hilbert_middle(const gz_hilbert_job *job, const uint32_t *v, int each) {
    __m256 sum = _mm256_loadu_ps(job->boxes[v[0]].side);
    for (int k = 1; k < each; k++) sum = _mm256_add_ps(sum, _mm256_loadu_ps(job->boxes[v[k]].side));
    return _mm_sub_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps(sum, 1));
}

static GZ_INLINE void hilbert_cells(const gz_hilbert_job *job, const uint32_t *const v[GZ_BLOCK], int each,
                                    uint32_t (*cells)[HILBERT_LANES], unsigned first) {
    __m256 row[4], x[3], most = _mm256_set1_ps((float)((1 << job->bits) - 1)), scale = _mm256_set1_ps(job->scale);
    for (int i = 0; i < 4; i++)
        row[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(hilbert_middle(job, v[i], each)),
                                      hilbert_middle(job, v[i + 4], each), 1);
    turn_four_rows(row, x);
    for (int c = 0; c < 3; c++) { /* a NaN gives the 0 */
        __m256 at = _mm256_mul_ps(_mm256_sub_ps(x[c], _mm256_set1_ps(job->origin[c])), scale);
        at = _mm256_min_ps(_mm256_max_ps(at, _mm256_setzero_ps()), most);
        _mm256_storeu_si256((__m256i *)(void *)&cells[c][first], _mm256_cvttps_epi32(at));
    }
}
#else
static GZ_INLINE void hilbert_cells(const gz_hilbert_job *job, const uint32_t *const v[GZ_BLOCK], int each,
                                    uint32_t (*cells)[HILBERT_LANES], unsigned first) {
    float most = (float)((1 << job->bits) - 1);
    for (unsigned lane = 0; lane < GZ_BLOCK; lane++)
        for (int c = 0; c < 3; c++) {
            float low = 0, high = 0; /* the high ends are negated */
            for (int k = 0; k < each; k++) {
                low += job->boxes[v[lane][k]].side[c];
                high += job->boxes[v[lane][k]].side[4 + c];
            }
            float at = (low - high - job->origin[c]) * job->scale;
            at = at > 0 ? at : 0;
            cells[c][first + lane] = (uint32_t)(at < most ? at : most);
        }
}
#endif

/* Spreads the lowest ten bits three apart. */
static GZ_INLINE uint32_t hilbert_spread(uint32_t x) {
    x = (x | x << 16) & 0x030000ffu;
    x = (x | x << 8) & 0x0300f00fu;
    x = (x | x << 4) & 0x030c30c3u;
    return (x | x << 2) & 0x09249249u;
}

/* All bits are that bit of x. */
static GZ_INLINE uint32_t hilbert_bit(uint32_t x, int bit) { return (uint32_t)((int32_t)(x << (31 - bit)) >> 31); }

/* Neighbors along Hilbert's curve share a face, so its blocks of eight are more compact than in plain bit order.
   Skilling's transposition (2004) without branches, so that the compiler works on eight at once. */
static GZ_NOINLINE void hilbert_places(uint32_t (*cells)[HILBERT_LANES], int bits, uint32_t *places) {
    uint32_t x[HILBERT_LANES], y[HILBERT_LANES], z[HILBERT_LANES], turn[HILBERT_LANES];
    for (unsigned i = 0; i < HILBERT_LANES; i++) {
        x[i] = cells[0][i];
        y[i] = cells[1][i];
        z[i] = cells[2][i];
        turn[i] = 0;
    }
    for (int bit = bits - 1; bit > 0; bit--) {
        uint32_t below = ((uint32_t)1 << bit) - 1;
        for (unsigned i = 0; i < HILBERT_LANES; i++) {
            x[i] ^= below & hilbert_bit(x[i], bit);
            uint32_t set = hilbert_bit(y[i], bit), swap = (x[i] ^ y[i]) & below & ~set;
            x[i] ^= (below & set) | swap;
            y[i] ^= swap;
            set = hilbert_bit(z[i], bit), swap = (x[i] ^ z[i]) & below & ~set;
            x[i] ^= (below & set) | swap;
            z[i] ^= swap;
        }
    }
    for (unsigned i = 0; i < HILBERT_LANES; i++) {
        y[i] ^= x[i];
        z[i] ^= y[i];
    }
    for (int bit = bits - 1; bit > 0; bit--)
        for (unsigned i = 0; i < HILBERT_LANES; i++) turn[i] ^= (((uint32_t)1 << bit) - 1) & hilbert_bit(z[i], bit);
    for (unsigned i = 0; i < HILBERT_LANES; i++)
        places[i] =
            hilbert_spread(x[i] ^ turn[i]) << 2 | hilbert_spread(y[i] ^ turn[i]) << 1 | hilbert_spread(z[i] ^ turn[i]);
}

/* `each` is a constant at every call. */
static GZ_INLINE void hilbert_range(const gz_hilbert_job *job, size_t begin, size_t end, int each) {
    for (size_t first = begin; first < end; first += HILBERT_LANES) {
        unsigned used = end - first < HILBERT_LANES ? (unsigned)(end - first) : HILBERT_LANES;
        uint32_t ids[HILBERT_LANES], cells[3][HILBERT_LANES], places[HILBERT_LANES];
        const uint32_t *v[HILBERT_LANES];
        for (unsigned lane = 0; lane < HILBERT_LANES; lane++) { /* empty lanes repeat the first */
            size_t i = first + (lane < used ? lane : 0);
            ids[lane] = job->ids ? job->ids[i] : (uint32_t)i;
            v[lane] = job->vertices ? job->vertices + (size_t)ids[lane] * (unsigned)each : &ids[lane];
        }
        for (unsigned lane = 0; lane < HILBERT_LANES; lane += GZ_BLOCK) hilbert_cells(job, v + lane, each, cells, lane);
        hilbert_places(cells, job->bits, places);
        for (unsigned lane = 0; lane < used; lane++)
            job->items[first + lane] = (uint64_t)(places[lane] >> job->drop) << 32 | ids[lane];
    }
}

static void hilbert_kernel(const gz_hilbert_job *job, size_t begin, size_t end) {
    switch (job->each) {
    case 1: hilbert_range(job, begin, end, 1); return;
    case 2: hilbert_range(job, begin, end, 2); return;
    default: hilbert_range(job, begin, end, 3);
    }
}
