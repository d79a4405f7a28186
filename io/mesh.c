#include "io/mesh.h"

#include "io/file.h"
#include "io/mesh_builder.h"
#include "io/text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct mesh_format {
    const char *extension;
    io_mesh_reader *read;
} mesh_format;

static const mesh_format formats[] = {
    {"ply", io_read_ply}, {"obj", io_read_obj}, {"stl", io_read_stl}, {"off", io_read_off}, {"msh", io_read_msh},
};
#define FORMAT_COUNT (sizeof formats / sizeof *formats)

static io_mesh_reader *reader_by_name(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    for (size_t i = 0; dot && i < FORMAT_COUNT; i++)
        if (strcasecmp(dot + 1, formats[i].extension) == 0) return formats[i].read;
    return NULL;
}

bool io_is_mesh_name(const char *path) { return reader_by_name(path) != NULL; }

static bool begins(const char *bytes, size_t size, const char *text) {
    size_t length = strlen(text);
    return size >= length && memcmp(bytes, text, length) == 0;
}

/* For names without a known extension. */
static io_mesh_reader *reader_by_content(const char *bytes, size_t size) {
    if (begins(bytes, size, "ply\n") || begins(bytes, size, "ply\r")) return io_read_ply;
    if (begins(bytes, size, "$MeshFormat")) return io_read_msh;
    if (begins(bytes, size, "solid")) return io_read_stl;
    size_t first = 0; /* length of the first line */
    while (first < size && first < 16 && bytes[first] != '\n' && bytes[first] != '\r' && bytes[first] != ' ') first++;
    if (first >= 3 && memcmp(bytes + first - 3, "OFF", 3) == 0) return io_read_off;
    if (begins(bytes, size, "v ") || (size > 2 && strstr(bytes, "\nv "))) return io_read_obj;
    if (size >= 84) {
        const unsigned char *count = (const unsigned char *)bytes + 80;
        uint64_t triangles =
            (uint64_t)count[0] | (uint64_t)count[1] << 8 | (uint64_t)count[2] << 16 | (uint64_t)count[3] << 24;
        if (size == 84 + 50 * triangles) return io_read_stl;
    }
    return NULL;
}

static bool parse_unwelded(io_source source, io_mesh *mesh, bool *is_stl, io_error *error) {
    *mesh = (io_mesh){0};
    *is_stl = false;
    io_scan scan = io_scan_open(source.name, source.bytes, source.size, error);
    io_mesh_reader *read = reader_by_name(source.name);
    if (!read) read = reader_by_content(scan.at, (size_t)(scan.end - scan.at));
    if (!read) return io_fail(error, source.name, 0, "not a mesh that is known here (PLY, OBJ, STL, OFF, MSH)");
    if (read != io_read_stl &&
        (begins(source.bytes, source.size, "\xff\xfe") || begins(source.bytes, source.size, "\xfe\xff")))
        return io_fail(error, source.name, 1, "the text is UTF-16; UTF-8 is read");
    io_builder builder = {.mesh = mesh, .scan = &scan};
    bool good = read(&scan, &builder) && io_build_finish(&builder);
    io_build_release(&builder);
    if (!good) io_free_mesh(mesh);
    *is_stl = read == io_read_stl;
    return good;
}

bool io_parse_mesh(io_source source, io_mesh *mesh, io_error *error) {
    bool is_stl;
    if (!parse_unwelded(source, mesh, &is_stl, error)) return false;
    if (!is_stl || io_weld_corners(mesh, NULL)) return true;
    io_free_mesh(mesh);
    return io_fail(error, source.name, 0, "out of memory");
}

typedef bool read_bytes(const char *path, char **bytes, size_t *size, io_error *error);

static bool read_mesh(const char *path, read_bytes *read, io_mesh *mesh, io_error *error) {
    *mesh = (io_mesh){0};
    char *bytes;
    size_t size;
    if (!read(path, &bytes, &size, error)) return false;
    bool good = io_parse_mesh((io_source){path, bytes, size}, mesh, error);
    free(bytes);
    return good;
}

bool io_read_mesh(const char *path, io_mesh *mesh, io_error *error) {
    return read_mesh(path, io_read_file, mesh, error);
}

bool io_read_regular_mesh(const char *path, io_mesh *mesh, io_error *error) {
    return read_mesh(path, io_read_regular_file, mesh, error);
}

/* The second name, shortened to its end: the message of one error has to hold both. */
static const char *tail(const char *path) { return io_path_tail(path, 120); }

static bool same_topology(const char *path_a, const char *path_b, const io_mesh *a, const io_mesh *b, io_error *error) {
    if (a->vertex_count != b->vertex_count)
        return io_fail(error, path_a, 0, "%zu vertices, but %s has %zu", a->vertex_count, tail(path_b),
                       b->vertex_count);
    if (a->face_count != b->face_count)
        return io_fail(error, path_a, 0, "%zu faces, but %s has %zu", a->face_count, tail(path_b), b->face_count);
    if (a->edge_count != b->edge_count)
        return io_fail(error, path_a, 0, "%zu lines, but %s has %zu", a->edge_count, tail(path_b), b->edge_count);
    for (size_t i = 0; i < a->face_count; i++)
        if (memcmp(a->faces[i], b->faces[i], sizeof *a->faces) != 0)
            return io_fail(error, path_a, 0, "face %zu is not the same as in %s", i, tail(path_b));
    for (size_t i = 0; i < a->edge_count; i++)
        if (memcmp(a->edges[i], b->edges[i], sizeof *a->edges) != 0)
            return io_fail(error, path_a, 0, "line %zu is not the same as in %s", i, tail(path_b));
    return true;
}

bool io_parse_mesh_pair(io_source source_a, io_source source_b, io_mesh *a, io_mesh *b, io_error *error) {
    const char *path_a = source_a.name, *path_b = source_b.name;
    *b = (io_mesh){0};
    bool a_is_stl, b_is_stl;
    if (!parse_unwelded(source_a, a, &a_is_stl, error)) return false;
    bool good = parse_unwelded(source_b, b, &b_is_stl, error);
    if (good && a_is_stl && b_is_stl) {
        if (a->face_count != b->face_count)
            good =
                io_fail(error, path_a, 0, "%zu triangles, but %s has %zu", a->face_count, tail(path_b), b->face_count);
        good = good && same_topology(path_a, path_b, a, b, error) &&
               (io_weld_corners(a, b) || io_fail(error, path_a, 0, "out of memory"));
    } else if (good) {
        good = ((!a_is_stl || io_weld_corners(a, NULL)) && (!b_is_stl || io_weld_corners(b, NULL))) ||
               io_fail(error, path_a, 0, "out of memory");
        good = good && same_topology(path_a, path_b, a, b, error);
    }
    if (!good) {
        io_free_mesh(a);
        io_free_mesh(b);
    }
    return good;
}

bool io_read_mesh_pair(const char *path_a, const char *path_b, io_mesh *a, io_mesh *b, io_error *error) {
    *a = *b = (io_mesh){0};
    char *bytes[2] = {0};
    size_t size[2];
    bool good =
        io_read_file(path_a, &bytes[0], &size[0], error) && io_read_file(path_b, &bytes[1], &size[1], error) &&
        io_parse_mesh_pair((io_source){path_a, bytes[0], size[0]}, (io_source){path_b, bytes[1], size[1]}, a, b, error);
    free(bytes[0]);
    free(bytes[1]);
    return good;
}

static bool extend(void **items, size_t count, size_t more, size_t size) {
    if (count + more > IO_MAX_PRIMITIVES) return false;
    void *grown = realloc(*items, (count + more ? count + more : 1) * size);
    if (grown) *items = grown;
    return grown != NULL;
}

bool io_join_mesh(io_mesh *to, const io_mesh *more) {
    if (!extend((void **)&to->positions, to->vertex_count, more->vertex_count, sizeof *to->positions) ||
        !extend((void **)&to->faces, to->face_count, more->face_count, sizeof *to->faces) ||
        !extend((void **)&to->edges, to->edge_count, more->edge_count, sizeof *to->edges))
        return false;
    uint32_t before = (uint32_t)to->vertex_count;
    for (size_t i = 0; i < more->vertex_count; i++)
        memcpy(to->positions[to->vertex_count++], more->positions[i], sizeof *to->positions);
    for (size_t i = 0; i < more->face_count; i++, to->face_count++)
        for (int k = 0; k < 3; k++) to->faces[to->face_count][k] = more->faces[i][k] + before;
    for (size_t i = 0; i < more->edge_count; i++, to->edge_count++)
        for (int k = 0; k < 2; k++) to->edges[to->edge_count][k] = more->edges[i][k] + before;
    to->fanned += more->fanned;
    if (more->largest > to->largest) {
        to->largest = more->largest;
        to->largest_line = more->largest_line;
        to->largest_byte = more->largest_byte;
    }
    return true;
}

void io_free_mesh(io_mesh *mesh) {
    free(mesh->positions);
    free(mesh->faces);
    free(mesh->edges);
    *mesh = (io_mesh){0};
}
