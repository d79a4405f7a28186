/* Two rough sheets, one above the other, as a world of two STRAIGHT bodies or as the mesh that joins them: asked six
   times by one context, for straight_cost.sh, which counts instructions. Prints the time of impact, to the last bit.
   usage: straight_cost CELLS world|step */
#include "graze/graze.h"
#include "graze/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sheets {
    uint32_t cells, vertices, faces;
    uint32_t (*face)[3];
    double (*x)[3]; /* of both: x0, then x1 */
    uint32_t *groups;
    graze_mesh one, joined;
} sheets;

static double draw(void) {
    static uint64_t state = 7;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

static void place(sheets *s) {
    double(*x1)[3] = s->x + 2 * s->vertices;
    for (uint32_t i = 0; i < 2 * s->vertices; i++) {
        uint32_t at = i % s->vertices, second = i / s->vertices;
        s->x[i][0] = (double)(at % (s->cells + 1)) / s->cells;
        s->x[i][1] = (double)(at / (s->cells + 1)) / s->cells;
        s->x[i][2] = 0.02 * second + 0.004 * draw();
        for (int c = 0; c < 3; c++) x1[i][c] = s->x[i][c] + 0.002 * draw() - (c == 2 ? 0.03 * second : 0);
        s->groups[i] = second;
    }
}

static int make(graze_context *context, uint32_t cells, sheets *s) {
    *s = (sheets){.cells = cells, .vertices = (cells + 1) * (cells + 1), .faces = 2 * cells * cells};
    s->face = malloc(s->faces * sizeof *s->face);
    s->x = malloc(4 * s->vertices * sizeof *s->x);
    s->groups = malloc(2 * s->vertices * sizeof *s->groups);
    if (!s->face || !s->x || !s->groups) return 0;
    for (uint32_t j = 0, f = 0; j < cells; j++)
        for (uint32_t i = 0; i < cells; i++, f += 2) {
            uint32_t at = j * (cells + 1) + i, up = at + cells + 1;
            const uint32_t two[2][3] = {{at, at + 1, up}, {at + 1, up + 1, up}};
            memcpy(s->face[f], two, sizeof two);
        }
    place(s);
    s->one = s->joined = graze_default_mesh();
    const uint32_t(*faces)[3] = (const uint32_t(*)[3])s->face;
    return graze_mesh_from_faces(context, s->vertices, faces, s->faces, &s->one) == GRAZE_OK &&
           graze_mesh_join(context, &s->one, &s->one, &s->joined) == GRAZE_OK;
}

static double step(graze_context *context, const sheets *s) {
    static const uint8_t pairs[4] = {1, 1, 1, 1};
    graze_mesh mesh = s->joined;
    mesh.groups = s->groups;
    mesh.group_count = 2;
    mesh.group_pairs = pairs;
    mesh.skip_same_group = 0;
    graze_step_result result = graze_default_step_result();
    const double(*x0)[3] = (const double(*)[3])s->x;
    graze_status status = graze_step(context, &mesh, x0, x0 + 2 * s->vertices, NULL, &result);
    return status == GRAZE_OK ? result.toi : -1;
}

static graze_world *make_world(graze_context *context, const sheets *s, graze_body_motion motions[2]) {
    graze_body bodies[2];
    graze_world *world = NULL;
    for (uint32_t i = 0; i < 2; i++) {
        bodies[i] = graze_default_body();
        bodies[i].kind = GRAZE_BODY_STRAIGHT;
        bodies[i].mesh = &s->one;
        motions[i] = graze_default_body_motion();
        motions[i].body = i;
        motions[i].x0 = (const double(*)[3])s->x + i * s->vertices;
        motions[i].x1 = motions[i].x0 + 2 * s->vertices;
    }
    return graze_world_create(context, bodies, 2, NULL, &world) == GRAZE_OK ? world : NULL;
}

int main(int argc, char **argv) {
    graze_context_options options = graze_default_context_options();
    graze_context *context;
    graze_body_motion motions[2];
    sheets s;
    double toi = -1;
    options.threads = 1;
    if (argc != 3 || graze_context_create(&options, &context) != GRAZE_OK) return 2;
    if (!make(context, (uint32_t)atoi(argv[1]), &s)) return 2;
    int is_world = strcmp(argv[2], "world") == 0;
    graze_world *world = is_world ? make_world(context, &s, motions) : NULL;
    for (int i = 0; i < 6; i++) {
        graze_articulated_result result = graze_default_articulated_result();
        if (!is_world) {
            toi = step(context, &s);
        } else if (graze_world_step(context, world, motions, 2, NULL, &result) == GRAZE_OK) {
            toi = result.toi;
        }
    }
    printf("%a\n", toi);
    graze_world_release(world);
    graze_mesh_release(context, &s.joined);
    graze_mesh_release(context, &s.one);
    graze_context_destroy(context);
    free(s.face);
    free(s.x);
    free(s.groups);
    return toi > 0 && toi < 1 ? 0 : 1;
}
