/* Spinning spheres that attract each other, start on their way to the middle and fly through each other's paths. */
#include "scenes/list.h"
#include "scenes/parts.h"
#include "scenes/random.h"

#include <math.h>
#include <stdlib.h>

enum { SUBSTEPS = 4 };

typedef struct body {
    double centre[3], velocity[3], force[3];
    double radius, mass;
    scene_rotation turn; /* of one frame */
} body;

/* A random vector in the unit ball. */
static void random_vector(scene_random *random, double x[3]) {
    double square;
    do {
        for (int c = 0; c < 3; c++) x[c] = scene_random_between(random, -1, 1);
        square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    } while (square > 1 || square < 0.01);
}

static void start(body *bodies, uint32_t count, scene_random *random) {
    for (uint32_t i = 0; i < count; i++) {
        body *b = &bodies[i];
        double aim[3], spin[3];
        random_vector(random, b->centre);
        random_vector(random, aim);
        random_vector(random, spin);
        b->radius = scene_random_between(random, 0.3, 0.6) / (1 + sqrt(sqrt((double)count)));
        b->mass = b->radius * b->radius * b->radius;
        /* towards a point near the middle, about a sixth of the way in a frame */
        for (int c = 0; c < 3; c++) b->velocity[c] = (0.7 * aim[c] - b->centre[c]) / 6;
        for (int c = 0; c < 3; c++) spin[c] *= 0.2;
        b->turn = scene_rotation_about(spin);
    }
}

/* Softened gravity: no pair pulls without bound when centers meet. */
static void attract(body *bodies, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++) bodies[i].force[c] = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++) {
            body *a = &bodies[i], *b = &bodies[j];
            double d[3], square = 0.05;
            for (int c = 0; c < 3; c++) {
                d[c] = b->centre[c] - a->centre[c];
                square += d[c] * d[c];
            }
            double strength = 0.05 / (square * sqrt(square));
            for (int c = 0; c < 3; c++) {
                a->force[c] += strength * b->mass * d[c];
                b->force[c] -= strength * a->mass * d[c];
            }
        }
}

static void advance(body *bodies, uint32_t count) {
    for (int step = 0; step < SUBSTEPS; step++) {
        attract(bodies, count);
        for (uint32_t i = 0; i < count; i++)
            for (int c = 0; c < 3; c++) {
                bodies[i].velocity[c] += bodies[i].force[c] / SUBSTEPS;
                bodies[i].centre[c] += bodies[i].velocity[c] / SUBSTEPS;
            }
    }
}

scene_status scene_n_body(const scene_options *options, scene_sink *sink, void *user) {
    uint32_t count = 2 * options->size, cells = options->size / 4 < 2 ? 2 : options->size / 4;
    size_t vertices = scene_sphere_vertices(cells), faces = scene_sphere_faces(cells);
    if (count * vertices > UINT32_MAX) return SCENE_OUT_OF_MEMORY;
    scene_mesh mesh;
    if (!scene_mesh_allocate(&mesh, count * vertices, count * faces)) return SCENE_OUT_OF_MEMORY;
    body *bodies = calloc(count, sizeof *bodies);
    double(*shape)[3] = calloc(count * vertices, sizeof *shape); /* about the centers */
    scene_status status = bodies && shape ? SCENE_DONE : SCENE_OUT_OF_MEMORY;
    if (status == SCENE_DONE) {
        scene_random random = {options->seed};
        start(bodies, count, &random);
        for (uint32_t i = 0; i < count; i++) {
            double(*own)[3] = shape + i * vertices;
            scene_sphere(cells, (uint32_t)(i * vertices), own, mesh.faces + i * faces);
            for (size_t v = 0; v < vertices; v++)
                for (int c = 0; c < 3; c++) own[v][c] *= bodies[i].radius;
        }
    }
    for (uint32_t frame = 0; status == SCENE_DONE && frame < options->frames; frame++) {
        if (frame > 0) advance(bodies, count);
        for (uint32_t i = 0; i < count; i++)
            for (size_t v = i * vertices; v < (i + 1) * vertices; v++) {
                if (frame > 0) scene_rotate(&bodies[i].turn, shape[v]);
                for (int c = 0; c < 3; c++) mesh.positions[v][c] = bodies[i].centre[c] + shape[v][c];
            }
        if (!sink(user, frame, &mesh)) status = SCENE_STOPPED;
    }
    free(shape);
    free(bodies);
    scene_mesh_free(&mesh);
    return status;
}
