/* The simulator from inside: shapes, the check of a state, conservation, filters, and every scene for a few frames. */
#include "check.h"

#include "sim/energy/vector.h"
#include "sim/frames.h"
#include "sim/reader/body.h"
#include "sim/reader/scene.h"
#include "sim/solver/active.h"
#include "sim/solver/stepper.h"

#include <unistd.h>

static graze_context *ccd, *contacts;

static void make_contexts(void) {
    if (!ccd) ccd = test_context(1, GRAZE_ISA_AUTO);
    if (!contacts) contacts = test_context(1, GRAZE_ISA_AUTO);
}

static void read_scene(sim_scene *scene, const char *text, double size) {
    make_contexts();
    sim_scene_read(scene, "test.json", text, size, contacts);
}

static size_t intersections(const sim_world *world) {
    return sim_world_intersections(world, contacts, world->x, NULL, 0);
}

/* ---- shapes ---- */

static double volume_of(const sim_shape *shape) {
    double sum = 0;
    for (size_t i = 0; i < shape->tetrahedra.count; i++) {
        const uint32_t *t = shape->tetrahedra.items[i].v;
        double e[3][3], n[3];
        for (int k = 0; k < 3; k++) sim_minus(shape->points.items[t[k + 1]].c, shape->points.items[t[0]].c, e[k]);
        sim_cross(e[0], e[1], n);
        double six = sim_dot(n, e[2]);
        CHECK_MSG(six > 0, "tetrahedron %zu has the volume %g", i, six / 6);
        sum += six / 6;
    }
    return sum;
}

/* Volume by the surface: it closes, and its faces are turned outwards. */
static double volume_inside(const sim_shape *shape) {
    double sum = 0;
    for (size_t i = 0; i < shape->faces.count; i++) {
        const uint32_t *f = shape->faces.items[i].v;
        double n[3];
        sim_cross(shape->points.items[f[1]].c, shape->points.items[f[2]].c, n);
        sum += sim_dot(shape->points.items[f[0]].c, n) / 6;
    }
    return sum;
}

static void check_solid(sim_shape *shape, double low, double high) {
    double volume = volume_of(shape);
    CHECK_MSG(volume > low && volume < high, "volume %g", volume);
    CHECK_MSG(fabs(volume_inside(shape) - volume) < 1e-12 * volume, "surface %g, tetrahedra %g", volume_inside(shape),
              volume);
    sim_shape_free(shape);
}

TEST(solid_shapes_have_positive_tetrahedra_and_the_surface_around_them) {
    sim_shape shape = {0};
    const double size[3] = {1, 2, 3}, unit[3] = {1, 1, 1};
    const uint32_t cells[3] = {2, 3, 1};
    sim_shape_box(&shape, size, cells);
    check_solid(&shape, 5.999999, 6.000001);
    for (uint32_t n = 1; n < 8; n++) {
        sim_shape_ball(&shape, unit, n, 0);
        check_solid(&shape, 0.1, acos(-1.0) / 6);
        sim_shape_ball(&shape, unit, n, 0.4);
        check_solid(&shape, 0.1, 2);
        sim_shape_torus(&shape, 1, 0.3, 3 + 2 * n, 3 + n);
        check_solid(&shape, 0.2, 2 * acos(-1.0) * acos(-1.0) * 0.09);
    }
}

TEST(hollow_shapes_keep_their_surface_and_nothing_else) {
    sim_shape shape = {0};
    const double unit[3] = {1, 1, 1};
    sim_shape_ball(&shape, unit, 4, 0);
    double before = volume_inside(&shape);
    size_t faces = shape.faces.count;
    sim_shape_hollow(&shape);
    CHECK(shape.faces.count == faces && volume_inside(&shape) == before);
    CHECK(shape.tetrahedra.count == 0 && shape.points.count == faces / 2 + 2);
    sim_shape_free(&shape);
}

/* ---- the check of a state ---- */

TEST(a_free_edge_through_a_face_is_an_intersection) {
    static const char text[] = "{\"bodies\":[{\"shape\":{\"kind\":\"sheet\",\"cells\":[1,1]}},"
                               "{\"shape\":{\"kind\":\"line\",\"from\":[0.1,1,0.2],\"to\":[0.1,2,0.2]}}]}";
    sim_scene scene;
    read_scene(&scene, text, 0);
    CHECK(intersections(&scene.world) == 0);
    /* the line's lower end moves below the sheet */
    for (size_t i = 0; i < scene.world.count; i++)
        if (scene.world.x[i][1] == 1) scene.world.x[i][1] = -1;
    CHECK(intersections(&scene.world) == 1);
    sim_scene_free(&scene, contacts);
}

/* ---- conservation ---- */

static double momentum(const sim_world *world, int axis) {
    double sum = 0;
    for (size_t i = 0; i < world->count; i++) sum += world->mass[i] * world->v[i][axis];
    return sum;
}

static const char free_ball[] =
    "{\"gravity\":[0,0,0],\"tolerance\":1e-6,\"bodies\":[{\"shape\":{\"kind\":\"ball\",\"cells\":2},\"young\":1e5}]}";

TEST(without_forces_energy_does_not_grow) {
    sim_scene scene;
    sim_stepper stepper;
    sim_report report = {0};
    read_scene(&scene, free_ball, 0);
    sim_world *world = &scene.world;
    for (size_t i = 0; i < world->count; i++) world->x[i][0] *= 1.3; /* stretched, then let go */
    sim_stepper_begin(&stepper, world, ccd, contacts);
    double before = sim_world_elastic(world) + sim_world_kinetic(world), start = before;
    for (int i = 0; i < 30; i++) {
        sim_stepper_step(&stepper, &report);
        double now = sim_world_elastic(world) + sim_world_kinetic(world);
        CHECK_MSG(now <= before * (1 + 1e-9), "step %d: %g after %g", i, now, before);
        before = now;
    }
    CHECK(before > 0 && before < 0.9 * start);
    CHECK(report.unconverged == 0);
    sim_stepper_end(&stepper);
    sim_scene_free(&scene, contacts);
}

/* A collision without friction or gravity: what one ball loses the other gains. Newton's method stops at a speed of
   1e-6, which is the bound times the mass. */
TEST(momentum_is_kept_through_a_collision) {
    static const char text[] = "{\"gravity\":[0,0,0],\"tolerance\":1e-6,\"bodies\":["
                               "{\"shape\":{\"kind\":\"ball\",\"cells\":2},\"velocity\":[3,0.1,0],\"young\":1e5},"
                               "{\"shape\":{\"kind\":\"ball\",\"cells\":3},\"position\":[1.1,0.2,0.1],\"young\":1e5}]}";
    sim_scene scene;
    sim_stepper stepper;
    sim_report report = {0};
    read_scene(&scene, text, 0);
    sim_world *world = &scene.world;
    double start[3], mass = 0;
    uint64_t touched = 0;
    for (size_t i = 0; i < world->count; i++) mass += world->mass[i];
    for (int c = 0; c < 3; c++) start[c] = momentum(world, c);
    sim_stepper_begin(&stepper, world, ccd, contacts);
    for (int i = 0; i < 25; i++) {
        sim_stepper_step(&stepper, &report);
        touched += report.contacts > 0;
        CHECK(intersections(world) == 0);
    }
    CHECK(touched > 0);
    for (int c = 0; c < 3; c++)
        CHECK_MSG(fabs(momentum(world, c) - start[c]) < 25 * 1e-6 * mass, "axis %d: %g, then %g", c, start[c],
                  momentum(world, c));
    sim_stepper_end(&stepper);
    sim_scene_free(&scene, contacts);
}

/* ---- runs ---- */

/* `steps` of a scene; intersections over all of them. */
static size_t play(const char *text, double size, int steps, sim_filter_kind kind, graze_method method,
                   sim_report *report) {
    sim_scene scene;
    sim_stepper stepper;
    size_t found = 0;
    read_scene(&scene, text, size);
    sim_stepper_begin(&stepper, &scene.world, ccd, contacts);
    stepper.filter.kind = kind;
    stepper.filter.narrow.method = method;
    *report = (sim_report){.closest = INFINITY};
    for (int i = 0; i < steps; i++) {
        if (scene.active_set)
            sim_active_step(&stepper, scene.offset, report);
        else
            sim_stepper_step(&stepper, report);
        found += intersections(&scene.world);
    }
    CHECK(stepper.filter.zero == 0 || kind == SIM_FILTER_VERTEX);
    sim_stepper_end(&stepper);
    sim_scene_free(&scene, contacts);
    return found;
}

/* Fast and thin, so that the first step would go right through. */
static const char bullet[] =
    "{\"gravity\":[0,0,0],\"friction\":0.2,\"time_step\":0.02,\"bodies\":["
    "{\"shape\":{\"kind\":\"box\",\"size\":[0.2,0.2,0.2]},\"position\":[0.03,0.5,0.02],\"velocity\":[0,-60,0],"
    "\"young\":1e6},"
    "{\"shape\":{\"kind\":\"sheet\",\"size\":[2,2],\"cells\":[3,3]},\"young\":1e6,\"density\":300,"
    "\"handles\":[{\"max\":[-0.9,1,1]},{\"min\":[0.9,-1,-1]}]}]}";

TEST(nothing_goes_through_whatever_the_filter_and_the_method) {
    static const graze_method methods[] = {GRAZE_METHOD_CERTIFIED, GRAZE_METHOD_EXACT};
    for (int kind = SIM_FILTER_GLOBAL; kind <= SIM_FILTER_VERTEX; kind++)
        for (int m = 0; m < 2; m++) {
            sim_report report;
            CHECK_MSG(play(bullet, 0, 6, (sim_filter_kind)kind, methods[m], &report) == 0, "filter %d", kind);
            CHECK_MSG(report.closest > 0 && isfinite(report.closest), "filter %d: nothing came close", kind);
        }
}

/* An obstacle pushes a cube that is in its way, and reaches its place. */
TEST(moved_obstacles_push_and_arrive) {
    static const char text[] = "{\"gravity\":[0,0,0],\"time_step\":0.05,\"bodies\":["
                               "{\"shape\":{\"kind\":\"box\",\"size\":[0.5,0.5,0.5]},\"position\":[0,0,0]},"
                               "{\"shape\":{\"kind\":\"sheet\"},\"obstacle\":true,\"position\":[0,-0.3,0],\"motion\":{"
                               "\"velocity\":[0,2,0]}}]}";
    sim_scene scene;
    sim_stepper stepper;
    sim_report report = {0};
    read_scene(&scene, text, 0);
    sim_stepper_begin(&stepper, &scene.world, ccd, contacts);
    for (int i = 0; i < 8; i++) sim_stepper_step(&stepper, &report);
    CHECK(report.late == 0 && intersections(&scene.world) == 0);
    double lowest = INFINITY, sheet = 0;
    for (size_t i = 0; i < scene.world.count; i++) {
        if (scene.world.role[i] == SIM_MOVED)
            sheet = scene.world.x[i][1];
        else
            lowest = fmin(lowest, scene.world.x[i][1]);
    }
    CHECK_MSG(fabs(sheet - 0.5) < 1e-15, "the obstacle is at %g, not at 0.5", sheet);
    CHECK_MSG(lowest > sheet && lowest < sheet + 0.3, "the cube is at %g", lowest);
    sim_stepper_end(&stepper);
    sim_scene_free(&scene, contacts);
}

/* The largest change of a distance between vertices of an obstacle, from how far they were apart at rest. */
static double bent(const sim_world *world) {
    double most = 0;
    for (size_t i = 0; i < world->count; i++)
        for (size_t j = 0; j < i; j++) {
            double now[3], rest[3];
            if (world->role[i] != SIM_MOVED || world->body[i] != world->body[j]) continue;
            sim_minus(world->x[i], world->x[j], now);
            sim_minus(world->rest[i], world->rest[j], rest);
            most = fmax(most, fabs(sqrt(sim_dot(now, now)) - sqrt(sim_dot(rest, rest))));
        }
    return most;
}

/* The farthest that an obstacle is from where its motion takes it by now. */
static double astray(const sim_world *world) {
    double most = 0, to[3], d[3];
    for (uint32_t i = 0; i < world->count; i++) {
        if (world->role[i] != SIM_MOVED) continue;
        sim_world_target(world, i, world->time, to);
        sim_minus(world->x[i], to, d);
        most = fmax(most, sqrt(sim_dot(d, d)));
    }
    return most;
}

TEST(obstacles_keep_their_shape_and_come_to_their_very_places) {
    static const char *const names[] = {"cloth-ball", "rollers"};
    for (int k = 0; k < 2; k++) {
        sim_scene scene;
        sim_stepper stepper;
        sim_report report = {0};
        read_scene(&scene, sim_builtin_find(names[k])->text, 0);
        sim_stepper_begin(&stepper, &scene.world, ccd, contacts);
        CHECK(stepper.obstacles.list.count == (k ? 2 : 1));
        for (int i = 0; i < 6; i++) {
            sim_stepper_step(&stepper, &report);
            CHECK_MSG(bent(&scene.world) < 1e-14, "%s: bent by %g", names[k], bent(&scene.world));
            CHECK_MSG(astray(&scene.world) < 1e-14, "%s: astray by %g", names[k], astray(&scene.world));
        }
        CHECK(report.late == 0 && report.unconverged == 0);
        sim_stepper_end(&stepper);
        sim_scene_free(&scene, contacts);
    }
}

/* A wall comes down on a cube that lies on another one that stands: it is stopped, and is no less a wall. What begins
   anew where it is goes on in the same way. */
TEST(what_cannot_yield_stops_an_obstacle_and_nothing_else_does) {
    static const char text[] = "{\"gravity\":[0,0,0],\"time_step\":0.05,\"bodies\":["
                               "{\"shape\":{\"kind\":\"box\",\"size\":[0.5,0.5,0.5]},\"position\":[0,0,0]},"
                               "{\"shape\":{\"kind\":\"sheet\"},\"obstacle\":true,\"position\":[0,-0.3,0]},"
                               "{\"shape\":{\"kind\":\"sheet\"},\"obstacle\":true,\"position\":[0,0.3,0],\"motion\":{"
                               "\"velocity\":[0,-2,0],\"spin\":[0,20,0]}}]}";
    sim_scene scene;
    sim_stepper steppers[2];
    sim_report report = {0}, other = {0};
    read_scene(&scene, text, 0);
    sim_world *world = &scene.world;
    sim_stepper_begin(&steppers[0], world, ccd, contacts);
    for (int i = 0; i < 2; i++) sim_stepper_step(&steppers[0], &report);
    CHECK_MSG(report.late == 0, "the cube yields, and %g is left", astray(world));
    for (int i = 2; i < 7; i++) sim_stepper_step(&steppers[0], &report);
    CHECK(report.late > 0 && astray(world) > 0.1 && bent(world) < 1e-14 && intersections(world) == 0);
    double(*before)[3] = malloc(2 * world->count * sizeof *before), time = world->time;
    CHECK(before != NULL);
    memcpy(before, world->x, world->count * sizeof *before);
    memcpy(before + world->count, world->v, world->count * sizeof *before);
    sim_stepper_step(&steppers[0], &report);
    double(*after)[3] = malloc(world->count * sizeof *after);
    CHECK(after != NULL);
    memcpy(after, world->x, world->count * sizeof *after);
    memcpy(world->x, before, world->count * sizeof *before);
    memcpy(world->v, before + world->count, world->count * sizeof *before);
    world->time = time;
    sim_stepper_begin(&steppers[1], world, ccd, contacts);
    sim_stepper_step(&steppers[1], &other);
    CHECK(memcmp(world->x, after, world->count * sizeof *after) == 0 && other.late == 1);
    free(before);
    free(after);
    for (int k = 0; k < 2; k++) sim_stepper_end(&steppers[k]);
    sim_scene_free(&scene, contacts);
}

/* Two bars side by side: their ends are turned about the line between them, the right ones against the left ones. */
TEST(handles_of_a_scene_hold_parts_of_everything) {
    static const char text[] =
        "{\"gravity\":[0,0,0],\"time_step\":0.05,\"bodies\":["
        "{\"shape\":{\"kind\":\"box\",\"size\":[4,0.2,0.2],\"cells\":[8,1,1]},\"copies\":{\"count\":2,\"offset\":[0,0,"
        "1]}}],"
        "\"handles\":[{\"min\":[-1,-1,-1],\"max\":[0.01,2,2],\"motion\":{\"spin\":[-90,0,0],\"centred\":true}},"
        "{\"min\":[0.99,-1,-1],\"max\":[2,2,2],\"motion\":{\"spin\":[90,0,0],\"centred\":true}}]}";
    sim_scene scene;
    sim_stepper stepper;
    sim_report report = {0};
    read_scene(&scene, text, 0);
    sim_world *world = &scene.world;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < 3 * world->count; i++) {
        low[i % 3] = fmin(low[i % 3], world->x[i / 3][i % 3]);
        high[i % 3] = fmax(high[i % 3], world->x[i / 3][i % 3]);
    }
    sim_stepper_begin(&stepper, world, ccd, contacts);
    for (int i = 0; i < 4; i++) sim_stepper_step(&stepper, &report);
    size_t held = 0;
    for (size_t i = 0; i < world->count; i++) {
        bool left = world->rest[i][0]<low[0] + 0.01, right = world->rest[i][0]> high[0] - 0.01;
        CHECK((world->role[i] == SIM_MOVED) == (left || right));
        if (!left && !right) continue;
        double angle = acos(-1.0) / 10 * (left ? -1 : 1), y = world->rest[i][1] - 0.5 * (low[1] + high[1]),
               z = world->rest[i][2] - 0.5 * (low[2] + high[2]);
        CHECK_MSG(fabs(world->x[i][1] - 0.5 * (low[1] + high[1]) - (cos(angle) * y - sin(angle) * z)) < 1e-3,
                  "vertex %zu is at %g", i, world->x[i][1]);
        held++;
    }
    CHECK(held == 16 && report.late == 0 && intersections(world) == 0);
    sim_stepper_end(&stepper);
    sim_scene_free(&scene, contacts);
}

TEST(friction_holds_a_cube_on_a_slope_that_it_slides_down_without) {
    static const char slope[] = "{\"friction\":%g,\"gravity\":[3,-9,0],\"time_step\":0.02,\"bodies\":["
                                "{\"shape\":{\"kind\":\"box\"},\"position\":[0,0.505,0],\"young\":1e6},"
                                "{\"shape\":{\"kind\":\"sheet\",\"size\":[20,20],\"cells\":[2,2]},\"obstacle\":true}]}";
    double reached[2];
    for (int k = 0; k < 2; k++) {
        char text[600];
        snprintf(text, sizeof text, slope, k ? 0.6 : 0.0);
        sim_scene scene;
        sim_stepper stepper;
        sim_report report = {0};
        read_scene(&scene, text, 0);
        sim_stepper_begin(&stepper, &scene.world, ccd, contacts);
        for (int i = 0; i < 25; i++) sim_stepper_step(&stepper, &report);
        reached[k] = -INFINITY;
        for (size_t i = 0; i < scene.world.count; i++)
            if (scene.world.role[i] == SIM_FREE) reached[k] = fmax(reached[k], scene.world.x[i][0]);
        sim_stepper_end(&stepper);
        sim_scene_free(&scene, contacts);
    }
    /* half a second at 3 m/s² */
    CHECK_MSG(fabs(reached[0] - 0.5 - 0.375) < 0.05, "%g", reached[0]);
    CHECK_MSG(reached[1] - 0.5 < 0.05, "%g", reached[1]);
}

/* ---- friction as Coulomb says, at the default tolerance ---- */

/* A block of a meter on a plane; the slope is in the direction of gravity, `gap` is how far above the plane it begins.
 */
typedef struct slide {
    double friction, slope, speed, time_step, young, gap;
    int steps, cells;
} slide;

static void read_block(sim_scene *scene, const slide *s) {
    static const char format[] =
        "{\"friction\":%.17g,\"gravity\":[%.17g,%.17g,0],\"time_step\":%.17g,\"bodies\":["
        "{\"shape\":{\"kind\":\"box\",\"cells\":[%d,%d,%d]},\"position\":[0,%.17g,0],\"velocity\":[%.17g,0,0],"
        "\"young\":%.17g},"
        "{\"shape\":{\"kind\":\"sheet\",\"size\":[90,90],\"cells\":[2,2]},\"position\":[30.3,0,10.7],"
        "\"obstacle\":true}]}";
    double angle = atan(s->slope), g = 9.81;
    char text[900];
    snprintf(text, sizeof text, format, s->friction, g * sin(angle), -g * cos(angle), s->time_step, s->cells, s->cells,
             s->cells, 0.5 + s->gap, s->speed, s->young);
    read_scene(scene, text, 0);
}

static double mean_x(const sim_world *world) {
    double sum = 0, mass = 0;
    for (size_t i = 0; i < world->count; i++)
        if (world->role[i] == SIM_FREE) {
            sum += world->mass[i] * world->x[i][0];
            mass += world->mass[i];
        }
    return sum / mass;
}

/* The distance that the block slides in half of the steps and in all of them. */
static void run_block(const slide *s, double way[2], double *slip) {
    sim_scene scene;
    sim_stepper stepper;
    sim_report report = {.closest = INFINITY};
    read_block(&scene, s);
    sim_stepper_begin(&stepper, &scene.world, ccd, contacts);
    double start = mean_x(&scene.world);
    for (int i = 0; i < s->steps; i++) {
        sim_stepper_step(&stepper, &report);
        if (i + 1 == s->steps / 2) way[0] = mean_x(&scene.world) - start;
    }
    way[1] = mean_x(&scene.world) - start;
    *slip = scene.world.settings.slip;
    CHECK(report.unconverged == 0);
    sim_stepper_end(&stepper);
    sim_scene_free(&scene, contacts);
}

/* A point of mass under Coulomb's law, by the same implicit steps: speed first, then place. */
static double coulomb(const slide *s) {
    double angle = atan(s->slope), h = s->time_step, speed = s->speed, x = 0;
    for (int i = 0; i < s->steps; i++) {
        speed += h * 9.81 * sin(angle);
        speed = fmax(0, speed - h * s->friction * 9.81 * cos(angle));
        x += h * speed;
    }
    return x;
}

static void check_block(const slide *s) {
    double way[2], slip, expected = coulomb(s);
    run_block(s, way, &slip);
    if (expected > 0)
        CHECK_MSG(fabs(way[1] - expected) < 0.02 * expected, "friction %g, slope %g, young %g: %g m, Coulomb says %g",
                  s->friction, s->slope, s->young, way[1], expected);
    else
        CHECK_MSG(fabs(way[1] - way[0]) < slip * s->time_step * s->steps / 2,
                  "friction %g, slope %g: it creeps by %g m", s->friction, s->slope, way[1] - way[0]);
}

/* It begins within the barrier's reach, or falls onto the slope: what friction misses or adds there would be seen in
   the end. 0.45 on a slope of 0.5 is a tenth of the force that is left. */
TEST(a_block_slides_down_a_slope_as_coulomb_says_or_sticks) {
    static const double frictions[] = {0.05, 0.1, 0.2, 0.3, 0.4, 0.45, 0.55, 0.6};
    for (size_t i = 0; i < sizeof frictions / sizeof *frictions; i++)
        for (int stiff = 0; stiff < 2; stiff++)
            check_block(&(slide){.friction = frictions[i],
                                 .slope = 0.5,
                                 .time_step = 0.025,
                                 .steps = 100,
                                 .young = stiff ? 1e9 : 1e7,
                                 .gap = stiff ? 3e-3 : 1.4e-3,
                                 .cells = 1});
    check_block(&(slide){
        .friction = 0.2, .slope = 0.3, .time_step = 0.01, .steps = 120, .young = 1e7, .gap = 1.4e-3, .cells = 2});
    check_block(&(slide){
        .friction = 0.4, .slope = 0.3, .time_step = 0.01, .steps = 120, .young = 1e7, .gap = 1.4e-3, .cells = 2});
}

TEST(a_block_slides_over_a_floor_as_coulomb_says_until_it_rests) {
    static const double frictions[] = {0.05, 0.1, 0.3, 0.6};
    for (size_t i = 0; i < sizeof frictions / sizeof *frictions; i++)
        for (int half = 0; half < 2; half++)
            check_block(&(slide){.friction = frictions[i],
                                 .speed = 3,
                                 .time_step = 0.02,
                                 .steps = half ? 20 : 60,
                                 .young = 1e7,
                                 .gap = 1.4e-3,
                                 .cells = 1});
}

/* The gap that constraints keep is the offset, and none of it is lost in a hundred steps. */
TEST(constraints_keep_their_offset) {
    static const char text[] =
        "{\"tolerance\":1e-4,\"bodies\":[{\"shape\":{\"kind\":\"box\"},\"position\":[0.1,0.52,0.2],\"young\":1e6},"
        "{\"shape\":{\"kind\":\"sheet\",\"size\":[5,5],\"cells\":[3,3]},\"obstacle\":true}]}";
    const double offset = 0.01;
    sim_scene scene;
    sim_stepper stepper;
    sim_report report = {0};
    read_scene(&scene, text, 0);
    sim_stepper_begin(&stepper, &scene.world, ccd, contacts);
    uint64_t pushed = 0;
    for (int i = 0; i < 40; i++) {
        sim_active_step(&stepper, offset, &report);
        pushed += report.contacts > 0;
        for (size_t v = 0; v < scene.world.count; v++)
            if (scene.world.role[v] == SIM_FREE)
                CHECK_MSG(scene.world.x[v][1] > 0.85 * offset, "step %d: %g", i, scene.world.x[v][1]);
    }
    CHECK(pushed > 10);
    sim_stepper_end(&stepper);
    sim_scene_free(&scene, contacts);
}

TEST(every_scene_runs_a_few_frames_without_intersections) {
    for (size_t i = 0; sim_builtin_get(i); i++) {
        const sim_builtin *scene = sim_builtin_get(i);
        sim_report report;
        size_t found = play(scene->text, 0, 3, SIM_FILTER_GLOBAL, GRAZE_METHOD_CERTIFIED, &report);
        CHECK_MSG(found == 0, "%s: %zu intersections", scene->name, found);
    }
}

/* ---- frames ---- */

TEST(a_frame_reads_back_to_the_same_bits_and_one_of_another_scene_is_refused) {
    char path[] = "/tmp/graze-sim-frame-XXXXXX";
    int descriptor = mkstemp(path);
    io_error error;
    sim_scene scene;
    CHECK(descriptor >= 0);
    close(descriptor);
    read_scene(&scene, free_ball, 0);
    sim_world *world = &scene.world;
    for (size_t i = 0; i < world->count; i++) world->v[i][1] = (double)i / 3;
    CHECK(sim_frame_write(path, world, &error));
    double x = world->x[1][2], last = world->v[world->count - 1][1];
    world->x[1][2] = world->v[world->count - 1][1] = 7;
    CHECK(sim_frame_read(path, world, &error));
    CHECK(world->x[1][2] == x && world->v[world->count - 1][1] == last);
    sim_scene_free(&scene, contacts);
    read_scene(&scene, bullet, 0);
    CHECK(!sim_frame_read(path, &scene.world, &error));
    sim_scene_free(&scene, contacts);
    remove(path);
}

int main(int argc, char **argv) {
    int status = RUN_TESTS(argc, argv);
    graze_context_destroy(ccd);
    graze_context_destroy(contacts);
    return status;
}
