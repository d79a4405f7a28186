#define _POSIX_C_SOURCE 200809L

#include "io/ply_share.h"

#include "io/output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_MOST 65536
#define FACE_BYTES 13u
#define BLOCK 4096u /* elements that are read at once */

/* ---- the header ---- */

typedef struct header {
    char text[HEADER_MOST + 1];
    size_t size;
} header;

static bool is_little_endian(void) {
    const uint16_t one = 1;
    unsigned char low;
    memcpy(&low, &one, 1);
    return low == 1;
}

static uint32_t number_size(const char *type) {
    static const struct {
        const char *names[3];
        uint32_t size;
    } types[] = {{{"char", "uchar", "int8"}, 1}, {{"uint8", NULL, NULL}, 1},          {{"short", "ushort", "int16"}, 2},
                 {{"int", "uint", "int32"}, 4},  {{"uint32", "float", "float32"}, 4}, {{"double", "float64", NULL}, 8}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        for (int k = 0; k < 3 && types[i].names[k]; k++)
            if (!strcmp(type, types[i].names[k])) return types[i].size;
    return 0;
}

static bool is_float(const char *type) { return !strcmp(type, "float") || !strcmp(type, "float32"); }
static bool is_double(const char *type) { return !strcmp(type, "double") || !strcmp(type, "float64"); }

static bool take_vertex_property(const char *line, io_ply_plan *plan, bool seen[3]) {
    char type[16], name[32];
    if (sscanf(line, "property %15s %31s", type, name) != 2) return false;
    uint32_t size = number_size(type);
    if (!size) return false;
    for (int c = 0; c < 3; c++)
        if (name[0] == "xyz"[c] && !name[1]) {
            if (seen[c] || !(is_float(type) || is_double(type))) return false;
            seen[c] = true;
            plan->offsets[c] = plan->vertex_bytes;
            plan->floats[c] = is_float(type);
        }
    plan->vertex_bytes += size;
    return true;
}

static bool is_face_list(const char *line) {
    char count[16], type[16], name[32];
    if (sscanf(line, "property list %15s %15s %31s", count, type, name) != 3) return false;
    bool index = !strcmp(type, "int") || !strcmp(type, "uint") || !strcmp(type, "int32") || !strcmp(type, "uint32");
    bool listed = !strcmp(name, "vertex_indices") || !strcmp(name, "vertex_index");
    return (!strcmp(count, "uchar") || !strcmp(count, "uint8")) && index && listed;
}

/* Lines of the header, one after the other: vertices first, then faces. */
static bool take_line(const char *line, int *stage, io_ply_plan *plan, bool seen[4]) {
    unsigned long long count;
    if (!strncmp(line, "comment", 7) || !strncmp(line, "obj_info", 8)) return true;
    switch ((*stage)++) {
    case 0: return !strcmp(line, "ply");
    case 1:
        plan->swap = is_little_endian() == !strcmp(line, "format binary_big_endian 1.0");
        return !strcmp(line, "format binary_big_endian 1.0") || !strcmp(line, "format binary_little_endian 1.0");
    case 2:
        if (sscanf(line, "element vertex %llu", &count) != 1) return false;
        plan->vertex_count = count;
        return true;
    case 3:
        if (sscanf(line, "element face %llu", &count) == 1) {
            plan->face_count = count;
            return seen[0] && seen[1] && seen[2];
        }
        *stage = 3;
        return take_vertex_property(line, plan, seen);
    case 4: return seen[3] = is_face_list(line);
    }
    return false;
}

static bool take_header(header *head, io_ply_plan *plan) {
    int stage = 0;
    bool seen[4] = {false};
    for (char *line = head->text, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        if (!strcmp(line, "end_header")) {
            plan->vertices_at = (uint64_t)(end + 1 - head->text);
            return seen[3];
        }
        if (!take_line(line, &stage, plan, seen)) return false;
    }
    return false;
}

static bool fits(FILE *file, io_ply_plan *plan) {
    uint64_t most = UINT64_MAX / 64;
    if (plan->vertex_count > most / plan->vertex_bytes || plan->face_count > most / FACE_BYTES) return false;
    plan->faces_at = plan->vertices_at + plan->vertex_count * plan->vertex_bytes;
    uint64_t size = plan->faces_at + plan->face_count * FACE_BYTES;
    return !fseeko(file, 0, SEEK_END) && (uint64_t)ftello(file) == size && plan->vertex_count && plan->face_count;
}

bool io_plan_ply(const char *path, io_ply_plan *plan) {
    *plan = (io_ply_plan){.path = path};
    FILE *file = fopen(path, "rb");
    header *head = file ? malloc(sizeof *head) : NULL;
    bool plain = head != NULL;
    if (plain) {
        head->size = fread(head->text, 1, HEADER_MOST, file);
        head->text[head->size] = 0;
        plain = take_header(head, plan) && fits(file, plan);
    }
    free(head);
    if (file) fclose(file);
    if (plain) io_note_input(path);
    return plain;
}

/* ---- the data ---- */

/* `size` bytes as they lie in memory here. */
static void take_bytes(const io_ply_plan *plan, const unsigned char *bytes, void *value, size_t size) {
    unsigned char turned[8];
    for (size_t i = 0; i < size; i++) turned[i] = bytes[plan->swap ? size - 1 - i : i];
    memcpy(value, turned, size);
}

typedef bool take_element(const io_ply_plan *plan, const unsigned char *bytes, uint64_t index, void *to,
                          io_error *error);

/* Elements [begin, end) of `size` bytes each, from `at` on. */
static bool read_range(const io_ply_plan *plan, uint64_t at, uint64_t begin, uint64_t end, uint32_t size,
                       take_element *take, void *to, io_error *error) {
    FILE *file = fopen(plan->path, "rb");
    unsigned char *block = malloc((size_t)BLOCK * size);
    bool good = file && block && !fseeko(file, (off_t)(at + begin * size), SEEK_SET);
    if (!good) io_fail(error, plan->path, 0, "cannot be read");
    for (uint64_t i = begin; good && i < end;) {
        uint64_t count = end - i < BLOCK ? end - i : BLOCK;
        good = fread(block, size, (size_t)count, file) == count || io_fail(error, plan->path, 0, "the file is cut off");
        for (uint64_t k = 0; good && k < count; k++, i++)
            good = take(plan, block + k * size, i, (char *)to + (i - begin) * 24, error);
    }
    free(block);
    if (file) fclose(file);
    return good;
}

static bool take_vertex(const io_ply_plan *plan, const unsigned char *bytes, uint64_t index, void *to,
                        io_error *error) {
    double *x = to;
    for (int c = 0; c < 3; c++) {
        float single;
        if (plan->floats[c]) {
            take_bytes(plan, bytes + plan->offsets[c], &single, sizeof single);
            x[c] = single;
        } else {
            take_bytes(plan, bytes + plan->offsets[c], &x[c], sizeof x[c]);
        }
        if (!isfinite(x[c]))
            return io_fail(error, plan->path, 0, "vertex %llu: a coordinate is not finite", (unsigned long long)index);
    }
    return true;
}

static bool take_face(const io_ply_plan *plan, const unsigned char *bytes, uint64_t index, void *to, io_error *error) {
    uint64_t *corners = to;
    if (bytes[0] != 3)
        return io_fail(error, plan->path, 0, "face %llu has %u corners: shares are read of triangles alone",
                       (unsigned long long)index, bytes[0]);
    for (int k = 0; k < 3; k++) {
        uint32_t corner;
        take_bytes(plan, bytes + 1 + 4 * k, &corner, sizeof corner);
        if (corner >= plan->vertex_count)
            return io_fail(error, plan->path, 0, "face %llu: there is no vertex %u", (unsigned long long)index, corner);
        corners[k] = corner;
    }
    return true;
}

bool io_read_ply_vertices(const io_ply_plan *plan, uint64_t begin, uint64_t end, double (*positions)[3],
                          io_error *error) {
    return read_range(plan, plan->vertices_at, begin, end, plan->vertex_bytes, take_vertex, positions, error);
}

bool io_read_ply_faces(const io_ply_plan *plan, uint64_t begin, uint64_t end, uint64_t (*faces)[3], io_error *error) {
    return read_range(plan, plan->faces_at, begin, end, FACE_BYTES, take_face, faces, error);
}
