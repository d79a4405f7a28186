/* The parts of a mesh, with any indices. */
#include "verify/parts.h"
#include "__fc_builtin.h"
enum { VERTICES = 6, FACES = 4 };
static double vertices[VERTICES][3];
static uint32_t faces[FACES][3];
int main(void) {
    for (int f = 0; f < FACES; f++)
        for (int k = 0; k < 3; k++) faces[f][k] = Frama_C_unsigned_int_interval(0, VERTICES - 1);
    path_mesh mesh = {.vertices = vertices, .faces = faces, .vertex_count = VERTICES, .face_count = FACES};
    mesh_parts parts;
    mesh_parts_find(&parts, &mesh);
    mesh_parts_free(&parts);
    return 0;
}
