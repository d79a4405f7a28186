/* Least distances over motions: brackets against sampled distances, gradients against differences of 256 bits. */
#include "articulated/big_distance.h"
#include "bodies.h"

#include "failing.h"

enum { ARM = 3, OBSTACLES = 3, BODIES = 2 + OBSTACLES, MOST_VALUES = 3 * 6 + 6, CORNERS = 4 };

static const int value_counts[] = {0, 1, 1, 3, 3, 6};

/* Tetrahedra on an arm, one that flies, and some that stand. */
typedef struct yard {
    graze_context *context;
    double corners[ARM + 1 + OBSTACLES][CORNERS][3];
    uint32_t faces[4][3];
    graze_link_mesh meshes[ARM + 1 + OBSTACLES];
    graze_link links[ARM + 1];
    size_t first[ARM + 1], values; /* of both moving bodies, one after the other */
    graze_model *models[2];
    graze_body bodies[BODIES];
    graze_world *world;
    double from[MOST_VALUES], to[MOST_VALUES], pose[MOST_VALUES];
    uint8_t rotvecs[2][ARM];
    graze_motion motions[2], still[2];
    graze_body_motion moved[2], stood[2];
} yard;

static void make_mesh(yard *y, test_random *random, int i, double size) {
    for (int v = 0; v < CORNERS; v++)
        for (int c = 0; c < 3; c++) y->corners[i][v][c] = test_random_between(random, -size, size);
    y->meshes[i] = graze_default_link_mesh();
    y->meshes[i].vertex_count = CORNERS;
    y->meshes[i].face_count = 4;
    y->meshes[i].vertices = (const double(*)[3])y->corners[i];
    y->meshes[i].faces = (const uint32_t(*)[3])y->faces;
}

static void make_link(yard *y, test_random *random, int i, graze_joint_kind kind) {
    int32_t parent = i == ARM ? -1 : i - 1;
    y->links[i] = test_link(parent, kind, test_frame(parent < 0 ? 0 : 1, 0.2, 0), &y->meshes[i]);
    for (int c = 0; c < 3; c++) y->links[i].axis[c] = test_random_between(random, -1, 1);
    for (int c = 0; c < 4; c++) y->links[i].origin.rotation[c] = test_random_between(random, -1, 1);
    if (i == 1) y->links[i].padding = 0.03;
    y->first[i] = y->values;
    y->values += (size_t)value_counts[kind];
}

static void move(yard *y, test_random *random, double way) {
    for (size_t v = 0; v < y->values; v++) {
        y->from[v] = test_random_between(random, -1.5, 1.5);
        y->to[v] = y->from[v] + test_random_between(random, -way, way);
    }
    for (int c = 0; c < 3; c++) {
        y->from[y->first[ARM] + (size_t)c] += 3; /* what flies comes by */
        y->to[y->first[ARM] + (size_t)c] += c == 0 ? 3 : 0;
    }
    memset(y->rotvecs, 1, sizeof y->rotvecs);
    for (int i = 0; i < ARM; i++) {
        graze_joint_kind kind = y->links[i].joint;
        y->rotvecs[0][i] = kind == GRAZE_JOINT_SPHERICAL || kind == GRAZE_JOINT_FREE;
    }
    for (int b = 0; b < 2; b++) {
        size_t first = b ? y->first[ARM] : 0;
        y->motions[b] = test_motion(y->from + first, y->to + first);
        y->motions[b].rotvecs = y->rotvecs[b];
        y->still[b] = test_motion(y->pose + first, y->pose + first);
        y->moved[b] = y->stood[b] = graze_default_body_motion();
        y->moved[b].body = y->stood[b].body = (uint32_t)b;
        y->moved[b].joints = &y->motions[b];
        y->stood[b].joints = &y->still[b];
    }
}

static void open_yard(yard *y, graze_context *context, test_random *random, double way) {
    static const uint32_t faces[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
    memset(y, 0, sizeof *y);
    memcpy(y->faces, faces, sizeof faces);
    y->context = context;
    for (int i = 0; i < ARM + 1 + OBSTACLES; i++) make_mesh(y, random, i, 0.4);
    for (int i = 0; i < ARM; i++) make_link(y, random, i, (graze_joint_kind)(1 + test_random_below(random, 5)));
    make_link(y, random, ARM, GRAZE_JOINT_FREE);
    CHECK(graze_model_create(context, y->links, ARM, &y->models[0]) == GRAZE_OK);
    CHECK(graze_model_create(context, y->links + ARM, 1, &y->models[1]) == GRAZE_OK);
    for (int b = 0; b < BODIES; b++) {
        y->bodies[b] = graze_default_body();
        if (b < 2) {
            y->bodies[b].model = y->models[b];
            continue;
        }
        y->bodies[b].kind = GRAZE_BODY_STATIC;
        y->bodies[b].meshes = &y->meshes[ARM + 1 + b - 2];
        y->bodies[b].mesh_count = 1;
        for (int c = 0; c < 3; c++) y->bodies[b].origin.position[c] = test_random_between(random, -3, 3);
    }
    CHECK(graze_world_create(context, y->bodies, BODIES, NULL, &y->world) == GRAZE_OK);
    move(y, random, way);
}

static void close_yard(yard *y) {
    graze_world_release(y->world);
    for (int m = 0; m < 2; m++) graze_model_destroy(y->context, y->models[m]);
}

static graze_clearance_result ask(const yard *y, const graze_clearance_options *options) {
    graze_clearance_result r = graze_default_clearance_result();
    graze_status status = graze_world_clearance(y->context, y->world, y->moved, 2, 1, options, &r);
    CHECK_MSG(status == GRAZE_OK, "%s", graze_status_name(status));
    return r;
}

static bool same_links(const graze_link_clearance *x, const graze_link_gap *g) {
    return x->body_a == g->body_a && x->link_a == g->link_a && x->body_b == g->body_b && x->link_b == g->link_b;
}

/* ---- brackets ---- */

/* All distances at time t, as graze_world_distance() has them. */
static graze_world_distance_result distances_at(yard *y, double t) {
    graze_world_distance_options options = graze_default_world_distance_options();
    graze_world_distance_result r = graze_default_world_distance_result();
    options.most = 0;
    for (size_t v = 0; v < y->values; v++) y->pose[v] = y->from[v] + t * (y->to[v] - y->from[v]);
    CHECK(graze_world_distance(y->context, y->world, y->stood, 2, &options, &r) == GRAZE_OK);
    return r;
}

/* Poses are rounded values of the motion: as far off as this. */
#define ROUNDED 1e-12

static long check_sample(yard *y, const graze_clearance_result *r, double t, double *least) {
    graze_world_distance_result at = distances_at(y, t);
    long compared = 0;
    CHECK(at.gap_count == r->pair_count);
    for (size_t i = 0; i < r->pair_count; i++)
        for (size_t k = 0; k < at.gap_count; k++) {
            if (!same_links(&r->pairs[i], &at.gaps[k])) continue;
            CHECK_MSG(at.gaps[k].upper >= r->pairs[i].lower - ROUNDED, "distance %.17g at %.17g, bound %.17g",
                      at.gaps[k].upper, t, r->pairs[i].lower);
            least[i] = fmin(least[i], at.gaps[k].upper);
            compared++;
        }
    graze_world_distance_release(y->context, &at);
    return compared;
}

static void check_brackets(yard *y, int samples, test_random *random, long *compared, long *wide, long *far) {
    graze_clearance_options options = graze_default_clearance_options();
    options.most = 0;
    graze_clearance_result r = ask(y, &options);
    double least[64];
    CHECK(r.pair_count <= 64 && isinf(r.lower));
    for (size_t i = 0; i < r.pair_count; i++) least[i] = INFINITY;
    for (int k = 0; k < samples; k++) *compared += check_sample(y, &r, test_random_unit(random), least);
    for (size_t i = 0; i < r.pair_count; i++) {
        const graze_link_clearance *pair = &r.pairs[i];
        CHECK(pair->lower <= pair->upper && pair->time >= 0 && pair->time <= 1 && pair->segment == 0);
        *wide += pair->upper - pair->lower > 1e-6;
        *far += pair->lower > 0;
        CHECK_MSG(pair->upper <= least[i] + 1e-6 + ROUNDED, "upper %.17g, sampled %.17g", pair->upper, least[i]);
        double there = INFINITY;
        graze_world_distance_result at = distances_at(y, pair->time);
        for (size_t k = 0; k < at.gap_count; k++)
            if (same_links(pair, &at.gaps[k])) there = at.gaps[k].lower;
        CHECK_MSG(there <= pair->upper + ROUNDED, "%.17g at its time, not %.17g", there, pair->upper);
        graze_world_distance_release(y->context, &at);
    }
    graze_clearance_release(y->context, &r);
}

TEST(brackets_hold_against_sampled_distances) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {90};
    long compared = 0, wide = 0, far = 0;
    for (int n = 0; n < 120; n++) {
        yard y;
        open_yard(&y, context, &random, n % 4 == 0 ? 0.1 : n % 4 == 1 ? 6 : 2);
        check_brackets(&y, 60, &random, &compared, &wide, &far);
        close_yard(&y);
    }
    printf("  %ld sampled distances, %ld wide brackets, %ld links that stay apart\n", compared, wide, far);
    CHECK(compared > 100000 && wide == 0 && far > 500);
    graze_context_destroy(context);
}

/* ---- 256 bits ---- */

/* The point x of a link at time t, with joint values from the two arrays. */
static real3 exact_point(const yard *y, int body, int link, const double x[3], real t) {
    real3 p = real3_of(x);
    if (body >= 2) {
        real3 q;
        for (int c = 0; c < 3; c++) q.c[c] = real_add(p.c[c], real_of(y->bodies[body].origin.position[c]));
        return q;
    }
    for (int i = body ? ARM : link; i >= 0; i = y->links[i].parent) {
        real3 q;
        size_t own = y->first[i] - (body ? y->first[ARM] : 0);
        real_joint(&y->links[i], body ? 0 : (size_t)i, own, &y->motions[body], t, p.c, q.c);
        p = q;
    }
    return p;
}

/* Of all faces, or of the closest two alone. */
static real exact_distance(const yard *y, const graze_link_clearance *pair, real t, bool closest) {
    real_triangle a[4], b[4];
    uint32_t first_a = closest ? pair->face_a : 0, end_a = closest ? first_a + 1 : 4;
    uint32_t first_b = closest ? pair->face_b : 0, end_b = closest ? first_b + 1 : 4;
    int mesh_a = pair->body_a == 0 ? (int)pair->link_a : ARM + (int)pair->body_a - 1;
    int mesh_b = pair->body_b == 0 ? (int)pair->link_b : ARM + (int)pair->body_b - 1;
    for (int k = 0; k < 3; k++) {
        for (uint32_t f = first_a; f < end_a; f++)
            a[f].x[k] = exact_point(y, (int)pair->body_a, (int)pair->link_a, y->corners[mesh_a][y->faces[f][k]], t);
        for (uint32_t f = first_b; f < end_b; f++)
            b[f].x[k] = exact_point(y, (int)pair->body_b, (int)pair->link_b, y->corners[mesh_b][y->faces[f][k]], t);
    }
    real least = real_of(INFINITY);
    for (uint32_t i = first_a; i < end_a; i++)
        for (uint32_t k = first_b; k < end_b; k++) least = real_least(least, real_squared_distance(&a[i], &b[k]));
    double padding = 0;
    if (pair->body_a == 0) padding += y->links[pair->link_a].padding;
    if (pair->body_b == 0) padding += y->links[pair->link_b].padding;
    return real_sub(real_root(least), real_of(padding));
}

TEST(brackets_hold_the_exact_distances) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {91};
    for (int n = 0; n < 12; n++) {
        yard y;
        open_yard(&y, context, &random, 2);
        graze_clearance_options options = graze_default_clearance_options();
        options.most = 3;
        graze_clearance_result r = ask(&y, &options);
        CHECK(r.pair_count == 3);
        for (size_t i = 0; i < r.pair_count; i++) {
            const graze_link_clearance *pair = &r.pairs[i];
            for (int k = 0; k < 5; k++) {
                real_reset();
                double near = pair->time + (k - 2) * 1e-4, t = k == 2 ? pair->time : fmax(0, fmin(1, near));
                real exact = exact_distance(&y, pair, real_of(t), false);
                CHECK(mpfr_cmp_d(exact, pair->lower) >= 0 || pair->lower == 0);
                if (k == 2) CHECK(mpfr_cmp_d(exact, pair->upper) <= 0);
            }
        }
        graze_clearance_release(context, &r);
        close_yard(&y);
    }
    graze_context_destroy(context);
}

/* The least exact distance near a time, by golden sections: right to about 2⁻⁸⁰. */
static real least_near(const yard *y, const graze_link_clearance *pair) {
    double low = fmax(0, pair->time - 0x1p-8), high = fmin(1, pair->time + 0x1p-8);
    mpfr_t a, b, x, d;
    mpfr_inits2(REAL_BITS, a, b, x, d, (mpfr_ptr)0);
    mpfr_set_d(a, low, MPFR_RNDN);
    mpfr_set_d(b, high, MPFR_RNDN);
    real found = real_of(0);
    for (int k = 0; k < 46; k++) { /* the better of two inner places keeps its side */
        real_reset();
        real width = real_sub(b, a), left = real_add(a, real_mul(width, real_of(0.4)));
        real right = real_add(a, real_mul(width, real_of(0.6)));
        bool lower_left = mpfr_cmp(exact_distance(y, pair, left, true), exact_distance(y, pair, right, true)) < 0;
        mpfr_set(lower_left ? b : a, lower_left ? right : left, MPFR_RNDN);
    }
    real_reset();
    real ends[3] = {real_of(low), real_of(high), a};
    found = exact_distance(y, pair, ends[2], true);
    for (int k = 0; k < 2; k++) found = real_least(found, exact_distance(y, pair, ends[k], true));
    mpfr_set(x, found, MPFR_RNDN);
    real_reset();
    found = real_new();
    mpfr_set(found, x, MPFR_RNDN);
    mpfr_clears(a, b, x, d, (mpfr_ptr)0);
    return found;
}

/* Of the least distance, by one end of a joint value's way. */
static double slope_of(yard *y, const graze_link_clearance *pair, double *value, double step) {
    double before = *value, ends[2];
    mpfr_t least[2];
    mpfr_inits2(REAL_BITS, least[0], least[1], (mpfr_ptr)0);
    for (int k = 0; k < 2; k++) {
        *value = ends[k] = before + (k ? step : -step);
        mpfr_set(least[k], least_near(y, pair), MPFR_RNDN);
    }
    *value = before;
    mpfr_sub(least[0], least[1], least[0], MPFR_RNDN);
    double slope = mpfr_get_d(least[0], MPFR_RNDN) / (ends[1] - ends[0]);
    mpfr_clears(least[0], least[1], (mpfr_ptr)0);
    return slope;
}

/* Values from −1.5 to 4.5 and steps of 2⁻²⁶: their sums are exact. */
TEST(gradients_are_those_of_differences_in_256_bits) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {92};
    int checked = 0, nans = 0, unclear = 0, inner = 0;
    for (int n = 0; n < 14 && checked < 40; n++) {
        yard y;
        open_yard(&y, context, &random, 2);
        graze_clearance_options options = graze_default_clearance_options();
        options.gradients = 1;
        options.tolerance = 1e-13; /* the time to about its root */
        graze_clearance_result r = ask(&y, &options);
        CHECK(r.pair_count == 1 && r.value_count == y.values);
        const graze_link_clearance *pair = &r.pairs[0];
        inner += pair->time > 0 && pair->time < 1;
        for (size_t v = 0; v < y.values; v++) {
            double got = r.gradients[v];
            if (isnan(got) || !(pair->lower > 1e-3)) {
                nans++;
                continue;
            }
            for (int end = 0; end < 2; end++) {
                double *value = end ? &y.to[v] : &y.from[v], weight = end ? pair->time : 1 - pair->time;
                double coarse = slope_of(&y, pair, value, 0x1p-24), fine = slope_of(&y, pair, value, 0x1p-25);
                if (fabs(coarse - fine) > 1e-6) {
                    unclear++;
                    continue;
                }
                CHECK_MSG(fabs(got * weight - fine) <= 2e-5, "world %d, value %zu, end %d: %.17g, not %.17g", n, v, end,
                          got * weight, fine);
                checked++;
            }
        }
        graze_clearance_release(context, &r);
        close_yard(&y);
    }
    printf("  %d derivatives, %d not numbers, %d not smooth, %d minima inside\n", checked, nans, unclear, inner);
    CHECK(checked >= 40 && unclear < checked / 10 && inner > 0);
    graze_context_destroy(context);
}

/* ---- lists ---- */

TEST(short_lists_are_the_beginning_of_long_ones) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {93};
    for (int n = 0; n < 30; n++) {
        yard y;
        open_yard(&y, context, &random, 2);
        graze_clearance_options options = graze_default_clearance_options();
        options.most = 0;
        graze_clearance_result all = ask(&y, &options);
        for (size_t most = 1; most < 4; most++) {
            options.most = most;
            graze_clearance_result r = ask(&y, &options);
            CHECK(r.pair_count == most && r.pairs_tested == all.pair_count);
            for (size_t i = 0; i < most; i++)
                CHECK_MSG(fabs(r.pairs[i].upper - all.pairs[i].upper) <= 2e-6, "%.17g %.17g", r.pairs[i].upper,
                          all.pairs[i].upper);
            CHECK(r.lower <= all.pairs[most].upper && r.lower >= r.pairs[most - 1].lower - 2e-6);
            graze_clearance_release(context, &r);
        }
        options.most = 0;
        options.distance = all.pairs[2].upper;
        graze_clearance_result near = ask(&y, &options);
        CHECK(near.pair_count >= 2 && near.lower >= options.distance - 2e-6);
        graze_clearance_release(context, &near);
        graze_clearance_release(context, &all);
        close_yard(&y);
    }
    graze_context_destroy(context);
}

TEST(bits_do_not_depend_on_threads_or_instruction_sets) {
    test_random random = {94};
    for (int n = 0; n < 8; n++) {
        uint64_t seed = random.state;
        graze_clearance_result first = graze_default_clearance_result();
        graze_context *one = test_context(1, GRAZE_ISA_SCALAR);
        yard y;
        open_yard(&y, one, &random, 3);
        graze_clearance_options options = graze_default_clearance_options();
        options.most = 5;
        options.gradients = 1;
        first = ask(&y, &options);
        for (int k = 0; k < 2; k++) {
            graze_context *other = test_context(k ? 1 : 3, GRAZE_ISA_AUTO);
            graze_clearance_result r = graze_default_clearance_result();
            CHECK(graze_world_clearance(other, y.world, y.moved, 2, 1, &options, &r) == GRAZE_OK);
            CHECK(r.pair_count == first.pair_count && r.lower == first.lower && r.checks == first.checks);
            CHECK(memcmp(r.pairs, first.pairs, r.pair_count * sizeof *r.pairs) == 0);
            CHECK(memcmp(r.gradients, first.gradients, r.pair_count * r.value_count * sizeof(double)) == 0);
            graze_clearance_release(other, &r);
            graze_context_destroy(other);
        }
        graze_clearance_release(one, &first);
        close_yard(&y);
        graze_context_destroy(one);
        random.state = seed + 1;
    }
}

/* ---- several segments ---- */

/* A cube that goes to and fro along x before a wall at 0: from 3 to 1.25 and back, then to 1.5. */
TEST(segments_and_plans_have_the_least_of_all) {
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    test_box box = test_box_of(0.5, 0.5, 0.5);
    graze_link_mesh mesh = test_mesh_of(&box);
    graze_link link = test_link(-1, GRAZE_JOINT_PRISMATIC, test_frame(0, 0, 0), &mesh);
    link.axis[0] = 1;
    link.axis[2] = 0;
    graze_model *model;
    CHECK(graze_model_create(context, &link, 1, &model) == GRAZE_OK);
    graze_body bodies[2] = {graze_default_body(), graze_default_body()};
    bodies[0].model = model;
    bodies[1].kind = GRAZE_BODY_STATIC;
    bodies[1].meshes = &mesh;
    bodies[1].mesh_count = 1;
    bodies[1].origin = (graze_frame){{0, 0.2, 0.1}, {1, 0, 0, 0}};
    graze_world *world;
    CHECK(graze_world_create(context, bodies, 2, NULL, &world) == GRAZE_OK);
    const double at[4] = {3, 1.25, 3, 1.5}, knots[6] = {0, 0, 1, 2, 5, 5};
    graze_motion motions[3];
    graze_body_motion moved[3];
    for (int s = 0; s < 3; s++) {
        motions[s] = test_motion(&at[s], &at[s + 1]);
        moved[s] = graze_default_body_motion();
        moved[s].joints = &motions[s];
    }
    graze_path path = graze_default_path();
    path.count = 4;
    path.knots = knots;
    path.control = at;
    graze_clearance_options options = graze_default_clearance_options();
    options.gradients = 1;
    for (int k = 0; k < 2; k++) {
        graze_clearance_result r = graze_default_clearance_result();
        CHECK((k ? graze_world_plan_clearance(context, world, &path, 1, &options, &r)
                 : graze_world_clearance(context, world, moved, 1, 3, &options, &r)) == GRAZE_OK);
        CHECK(r.pair_count == 1 && r.segments == 3 && isinf(r.lower));
        const graze_link_clearance *pair = &r.pairs[0];
        CHECK_MSG(pair->lower <= 0.25 && pair->upper >= 0.25 && pair->upper - pair->lower < 2e-6, "%.17g %.17g",
                  pair->lower, pair->upper);
        CHECK((pair->segment == 0 && pair->time > 1 - 1e-5) || (pair->segment == 1 && pair->time < 1e-5));
        CHECK(fabs(r.gradients[0] - 1) < 1e-9 && fabs(pair->normal[0] - 1) < 1e-9);
        graze_clearance_release(context, &r);
    }
    /* twice as close as this, at both ends of one segment: no one derivative */
    const double same[2] = {1.25, 1.25};
    motions[0] = test_motion(&same[0], &same[1]);
    graze_clearance_result r = graze_default_clearance_result();
    CHECK(graze_world_clearance(context, world, moved, 1, 1, &options, &r) == GRAZE_OK);
    CHECK(r.pair_count == 1 && isnan(r.gradients[0]));
    graze_clearance_release(context, &r);
    graze_world_release(world);
    graze_model_destroy(context, model);
    graze_context_destroy(context);
}

/* ---- what goes wrong ---- */

TEST(clearances_refuse_bad_arguments) {
    test_random random = {95};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    yard y;
    open_yard(&y, context, &random, 1);
    graze_clearance_options options = graze_default_clearance_options();
    graze_clearance_result r = graze_default_clearance_result();
    CHECK(graze_world_clearance(context, y.world, y.moved, 2, 1, NULL, NULL) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_world_clearance(NULL, y.world, y.moved, 2, 1, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_world_clearance(context, NULL, y.moved, 2, 1, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_world_clearance(context, y.world, NULL, 2, 1, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_world_clearance(context, y.world, y.moved, 2, 0, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_world_plan_clearance(context, y.world, NULL, 1, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    double *const fields[3] = {&options.distance, &options.tolerance, &options.min_separation};
    for (int i = 0; i < 3; i++) {
        *fields[i] = i == 1 ? NAN : -1;
        CHECK(graze_world_clearance(context, y.world, y.moved, 2, 1, &options, &r) == GRAZE_ERR_INVALID_ARGUMENT);
        options = graze_default_clearance_options();
    }
    y.motions[1].rotvecs = NULL;
    options.gradients = 1;
    CHECK(graze_world_clearance(context, y.world, y.moved, 2, 1, &options, &r) == GRAZE_ERR_UNSUPPORTED);
    CHECK(r.pair_count == 0 && r.pairs == NULL && r.lower == 0);
    y.to[0] = NAN;
    CHECK(graze_world_clearance(context, y.world, y.moved, 2, 1, NULL, &r) == GRAZE_ERR_NOT_FINITE);
    close_yard(&y);
    graze_context_destroy(context);
}

/* Without room to finish, the bracket is wide and still one. */
TEST(a_budget_ends_with_a_safe_lower_bound) {
    test_random random = {96};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    for (int n = 0; n < 20; n++) {
        yard y;
        open_yard(&y, context, &random, 3);
        graze_clearance_options options = graze_default_clearance_options();
        graze_clearance_result good = ask(&y, &options);
        options.max_checks = 1;
        graze_clearance_result r = ask(&y, &options);
        CHECK(r.pair_count == 1 && r.pairs[0].lower <= good.pairs[0].upper && fmin(r.pairs[0].lower, r.lower) >= 0);
        CHECK(fmin(r.pairs[0].lower, r.lower) <= good.pairs[0].upper);
        graze_clearance_release(context, &r);
        graze_clearance_release(context, &good);
        close_yard(&y);
    }
    graze_context_destroy(context);
}

/* Ends a call when it has been asked so many times. */
static int end_after(void *user) {
    long *left = user;
    return (*left)-- <= 0;
}

/* However early it ends: of what is listed and of what is not the bounds hold, and the pairs that are done with are as
   they would be. */
TEST(a_cancelled_call_ends_with_safe_bounds) {
    long left = LONG_MAX, early = 0, some = 0;
    graze_context_options opened = graze_default_context_options();
    graze_context *context;
    opened.threads = 1;
    opened.cancel = end_after;
    opened.cancel_user = &left;
    CHECK(graze_context_create(&opened, &context) == GRAZE_OK);
    for (int n = 0; n < 200; n++) {
        test_random random = {99 + (uint64_t)n / 40};
        yard y;
        open_yard(&y, context, &random, 2);
        graze_clearance_options options = graze_default_clearance_options();
        options.most = 0;
        left = LONG_MAX;
        graze_clearance_result good = ask(&y, &options);
        left = 1L << (n % 40 / 3);
        graze_clearance_result r = ask(&y, &options);
        bool ended = left < 0;
        CHECK(ended || (r.pair_count == good.pair_count && isinf(r.lower)));
        CHECK(isinf(good.lower) && (r.pair_count == good.pair_count || r.lower == 0));
        for (size_t i = 0; i < r.pair_count; i++)
            for (size_t k = 0; k < good.pair_count; k++) {
                const graze_link_clearance *x = &r.pairs[i], *whole = &good.pairs[k];
                if (x->body_a != whole->body_a || x->link_a != whole->link_a || x->body_b != whole->body_b ||
                    x->link_b != whole->link_b)
                    continue;
                CHECK_MSG(x->lower <= whole->upper && x->upper >= whole->lower && x->lower >= 0,
                          "[%.17g, %.17g], not [%.17g, %.17g]", x->lower, x->upper, whole->lower, whole->upper);
                some += x->lower > 0 && ended;
            }
        early += ended;
        graze_clearance_release(context, &r);
        graze_clearance_release(context, &good);
        close_yard(&y);
    }
    CHECK_MSG(early > 50 && early < 200 && some > 20, "%ld ended early, %ld pairs of these are known", early, some);
    graze_context_destroy(context);
}

TEST(clearances_survive_failure_of_every_allocation) {
    for (long allowed = 0; allowed < 400; allowed++) {
        test_random random = {97};
        failing f = {.left = LONG_MAX};
        graze_context *context = failing_context(&f, 0);
        CHECK(context);
        yard y;
        open_yard(&y, context, &random, 0.5);
        graze_clearance_options options = graze_default_clearance_options();
        graze_clearance_result r = graze_default_clearance_result();
        options.gradients = 1;
        f.left = allowed;
        graze_status status = graze_world_clearance(context, y.world, y.moved, 2, 1, &options, &r);
        f.left = LONG_MAX;
        CHECK(status == GRAZE_OK || (status == GRAZE_ERR_OUT_OF_MEMORY && r.pairs == NULL && r.lower == 0));
        graze_clearance_release(context, &r);
        close_yard(&y);
        graze_context_destroy(context);
        CHECK(f.held == 0);
        if (status == GRAZE_OK) return;
    }
    CHECK(!"it succeeds with enough memory");
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
