#include "sim/reader/msh.h"

#include "app/app.h"
#include "io/file.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct node {
    uint64_t tag;
    sim_vector x;
} node;

typedef struct tetrahedron {
    uint64_t tag[4];
} tetrahedron;

typedef struct msh {
    const char *path, *text, *at;
    io_error *error;
    int version; /* 2 or 4 */
    SIM_LIST(node) nodes;
    SIM_LIST(tetrahedron) tetrahedra;
} msh;

/* ---- words and numbers ---- */

static bool fail(const msh *in, const char *what) {
    size_t line = 1;
    for (const char *c = in->text; c < in->at; c++) line += *c == '\n';
    return io_fail(in->error, in->path, line, "%s", what);
}

static bool read_number(msh *in, double *x) {
    char *end;
    *x = strtod(in->at, &end);
    if (end == in->at || !isfinite(*x)) return fail(in, "expected a number");
    in->at = end;
    return true;
}

static bool read_count(msh *in, uint64_t *n) {
    char *end;
    while (isspace((unsigned char)*in->at)) in->at++;
    if (!isdigit((unsigned char)*in->at)) return fail(in, "expected a count or a tag");
    *n = strtoull(in->at, &end, 10);
    in->at = end;
    return true;
}

static bool skip_counts(msh *in, uint64_t n) {
    uint64_t ignored;
    for (uint64_t i = 0; i < n; i++)
        if (!read_count(in, &ignored)) return false;
    return true;
}

/* Goes past a section's name; false with the error set when it is not there. */
static bool open_section(msh *in, const char *name) {
    const char *found = strstr(in->text, name);
    in->at = found ? found + strlen(name) : in->text;
    if (found) return true;
    io_fail(in->error, in->path, 0, "%s is missing", name);
    return false;
}

/* ---- nodes ---- */

static bool read_node(msh *in, uint64_t tag) {
    node n = {.tag = tag};
    for (int c = 0; c < 3; c++)
        if (!read_number(in, &n.x.c[c])) return false;
    SIM_PUSH(&in->nodes, n);
    return true;
}

static bool read_nodes_2(msh *in) {
    uint64_t count, tag;
    if (!read_count(in, &count)) return false;
    for (uint64_t i = 0; i < count; i++)
        if (!read_count(in, &tag) || !read_node(in, tag)) return false;
    return true;
}

static bool read_nodes_4(msh *in) {
    uint64_t blocks, parametric, count;
    if (!read_count(in, &blocks) || !skip_counts(in, 3)) return false;
    for (uint64_t b = 0; b < blocks; b++) {
        if (!skip_counts(in, 2) || !read_count(in, &parametric) || !read_count(in, &count)) return false;
        if (parametric) return fail(in, "nodes with parameters are not read");
        size_t first = in->nodes.count;
        for (uint64_t i = 0; i < count; i++) {
            node n = {0};
            if (!read_count(in, &n.tag)) return false;
            SIM_PUSH(&in->nodes, n);
        }
        for (size_t i = first; i < first + count; i++)
            for (int c = 0; c < 3; c++)
                if (!read_number(in, &in->nodes.items[i].x.c[c])) return false;
    }
    return true;
}

/* ---- elements ---- */

enum { TETRAHEDRON = 4 };

static bool read_tetrahedron(msh *in) {
    tetrahedron t;
    for (int k = 0; k < 4; k++)
        if (!read_count(in, &t.tag[k])) return false;
    SIM_PUSH(&in->tetrahedra, t);
    return true;
}

static void skip_line(msh *in) {
    while (*in->at && *in->at != '\n') in->at++;
}

static bool read_elements_2(msh *in) {
    uint64_t count, type, tags;
    if (!read_count(in, &count)) return false;
    for (uint64_t i = 0; i < count; i++) {
        if (!skip_counts(in, 1) || !read_count(in, &type) || !read_count(in, &tags) || !skip_counts(in, tags))
            return false;
        if (type == TETRAHEDRON && !read_tetrahedron(in)) return false;
        skip_line(in);
    }
    return true;
}

static bool read_elements_4(msh *in) {
    uint64_t blocks, type, count;
    if (!read_count(in, &blocks) || !skip_counts(in, 3)) return false;
    for (uint64_t b = 0; b < blocks; b++) {
        if (!skip_counts(in, 2) || !read_count(in, &type) || !read_count(in, &count)) return false;
        for (uint64_t i = 0; i < count; i++) {
            if (!skip_counts(in, 1)) return false;
            if (type == TETRAHEDRON && !read_tetrahedron(in)) return false;
            skip_line(in);
        }
    }
    return true;
}

/* ---- the shape ---- */

static int by_tag(const void *left, const void *right) {
    uint64_t a = ((const node *)left)->tag, b = ((const node *)right)->tag;
    return (a > b) - (a < b);
}

/* The place of each node that a tetrahedron uses, and the node at that place. */
static bool build(msh *in, sim_shape *shape) {
    size_t count = in->nodes.count;
    uint32_t *place = app_allocate(count + 1, sizeof *place);
    bool good = true;
    if (count) qsort(in->nodes.items, count, sizeof *in->nodes.items, by_tag);
    for (size_t i = 0; good && i < in->tetrahedra.count; i++) {
        sim_tetrahedron made;
        for (int k = 0; good && k < 4; k++) {
            node key = {.tag = in->tetrahedra.items[i].tag[k]};
            const node *n = count ? bsearch(&key, in->nodes.items, count, sizeof key, by_tag) : NULL;
            good = n || io_fail(in->error, in->path, 0, "tetrahedron %zu: there is no node %llu", i + 1,
                                (unsigned long long)key.tag);
            if (!good) break;
            uint32_t *at = &place[n - in->nodes.items];
            if (!*at) {
                SIM_PUSH(&shape->points, n->x);
                *at = (uint32_t)shape->points.count;
            }
            made.v[k] = *at - 1;
        }
        if (good) SIM_PUSH(&shape->tetrahedra, made);
    }
    free(place);
    return good;
}

static bool read_version(msh *in) {
    double version;
    uint64_t binary;
    if (!open_section(in, "$MeshFormat") || !read_number(in, &version) || !read_count(in, &binary)) return false;
    in->version = version == 4.1 ? 4 : version >= 2 && version < 3 ? 2 : 0;
    if (in->version == 0) return fail(in, "only MSH 2 and 4.1 are read here");
    return binary == 0 || fail(in, "tetrahedra are read from text only; save the file as text");
}

bool sim_read_msh(const char *path, sim_shape *shape, io_error *error) {
    char *text;
    size_t size;
    if (!io_read_regular_file(path, &text, &size, error)) return false;
    msh in = {.path = path, .text = text, .at = text, .error = error};
    bool good = read_version(&in);
    good = good && open_section(&in, "$Nodes") && (in.version == 2 ? read_nodes_2 : read_nodes_4)(&in);
    good = good && open_section(&in, "$Elements") && (in.version == 2 ? read_elements_2 : read_elements_4)(&in);
    if (good && in.tetrahedra.count == 0) good = io_fail(error, path, 0, "there are no tetrahedra in it");
    good = good && build(&in, shape);
    if (good) sim_shape_skin(shape);
    free(in.nodes.items);
    free(in.tetrahedra.items);
    free(text);
    return good;
}
