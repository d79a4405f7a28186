/* Distances of links that stand still, against exact arithmetic: the least distance lies between the bounds, which are
   close to each other. Triangles have edges, gaps and whole sizes of their own. */
#include "articulated/bodies.h"
#include "rational.h"
#include "scaled_pairs.h"

enum { FACES = 3, CORNERS = 3 * FACES };

typedef struct soup_link {
    double x[CORNERS][3];
    uint32_t faces[FACES][3];
} soup_link;

typedef struct two_links {
    soup_link side[2];
    double size; /* a power of two: no coordinate is larger than four times that */
    double padding, separation;
} two_links;

/* ---- the scenes ---- */

static void some_faces(test_random *random, int exponent, int spread, soup_link *link) {
    for (uint32_t f = 0; f < FACES; f++) {
        double corner[3], edge[3];
        scaled_vector(random, ldexp(1, exponent), corner);
        for (uint32_t k = 0; k < 3; k++) {
            scaled_vector(random, scaled_size(random, exponent, spread), edge);
            for (int c = 0; c < 3; c++) link->x[3 * f + k][c] = corner[c] + (k ? edge[c] : 0);
            link->faces[f][k] = 3 * f + k;
        }
    }
}

/* The first face of b around a point of the first face of a. */
static void pierce(test_random *random, int exponent, const double (*a)[3], double (*b)[3]) {
    double edge[3];
    for (int k = 0; k < 3; k++) {
        if (k != 1) scaled_vector(random, ldexp(1, exponent), edge);
        for (int c = 0; c < 3; c++) b[k][c] = (a[0][c] + a[1][c] + a[2][c]) / 3 + (k == 1 ? -edge[c] : edge[c]);
    }
}

/* The second link lies beyond the first along one axis, by a gap of any size, or through it. */
static void draw_links(test_random *random, two_links *scene) {
    int exponent = test_random_below(random, 3) ? 0 : 100 - (int)test_random_below(random, 520), spread = 60;
    *scene = (two_links){.size = ldexp(1, exponent)};
    for (int side = 0; side < 2; side++) some_faces(random, exponent, spread, &scene->side[side]);
    if (test_random_below(random, 4) == 0) {
        pierce(random, exponent, (const double(*)[3])scene->side[0].x, scene->side[1].x);
    } else if (test_random_below(random, 4)) {
        double gap = scaled_size(random, exponent, spread) * test_random_unit(random), low = INFINITY, high = -INFINITY;
        uint64_t axis = test_random_below(random, 3);
        for (int k = 0; k < CORNERS; k++) {
            high = fmax(high, scene->side[0].x[k][axis]);
            low = fmin(low, scene->side[1].x[k][axis]);
        }
        for (int k = 0; k < CORNERS; k++) scene->side[1].x[k][axis] += high - low + gap;
    }
    if (test_random_below(random, 3) == 0) scene->padding = ldexp(scene->size, -(int)test_random_below(random, 8));
    if (test_random_below(random, 3) == 0) scene->separation = ldexp(scene->size, -(int)test_random_below(random, 8));
}

static graze_link_distance measure(graze_context *context, const two_links *scene) {
    graze_model *models[2];
    for (int side = 0; side < 2; side++) {
        graze_link_mesh mesh = graze_default_link_mesh();
        mesh.vertex_count = CORNERS, mesh.face_count = FACES;
        mesh.vertices = scene->side[side].x, mesh.faces = scene->side[side].faces;
        /* links that stand still by their nature are no pair */
        graze_joint_kind joint = side ? GRAZE_JOINT_PRISMATIC : GRAZE_JOINT_FIXED;
        graze_link link = test_link(-1, joint, test_frame(0, 0, 0), &mesh);
        CHECK(graze_model_create(context, &link, 1, &models[side]) == GRAZE_OK);
    }
    const double at[1] = {0};
    graze_motion motions[2] = {graze_default_motion(), test_motion(at, at)};
    graze_articulated_options options = graze_default_articulated_options();
    graze_link_distance found = graze_default_link_distance();
    options.min_separation = scene->separation;
    if (scene->padding > 0) CHECK(graze_model_pad(context, models[0], 0, scene->padding) == GRAZE_OK);
    CHECK(graze_articulated_distance(context, (const graze_model *const *)models, 2, motions, &options, &found) ==
          GRAZE_OK);
    for (int side = 0; side < 2; side++) graze_model_destroy(context, models[side]);
    return found;
}

/* ---- the truth ---- */

static int exact_side(const double *o, const double *p, const double *q, const double *r) {
    const double *corners[4] = {o, p, q, r};
    rational_vector x[4], n;
    mpq_t volume;
    mpq_init(volume);
    rational_init(&n);
    for (int i = 0; i < 4; i++) rational_init(&x[i]), rational_set(&x[i], corners[i]);
    for (int i = 1; i < 4; i++) rational_sub(&x[i], &x[i], &x[0]);
    rational_cross(&n, &x[1], &x[2]);
    rational_dot(volume, &n, &x[3]);
    int sign = mpq_sgn(volume);
    for (int i = 0; i < 4; i++) rational_clear(&x[i]);
    rational_clear(&n);
    mpq_clear(volume);
    return sign;
}

/* The segment passes through the inside of the face. */
static bool pierces(const double *p, const double *q, const double (*f)[3]) {
    if (exact_side(f[0], f[1], f[2], p) * exact_side(f[0], f[1], f[2], q) >= 0) return false;
    int side = exact_side(p, q, f[0], f[1]);
    return side != 0 && exact_side(p, q, f[1], f[2]) == side && exact_side(p, q, f[2], f[0]) == side;
}

static bool faces_cross(const double (*a)[3], const double (*b)[3]) {
    for (int i = 0; i < 3; i++)
        if (pierces(a[i], a[(i + 1) % 3], b) || pierces(b[i], b[(i + 1) % 3], a)) return true;
    return false;
}

static bool rows_within(graze_kind kind, const double *const rows[4], double distance) {
    graze_query query;
    graze_options options = graze_default_options();
    graze_result result;
    for (int i = 0; i < 4; i++) {
        memcpy(query.x0[i], rows[i], sizeof query.x0[i]);
        memcpy(query.x1[i], rows[i], sizeof query.x1[i]);
    }
    options.method = GRAZE_METHOD_ORACLE;
    options.min_separation = distance;
    options.t_max = 0;
    CHECK(graze_ccd(kind, &query, &options, &result) == GRAZE_OK);
    return result.verdict == GRAZE_HIT;
}

/* A corner of one and the other, or a side of each, are at most that far from each other. */
static bool faces_within(const double (*a)[3], const double (*b)[3], double distance) {
    for (int i = 0; i < 3; i++) {
        if (rows_within(GRAZE_VF, (const double *const[4]){a[i], b[0], b[1], b[2]}, distance)) return true;
        if (rows_within(GRAZE_VF, (const double *const[4]){b[i], a[0], a[1], a[2]}, distance)) return true;
        for (int j = 0; j < 3; j++)
            if (rows_within(GRAZE_EE, (const double *const[4]){a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]}, distance))
                return true;
    }
    return false;
}

typedef bool face_test(const double (*a)[3], const double (*b)[3], double distance);

static bool any_faces(const two_links *scene, face_test *is, double distance) {
    for (int i = 0; i < FACES; i++)
        for (int j = 0; j < FACES; j++)
            if (is((const double(*)[3])scene->side[0].x + 3 * i, (const double(*)[3])scene->side[1].x + 3 * j,
                   distance))
                return true;
    return false;
}

static bool crossing(const double (*a)[3], const double (*b)[3], double distance) {
    (void)distance;
    return faces_cross(a, b);
}

/* ---- what is promised ---- */

/* Sums of a bound and what counts as contact, moved to their safe side by more than their rounding. */
static double beyond(double bound, double contact, int side) { return (bound + contact) * (1 + side * 0x1p-51); }

TEST(the_least_distance_lies_between_bounds_that_are_close_to_each_other) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {91};
    size_t crossed = 0, apart = 0;
    for (int i = 0; i < 1500; i++) {
        two_links scene;
        draw_links(&random, &scene);
        double contact = scene.padding + scene.separation, small = 0x1p-40 * scene.size;
        graze_link_distance found = measure(context, &scene);
        CHECK(found.lower >= 0 && found.lower <= found.upper);
        if (any_faces(&scene, crossing, 0)) {
            crossed++;
            CHECK(found.lower == 0);
            /* sides that are short, and products of three that underflow, are not known to cross */
            if (scene.size > 0x1p-300) CHECK_MSG(found.upper <= 0x1p-20 * scene.size, "scene %d: %g", i, found.upper);
            continue;
        }
        apart += found.lower > 0;
        CHECK_MSG(found.upper - found.lower <= small, "scene %d: %g, %g", i, found.lower, found.upper);
        if (found.lower > 0)
            CHECK_MSG(!any_faces(&scene, faces_within,
                                 contact > 0 ? beyond(found.lower, contact, -1) : nextafter(found.lower, 0)),
                      "scene %d of size %g: lower %a, contact %g", i, scene.size, found.lower, contact);
        CHECK_MSG(any_faces(&scene, faces_within, contact > 0 ? beyond(found.upper, contact, 1) : found.upper),
                  "scene %d of size %g: upper %a, contact %g", i, scene.size, found.upper, contact);
    }
    CHECK_MSG(crossed > 100 && apart > 300, "%zu, %zu", crossed, apart);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
