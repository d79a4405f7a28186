/* The CUDA back end gives the bits of the CPU. Skipped, with the reason, where there is no device. */
#include "scenes.h"

static void compare_all(graze_context *context, const soup *s, const char *what) {
    with_every_question(context, s, what, compare_modes);
}

TEST(soups_of_every_style_have_the_bits_of_the_cpu) {
    if (have_device()) with_every_soup(compare_all);
}

TEST(thickness_and_groups_have_the_bits_of_the_cpu) {
    if (have_device()) with_thick_soups(compare_all);
}

/* Of parts that leave windows, and of some that do not. */
static void compare_kept(graze_context *context, const soup *s, graze_step_options *options, const char *what) {
    static const double parts[] = {1e-9, 1e-3, 0.05, 0.2, 0.5, 0.999};
    static unsigned turn;
    for (int i = 0; i < 6; i++) {
        char name[240];
        if (left_out(&turn)) continue;
        options->relative_separation = parts[i];
        snprintf(name, sizeof name, "%s, keeping %g", what, parts[i]);
        compare_modes(context, s, options, name);
    }
}

static void compare_every_part(graze_context *context, const soup *s, const char *what) {
    with_every_question(context, s, what, compare_kept);
}

TEST(pairs_that_keep_a_part_of_their_distance_have_the_bits_of_the_cpu) {
    if (have_device()) with_every_soup(compare_every_part);
}

TEST(a_mask_of_kinds_has_the_bits_of_the_cpu) {
    if (!have_device()) return;
    static soup s;
    graze_context *context = test_context(4, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 200, 3);
    graze_step_options options = graze_default_step_options();
    for (options.kinds = 1; options.kinds < 16; options.kinds++)
        compare_modes(context, &s, &options, "a mask of kinds");
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

/* Two meshes of one size in turn, so that what is resident is another one each time; and one in new positions. */
TEST(a_mesh_that_is_another_one_of_the_same_size_is_noticed) {
    if (!have_device()) return;
    static soup s[2];
    graze_context *context = test_context(4, GRAZE_ISA_AUTO);
    for (int i = 0; i < 2; i++) soup_make(&s[i], context, SOUP_UNIFORM, 100, (uint64_t)(10 + i));
    uint32_t(*faces)[3] = malloc(s[0].mesh.face_count * sizeof *faces);
    graze_mesh turned = s[0].mesh;
    for (uint32_t f = 0; f < turned.face_count; f++)
        for (int k = 0; k < 3; k++) faces[f][k] = s[0].mesh.faces[f][(k + 1) % 3];
    graze_step_options options = graze_default_step_options();
    for (int round = 0; round < 6; round++) {
        options.mode = round % 2 ? GRAZE_STEP_ALL : GRAZE_STEP_EARLIEST;
        compare_step(context, &s[0], &options, "the first mesh");
        soup other = s[0];
        other.mesh.faces = (const uint32_t(*)[3])faces;
        compare_step(context, &other, &options, "the same with its faces turned");
        compare_step(context, &s[1], &options, "another one");
    }
    free(faces);
    for (int i = 0; i < 2; i++) graze_mesh_release(context, &s[i].mesh);
    graze_context_destroy(context);
}

static void face_normal(double (*x)[3], double *normal) {
    for (int c = 0; c < 3; c++) {
        int i = (c + 1) % 3, j = (c + 2) % 3;
        normal[c] = (x[1][i] - x[0][i]) * (x[2][j] - x[0][j]) - (x[1][j] - x[0][j]) * (x[2][i] - x[0][i]);
    }
}

/* Two triangles from x0 and x1 on: a large one, and one with a vertex that passes from one of its sides to the other by
   less than floats are apart: positions in float say nothing about which side it is on. */
static void place_passing(test_random *random, double centre, double (*x0)[3], double (*x1)[3]) {
    double normal[3], u = test_random_between(random, 0.2, 0.5),
                      height = ldexp(1, -28 - (int)test_random_below(random, 8));
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++) x0[k][c] = test_random_between(random, -1, 1) + (c ? 0 : centre);
    face_normal(x0, normal);
    for (int k = 3; k < 6; k++)
        for (int c = 0; c < 3; c++) {
            double foot = x0[0][c] + u * (x0[1][c] - x0[0][c]) + 0.3 * (x0[2][c] - x0[0][c]);
            x0[k][c] = foot + (k == 3 ? height : 0.1 * k) * normal[c] + (k == 5 ? 0.1 : 0);
        }
    memcpy(x1, x0, 6 * sizeof *x0);
    for (int c = 0; c < 3; c++) x1[3][c] -= 2 * height * normal[c];
}

static void make_passing(soup *s, graze_context *context, uint32_t pairs, uint64_t seed) {
    test_random random = {seed};
    for (uint32_t i = 0; i < pairs; i++) place_passing(&random, 3.0 * i, s->x0 + 6 * i, s->x1 + 6 * i);
    for (uint32_t v = 0; v < 6 * pairs; v++) s->faces[v / 3][v % 3] = v;
    s->mesh = graze_default_mesh();
    CHECK(graze_mesh_from_faces(context, 6 * pairs, (const uint32_t(*)[3])s->faces, 2 * pairs, &s->mesh) == GRAZE_OK);
}

TEST(what_passes_within_a_rounding_of_float_has_the_bits_of_the_cpu) {
    if (!have_device()) return;
    static soup s;
    graze_context *context = test_context(4, GRAZE_ISA_AUTO);
    for (uint64_t seed = 0; seed < 10; seed++) {
        make_passing(&s, context, SOUP_MAX / 2, seed);
        graze_step_options options = graze_default_step_options();
        compare_modes(context, &s, &options, "passing through");
        graze_mesh_release(context, &s.mesh);
    }
    graze_context_destroy(context);
}

/* A vertex that hardly passes an edge of a triangle while all is young, and meets the triangle late: whoever looks at
   the beginning alone cannot tell by a few directions that it is free there, has it answered as a whole, and knows of a
   contact that is not the first. */
static bool make_late(test_random *random, double young, graze_query *q) {
    double s = young * test_random_unit(random), a = test_random_unit(random);
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            q->x0[i][c] = test_random_between(random, -1, 1);
            q->x1[i][c] = test_random_between(random, -1, 1);
        }
    for (int c = 0; c < 3; c++) {
        double start = (1 - a) * q->x0[1][c] + a * q->x0[2][c], end = (1 - a) * q->x1[1][c] + a * q->x1[2][c];
        double at = (1 - s) * start + s * end + test_random_between(random, -0.001, 0.001);
        q->x0[0][c] = (at - s * q->x1[0][c]) / (1 - s);
    }
    graze_options options = graze_default_options();
    graze_result r;
    options.t_max = young;
    if (graze_ccd(GRAZE_VF, q, &options, &r) != GRAZE_OK || r.verdict != GRAZE_CLEAR || r.checks < 8) return false;
    return graze_ccd(GRAZE_VF, q, NULL, &r) == GRAZE_OK && r.verdict == GRAZE_HIT && r.toi > 0.3;
}

/* A point and a triangle, and far from them others, which meet at a time. */
static void place_two(double (*x0)[3], double (*x1)[3], const graze_query *q, double time) {
    static const double corners[3][3] = {{9, -1, 0}, {11, -1, 0}, {10, 1, 0}};
    memcpy(x0, q->x0, sizeof q->x0);
    memcpy(x1, q->x1, sizeof q->x1);
    memcpy(x0 + 5, corners, sizeof corners);
    memcpy(x1 + 5, corners, sizeof corners);
    memcpy(x0[4], (double[]){10, 0, 1}, sizeof *x0);
    memcpy(x1[4], (double[]){10, 0, 1 - 1 / time}, sizeof *x1);
}

TEST(a_contact_behind_the_window_does_not_hide_an_earlier_one) {
    if (!have_device()) return;
    static const uint32_t faces[2][3] = {{1, 2, 3}, {5, 6, 7}}, points[2] = {0, 4};
    static soup s;
    test_random random = {5};
    graze_context *context = test_context(4, GRAZE_ISA_AUTO);
    graze_step_options options = graze_default_step_options();
    s.mesh = graze_default_mesh();
    CHECK(graze_mesh_from_faces(context, 8, faces, 2, &s.mesh) == GRAZE_OK);
    s.mesh.codim_points = points;
    s.mesh.codim_point_count = 2;
    for (int round = 0; round < 100 / (int)one_in(); round++) {
        graze_query q;
        while (!make_late(&random, 0.06, &q)) {
        }
        place_two(s.x0, s.x1, &q, 0.04); /* half as much again is the window of the next step */
        compare_step(context, &s, &options, "at 0.04");
        place_two(s.x0, s.x1, &q, 0.2);
        compare_step(context, &s, &options, "at 0.2");
    }
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

TEST(what_is_wrong_with_positions_is_told_as_by_the_cpu) {
    if (!have_device()) return;
    static soup s;
    graze_context *context = test_context(4, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 100, 4);
    graze_step_options options = graze_default_step_options();
    for (int again = 0; again < 2; again++)
        for (int wrong = 0; wrong < 3; wrong++) {
            double kept = s.x1[31][1];
            s.x1[31][1] = wrong == 0 ? NAN : wrong == 1 ? INFINITY : -0x1p161;
            graze_error error[2];
            graze_status status[2];
            for (int i = 0; i < 2; i++) {
                graze_step_result result = graze_default_step_result();
                options.backend = i ? GRAZE_BACKEND_CUDA : GRAZE_BACKEND_CPU;
                status[i] = graze_step(context, &s.mesh, POSITIONS(&s), &options, &result);
                CHECK(result.verdict == GRAZE_UNRESOLVED && result.toi == 0);
                graze_context_last_error(context, &error[i]);
            }
            CHECK(status[0] != GRAZE_OK && status[0] == status[1] && strcmp(error[0].message, error[1].message) == 0);
            s.x1[31][1] = kept;
            compare_step(context, &s, &options, "put right");
        }
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

/* Windows, lists that are too short and graphs come and go: nothing is to be left behind. */
TEST(ten_thousand_steps_leave_nothing_behind) {
    if (!have_device()) return;
    static soup s;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 40, 6);
    graze_step_options options = graze_default_step_options();
    options.backend = GRAZE_BACKEND_CUDA;
    static double times[3 * SOUP_MAX];
    long before = 0;
    const int steps = 10000 / (int)(one_in() * one_in());
    for (int i = 0; i < steps; i++) {
        graze_step_result result = graze_default_step_result();
        options.mode = (graze_step_mode)(i % 4);
        options.kinds = i % 3 ? 0 : 1;
        options.memory_limit = i % 5 ? 0 : 1000;
        options.vertex_toi = times;
        CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &result) == GRAZE_OK);
        graze_step_release(context, &result);
        graze_pair *pairs = NULL;
        size_t count = 0;
        if (i % 7 == 0) CHECK(graze_candidates(context, &s.mesh, POSITIONS(&s), &options, &pairs, &count) == GRAZE_OK);
        graze_pairs_release(context, pairs, count);
        if (i == steps / 10) before = resident_pages();
    }
    CHECK_MSG(resident_pages() - before < 2048, "%ld pages, then %ld", before, resident_pages());
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
