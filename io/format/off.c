/* OFF as text, with or without normals, colors and texture coordinates after the position. */
#include "io/mesh_builder.h"

#include <string.h>

/* OFF, COFF, NOFF, STOFF, …: letters before OFF announce what follows a position. */
static bool is_keyword(io_word word) {
    return word.length >= 3 && word.length <= 8 && memcmp(word.text + word.length - 3, "OFF", 3) == 0;
}

static bool read_counts(io_scan *scan, int64_t *vertices, int64_t *faces) {
    if (!io_scan_integer(scan, "the number of vertices", vertices) ||
        !io_scan_integer(scan, "the number of faces", faces))
        return false;
    if (*vertices < 0 || *faces < 0) return io_scan_fail(scan, "a negative number of vertices or faces");
    return io_scan_has_room(scan, (uint64_t)*vertices, 6, "vertices") &&
           io_scan_has_room(scan, (uint64_t)*faces, 8, "faces");
}

bool io_read_off(io_scan *scan, io_builder *builder) {
    if (!io_scan_filled_line(scan, '#')) return io_fail(scan->error, scan->path, 0, "the file is empty");
    io_word word;
    const char *start = scan->at;
    io_scan_word(scan, &word);
    if (is_keyword(word)) {
        if (word.text[0] == '4' || word.text[0] == 'n')
            return io_scan_fail(scan, "an OFF file of four or n dimensions; three are read");
        io_word next;
        const char *after = scan->at;
        if (io_scan_word(scan, &next) && io_word_is(next, "BINARY"))
            return io_scan_fail(scan, "a binary OFF file; only text is read");
        scan->at = after;
        if (io_scan_at_stop(scan) && !io_scan_filled_line(scan, '#'))
            return io_scan_fail(scan, "expected the numbers of vertices and faces, the file ends");
    } else {
        scan->at = start; /* the keyword may be left out */
    }
    int64_t vertices, faces;
    if (!read_counts(scan, &vertices, &faces)) return false;
    for (int64_t i = 0; i < vertices; i++) {
        double x[3];
        if (!io_scan_filled_line(scan, '#'))
            return io_scan_fail(scan, "the file is cut off: %lld of %lld vertices", (long long)i, (long long)vertices);
        for (int c = 0; c < 3; c++)
            if (!io_scan_number(scan, "a coordinate", &x[c])) return false;
        if (!io_build_vertex(builder, x)) return false;
    }
    for (int64_t i = 0; i < faces; i++) {
        int64_t corners, index;
        if (!io_scan_filled_line(scan, '#'))
            return io_scan_fail(scan, "the file is cut off: %lld of %lld faces", (long long)i, (long long)faces);
        if (!io_scan_integer(scan, "the number of corners", &corners)) return false;
        for (int64_t k = 0; k < corners; k++)
            if (!io_scan_integer(scan, "a vertex index", &index) || !io_build_corner(builder, index)) return false;
        if (!io_build_face(builder)) return false; /* a color may follow */
    }
    return true;
}
