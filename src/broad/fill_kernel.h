#include "broad/tree.h"
#include "numerics/lanes.h"

/* A box as one row: what is joined is a minimum of rows, and eight of them are turned into a block. */
#if defined(GZ_SIMD_AVX2) || defined(GZ_SIMD_AVX512)
#include "numerics/turn_avx.h"

typedef __m256 fill_row;
static GZ_INLINE fill_row row_of(const gz_rough *box) { return _mm256_loadu_ps(box->side); }
static GZ_INLINE fill_row row_join(fill_row a, fill_row b) { return _mm256_min_ps(a, b); }
static GZ_INLINE fill_row row_add(fill_row a, fill_row b) { return _mm256_add_ps(a, b); }
/* Bits 0 to 2: on which axes the center of a is less than that of b. */
static GZ_INLINE unsigned row_less(fill_row a, fill_row b) {
    __m256 d = _mm256_sub_ps(a, b);
    return (unsigned)_mm_movemask_ps(_mm_cmplt_ps(_mm256_castps256_ps128(d), _mm256_extractf128_ps(d, 1)));
}
static GZ_INLINE gz_rough row_box(fill_row row) {
    gz_rough box;
    _mm256_storeu_ps(box.side, row);
    return box;
}
static GZ_INLINE void row_turn(const fill_row rows[GZ_BLOCK], gz_rough_block *block) {
    __m256 low[3], high[3];
    turn_eight_rows(rows, low, high);
    for (int c = 0; c < 3; c++) {
        _mm256_storeu_ps(block->side[c], low[c]);
        _mm256_storeu_ps(block->side[3 + c], high[c]);
    }
}
#else
typedef gz_rough fill_row;
static GZ_INLINE fill_row row_of(const gz_rough *box) { return *box; }
static GZ_INLINE fill_row row_join(fill_row a, fill_row b) {
    gz_rough_join(&a, &b);
    return a;
}
static GZ_INLINE fill_row row_add(fill_row a, fill_row b) {
    for (int i = 0; i < 8; i++) a.side[i] += b.side[i];
    return a;
}
static GZ_INLINE unsigned row_less(fill_row a, fill_row b) {
    unsigned bits = 0;
    for (unsigned c = 0; c < 3; c++) bits |= (unsigned)(a.side[c] - b.side[c] < a.side[4 + c] - b.side[4 + c]) << c;
    return bits;
}
static GZ_INLINE gz_rough row_box(fill_row row) { return row; }
static GZ_INLINE void row_turn(const fill_row rows[GZ_BLOCK], gz_rough_block *block) {
    for (unsigned lane = 0; lane < GZ_BLOCK; lane++) gz_rough_block_set(block, lane, &rows[lane]);
}
#endif

/* x, y and z extents together; the high ends are negated */
static GZ_INLINE double extent(gz_rough box) {
    double sum = 0;
    for (int i = 0; i < 6; i++) sum -= (double)box.side[i + i / 3];
    return sum;
}

/* Finds the edges of a leaf that fall where x rises: gz_leaf.down. */
static GZ_INLINE void find_falls(gz_leaf *leaf, const gz_rough *vertices) {
    unsigned down[2] = {0, 0};
    for (unsigned lane = 0; lane < GZ_BLOCK; lane++) {
        const uint32_t *v = &leaf->vertices[0][lane];
        unsigned less = row_less(row_of(&vertices[v[0]]), row_of(&vertices[v[GZ_BLOCK]]));
        for (unsigned c = 0; c < 2; c++) down[c] |= ((less ^ less >> (c + 1)) & 1u) << lane;
    }
    for (unsigned c = 0; c < 2; c++) leaf->down[c] = (uint8_t)down[c];
}

/* `each` is a constant at every call. Lanes that are not used repeat the first, until they are padded. */
static GZ_INLINE double fill_block(const gz_tree *tree, const gz_rough *vertices, size_t k, int each) {
    gz_leaf *leaf = &tree->leaves[k];
    size_t left = tree->count - k * GZ_BLOCK;
    fill_row rows[GZ_BLOCK];
    for (unsigned lane = 0; lane < GZ_BLOCK; lane++) {
        rows[lane] = row_of(&vertices[leaf->vertices[0][lane]]);
        for (int v = 1; v < each; v++) rows[lane] = row_join(row_of(&vertices[leaf->vertices[v][lane]]), rows[lane]);
    }
    if (each == 2 && tree->slopes) find_falls(leaf, vertices);
    fill_row bounds = rows[0], sum = rows[0];
    for (unsigned lane = 1; lane < GZ_BLOCK; lane++) {
        bounds = row_join(rows[lane], bounds);
        sum = row_add(sum, rows[lane]);
    }
    row_turn(rows, &tree->level[0][k]);
    if (left < GZ_BLOCK) gz_rough_block_pad(&tree->level[0][k], (unsigned)left);
    gz_rough all = row_box(bounds);
    leaf->bounds = gz_rough_limit_of(&all);
    return extent(all) - extent(row_box(sum)) / GZ_BLOCK;
}

static GZ_INLINE double fill_blocks(const gz_tree *tree, const gz_rough *vertices, size_t begin, size_t end, int each) {
    double spread = 0;
    for (size_t k = begin; k < end; k++) spread += fill_block(tree, vertices, k, each);
    return spread;
}

static double fill_kernel(const gz_tree *tree, const gz_rough *vertices, size_t begin, size_t end) {
    return tree->each == 1   ? fill_blocks(tree, vertices, begin, end, 1)
           : tree->each == 2 ? fill_blocks(tree, vertices, begin, end, 2)
                             : fill_blocks(tree, vertices, begin, end, 3);
}
