/* Any bytes as a COLLADA file: an error of one line, or a mesh whose indices hold. */
#include "fuzz/seeds.h"

#include "robot/tree.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    io_source source = fuzz_source("fuzz.dae", data, size);
    io_mesh mesh;
    io_error error = {""};
    if (!robot_parse_collada(source, &mesh, &error)) {
        fuzz_check_line(error.message);
        if (mesh.positions || mesh.faces) abort();
    }
    for (size_t i = 0; i < mesh.face_count; i++)
        for (int k = 0; k < 3; k++)
            if (mesh.faces[i][k] >= mesh.vertex_count) abort();
    for (size_t i = 0; i < mesh.vertex_count; i++)
        if (!isfinite(mesh.positions[i][0] + mesh.positions[i][1] + mesh.positions[i][2])) abort();
    io_free_mesh(&mesh);
    free((char *)source.bytes);
    return 0;
}
