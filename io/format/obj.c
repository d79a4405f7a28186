/* Wavefront OBJ: v, f and l; everything else is skipped. */
#include "io/mesh_builder.h"

/* "7", "7/1", "7//3", "7/1/3", "-1": the vertex, counted from 0. */
static bool vertex_of(io_scan *scan, io_word word, size_t vertex_count, int64_t *index) {
    for (size_t i = 0; i < word.length; i++)
        if (word.text[i] == '/') {
            word.length = i;
            break;
        }
    if (!io_word_integer(scan, word, "a vertex index", index)) return false;
    if (*index == 0) return io_scan_fail(scan, "vertex index 0: OBJ counts from 1");
    if (*index > 0) {
        (*index)--;
        return true;
    }
    *index += (int64_t)vertex_count; /* −1 is the vertex above */
    return *index >= 0 || io_scan_fail(scan, "vertex index %lld is out of range: there are %zu vertices so far",
                                       (long long)(*index - (int64_t)vertex_count), vertex_count);
}

static bool next_word(io_scan *scan, io_word *word) {
    while (io_scan_word(scan, word)) {
        if (!io_word_is(*word, "\\")) return true;
        if (!io_scan_line(scan)) return false; /* a backslash joins the next line */
    }
    return false;
}

static bool read_vertex(io_scan *scan, io_builder *builder) {
    double x[3];
    for (int c = 0; c < 3; c++) {
        io_word word;
        if (!next_word(scan, &word)) return io_scan_fail(scan, "expected three coordinates, the line ends");
        if (!io_word_number(scan, word, "a coordinate", &x[c])) return false;
    }
    return io_build_vertex(builder, x); /* a weight or a color may follow */
}

static bool read_face(io_scan *scan, io_builder *builder) {
    io_word word;
    int64_t index;
    while (next_word(scan, &word))
        if (!vertex_of(scan, word, builder->mesh->vertex_count, &index) || !io_build_corner(builder, index))
            return false;
    return io_build_face(builder);
}

static bool read_polyline(io_scan *scan, io_builder *builder) {
    io_word word;
    int64_t index, before = -1;
    for (int i = 0; next_word(scan, &word); i++) {
        if (!vertex_of(scan, word, builder->mesh->vertex_count, &index)) return false;
        if (i > 0 && !io_build_edge(builder, before, index)) return false;
        before = index;
    }
    return true;
}

bool io_read_obj(io_scan *scan, io_builder *builder) {
    while (io_scan_filled_line(scan, '#')) {
        io_word word;
        io_scan_word(scan, &word);
        bool good = true;
        if (io_word_is(word, "v")) good = read_vertex(scan, builder);
        if (io_word_is(word, "f")) good = read_face(scan, builder);
        if (io_word_is(word, "l")) good = read_polyline(scan, builder);
        if (!good) return false;
    }
    return true;
}
