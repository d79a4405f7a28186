#include "sim/frames.h"

#include "app/folders.h"
#include "io/file.h"
#include "io/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *sim_frame_path(const char *folder, const char *name, uint32_t frame) {
    return app_text("%s/frames/%s_%u.ply", folder, name, (unsigned)frame);
}

/* ---- bytes ---- */

typedef struct bytes {
    unsigned char *at, *end;
} bytes;

static void put(bytes *out, uint64_t bits, int count) {
    for (int i = 0; i < count; i++) *out->at++ = (unsigned char)(bits >> 8 * i & 0xff);
}

static void put_double(bytes *out, double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    put(out, bits, 8);
}

static double get_double(bytes *in) {
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) bits |= (uint64_t)*in->at++ << 8 * i;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* ---- the file ---- */

static char *header(const sim_world *world) {
    return app_text("ply\nformat binary_little_endian 1.0\ncomment up y\n"
                    "element vertex %zu\nproperty double x\nproperty double y\nproperty double z\n"
                    "property double vx\nproperty double vy\nproperty double vz\n"
                    "element face %zu\nproperty list uchar int vertex_indices\n"
                    "element edge %zu\nproperty int vertex1\nproperty int vertex2\n"
                    "element inside %zu\nproperty double x\nproperty double y\nproperty double z\n"
                    "property double vx\nproperty double vy\nproperty double vz\nend_header\n",
                    world->outside, world->faces.count, world->edges.count, world->count - world->outside);
}

static void put_vertices(bytes *out, const sim_world *world, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        for (int c = 0; c < 3; c++) put_double(out, world->x[i][c]);
        for (int c = 0; c < 3; c++) put_double(out, world->v[i][c]);
    }
}

static void put_topology(bytes *out, const sim_world *world) {
    for (size_t i = 0; i < world->faces.count; i++) {
        put(out, 3, 1);
        for (int k = 0; k < 3; k++) put(out, world->faces.items[i].v[k], 4);
    }
    for (size_t i = 0; i < world->edges.count; i++)
        for (int k = 0; k < 2; k++) put(out, world->edges.items[i].v[k], 4);
}

/* The whole file in memory. */
static char *compose(const sim_world *world, size_t *size) {
    char *text = header(world);
    size_t head = strlen(text);
    *size = head + 48 * world->count + 13 * world->faces.count + 8 * world->edges.count;
    char *all = realloc(text, *size);
    if (!all) {
        free(text);
        return NULL;
    }
    bytes out = {(unsigned char *)all + head, NULL};
    put_vertices(&out, world, 0, world->outside);
    put_topology(&out, world);
    put_vertices(&out, world, world->outside, world->count);
    return all;
}

bool sim_frame_write(const char *path, const sim_world *world, io_error *error) {
    size_t size;
    io_output file;
    char *all = compose(world, &size);
    if (!all) return io_fail(error, path, 0, "out of memory");
    bool good = io_open_output(path, &file, error);
    if (good) {
        fwrite(all, 1, size, file.stream); /* closing tells whether it went well */
        good = io_close_output(&file, error);
    }
    free(all);
    return good;
}

static void get_vertices(bytes *in, sim_world *world, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        for (int c = 0; c < 3; c++) world->x[i][c] = get_double(in);
        for (int c = 0; c < 3; c++) world->v[i][c] = get_double(in);
    }
}

/* Header and topology must be what this world would write; then only the vertices differ. */
static bool same_scene(const char *file, const char *own, size_t size, const sim_world *world) {
    size_t inside = 48 * (world->count - world->outside);
    size_t topology = 13 * world->faces.count + 8 * world->edges.count, at = size - inside - topology;
    size_t head = at - 48 * world->outside;
    return memcmp(file, own, head) == 0 && memcmp(file + at, own + at, topology) == 0;
}

bool sim_frame_read(const char *path, sim_world *world, io_error *error) {
    char *file, *own;
    size_t size, expected;
    if (!io_read_file(path, &file, &size, error)) return false;
    io_forget_input(path); /* the run may have to make it anew */
    own = compose(world, &expected);
    bool good = own != NULL;
    if (!good) io_fail(error, path, 0, "out of memory");
    if (good && (size != expected || !same_scene(file, own, size, world)))
        good = io_fail(error, path, 0, "is not a complete frame of this scene and size");
    if (good) {
        bytes in = {(unsigned char *)file, NULL};
        size_t data = size - 48 * world->count - 13 * world->faces.count - 8 * world->edges.count;
        in.at += data;
        get_vertices(&in, world, 0, world->outside);
        in.at += 13 * world->faces.count + 8 * world->edges.count;
        get_vertices(&in, world, world->outside, world->count);
    }
    free(own);
    free(file);
    return good;
}
