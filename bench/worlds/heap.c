#include "bench/worlds/heap.h"

#include "scenes/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The splitmix64 sequence, as numbers in [−1, 1). */
static double draw(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-52 - 1;
}

/* A sphere of radius 1 at most, with broad dents. */
static bool make_stone(heap_stone *stone, uint32_t cells, uint64_t *random) {
    double dents[6][4];
    stone->vertex_count = scene_sphere_vertices(cells);
    stone->face_count = scene_sphere_faces(cells);
    stone->x = malloc(stone->vertex_count * sizeof *stone->x);
    stone->faces = malloc(stone->face_count * sizeof *stone->faces);
    if (!stone->x || !stone->faces) return false;
    scene_sphere(cells, 0, stone->x, stone->faces);
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 4; c++) dents[i][c] = draw(random);
    for (size_t v = 0; v < stone->vertex_count; v++) {
        double *x = stone->x[v], depth = 0;
        for (int i = 0; i < 6; i++) {
            double along = x[0] * dents[i][0] + x[1] * dents[i][1] + x[2] * dents[i][2] - 0.4;
            if (along > 0) depth += 0.1 * (1 + dents[i][3]) * along;
        }
        for (int c = 0; c < 3; c++) x[c] *= fmax(1 - depth, 0.75);
    }
    return true;
}

static void turn_little(const double q[4], const double spin[3], double out[4]) {
    const double p[4] = {1, spin[0], spin[1], spin[2]}; /* of any length */
    out[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    out[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
    out[2] = p[0] * q[2] + p[2] * q[0] + p[3] * q[1] - p[1] * q[3];
    out[3] = p[0] * q[3] + p[3] * q[0] + p[1] * q[2] - p[2] * q[1];
}

/* Centers are those of cubes and their corners, 2.06 apart, so that stones of radius 1 have room to move a hundredth.
 */
static void place(heap *made, size_t i, uint32_t side, double move, uint64_t *random) {
    const double cube = 2.06 * 2 / sqrt(3);
    size_t cell = i / 2, at[3] = {cell % side, cell / side % side, cell / side / side};
    heap_pose *pose = made->poses[i];
    double spin[3];
    for (int c = 0; c < 3; c++) pose[0].position[c] = cube * ((double)at[c] + (i % 2 ? 0.5 : 0)) + 0.002 * draw(random);
    do
        for (int c = 0; c < 4; c++) pose[0].rotation[c] = draw(random);
    while (fabs(pose[0].rotation[0]) < 0.1);
    for (int c = 0; c < 3; c++) {
        pose[1].position[c] = pose[0].position[c] + move * draw(random);
        spin[c] = 0.05 * draw(random); /* the tangent of half of the angle */
    }
    turn_little(pose[0].rotation, spin, pose[1].rotation);
}

bool heap_make(heap *made, size_t count, uint32_t cells, heap_case what, uint64_t seed) {
    uint32_t side = 1;
    memset(made, 0, sizeof *made);
    for (int i = 0; i < HEAP_STONES; i++)
        if (!make_stone(&made->stones[i], cells, &seed)) return false;
    while (2 * (size_t)side * side * side < count) side++;
    made->count = count;
    made->poses = malloc(count * sizeof *made->poses);
    for (size_t i = 0; made->poses && i < count; i++) place(made, i, side, what == HEAP_MANY ? 0.1 : 0.01, &seed);
    if (made->poses && what == HEAP_EARLY && count > 1) /* the second one through the first */
        for (int c = 0; c < 3; c++)
            made->poses[1][1].position[c] =
                made->poses[1][0].position[c] - 2 * (made->poses[1][0].position[c] - made->poses[0][0].position[c]);
    return made->poses != NULL;
}

void heap_free(heap *made) {
    for (int i = 0; i < HEAP_STONES; i++) {
        free(made->stones[i].x);
        free(made->stones[i].faces);
    }
    free(made->poses);
}
