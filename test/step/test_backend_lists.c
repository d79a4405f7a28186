/* A caller's list of pairs and the pairs within a distance on a back end: chosen as asked, completed by the host, with
   the errors of the CPU. The back end is a fake one, without a device. */
#include "drawn_pairs.h"
#include "same_bits.h"
#include "soup.h"

#include "graze/proximity.h"

#define POSITIONS(s) (const double(*)[3])(s)->x0, (const double(*)[3])(s)->x1
#define AT(s) (const double(*)[3])(s)->x0

enum { COUNT = 3000 };

typedef struct scene {
    soup s;
    graze_context *context;
    graze_pair pairs[COUNT];
    char heard[400];
} scene;

static void hear(void *user, graze_log_level level, const char *line) {
    scene *t = user;
    (void)level;
    snprintf(t->heard, sizeof t->heard, "%s", line);
}

static void open_scene(scene *t, const char *mode, uint64_t seed) {
    setenv("GRAZE_CUDA_LIBRARY", GRAZE_FAKE_LIBRARY, 1);
    setenv("GRAZE_FAKE", mode, 1);
    graze_context_options options = graze_default_context_options();
    options.threads = 2;
    options.log = hear;
    options.log_user = t;
    CHECK(graze_context_create(&options, &t->context) == GRAZE_OK);
    soup_make(&t->s, t->context, SOUP_UNIFORM, 60, seed);
    t->s.mesh.codim_edge_count = t->s.mesh.codim_point_count = 0;
    test_random random = {seed};
    for (size_t i = 0; i < COUNT; i++) t->pairs[i] = draw_pair(&random, &t->s.mesh, 4);
}

static void close_scene(scene *t) {
    graze_mesh_release(t->context, &t->s.mesh);
    graze_context_destroy(t->context);
}

static double part; /* of its start distance that each pair of a list keeps */

static graze_status list(scene *t, graze_backend backend, graze_memory positions_in, size_t count,
                         graze_step_result *result) {
    graze_step_options options = graze_default_step_options();
    options.backend = backend;
    options.positions_in = positions_in;
    options.relative_separation = part;
    *result = graze_default_step_result();
    return graze_earliest_of_pairs(t->context, &t->s.mesh, POSITIONS(&t->s), t->pairs, count, &options, result);
}

TEST(a_list_on_a_back_end_makes_the_answer_that_the_cpu_gives) {
    static scene t;
    size_t hits = 0;
    for (uint64_t seed = 0; seed < 12; seed++) {
        open_scene(&t, "ask", seed);
        graze_step_result here, there;
        part = seed % 3 == 2 ? 0.1 * (double)seed - 0.11 : 0;
        for (size_t count = 0; count <= COUNT; count += COUNT / 3) {
            CHECK(list(&t, GRAZE_BACKEND_CPU, GRAZE_MEMORY_HOST, count, &here) == GRAZE_OK);
            for (int in = 0; in < 2; in++) {
                CHECK(list(&t, in ? GRAZE_BACKEND_AUTO : GRAZE_BACKEND_CUDA, (graze_memory)in, count, &there) ==
                      GRAZE_OK);
                CHECK(there.backend == GRAZE_BACKEND_CUDA && there.verdict == here.verdict && there.toi == here.toi);
                CHECK(there.toi_upper == here.toi_upper && there.has_pair == here.has_pair);
                CHECK(!here.has_pair || same_bits(&here.limiting, &there.limiting));
                CHECK(there.candidates[0] == GRAZE_NOT_COUNTED && there.hits[1] == GRAZE_NOT_COUNTED);
            }
            hits += here.has_pair != 0;
        }
        close_scene(&t);
    }
    part = 0;
    CHECK_MSG(hits > 5, "%zu", hits);
}

static void compare_refused(scene *t) {
    graze_step_result result;
    graze_error error[2];
    graze_status status[2];
    for (int i = 0; i < 2; i++) {
        status[i] = list(t, i ? GRAZE_BACKEND_CUDA : GRAZE_BACKEND_CPU, GRAZE_MEMORY_HOST, COUNT, &result);
        CHECK(result.verdict == GRAZE_UNRESOLVED && result.toi == 0 && !result.has_pair);
        graze_context_last_error(t->context, &error[i]);
    }
    CHECK_MSG(status[0] != GRAZE_OK && status[0] == status[1] && error[0].index == error[1].index &&
                  strcmp(error[0].message, error[1].message) == 0,
              "%s; %s", error[0].message, error[1].message);
}

TEST(what_is_wrong_with_a_list_is_told_as_by_the_cpu) {
    static scene t;
    open_scene(&t, "ask", 3);
    const graze_mesh *mesh = &t.s.mesh;
    const graze_pair bad[] = {{(graze_kind)4, 0, 0},
                              {GRAZE_VF, mesh->vertex_count, 0},
                              {GRAZE_EE, 0, mesh->edge_count},
                              {GRAZE_VF, mesh->faces[5][2], 5},
                              {GRAZE_PP, 4, 4}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        graze_pair kept = t.pairs[600 * k], last = t.pairs[COUNT - 1];
        t.pairs[600 * k] = bad[k];
        t.pairs[COUNT - 1] = bad[0];
        compare_refused(&t);
        t.pairs[600 * k] = kept;
        t.pairs[COUNT - 1] = last;
    }
    t.s.x1[7][1] = NAN;
    compare_refused(&t);
    close_scene(&t);
}

TEST(a_list_is_answered_by_the_cpu_when_the_device_is_lost_or_does_not_pay) {
    static scene t;
    graze_step_result result;
    open_scene(&t, "lost", 4);
    CHECK(list(&t, GRAZE_BACKEND_CUDA, GRAZE_MEMORY_HOST, COUNT, &result) == GRAZE_ERR_DEVICE);
    CHECK(result.verdict == GRAZE_UNRESOLVED && result.toi == 0);
    CHECK(list(&t, GRAZE_BACKEND_AUTO, GRAZE_MEMORY_HOST, COUNT, &result) == GRAZE_OK);
    CHECK_MSG(result.backend == GRAZE_BACKEND_CPU && strstr(t.heard, "few pairs are listed"), "%s", t.heard);
    graze_step_options options = graze_default_step_options();
    options.backend = GRAZE_BACKEND_CUDA;
    graze_options narrow = graze_default_options();
    narrow.t_max = 0;
    options.narrow = &narrow;
    CHECK(graze_earliest_of_pairs(t.context, &t.s.mesh, POSITIONS(&t.s), t.pairs, COUNT, &options, &result) ==
          GRAZE_ERR_UNSUPPORTED);
    close_scene(&t);
}

static double near_vertices[3 * SOUP_MAX];

static graze_proximity_result find_near(scene *t, double distance, graze_backend backend, graze_memory in) {
    graze_proximity_options options = graze_default_proximity_options();
    graze_proximity_result found = graze_default_proximity_result();
    options.backend = backend;
    options.positions_in = options.pairs_in = in;
    options.vertex_distance = in == GRAZE_MEMORY_HOST ? near_vertices : NULL;
    memset(near_vertices, 0, sizeof near_vertices);
    CHECK(graze_proximity(t->context, &t->s.mesh, AT(&t->s), distance, &options, &found) == GRAZE_OK);
    return found;
}

/* On this back end the memory of the device is that of the host. */
TEST(near_pairs_of_a_back_end_are_those_of_the_cpu) {
    static scene t;
    size_t found = 0;
    for (uint64_t seed = 0; seed < 4; seed++) {
        open_scene(&t, "ask", seed);
        for (double distance = 0.1; distance > 1e-4; distance /= 6) {
            graze_proximity_result here = find_near(&t, distance, GRAZE_BACKEND_CPU, GRAZE_MEMORY_HOST);
            static double vertices[3 * SOUP_MAX];
            memcpy(vertices, near_vertices, sizeof vertices);
            for (int in = 0; in < 2; in++) {
                graze_proximity_result there =
                    find_near(&t, distance, in ? GRAZE_BACKEND_AUTO : GRAZE_BACKEND_CUDA, (graze_memory)in);
                const graze_proximity_pair *pairs = in ? there.device_pairs : there.pairs;
                CHECK(there.backend == GRAZE_BACKEND_CUDA && there.pair_count == here.pair_count &&
                      (!in || !there.pairs));
                CHECK(!here.pair_count || memcmp(pairs, here.pairs, here.pair_count * sizeof *pairs) == 0);
                CHECK(in || memcmp(near_vertices, vertices, sizeof vertices) == 0);
                graze_proximity_release(t.context, &there);
            }
            found += here.pair_count;
            graze_proximity_release(t.context, &here);
        }
        close_scene(&t);
    }
    CHECK_MSG(found > 500, "%zu", found);
}

static int always(void *user, graze_kind kind, uint32_t a, uint32_t b) {
    (void)user, (void)kind, (void)a, (void)b;
    return 1;
}

TEST(proximity_that_a_back_end_cannot_do_is_refused_by_name_and_done_on_the_cpu_else) {
    static scene t;
    graze_proximity_options options = graze_default_proximity_options();
    graze_proximity_result found = graze_default_proximity_result();
    open_scene(&t, "lost", 5);
    options.backend = GRAZE_BACKEND_CUDA;
    CHECK(graze_proximity(t.context, &t.s.mesh, AT(&t.s), 0.1, &options, &found) == GRAZE_ERR_DEVICE);
    CHECK(!found.pairs && !found.pair_count);
    options.backend = GRAZE_BACKEND_CPU;
    options.pairs_in = GRAZE_MEMORY_DEVICE;
    CHECK(graze_proximity(t.context, &t.s.mesh, AT(&t.s), 0.1, &options, &found) == GRAZE_ERR_UNSUPPORTED);
    options.pairs_in = (graze_memory)7;
    CHECK(graze_proximity(t.context, &t.s.mesh, AT(&t.s), 0.1, &options, &found) == GRAZE_ERR_INVALID_ARGUMENT);
    options.pairs_in = GRAZE_MEMORY_HOST;
    options.backend = GRAZE_BACKEND_AUTO;
    CHECK(graze_proximity(t.context, &t.s.mesh, AT(&t.s), 0.1, &options, &found) == GRAZE_OK && found.pair_count);
    CHECK(found.backend == GRAZE_BACKEND_CPU);
    graze_proximity_release(t.context, &found);
    t.s.mesh.filter = always;
    options.backend = GRAZE_BACKEND_CUDA;
    CHECK(graze_proximity(t.context, &t.s.mesh, AT(&t.s), 0.1, &options, &found) == GRAZE_ERR_UNSUPPORTED);
    close_scene(&t);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
