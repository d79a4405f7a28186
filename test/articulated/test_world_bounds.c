/* The comparisons by which a world leaves things out, against exact rationals. Sizes are drawn independently. */
#include "articulated/inside.h"
#include "articulated/world/world.h"
#include "bodies.h"

#include <gmp.h>

enum { DRAWS = 200000, LINKS = 200 };

/* ±2^x, x uniform; one in eight is 0. */
static double draw(test_random *random, double low, double high) {
    if (test_random_below(random, 8) == 0) return 0;
    double x = exp2(test_random_between(random, low, high));
    return test_random_below(random, 2) ? x : -x;
}

/* ---- gz_still_may_meet ---- */

/* The nearest double at or beyond c − half − grow, counted from the middle of the node (side −1), or c + half + grow.
 */
static double end_of(double c, double half, double grow, int side) {
    mpq_t exact, part;
    mpq_inits(exact, part, NULL);
    mpq_set_d(exact, half);
    mpq_set_d(part, grow);
    mpq_add(exact, exact, part);
    if (side < 0) mpq_neg(exact, exact);
    mpq_set_d(part, c);
    mpq_add(exact, exact, part);
    double near = mpq_get_d(exact); /* toward 0 */
    mpq_set_d(part, near);
    int order = mpq_cmp(part, exact) * side; /* > 0: outside */
    if (order > 0) near = nextafter(near, side > 0 ? -INFINITY : INFINITY);
    mpq_clears(exact, part, NULL);
    return near;
}

TEST(a_node_that_meets_a_box_in_exact_numbers_is_never_left_out) {
    test_random random = {21};
    for (int i = 0; i < DRAWS; i++) {
        gz_face_node node = {.half = {1, 1, 1}};
        gz_link_box box = {.lo = {-1, -1, -1}, .hi = {1, 1, 1}};
        int axis = (int)test_random_below(&random, 3), side = test_random_below(&random, 2) ? 1 : -1;
        double grow = fabs(draw(&random, -60, 20));
        node.center[axis] = draw(&random, -30, 30);
        node.half[axis] = fabs(draw(&random, -40, 20));
        double end = end_of(node.center[axis], node.half[axis], grow, side);
        box.lo[axis] = side > 0 ? end : -INFINITY;
        box.hi[axis] = side > 0 ? INFINITY : end;
        CHECK_MSG(gz_still_may_meet(&node, &box, grow), "center %a half %a grow %a", node.center[axis], node.half[axis],
                  grow);
    }
}

typedef struct found_links {
    bool list[LINKS];
} found_links;

static bool note(void *user, uint32_t link) {
    ((found_links *)user)->list[link] = true;
    return true;
}

static graze_body random_body(test_random *random, const graze_link_mesh *mesh) {
    graze_body body = graze_default_body();
    body.kind = GRAZE_BODY_STATIC;
    body.meshes = mesh;
    body.mesh_count = 1;
    body.padding = fabs(draw(random, -60, 0));
    for (int c = 0; c < 3; c++) body.origin.position[c] = draw(random, -10, 10);
    for (int k = 0; k < 4; k++) body.origin.rotation[k] = test_random_between(random, -1, 1);
    return body;
}

/* Boxes that touch that of a link in a single plane, for a separation of any size. */
static void check_touching(const graze_world *world, gz_frames *frames, test_random *random) {
    const gz_still *still = world->still;
    double separation = fabs(draw(random, -70, 4));
    uint32_t link = (uint32_t)test_random_below(random, still->links.count);
    gz_link_box own = gz_cull_box(frames, link, separation);
    int axis = (int)test_random_below(random, 3);
    bool above = test_random_below(random, 2);
    gz_link_box box = {.lo = {-INFINITY, -INFINITY, -INFINITY}, .hi = {INFINITY, INFINITY, INFINITY}};
    *(above ? &box.lo[axis] : &box.hi[axis]) = above ? own.hi[axis] : own.lo[axis];
    found_links found = {{false}};
    CHECK(gz_still_tree_find(&still->tree, &box, separation, note, &found));
    CHECK_MSG(found.list[link], "link %u, separation %a, axis %d %s", link, separation, axis,
              above ? "above" : "below");
}

TEST(a_still_link_whose_box_touches_another_is_found_whatever_the_separation) {
    test_random random = {22};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    for (int round = 0; round < 10; round++) {
        test_box boxes[LINKS];
        graze_link_mesh meshes[LINKS];
        graze_body bodies[LINKS];
        for (int i = 0; i < LINKS; i++) {
            boxes[i] =
                test_box_of(exp2(test_random_between(&random, -20, 4)), exp2(test_random_between(&random, -20, 4)),
                            exp2(test_random_between(&random, -20, 4)));
            meshes[i] = test_mesh_of(&boxes[i]);
            bodies[i] = random_body(&random, &meshes[i]);
        }
        graze_world *world;
        CHECK(graze_world_create(context, bodies, LINKS, NULL, &world) == GRAZE_OK);
        gz_scene scene = {.context = context, .still = &world->still->links};
        scene.still_count = scene.count = world->still->links.count;
        gz_frames frames = {.scene = &scene};
        for (int i = 0; i < 2000; i++) check_touching(world, &frames, &random);
        graze_world_release(world);
    }
    graze_context_destroy(context);
}

/* ---- gz_is_beyond ---- */

/* |x − center| > half + error in exact numbers. */
static bool exactly_beyond(double x, double error, double center, double half) {
    mpq_t distance, part;
    mpq_inits(distance, part, NULL);
    mpq_set_d(distance, x);
    mpq_set_d(part, center);
    mpq_sub(distance, distance, part);
    mpq_abs(distance, distance);
    mpq_set_d(part, half);
    mpq_sub(distance, distance, part);
    mpq_set_d(part, error);
    bool beyond = mpq_cmp(distance, part) > 0;
    mpq_clears(distance, part, NULL);
    return beyond;
}

TEST(a_point_is_beyond_a_box_only_where_exact_numbers_say_so) {
    test_random random = {23};
    int told = 0;
    for (int i = 0; i < DRAWS; i++) {
        double center = draw(&random, -30, 30), half = fabs(draw(&random, -40, 30)),
               error = fabs(draw(&random, -70, 10));
        gz_face_node root = {.half = {1, 1, 1}};
        gz_vec3 x = {{0, 0, 0}};
        int axis = (int)test_random_below(&random, 3), steps = (int)test_random_below(&random, 24) - 8;
        root.center[axis] = center;
        root.half[axis] = half;
        double at = center + (test_random_below(&random, 2) ? half + error : -(half + error));
        for (int k = 0; k < abs(steps); k++) at = nextafter(at, (steps > 0) == (at > center) ? INFINITY : -INFINITY);
        x.c[axis] = at;
        bool beyond = gz_is_beyond(x, error, &root);
        told += beyond;
        CHECK_MSG(!beyond || exactly_beyond(at, error, center, half), "x %a error %a center %a half %a", at, error,
                  center, half);
    }
    CHECK(told > DRAWS / 20); /* it tells something, and close to the limit */
}

TEST(a_point_well_outside_is_beyond) {
    test_random random = {24};
    for (int i = 0; i < 1000; i++) {
        gz_face_node root = {.center = {1, 2, 3}, .half = {1, 1, 1}};
        gz_vec3 x = {{1, 2, 3}};
        double error = exp2(test_random_between(&random, -50, 0));
        x.c[test_random_below(&random, 3)] += (1 + error) * (test_random_below(&random, 2) ? 1.001 : -1.001);
        CHECK(gz_is_beyond(x, error, &root));
    }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
