/* Articulated examples: shapes, machines put together from them, and how they move. */
#include "scenes/articulated.h"

#include "scenes/parts.h"
#include "scenes/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- shapes: all within [−1, 1]³ ---- */

static const scene_mesh *keep_shape(scene_articulated *scene, size_t vertices, size_t faces) {
    scene_mesh *mesh = &scene->shapes[scene->shape_count];
    if (!scene_mesh_allocate(mesh, vertices, faces)) return NULL;
    scene->shape_count++;
    return mesh;
}

static const scene_mesh *ball(scene_articulated *scene, uint32_t cells) {
    const scene_mesh *mesh = keep_shape(scene, scene_sphere_vertices(cells), scene_sphere_faces(cells));
    if (mesh) scene_sphere(cells, 0, mesh->positions, mesh->faces);
    return mesh;
}

/* The i-th of n points around the unit circle, without a sine. */
static void on_circle(uint32_t i, uint32_t n, double *x, double *y) {
    uint32_t quarter = n / 4, k = i / quarter;
    double t = (double)(i % quarter) / quarter, d = 1 + t * t, c = (1 - t * t) / d, s = 2 * t / d;
    *x = k == 0 ? c : k == 1 ? -s : k == 2 ? -c : s;
    *y = k == 0 ? s : k == 1 ? c : k == 2 ? -s : -c;
}

/* Two triangles for each cell of a grid of rows × columns vertices; `closed`: the last column meets the first. */
static void grid_faces(scene_mesh *mesh, uint32_t rows, uint32_t columns, bool closed) {
    uint32_t wide = closed ? columns : columns - 1;
    size_t f = 0;
    for (uint32_t r = 0; r + 1 < rows; r++)
        for (uint32_t c = 0; c < wide; c++) {
            uint32_t a = r * columns + c, b = r * columns + (c + 1) % columns, d = a + columns, e = b + columns;
            uint32_t two[2][3] = {{a, b, d}, {b, e, d}};
            memcpy(mesh->faces[f], two, sizeof two);
            f += 2;
        }
}

/* A body of revolution with a foot, a waist and a head: a chess piece, a barrel. */
static const scene_mesh *lathe(scene_articulated *scene, uint32_t sides, uint32_t rings) {
    const scene_mesh *kept = keep_shape(scene, (size_t)sides * (rings + 1), 2 * (size_t)sides * rings);
    if (!kept) return NULL;
    scene_mesh mesh = *kept;
    for (uint32_t r = 0; r <= rings; r++) {
        double h = (double)r / rings, waist = 1 - 4 * h * (1 - h) * (1 - 0.5 * h),
               radius = 0.25 + 0.75 * waist * (1.1 - h);
        if (r == 0 || r == rings) radius = 0;
        for (uint32_t i = 0; i < sides; i++) {
            double *x = mesh.positions[r * sides + i];
            on_circle(i, sides, &x[0], &x[1]);
            x[0] *= radius;
            x[1] *= radius;
            x[2] = 2 * h - 1;
        }
    }
    grid_faces(&mesh, rings + 1, sides, true);
    return kept;
}

static double bump(double x, double y, double at_x, double at_y, double width) {
    double d = ((x - at_x) * (x - at_x) + (y - at_y) * (y - at_y)) / (width * width);
    return 1 / (1 + d * d);
}

static const scene_mesh *terrain(scene_articulated *scene, uint32_t cells, double roughness) {
    const scene_mesh *kept = keep_shape(scene, (size_t)(cells + 1) * (cells + 1), 2 * (size_t)cells * cells);
    if (!kept) return NULL;
    scene_mesh mesh = *kept;
    scene_random random = {77};
    for (uint32_t r = 0; r <= cells; r++)
        for (uint32_t c = 0; c <= cells; c++) {
            double *x = mesh.positions[r * (cells + 1) + c];
            x[0] = 2.0 * c / cells - 1;
            x[1] = 2.0 * r / cells - 1;
            x[2] = bump(x[0], x[1], 0, 0, 0.4) + 0.5 * bump(x[0], x[1], 0.5, -0.4, 0.2) +
                   roughness * scene_random_between(&random, -1, 1);
        }
    grid_faces(&mesh, cells + 1, cells + 1, false);
    return kept;
}

/* ---- machines ---- */

static scene_machine *add_machine(scene_articulated *scene, const char *name) {
    scene_machine *machine = &scene->machines[scene->count++];
    machine->name = name;
    return machine;
}

static graze_frame at(double x, double y, double z) { return (graze_frame){{x, y, z}, {1, 0, 0, 0}}; }

static int32_t add_link(scene_machine *machine, int32_t parent, graze_joint_kind joint, graze_frame origin, int axis) {
    graze_link *link = &machine->links[machine->count];
    *link = graze_default_link();
    link->parent = parent;
    link->joint = joint;
    link->origin = origin;
    for (int c = 0; c < 3; c++) link->axis[c] = c == axis;
    return (int32_t)machine->count++;
}

/* One more shape on a link: `size` are its half sides. */
static bool add_shape(scene_articulated *scene, scene_machine *machine, int32_t index, const scene_mesh *shape,
                      graze_frame origin, double x, double y, double z) {
    if (!shape) return false;
    graze_link *link = &machine->links[index];
    graze_link_mesh *larger = realloc(machine->meshes[index], (link->mesh_count + 1) * sizeof *larger);
    if (!larger) return false;
    machine->meshes[index] = larger;
    graze_link_mesh *mesh = &larger[link->mesh_count++];
    *mesh = graze_default_link_mesh();
    mesh->vertex_count = (uint32_t)shape->vertex_count;
    mesh->face_count = (uint32_t)shape->face_count;
    mesh->vertices = (const double(*)[3])shape->positions;
    mesh->faces = (const uint32_t(*)[3])shape->faces;
    mesh->origin = origin;
    memcpy(mesh->scale, (const double[3]){x, y, z}, sizeof mesh->scale);
    link->meshes = larger;
    scene->triangles += shape->face_count;
    return true;
}

/* A limb: an ellipsoid that reaches from the joint down by `length`. */
static int32_t add_limb(scene_articulated *scene, scene_machine *m, int32_t parent, graze_frame origin, double length,
                        double width, bool *good) {
    int32_t link = add_link(m, parent, GRAZE_JOINT_REVOLUTE, origin, 1);
    *good &= add_shape(scene, m, link, &scene->shapes[0], at(0, 0, -0.5 * length), width, width, 0.45 * length);
    return link;
}

/* Pelvis, torso, head, and on both sides upper arm, forearm, hand, thigh, shin, foot: 15 links. `tilt` turns the arms
   inwards. */
static bool add_mannequin(scene_articulated *scene, double tilt) {
    bool good = ball(scene, 13) != NULL;
    if (!good) return false;
    scene_machine *m = add_machine(scene, "mannequin");
    int32_t pelvis = add_link(m, -1, GRAZE_JOINT_FREE, at(0, 0, 0), 2);
    good &= add_shape(scene, m, pelvis, &scene->shapes[0], at(0, 0, 0), 0.12, 0.16, 0.1);
    int32_t torso = add_link(m, pelvis, GRAZE_JOINT_REVOLUTE, at(0, 0, 0.12), 1);
    good &= add_shape(scene, m, torso, &scene->shapes[0], at(0, 0, 0.26), 0.12, 0.18, 0.25);
    int32_t head = add_link(m, torso, GRAZE_JOINT_REVOLUTE, at(0, 0, 0.54), 1);
    good &= add_shape(scene, m, head, &scene->shapes[0], at(0, 0, 0.14), 0.09, 0.09, 0.13);
    for (int side = -1; side <= 1; side += 2) {
        graze_frame shoulder = {{0, 0.25 * side, 0.45}, {1, -tilt * side, 0, 0}};
        int32_t upper = add_limb(scene, m, torso, shoulder, 0.3, 0.045, &good);
        int32_t fore = add_limb(scene, m, upper, at(0, 0, -0.3), 0.28, 0.04, &good);
        add_limb(scene, m, fore, at(0, 0, -0.28), 0.18, 0.035, &good);
        int32_t thigh = add_limb(scene, m, pelvis, at(0, 0.1 * side, -0.08), 0.42, 0.07, &good);
        int32_t shin = add_limb(scene, m, thigh, at(0, 0, -0.42), 0.42, 0.05, &good);
        int32_t foot = add_link(m, shin, GRAZE_JOINT_REVOLUTE, at(0, 0, -0.42), 1);
        good &= add_shape(scene, m, foot, &scene->shapes[0], at(0.06, 0, -0.03), 0.12, 0.045, 0.03);
    }
    return good;
}

/* A sine wave of parabolas. */
static double wave(double x) {
    double u = x - floor(x), v = u < 0.5 ? 2 * u : 2 * u - 1, s = 4 * v * (1 - v);
    return u < 0.5 ? s : -s;
}

/* Values of the mannequin: free 6, torso, head, then for each side arm 3 and leg 3. */
static void stride_pose(double phase, double swing, double *v) {
    v[6] = 0.05 * wave(phase);
    for (int side = 0; side < 2; side++) {
        double p = phase + 0.5 * side, *arm = v + 8 + 6 * side;
        arm[0] = -0.6 * swing * wave(p);
        arm[1] = -0.4 - 0.3 * wave(p + 0.2);
        arm[3] = 0.6 * swing * wave(p);
        arm[4] = 0.4 + 0.35 * wave(p + 0.3);
        arm[5] = -0.15 * wave(p);
    }
}

static void walk_pose(const scene_articulated *scene, uint32_t frame, size_t machine, double *v) {
    (void)scene;
    if (machine) return;
    double t = frame * 0.02;
    v[0] = -2 + 0.02 * frame;
    v[1] = 0.35 * wave(t * 0.3);
    v[2] = 0.98 + 0.03 * wave(2 * t);
    v[5] = 0.2 * wave(t * 0.3 + 0.25);
    stride_pose(t, 1, v);
}

static bool make_walk(scene_articulated *scene) {
    bool good = add_mannequin(scene, 0);
    const scene_mesh *piece = lathe(scene, 32, 98);
    for (int i = 0; i < 16 && good; i++) {
        scene_machine *m = add_machine(scene, "piece");
        add_link(m, -1, GRAZE_JOINT_FIXED, at(-1.6 + 0.45 * (i / 2), i % 2 ? 0.45 : -0.45, 0.2), 2);
        good = add_shape(scene, m, 0, piece, at(0, 0, 0), 0.1, 0.1, 0.2);
    }
    scene->frames = 200;
    scene->pose = walk_pose;
    return good;
}

static void exercise_pose(const scene_articulated *scene, uint32_t frame, size_t machine, double *v) {
    (void)scene;
    (void)machine;
    double t = frame * 0.01;
    v[6] = 0.7 + 0.7 * wave(t);
    v[7] = 0.2 * wave(t);
    for (int side = 0; side < 2; side++) {
        double *arm = v + 8 + 6 * side, p = t * (1 + 0.3 * side);
        arm[0] = -1.2 + 1.2 * wave(p);
        arm[1] = -0.5 + 0.4 * wave(2 * p);
        arm[3] = -0.3 * wave(p + 0.1 * side);
        arm[4] = 0.5 + 0.4 * wave(p);
    }
}

static bool make_exercise(scene_articulated *scene) {
    scene->frames = 300;
    scene->pose = exercise_pose;
    return add_mannequin(scene, 0.09);
}

/* ---- the construction site ---- */

/* Ground and a hundred barrels, pipes and piles on it: 0.4 million triangles in one link. */
static bool add_site(scene_articulated *scene) {
    const scene_mesh *ground = terrain(scene, 100, 0.01), *pipe = lathe(scene, 32, 60);
    scene_machine *m = add_machine(scene, "site");
    add_link(m, -1, GRAZE_JOINT_FIXED, at(0, 0, 0), 2);
    bool good = add_shape(scene, m, 0, ground, at(0, 0, -0.5), 12, 12, 0.4);
    scene_random random = {11};
    for (int i = 0; i < 99 && good; i++) {
        double x = scene_random_between(&random, -11, 11), y = scene_random_between(&random, -11, 11);
        double size = scene_random_between(&random, 0.15, 0.5), height = scene_random_between(&random, 0.3, 1.5);
        good = add_shape(scene, m, 0, pipe, at(x, y, height), size, size, height);
    }
    return good;
}

static bool make_excavator(scene_articulated *scene, scene_pose *pose) {
    const scene_mesh *part = ball(scene, 22);
    scene_machine *m = add_machine(scene, "excavator");
    int32_t tracks = add_link(m, -1, GRAZE_JOINT_PLANAR, at(0, 0, 0.9), 2);
    bool good = add_shape(scene, m, tracks, part, at(0, 0, 0), 0.8, 0.5, 0.3);
    int32_t cabin = add_link(m, tracks, GRAZE_JOINT_REVOLUTE, at(0, 0, 0.7), 2);
    good = good && add_shape(scene, m, cabin, part, at(0, 0, 0), 0.6, 0.5, 0.35);
    int32_t boom = add_link(m, cabin, GRAZE_JOINT_REVOLUTE, at(0.7, 0, 0), 1);
    good = good && add_shape(scene, m, boom, part, at(0.9, 0, 0), 0.85, 0.1, 0.12);
    int32_t stick = add_link(m, boom, GRAZE_JOINT_REVOLUTE, at(1.85, 0, 0), 1);
    good = good && add_shape(scene, m, stick, part, at(0.6, 0, 0), 0.55, 0.08, 0.1);
    int32_t bucket = add_link(m, stick, GRAZE_JOINT_REVOLUTE, at(1.25, 0, 0), 1);
    good = good && add_shape(scene, m, bucket, part, at(0.25, 0, 0), 0.22, 0.25, 0.15);
    scene->frames = 60;
    scene->any = true;
    scene->pose = pose;
    return good && add_site(scene);
}

static void fill_random(uint32_t frame, const double (*range)[2], size_t count, double *v) {
    scene_random random = {1000 + 31 * (uint64_t)frame};
    for (size_t i = 0; i < count; i++) v[i] = scene_random_between(&random, range[i][0], range[i][1]);
}

static void drive_pose(const scene_articulated *scene, uint32_t frame, size_t machine, double *v) {
    static const double range[7][2] = {{-8, 8}, {-8, 8}, {-3, 3}, {-1.5, 1.5}, {-0.9, 0}, {0, 1.5}, {-1, 1}};
    (void)scene;
    if (machine == 0) fill_random(frame, range, 7, v);
}

static void load_pose(const scene_articulated *scene, uint32_t frame, size_t machine, double *v) {
    static const double range[7][2] = {{4, 4.3}, {5, 5.3}, {0, 0.2}, {-1, 1}, {-0.9, -0.3}, {0.2, 1.2}, {-0.5, 0.5}};
    (void)scene;
    if (machine == 0) fill_random(frame, range, 7, v);
}

static bool make_drive(scene_articulated *scene) { return make_excavator(scene, drive_pose); }
static bool make_load(scene_articulated *scene) { return make_excavator(scene, load_pose); }

static bool make_crane(scene_articulated *scene, scene_pose *pose) {
    const scene_mesh *part = ball(scene, 6);
    scene_machine *m = add_machine(scene, "crane");
    int32_t mast = add_link(m, -1, GRAZE_JOINT_FIXED, at(2, 2, 3), 2);
    bool good = add_shape(scene, m, mast, part, at(0, 0, 0), 0.2, 0.2, 2.9);
    int32_t jib = add_link(m, mast, GRAZE_JOINT_REVOLUTE, at(0, 0, 3.2), 2);
    good = good && add_shape(scene, m, jib, part, at(2, 0, 0), 3.5, 0.12, 0.12);
    int32_t trolley = add_link(m, jib, GRAZE_JOINT_PRISMATIC, at(0, 0, -0.3), 0);
    good = good && add_shape(scene, m, trolley, part, at(0, 0, 0), 0.15, 0.12, 0.08);
    int32_t hook = add_link(m, trolley, GRAZE_JOINT_PRISMATIC, at(0, 0, -0.3), 2);
    good = good && add_shape(scene, m, hook, part, at(0, 0, -0.15), 0.15, 0.15, 0.1);
    scene->frames = 200;
    scene->any = true;
    scene->pose = pose;
    return good && add_site(scene);
}

static void swing_pose(const scene_articulated *scene, uint32_t frame, size_t machine, double *v) {
    static const double range[3][2] = {{-3, 3}, {1, 4.5}, {-4.5, -1}};
    (void)scene;
    if (machine == 0) fill_random(frame, range, 3, v);
}

static void drop_pose(const scene_articulated *scene, uint32_t frame, size_t machine, double *v) {
    static const double range[3][2] = {{0.5, 1.2}, {2, 3}, {-5.4, -3.5}};
    (void)scene;
    if (machine == 0) fill_random(frame, range, 3, v);
}

static bool make_swing(scene_articulated *scene) { return make_crane(scene, swing_pose); }
static bool make_drop(scene_articulated *scene) { return make_crane(scene, drop_pose); }

/* ---- trains ---- */

static bool add_train(scene_articulated *scene, const scene_mesh *car, size_t cars) {
    scene_machine *m = add_machine(scene, "train");
    bool good = true;
    for (size_t i = 0; i < cars && good; i++) {
        graze_frame origin = i ? at(-0.52, 0, 0) : at(0, 0, 0);
        int32_t link = add_link(m, (int32_t)i - 1, i ? GRAZE_JOINT_SPHERICAL : GRAZE_JOINT_FREE, origin, 2);
        good = add_shape(scene, m, link, car, at(-0.26, 0, 0), 0.24, 0.1, 0.1);
    }
    return good;
}

static void bend_train(const scene_machine *m, double t, double size, double *v) {
    for (size_t i = 1; i < m->count; i++)
        for (size_t c = 0; c < 3; c++) v[3 + 3 * i + c] = size * wave(t + 0.13 * (double)i + 0.37 * (double)c);
}

static void four_pose(const scene_articulated *scene, uint32_t frame, size_t machine, double *v) {
    static const double way[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    double t = frame * 0.01, ahead = -3 + 0.025 * frame;
    v[0] = way[machine][0] * ahead + 0.3 * way[machine][1];
    v[1] = way[machine][1] * ahead - 0.3 * way[machine][0];
    v[2] = 0.12 * (double)machine + 0.1 * wave(t);
    v[5] = machine * 1.5707963267948966 - (machine == 3 ? 6.283185307179586 : 0);
    bend_train(&scene->machines[machine], t + 0.2 * (double)machine, 0.25, v);
}

static bool make_trains(scene_articulated *scene) {
    const scene_mesh *car = ball(scene, 17);
    bool good = true;
    for (int i = 0; i < 4 && good; i++) good = add_train(scene, car, 10);
    scene->frames = 200;
    scene->pose = four_pose;
    return good;
}

static void fall_pose(const scene_articulated *scene, uint32_t frame, size_t machine, double *v) {
    if (machine) return;
    double t = frame * 0.01;
    v[0] = 4 - 0.005 * frame;
    v[1] = 0.4 * wave(t);
    v[2] = 3.2 - 0.012 * frame;
    bend_train(&scene->machines[0], t, 0.15, v);
}

static bool make_fall(scene_articulated *scene) {
    const scene_mesh *car = ball(scene, 18), *ground = terrain(scene, 120, 0.005);
    bool good = add_train(scene, car, 17);
    scene_machine *m = add_machine(scene, "mountain");
    add_link(m, -1, GRAZE_JOINT_FIXED, at(0, 0, 0), 2);
    scene->frames = 200;
    scene->pose = fall_pose;
    return good && add_shape(scene, m, 0, ground, at(0, 0, 0), 5, 5, 1.5);
}

/* ---- an arm among obstacles ---- */

/* Short ways of a planner: at most 0.2 a joint between two frames. */
static void reach_pose(const scene_articulated *scene, uint32_t frame, size_t machine, double *v) {
    static const double range[7][2] = {{-3, 3}, {-1.2, 1.2}, {-3, 3}, {-2, 2}, {-3, 3}, {-2, 2}, {-3, 3}};
    (void)scene;
    if (machine) return;
    fill_random(frame / 2, range, 7, v); /* every second frame ends a way that the one before it began */
    scene_random random = {5000 + (uint64_t)frame};
    for (int i = 0; frame % 2 && i < 7; i++) v[i] += scene_random_between(&random, -0.2, 0.2);
}

static void sweep_pose(const scene_articulated *scene, uint32_t frame, size_t machine, double *v) {
    reach_pose(scene, 2 * frame, machine, v);
}

static bool make_arm(scene_articulated *scene) {
    const scene_mesh *part = ball(scene, 7), *thing = ball(scene, 8);
    scene_machine *m = add_machine(scene, "arm");
    bool good = part && thing;
    static const double lengths[7] = {0.33, 0.05, 0.3, 0.05, 0.35, 0.05, 0.15};
    for (int i = 0; i < 7 && good; i++) {
        graze_frame origin = at(0, 0, i ? lengths[i - 1] : 0);
        int32_t link = add_link(m, i - 1, GRAZE_JOINT_REVOLUTE, origin, i % 2 ? 1 : 2);
        good = add_shape(scene, m, link, part, at(0, 0, 0.5 * lengths[i]), 0.06, 0.06, 0.48 * lengths[i]);
    }
    scene_machine *clutter = add_machine(scene, "clutter");
    add_link(clutter, -1, GRAZE_JOINT_FIXED, at(0, 0, 0), 2);
    scene_random random = {42};
    for (int i = 0; i < 39 && good;) {
        double x = scene_random_between(&random, -1, 1), y = scene_random_between(&random, -1, 1),
               z = scene_random_between(&random, 0, 1.2), size = scene_random_between(&random, 0.03, 0.09);
        if (x * x + y * y < 0.09) continue; /* room around the base */
        good = add_shape(scene, clutter, 0, thing, at(x, y, z), size, size, size);
        i++;
    }
    scene->any = true;
    return good;
}

static bool make_reach(scene_articulated *scene) {
    scene->frames = 2000;
    scene->pose = reach_pose;
    return make_arm(scene);
}

static bool make_sweep(scene_articulated *scene) {
    scene->frames = 200;
    scene->pose = sweep_pose;
    return make_arm(scene);
}

/* ---- the table ---- */

static const struct {
    const char *name, *summary;
    bool (*make)(scene_articulated *);
} examples[] = {
    {"walk", "a mannequin walks among chess pieces", make_walk},
    {"exercise", "a mannequin bends and swings its arms; self-collision", make_exercise},
    {"excavator-drive", "an excavator between far poses on a construction site", make_drive},
    {"excavator-load", "the same while it loads", make_load},
    {"crane-swing", "a tower crane between far poses", make_swing},
    {"crane-drop", "the same while it lowers its hook", make_drop},
    {"four-trains", "four trains of ten cars run into each other", make_trains},
    {"falling-train", "a train of seventeen cars falls on a mountain", make_fall},
    {"arm-reach", "a seven-joint arm in clutter, ways of at most 0.2 rad a joint", make_reach},
    {"arm-sweep", "a seven-joint arm in clutter, between far poses", make_sweep},
};

const char *scene_articulated_name(size_t index) {
    return index < sizeof examples / sizeof *examples ? examples[index].name : NULL;
}

const char *scene_articulated_summary(size_t index) {
    return index < sizeof examples / sizeof *examples ? examples[index].summary : NULL;
}

scene_articulated *scene_articulated_make(const char *name) {
    for (size_t i = 0; scene_articulated_name(i); i++) {
        if (strcmp(name, examples[i].name) != 0) continue;
        scene_articulated *scene = calloc(1, sizeof *scene);
        if (!scene) return NULL;
        scene->name = examples[i].name;
        scene->summary = examples[i].summary;
        if (examples[i].make(scene)) return scene;
        scene_articulated_free(scene);
    }
    return NULL;
}

void scene_articulated_free(scene_articulated *scene) {
    if (!scene) return;
    for (size_t i = 0; i < scene->count; i++)
        for (size_t k = 0; k < SCENE_MOST_LINKS; k++) free(scene->machines[i].meshes[k]);
    for (size_t i = 0; i < scene->shape_count; i++) scene_mesh_free(&scene->shapes[i]);
    free(scene);
}
