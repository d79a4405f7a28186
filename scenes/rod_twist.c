/* A hollow square bar whose ends are turned against each other: its walls are drawn in at the middle and meet. */
#include "scenes/list.h"
#include "scenes/parts.h"
#include "scenes/random.h"

enum { SUBSTEPS = 8, SWEEPS = 6 };

static const double length = 2, width = 0.4;

/* Point i of `around` on the outline of the unit square about the origin, counter-clockwise from a corner. */
static void outline(uint32_t i, uint32_t around, double *y, double *z) {
    uint32_t per_side = around / 4, side = i / per_side;
    double s = (double)(i % per_side) / per_side - 0.5;
    *y = side == 0 ? s : side == 1 ? 0.5 : side == 2 ? -s : -0.5;
    *z = side == 0 ? -0.5 : side == 1 ? s : side == 2 ? 0.5 : -s;
}

/* Rings along x from −length/2, then the middle of each end. */
static void bar(uint32_t cells, uint32_t around, scene_mesh *mesh, scene_random *random) {
    uint32_t rings = cells + 1, left = rings * around, right = left + 1;
    double uneven = 0.02 * length / cells;
    for (uint32_t r = 0; r < rings; r++)
        for (uint32_t i = 0; i < around; i++) {
            double *p = mesh->positions[r * around + i];
            p[0] = length * ((double)r / cells - 0.5);
            outline(i, around, &p[1], &p[2]);
            for (int c = 1; c < 3; c++) p[c] = width * p[c] + scene_random_between(random, -uneven, uneven);
        }
    mesh->positions[left][0] = -length / 2;
    mesh->positions[right][0] = length / 2;
    uint32_t(*face)[3] = mesh->faces;
    for (uint32_t i = 0; i < around; i++) {
        uint32_t next = (i + 1) % around;
        for (uint32_t r = 0; r < cells; r++) {
            uint32_t a = r * around + i, b = a + around, c = (r + 1) * around + next, d = r * around + next;
            bool falling = (r + i) % 2 != 0;
            const uint32_t cut[2][3] = {{a, falling ? d : c, b}, {falling ? b : a, d, c}};
            for (int k = 0; k < 6; k++) face[k / 3][k % 3] = cut[k / 3][k % 3];
            face += 2;
        }
        const uint32_t ends[2][3] = {{left, next, i}, {right, cells * around + i, cells * around + next}};
        for (int k = 0; k < 6; k++) face[k / 3][k % 3] = ends[k / 3][k % 3];
        face += 2;
    }
}

scene_status scene_rod_twist(const scene_options *options, scene_sink *sink, void *user) {
    uint32_t cells = options->size < 2 ? 2 : options->size, around = 4 * (cells / 8 < 1 ? 1 : cells / 8);
    size_t wall = (size_t)(cells + 1) * around;
    scene_mesh mesh;
    if (!scene_mesh_allocate(&mesh, wall + 2, 2 * (size_t)cells * around + 2 * (size_t)around))
        return SCENE_OUT_OF_MEMORY;
    scene_random random = {options->seed};
    bar(cells, around, &mesh, &random);
    scene_springs springs;
    if (!scene_springs_from_mesh(&springs, &mesh, wall + 2)) {
        scene_mesh_free(&mesh);
        return SCENE_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < wall + 2; i++)
        springs.pinned[i] = i < around || i >= wall - around; /* both end rings, and the middles of the ends */
    /* the tangent of half the angle that an end turns in a substep: about 27 degrees in a frame */
    const double turn = 0.03, no_gravity[3] = {0, 0, 0};
    const double axis[3] = {turn, 0, 0}, back[3] = {-turn, 0, 0};
    const scene_rotation turn_right = scene_rotation_about(axis), turn_left = scene_rotation_about(back);
    scene_status status = SCENE_DONE;
    for (uint32_t frame = 0; frame < options->frames; frame++) {
        for (int step = 0; frame > 0 && step < SUBSTEPS; step++) {
            for (size_t i = 0; i < around; i++) {
                scene_rotate(&turn_left, mesh.positions[i]);
                scene_rotate(&turn_right, mesh.positions[wall - around + i]);
            }
            scene_springs_move(&springs, no_gravity, 0.9);
            for (int sweep = 0; sweep < SWEEPS; sweep++) scene_springs_relax(&springs);
        }
        if (!sink(user, frame, &mesh)) {
            status = SCENE_STOPPED;
            break;
        }
    }
    scene_springs_free(&springs);
    scene_mesh_free(&mesh);
    return status;
}
