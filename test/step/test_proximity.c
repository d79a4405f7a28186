/* The pairs within a distance of each other, against exact rationals. */
#include "soup.h"

#include "exact_reference.h"
#include "scaled_pairs.h"

#include "graze/proximity.h"

#define AT(s) (const double(*)[3])(s)->x0

/* Every pair of a soup that shares no vertex, and the exact squares of their distances. */
typedef struct judged {
    plain_list list;
    mpq_t *squares;
} judged;

static judged judge(soup *s) {
    judged all = {0};
    memcpy(s->x1, s->x0, sizeof s->x1);
    all.list = plain_candidates(s, INFINITY);
    all.squares = malloc((all.list.count + 1) * sizeof *all.squares);
    reference r;
    mpq_t zero;
    mpq_init(zero);
    reference_begin(&r);
    for (size_t i = 0; i < all.list.count; i++) {
        graze_query query;
        graze_pair pair = all.list.pairs[i];
        CHECK(graze_pair_query(&s->mesh, AT(s), AT(s), 0, pair, &query) == GRAZE_OK);
        reference_move(&r, pair.kind, &query, zero);
        reference_distance(&r, pair.kind);
        mpq_init(all.squares[i]);
        mpq_set(all.squares[i], r.best);
    }
    reference_end(&r);
    mpq_clear(zero);
    return all;
}

static void forget(judged *all) {
    for (size_t i = 0; i < all->list.count; i++) mpq_clear(all->squares[i]);
    free(all->squares);
    free(all->list.pairs);
}

static double largest(const soup *s, const uint32_t *ids, int count) {
    double most = 0;
    for (int i = 0; s->mesh.thickness && i < count; i++) most = fmax(most, s->mesh.thickness[ids[i]]);
    return most;
}

/* True if the exact square is at most (distance + radii)². */
static bool belongs(const soup *s, graze_pair pair, mpq_t square, double distance) {
    graze_stencil rows;
    mpq_t sum, part;
    mpq_inits(sum, part, NULL);
    CHECK(graze_pair_stencil(&s->mesh, pair, 0, 0, &rows) == GRAZE_OK);
    int in_a = pair.kind == GRAZE_EE ? 2 : 1;
    mpq_set_d(sum, distance);
    mpq_set_d(part, largest(s, rows.vertices, in_a));
    mpq_add(sum, sum, part);
    mpq_set_d(part, largest(s, rows.vertices + in_a, (int)rows.count - in_a));
    mpq_add(sum, sum, part);
    mpq_mul(sum, sum, sum);
    bool within = mpq_cmp(square, sum) <= 0;
    mpq_clears(sum, part, NULL);
    return within;
}

static bool same_pair(graze_pair p, graze_pair q) { return p.kind == q.kind && p.a == q.a && p.b == q.b; }

/* The list has what belongs to it and nothing else; returns how many. */
static size_t check_list(graze_context *context, const soup *s, const judged *all, double distance) {
    graze_proximity_result found = graze_default_proximity_result();
    CHECK(graze_proximity(context, &s->mesh, AT(s), distance, NULL, &found) == GRAZE_OK);
    size_t at = 0, count = found.pair_count;
    for (size_t i = 0; i < all->list.count; i++) {
        graze_pair pair = all->list.pairs[i];
        bool listed = at < count && same_pair(found.pairs[at].pair, pair);
        CHECK_MSG(listed == belongs(s, pair, all->squares[i], distance), "%s (%u, %u) within %a: %s, distance %a",
                  test_kind_name(pair.kind), pair.a, pair.b, distance, listed ? "listed" : "not listed",
                  sqrt(mpq_get_d(all->squares[i])));
        if (listed) CHECK(found.pairs[at].distance.value <= nextafter(distance + found.pairs[at].offset, INFINITY));
        if (listed && !s->mesh.thickness)
            CHECK(found.pairs[at].offset == 0 && found.pairs[at].distance.value <= distance);
        at += listed;
    }
    CHECK(at == count);
    graze_proximity_release(context, &found);
    CHECK(!found.pairs && !found.pair_count);
    return count;
}

/* Distances of some pairs, as they are and next to them, and others. */
static double draw_distance(test_random *random, const judged *all, int run) {
    double d = sqrt(mpq_get_d(all->squares[test_random_below(random, all->list.count)]));
    d = fmin(d, 0x1p159);
    switch (run % 5) {
    case 0: return d;
    case 1: return nextafter(d, INFINITY);
    case 2: return nextafter(d, 0);
    case 3: return d * test_random_between(random, 0.5, 2);
    default: return ldexp(d, -(int)test_random_below(random, 30));
    }
}

TEST(the_list_is_exactly_the_pairs_within_the_distance) {
    static soup s;
    size_t listed = 0;
    for (int scene = 0; scene < 24; scene++) {
        graze_context *context = test_context(1 + (uint32_t)scene % 2, GRAZE_ISA_AUTO);
        test_random random = {(uint64_t)scene};
        soup_make(&s, context, (soup_style)(scene % SOUP_STYLES), 16, (uint64_t)scene);
        judged all = judge(&s);
        for (int run = 0; run < 25; run++) listed += check_list(context, &s, &all, draw_distance(&random, &all, run));
        listed += check_list(context, &s, &all, 0);
        check_list(context, &s, &all, 0x1p160);
        forget(&all);
        graze_mesh_release(context, &s.mesh);
        graze_context_destroy(context);
    }
    CHECK_MSG(listed > 100000, "%zu", listed);
}

TEST(thickness_is_the_largest_of_each_side) {
    static soup s;
    static double radii[3 * SOUP_MAX];
    size_t listed = 0;
    for (int scene = 0; scene < 12; scene++) {
        graze_context *context = test_context(2, GRAZE_ISA_AUTO);
        test_random random = {(uint64_t)scene};
        soup_make(&s, context, (soup_style)(scene % 3 ? scene % SOUP_STYLES : SOUP_UNIFORM), 16, 50 + (uint64_t)scene);
        judged all = judge(&s);
        double size = draw_distance(&random, &all, 4);
        for (uint32_t v = 0; v < s.mesh.vertex_count; v++)
            radii[v] = test_random_below(&random, 3) ? 0 : fmin(size, 0x1p100) * test_random_unit(&random);
        s.mesh.thickness = radii;
        for (int run = 0; run < 10; run++) {
            listed += check_list(context, &s, &all, draw_distance(&random, &all, run));
            radii[test_random_below(&random, s.mesh.vertex_count)] = run % 3 ? size : 0x1p-60 * size;
        }
        s.mesh.thickness = NULL;
        forget(&all);
        graze_mesh_release(context, &s.mesh);
        graze_context_destroy(context);
    }
    CHECK_MSG(listed > 10000, "%zu", listed);
}

/* The pair alone, as the two primitives of a mesh. */
static void lone_pair(graze_kind kind, soup *s) {
    static const uint32_t point[2] = {0, 1}, edge[2] = {0, 1}, ends[2][2] = {{0, 1}, {2, 3}}, last[1][2] = {{1, 2}};
    static const uint32_t side[3][2] = {{1, 2}, {1, 3}, {2, 3}}, face[1][3] = {{1, 2, 3}};
    s->mesh = graze_default_mesh();
    s->mesh.vertex_count = kind == GRAZE_PP ? 2 : kind == GRAZE_PE ? 3 : 4;
    s->mesh.faces = face, s->mesh.face_count = kind == GRAZE_VF;
    s->mesh.edges = kind == GRAZE_VF ? side : kind == GRAZE_EE ? ends : last;
    s->mesh.edge_count = kind == GRAZE_VF ? 3 : kind == GRAZE_EE ? 2 : kind == GRAZE_PE;
    s->mesh.codim_points = point, s->mesh.codim_point_count = kind == GRAZE_PP ? 2 : kind != GRAZE_EE;
    s->mesh.codim_edges = edge, s->mesh.codim_edge_count = kind == GRAZE_EE ? 2 : kind == GRAZE_PE;
}

/* Edges, offsets and distances have a size each, over hundreds of powers of two. */
TEST(pairs_of_every_size_are_listed_rightly_at_their_own_distance) {
    static soup s;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {99};
    size_t listed = 0, left = 0;
    for (int i = 0; i < 4000; i++) {
        scaled_pair drawn;
        graze_kind kind = (graze_kind)(i % 4);
        scaled_draw(&random, kind, scaled_doubles, &drawn);
        memcpy(s.x0, drawn.query.x0, sizeof drawn.query.x0);
        lone_pair(kind, &s);
        judged all = judge(&s);
        double distance = draw_distance(&random, &all, i / 4);
        size_t count = check_list(context, &s, &all, distance);
        listed += count;
        left += all.list.count - count;
        forget(&all);
    }
    CHECK_MSG(listed > 1000 && left > 800, "%zu, %zu", listed, left);
    graze_context_destroy(context);
}

/* Doubles cannot tell pairs that are 32u of their size or less from the distance. */
TEST(thin_pairs_at_their_own_distance_are_decided_exactly) {
    static soup s;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {7};
    size_t listed = 0, left = 0;
    for (int i = 0; i < 4000; i++) {
        graze_kind kind = (graze_kind)(i % 4);
        double thin = ldexp(1, -(int)test_random_below(&random, 60)),
               gap = ldexp(1, -(int)test_random_below(&random, 60));
        for (int k = 0; k < 4; k++)
            for (int c = 0; c < 3; c++)
                s.x0[k][c] =
                    (c == 0) * test_random_between(&random, -1, 1) + (k % 2 ? thin : gap) * test_random_unit(&random);
        lone_pair(kind, &s);
        judged all = judge(&s);
        double d = sqrt(mpq_get_d(all.squares[0]));
        for (int k = -2; k <= 2; k++) {
            double distance = k == 0  ? d
                              : k < 0 ? nextafter(d, 0) * (k == -1) + (k < -1) * d * (1 - 0x1p-49)
                                      : d * (1 + k * 0x1p-50);
            size_t count = check_list(context, &s, &all, distance);
            listed += count;
            left += all.list.count - count;
        }
        forget(&all);
    }
    CHECK_MSG(listed > 4000 && left > 4000, "%zu, %zu", listed, left);
    graze_context_destroy(context);
}

/* Against the list; the number of vertices that have a pair. */
static size_t check_vertices(graze_context *context, const soup *s, double distance) {
    static double told[3 * SOUP_MAX];
    size_t some = 0;
    graze_proximity_options options = graze_default_proximity_options();
    graze_proximity_result found = graze_default_proximity_result();
    options.vertex_distance = told;
    memset(told, 0xff, sizeof told);
    CHECK(graze_proximity(context, &s->mesh, AT(s), distance, &options, &found) == GRAZE_OK);
    for (uint32_t v = 0; v < s->mesh.vertex_count; v++) {
        double least = INFINITY;
        for (size_t i = 0; i < found.pair_count; i++) {
            const graze_proximity_pair *near = &found.pairs[i];
            int rows = near->pair.kind == GRAZE_PP ? 2 : near->pair.kind == GRAZE_PE ? 3 : 4;
            for (int k = 0; k < rows; k++)
                if (near->vertices[k] == v) least = fmin(least, fmax(0, near->distance.value - near->offset));
        }
        CHECK_MSG(told[v] == least, "vertex %u: %a, of the list %a", v, told[v], least);
        some += least < INFINITY;
    }
    graze_proximity_release(context, &found);
    return some;
}

TEST(the_distance_of_a_vertex_is_the_least_of_its_pairs) {
    static soup s;
    static double radii[3 * SOUP_MAX];
    test_random random = {31};
    size_t some = 0;
    for (int scene = 0; scene < 2 * SOUP_STYLES; scene++) {
        graze_context *context = test_context(1 + (uint32_t)scene % 3, GRAZE_ISA_AUTO);
        soup_make(&s, context, (soup_style)(scene % SOUP_STYLES), 60, (uint64_t)scene);
        for (uint32_t v = 0; v < s.mesh.vertex_count; v++) radii[v] = 0.02 * test_random_unit(&random);
        s.mesh.thickness = scene < SOUP_STYLES ? NULL : radii;
        for (int i = 0; i < 12; i++) some += check_vertices(context, &s, ldexp(1, -i));
        s.mesh.thickness = NULL;
        graze_mesh_release(context, &s.mesh);
        graze_context_destroy(context);
    }
    CHECK_MSG(some > 5000, "%zu", some);
}

static int corners_of(unsigned feature) { return __builtin_popcount(feature); }

TEST(numbers_are_those_of_graze_distance_and_say_the_feature) {
    static soup s;
    size_t types[4] = {0};
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 200, 4);
    graze_proximity_result found = graze_default_proximity_result();
    CHECK(graze_proximity(context, &s.mesh, AT(&s), 0.1, NULL, &found) == GRAZE_OK);
    for (size_t i = 0; i < found.pair_count; i++) {
        const graze_proximity_pair *near = &found.pairs[i];
        graze_distance_result one;
        graze_query query;
        graze_stencil rows;
        CHECK(graze_pair_query(&s.mesh, AT(&s), AT(&s), 0, near->pair, &query) == GRAZE_OK);
        CHECK(graze_distance(near->pair.kind, (const double(*)[3])query.x0, &one) == GRAZE_OK);
        CHECK(memcmp(&one, &near->distance, sizeof one) == 0);
        CHECK(graze_pair_stencil(&s.mesh, near->pair, one.u, one.v, &rows) == GRAZE_OK);
        CHECK(memcmp(rows.vertices, near->vertices, rows.count * sizeof *rows.vertices) == 0);
        int a = corners_of(one.feature[0]), b = corners_of(one.feature[1]), low = a < b ? a : b, high = a < b ? b : a;
        graze_proximity_type type = low == 2    ? GRAZE_PROXIMITY_EE
                                    : high == 1 ? GRAZE_PROXIMITY_VV
                                    : high == 2 ? GRAZE_PROXIMITY_VE
                                                : GRAZE_PROXIMITY_VF;
        CHECK(near->type == type);
        types[type]++;
    }
    for (int t = 0; t < 4; t++) CHECK_MSG(types[t] > 10, "type %d: %zu", t, types[t]);
    graze_proximity_release(context, &found);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

TEST(threads_instruction_sets_and_a_used_context_do_not_change_a_bit) {
    static soup s;
    static const graze_isa isas[] = {GRAZE_ISA_SCALAR, GRAZE_ISA_AVX2, GRAZE_ISA_AVX512, GRAZE_ISA_NEON};
    graze_context *first = test_context(1, GRAZE_ISA_AUTO);
    soup_make(&s, first, SOUP_DEGENERATE, 150, 4);
    graze_proximity_result expected = graze_default_proximity_result();
    CHECK(graze_proximity(first, &s.mesh, AT(&s), 0.25, NULL, &expected) == GRAZE_OK && expected.pair_count > 100);
    for (int run = 0; run < 12; run++) {
        if (!graze_isa_available(isas[run % 4])) continue;
        graze_context *context = test_context(1 + (uint32_t)run % 3, isas[run % 4]);
        for (int again = 0; again < 3; again++) {
            graze_proximity_result found = graze_default_proximity_result();
            CHECK(graze_proximity(context, &s.mesh, AT(&s), 0.25, NULL, &found) == GRAZE_OK);
            CHECK(found.pair_count == expected.pair_count &&
                  memcmp(found.pairs, expected.pairs, found.pair_count * sizeof *found.pairs) == 0);
            graze_proximity_release(context, &found);
            CHECK(graze_proximity(context, &s.mesh, (const double(*)[3])s.x1, 0.5, NULL, &found) == GRAZE_OK);
            graze_proximity_release(context, &found);
        }
        graze_context_destroy(context);
    }
    graze_proximity_release(first, &expected);
    graze_mesh_release(first, &s.mesh);
    graze_context_destroy(first);
}

static int reject_even(void *user, graze_kind kind, uint32_t a, uint32_t b) {
    (void)user, (void)kind;
    return (a + b) % 2;
}

TEST(groups_filter_kinds_and_stride_are_read) {
    static soup s;
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_CLUSTERED, 16, 4);
    s.mesh.filter = reject_even;
    judged all = judge(&s);
    CHECK(check_list(context, &s, &all, 1.2) > 10);
    forget(&all);
    s.mesh.filter = NULL;
    s.mesh.groups = s.groups;
    s.mesh.group_count = 3;
    s.mesh.skip_same_group = 1;
    all = judge(&s);
    CHECK(check_list(context, &s, &all, 1.2) > 10);
    forget(&all);
    s.mesh.groups = NULL;
    s.mesh.group_count = 0;
    s.mesh.skip_same_group = 0;
    static double spread[3 * SOUP_MAX][4];
    for (uint32_t v = 0; v < s.mesh.vertex_count; v++) memcpy(spread[v], s.x0[v], sizeof s.x0[v]);
    graze_proximity_options options = graze_default_proximity_options();
    graze_proximity_result plain = graze_default_proximity_result(), wide = graze_default_proximity_result();
    CHECK(graze_proximity(context, &s.mesh, AT(&s), 0.3, &options, &plain) == GRAZE_OK);
    options.stride = sizeof *spread;
    options.kinds = 1u << GRAZE_EE | 1u << GRAZE_PP;
    CHECK(graze_proximity(context, &s.mesh, (const double(*)[3])spread, 0.3, &options, &wide) == GRAZE_OK);
    size_t at = 0;
    for (size_t i = 0; i < plain.pair_count; i++) {
        if (plain.pairs[i].pair.kind != GRAZE_EE && plain.pairs[i].pair.kind != GRAZE_PP) continue;
        CHECK(at < wide.pair_count && memcmp(&plain.pairs[i], &wide.pairs[at], sizeof *wide.pairs) == 0);
        at++;
    }
    CHECK(at == wide.pair_count && at > 10 && at < plain.pair_count);
    graze_proximity_release(context, &plain);
    graze_proximity_release(context, &wide);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

/* Loops of edges at z = 0 whose vertices are listed as points, too: each vertex meets each edge once, as in the plane.
 */
TEST(in_the_plane_vertices_meet_edges) {
    enum { LOOPS = 8, CORNERS = 10, COUNT = LOOPS * CORNERS };
    static double x[COUNT][3];
    static uint32_t edges[COUNT][2], ids[COUNT];
    const double distance = 0.2;
    test_random random = {17};
    for (uint32_t v = 0; v < COUNT; v++) {
        uint32_t first = v / CORNERS * CORNERS;
        ids[v] = v;
        edges[v][0] = v;
        edges[v][1] = first + (v + 1 - first) % CORNERS;
        for (int c = 0; c < 2; c++) x[v][c] = test_random_between(&random, -1, 1);
    }
    graze_mesh mesh = graze_default_mesh();
    mesh.vertex_count = mesh.edge_count = mesh.codim_edge_count = mesh.codim_point_count = COUNT;
    mesh.edges = (const uint32_t(*)[2])edges;
    mesh.codim_edges = mesh.codim_points = ids;
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    graze_proximity_options options = graze_default_proximity_options();
    graze_proximity_result near = graze_default_proximity_result();
    options.kinds = 1u << GRAZE_PE;
    CHECK(graze_proximity(context, &mesh, (const double(*)[3])x, distance, &options, &near) == GRAZE_OK);
    size_t at = 0;
    for (uint32_t v = 0; v < COUNT; v++)
        for (uint32_t e = 0; e < COUNT; e++) {
            if (edges[e][0] == v || edges[e][1] == v) continue;
            double rows[3][3];
            graze_distance_result apart;
            for (int i = 0; i < 3; i++) memcpy(rows[i], x[i ? edges[e][i - 1] : v], sizeof rows[i]);
            CHECK(graze_distance(GRAZE_PE, (const double(*)[3])rows, &apart) == GRAZE_OK);
            if (apart.value > distance) continue;
            const graze_proximity_pair *pair = &near.pairs[at];
            CHECK(at < near.pair_count && pair->pair.a == v && pair->pair.b == e && pair->distance.vector[2] == 0);
            CHECK(memcmp(&pair->distance, &apart, sizeof apart) == 0);
            at++;
        }
    CHECK(at == near.pair_count && at > 100);
    graze_proximity_release(context, &near);
    graze_context_destroy(context);
}

/* Two lists of one state: by a context that has seen others, and by a new one. */
static void compare_lists(graze_context *used, const soup *s, const graze_mesh *mesh, double distance) {
    graze_context *fresh = test_context(1, GRAZE_ISA_AUTO);
    graze_proximity_result a = graze_default_proximity_result(), b = graze_default_proximity_result();
    CHECK(graze_proximity(used, mesh, AT(s), distance, NULL, &a) == GRAZE_OK);
    CHECK(graze_proximity(fresh, mesh, AT(s), distance, NULL, &b) == GRAZE_OK);
    CHECK_MSG(a.pair_count == b.pair_count, "%zu pairs, %zu with a new context", a.pair_count, b.pair_count);
    CHECK(a.pair_count == 0 || memcmp(a.pairs, b.pairs, a.pair_count * sizeof *a.pairs) == 0);
    graze_proximity_release(used, &a);
    graze_proximity_release(fresh, &b);
    graze_context_destroy(fresh);
}

/* All by much or little, or one alone. */
static void move_some(test_random *random, soup *s, double by) {
    bool one = test_random_below(random, 4) == 0;
    uint32_t alone = (uint32_t)test_random_below(random, s->mesh.vertex_count);
    for (uint32_t v = 0; v < s->mesh.vertex_count; v++)
        for (int c = 0; c < 3 && (!one || v == alone); c++) s->x0[v][c] += test_random_between(random, -by, by);
}

TEST(a_list_is_the_same_whatever_was_asked_before) {
    static const double motions[] = {0, 1e-4, 1e-3, 3e-3, 0.01, 0.03, 0.3};
    static const double distances[] = {0.3, 0.3, 0.3, 0.31, 0.25, 0.6};
    static soup s;
    static double radii[3 * SOUP_MAX];
    test_random random = {23};
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_CLUSTERED, 24, 3);
    graze_mesh mesh = s.mesh;
    for (int i = 0; i < 400; i++) {
        move_some(&random, &s, motions[test_random_below(&random, 7)]);
        if (i % 37 == 0) mesh.thickness = mesh.thickness ? NULL : radii;
        if (i % 41 == 0) radii[test_random_below(&random, mesh.vertex_count)] = 0.05; /* where it was, but another */
        if (i % 43 == 0) mesh.skip_same_group = !mesh.skip_same_group;
        mesh.groups = mesh.skip_same_group ? s.groups : NULL;
        mesh.group_count = mesh.skip_same_group ? 3 : 0;
        for (uint32_t v = 0; i == 200 && v < mesh.vertex_count; v++) s.groups[v] = s.groups[v] == 1 ? 0 : s.groups[v];
        compare_lists(context, &s, &mesh, distances[test_random_below(&random, 6)]);
    }
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

/* Two points just farther apart than what is kept come together across all three axes: no motion brings a pair closer.
 */
TEST(points_that_come_together_fastest_are_listed) {
    static soup s;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    for (int step = 0; step < 100; step++) {
        double far = 1.1250001 / sqrt(3), by = 0.03 + 0.0001 * step;
        graze_proximity_result near = graze_default_proximity_result();
        CHECK(graze_context_trim(context) == GRAZE_OK);
        lone_pair(GRAZE_PP, &s);
        for (int c = 0; c < 3; c++) s.x0[0][c] = 0, s.x0[1][c] = far;
        for (int call = 0; call < 3; call++) compare_lists(context, &s, &s.mesh, 1); /* kept up to 1.125 */
        for (int c = 0; c < 3; c++) s.x0[0][c] += by, s.x0[1][c] -= by;
        CHECK(graze_proximity(context, &s.mesh, AT(&s), 1, NULL, &near) == GRAZE_OK);
        CHECK_MSG(near.pair_count == (sqrt(3) * (far - 2 * by) <= 1), "moved by %g: %zu", by, near.pair_count);
        graze_proximity_release(context, &near);
    }
    graze_context_destroy(context);
}

static void check_refused(graze_context *context, const soup *s, double distance,
                          const graze_proximity_options *options, graze_status status) {
    graze_proximity_result result = graze_default_proximity_result();
    result.pair_count = 7;
    CHECK(graze_proximity(context, &s->mesh, AT(s), distance, options, &result) == status);
    CHECK(!result.pairs && !result.pair_count);
}

TEST(bad_input_is_refused_and_leaves_an_empty_result) {
    static soup s;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 20, 4);
    graze_proximity_options options = graze_default_proximity_options();
    check_refused(context, &s, -1e-300, NULL, GRAZE_ERR_INVALID_ARGUMENT);
    check_refused(context, &s, NAN, NULL, GRAZE_ERR_INVALID_ARGUMENT);
    check_refused(context, &s, INFINITY, NULL, GRAZE_ERR_INVALID_ARGUMENT);
    check_refused(NULL, &s, 1, NULL, GRAZE_ERR_INVALID_ARGUMENT);
    options.kinds = 1u << 4;
    check_refused(context, &s, 1, &options, GRAZE_ERR_INVALID_ARGUMENT);
    options.kinds = 0;
    options.stride = 20;
    check_refused(context, &s, 1, &options, GRAZE_ERR_INVALID_ARGUMENT);
    options.stride = 0;
    double thickness[3 * 20] = {0}, *outputs[] = {&s.x0[0][0], &s.x0[s.mesh.vertex_count - 1][2], thickness + 1};
    s.mesh.thickness = thickness;
    for (int i = 0; i < 3; i++) {
        options.vertex_distance = outputs[i];
        check_refused(context, &s, 1, &options, GRAZE_ERR_INVALID_ARGUMENT);
    }
    s.mesh.thickness = NULL;
    options.vertex_distance = thickness;
    options.pairs_in = GRAZE_MEMORY_DEVICE;
    check_refused(context, &s, 1, &options, GRAZE_ERR_UNSUPPORTED);
    graze_error error;
    CHECK(graze_context_last_error(context, &error) == GRAZE_OK && strstr(error.message, "vertex_distance"));
    options.pairs_in = GRAZE_MEMORY_HOST;
    options.vertex_distance = NULL;
    options.struct_size = 3;
    check_refused(context, &s, 1, &options, GRAZE_ERR_INVALID_ARGUMENT);
    s.x0[3][1] = NAN;
    check_refused(context, &s, 1, NULL, GRAZE_ERR_NOT_FINITE);
    CHECK(graze_proximity(context, &s.mesh, AT(&s), 1, NULL, NULL) == GRAZE_ERR_INVALID_ARGUMENT);
    graze_proximity_result small = {.struct_size = 8};
    CHECK(graze_proximity(context, &s.mesh, AT(&s), 1, NULL, &small) == GRAZE_ERR_INVALID_ARGUMENT);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

/* The first allocation fails, then the second, … */
TEST(proximity_survives_failure_of_every_allocation) {
    static soup s;
    static double told[3 * SOUP_MAX];
    graze_context *maker = test_context(1, GRAZE_ISA_AUTO);
    soup_make(&s, maker, SOUP_UNIFORM, 60, 4);
    size_t failed = 0;
    for (size_t limit = 120000; limit < 4000000; limit += limit / 16) {
        graze_context_options options = graze_default_context_options();
        graze_context *context;
        options.threads = 1;
        options.memory_limit = limit;
        if (graze_context_create(&options, &context) != GRAZE_OK) continue;
        graze_proximity_options asked = graze_default_proximity_options();
        graze_proximity_result result = graze_default_proximity_result();
        asked.vertex_distance = told;
        graze_status status = graze_proximity(context, &s.mesh, AT(&s), 0.2, &asked, &result);
        CHECK(status == GRAZE_OK || (status == GRAZE_ERR_OUT_OF_MEMORY && !result.pairs));
        failed += status != GRAZE_OK;
        graze_proximity_release(context, &result);
        graze_context_destroy(context);
    }
    CHECK(failed > 0);
    graze_mesh_release(maker, &s.mesh);
    graze_context_destroy(maker);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
