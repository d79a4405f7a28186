/* Any bytes as a mesh in each format: an error or a mesh whose indices hold, never a crash. */
#include "io/mesh.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first byte chooses the format; the rest is the file. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const extensions[] = {"ply", "obj", "stl", "off", "msh", "unknown"};
    if (size == 0) return 0;
    char path[64];
    snprintf(path, sizeof path, "/tmp/graze-fuzz-%ld.%s", (long)getpid(), extensions[data[0] % 6]);
    FILE *stream = fopen(path, "wb");
    if (!stream) abort();
    fwrite(data + 1, 1, size - 1, stream);
    fclose(stream);
    io_mesh mesh;
    io_error error = {""};
    if (io_read_mesh(path, &mesh, &error)) {
        if (mesh.vertex_count == 0 || mesh.face_count + mesh.edge_count == 0) abort();
        for (size_t i = 0; i < mesh.vertex_count; i++)
            for (int c = 0; c < 3; c++)
                if (!isfinite(mesh.positions[i][c])) abort();
        for (size_t i = 0; i < mesh.face_count; i++)
            for (int k = 0; k < 3; k++)
                if (mesh.faces[i][k] >= mesh.vertex_count) abort();
        for (size_t i = 0; i < mesh.edge_count; i++)
            if (mesh.edges[i][0] >= mesh.vertex_count || mesh.edges[i][1] >= mesh.vertex_count) abort();
    } else if (!error.message[0] || mesh.positions || mesh.faces || mesh.edges) {
        abort();
    }
    io_free_mesh(&mesh);
    remove(path);
    return 0;
}
