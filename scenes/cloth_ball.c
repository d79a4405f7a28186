/* A square sheet falls on a ball, is caught by it and folds over it. The ball pushes vertices out only bit by bit and
   the sheet does not feel itself, so that every step has contacts of all kinds. */
#include "scenes/list.h"
#include "scenes/parts.h"
#include "scenes/random.h"

#include <math.h>

enum { SUBSTEPS = 8, SWEEPS = 6 };

static const double radius = 0.5, side = 2, gap = 0.03;

/* A grid of squares, cut along alternating diagonals. Vertices are numbered row by row. */
static void sheet(uint32_t cells, double (*x)[3], uint32_t (*faces)[3]) {
    uint32_t width = cells + 1;
    for (uint32_t i = 0; i < width; i++)
        for (uint32_t j = 0; j < width; j++) {
            double *p = x[i * width + j];
            p[0] = side * ((double)i / cells - 0.5);
            p[1] = side * ((double)j / cells - 0.5);
            p[2] = 0;
        }
    for (uint32_t i = 0; i < cells; i++)
        for (uint32_t j = 0; j < cells; j++) {
            uint32_t a = i * width + j, b = a + width, c = b + 1, d = a + 1;
            uint32_t(*two)[3] = &faces[2 * (i * cells + j)];
            bool falling = (i + j) % 2 != 0;
            const uint32_t cut[2][3] = {{a, b, falling ? d : c}, {falling ? b : a, c, d}};
            for (int k = 0; k < 6; k++) two[k / 3][k % 3] = cut[k / 3][k % 3];
        }
}

/* Turns the sheet about the vertical, shifts it and makes it slightly uneven, then lifts it above the ball. */
static void place(double (*x)[3], uint32_t cells, scene_random *random) {
    size_t count = (size_t)(cells + 1) * (cells + 1);
    const double axis[3] = {0, 0, scene_random_between(random, -0.4, 0.4)};
    scene_rotation turn = scene_rotation_about(axis);
    double shift[2] = {scene_random_between(random, -0.05, 0.05), scene_random_between(random, -0.05, 0.05)};
    double uneven = 0.02 * side / cells;
    for (size_t i = 0; i < count; i++) {
        scene_rotate(&turn, x[i]);
        x[i][0] += shift[0];
        x[i][1] += shift[1];
        x[i][2] += radius + gap + scene_random_between(random, -uneven, uneven);
    }
}

/* Moves vertices inside the ball half of the way out. */
static void push_out(double (*x)[3], size_t count) {
    for (size_t i = 0; i < count; i++) {
        double square = x[i][0] * x[i][0] + x[i][1] * x[i][1] + x[i][2] * x[i][2];
        if (square >= radius * radius || !(square > 0)) continue;
        double grow = 0.5 + 0.5 * (radius / sqrt(square));
        for (int c = 0; c < 3; c++) x[i][c] *= grow;
    }
}

scene_status scene_cloth_ball(const scene_options *options, scene_sink *sink, void *user) {
    uint32_t cells = options->size, ball_cells = cells / 4 < 2 ? 2 : cells / 4;
    size_t sheet_vertices = (size_t)(cells + 1) * (cells + 1), sheet_faces = 2 * (size_t)cells * cells;
    scene_mesh mesh;
    if (!scene_mesh_allocate(&mesh, sheet_vertices + scene_sphere_vertices(ball_cells),
                             sheet_faces + scene_sphere_faces(ball_cells)))
        return SCENE_OUT_OF_MEMORY;
    scene_random random = {options->seed};
    sheet(cells, mesh.positions, mesh.faces);
    scene_sphere(ball_cells, (uint32_t)sheet_vertices, mesh.positions + sheet_vertices, mesh.faces + sheet_faces);
    for (size_t i = sheet_vertices; i < mesh.vertex_count; i++)
        for (int c = 0; c < 3; c++) mesh.positions[i][c] *= radius;
    scene_springs springs;
    if (!scene_springs_from_mesh(&springs, &mesh, sheet_vertices)) {
        scene_mesh_free(&mesh);
        return SCENE_OUT_OF_MEMORY;
    }
    place(mesh.positions, cells, &random);
    /* 30 frames a second; it arrives at the ball with 2 lengths a second */
    const double substep = 1.0 / (30 * SUBSTEPS);
    const double gravity[3] = {0, 0, -9.81 * substep * substep};
    for (size_t i = 0; i < sheet_vertices; i++)
        for (int c = 0; c < 3; c++) springs.before[i][c] = mesh.positions[i][c] + (c == 2 ? 2 * substep : 0);
    scene_status status = SCENE_DONE;
    for (uint32_t frame = 0; frame < options->frames; frame++) {
        for (int step = 0; frame > 0 && step < SUBSTEPS; step++) {
            scene_springs_move(&springs, gravity, 0.998);
            for (int sweep = 0; sweep < SWEEPS; sweep++) scene_springs_relax(&springs);
            push_out(mesh.positions, sheet_vertices);
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
