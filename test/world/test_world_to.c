/* Steps of worlds that are taken: the motions that come back are proven by a step of their own, lead along those that
   were asked about, and end where nothing touches. GRAZE_WORLDS says how many worlds are drawn. */
#include "failing.h"
#include "mixed_worlds.h"

enum { DEFAULT_WORLDS = 200, SAMPLES = 8 };

#define PLACE_ERROR 1e-11 /* of positions that are computed here, and of motions that are rounded on the way */

static size_t worlds_asked(void) {
    const char *given = getenv("GRAZE_WORLDS");
    return given && atol(given) > 0 ? (size_t)atol(given) : DEFAULT_WORLDS;
}

static graze_world *make_world(graze_context *context, const mixed_world *world) {
    graze_world *made = NULL;
    CHECK(graze_world_create(context, world->given, world->count, NULL, &made) == GRAZE_OK);
    return made;
}

static graze_articulated_options options_of(const mixed_world *world) {
    graze_articulated_options options = graze_default_articulated_options();
    options.min_separation = world->separation;
    options.t_max = world->t_max;
    return options;
}

/* ---- where motions lead ---- */

/* Free joints also move by screws, straight rotation vectors and turns that are given. */
typedef enum free_path { FREE_SHORTER, FREE_SCREW, FREE_ROTVEC, FREE_TURN, FREE_PATHS } free_path;

typedef struct drawn {
    mixed_world world;
    free_path paths[MIXED_BODIES];
    uint8_t one;
    double turns[MIXED_BODIES][3];
} drawn;

static void draw(test_random *random, graze_context *context, drawn *made) {
    mixed_make(random, context, MIXED_KINDS, &made->world);
    made->one = 1;
    for (size_t i = 0; i < made->world.count; i++) {
        mixed_body *body = &made->world.bodies[i];
        made->paths[i] = body->kind == MIXED_FREE ? (free_path)test_random_below(random, FREE_PATHS) : FREE_SHORTER;
        for (int c = 0; c < 3; c++) made->turns[i][c] = mixed_random(random, 1.5);
        if (made->paths[i] == FREE_SCREW) body->joints.screws = &made->one;
        if (made->paths[i] == FREE_ROTVEC) body->joints.rotvecs = &made->one;
        if (made->paths[i] == FREE_TURN) body->joints.turns = (const double(*)[3])made->turns[i];
    }
}

/* The joint as a rigid body between the same poses. */
static mixed_body as_rigid(const mixed_body *body, mixed_kind kind) {
    mixed_body rigid = *body;
    rigid.kind = kind;
    rigid.motion = graze_default_body_motion();
    rigid.motion.path = kind == MIXED_SCREW ? GRAZE_PATH_SCREW : GRAZE_PATH_ROTVEC;
    for (int e = 0; e < 2; e++) {
        const double *values = e ? body->to : body->from, *v = values + 3;
        graze_frame *pose = e ? &rigid.motion.pose1 : &rigid.motion.pose0;
        double angle = sqrt(mixed_dot(v, v));
        memcpy(pose->position, values, sizeof pose->position);
        memcpy(e ? rigid.motion.rotvec1 : rigid.motion.rotvec0, v, sizeof rigid.motion.rotvec0);
        pose->rotation[0] = cos(angle / 2);
        for (int c = 0; c < 3; c++) pose->rotation[1 + c] = angle > 0 ? sin(angle / 2) * v[c] / angle : 0;
    }
    return rigid;
}

/* R(t) = exp(t·turn)·R(from) */
static void turned_at(const mixed_body *body, const double turn[3], const double x[3], double t, double out[3]) {
    double axis[3] = {0, 0, 1}, from[3] = {0, 0, 1}, start[3], angle = sqrt(mixed_dot(turn, turn));
    const double *r = body->from + 3;
    double first = sqrt(mixed_dot(r, r));
    for (int c = 0; c < 3; c++) {
        if (angle > 0) axis[c] = turn[c] / angle;
        if (first > 0) from[c] = r[c] / first;
    }
    mixed_turn(from, first, x, start);
    mixed_turn(axis, t * angle, start, out);
    for (int c = 0; c < 3; c++) out[c] += (1 - t) * body->from[c] + t * body->to[c];
}

static void place_at(const drawn *made, size_t i, uint32_t v, double t, double out[3]) {
    const mixed_body *body = &made->world.bodies[i];
    if (made->paths[i] == FREE_TURN) {
        turned_at(body, made->turns[i], body->rest[v], t, out);
    } else if (made->paths[i] == FREE_SHORTER) {
        mixed_at(body, v, t, out);
    } else {
        mixed_body rigid = as_rigid(body, made->paths[i] == FREE_SCREW ? MIXED_SCREW : MIXED_ROTVEC);
        mixed_at(&rigid, v, t, out);
    }
}

/* ---- motions that came back ---- */

/* The worlds' bodies with them. A turn that was given has become the shorter way. */
static drawn take(const drawn *before, const graze_world_moved *moved) {
    drawn after = *before;
    CHECK(moved->count == before->world.count);
    for (size_t i = 0; i < moved->count; i++) {
        mixed_body *body = &after.world.bodies[i];
        const graze_body_motion *motion = &moved->motions[i];
        CHECK(motion->body == i && motion->struct_size == sizeof *motion);
        body->motion = *motion;
        after.world.motions[i] = *motion;
        if (after.paths[i] == FREE_TURN) after.paths[i] = FREE_SHORTER;
        if (body->kind == MIXED_AFFINE) mixed_affine(body);
        if (body->kind == MIXED_STRAIGHT || body->kind == MIXED_CUBIC)
            for (uint32_t v = 0; v < body->mesh.vertex_count; v++)
                for (int k = 0; k < 4; k++) {
                    const double(*x)[3] = body->kind == MIXED_CUBIC ? motion->control[k] : k ? motion->x1 : motion->x0;
                    memcpy(body->x[k][v], x[v], sizeof body->x[k][v]);
                }
        if (body->kind != MIXED_FREE && body->kind != MIXED_REVOLUTE) continue;
        size_t values = body->kind == MIXED_FREE ? 6 : 1;
        memcpy(body->to, motion->joints->to, values * sizeof *body->to);
        CHECK(memcmp(body->from, motion->joints->from, values * sizeof *body->from) == 0);
    }
    return after;
}

/* At every part of the way it is where the motion asked about was. */
static void check_way(const drawn *before, const drawn *after, double alpha, size_t index) {
    for (size_t i = 0; i < before->world.count; i++)
        for (uint32_t v = 0; v < before->world.bodies[i].mesh.vertex_count; v++)
            for (int k = 0; k <= SAMPLES; k++) {
                double s = (double)k / SAMPLES, x[3], y[3], d[3];
                place_at(before, i, v, alpha * s, x);
                place_at(after, i, v, s, y);
                mixed_sub(x, y, d);
                CHECK_MSG(sqrt(mixed_dot(d, d)) < PLACE_ERROR, "world %zu, body %zu (%d, %d): off by %g at %g of %g\n",
                          index, i, before->world.bodies[i].kind, before->paths[i], sqrt(mixed_dot(d, d)), s, alpha);
            }
}

static bool same_numbers(const drawn *a, const drawn *b) {
    for (size_t i = 0; i < a->world.count; i++) {
        const mixed_body *x = &a->world.bodies[i], *y = &b->world.bodies[i];
        if (memcmp(x->x, y->x, sizeof x->x) != 0 || memcmp(x->to, y->to, sizeof x->to) != 0 ||
            memcmp(&x->motion.pose1, &y->motion.pose1, sizeof x->motion.pose1) != 0 ||
            memcmp(x->motion.rotvec1, y->motion.rotvec1, sizeof x->motion.rotvec1) != 0 ||
            memcmp(x->motion.matrix1, y->motion.matrix1, sizeof x->motion.matrix1) != 0)
            return false;
    }
    return true;
}

/* ---- one world ---- */

typedef struct tally {
    size_t whole, part, none, stuck;
    double kept; /* sum of alpha / toi */
} tally;

static void check_proof(graze_context *context, const graze_world *made, const graze_articulated_options *asked,
                        const graze_world_moved *moved, size_t index) {
    graze_articulated_options options = *asked;
    graze_articulated_result result = graze_default_articulated_result();
    options.t_max = 1;
    CHECK(graze_world_step(context, made, moved->motions, moved->count, &options, &result) == GRAZE_OK);
    CHECK_MSG(result.verdict == GRAZE_CLEAR, "world %zu, alpha %g: toi %g\n", index, moved->alpha, result.toi);
}

static void check_step_to(test_random *random, graze_context *const contexts[3], size_t index, tally *seen) {
    drawn before;
    draw(random, contexts[0], &before);
    graze_world *made = make_world(contexts[0], &before.world);
    graze_articulated_options options = options_of(&before.world);
    graze_articulated_result result = graze_default_articulated_result(), step = result;
    graze_world_moved moved = graze_default_world_moved();
    CHECK(graze_world_step_to(contexts[0], made, before.world.motions, before.world.count, &options, &moved, &result) ==
          GRAZE_OK);
    CHECK(graze_world_step(contexts[0], made, before.world.motions, before.world.count, &options, &step) == GRAZE_OK);
    CHECK(step.toi == result.toi && step.verdict == result.verdict && moved.alpha <= step.toi && moved.alpha >= 0);
    CHECK(!(step.verdict == GRAZE_CLEAR) || moved.alpha == before.world.t_max);
    if (moved.alpha > 0) check_proof(contexts[0], made, &options, &moved, index);
    drawn after = take(&before, &moved);
    check_way(&before, &after, moved.alpha, index);
    for (int k = 1; k < 3; k++) {
        graze_world_moved other = graze_default_world_moved();
        graze_world *again = make_world(contexts[k], &before.world);
        CHECK(graze_world_step_to(contexts[k], again, before.world.motions, before.world.count, &options, &other,
                                  NULL) == GRAZE_OK);
        drawn there = take(&before, &other);
        CHECK(other.alpha == moved.alpha && same_numbers(&after, &there));
        graze_world_moved_release(contexts[k], &other);
        graze_world_release(again);
    }
    seen->whole += moved.alpha == before.world.t_max;
    seen->none += moved.alpha == 0 && step.toi == 0;
    seen->stuck += moved.alpha == 0 && step.toi > 0;
    if (moved.alpha > 0 && step.verdict != GRAZE_CLEAR) seen->part++, seen->kept += moved.alpha / step.toi;
    graze_world_moved_release(contexts[0], &moved);
    CHECK(moved.motions == NULL && moved.count == 0);
    graze_world_release(made);
    mixed_release(&before.world);
}

TEST(a_state_to_step_to_is_proven_lies_on_the_way_and_has_the_same_bits_everywhere) {
    graze_context *contexts[3] = {test_context(2, GRAZE_ISA_AUTO), test_context(1, GRAZE_ISA_SCALAR),
                                  test_context(3, GRAZE_ISA_AUTO)};
    test_random random = {83};
    tally seen = {0};
    for (size_t i = 0; i < worlds_asked(); i++) check_step_to(&random, contexts, i, &seen);
    for (int k = 0; k < 3; k++) graze_context_destroy(contexts[k]);
    printf("      worlds: %zu whole, %zu a part (%.6f of toi), %zu in contact at the start, %zu stuck\n", seen.whole,
           seen.part, seen.part ? seen.kept / (double)seen.part : 0, seen.none, seen.stuck);
    CHECK(seen.whole * 8 > worlds_asked() && seen.part * 8 > worlds_asked() && seen.stuck * 50 < worlds_asked());
    CHECK(seen.kept > 0.99 * (double)seen.part);
}

/* ---- frames ---- */

/* A square plate of two triangles. */
static const double plate[4][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
static const double floor_corners[4][3] = {{-4, -4, 0}, {4, -4, 0}, {4, 4, 0}, {-4, 4, 0}};
static const uint32_t plate_faces[2][3] = {{0, 1, 2}, {0, 2, 3}};

/* Frame after frame from where the one before ended, a body falls onto a plate as it turns: it never gets through. */
TEST(bodies_that_step_frame_by_frame_come_to_rest_and_never_pass) {
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    graze_mesh mesh = graze_default_mesh();
    graze_body bodies[2] = {graze_default_body(), graze_default_body()};
    graze_world *world = NULL;
    CHECK(graze_mesh_from_faces(context, 4, plate_faces, 2, &mesh) == GRAZE_OK);
    for (int i = 0; i < 2; i++) bodies[i].mesh = &mesh, bodies[i].rest = i ? plate : floor_corners;
    bodies[0].kind = GRAZE_BODY_STATIC;
    bodies[1].kind = GRAZE_BODY_RIGID;
    CHECK(graze_world_create(context, bodies, 2, NULL, &world) == GRAZE_OK);
    graze_frame pose = {{0.1, 0.2, 3}, {0.9, 0.2, 0.1, 0.05}};
    size_t moving = 0;
    for (int frame = 0; frame < 40; frame++) {
        graze_body_motion motion = graze_default_body_motion();
        graze_world_moved moved = graze_default_world_moved();
        graze_articulated_options options = graze_default_articulated_options();
        options.min_separation = 1e-3;
        motion.body = 1;
        motion.pose0 = motion.pose1 = pose;
        motion.pose1.position[2] -= 0.25;
        motion.pose1.rotation[1] += 0.03;
        CHECK(graze_world_step_to(context, world, &motion, 1, &options, &moved, NULL) == GRAZE_OK);
        pose = moved.motions[0].pose1;
        moving += moved.alpha > 0;
        graze_world_moved_release(context, &moved);
        for (int v = 0; v < 4; v++) {
            double at[3];
            mixed_turn_by(pose.rotation, plate[v], at);
            CHECK_MSG(at[2] + pose.position[2] >= 1e-3 - PLACE_ERROR, "frame %d: corner %d at %g\n", frame, v,
                      at[2] + pose.position[2]);
        }
    }
    CHECK(moving > 4 && moving < 40 && pose.position[2] < 1.5);
    graze_world_release(world);
    graze_mesh_release(context, &mesh);
    graze_context_destroy(context);
}

/* ---- curves of joints ---- */

/* An arm along x that turns about z, towards a wall, by Bézier values of some degree. */
static double curve_to_wall(graze_context *context, uint32_t degree, const double *values) {
    static const double arm[3][3] = {{0, 0, 0}, {2, 0, 0}, {2, 0, 0.1}};
    static const double wall[3][3] = {{0, 1, -1}, {4, 1, -1}, {0, 1, 3}};
    static const uint32_t face[1][3] = {{0, 1, 2}};
    graze_link_mesh meshes[2] = {graze_default_link_mesh(), graze_default_link_mesh()};
    graze_link link = graze_default_link();
    graze_model *model = NULL;
    graze_body bodies[2] = {graze_default_body(), graze_default_body()};
    graze_world *world = NULL;
    for (int i = 0; i < 2; i++) {
        meshes[i].vertices = i ? wall : arm;
        meshes[i].vertex_count = 3;
        meshes[i].faces = face;
        meshes[i].face_count = 1;
    }
    link.joint = GRAZE_JOINT_REVOLUTE;
    link.meshes = meshes;
    link.mesh_count = 1;
    CHECK(graze_model_create(context, &link, 1, &model) == GRAZE_OK);
    bodies[0].model = model;
    bodies[1].kind = GRAZE_BODY_STATIC;
    bodies[1].meshes = meshes + 1;
    bodies[1].mesh_count = 1;
    CHECK(graze_world_create(context, bodies, 2, NULL, &world) == GRAZE_OK);
    graze_motion joints = graze_default_motion();
    graze_body_motion motion = graze_default_body_motion();
    motion.joints = &joints;
    if (degree == 3)
        joints.cubic = (const double(*)[4])(const void *)values;
    else
        joints.bezier = values, joints.degree = degree;
    graze_world_moved moved = graze_default_world_moved();
    CHECK(graze_world_step_to(context, world, &motion, 1, NULL, &moved, NULL) == GRAZE_OK);
    CHECK(moved.alpha > 0 && moved.alpha < 1);
    const graze_motion *ended = moved.motions[0].joints;
    CHECK(ended->to[0] == (degree == 3 ? ended->cubic[0][3] : ended->bezier[degree]));
    double angle = ended->to[0];
    graze_world_moved_release(context, &moved);
    graze_world_release(world);
    graze_model_destroy(context, model);
    return angle;
}

TEST(joints_on_bezier_curves_stop_where_straight_ones_do) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    const double cubic[4] = {-0.3, 0.1, 1.4, 1.2}, quintic[6] = {-0.3, -0.2, 0.3, 0.2, 0.9, 1.3};
    double wall = asin(0.5);
    double a = curve_to_wall(context, 3, cubic), b = curve_to_wall(context, 5, quintic);
    CHECK_MSG(a < wall && a > wall - 1e-5 && b < wall && b > wall - 1e-5, "%.12g %.12g of %.12g\n", a, b, wall);
    graze_context_destroy(context);
}

/* ---- what is refused ---- */

TEST(turns_of_half_a_circle_and_bad_calls_are_refused) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {89};
    drawn made;
    do {
        draw(&random, context, &made);
        if (made.paths[1] == FREE_TURN) break;
        mixed_release(&made.world);
    } while (true);
    graze_world *world = make_world(context, &made.world);
    graze_world_moved moved = graze_default_world_moved();
    graze_articulated_result result = graze_default_articulated_result();
    graze_error error;
    made.turns[1][0] = 4;
    CHECK(graze_world_step_to(context, world, made.world.motions, made.world.count, NULL, &moved, &result) ==
          GRAZE_ERR_UNSUPPORTED);
    graze_context_last_error(context, &error);
    CHECK(strstr(error.message, "half a circle"));
    CHECK(moved.motions == NULL && moved.alpha == 0 && result.verdict == GRAZE_UNRESOLVED && result.toi == 0);
    made.turns[1][0] = NAN; /* the shorter way */
    CHECK(graze_world_step_to(context, world, made.world.motions, made.world.count, NULL, &moved, NULL) == GRAZE_OK);
    graze_world_moved_release(context, &moved);
    made.world.motions[0].body = 99;
    CHECK(graze_world_step_to(context, world, made.world.motions, made.world.count, NULL, &moved, NULL) ==
          GRAZE_ERR_BAD_INDEX);
    CHECK(graze_world_step_to(context, NULL, NULL, 0, NULL, &moved, NULL) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_world_step_to(context, world, NULL, 0, NULL, NULL, NULL) == GRAZE_ERR_INVALID_ARGUMENT);
    moved.struct_size = 0;
    CHECK(graze_world_step_to(context, world, NULL, 0, NULL, &moved, NULL) == GRAZE_ERR_INVALID_ARGUMENT);
    graze_world_moved_release(context, NULL);
    graze_world_release(world);
    mixed_release(&made.world);
    graze_context_destroy(context);
}

TEST(steps_that_are_taken_survive_failure_of_every_allocation) {
    for (long n = 0; n < 4000; n++) {
        failing f = {.left = LONG_MAX};
        graze_context *context = failing_context(&f, 1), *other = test_context(1, GRAZE_ISA_AUTO);
        CHECK(context);
        drawn made;
        test_random random = {97};
        do {
            draw(&random, other, &made);
            if (made.world.count == MIXED_BODIES) break;
            mixed_release(&made.world);
        } while (true);
        graze_world *world = make_world(context, &made.world);
        graze_world_moved moved = graze_default_world_moved();
        f.left = n;
        graze_status status =
            graze_world_step_to(context, world, made.world.motions, made.world.count, NULL, &moved, NULL);
        CHECK(status == GRAZE_OK || (status == GRAZE_ERR_OUT_OF_MEMORY && !moved.motions && moved.alpha == 0));
        f.left = LONG_MAX;
        graze_world_moved_release(context, &moved);
        graze_world_release(world);
        graze_context_destroy(context);
        CHECK(f.held == 0);
        mixed_release(&made.world);
        graze_context_destroy(other);
        if (status == GRAZE_OK) return;
    }
    CHECK(!"all of it succeeds with enough memory");
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
