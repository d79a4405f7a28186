#include "broad/boxes.h"
#include "broad/few.h"
#include "numerics/lanes.h"

/* Everything is a set of bits: which faces, or edges, meet a box, have a vertex, are of a group. */
#define WORDS (GZ_FEW / 64u)

typedef struct few_bits {
    uint64_t word[WORDS];
} few_bits;

/* The lows of a box and its highs negated, seen from a vertex of the mesh, in float: what meets in double meets here.
 */
typedef struct few_sides {
    float side[6];
} few_sides;

/* The second primitives of the pairs. */
typedef struct few_set {
    float side[6][GZ_FEW]; /* NaN where there is none: no comparison takes it */
    uint32_t count;
    few_bits around[GZ_FEW_VERTICES]; /* those that have this vertex */
    uint32_t runs, group[GZ_FEW];     /* neighbors of one group … */
    few_bits run[GZ_FEW];             /* … are a run */
} few_set;

static GZ_INLINE void few_add(few_bits *bits, uint32_t i) { bits->word[i / 64] |= UINT64_C(1) << i % 64; }

static GZ_INLINE few_sides few_sides_of(const gz_box *box, const double origin[3]) {
    few_sides sides;
    for (int c = 0; c < 3; c++) {
        sides.side[c] = (float)(box->lo[c] - origin[c]);
        sides.side[3 + c] = -(float)(box->hi[c] - origin[c]);
    }
    return sides;
}

static GZ_INLINE void few_insert(few_set *set, const few_sides *vertices, const uint32_t *ids, int each) {
    uint32_t at = set->count++;
    for (int k = 0; k < each; k++) few_add(&set->around[ids[k]], at);
    for (int i = 0; i < 6; i++) {
        float least = vertices[ids[0]].side[i];
        for (int k = 1; k < each; k++) least = vertices[ids[k]].side[i] < least ? vertices[ids[k]].side[i] : least;
        set->side[i][at] = least;
    }
}

static GZ_INLINE void few_insert_group(few_set *set, uint32_t at, uint32_t group) {
    if (set->runs == 0 || set->group[set->runs - 1] != group) {
        set->group[set->runs] = group;
        set->run[set->runs++] = (few_bits){{0}};
    }
    few_add(&set->run[set->runs - 1], at);
}

static GZ_INLINE void few_fill(few_set *set, const graze_mesh *mesh, const few_sides *vertices, const uint32_t *lists,
                               uint32_t count, int each) {
    set->count = set->runs = 0;
    memset(set->around, 0, mesh->vertex_count * sizeof *set->around);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *ids = lists + (size_t)i * (unsigned)each;
        few_insert(set, vertices, ids, each);
        if (mesh->groups) few_insert_group(set, i, mesh->groups[ids[0]]);
    }
    for (uint32_t k = count; k % f_width; k++)
        for (int i = 0; i < 6; i++) set->side[i][k] = NAN;
}

/* The primitives that one of this group may meet. */
static few_bits few_allowed(const few_set *set, const graze_mesh *mesh, uint32_t group) {
    few_bits all = {{0}};
    for (uint32_t r = 0; r < set->runs; r++)
        for (unsigned w = 0; w < WORDS; w++)
            all.word[w] |= gz_groups_allowed(mesh, group, set->group[r]) ? set->run[r].word[w] : 0;
    return all;
}

/* Tests 64 primitives, or fewer up to `end`: a bit for each whose box meets one with sides of at most these. */
static GZ_INLINE uint64_t few_meeting(const few_set *set, uint32_t begin, uint32_t end, const f_real most[6]) {
    uint64_t bits = 0;
    for (uint32_t k = begin; k < end && k < begin + 64; k += f_width) {
        f_mask meet = f_le(f_load(&set->side[0][k]), most[0]);
        for (int i = 1; i < 6; i++) meet = f_m_and(meet, f_le(f_load(&set->side[i][k]), most[i]));
        bits |= (uint64_t)f_m_bits(meet) << (k - begin);
    }
    return bits;
}

/* Primitive `a` with those before `end` that are allowed and share none of its vertices. */
static GZ_INLINE void few_row(gz_emitter *emitter, const few_set *set, uint32_t a, const float side[6],
                              const uint32_t *ids, int each, uint32_t end, const few_bits *allowed) {
    const gz_traversal *traversal = emitter->traversal;
    bool self = traversal->kind == GRAZE_EE, asked = gz_asks_filter(traversal);
    f_real most[6];
    for (int i = 0; i < 6; i++) most[i] = f_set1(-side[(i + 3) % 6]);
    for (unsigned w = 0; 64 * w < end; w++) {
        uint64_t bits = few_meeting(set, 64 * w, end, most) & allowed->word[w];
        for (int k = 0; k < each; k++) bits &= ~set->around[ids[k]].word[w];
        if (end - 64 * w < 64) bits &= (UINT64_C(1) << end % 64) - 1;
        for (; bits; bits &= bits - 1) {
            uint32_t b = 64 * w + (uint32_t)__builtin_ctzll(bits), low = self ? b : a, high = self ? a : b;
            if (!asked || gz_pair_allowed(emitter->traversal, low, high)) gz_emit_wanted(emitter, low, high);
        }
    }
}

/* Whom primitive i may meet: found anew where a run of its group begins. */
static GZ_INLINE void few_renew(const few_set *set, const graze_mesh *mesh, uint32_t vertex, uint32_t last, bool first,
                                few_bits *allowed) {
    if (mesh->groups && (first || mesh->groups[vertex] != mesh->groups[last]))
        *allowed = few_allowed(set, mesh, mesh->groups[vertex]);
}

static void few_faces(const graze_mesh *mesh, const few_sides *vertices, gz_emitter *emitter) {
    few_set set;
    few_bits allowed;
    memset(&allowed, 0xff, sizeof allowed);
    few_fill(&set, mesh, vertices, (const uint32_t *)mesh->faces, mesh->face_count, 3);
    for (uint32_t v = 0; v < mesh->vertex_count && !gz_stopped(emitter); v++) {
        few_renew(&set, mesh, v, v - 1, v == 0, &allowed);
        few_row(emitter, &set, v, vertices[v].side, &v, 1, mesh->face_count, &allowed);
    }
}

static void few_edges(const graze_mesh *mesh, const few_sides *vertices, gz_emitter *emitter) {
    few_set set;
    few_bits allowed;
    memset(&allowed, 0xff, sizeof allowed);
    few_fill(&set, mesh, vertices, (const uint32_t *)mesh->edges, mesh->edge_count, 2);
    for (uint32_t e = 0; e < mesh->edge_count && !gz_stopped(emitter); e++) {
        const uint32_t(*edges)[2] = mesh->edges;
        float side[6];
        for (int i = 0; i < 6; i++) side[i] = set.side[i][e];
        few_renew(&set, mesh, edges[e][0], edges[e - (e > 0)][0], e == 0, &allowed);
        few_row(emitter, &set, e, side, edges[e], 2, e, &allowed);
    }
}

static void few_kernel(const gz_box *boxes, gz_emitter *emitter) {
    const graze_mesh *mesh = emitter->traversal->mesh;
    few_sides vertices[GZ_FEW_VERTICES];
    for (uint32_t v = 0; v < mesh->vertex_count; v++) vertices[v] = few_sides_of(&boxes[v], boxes[0].lo);
    if (emitter->traversal->kind == GRAZE_VF)
        few_faces(mesh, vertices, emitter);
    else
        few_edges(mesh, vertices, emitter);
    gz_emit_flush(emitter);
}
