/* STL, text and binary: a list of triangles without indices, and the welding of their corners. */
#include "io/mesh_builder.h"

#include <stdlib.h>
#include <string.h>

#define HEADER 84   /* bytes before the first triangle of a binary file: a title, then the count */
#define TRIANGLE 50 /* a normal and three corners as floats, two bytes of attributes */

static bool add_triangle(io_builder *builder) {
    size_t last = builder->mesh->vertex_count;
    for (size_t i = last - 3; i < last; i++)
        if (!io_build_corner(builder, (int64_t)i)) return false;
    return io_build_face(builder);
}

static bool read_binary(io_scan *scan, io_builder *builder, uint32_t count) {
    if (!io_scan_has_room(scan, count, TRIANGLE, "triangles")) return false;
    for (uint32_t i = 0; i < count; i++) {
        scan->at += 12;
        for (int k = 0; k < 3; k++) {
            double x[3];
            for (int c = 0; c < 3; c++) {
                float value;
                if (!io_scan_value(scan, "a coordinate", &value, sizeof value)) return false;
                x[c] = (double)value;
            }
            if (!io_build_vertex(builder, x)) return false;
        }
        scan->at += 2;
        if (!add_triangle(builder)) return false;
    }
    return true;
}

/* The lines of a facet: facet normal …, outer loop, three times vertex x y z, endloop, endfacet. */
static bool read_text(io_scan *scan, io_builder *builder) {
    int corners = -1;  /* of the loop under way; −1 outside */
    bool open = false; /* a solid whose endsolid has not come yet: without it triangles may be missing */
    while (io_scan_filled_line(scan, 0)) {
        io_word word;
        io_scan_word(scan, &word);
        if (io_word_is(word, "vertex")) {
            if (corners < 0 || corners == 3) return io_scan_fail(scan, "a vertex that belongs to no triangle");
            double x[3];
            for (int c = 0; c < 3; c++)
                if (!io_scan_number(scan, "a coordinate", &x[c])) return false;
            if (!io_build_vertex(builder, x)) return false;
            corners++;
        } else if (io_word_is(word, "outer")) {
            if (corners >= 0) return io_scan_fail(scan, "a loop begins within a loop");
            corners = 0;
        } else if (io_word_is(word, "endloop")) {
            if (corners != 3)
                return io_scan_fail(scan, "a facet with %d corners; it needs 3", corners < 0 ? 0 : corners);
            corners = -1;
            if (!add_triangle(builder)) return false;
        } else if (io_word_is(word, "solid") || io_word_is(word, "endsolid")) {
            open = io_word_is(word, "solid");
        } else if (!io_word_is(word, "facet") && !io_word_is(word, "endfacet")) {
            return io_scan_fail(scan, "expected facet, outer, vertex, endloop, endfacet, solid or endsolid");
        }
    }
    if (corners >= 0) return io_scan_fail(scan, "the file is cut off within a facet");
    return !open || io_scan_fail(scan, "the file is cut off: no endsolid");
}

bool io_read_stl(io_scan *scan, io_builder *builder) {
    const uint16_t one = 1;
    unsigned char low;
    memcpy(&low, &one, 1);
    size_t size = (size_t)(scan->end - scan->begin);
    uint32_t count = 0;
    bool text = scan->end - scan->at >= 5 && memcmp(scan->at, "solid", 5) == 0;
    if (size >= HEADER) {
        const unsigned char *bytes = (const unsigned char *)scan->begin + HEADER - 4;
        count = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
        /* binary titles may begin with "solid" too: then the size tells */
        if (size == HEADER + (uint64_t)count * TRIANGLE) text = false;
    }
    if (text) return read_text(scan, builder);
    scan->binary = true;
    scan->swap = low != 1;
    if (size < HEADER) return io_scan_fail(scan, "neither text that begins with solid nor a binary STL file");
    scan->at = scan->begin + HEADER;
    return read_binary(scan, builder, count);
}

/* ---- welding ---- */

static uint64_t mix(uint64_t hash, const double x[3]) {
    for (int c = 0; c < 3; c++) {
        uint64_t bits;
        memcpy(&bits, &x[c], sizeof bits);
        hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return hash;
}

static bool same_bits(const io_mesh *mesh, size_t i, size_t j) {
    return memcmp(mesh->positions[i], mesh->positions[j], sizeof *mesh->positions) == 0;
}

bool io_weld_corners(io_mesh *first, io_mesh *second) {
    size_t count = first->vertex_count, size = 16;
    while (size < 2 * count) size *= 2;
    uint32_t *table = malloc(size * sizeof *table); /* new vertices by the hash of their bits */
    uint32_t *renamed = malloc(count * sizeof *renamed);
    if (!table || !renamed) {
        free(table);
        free(renamed);
        return false;
    }
    memset(table, 0xff, size * sizeof *table);
    uint32_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t hash = mix(0, first->positions[i]);
        if (second) hash = mix(hash, second->positions[i]);
        size_t slot = (size_t)hash & (size - 1);
        while (table[slot] != UINT32_MAX &&
               !(same_bits(first, table[slot], i) && (!second || same_bits(second, table[slot], i))))
            slot = (slot + 1) & (size - 1);
        if (table[slot] == UINT32_MAX) {
            /* kept ≤ i: the new place was read already */
            memmove(first->positions[kept], first->positions[i], sizeof *first->positions);
            if (second) memmove(second->positions[kept], second->positions[i], sizeof *second->positions);
            table[slot] = kept++;
        }
        renamed[i] = table[slot];
    }
    io_mesh *frames[2] = {first, second};
    for (int m = 0; m < 2 && frames[m]; m++) {
        frames[m]->vertex_count = kept;
        for (size_t f = 0; f < frames[m]->face_count; f++)
            for (int k = 0; k < 3; k++) frames[m]->faces[f][k] = renamed[frames[m]->faces[f][k]];
    }
    free(table);
    free(renamed);
    return true;
}
