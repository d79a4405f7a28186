/* COLLADA (.dae): the triangles of all geometries, where the visual scene puts them, in metres. The direction that the
   file calls up is not read, as robot tools do not. */
#include "cli/robot.h"

#include <stdlib.h>
#include <string.h>

#if !defined(GRAZE_HAVE_XML)

io_mesh cli_read_collada(const char *path) {
    cli_fail("%s: this build reads no COLLADA (it was made without libxml2)", path);
}

#else

#include "cli/xml.h"

#include <math.h>

typedef struct transform {
    double m[3][4];
} transform;

typedef struct collada {
    const char *path;
    xmlNode *root;
    io_mesh mesh;
    size_t vertex_room, face_room;
} collada;

/* ---- numbers ---- */

/* All numbers of an element's text; free them. */
static double *numbers_in(const collada *file, xmlNode *node, size_t *count) {
    xmlChar *text = xmlNodeGetContent(node);
    size_t room = 16;
    double *list = cli_allocate(room, sizeof *list);
    *count = 0;
    for (char *at = (char *)text, *end;; at = end) {
        double x = strtod(at, &end);
        if (end == at) break;
        if (!isfinite(x)) cli_fail("%s:%ld: a number that is not finite", file->path, xmlGetLineNo(node));
        if (*count == room) list = realloc(list, (room *= 2) * sizeof *list);
        if (!list) cli_fail("out of memory");
        list[(*count)++] = x;
    }
    xmlFree(text);
    return list;
}

static size_t index_of(xmlNode *node, const char *name) {
    char *value = cli_xml_attribute(node, name);
    size_t index = value ? strtoul(value, NULL, 10) : 0;
    free(value);
    return index;
}

/* The element below `node`, at any depth, that a reference "#id" means. */
static xmlNode *find_id(xmlNode *node, const char *id) {
    for (; node; node = node->next) {
        if (node->type != XML_ELEMENT_NODE) continue;
        char *own = cli_xml_attribute(node, "id");
        bool found = own && strcmp(own, id) == 0;
        free(own);
        xmlNode *below = found ? node : find_id(node->children, id);
        if (below) return below;
    }
    return NULL;
}

static xmlNode *follow(const collada *file, xmlNode *node, const char *name) {
    char *reference = cli_xml_attribute(node, name);
    xmlNode *target = reference && reference[0] == '#' ? find_id(file->root, reference + 1) : NULL;
    if (!target) cli_fail("%s:%ld: refers to nothing in this file", file->path, xmlGetLineNo(node));
    free(reference);
    return target;
}

/* ---- transforms ---- */

static transform product(const transform *a, const transform *b) {
    transform p;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            p.m[i][j] =
                a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j] + (j == 3 ? a->m[i][3] : 0);
    return p;
}

static transform scaling(double x, double y, double z) { return (transform){{{x}, {0, y}, {0, 0, z}}}; }

/* About an axis by degrees, from the half angle. */
static transform rotation(const double v[4]) {
    double angles[3] = {v[3] * 0.017453292519943295, 0, 0}, zero[3] = {0, 0, 0};
    graze_frame half = graze_frame_of_angles(zero, angles);
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (!(length > 0)) return scaling(1, 1, 1);
    double w = half.rotation[0], x = half.rotation[1] * v[0] / length, y = half.rotation[1] * v[1] / length,
           z = half.rotation[1] * v[2] / length;
    return (transform){{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                        {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                        {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

/* What one child of a <node> adds to its transform; false for children that are none. */
static bool read_transform(const collada *file, xmlNode *node, transform *t) {
    static const struct {
        const char *name;
        size_t count;
    } kinds[] = {{"matrix", 16}, {"translate", 3}, {"scale", 3}, {"rotate", 4}};
    for (int k = 0; k < 4; k++) {
        if (!cli_xml_is(node, kinds[k].name)) continue;
        size_t count;
        double *v = numbers_in(file, node, &count);
        if (count != kinds[k].count)
            cli_fail("%s:%ld: not %zu numbers", file->path, xmlGetLineNo(node), kinds[k].count);
        *t = scaling(1, 1, 1);
        if (k == 0) memcpy(t->m, v, sizeof t->m);
        for (int i = 0; k == 1 && i < 3; i++) t->m[i][3] = v[i];
        if (k == 2) *t = scaling(v[0], v[1], v[2]);
        if (k == 3) *t = rotation(v);
        free(v);
        return true;
    }
    return false;
}

/* ---- geometry ---- */

static uint32_t add_vertex(collada *file, const transform *t, const double x[3]) {
    io_mesh *mesh = &file->mesh;
    if (mesh->vertex_count == file->vertex_room) {
        file->vertex_room = 2 * file->vertex_room + 64;
        mesh->positions = realloc(mesh->positions, file->vertex_room * sizeof *mesh->positions);
        if (!mesh->positions) cli_fail("out of memory");
    }
    double *to = mesh->positions[mesh->vertex_count];
    for (int i = 0; i < 3; i++) to[i] = t->m[i][0] * x[0] + t->m[i][1] * x[1] + t->m[i][2] * x[2] + t->m[i][3];
    return (uint32_t)mesh->vertex_count++;
}

static void add_face(collada *file, uint32_t a, uint32_t b, uint32_t c) {
    io_mesh *mesh = &file->mesh;
    if (mesh->face_count == file->face_room) {
        file->face_room = 2 * file->face_room + 64;
        mesh->faces = realloc(mesh->faces, file->face_room * sizeof *mesh->faces);
        if (!mesh->faces) cli_fail("out of memory");
    }
    uint32_t face[3] = {a, b, c};
    memcpy(mesh->faces[mesh->face_count++], face, sizeof face);
}

/* Adds the positions that the input named VERTEX means; their number, and where it stands among the indices. */
static size_t add_positions(collada *file, xmlNode *primitive, const transform *t, size_t *offset, size_t *stride) {
    xmlNode *vertices = NULL;
    *stride = 1;
    for (xmlNode *node = primitive->children; node; node = node->next) {
        if (!cli_xml_is(node, "input")) continue;
        char *semantic = cli_xml_attribute(node, "semantic");
        size_t at = index_of(node, "offset");
        if (at + 1 > *stride) *stride = at + 1;
        if (semantic && strcmp(semantic, "VERTEX") == 0) {
            vertices = follow(file, node, "source");
            *offset = at;
        }
        free(semantic);
    }
    xmlNode *source = vertices;
    for (xmlNode *node = vertices ? vertices->children : NULL; node; node = node->next) {
        char *semantic = cli_xml_is(node, "input") ? cli_xml_attribute(node, "semantic") : NULL;
        if (semantic && strcmp(semantic, "POSITION") == 0) source = follow(file, node, "source");
        free(semantic);
    }
    xmlNode *array = cli_xml_child(source, "float_array");
    if (!array) cli_fail("%s:%ld: triangles without positions", file->path, xmlGetLineNo(primitive));
    size_t count;
    double *x = numbers_in(file, array, &count);
    for (size_t i = 0; i + 3 <= count; i += 3) add_vertex(file, t, x + i);
    free(x);
    return count / 3;
}

/* Polygons of `corners[i]` corners each (3 where NULL), as fans. */
static void add_polygons(collada *file, xmlNode *p, const double *corners, size_t polygons, size_t first,
                         size_t vertices, size_t offset, size_t stride) {
    size_t count, at = 0;
    double *index = numbers_in(file, p, &count);
    if (!corners) polygons = count / (3 * stride);
    for (size_t i = 0; i < polygons; i++) {
        size_t n = corners ? (size_t)corners[i] : 3;
        if ((at + n) * stride > count) cli_fail("%s:%ld: too few indices", file->path, xmlGetLineNo(p));
        for (size_t k = 0; k < n; k++)
            if (!(index[(at + k) * stride + offset] >= 0 && index[(at + k) * stride + offset] < (double)vertices))
                cli_fail("%s:%ld: an index that names no position", file->path, xmlGetLineNo(p));
        for (size_t k = 1; k + 1 < n; k++)
            add_face(file, (uint32_t)(first + (size_t)index[at * stride + offset]),
                     (uint32_t)(first + (size_t)index[(at + k) * stride + offset]),
                     (uint32_t)(first + (size_t)index[(at + k + 1) * stride + offset]));
        at += n;
    }
    free(index);
}

static void add_primitive(collada *file, xmlNode *node, const transform *t) {
    size_t offset = 0, stride, first = file->mesh.vertex_count, polygons = 0;
    size_t vertices = add_positions(file, node, t, &offset, &stride);
    xmlNode *counts = cli_xml_child(node, "vcount");
    double *corners = counts ? numbers_in(file, counts, &polygons) : NULL;
    for (xmlNode *p = node->children; p; p = p->next) {
        if (!cli_xml_is(p, "p")) continue;
        size_t all;
        free(numbers_in(file, p, &all));
        double whole = (double)(all / stride); /* <polygons>: each <p> is one */
        bool one = cli_xml_is(node, "polygons");
        add_polygons(file, p, one ? &whole : corners, one ? 1 : polygons, first, vertices, offset, stride);
    }
    free(corners);
}

static void add_geometry(collada *file, xmlNode *geometry, const transform *t) {
    xmlNode *mesh = cli_xml_child(geometry, "mesh");
    for (xmlNode *node = mesh ? mesh->children : NULL; node; node = node->next)
        if (cli_xml_is(node, "triangles") || cli_xml_is(node, "polylist") || cli_xml_is(node, "polygons"))
            add_primitive(file, node, t);
}

static void add_node(collada *file, xmlNode *node, transform t, int depth) {
    if (depth > 100) cli_fail("%s: nodes within nodes without end", file->path);
    for (xmlNode *child = node->children; child; child = child->next) {
        transform more;
        if (child->type != XML_ELEMENT_NODE) continue;
        if (read_transform(file, child, &more)) t = product(&t, &more);
        if (cli_xml_is(child, "instance_geometry")) add_geometry(file, follow(file, child, "url"), &t);
        if (cli_xml_is(child, "instance_node")) add_node(file, follow(file, child, "url"), t, depth + 1);
        if (cli_xml_is(child, "node")) add_node(file, child, t, depth + 1);
    }
}

io_mesh cli_read_collada(const char *path) {
    xmlDoc *doc = cli_xml_open(path, "COLLADA");
    collada file = {.path = path, .root = xmlDocGetRootElement(doc)};
    xmlNode *unit = cli_xml_child(cli_xml_child(file.root, "asset"), "unit");
    xmlNode *scenes = cli_xml_child(file.root, "library_visual_scenes");
    char *metre = cli_xml_attribute(unit, "meter");
    double scale = metre ? strtod(metre, NULL) : 1;
    if (!(scale > 0) || !isfinite(scale)) cli_fail("%s: its unit is no length", path);
    free(metre);
    for (xmlNode *scene = scenes ? scenes->children : NULL; scene; scene = scene->next)
        if (cli_xml_is(scene, "visual_scene")) add_node(&file, scene, scaling(scale, scale, scale), 0);
    xmlFreeDoc(doc);
    return file.mesh;
}

#endif
