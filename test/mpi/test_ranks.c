/* Steps over ranks against steps of one process, bit for bit. Ranks are threads here, so no MPI is needed;
   test/mpi/matrix.sh does it with processes. */
#include "failing.h"
#include "mpi/spread_mesh.h"

#include "bench/scale/virtual_ranks.h"
#include "src/mpi/load.h"

#include <pthread.h>
#include <stddef.h>

#define MOST_RANKS 8

static const soup_style styles[] = {SOUP_UNIFORM,    SOUP_CLUSTERED, SOUP_FLAT, SOUP_SAME,
                                    SOUP_DEGENERATE, SOUP_HUGE,      SOUP_TINY, SOUP_OFFSET};

/* The answers of one process, and those that each rank got. */
typedef struct trial {
    spread_mesh *mesh;
    uint32_t ranks;
    graze_step_options options;
    graze_step_result one;
    const double *one_times;
    graze_pair *one_candidates;
    size_t one_candidate_count;
    bool list;
    uint32_t repeats;
    graze_status status[MOST_RANKS];
    graze_mpi_result results[MOST_RANKS];
    graze_context *contexts[MOST_RANKS];
    graze_mpi_pair *candidates[MOST_RANKS];
    size_t candidate_counts[MOST_RANKS];
    uint64_t candidate_firsts[MOST_RANKS];
    uint64_t intersections[MOST_RANKS];
    double *times[MOST_RANKS];
    spread_part parts[MOST_RANKS];
} trial;

static graze_context *rank_context(void) {
    graze_context_options options = graze_default_context_options();
    graze_context *context = NULL;
    gz_mpi_kept *kept;
    options.threads = 1;
    if (graze_context_create(&options, &context) != GRAZE_OK) abort();
    if (gz_mpi_open_with(context, &virtual_transport, &kept) != GRAZE_OK) abort();
    return context;
}

static void run_rank(void *user, uint32_t rank) {
    trial *t = user;
    spread_part *p = &t->parts[rank];
    graze_step_options options = t->options;
    const double(*x0)[3] = (const double(*)[3])p->x0, (*x1)[3] = (const double(*)[3])p->x1;
    options.vertex_toi = t->times[rank];
    for (uint32_t i = 0; i <= t->repeats; i++) {
        graze_context *context = t->contexts[rank];
        graze_mpi_step_release(context, &t->results[rank]);
        if (t->list && graze_mpi_static_intersections(context, 0, &p->part, x0, NULL, &t->intersections[rank])) abort();
        if (t->list)
            t->status[rank] = graze_mpi_candidates(context, 0, &p->part, x0, x1, &options, &t->candidates[rank],
                                                   &t->candidate_counts[rank], &t->candidate_firsts[rank]);
        else
            t->status[rank] = graze_mpi_step(context, 0, &p->part, x0, x1, &options, &t->results[rank]);
    }
}

static void open_trial(trial *t, spread_mesh *mesh, uint32_t ranks) {
    t->mesh = mesh;
    t->ranks = ranks;
    for (uint32_t r = 0; r < ranks; r++) {
        spread_part_make(mesh, r, ranks, &t->parts[r]);
        t->contexts[r] = rank_context();
        t->results[r] = graze_default_mpi_result();
        t->times[r] = calloc(mesh->mesh.vertex_count, sizeof *t->times[r]);
    }
}

static void close_trial(trial *t) {
    for (uint32_t r = 0; r < t->ranks; r++) {
        graze_mpi_step_release(t->contexts[r], &t->results[r]);
        graze_mpi_pairs_release(t->contexts[r], t->candidates[r], t->candidate_counts[r]);
        graze_context_destroy(t->contexts[r]);
        spread_part_free(&t->parts[r]);
        free(t->times[r]);
    }
}

/* ---- comparing ---- */

static bool same_double(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static bool same_result(const graze_result *a, const graze_result *b) {
    bool same = a->verdict == b->verdict && a->reason == b->reason && a->proven == b->proven && a->checks == b->checks;
    same = same && same_double(a->toi, b->toi) && same_double(a->toi_upper, b->toi_upper);
    same = same && memcmp(&a->u, &b->u, sizeof a->u) == 0 && memcmp(&a->v, &b->v, sizeof a->v) == 0;
    return same && !memcmp(a->point, b->point, sizeof a->point) && !memcmp(a->normal, b->normal, sizeof a->normal);
}

/* Vertices have the ids of the test; edges and faces those of the mesh. */
static bool same_pair(const spread_mesh *m, const graze_pair *one, const graze_mpi_pair *many) {
    bool vertex_a = one->kind != GRAZE_EE, vertex_b = one->kind == GRAZE_PP;
    return one->kind == many->kind && many->a == (vertex_a ? spread_id(m, one->a) : one->a) &&
           many->b == (vertex_b ? spread_id(m, one->b) : one->b);
}

static bool same_vertices(const spread_mesh *m, const graze_pair *one, const uint64_t vertices[4]) {
    graze_stencil stencil;
    bool same = graze_pair_stencil(&m->mesh, *one, 0, 0, &stencil) == GRAZE_OK;
    for (uint32_t i = 0; i < stencil.count; i++) same = same && vertices[i] == spread_id(m, stencil.vertices[i]);
    return same;
}

static bool same_listed(const trial *t, const graze_pair_result *one, const graze_mpi_pair_result *many) {
    return same_pair(t->mesh, &one->pair, &many->pair) && same_vertices(t->mesh, &one->pair, many->vertices) &&
           same_result(&one->result, &many->result);
}

static void check_lists(const trial *t) {
    uint64_t next = 0;
    for (uint32_t r = 0; r < t->ranks; r++) {
        const graze_mpi_result *many = &t->results[r];
        CHECK(many->pair_first == next);
        CHECK(many->pair_total == t->one.pair_count);
        for (size_t i = 0; i < many->pair_count && next < t->one.pair_count; i++)
            CHECK(same_listed(t, &t->one.pairs[next++], &many->pairs[i]));
    }
    CHECK(next == t->one.pair_count);
}

static void check_times(const trial *t) {
    for (uint32_t r = 0; r < t->ranks; r++)
        for (size_t i = 0; i < t->parts[r].part.vertex_count; i++)
            CHECK(same_double(t->times[r][i], t->one_times[t->parts[r].rows[i]]));
}

static void check_rank(const trial *t, const graze_mpi_result *many) {
    const graze_step_result *one = &t->one;
    CHECK(many->verdict == one->verdict);
    CHECK(many->vertex_total == t->mesh->mesh.vertex_count);
    CHECK(many->edge_total == t->mesh->mesh.edge_count);
    CHECK(many->face_total == t->mesh->mesh.face_count);
    if (t->options.mode == GRAZE_STEP_ANY) return; /* which contact it is may differ */
    CHECK(many->reason == one->reason);
    CHECK(same_double(many->toi, one->toi) && same_double(many->toi_upper, one->toi_upper));
    CHECK(many->has_pair == one->has_pair);
    if (one->has_pair) CHECK(same_listed(t, &one->limiting, &many->limiting));
    for (int kind = 0; kind < 4; kind++) {
        CHECK(many->candidates[kind] == one->candidates[kind]);
        CHECK(many->hits[kind] == one->hits[kind]);
    }
}

static void check_candidates(const trial *t) {
    uint64_t next = 0;
    for (uint32_t r = 0; r < t->ranks; r++) {
        CHECK(t->candidate_firsts[r] == next);
        for (size_t i = 0; i < t->candidate_counts[r] && next < t->one_candidate_count; i++)
            CHECK(same_pair(t->mesh, &t->one_candidates[next++], &t->candidates[r][i]));
    }
    CHECK(next == t->one_candidate_count);
}

/* ---- families ---- */

/* One question to one process and to `ranks` ranks. */
static void compare(graze_context *context, spread_mesh *mesh, uint32_t ranks, const graze_options *narrow,
                    graze_step_mode mode, uint32_t repeats) {
    trial *t = calloc(1, sizeof *t);
    double *times = calloc(mesh->mesh.vertex_count, sizeof *times);
    t->options = graze_default_step_options();
    t->options.narrow = narrow;
    t->options.mode = mode;
    t->options.vertex_toi = times;
    t->one = graze_default_step_result();
    t->one_times = times;
    t->repeats = repeats;
    CHECK(graze_step(context, &mesh->mesh, (const double(*)[3])mesh->x0, (const double(*)[3])mesh->x1, &t->options,
                     &t->one) == GRAZE_OK);
    open_trial(t, mesh, ranks);
    CHECK(virtual_ranks_run(ranks, run_rank, t));
    for (uint32_t r = 0; r < ranks; r++) {
        CHECK(t->status[r] == GRAZE_OK);
        check_rank(t, &t->results[r]);
    }
    if (mode == GRAZE_STEP_ALL) check_lists(t);
    if (mode == GRAZE_STEP_VERTICES) check_times(t);
    close_trial(t);
    graze_step_release(context, &t->one);
    free(times);
    free(t);
}

static void compare_candidates(graze_context *context, spread_mesh *mesh, uint32_t ranks, const graze_options *narrow) {
    trial *t = calloc(1, sizeof *t);
    t->options = graze_default_step_options();
    t->options.narrow = narrow;
    t->list = true;
    CHECK(graze_candidates(context, &mesh->mesh, (const double(*)[3])mesh->x0, (const double(*)[3])mesh->x1,
                           &t->options, &t->one_candidates, &t->one_candidate_count) == GRAZE_OK);
    open_trial(t, mesh, ranks);
    CHECK(virtual_ranks_run(ranks, run_rank, t));
    for (uint32_t r = 0; r < ranks; r++) CHECK(t->status[r] == GRAZE_OK);
    check_candidates(t);
    graze_pair *faces;
    size_t intersections;
    CHECK(graze_static_intersections(context, &mesh->mesh, (const double(*)[3])mesh->x0, NULL, &faces,
                                     &intersections) == GRAZE_OK);
    for (uint32_t r = 0; r < ranks; r++) CHECK(t->intersections[r] == intersections);
    graze_pairs_release(context, faces, intersections);
    close_trial(t);
    graze_pairs_release(context, t->one_candidates, t->one_candidate_count);
    free(t);
}

static void compare_all(graze_context *context, spread_mesh *mesh, uint32_t ranks, double separation, double t_max) {
    graze_options narrow = graze_default_options();
    narrow.min_separation = separation;
    narrow.t_max = t_max;
    for (int mode = 0; mode <= GRAZE_STEP_ALL; mode++) compare(context, mesh, ranks, &narrow, (graze_step_mode)mode, 0);
    compare_candidates(context, mesh, ranks, &narrow);
}

static const uint32_t rank_counts[] = {1, 2, 3, 4, 8};
#define RANK_COUNTS (sizeof rank_counts / sizeof *rank_counts)

TEST(answers_do_not_depend_on_the_number_of_ranks) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    spread_mesh *mesh = calloc(1, sizeof *mesh);
    for (size_t s = 0; s < sizeof styles / sizeof *styles; s++)
        for (size_t i = 0; i < RANK_COUNTS; i++) {
            mesh->sparse = i % 2;
            spread_make(mesh, context, styles[s], 20 + 40 * (uint32_t)i, s + 1);
            compare_all(context, mesh, rank_counts[i], 0, 1);
            spread_free(mesh, context);
        }
    free(mesh);
    graze_context_destroy(context);
}

TEST(separation_thickness_groups_and_t_max_go_over_ranks) {
    static const uint8_t table[9] = {1, 1, 0, 1, 0, 1, 0, 1, 1};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    spread_mesh *mesh = calloc(1, sizeof *mesh);
    for (int which = 0; which < 8; which++) {
        spread_make(mesh, context, which & 1 ? SOUP_CLUSTERED : SOUP_UNIFORM, 90, 77 + (uint64_t)which);
        if (which & 2) mesh->mesh.thickness = mesh->thickness;
        if (which & 4) {
            for (uint32_t v = 0; v < mesh->base.mesh.vertex_count; v++) mesh->groups[v] = mesh->base.groups[v];
            for (uint32_t e = 0; e < SPREAD_EXTRA; e++)
                for (int k = 0; k < 2; k++) mesh->groups[mesh->edges[e][k]] = mesh->groups[mesh->edges[e][1]];
            mesh->mesh.groups = mesh->groups;
            mesh->mesh.group_count = 3;
            mesh->mesh.skip_same_group = which & 1;
            mesh->mesh.group_pairs = table;
        }
        compare_all(context, mesh, 3, 0x1p-7, which & 2 ? 0.375 : 1);
        compare_all(context, mesh, 2, 0, 0);
        spread_free(mesh, context);
    }
    free(mesh);
    graze_context_destroy(context);
}

TEST(a_second_step_on_the_same_lists_has_the_bits_of_the_first) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    spread_mesh *mesh = calloc(1, sizeof *mesh);
    graze_options narrow = graze_default_options();
    spread_make(mesh, context, SOUP_UNIFORM, 120, 5);
    for (int mode = 0; mode <= GRAZE_STEP_ALL; mode++) compare(context, mesh, 4, &narrow, (graze_step_mode)mode, 2);
    spread_free(mesh, context);
    free(mesh);
    graze_context_destroy(context);
}

/* The same mesh elsewhere: its axes change places. */
static void turn(trial *t) {
    spread_mesh *m = t->mesh;
    for (uint32_t v = 0; v < m->mesh.vertex_count; v++)
        for (int end = 0; end < 2; end++) {
            double *x = end ? m->x1[v] : m->x0[v], first = x[0];
            x[0] = 3 * x[1];
            x[1] = x[2];
            x[2] = first;
        }
    for (uint32_t r = 0; r < t->ranks; r++)
        for (size_t i = 0; i < t->parts[r].part.vertex_count; i++) {
            memcpy(t->parts[r].x0[i], m->x0[t->parts[r].rows[i]], sizeof m->x0[0]);
            memcpy(t->parts[r].x1[i], m->x1[t->parts[r].rows[i]], sizeof m->x1[0]);
        }
}

/* Rank 0 is a member of two communicators, and has one context; its partners hold what it dealt with each of them. */
TEST(communicators_that_take_turns_on_one_context_do_not_meet_what_the_other_one_dealt) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    spread_mesh *mesh = calloc(1, sizeof *mesh);
    for (int which = 0; which < 4; which++) { /* at rest, or elsewhere at each step; two orders of the modes */
        trial *t = calloc(1, sizeof *t);
        spread_make(mesh, context, SOUP_UNIFORM, 120, 31);
        t->options = graze_default_step_options();
        open_trial(t, mesh, 2);
        graze_context *other = rank_context();
        for (int step = 0; step < 9; step++) {
            t->options.mode = (step / 2 + which) % 2 ? GRAZE_STEP_EARLIEST : GRAZE_STEP_ALL;
            t->one = graze_default_step_result();
            CHECK(graze_step(context, &mesh->mesh, (const double(*)[3])mesh->x0, (const double(*)[3])mesh->x1,
                             &t->options, &t->one) == GRAZE_OK);
            CHECK(virtual_ranks_run(2, run_rank, t));
            for (uint32_t r = 0; r < 2; r++) {
                CHECK(t->status[r] == GRAZE_OK);
                check_rank(t, &t->results[r]);
            }
            if (t->options.mode == GRAZE_STEP_ALL) check_lists(t);
            for (uint32_t r = 0; r < 2; r++) graze_mpi_step_release(t->contexts[r], &t->results[r]);
            graze_step_release(context, &t->one);
            graze_context *next = other; /* sometimes twice the same one */
            if (step % 3 != 2) {
                other = t->contexts[1];
                t->contexts[1] = next;
            }
            if (which / 2) turn(t);
        }
        graze_context_destroy(other);
        close_trial(t);
        free(t);
        spread_free(mesh, context);
    }
    free(mesh);
    graze_context_destroy(context);
}

/* Two flat sheets that meet all over at one time, their vertices and faces numbered in any order. */
static void make_ties(spread_mesh *m, graze_context *context, uint64_t seed) {
    enum { CELLS = 7, CORNERS = CELLS + 1, HALF = CORNERS * CORNERS };
    test_random random = {seed};
    uint32_t number[2 * HALF], face = 0;
    for (uint32_t v = 0; v < 2 * HALF; v++) {
        uint32_t other = (uint32_t)test_random_below(&random, v + 1);
        number[v] = number[other];
        number[other] = v;
    }
    for (uint32_t v = 0; v < 2 * HALF; v++) {
        uint32_t side = v / HALF, i = v % HALF % CORNERS, j = v % HALF / CORNERS;
        double *x0 = m->x0[number[v]], *x1 = m->x1[number[v]];
        x0[0] = x1[0] = i + 0.25 * side;
        x0[1] = x1[1] = j + 0.25 * side;
        x0[2] = side;
        x1[2] = side ? 0.25 : 0.75;
        if (i == CELLS || j == CELLS) continue;
        memcpy(m->base.faces[face++], (uint32_t[3]){number[v], number[v + 1], number[v + CORNERS]}, 12);
        memcpy(m->base.faces[face++], (uint32_t[3]){number[v + 1], number[v + CORNERS + 1], number[v + CORNERS]}, 12);
    }
    for (uint32_t f = face - 1; f > 0; f--) {
        uint32_t other = (uint32_t)test_random_below(&random, f), corners[3];
        memcpy(corners, m->base.faces[f], sizeof corners);
        memcpy(m->base.faces[f], m->base.faces[other], sizeof corners);
        memcpy(m->base.faces[other], corners, sizeof corners);
    }
    for (uint32_t e = 0; e < SPREAD_EXTRA; e++) /* sides of faces do no harm */
        for (int k = 0; k < 2; k++) m->edges[e][k] = m->base.faces[e][k];
    for (uint32_t i = 0; i < SPREAD_EXTRA; i++) m->points[i] = m->base.faces[i][0];
    m->mesh = graze_default_mesh();
    CHECK(graze_mesh_from_faces(context, 2 * HALF, (const uint32_t(*)[3])m->base.faces, face, &m->mesh) == GRAZE_OK);
}

TEST(of_pairs_that_tie_the_first_one_is_named_whoever_tests_it) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    spread_mesh *mesh = calloc(1, sizeof *mesh);
    graze_options narrow = graze_default_options();
    for (uint64_t seed = 1; seed <= 12; seed++) {
        make_ties(mesh, context, seed);
        compare(context, mesh, 2 + (uint32_t)seed % 7, &narrow, GRAZE_STEP_EARLIEST, 0);
        compare(context, mesh, 2 + (uint32_t)seed % 7, &narrow, GRAZE_STEP_ALL, 0);
        graze_mesh_release(context, &mesh->mesh);
    }
    free(mesh);
    graze_context_destroy(context);
}

/* ---- failures ---- */

typedef void break_it(trial *t);

/* Every rank fails with this status and these words when one of them breaks something. */
static void fails(break_it *broken, uint32_t ranks, graze_step_mode mode, graze_status expected, const char *words) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    spread_mesh *mesh = calloc(1, sizeof *mesh);
    trial *t = calloc(1, sizeof *t);
    t->options = graze_default_step_options();
    t->options.mode = mode;
    spread_make(mesh, context, SOUP_UNIFORM, 60, 9);
    mesh->mesh.thickness = mesh->thickness;
    open_trial(t, mesh, ranks);
    broken(t);
    CHECK(virtual_ranks_run(ranks, run_rank, t));
    for (uint32_t r = 0; r < ranks; r++) {
        graze_error error;
        CHECK(t->status[r] == expected);
        CHECK(t->results[r].verdict == GRAZE_UNRESOLVED && t->results[r].toi == 0 && !t->results[r].pairs);
        CHECK(graze_context_last_error(t->contexts[r], &error) == GRAZE_OK && strstr(error.message, words));
    }
    close_trial(t);
    spread_free(mesh, context);
    free(mesh);
    free(t);
    graze_context_destroy(context);
}

/* A vertex that two ranks bring: its place on rank 1. */
static size_t shared_by_0_and_1(const trial *t) {
    const graze_mpi_part *zero = &t->parts[0].part, *one = &t->parts[1].part;
    for (size_t i = 0; i < one->vertex_count; i++)
        for (size_t k = 0; k < zero->vertex_count; k++)
            if (zero->vertex_ids[k] == one->vertex_ids[i]) return i;
    abort();
}

static void move_x0(trial *t) { t->parts[1].x0[shared_by_0_and_1(t)][0] += 1; }
static void move_x1(trial *t) {
    t->parts[1].x1[shared_by_0_and_1(t)][2] = nextafter(t->parts[1].x1[shared_by_0_and_1(t)][2], 9);
}
static void grow(trial *t) { t->parts[1].thickness[shared_by_0_and_1(t)] *= 2; }
static void not_a_number(trial *t) { t->parts[2].x1[3][1] = NAN; }
static void nobody(trial *t) { t->parts[2].faces[0][1] = 1u << 30; }
static void twice(trial *t) { t->parts[0].ids[1] = t->parts[0].ids[0]; }
static void other_corners(trial *t) {
    for (size_t i = 0; i < t->parts[1].part.face_count; i++)
        for (size_t k = 0; k < t->parts[0].part.face_count; k++)
            if (t->parts[1].face_ids[i] == t->parts[0].face_ids[k]) {
                uint64_t corner = t->parts[1].faces[i][0];
                t->parts[1].faces[i][0] = t->parts[1].faces[i][1];
                t->parts[1].faces[i][1] = corner;
                return;
            }
}
static graze_options other_method;
static void published(trial *t) {
    other_method = graze_default_options();
    other_method.method = GRAZE_METHOD_TI;
    t->options.narrow = &other_method;
}
static void relative(trial *t) { t->options.relative_separation = 0.5; }

TEST(copies_of_a_vertex_that_do_not_agree_are_an_error_on_all_ranks) {
    fails(move_x0, 3, GRAZE_STEP_EARLIEST, GRAZE_ERR_INVALID_ARGUMENT, "x0");
    fails(move_x1, 3, GRAZE_STEP_EARLIEST, GRAZE_ERR_INVALID_ARGUMENT, "x1");
    fails(grow, 3, GRAZE_STEP_ALL, GRAZE_ERR_INVALID_ARGUMENT, "thickness");
    fails(twice, 2, GRAZE_STEP_ALL, GRAZE_ERR_INVALID_ARGUMENT, "twice");
    fails(other_corners, 2, GRAZE_STEP_ALL, GRAZE_ERR_INVALID_ARGUMENT, "corners");
}

TEST(what_is_wrong_on_one_rank_is_said_on_all) {
    fails(not_a_number, 3, GRAZE_STEP_VERTICES, GRAZE_ERR_NOT_FINITE, "x1");
    fails(nobody, 4, GRAZE_STEP_EARLIEST, GRAZE_ERR_BAD_INDEX, "no rank brings vertex 1073741824");
}

TEST(other_methods_and_relative_separation_are_unsupported) {
    fails(published, 2, GRAZE_STEP_EARLIEST, GRAZE_ERR_UNSUPPORTED, "method ti");
    fails(relative, 2, GRAZE_STEP_EARLIEST, GRAZE_ERR_UNSUPPORTED, "relative_separation");
}

/* ---- memory ---- */

static graze_context *short_context(failing *memory) {
    graze_context_options options = graze_default_context_options();
    graze_context *context = NULL;
    gz_mpi_kept *kept;
    options.threads = 1;
    options.allocator = (graze_allocator){failing_allocate, failing_release, memory};
    if (graze_context_create(&options, &context) != GRAZE_OK || gz_mpi_open_with(context, &virtual_transport, &kept))
        abort();
    return context;
}

/* Rank 1 has memory for so many allocations. Whether the step went well; the next one, with memory again, always does.
 */
static bool with_allocations(spread_mesh *mesh, graze_step_mode mode, long count, const graze_step_result *one) {
    trial *t = calloc(1, sizeof *t);
    failing memory = {.left = 1000};
    t->options = graze_default_step_options();
    t->options.mode = mode;
    open_trial(t, mesh, 2);
    graze_context_destroy(t->contexts[1]);
    t->contexts[1] = short_context(&memory);
    memory.left = count;
    CHECK(virtual_ranks_run(2, run_rank, t));
    bool good = t->status[0] == GRAZE_OK;
    CHECK(t->status[0] == t->status[1]);
    CHECK(good || t->status[0] == GRAZE_ERR_OUT_OF_MEMORY);
    memory.left = 1000000;
    CHECK(virtual_ranks_run(2, run_rank, t));
    for (uint32_t r = 0; r < 2; r++) {
        CHECK(t->status[r] == GRAZE_OK && t->results[r].verdict == one->verdict);
        CHECK(mode == GRAZE_STEP_ANY || same_double(t->results[r].toi, one->toi));
    }
    close_trial(t);
    CHECK(memory.held == 0);
    free(t);
    return good;
}

TEST(where_one_rank_lacks_memory_all_ranks_say_so) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    spread_mesh *mesh = calloc(1, sizeof *mesh);
    spread_make(mesh, context, SOUP_CLUSTERED, 40, 3);
    for (int mode = 0; mode <= GRAZE_STEP_ALL; mode++) {
        long count = 0;
        graze_step_options options = graze_default_step_options();
        graze_step_result one = graze_default_step_result();
        double times[3 * SOUP_MAX + 4 * SPREAD_EXTRA];
        options.mode = (graze_step_mode)mode;
        options.vertex_toi = times;
        CHECK(graze_step(context, &mesh->mesh, (const double(*)[3])mesh->x0, (const double(*)[3])mesh->x1, &options,
                         &one) == GRAZE_OK);
        while (!with_allocations(mesh, (graze_step_mode)mode, count, &one) && count < 2000) count += 1 + count / 16;
        CHECK(count > 50 && count < 2000);
        graze_step_release(context, &one);
    }
    spread_free(mesh, context);
    free(mesh);
    graze_context_destroy(context);
}

/* Two sheets that pass through each other: a list of pairs that is longer than the mesh. */
#define SHEET 48u
#define SHEET_VERTICES (2 * (SHEET + 1) * (SHEET + 1))
#define SHEET_FACES (4 * SHEET * SHEET)

typedef struct sheets {
    uint64_t ids[SHEET_VERTICES], faces[SHEET_FACES][3], face_ids[SHEET_FACES];
    double x0[SHEET_VERTICES][3], x1[SHEET_VERTICES][3];
    uint32_t ranks;
    size_t limit;
    graze_status status[MOST_RANKS];
    uint64_t peak[MOST_RANKS], total[MOST_RANKS];
    double toi[MOST_RANKS];
} sheets;

static void make_sheets(sheets *s) {
    test_random random = {12};
    size_t face = 0;
    for (uint32_t v = 0; v < SHEET_VERTICES; v++) {
        uint32_t side = v / (SHEET_VERTICES / 2), at = v % (SHEET_VERTICES / 2);
        double z = (side ? 1 : -1) * (0.3 + 0.1 * test_random_unit(&random));
        for (int end = 0; end < 2; end++) {
            double *x = end ? s->x1[v] : s->x0[v];
            x[0] = at % (SHEET + 1) + 0.3 * side;
            x[1] = at / (SHEET + 1) + 0.2 * side;
            x[2] = end ? -z : z;
        }
        s->ids[v] = v;
        if (at % (SHEET + 1) == SHEET || at / (SHEET + 1) == SHEET) continue;
        memcpy(s->faces[face++], (uint64_t[3]){v, v + 1, v + SHEET + 1}, sizeof s->faces[0]);
        memcpy(s->faces[face++], (uint64_t[3]){v + 1, v + SHEET + 2, v + SHEET + 1}, sizeof s->faces[0]);
    }
    for (size_t f = 0; f < SHEET_FACES; f++) s->face_ids[f] = f;
}

static void run_sheets(void *user, uint32_t rank) {
    sheets *s = user;
    graze_context_options options = graze_default_context_options();
    graze_step_options step = graze_default_step_options();
    graze_mpi_part part = graze_default_mpi_part();
    graze_mpi_result result = graze_default_mpi_result();
    graze_stats stats = graze_default_stats();
    graze_context *context = NULL;
    gz_mpi_kept *kept;
    size_t v = SHEET_VERTICES * rank / s->ranks, f = SHEET_FACES * rank / s->ranks;
    options.threads = 1;
    options.memory_limit = s->limit;
    if (graze_context_create(&options, &context) != GRAZE_OK || gz_mpi_open_with(context, &virtual_transport, &kept))
        abort();
    step.mode = GRAZE_STEP_ALL;
    part.vertex_count = SHEET_VERTICES * (rank + 1) / s->ranks - v;
    part.face_count = SHEET_FACES * (rank + 1) / s->ranks - f;
    part.vertex_ids = s->ids + v;
    part.faces = (const uint64_t(*)[3])(s->faces + f);
    part.face_ids = s->face_ids + f;
    s->status[rank] = graze_mpi_step(context, 0, &part, (const double(*)[3])(s->x0 + v),
                                     (const double(*)[3])(s->x1 + v), &step, &result);
    graze_context_stats(context, &stats);
    s->peak[rank] = stats.peak_bytes;
    s->total[rank] = result.pair_total;
    s->toi[rank] = result.toi;
    graze_mpi_step_release(context, &result);
    graze_context_destroy(context);
}

TEST(a_list_that_does_not_fit_into_the_memory_of_one_rank_fits_into_that_of_four) {
    sheets *s = calloc(1, sizeof *s);
    make_sheets(s);
    s->ranks = 1;
    CHECK(virtual_ranks_run(1, run_sheets, s) && s->status[0] == GRAZE_OK);
    uint64_t total = s->total[0], peak = s->peak[0];
    double toi = s->toi[0];
    CHECK(total > SHEET_FACES);
    s->limit = (size_t)(0.6 * (double)peak);
    CHECK(virtual_ranks_run(1, run_sheets, s) && s->status[0] == GRAZE_ERR_OUT_OF_MEMORY);
    s->ranks = 4;
    CHECK(virtual_ranks_run(4, run_sheets, s));
    for (uint32_t r = 0; r < 4; r++) {
        CHECK(s->status[r] == GRAZE_OK && s->total[r] == total && same_double(s->toi[r], toi));
        CHECK(s->peak[r] <= s->limit);
    }
    free(s);
}

/* ---- where a mesh is cut ---- */

/* Two sheets whose rows have as many vertices as lie between samples that are taken at equal distances. */
#define ROW 128u
#define ROWS_VERTICES (2 * ROW * ROW)
#define ROWS_FACES (4 * (ROW - 1) * (ROW - 1))

typedef struct rows {
    uint64_t ids[ROWS_VERTICES], faces[ROWS_FACES][3], face_ids[ROWS_FACES];
    double x0[ROWS_VERTICES][3], x1[ROWS_VERTICES][3];
    uint32_t own[2];
    uint64_t crossing[2];
} rows;

static void make_rows(rows *m) {
    test_random random = {5};
    size_t face = 0;
    for (uint32_t v = 0; v < ROWS_VERTICES; v++) {
        uint32_t side = v / (ROW * ROW), i = v % (ROW * ROW) / ROW, j = v % ROW;
        m->ids[v] = v;
        m->x0[v][0] = m->x1[v][0] = i + 0.5 * side + 0.4 * test_random_unit(&random);
        m->x0[v][1] = m->x1[v][1] = j + 0.4 * test_random_unit(&random);
        m->x0[v][2] = side;
        m->x1[v][2] = side ? 0.4 : 0.5 + 0.2 * test_random_unit(&random);
        if (i + 1 == ROW || j + 1 == ROW) continue;
        memcpy(m->faces[face++], (uint64_t[3]){v, v + 1, v + ROW}, sizeof m->faces[0]);
        memcpy(m->faces[face++], (uint64_t[3]){v + 1, v + ROW + 1, v + ROW}, sizeof m->faces[0]);
    }
    for (size_t f = 0; f < ROWS_FACES; f++) m->face_ids[f] = f;
}

static void run_rows(void *user, uint32_t rank) {
    rows *m = user;
    graze_context *context = rank_context();
    gz_mpi_kept *kept;
    graze_mpi_result result = graze_default_mpi_result();
    graze_mpi_part part = graze_default_mpi_part();
    size_t v = rank * ROWS_VERTICES / 2, f = rank * ROWS_FACES / 2;
    if (gz_mpi_open_with(context, &virtual_transport, &kept)) abort();
    part.vertex_count = ROWS_VERTICES / 2;
    part.face_count = ROWS_FACES / 2;
    part.vertex_ids = m->ids + v;
    part.faces = (const uint64_t(*)[3])(m->faces + f);
    part.face_ids = m->face_ids + f;
    for (int i = 0; i < 2; i++) /* the first one tries several windows */
        if (graze_mpi_step(context, 0, &part, (const double(*)[3])(m->x0 + v), (const double(*)[3])(m->x1 + v), NULL,
                           &result))
            abort();
    m->own[rank] = kept->dealt.own_vertices;
    m->crossing[rank] = result.crossing;
    graze_mpi_step_release(context, &result);
    graze_context_destroy(context);
}

TEST(rows_of_a_mesh_are_cut_in_halves_and_little_crosses) {
    rows *m = calloc(1, sizeof *m);
    make_rows(m);
    CHECK(virtual_ranks_run(2, run_rows, m));
    for (uint32_t r = 0; r < 2; r++) {
        CHECK(m->own[r] > 0.49 * ROWS_VERTICES && m->own[r] < 0.51 * ROWS_VERTICES);
        CHECK_MSG(m->crossing[r] < 2 * 12 * ROW, "%llu", (unsigned long long)m->crossing[r]);
    }
    free(m);
}

/* ---- uneven work ---- */

#define UNEVEN_STEPS 60

typedef struct uneven {
    sheets s;
    double behind[MOST_RANKS][UNEVEN_STEPS];  /* of each step */
    uint32_t own[MOST_RANKS][2];              /* vertices in the first step and in the last */
    uint32_t late[MOST_RANKS];                /* dealings in the second half of the steps */
    uint64_t lists[MOST_RANKS][UNEVEN_STEPS]; /* hashes whose sum over ranks is that of the whole list */
} uneven;

/* In a square vertices fly about, so that nearly all pairs of boxes that meet are there. */
static void make_uneven(sheets *s, uint32_t from, uint32_t side, double reach) {
    test_random random = {12};
    make_sheets(s);
    for (uint32_t v = 0; v < SHEET_VERTICES; v++) {
        uint32_t at = v % (SHEET_VERTICES / 2), i = at % (SHEET + 1), j = at / (SHEET + 1);
        bool flies = i >= from && i < from + side && j >= from && j < from + side;
        for (int c = 0; c < 3; c++) s->x1[v][c] = s->x0[v][c] + (flies ? reach * test_random_unit(&random) : 0);
    }
}

static uint64_t mix_bytes(uint64_t hash, const void *bytes, size_t size) {
    for (size_t k = 0; k < size; k++) hash = (hash ^ ((const unsigned char *)bytes)[k]) * 0x100000001b3u;
    return hash;
}

/* Fields alone: what lies between them may be anything. */
static uint64_t row_hash(uint64_t hash, const graze_mpi_pair_result *row) {
    const graze_result *r = &row->result;
    uint64_t numbers[] = {(uint64_t)row->pair.kind, row->pair.a,         row->pair.b,
                          (uint64_t)r->verdict,     (uint64_t)r->reason, (uint64_t)r->proven};
    size_t from = offsetof(graze_result, toi); /* from here on all are of eight bytes */
    hash = mix_bytes(mix_bytes(hash, numbers, sizeof numbers), row->vertices, sizeof row->vertices);
    return mix_bytes(hash, (const char *)r + from, sizeof *r - from);
}

static uint64_t list_hash(const graze_mpi_result *result) {
    uint64_t sum = result->rank ? 0 : result->candidates[GRAZE_VF] + result->candidates[GRAZE_EE];
    for (size_t i = 0; i < result->pair_count; i++) sum += row_hash(result->pair_first + i, &result->pairs[i]);
    return sum;
}

static void run_uneven(void *user, uint32_t rank) {
    uneven *u = user;
    graze_context *context = rank_context();
    gz_mpi_kept *kept;
    graze_step_options step = graze_default_step_options();
    graze_mpi_part part = graze_default_mpi_part();
    size_t v = SHEET_VERTICES * rank / u->s.ranks, f = SHEET_FACES * rank / u->s.ranks;
    if (gz_mpi_open_with(context, &virtual_transport, &kept)) abort();
    step.mode = GRAZE_STEP_ALL;
    part.vertex_count = SHEET_VERTICES * (rank + 1) / u->s.ranks - v;
    part.face_count = SHEET_FACES * (rank + 1) / u->s.ranks - f;
    part.vertex_ids = u->s.ids + v;
    part.faces = (const uint64_t(*)[3])(u->s.faces + f);
    part.face_ids = u->s.face_ids + f;
    for (int i = 0; i < UNEVEN_STEPS; i++) {
        graze_mpi_result result = graze_default_mpi_result();
        double before = kept->dealt.behind;
        u->s.status[rank] = graze_mpi_step(context, 0, &part, (const double(*)[3])(u->s.x0 + v),
                                           (const double(*)[3])(u->s.x1 + v), &step, &result);
        bool anew = kept->dealt.behind < before;
        u->behind[rank][i] = kept->dealt.behind - (anew ? 0 : before);
        u->late[rank] = (2 * i < UNEVEN_STEPS ? 0 : u->late[rank]) + anew;
        u->own[rank][i > 0] = kept->dealt.own_vertices;
        if (u->s.status[rank] != GRAZE_OK) abort(); /* the others wait */
        u->lists[rank][i] = list_hash(&result);
        u->s.total[rank] = result.pair_total;
        graze_mpi_step_release(context, &result);
    }
    graze_context_destroy(context);
}

TEST(work_that_is_not_even_is_dealt_out_anew_and_answers_keep_their_bits) {
    uneven *u = calloc(1, sizeof *u);
    uint64_t whole = 0;
    make_uneven(&u->s, 0, SHEET / 3, 2);
    for (u->s.ranks = 2; u->s.ranks <= 4; u->s.ranks += 2) {
        CHECK(virtual_ranks_run(u->s.ranks, run_uneven, u));
        uint32_t moved = 0;
        for (uint32_t r = 0; r < u->s.ranks; r++) {
            moved += u->own[r][0] != u->own[r][1];
            CHECK(u->behind[r][0] == u->behind[0][0]); /* counted: the same on all ranks, whatever the clock says */
            CHECK(u->behind[r][UNEVEN_STEPS - 1] < 0.6 * u->behind[r][0]);
        }
        CHECK(moved > 1 && u->s.total[0] > 500);
        for (int i = 0; i < UNEVEN_STEPS; i++) {
            uint64_t list = 0;
            for (uint32_t r = 0; r < u->s.ranks; r++) list += u->lists[r][i];
            CHECK(whole == 0 || list == whole);
            whole = list;
        }
    }
    free(u);
}

/* A cluster that is much smaller than a piece: what is known of both sides of a cut must be used, or it is thrown from
   one piece to the other and back. */
TEST(a_small_cluster_of_work_is_cut_in_halves_and_stays_so) {
    uneven *u = calloc(1, sizeof *u);
    for (uint32_t from = 6; from < SHEET; from += 26) {
        make_uneven(&u->s, from, 9, 8);
        u->s.ranks = 2;
        CHECK(virtual_ranks_run(2, run_uneven, u));
        CHECK_MSG(u->late[0] <= 2, "%u dealings", u->late[0]);
        CHECK_MSG(u->behind[0][UNEVEN_STEPS - 1] < 0.25 * u->behind[0][0], "%g of %g", u->behind[0][UNEVEN_STEPS - 1],
                  u->behind[0][0]);
    }
    free(u);
}

/* ---- cancelling ---- */

static int at_once(void *user) {
    (void)user;
    return 1;
}

TEST(a_rank_that_is_cancelled_leaves_no_verdict_to_any) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    spread_mesh *mesh = calloc(1, sizeof *mesh);
    spread_make(mesh, context, SOUP_UNIFORM, 100, 4);
    for (int mode = 0; mode <= GRAZE_STEP_ALL; mode++) {
        trial *t = calloc(1, sizeof *t);
        graze_context_options options = graze_default_context_options();
        gz_mpi_kept *kept;
        t->options = graze_default_step_options();
        t->options.mode = (graze_step_mode)mode;
        open_trial(t, mesh, 3);
        graze_context_destroy(t->contexts[2]);
        options.threads = 1;
        options.cancel = at_once;
        CHECK(graze_context_create(&options, &t->contexts[2]) == GRAZE_OK);
        CHECK(gz_mpi_open_with(t->contexts[2], &virtual_transport, &kept) == GRAZE_OK);
        CHECK(virtual_ranks_run(3, run_rank, t));
        for (uint32_t r = 0; r < 3; r++) {
            CHECK(t->status[r] == GRAZE_OK);
            if (mode == GRAZE_STEP_ANY && t->results[r].verdict == GRAZE_HIT) continue; /* another rank had it */
            CHECK(t->results[r].verdict == GRAZE_UNRESOLVED && t->results[r].reason == GRAZE_REASON_CANCELLED);
            CHECK(t->results[r].toi == 0 && !t->results[r].has_pair && !t->results[r].pairs);
            for (size_t i = 0; i < t->parts[r].part.vertex_count; i++) CHECK(t->times[r][i] == 0);
        }
        close_trial(t);
        free(t);
    }
    spread_free(mesh, context);
    free(mesh);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
