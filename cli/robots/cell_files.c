#include "cli/robots/cell_files.h"

#include "app/app.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool is_listed(const graze_swept_cell *cell) { return cell->state != GRAZE_CELL_OUTSIDE; }

/* ---- PLY ---- */

/* A side of a cell: where it is, and which cell has it. Two cells of one size that meet have the same. */
typedef struct side {
    double at[3], half;
    int axis;
    int32_t state;
    double sign;
} side;

static int by_place(const void *a, const void *b) {
    const side *x = a, *y = b;
    for (int c = 0; c < 3; c++)
        if (x->at[c] != y->at[c]) return x->at[c] < y->at[c] ? -1 : 1;
    if (x->axis != y->axis) return x->axis - y->axis;
    return (x->half > y->half) - (x->half < y->half);
}

static size_t list_sides(const graze_swept_cell *cells, size_t count, side *sides) {
    size_t made = 0;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 6 && is_listed(&cells[i]); k++) {
            side *s = &sides[made++];
            *s = (side){.half = cells[i].half, .axis = k / 2, .state = cells[i].state, .sign = k % 2 ? 1 : -1};
            memcpy(s->at, cells[i].center, sizeof s->at);
            s->at[s->axis] += s->sign * s->half;
        }
    return made;
}

/* Sides that two cells share are inside. */
static size_t drop_shared(side *sides, size_t count) {
    size_t kept = 0;
    if (count) qsort(sides, count, sizeof *sides, by_place);
    for (size_t i = 0; i < count; i++) {
        if (i + 1 < count && by_place(&sides[i], &sides[i + 1]) == 0)
            i++;
        else
            sides[kept++] = sides[i];
    }
    return kept;
}

static void put_corners(FILE *out, const side *s) {
    static const double around[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int k = 0; k < 4; k++) {
        double x[3] = {s->at[0], s->at[1], s->at[2]};
        x[(s->axis + 1) % 3] += s->half * around[k][0];
        x[(s->axis + 2) % 3] += s->half * around[k][1];
        fprintf(out, "%.17g %.17g %.17g\n", x[0], x[1], x[2]);
    }
}

bool cli_write_cells_ply(FILE *out, const graze_swept_cell *cells, size_t count) {
    size_t listed = 0;
    for (size_t i = 0; i < count; i++) listed += is_listed(&cells[i]);
    side *sides = app_allocate(6 * listed, sizeof *sides);
    size_t made = drop_shared(sides, list_sides(cells, count, sides));
    if (made > 1u << 28) return false;
    fprintf(out,
            "ply\nformat ascii 1.0\nelement vertex %zu\nproperty double x\nproperty double y\nproperty double z\n"
            "element face %zu\nproperty list uchar int vertex_indices\nproperty uchar red\nproperty uchar green\n"
            "property uchar blue\nend_header\n",
            4 * made, made);
    for (size_t i = 0; i < made; i++) put_corners(out, &sides[i]);
    for (size_t i = 0; i < made; i++) {
        size_t v = 4 * i;
        bool flip = sides[i].sign < 0;
        fprintf(out, "4 %zu %zu %zu %zu %s\n", v, v + (flip ? 3 : 1), v + 2, v + (flip ? 1 : 3),
                sides[i].state == GRAZE_CELL_TOUCHED ? "210 60 50" : "240 200 60");
    }
    free(sides);
    return true;
}

/* ---- NPZ: a ZIP archive without compression ---- */

typedef struct entry {
    const char *name;
    unsigned char *bytes; /* the header of NPY, then the numbers */
    size_t size, offset;
    uint32_t check;
} entry;

static uint32_t crc32_of(const unsigned char *bytes, size_t size) {
    uint32_t table[256], crc = 0xffffffffu;
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int k = 0; k < 8; k++) table[i] = table[i] & 1 ? 0xedb88320u ^ table[i] >> 1 : table[i] >> 1;
    }
    for (size_t i = 0; i < size; i++) crc = table[(crc ^ bytes[i]) & 0xff] ^ crc >> 8;
    return ~crc;
}

/* Little-endian, whatever the machine is. */
static void put_whole(unsigned char *to, uint64_t x, int bytes) {
    for (int k = 0; k < bytes; k++) to[k] = (unsigned char)(x >> 8 * k);
}

static void put_double(unsigned char *to, double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    put_whole(to, bits, 8);
}

/* An array with room for its numbers, which begin at byte 128. */
static entry open_entry(const char *name, const char *kind, size_t count, const char *columns, size_t bytes) {
    entry e = {.name = name, .size = 128 + bytes};
    char head[119];
    e.bytes = app_allocate(e.size, 1);
    memcpy(e.bytes, "\x93NUMPY\x01\x00\x76\x00", 10);
    memset(head, ' ', sizeof head);
    int used = snprintf(head, sizeof head, "{'descr': '%s', 'fortran_order': False, 'shape': (%zu,%s), }", kind, count,
                        columns);
    head[used] = ' ';
    memcpy(e.bytes + 10, head, 117);
    e.bytes[127] = '\n';
    return e;
}

static void put_head(unsigned char *to, const entry *e) {
    put_whole(to, 20, 2);       /* version; no flags, no compression, no time */
    put_whole(to + 8, 0x21, 2); /* the first day that a date can say */
    put_whole(to + 10, e->check, 4);
    put_whole(to + 14, e->size, 4);
    put_whole(to + 18, e->size, 4);
    put_whole(to + 22, strlen(e->name), 2);
}

static size_t put_entry(FILE *out, entry *e, size_t offset) {
    unsigned char head[30] = "PK\x03\x04";
    e->offset = offset;
    e->check = crc32_of(e->bytes, e->size);
    put_head(head + 4, e);
    fwrite(head, 1, sizeof head, out);
    fputs(e->name, out);
    fwrite(e->bytes, 1, e->size, out);
    return offset + sizeof head + strlen(e->name) + e->size;
}

static size_t put_directory(FILE *out, const entry *e) {
    unsigned char head[46] = "PK\x01\x02\x14";
    put_head(head + 6, e);
    put_whole(head + 42, e->offset, 4);
    fwrite(head, 1, sizeof head, out);
    fputs(e->name, out);
    return sizeof head + strlen(e->name);
}

static void put_archive(FILE *out, entry *entries, int count) {
    size_t offset = 0, directory = 0;
    for (int i = 0; i < count; i++) offset = put_entry(out, &entries[i], offset);
    for (int i = 0; i < count; i++) directory += put_directory(out, &entries[i]);
    unsigned char end[22] = "PK\x05\x06";
    put_whole(end + 8, (uint64_t)count, 2);
    put_whole(end + 10, (uint64_t)count, 2);
    put_whole(end + 12, directory, 4);
    put_whole(end + 16, offset, 4);
    fwrite(end, 1, sizeof end, out);
}

bool cli_write_cells_npz(FILE *out, const graze_swept_cell *cells, size_t count) {
    if (count > 1u << 26) return false;
    entry entries[3] = {open_entry("center.npy", "<f8", count, " 3", 24 * count),
                        open_entry("side.npy", "<f8", count, "", 8 * count),
                        open_entry("state.npy", "|u1", count, "", count)};
    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0; c < 3; c++) put_double(entries[0].bytes + 128 + 24 * i + 8 * c, cells[i].center[c]);
        put_double(entries[1].bytes + 128 + 8 * i, 2 * cells[i].half);
        entries[2].bytes[128 + i] = (unsigned char)cells[i].state;
    }
    put_archive(out, entries, 3);
    for (int k = 0; k < 3; k++) free(entries[k].bytes);
    return true;
}
