/* PLY out: binary little-endian, doubles, triangles. */
#include "io/file.h"
#include "io/mesh.h"

#include <string.h>

static void put_little_endian(unsigned char *to, uint64_t bits, int bytes) {
    for (int i = 0; i < bytes; i++) to[i] = (unsigned char)(bits >> (8 * i));
}

bool io_write_ply(const char *path, const double (*x)[3], size_t vertex_count, const uint32_t (*faces)[3],
                  size_t face_count, io_error *error) {
    if (vertex_count > UINT32_MAX || face_count > UINT32_MAX)
        return io_fail(error, path, 0, "too many vertices or faces for a PLY file");
    io_atomic_file file;
    if (!io_open_atomic(path, &file, error)) return false;
    fprintf(file.stream,
            "ply\nformat binary_little_endian 1.0\n"
            "element vertex %zu\nproperty double x\nproperty double y\nproperty double z\n"
            "element face %zu\nproperty list uchar uint vertex_indices\nend_header\n",
            vertex_count, face_count);
    for (size_t i = 0; i < vertex_count; i++) {
        unsigned char row[24];
        for (int c = 0; c < 3; c++) {
            uint64_t bits;
            memcpy(&bits, &x[i][c], sizeof bits);
            put_little_endian(row + 8 * c, bits, 8);
        }
        fwrite(row, 1, sizeof row, file.stream);
    }
    for (size_t i = 0; i < face_count; i++) {
        unsigned char row[13] = {3};
        for (int c = 0; c < 3; c++) put_little_endian(row + 1 + 4 * c, faces[i][c], 4);
        fwrite(row, 1, sizeof row, file.stream);
    }
    return io_close_atomic(&file, error);
}
