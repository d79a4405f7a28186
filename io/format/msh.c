/* Gmsh MSH 2 and 4, text and binary: nodes, triangles and quads. Points, lines and volumes are skipped; nodes that only
   volumes use are not part of the surface and are left out. */
#include "io/mesh_builder.h"

#include <stdlib.h>
#include <string.h>

typedef struct node_tag {
    int64_t tag;
    uint32_t vertex;
    uint8_t of_surface, of_volume;
} node_tag;

typedef struct msh {
    io_scan *scan;
    io_builder *builder;
    int major, minor;
    bool binary;
    int size_width; /* bytes of a count or tag in MSH 4 binary */
    node_tag *nodes;
    size_t node_count, node_capacity;
} msh;

/* Number of nodes and dimension of each element type; 0 nodes: no such type. */
static const struct {
    unsigned char nodes, dimension;
} element_types[] = {
    [1] = {2, 1},   [2] = {3, 2},   [3] = {4, 2},   [4] = {4, 3},   [5] = {8, 3},    [6] = {6, 3},   [7] = {5, 3},
    [8] = {3, 1},   [9] = {6, 2},   [10] = {9, 2},  [11] = {10, 3}, [12] = {27, 3},  [13] = {18, 3}, [14] = {14, 3},
    [15] = {1, 0},  [16] = {8, 2},  [17] = {20, 3}, [18] = {15, 3}, [19] = {13, 3},  [20] = {9, 2},  [21] = {10, 2},
    [22] = {12, 2}, [23] = {15, 2}, [24] = {15, 2}, [25] = {21, 2}, [26] = {4, 1},   [27] = {5, 1},  [28] = {6, 1},
    [29] = {20, 3}, [30] = {35, 3}, [31] = {56, 3}, [92] = {64, 3}, [93] = {125, 3},
};
#define TYPE_COUNT (sizeof element_types / sizeof *element_types)
enum { TRIANGLE = 2, QUAD = 3 };

/* ---- values, text or binary ---- */

static bool read_int(msh *in, int width, const char *what, int64_t *value) {
    if (!in->binary) return io_scan_integer(in->scan, what, value);
    if (width == 4) {
        int32_t bits;
        if (!io_scan_value(in->scan, what, &bits, sizeof bits)) return false;
        *value = bits;
        return true;
    }
    return io_scan_value(in->scan, what, value, sizeof *value);
}

static bool read_count(msh *in, int width, const char *what, uint64_t least_bytes, int64_t *count) {
    if (!read_int(in, width, what, count)) return false;
    if (*count < 0) return io_scan_fail(in->scan, "%s is negative", what);
    return io_scan_has_room(in->scan, (uint64_t)*count, least_bytes, "items");
}

static bool read_double(msh *in, double *x) {
    if (!in->binary) return io_scan_number(in->scan, "a coordinate", x);
    return io_scan_value(in->scan, "a coordinate", x, sizeof *x);
}

static bool next_line(msh *in) {
    return io_scan_line(in->scan) || io_scan_fail(in->scan, "the file is cut off: expected a line of numbers");
}

/* Binary data follows the line end of the text before it. */
static void begin_data(msh *in) {
    io_scan *scan = in->scan;
    if (in->binary) {
        io_scan_end_line(scan);
        scan->binary = true;
    }
    io_scan_join_lines(scan);
}

/* ---- nodes ---- */

static bool add_node(msh *in, int64_t tag, const double x[3]) {
    if (!io_build_grow(in->builder, (void **)&in->nodes, &in->node_capacity, in->node_count, sizeof *in->nodes))
        return false;
    in->nodes[in->node_count++] = (node_tag){.tag = tag, .vertex = (uint32_t)in->builder->mesh->vertex_count};
    return io_build_vertex(in->builder, x);
}

static bool read_node(msh *in, int64_t tag, int parameters) {
    double x[3], ignored;
    for (int c = 0; c < 3; c++)
        if (!read_double(in, &x[c])) return false;
    for (int c = 0; c < parameters; c++)
        if (!read_double(in, &ignored)) return false;
    return add_node(in, tag, x);
}

static bool read_nodes_2(msh *in) {
    int64_t count, tag;
    if (in->binary) { /* the count is text */
        if (!next_line(in) || !io_scan_integer(in->scan, "the number of nodes", &count)) return false;
        if (count < 0) return io_scan_fail(in->scan, "the number of nodes is negative");
        begin_data(in);
        if (!io_scan_has_room(in->scan, (uint64_t)count, 28, "nodes")) return false;
    } else {
        begin_data(in);
        if (!read_count(in, 4, "the number of nodes", 8, &count)) return false;
    }
    for (int64_t i = 0; i < count; i++)
        if (!read_int(in, 4, "a node tag", &tag) || !read_node(in, tag, 0)) return false;
    return true;
}

static bool read_nodes_4(msh *in) {
    begin_data(in);
    int64_t blocks, count, ignored, dimension, parametric, in_block;
    int wide = in->size_width, tag_width = in->minor == 0 ? 4 : wide;
    if (!read_count(in, wide, "the number of node blocks", 8, &blocks) ||
        !read_count(in, wide, "the number of nodes", in->binary ? 28 : 8, &count))
        return false;
    if (in->minor > 0 && !(read_int(in, wide, "a tag", &ignored) && read_int(in, wide, "a tag", &ignored)))
        return false;
    for (int64_t b = 0; b < blocks; b++) {
        int64_t head[2]; /* 4.0: tag, dimension; 4.1: dimension, tag */
        if (!read_int(in, 4, "an entity", &head[0]) || !read_int(in, 4, "an entity", &head[1]) ||
            !read_int(in, 4, "whether nodes have parameters", &parametric) ||
            !read_count(in, wide, "the number of nodes", in->binary ? 28 : 8, &in_block))
            return false;
        dimension = head[in->minor == 0 ? 1 : 0];
        if (dimension < 0 || dimension > 3)
            return io_scan_fail(in->scan, "an entity of dimension %lld", (long long)dimension);
        int parameters = parametric ? (int)dimension : 0;
        if (in->minor == 0) {
            for (int64_t i = 0; i < in_block; i++) {
                int64_t tag;
                if (!read_int(in, tag_width, "a node tag", &tag) || !read_node(in, tag, parameters)) return false;
            }
            continue;
        }
        /* the tags of a block come before its coordinates */
        int64_t *tags = malloc((size_t)(in_block ? in_block : 1) * sizeof *tags);
        if (!tags) return io_scan_fail(in->scan, "out of memory");
        bool good = true;
        for (int64_t i = 0; good && i < in_block; i++) good = read_int(in, tag_width, "a node tag", &tags[i]);
        for (int64_t i = 0; good && i < in_block; i++) good = read_node(in, tags[i], parameters);
        free(tags);
        if (!good) return false;
    }
    return true;
}

static int by_tag(const void *a, const void *b) {
    int64_t x = ((const node_tag *)a)->tag, y = ((const node_tag *)b)->tag;
    return (x > y) - (x < y);
}

static bool sort_nodes(msh *in) {
    if (in->node_count) qsort(in->nodes, in->node_count, sizeof *in->nodes, by_tag);
    for (size_t i = 1; i < in->node_count; i++)
        if (in->nodes[i].tag == in->nodes[i - 1].tag)
            return io_scan_fail(in->scan, "node tag %lld occurs twice", (long long)in->nodes[i].tag);
    return true;
}

/* ---- elements ---- */

static bool read_element(msh *in, int64_t type, int node_width) {
    for (int k = 0; k < element_types[type].nodes; k++) {
        node_tag wanted;
        if (!read_int(in, node_width, "a node tag", &wanted.tag)) return false;
        if (element_types[type].dimension < 2) continue;
        node_tag *found = in->node_count ? bsearch(&wanted, in->nodes, in->node_count, sizeof wanted, by_tag) : NULL;
        if (!found)
            return io_scan_fail(in->scan, "an element names node %lld, which does not exist", (long long)wanted.tag);
        if (element_types[type].dimension == 2) {
            found->of_surface = 1;
            if (!io_build_corner(in->builder, found->vertex)) return false;
        } else {
            found->of_volume = 1;
        }
    }
    return element_types[type].dimension != 2 || io_build_face(in->builder);
}

static bool check_type(msh *in, int64_t type) {
    if (type < 1 || type >= (int64_t)TYPE_COUNT || element_types[type].nodes == 0)
        return io_scan_fail(in->scan, "element type %lld is unknown", (long long)type);
    if (element_types[type].dimension == 2 && type != TRIANGLE && type != QUAD)
        return io_scan_fail(in->scan, "element type %lld is a curved face; only flat triangles and quads are read",
                            (long long)type);
    return true;
}

static bool read_tags(msh *in, int64_t tags) {
    int64_t ignored;
    for (int64_t k = 0; k < tags; k++)
        if (!read_int(in, 4, "an element's tag", &ignored)) return false;
    return true;
}

static bool read_elements_2(msh *in) {
    int64_t count, type, tags, ignored;
    if (!in->binary) {
        begin_data(in);
        if (!read_count(in, 4, "the number of elements", 8, &count)) return false;
        for (int64_t i = 0; i < count; i++)
            if (!read_int(in, 4, "an element's number", &ignored) || !read_int(in, 4, "an element type", &type) ||
                !check_type(in, type) || !read_count(in, 4, "the number of tags", 2, &tags) || !read_tags(in, tags) ||
                !read_element(in, type, 4))
                return false;
        return true;
    }
    if (!next_line(in) || !io_scan_integer(in->scan, "the number of elements", &count)) return false;
    begin_data(in);
    for (int64_t done = 0; done < count;) {
        int64_t in_block;
        if (!read_int(in, 4, "an element type", &type) || !check_type(in, type) ||
            !read_count(in, 4, "the number of elements", 8, &in_block) ||
            !read_count(in, 4, "the number of tags", 4, &tags))
            return false;
        if (in_block == 0) return io_scan_fail(in->scan, "a block without elements");
        for (int64_t i = 0; i < in_block; i++)
            if (!read_int(in, 4, "an element's number", &ignored) || !read_tags(in, tags) || !read_element(in, type, 4))
                return false;
        done += in_block;
    }
    return true;
}

static bool read_elements_4(msh *in) {
    begin_data(in);
    int64_t blocks, count, ignored, type, in_block;
    int wide = in->size_width, tag_width = in->minor == 0 ? 4 : wide;
    if (!read_count(in, wide, "the number of element blocks", 8, &blocks) ||
        !read_count(in, wide, "the number of elements", 4, &count))
        return false;
    if (in->minor > 0 && !(read_int(in, wide, "a tag", &ignored) && read_int(in, wide, "a tag", &ignored)))
        return false;
    for (int64_t b = 0; b < blocks; b++) {
        if (!read_int(in, 4, "an entity", &ignored) || !read_int(in, 4, "an entity", &ignored) ||
            !read_int(in, 4, "an element type", &type) || !check_type(in, type) ||
            !read_count(in, wide, "the number of elements", 4, &in_block))
            return false;
        for (int64_t i = 0; i < in_block; i++)
            if (!read_int(in, tag_width, "an element's tag", &ignored) || !read_element(in, type, tag_width))
                return false;
    }
    return true;
}

/* ---- the file ---- */

static bool read_format(msh *in) {
    io_scan *scan = in->scan;
    double version;
    int64_t binary, width;
    if (!next_line(in) || !io_scan_number(scan, "the version", &version) ||
        !io_scan_integer(scan, "0 (text) or 1 (binary)", &binary) ||
        !io_scan_integer(scan, "the width of a number", &width))
        return false;
    in->major = version >= 4 && version < 5 ? 4 : version >= 2 && version < 3 ? 2 : 0;
    in->minor = version >= 4.05 ? 1 : 0;
    if (in->major == 0) return io_scan_fail(scan, "version %g; MSH 2 and 4 are read", version);
    if (width != 8 && !(width == 4 && in->major == 4))
        return io_scan_fail(scan, "numbers of %lld bytes; 8 are read", (long long)width);
    in->size_width = (int)width;
    in->binary = binary == 1;
    if (!in->binary) return true;
    io_scan_end_line(scan);
    int32_t one;
    if (!io_scan_value(scan, "the number one", &one, sizeof one)) return false;
    scan->swap = one != 1;
    if (one != 1 && one != 0x01000000) return io_scan_fail(scan, "the byte order cannot be told");
    scan->stop = scan->at; /* the rest of this line is empty */
    return true;
}

/* Goes behind the $End line of a section. */
static bool end_section(msh *in, const char *name, size_t length) {
    io_scan *scan = in->scan;
    char wanted[80] = "$End";
    memcpy(wanted + 4, name, length);
    wanted[4 + length] = '\0';
    for (const char *at = scan->at; at < scan->end; at++) {
        at = memchr(at, '$', (size_t)(scan->end - at));
        if (!at) break;
        if ((size_t)(scan->end - at) >= length + 4 && memcmp(at, wanted, length + 4) == 0) {
            io_scan_skip_to(scan, at);
            scan->stop = scan->at;
            scan->binary = false;
            return true;
        }
    }
    return io_scan_fail(scan, "the file is cut off: no %s", wanted);
}

static bool read_sections(msh *in) {
    io_scan *scan = in->scan;
    bool have_format = false, have_nodes = false, have_elements = false;
    while (io_scan_filled_line(scan, 0)) {
        io_word word;
        io_scan_word(scan, &word);
        if (word.text[0] != '$' || word.length > 60 || word.length < 2)
            return io_scan_fail(scan, "expected a section, as $Nodes");
        if (!have_format && !io_word_is(word, "$MeshFormat"))
            return io_scan_fail(scan, "not an MSH file of version 2 or 4: it does not begin with $MeshFormat");
        bool good = true;
        if (io_word_is(word, "$MeshFormat")) {
            good = read_format(in);
            have_format = true;
        } else if (io_word_is(word, "$Nodes")) {
            if (have_nodes) return io_scan_fail(scan, "a second section $Nodes");
            good = (in->major == 2 ? read_nodes_2(in) : read_nodes_4(in)) && sort_nodes(in);
            have_nodes = true;
        } else if (io_word_is(word, "$Elements")) {
            if (!have_nodes) return io_scan_fail(scan, "elements before the nodes");
            if (have_elements) return io_scan_fail(scan, "a second section $Elements");
            good = in->major == 2 ? read_elements_2(in) : read_elements_4(in);
            have_elements = true;
        }
        if (!good || !end_section(in, word.text + 1, word.length - 1)) return false;
    }
    return have_format || io_fail(scan->error, scan->path, 0, "the file is empty");
}

/* Leaves out the nodes within volumes; what is left keeps its order. */
static bool drop_inner_nodes(msh *in) {
    io_mesh *mesh = in->builder->mesh;
    if (mesh->vertex_count == 0) return true;
    uint32_t *renamed = calloc(mesh->vertex_count, sizeof *renamed);
    if (!renamed) return io_scan_fail(in->scan, "out of memory");
    for (size_t i = 0; i < in->node_count; i++)
        if (in->nodes[i].of_volume && !in->nodes[i].of_surface) renamed[in->nodes[i].vertex] = UINT32_MAX;
    uint32_t kept = 0;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        if (renamed[i] == UINT32_MAX) continue;
        memmove(mesh->positions[kept], mesh->positions[i], sizeof *mesh->positions);
        renamed[i] = kept++;
    }
    for (size_t f = 0; f < mesh->face_count; f++)
        for (int k = 0; k < 3; k++) mesh->faces[f][k] = renamed[mesh->faces[f][k]];
    in->builder->largest_index = 0; /* every index was looked up above */
    mesh->vertex_count = kept;
    free(renamed);
    return true;
}

bool io_read_msh(io_scan *scan, io_builder *builder) {
    msh in = {.scan = scan, .builder = builder};
    bool good = read_sections(&in) && drop_inner_nodes(&in);
    free(in.nodes);
    return good;
}
