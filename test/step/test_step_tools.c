/* Calls that stand on steps: the active set, the line search, the checks before anything moves. */
#include "soup.h"

#define POSITIONS(s) (const double(*)[3])(s)->x0, (const double(*)[3])(s)->x1

/* Two square sheets of two triangles each, the upper one at height `gap`, moving by dz. */
static void two_squares(soup *s, graze_context *context, double gap, double dz) {
    static const double corners[4][2] = {{0, 0}, {4, 0}, {0, 4}, {4, 4}};
    static const uint32_t faces[4][3] = {{0, 1, 2}, {1, 3, 2}, {4, 5, 6}, {5, 7, 6}};
    for (int v = 0; v < 8; v++) {
        double *x0 = s->x0[v], *x1 = s->x1[v];
        x0[0] = x1[0] = corners[v % 4][0] + (v < 4 ? 0 : 0.5);
        x0[1] = x1[1] = corners[v % 4][1] + (v < 4 ? 0 : 0.25);
        x0[2] = v < 4 ? 0 : gap;
        x1[2] = v < 4 ? 0 : gap + dz;
    }
    memcpy(s->faces, faces, sizeof faces);
    s->mesh = graze_default_mesh();
    CHECK(graze_mesh_from_faces(context, 8, (const uint32_t(*)[3])s->faces, 4, &s->mesh) == GRAZE_OK);
}

static int say_stop(void *user) {
    (void)user;
    return 1;
}

/* A context whose calls are cancelled at once, or are past their deadline. */
static graze_context *ended_context(bool by_deadline) {
    graze_context_options options = graze_default_context_options();
    options.threads = 2;
    if (by_deadline)
        options.deadline_seconds = 1e-9;
    else
        options.cancel = say_stop;
    graze_context *context = NULL;
    CHECK(graze_context_create(&options, &context) == GRAZE_OK);
    return context;
}

TEST(an_active_set_that_is_cancelled_or_late_is_an_error_and_no_list) {
    static soup s;
    for (int by_deadline = 0; by_deadline < 2; by_deadline++) {
        graze_context *context = ended_context(by_deadline);
        soup_make(&s, context, SOUP_UNIFORM, 60, 51);
        graze_pair_result some, *pairs = &some;
        size_t count = 7;
        CHECK(graze_active_set(context, &s.mesh, POSITIONS(&s), NULL, &pairs, &count) == GRAZE_ERR_CANCELLED);
        CHECK(!pairs && !count);
        graze_error error;
        CHECK(graze_context_last_error(context, &error) == GRAZE_OK && error.status == GRAZE_ERR_CANCELLED);
        CHECK_MSG(strstr(error.message, "deadline"), "%s", error.message);
        graze_mesh_release(context, &s.mesh);
        graze_context_destroy(context);
    }
}

TEST(the_active_set_is_the_list_of_mode_all) {
    static soup s;
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 60, 51);
    graze_options narrow = graze_default_options();
    narrow.method = GRAZE_METHOD_ORACLE;
    graze_step_options options = graze_default_step_options();
    options.narrow = &narrow;
    graze_pair_result *pairs;
    size_t count;
    CHECK(graze_active_set(context, &s.mesh, POSITIONS(&s), &options, &pairs, &count) == GRAZE_OK);
    plain_list expected = plain_candidates(&s, 0);
    size_t hits = 0;
    for (size_t i = 0; i < expected.count; i++) {
        graze_result result;
        CHECK(graze_ccd_pairs(context, &s.mesh, POSITIONS(&s), &expected.pairs[i], 1, &options, &result) == GRAZE_OK);
        if (result.verdict == GRAZE_CLEAR) continue;
        CHECK(hits < count && plain_order(&pairs[hits].pair, &expected.pairs[i]) == 0);
        CHECK(hits < count && pairs[hits].result.toi == result.toi);
        hits++;
    }
    CHECK(hits == count && hits > 0);
    graze_active_set_release(context, pairs, count);
    free(expected.pairs);
    s.x0[3][1] = NAN;
    CHECK(graze_active_set(context, &s.mesh, POSITIONS(&s), &options, &pairs, &count) == GRAZE_ERR_NOT_FINITE);
    CHECK(!pairs && !count);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

/* The candidates, with that limit; what the context held at most goes to `peak`. */
static graze_pair *limited_candidates(const soup *s, uint32_t threads, graze_broad broad, size_t limit, size_t *count,
                                      uint64_t *peak) {
    graze_context *context = test_context(threads, GRAZE_ISA_AUTO);
    graze_step_options options = graze_default_step_options();
    graze_stats stats = graze_default_stats();
    graze_pair *pairs, *copy;
    options.memory_limit = limit;
    options.broad = broad;
    CHECK(graze_candidates(context, &s->mesh, POSITIONS(s), &options, &pairs, count) == GRAZE_OK);
    CHECK(graze_context_stats(context, &stats) == GRAZE_OK);
    *peak = stats.peak_bytes;
    copy = malloc((*count + 1) * sizeof *copy);
    if (*count) memcpy(copy, pairs, *count * sizeof *copy);
    graze_pairs_release(context, pairs, *count);
    graze_context_destroy(context);
    return copy;
}

TEST(a_list_under_a_memory_limit_is_the_same_and_takes_little_more_than_itself) {
    static soup s;
    static const soup_style styles[] = {SOUP_UNIFORM, SOUP_CLUSTERED, SOUP_SAME, SOUP_DEGENERATE};
    graze_context *owner = test_context(1, GRAZE_ISA_AUTO);
    for (int i = 0; i < 4; i++)
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            size_t count, limited_count;
            uint64_t peak, limited_peak;
            soup_make(&s, owner, styles[i], SOUP_MAX, 5);
            graze_broad broad = i == 3 ? GRAZE_BROAD_SAP : GRAZE_BROAD_AUTO;
            graze_pair *all = limited_candidates(&s, threads, broad, 0, &count, &peak);
            graze_pair *limited = limited_candidates(&s, threads, broad, 1 << 16, &limited_count, &limited_peak);
            CHECK(count == limited_count && memcmp(all, limited, count * sizeof *all) == 0);
            /* 200 bytes for the half vertex, face and one and a half edges of a triangle, and the workers' blocks */
            uint64_t primitives = (uint64_t)s.mesh.vertex_count + s.mesh.edge_count + s.mesh.face_count;
            uint64_t most = 12 * count + 12 * count / 10 + 67 * primitives + 100000 * (threads + 1);
            CHECK_MSG(i == 3 || limited_peak <= most, "%llu bytes for %zu pairs", (unsigned long long)limited_peak,
                      count);
            CHECK(i != 2 || peak > most); /* otherwise this says nothing */
            free(all);
            free(limited);
            graze_mesh_release(owner, &s.mesh);
        }
    graze_context_destroy(owner);
}

/* ---- line search ---- */

typedef struct energy_state {
    uint32_t count;
    double sign, floor; /* sum of heights times sign; NaN below the floor */
    int calls;
} energy_state;

static double height_energy(void *user, const double (*x)[3]) {
    energy_state *e = user;
    double sum = 0;
    e->calls++;
    for (uint32_t v = 0; v < e->count; v++) sum += x[v][2];
    return sum < e->floor ? NAN : e->sign * sum;
}

TEST(the_line_search_leaves_a_part_of_the_distance_and_goes_on_from_there) {
    static soup s;
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    two_squares(&s, context, 1, -2);
    energy_state energy = {.count = 8, .sign = 1, .floor = -INFINITY};
    double gap = 1;
    for (int i = 0; i < 8; i++) {
        graze_line_search_result r = graze_default_line_search_result();
        CHECK(graze_line_search(context, &s.mesh, POSITIONS(&s), height_energy, &energy, NULL, &r) == GRAZE_OK);
        CHECK(r.alpha > 0 && r.alpha == r.alpha_free && r.alpha < 0.5 && r.has_pair);
        double left = gap - 2 * r.alpha;
        /* p = 0.2: a fifth stays, however often it is called */
        CHECK_MSG(left >= 0.199 * gap && left <= 0.21 * gap + 4e-6, "call %d: %g of %g", i, left, gap);
        CHECK(r.energy < 4 * gap);
        for (int v = 4; v < 8; v++) {
            s.x0[v][2] += r.alpha * (s.x1[v][2] - s.x0[v][2]);
            s.x1[v][2] = s.x0[v][2] - 2;
        }
        gap = s.x0[4][2];
    }
    CHECK(gap > 0 && gap < 1e-5);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

TEST(the_line_search_backtracks_until_the_energy_is_lower) {
    static soup s;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    graze_line_search_result r = graze_default_line_search_result();
    two_squares(&s, context, 8, -2);                            /* no contact on the way */
    energy_state energy = {.count = 8, .sign = 1, .floor = 29}; /* lower than 32 but not below 29: at most 3/8 of it */
    CHECK(graze_line_search(context, &s.mesh, POSITIONS(&s), height_energy, &energy, NULL, &r) == GRAZE_OK);
    CHECK(r.alpha_free == 1 && r.alpha == 0.25 && r.energy == 30 && !r.has_pair);
    CHECK(r.energy_calls == 4 && energy.calls == 4); /* 0, 1, 1/2, 1/4 */
    energy.floor = -INFINITY;
    energy.sign = -1; /* uphill all the way */
    CHECK(graze_line_search(context, &s.mesh, POSITIONS(&s), height_energy, &energy, NULL, &r) == GRAZE_OK);
    CHECK(r.alpha == 0 && r.energy == -32);
    CHECK(graze_line_search(context, &s.mesh, POSITIONS(&s), NULL, NULL, NULL, &r) == GRAZE_OK);
    CHECK(r.alpha == 1 && r.alpha_free == 1);
    graze_line_search_options options = graze_default_line_search_options();
    options.separation_fraction = 1;
    CHECK(graze_line_search(context, &s.mesh, POSITIONS(&s), NULL, NULL, &options, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    options = graze_default_line_search_options();
    options.shrink = NAN;
    CHECK(graze_line_search(context, &s.mesh, POSITIONS(&s), NULL, NULL, &options, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(r.alpha == 0);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

TEST(the_line_search_backtracks_no_more_often_than_allowed) {
    static soup s;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    two_squares(&s, context, 8, -2);
    graze_line_search_options options = graze_default_line_search_options();
    for (options.max_steps = 0; options.max_steps < 4; options.max_steps++) {
        graze_line_search_result r = graze_default_line_search_result();
        energy_state energy = {.count = 8, .sign = 1, .floor = 29}; /* 1 and 1/2 go too far, 1/4 does not */
        CHECK(graze_line_search(context, &s.mesh, POSITIONS(&s), height_energy, &energy, &options, &r) == GRAZE_OK);
        CHECK(r.alpha == (options.max_steps < 2 ? 0 : 0.25));
        CHECK(energy.calls == (options.max_steps < 2 ? 2 + (int)options.max_steps : 4));
    }
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

TEST(a_start_too_close_for_a_separation_still_makes_a_step) {
    static soup s;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    graze_options narrow = graze_default_options();
    narrow.method = GRAZE_METHOD_ORACLE;
    graze_step_options step = graze_default_step_options();
    step.narrow = &narrow;
    graze_line_search_options options = graze_default_line_search_options();
    options.step = &step;
    graze_line_search_result r = graze_default_line_search_result();
    double gap = 0x1p-45; /* below what plain closest points can be trusted with */
    two_squares(&s, context, gap, -1);
    CHECK(graze_line_search(context, &s.mesh, POSITIONS(&s), NULL, NULL, &options, &r) == GRAZE_OK);
    CHECK(r.alpha > 0.5 * gap && r.alpha < gap);
    graze_mesh_release(context, &s.mesh);
    two_squares(&s, context, 0, -1); /* touching: nowhere to go */
    CHECK(graze_line_search(context, &s.mesh, POSITIONS(&s), NULL, NULL, &options, &r) == GRAZE_OK);
    CHECK(r.alpha == 0 && r.has_pair);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

TEST(stepping_back_stays_below_the_contact) {
    CHECK(graze_step_back(1, 0.25) == 0.75);
    CHECK(graze_step_back(0.5, 0) < 0.5 && graze_step_back(0.5, 0) > 0.4999);
    CHECK(graze_step_back(0, 0.5) == 0 && graze_step_back(NAN, 0.5) == 0 && graze_step_back(1, NAN) == 0);
    CHECK(graze_step_back(5e-324, 0) == 0);
}

/* ---- before anything moves ---- */

static bool oracle_says(graze_kind kind, const graze_query *query, double separation) {
    graze_options options = graze_default_options();
    options.method = GRAZE_METHOD_ORACLE;
    options.min_separation = separation;
    graze_result result;
    CHECK(graze_ccd(kind, query, &options, &result) == GRAZE_OK);
    return result.verdict != GRAZE_CLEAR;
}

TEST(start_violations_are_exactly_the_pairs_within_the_separation) {
    static soup s;
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    for (int round = 0; round < 4; round++) {
        double d = round < 2 ? 0 : 0.125;
        soup_make(&s, context, round % 2 ? SOUP_CLUSTERED : SOUP_DEGENERATE, round % 2 ? 60 : 40, 52);
        memcpy(s.x0[7], s.x0[0], sizeof s.x0[7]); /* a contact, if there is no other */
        memcpy(s.x1, s.x0, sizeof s.x1);
        graze_options narrow = graze_default_options();
        narrow.min_separation = d;
        graze_step_options options = graze_default_step_options();
        options.narrow = &narrow;
        graze_pair *pairs;
        size_t count, next = 0;
        CHECK(graze_start_violations(context, &s.mesh, (const double(*)[3])s.x0, &options, &pairs, &count) == GRAZE_OK);
        plain_list near = plain_candidates(&s, d);
        for (size_t i = 0; i < near.count; i++) {
            graze_query query = {0};
            const graze_pair *p = &near.pairs[i];
            uint32_t ids[4] = {p->a, p->b, 0, 0};
            if (p->kind == GRAZE_VF) memcpy(ids + 1, s.mesh.faces[p->b], sizeof s.mesh.faces[p->b]);
            if (p->kind == GRAZE_EE) memcpy(ids, s.mesh.edges[p->a], sizeof s.mesh.edges[p->a]);
            if (p->kind == GRAZE_EE) memcpy(ids + 2, s.mesh.edges[p->b], sizeof s.mesh.edges[p->b]);
            if (p->kind == GRAZE_PE) memcpy(ids + 1, s.mesh.edges[p->b], sizeof s.mesh.edges[p->b]);
            for (int k = 0; k < 4; k++) {
                memcpy(query.x0[k], s.x0[ids[k]], sizeof query.x0[k]);
                memcpy(query.x1[k], s.x0[ids[k]], sizeof query.x1[k]);
            }
            if (!oracle_says(p->kind, &query, d)) continue;
            CHECK(next < count && plain_order(&pairs[next], p) == 0);
            next++;
        }
        CHECK_MSG(next == count && count > 0, "round %d: %zu, expected %zu", round, count, next);
        free(near.pairs);
        graze_pairs_release(context, pairs, count);
        graze_mesh_release(context, &s.mesh);
    }
    graze_context_destroy(context);
}

/* Two triangles and whether they meet, by construction. */
typedef struct triangle_case {
    double x[6][3];
    bool meet;
    const char *what;
} triangle_case;

static const triangle_case triangle_cases[] = {
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, -1}, {1, 1, 1}, {5, 5, 1}}, true, "pierced"},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {3, 3, -1}, {3, 3, 1}, {5, 5, 1}}, false, "beside"},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 0}, {1, 1, 1}, {5, 5, 1}}, true, "a corner on the face"},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 0x1p-60}, {1, 1, 1}, {5, 5, 1}}, false, "a corner just above"},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {2, 2, 0}, {5, 5, 1}, {5, 5, -1}}, true, "a corner on a side"},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {4, 0, 0}, {5, 5, 1}, {5, 5, -1}}, true, "corner on corner"},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 0}, {2, 1, 0}, {1, 2, 0}}, true, "one inside the other, in a plane"},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {3, 3, 0}, {4, 3, 0}, {3, 4, 0}}, false, "apart in a plane"},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 1}, {4, 0, 1}, {0, 4, 1}}, false, "parallel"},
    {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {-1, 1, -1}, {5, 1, -1}, {1, 1, 0x1p-1000}}, true, "a tip just through"},
    {{{0, 0, 0}, {4, 0, 0}, {8, 0, 0}, {2, -1, 0}, {2, 1, 0}, {2, 0, 5}}, true, "a segment for a triangle"},
    {{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {2, 1, 0}, {2, 0, 5}}, true, "a point for a triangle"},
};

TEST(static_intersections_are_decided_exactly) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    static const uint32_t faces[2][3] = {{0, 1, 2}, {3, 4, 5}};
    for (size_t i = 0; i < sizeof triangle_cases / sizeof *triangle_cases; i++) {
        graze_mesh mesh = graze_default_mesh();
        CHECK(graze_mesh_from_faces(context, 6, faces, 2, &mesh) == GRAZE_OK);
        graze_pair *pairs;
        size_t count;
        CHECK(graze_static_intersections(context, &mesh, triangle_cases[i].x, NULL, &pairs, &count) == GRAZE_OK);
        CHECK_MSG(count == (triangle_cases[i].meet ? 1 : 0), "%s", triangle_cases[i].what);
        if (count) CHECK(pairs[0].a == 0 && pairs[0].b == 1);
        graze_pairs_release(context, pairs, count);
        graze_mesh_release(context, &mesh);
    }
    graze_context_destroy(context);
}

static int no_answer(void *user, graze_kind kind, uint32_t a, uint32_t b) {
    (void)user, (void)kind, (void)a, (void)b;
    return 7;
}

TEST(static_intersections_ask_no_filter_and_keep_groups_apart) {
    static const double x[6][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, -1}, {1, 1, 1}, {5, 5, 0}};
    static const uint32_t faces[2][3] = {{0, 1, 2}, {3, 4, 5}}, same[6] = {0};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    for (int skip = 0; skip < 2; skip++) {
        graze_mesh mesh = graze_default_mesh();
        CHECK(graze_mesh_from_faces(context, 6, faces, 2, &mesh) == GRAZE_OK);
        mesh.filter = no_answer;
        mesh.groups = same;
        mesh.group_count = 1;
        mesh.skip_same_group = skip;
        graze_pair *pairs;
        size_t count;
        CHECK(graze_static_intersections(context, &mesh, x, NULL, &pairs, &count) == GRAZE_OK);
        CHECK(count == (skip ? 0 : 1));
        graze_pairs_release(context, pairs, count);
        graze_mesh_release(context, &mesh);
    }
    graze_context_destroy(context);
}

TEST(static_intersections_are_those_of_every_pair_of_faces_in_turn) {
    static soup s;
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    for (int style = 0; style < 5; style++) {
        soup_make(&s, context, (soup_style)style, style == SOUP_SAME ? 12 : 60, 53);
        graze_pair *pairs;
        size_t count, next = 0;
        graze_step_options options = graze_default_step_options();
        options.broad = style % 2 ? GRAZE_BROAD_SAP : GRAZE_BROAD_AUTO;
        CHECK(graze_static_intersections(context, &s.mesh, (const double(*)[3])s.x0, &options, &pairs, &count) ==
              GRAZE_OK);
        for (uint32_t a = 0; a < s.mesh.face_count; a++)
            for (uint32_t b = a + 1; b < s.mesh.face_count; b++) {
                const uint32_t *f = s.faces[a], *g = s.faces[b];
                bool meet = false, shared = false;
                for (int i = 0; i < 9; i++) shared |= f[i / 3] == g[i % 3];
                for (int side = 0; side < 6 && !meet && !shared; side++) {
                    const uint32_t *from = side < 3 ? f : g, *to = side < 3 ? g : f;
                    graze_query query = {0};
                    memcpy(query.x0[0], s.x0[from[side % 3]], sizeof query.x0[0]);
                    memcpy(query.x1[0], s.x0[from[(side + 1) % 3]], sizeof query.x1[0]);
                    for (int k = 0; k < 3; k++) {
                        memcpy(query.x0[k + 1], s.x0[to[k]], sizeof query.x0[0]);
                        memcpy(query.x1[k + 1], s.x0[to[k]], sizeof query.x1[0]);
                    }
                    meet = oracle_says(GRAZE_VF, &query, 0);
                }
                if (!meet) continue;
                CHECK(next < count && pairs[next].a == a && pairs[next].b == b);
                next++;
            }
        CHECK_MSG(next == count, "style %d: %zu, expected %zu", style, count, next);
        graze_pairs_release(context, pairs, count);
        graze_mesh_release(context, &s.mesh);
    }
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
