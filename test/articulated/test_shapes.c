/* Shapes against closed formulas and exact arithmetic, at sizes that are drawn independently. */
#include "articulated/bodies.h"
#include "failing.h"
#include "rational.h"

#include "exact/orientation.h"

static test_random randoms = {2024};

static double drawn(double low, double high) { return low * pow(high / low, test_random_unit(&randoms)); }

/* ---- worlds of two shapes ---- */

/* A world: `moving` on a free joint, `still` as a static body. Both are released. */
static graze_world *world_of(graze_context *context, graze_shape *moving, graze_shape *still) {
    graze_link link = test_link(-1, GRAZE_JOINT_FREE, test_frame(0, 0, 0), &moving->mesh);
    link.padding = moving->radius;
    graze_model *model = NULL;
    CHECK(graze_model_create(context, &link, 1, &model) == GRAZE_OK);
    graze_body bodies[2] = {graze_default_body(), graze_default_body()};
    bodies[0].model = model;
    bodies[1].kind = GRAZE_BODY_STATIC;
    bodies[1].meshes = &still->mesh;
    bodies[1].mesh_count = 1;
    bodies[1].padding = still->radius;
    graze_world *world = NULL;
    CHECK(graze_world_create(context, bodies, 2, NULL, &world) == GRAZE_OK);
    graze_model_destroy(context, model);
    graze_shape_release(context, moving);
    graze_shape_release(context, still);
    return world;
}

static graze_articulated_result ask(graze_context *context, const graze_world *world, const double from[6],
                                    const double to[6]) {
    graze_motion joints = test_motion(from, to);
    graze_body_motion motion = graze_default_body_motion();
    motion.joints = &joints;
    graze_articulated_result r = graze_default_articulated_result();
    graze_status status = to ? graze_world_step(context, world, &motion, 1, NULL, &r)
                             : graze_world_valid(context, world, &motion, 1, NULL, &r);
    CHECK(status == GRAZE_OK);
    return r;
}

static bool is_free(graze_context *context, const graze_world *world, double x, double y, double z) {
    return ask(context, world, (const double[6]){x, y, z, 0, 0, 0}, NULL).verdict == GRAZE_CLEAR;
}

static graze_shape sphere(graze_context *context, double radius) {
    graze_shape shape = graze_default_shape();
    CHECK(graze_shape_sphere(context, radius, &shape) == GRAZE_OK && shape.radius == radius);
    return shape;
}

static graze_shape capsule(graze_context *context, double length, double radius) {
    graze_shape shape = graze_default_shape();
    CHECK(graze_shape_capsule(context, length, radius, &shape) == GRAZE_OK && shape.radius == radius);
    return shape;
}

static graze_shape box(graze_context *context, double x, double y, double z, double radius) {
    graze_shape shape = graze_default_shape();
    CHECK(graze_shape_box(context, (const double[3]){x, y, z}, radius, &shape) == GRAZE_OK);
    return shape;
}

/* A toi from below, and a pose next to it on either side. */
static void check_contact(const graze_articulated_result *r, double expected, double tolerance) {
    CHECK_MSG(r->verdict == GRAZE_HIT && r->toi <= expected + 1e-14 && r->toi >= expected - tolerance,
              "%.17g, not %.17g\n", r->toi, expected);
}

TEST(spheres_and_capsules_touch_when_closed_formulas_say) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    for (int i = 0; i < 200; i++) {
        double a = drawn(1e-3, 10), b = drawn(1e-3, 10), length = i % 2 ? drawn(1e-3, 10) : 0, sum = a + b;
        double aside = test_random_between(&randoms, -0.9, 0.9) * sum;
        /* beside the segment, or beyond its upper end by a height that the spheres there still reach */
        double height = i % 4 < 2 ? test_random_between(&randoms, -0.5, 0.5) * length
                                  : 0.5 * length + 0.9 * test_random_unit(&randoms) * sqrt(sum * sum - aside * aside);
        double beyond = fmax(fabs(height) - 0.5 * length, 0), far = 3 * sum;
        double x = sqrt(sum * sum - aside * aside - beyond * beyond);
        graze_shape moving = sphere(context, a), still = length > 0 ? capsule(context, length, b) : sphere(context, b);
        graze_world *world = world_of(context, &moving, &still);
        graze_articulated_result r = ask(context, world, (const double[6]){-far, aside, height, 0, 0, 0},
                                         (const double[6]){far, aside, height, 0, 0, 0});
        check_contact(&r, (far - x) / (2 * far), 1e-6);
        CHECK(is_free(context, world, 1.0001 * x + 1e-4 * sum, aside, height));
        CHECK(!is_free(context, world, 0.9999 * x - 1e-4 * sum, aside, height));
        CHECK(!is_free(context, world, 0, 0.1 * aside, 0)); /* solid by its radius */
        graze_world_release(world);
    }
    graze_context_destroy(context);
}

TEST(a_box_with_a_radius_is_rounded_and_solid) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    for (int i = 0; i < 100; i++) {
        double size[3] = {drawn(0.01, 10), drawn(0.01, 10), drawn(0.01, 10)}, a = drawn(0.01, 10), b = drawn(0.01, 10);
        double n[3], length = 0;
        for (int c = 0; c < 3; c++) n[c] = test_random_between(&randoms, 0.1, 1), length += n[c] * n[c];
        graze_shape moving = sphere(context, a), still = box(context, size[0], size[1], size[2], b);
        graze_world *world = world_of(context, &moving, &still);
        for (int k = 0; k < 2; k++) { /* from the corner outward, by a little more and less than both radii */
            double reach = (k ? 0.999 : 1.001) * (a + b) / sqrt(length);
            bool free = is_free(context, world, 0.5 * size[0] + reach * n[0], 0.5 * size[1] + reach * n[1],
                                0.5 * size[2] + reach * n[2]);
            CHECK(free == !k);
        }
        graze_world_release(world);
    }
    graze_shape small = sphere(context, 0.01), large = box(context, 2, 2, 2, 0);
    graze_world *world = world_of(context, &small, &large);
    CHECK(!is_free(context, world, 0.1, 0.2, 0.3) && is_free(context, world, 0.1, 0.2, 1.3));
    graze_world_release(world);
    graze_context_destroy(context);
}

/* ---- meshes ---- */

/* Every side of a triangle is that of one other, in the other direction. */
static void check_closed(const graze_link_mesh *mesh) {
    for (uint32_t f = 0; f < mesh->face_count; f++)
        for (int k = 0; k < 3; k++) {
            uint32_t a = mesh->faces[f][k], b = mesh->faces[f][(k + 1) % 3], same = 0, back = 0;
            CHECK(a < mesh->vertex_count && a != b);
            for (uint32_t g = 0; g < mesh->face_count; g++)
                for (int j = 0; j < 3; j++) {
                    same += mesh->faces[g][j] == a && mesh->faces[g][(j + 1) % 3] == b;
                    back += mesh->faces[g][j] == b && mesh->faces[g][(j + 1) % 3] == a;
                }
            CHECK(same == 1 && back == 1);
        }
}

/* The sign of ⟨d − a, (b − a) × (c − a)⟩ in rationals. */
static int exact_side(const double *a, const double *b, const double *c, const double *d) {
    rational_vector x[4], n;
    const double *given[4] = {a, b, c, d};
    for (int i = 0; i < 4; i++) rational_init(&x[i]), rational_set(&x[i], given[i]);
    rational_init(&n);
    for (int i = 1; i < 4; i++) rational_sub(&x[i], &x[i], &x[0]);
    rational_cross(&n, &x[1], &x[2]);
    mpq_t value;
    mpq_init(value);
    rational_dot(value, &n, &x[3]);
    int sign = mpq_sgn(value);
    mpq_clear(value);
    for (int i = 0; i < 4; i++) rational_clear(&x[i]);
    rational_clear(&n);
    return sign;
}

TEST(a_cylinder_is_inside_its_prism_which_is_hardly_larger) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    for (int i = 0; i < 200; i++) {
        double across = i % 2 ? drawn(1e-30, 1e30) : drawn(0x1p-900, 0x1p-890), length = drawn(1e-30, 1e30);
        graze_shape shape = graze_default_shape();
        CHECK(graze_shape_cylinder(context, across, length, 0.5, &shape) == GRAZE_OK && shape.radius == 0.5);
        if (i == 0) check_closed(&shape.mesh);
        uint32_t sides = (shape.mesh.vertex_count - 2) / 2;
        for (uint32_t v = 0; v < sides; v++) {
            const double *a = shape.mesh.vertices[v], *b = shape.mesh.vertices[(v + 1) % sides];
            long double ax = a[0], ay = a[1], bx = b[0], by = b[1], dx = bx - ax, dy = by - ay;
            long double from_axis = fabsl(ax * by - ay * bx) / sqrtl(dx * dx + dy * dy);
            CHECK(from_axis >= across && sqrtl(ax * ax + ay * ay) <= (1 + 0x1p-10L) * across);
            CHECK(a[2] == -0.5 * length && shape.mesh.vertices[v + sides][2] == 0.5 * length);
        }
        graze_shape_release(context, &shape);
        CHECK(!shape.mesh.vertices && shape.mesh.face_count == 0);
    }
    graze_context_destroy(context);
}

enum { POINTS = 60 };

/* Families: anywhere, a grid with many points in planes and on lines, near a plane, sizes far apart, with doubles. */
static size_t draw_points(int family, double x[POINTS][3]) {
    size_t count = 4 + (size_t)test_random_below(&randoms, POINTS - 3);
    double scale = drawn(1e-30, 1e30);
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++) {
            double u = test_random_between(&randoms, -1, 1), grid = (double)test_random_below(&randoms, 3);
            x[i][c] = family == 0   ? scale * u
                      : family == 1 ? grid - 1
                      : family == 2 ? (c == 2 ? 0.1 * (x[i][0] + x[i][1]) + (i % 7 ? 0 : 1e-17 * u) : u)
                      : family == 3 ? u * drawn(1e-20, 1e20)
                                    : (i % 3 == 2 ? x[i - 1][c] : scale * u);
        }
    return count;
}

static void check_hull(graze_context *context, const double (*x)[3], size_t count) {
    graze_shape shape = graze_default_shape();
    graze_status status = graze_shape_hull(context, x, count, 0.25, &shape);
    if (status != GRAZE_OK) { /* then all of them are in a plane */
        CHECK(status == GRAZE_ERR_INVALID_ARGUMENT && shape.mesh.face_count == 0);
        for (size_t a = 0; a < count; a++)
            for (size_t b = 0; b < a; b++)
                for (size_t d = 0; d < count; d += 3) CHECK(exact_side(x[0], x[a], x[b], x[d]) == 0);
        return;
    }
    const graze_link_mesh *mesh = &shape.mesh;
    check_closed(mesh);
    CHECK(2 * mesh->vertex_count == mesh->face_count + 4 && shape.radius == 0.25);
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        const uint32_t *v = mesh->faces[f];
        for (size_t i = 0; i < count; i++)
            CHECK(exact_side(mesh->vertices[v[0]], mesh->vertices[v[1]], mesh->vertices[v[2]], x[i]) <= 0);
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        bool given = false;
        for (size_t i = 0; i < count; i++) given = given || memcmp(mesh->vertices[v], x[i], sizeof x[i]) == 0;
        CHECK(given);
    }
    graze_shape_release(context, &shape);
}

TEST(a_hull_is_closed_has_corners_among_the_points_and_no_point_is_beyond_it) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    for (int i = 0; i < 100; i++) {
        double x[POINTS][3];
        size_t count = draw_points(i % 5, x);
        check_hull(context, (const double(*)[3])x, count);
    }
    graze_context_destroy(context);
}

TEST(sides_of_planes_are_exact) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    long undecided = 0;
    for (int i = 0; i < 5000; i++) {
        double x[POINTS][3];
        draw_points(i % 5, x);
        int sign = 2, expected = exact_side(x[0], x[1], x[2], x[3]);
        CHECK(gz_orientation(context, x[0], x[1], x[2], x[3], &sign) && sign == expected);
        undecided += expected == 0;
    }
    CHECK(undecided > 100);
    graze_context_destroy(context);
}

/* ---- ground ---- */

enum { ROWS = 5, COLUMNS = 7 };

/* The height above x, y by the two triangles of its cell. */
static double height_at(const double *heights, const double cell[2], double x, double y) {
    int column = (int)(x / cell[0]), row = (int)(y / cell[1]);
    double u = x / cell[0] - column, v = y / cell[1] - row;
    const double *h = heights + row * COLUMNS + column;
    return u >= v ? h[0] + u * (h[1] - h[0]) + v * (h[COLUMNS + 1] - h[1])
                  : h[0] + v * (h[COLUMNS] - h[0]) + u * (h[COLUMNS + 1] - h[COLUMNS]);
}

TEST(a_height_map_is_closed_and_solid_from_its_surface_to_its_floor) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    for (int i = 0; i < 20; i++) {
        double heights[ROWS * COLUMNS], radius = i % 2 ? 0 : 0.01;
        graze_height_map map = graze_default_height_map();
        map.rows = ROWS, map.columns = COLUMNS, map.heights = heights, map.floor = -2;
        map.cell[0] = drawn(0.5, 2), map.cell[1] = drawn(0.5, 2);
        for (int k = 0; k < ROWS * COLUMNS; k++) heights[k] = test_random_between(&randoms, -1, 1);
        graze_shape ground = graze_default_shape(), ball = sphere(context, i % 3 ? 1e-3 : 0);
        CHECK(graze_shape_height_map(context, &map, radius, &ground) == GRAZE_OK && ground.radius == radius);
        check_closed(&ground.mesh);
        graze_world *world = world_of(context, &ball, &ground);
        for (int k = 0; k < 50; k++) {
            double x = test_random_between(&randoms, 0, (COLUMNS - 1) * map.cell[0]),
                   y = test_random_between(&randoms, 0, (ROWS - 1) * map.cell[1]),
                   z = height_at(heights, map.cell, x, y);
            CHECK(is_free(context, world, x, y, z + 0.1)); /* slopes are below 6: a ball of 0.011 is 0.07 lower */
            CHECK(!is_free(context, world, x, y, z - test_random_between(&randoms, 0.01, z + 1.99)));
            CHECK(is_free(context, world, x, y, -2.1) && is_free(context, world, -0.1, y, z));
            graze_articulated_result r =
                ask(context, world, (const double[6]){x, y, 3, 0, 0, 0}, (const double[6]){x, y, -1, 0, 0, 0});
            CHECK(r.verdict == GRAZE_HIT && r.toi <= (3 - z) / 4 && r.toi >= (3 - z - 0.1) / 4 - 1e-6);
        }
        graze_world_release(world);
    }
    graze_context_destroy(context);
}

TEST(points_are_balls) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    double points[20][3];
    for (int i = 0; i < 20; i++)
        for (int c = 0; c < 3; c++) points[i][c] = test_random_between(&randoms, -1, 1);
    graze_shape cloud = graze_default_shape(), ball = sphere(context, 0.1);
    CHECK(graze_shape_points(context, (const double(*)[3])points, 20, 0.2, &cloud) == GRAZE_OK);
    graze_world *world = world_of(context, &ball, &cloud);
    long free = 0;
    for (int k = 0; k < 300; k++) {
        double x[3], nearest = INFINITY;
        for (int c = 0; c < 3; c++) x[c] = test_random_between(&randoms, -1.5, 1.5);
        for (int i = 0; i < 20; i++)
            nearest = fmin(nearest, hypot(hypot(x[0] - points[i][0], x[1] - points[i][1]), x[2] - points[i][2]));
        if (fabs(nearest - 0.3) < 1e-6) continue;
        CHECK(is_free(context, world, x[0], x[1], x[2]) == (nearest > 0.3));
        free += nearest > 0.3;
    }
    CHECK(free > 30 && free < 295);
    graze_world_release(world);
    graze_context_destroy(context);
}

/* ---- what goes wrong ---- */

/* ---- radii of a link's meshes ---- */

static int write_nothing(void *user, const char *text, size_t size) {
    (void)user, (void)text, (void)size;
    return 0;
}

enum { BALLS = 6 };

/* Balls of one link, each a mesh with a radius of its own. */
typedef struct balls {
    int count;
    double centers[BALLS][3], radii[BALLS], padding;
    graze_link_mesh meshes[BALLS];
} balls;

static const uint32_t point_face[1][3] = {{0, 0, 0}};

static void draw_balls(balls *b, double least, double most) {
    b->count = 1 + (int)(test_random_unit(&randoms) * BALLS);
    b->padding = test_random_unit(&randoms) < 0.5 ? 0 : drawn(least, most);
    for (int i = 0; i < b->count; i++) {
        for (int c = 0; c < 3; c++) b->centers[i][c] = test_random_between(&randoms, -1, 1);
        b->radii[i] = i % 3 == 2 ? 0 : drawn(least, most);
        b->meshes[i] = graze_default_link_mesh();
        b->meshes[i].vertex_count = b->meshes[i].face_count = 1;
        b->meshes[i].vertices = (const double(*)[3])b->centers[i];
        b->meshes[i].faces = point_face;
        b->meshes[i].radius = b->radii[i];
    }
}

static graze_world *world_of_balls(graze_context *context, const balls *moving, const balls *still) {
    graze_link link = test_link(-1, GRAZE_JOINT_FREE, test_frame(0, 0, 0), moving->meshes);
    link.mesh_count = (size_t)moving->count;
    link.padding = moving->padding;
    graze_model *model = NULL;
    CHECK(graze_model_create(context, &link, 1, &model) == GRAZE_OK);
    graze_body bodies[2] = {graze_default_body(), graze_default_body()};
    bodies[0].model = model;
    bodies[1].kind = GRAZE_BODY_STATIC;
    bodies[1].meshes = still->meshes;
    bodies[1].mesh_count = (size_t)still->count;
    bodies[1].padding = still->padding;
    graze_world *world = NULL;
    CHECK(graze_world_create(context, bodies, 2, NULL, &world) == GRAZE_OK);
    graze_model_destroy(context, model);
    return world;
}

/* Two balls: the vector between them at the start, and when it is as long as their radii. */
static double ball_time(const balls *a, int i, const balls *b, int j, const double from[6], const double to[6],
                        double *gap) {
    double aa = 0, ab = 0, bb = 0, sum = a->padding + a->radii[i] + b->padding + b->radii[j];
    for (int c = 0; c < 3; c++) {
        double x = from[c] + a->centers[i][c] - b->centers[j][c], v = to[c] - from[c];
        aa += x * x, ab += x * v, bb += v * v;
    }
    double inside = ab * ab - bb * (aa - sum * sum);
    *gap = fmin(*gap, fmax(0, sqrt(aa) - sum));
    if (aa <= sum * sum) return 0;
    if (inside < 0 || ab > 0) return INFINITY;
    return (-ab - sqrt(inside)) / bb;
}

static double balls_time(const balls *a, const balls *b, const double from[6], const double to[6], double *gap) {
    double first = INFINITY;
    *gap = INFINITY;
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++) first = fmin(first, ball_time(a, i, b, j, from, to, gap));
    return first;
}

static void check_ball_distance(graze_context *context, const graze_world *world, const double from[6], double gap) {
    graze_motion joints = test_motion(from, NULL);
    graze_body_motion pose = graze_default_body_motion();
    pose.joints = &joints;
    graze_world_distance_options options = graze_default_world_distance_options();
    options.gradients = 1;
    graze_world_distance_result d = graze_default_world_distance_result();
    CHECK(graze_world_distance(context, world, &pose, 1, &options, &d) == GRAZE_OK && d.gap_count == 1);
    CHECK_MSG(d.gaps[0].lower <= gap + 1e-12 && gap <= d.gaps[0].upper + 1e-12 &&
                  d.gaps[0].upper - d.gaps[0].lower <= 1e-9,
              "%.17g is not in [%.17g, %.17g]", gap, d.gaps[0].lower, d.gaps[0].upper);
    for (int c = 0; c < 3 && gap > 0; c++) /* of a translation */
        CHECK(isnan(d.gradients[c]) || fabs(d.gradients[c] - d.gaps[0].normal[c]) <= 1e-9);
    graze_world_distance_release(context, &d);
}

TEST(meshes_of_a_link_have_radii_of_their_own) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    int hits = 0, clear = 0;
    for (int k = 0; k < 400; k++) {
        balls moving, still;
        draw_balls(&moving, 1e-3, 1);
        draw_balls(&still, 1e-3, 1);
        graze_world *world = world_of_balls(context, &moving, &still);
        double from[6] = {-6}, to[6] = {6}, gap;
        for (int c = 1; c < 3; c++) {
            from[c] = test_random_between(&randoms, -3, 3);
            to[c] = test_random_between(&randoms, -3, 3);
        }
        double first = balls_time(&moving, &still, from, to, &gap);
        graze_articulated_result r = ask(context, world, from, to);
        if (first <= 1) check_contact(&r, first, 1e-6);
        if (first > 1) CHECK(r.verdict == GRAZE_CLEAR);
        first <= 1 ? hits++ : clear++;
        check_ball_distance(context, world, from, gap);
        for (double part = 0; part < 1; part += 0.125) {
            double pose[6] = {0}, none[6] = {0}, between;
            for (int c = 0; c < 3; c++) pose[c] = from[c] + part * (to[c] - from[c]);
            balls_time(&moving, &still, pose, none, &between);
            if (between != 0 && between < 1e-9) continue; /* too close to tell */
            CHECK((ask(context, world, pose, NULL).verdict == GRAZE_CLEAR) == (between > 0));
        }
        graze_world_release(world);
    }
    CHECK_MSG(hits > 50 && clear > 50, "%d hits, %d clear", hits, clear);
    graze_context_destroy(context);
}

TEST(a_padding_comes_on_top_of_radii_and_bad_radii_are_refused) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    balls one = {.count = 2, .centers = {{0, 0, 0}, {1, 0, 0}}, .radii = {0.25, 0.5}};
    for (int i = 0; i < 2; i++) {
        one.meshes[i] = graze_default_link_mesh();
        one.meshes[i].vertex_count = one.meshes[i].face_count = 1;
        one.meshes[i].vertices = (const double(*)[3])one.centers[i];
        one.meshes[i].faces = point_face;
        one.meshes[i].radius = one.radii[i];
    }
    graze_link links[2] = {test_link(-1, GRAZE_JOINT_FREE, test_frame(0, 0, 0), one.meshes),
                           test_link(-1, GRAZE_JOINT_FIXED, test_frame(4, 0, 0), one.meshes)};
    links[0].mesh_count = 2;
    graze_model *model = NULL;
    CHECK(graze_model_create(context, links, 2, &model) == GRAZE_OK);
    const graze_model *models[1] = {model};
    graze_motion stand = graze_default_motion();
    const double paddings[3] = {0, 0.5, 0.125}, gaps[3] = {2.25, 1.75, 2.125}; /* from 1 + 0.5 to 4 − 0.25 */
    for (int k = 0; k < 3; k++) {
        graze_link_distance d = graze_default_link_distance();
        CHECK(graze_model_pad(context, model, 0, paddings[k]) == GRAZE_OK);
        CHECK(graze_articulated_distance(context, models, 1, &stand, NULL, &d) == GRAZE_OK);
        CHECK(d.lower <= gaps[k] && gaps[k] <= d.upper && d.upper - d.lower < 1e-12);
    }
    graze_articulated_result r = graze_default_articulated_result();
    CHECK(graze_articulated_certificate(context, models, 1, &stand, 1, NULL, write_nothing, NULL, &r) ==
              GRAZE_ERR_UNSUPPORTED &&
          r.verdict == GRAZE_UNRESOLVED);
    graze_model_destroy(context, model);
    const double bad[3] = {-1, NAN, INFINITY};
    for (int k = 0; k < 3; k++) {
        graze_error error;
        one.meshes[1].radius = bad[k];
        CHECK(graze_model_create(context, links, 1, &model) == GRAZE_ERR_INVALID_ARGUMENT);
        CHECK(graze_context_last_error(context, &error) == GRAZE_OK && strstr(error.message, "radius"));
    }
    graze_context_destroy(context);
}

TEST(bad_shapes_are_refused_and_left_without_triangles) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    graze_shape s = graze_default_shape();
    double points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, heights[4] = {1, 1, 1, 1};
    graze_height_map map = graze_default_height_map();
    map.rows = map.columns = 2, map.heights = heights;
    CHECK(graze_shape_height_map(context, &map, 0, &s) == GRAZE_OK);
    graze_shape_release(context, &s);
    CHECK(graze_shape_sphere(context, -1, &s) != GRAZE_OK && graze_shape_sphere(context, NAN, &s) != GRAZE_OK);
    CHECK(graze_shape_sphere(context, INFINITY, &s) != GRAZE_OK && graze_shape_sphere(NULL, 1, &s) != GRAZE_OK);
    CHECK(graze_shape_capsule(context, -1, 1, &s) != GRAZE_OK && graze_shape_capsule(context, NAN, 1, &s) != GRAZE_OK);
    CHECK(graze_shape_box(context, (const double[3]){1, -1, 1}, 0, &s) != GRAZE_OK);
    CHECK(graze_shape_box(context, NULL, 0, &s) != GRAZE_OK);
    CHECK(graze_shape_cylinder(context, NAN, 1, 0, &s) != GRAZE_OK &&
          graze_shape_cylinder(context, 1, -1, 0, &s) != GRAZE_OK);
    CHECK(graze_shape_cylinder(context, 0x1p-1060, 1, 0, &s) != GRAZE_OK);
    CHECK(graze_shape_points(context, NULL, 3, 0, &s) != GRAZE_OK);
    CHECK(graze_shape_points(context, (const double(*)[3])points, 0, 0, &s) != GRAZE_OK);
    CHECK(graze_shape_hull(context, (const double(*)[3])points, 4, 0, &s) == GRAZE_ERR_INVALID_ARGUMENT); /* flat */
    CHECK(graze_shape_hull(context, (const double(*)[3])points, 1, 0, &s) == GRAZE_ERR_INVALID_ARGUMENT);
    points[2][1] = NAN;
    CHECK(graze_shape_hull(context, (const double(*)[3])points, 4, 0, &s) == GRAZE_ERR_NOT_FINITE);
    graze_error error;
    CHECK(graze_context_last_error(context, &error) == GRAZE_OK && error.index == 2);
    CHECK(graze_shape_height_map(context, NULL, 0, &s) != GRAZE_OK);
    heights[3] = -1; /* below the floor */
    CHECK(graze_shape_height_map(context, &map, 0, &s) != GRAZE_OK);
    heights[3] = 1, map.cell[1] = 0;
    CHECK(graze_shape_height_map(context, &map, 0, &s) != GRAZE_OK);
    map.cell[1] = 1, map.rows = 1;
    CHECK(graze_shape_height_map(context, &map, 0, &s) != GRAZE_OK);
    CHECK(s.mesh.face_count == 0 && !s.mesh.vertices);
    s.struct_size = 3;
    CHECK(graze_shape_sphere(context, 1, &s) == GRAZE_ERR_INVALID_ARGUMENT);
    graze_context_destroy(context);
}

TEST(shapes_survive_failure_of_every_allocation) {
    double x[POINTS][3];
    size_t count = draw_points(1, x);
    graze_status status = GRAZE_ERR_OUT_OF_MEMORY;
    for (long allowed = 1; allowed < 2000 && status != GRAZE_OK; allowed++) {
        failing memory = {allowed, 0};
        graze_context *context = failing_context(&memory, 1);
        if (!context) continue;
        graze_shape shape = graze_default_shape();
        status = graze_shape_hull(context, (const double(*)[3])x, count, 0, &shape);
        CHECK(status == GRAZE_OK || status == GRAZE_ERR_OUT_OF_MEMORY);
        CHECK((shape.mesh.face_count > 0) == (status == GRAZE_OK));
        graze_shape_release(context, &shape);
        graze_context_destroy(context);
        CHECK(memory.held == 0);
    }
    CHECK(status == GRAZE_OK);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
