/* COLLADA (.dae): the triangles of all geometries, where the visual scene puts them, in meters. The direction that the
   file calls up is not read, as robot tools do not. */
#include "io/file.h"
#include "robot/memory.h"
#include "robot/tree.h"
#include "robot/xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 100, MOST_INSTANCES = 100000 };
#define MOST_REPEATED ((size_t)16) /* times that all of the file may be read again by instances, and as much in MiB */

typedef struct transform {
    double m[3][4];
} transform;

typedef struct collada {
    robot_xml_file xml;
    robot_names ids;
    io_mesh *mesh;
    size_t vertex_room, face_room;
    size_t instances, spent, most; /* bytes of text that were read, again by each instance */
} collada;

/* The array that the VERTEX input of a primitive means, and how its indices lie. */
typedef struct layout {
    double *positions;
    size_t count;          /* of positions */
    size_t offset, stride; /* of the index among those of a corner */
    uint32_t first;        /* the mesh's vertex that is position 0 */
} layout;

static bool out_of_memory(const collada *file) { return io_fail(file->xml.error, file->xml.name, 0, "out of memory"); }

/* Counts an element's text as read. */
static bool spend(collada *file, const robot_xml *element) {
    file->spent += strlen(element->text) + 16;
    return file->spent <= file->most || robot_xml_fail(&file->xml, element, "instances repeat too much of this file");
}

/* ---- references ---- */

static bool find_ids(collada *file) {
    for (uint32_t i = 0; i < file->xml.count; i++) {
        const char *id = robot_xml_attribute_of(&file->xml.root[i], "id");
        if (id && robot_name_add(&file->ids, id, i) == ROBOT_NO_MEMORY) return out_of_memory(file);
    }
    return true;
}

/* The element that a reference "#id" means; NULL with the error set. */
static const robot_xml *follow(const collada *file, const robot_xml *element, const char *name) {
    const char *reference = robot_xml_attribute_of(element, name);
    int64_t found = reference && reference[0] == '#' ? robot_name_find(&file->ids, reference + 1) : -1;
    if (found < 0) robot_xml_fail(&file->xml, element, "refers to nothing in this file");
    return found < 0 ? NULL : &file->xml.root[found];
}

static bool has_semantic(const robot_xml *element, const char *name) {
    const char *semantic = robot_xml_is(element, "input") ? robot_xml_attribute_of(element, "semantic") : NULL;
    return semantic && strcmp(semantic, name) == 0;
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

static transform transform_of(int kind, const double *v) {
    transform t = scaling(1, 1, 1);
    if (kind == 0) memcpy(t.m, v, sizeof t.m);
    for (int i = 0; kind == 1 && i < 3; i++) t.m[i][3] = v[i];
    if (kind == 2) t = scaling(v[0], v[1], v[2]);
    if (kind == 3) t = rotation(v);
    return t;
}

/* Applies what a child of a <node> adds to its transform; other children add nothing. */
static bool apply(const collada *file, const robot_xml *child, transform *t) {
    static const struct {
        const char *name;
        size_t count;
    } kinds[] = {{"matrix", 16}, {"translate", 3}, {"scale", 3}, {"rotate", 4}};
    for (int k = 0; k < 4; k++) {
        if (!robot_xml_is(child, kinds[k].name)) continue;
        size_t count;
        double *v;
        bool good = robot_xml_text_numbers(&file->xml, child, &v, &count);
        if (good && count != kinds[k].count)
            good = robot_xml_fail(&file->xml, child, "not %zu numbers", kinds[k].count);
        if (good) {
            transform more = transform_of(k, v);
            *t = product(t, &more);
        }
        free(v);
        return good;
    }
    return true;
}

/* ---- geometry ---- */

static bool add_vertex(collada *file, const transform *t, const double x[3]) {
    io_mesh *mesh = file->mesh;
    double(*larger)[3] = robot_grown(mesh->positions, &file->vertex_room, mesh->vertex_count, sizeof *larger);
    if (!larger) return out_of_memory(file);
    mesh->positions = larger;
    double *to = larger[mesh->vertex_count++];
    for (int i = 0; i < 3; i++) to[i] = t->m[i][0] * x[0] + t->m[i][1] * x[1] + t->m[i][2] * x[2] + t->m[i][3];
    return isfinite(to[0] + to[1] + to[2]) ||
           io_fail(file->xml.error, file->xml.name, 0, "a vertex that is not finite");
}

static bool add_face(collada *file, uint32_t a, uint32_t b, uint32_t c) {
    io_mesh *mesh = file->mesh;
    uint32_t(*larger)[3] = robot_grown(mesh->faces, &file->face_room, mesh->face_count, sizeof *larger);
    if (!larger) return out_of_memory(file);
    mesh->faces = larger;
    memcpy(larger[mesh->face_count++], (uint32_t[]){a, b, c}, sizeof *larger);
    return true;
}

/* The <float_array> of positions that a primitive uses; NULL with the error set. */
static const robot_xml *find_positions(collada *file, const robot_xml *primitive, layout *at) {
    const robot_xml *source = NULL, *input = NULL;
    at->stride = 1;
    for (const robot_xml *child = primitive->child; child; child = child->next) {
        size_t offset = 0;
        if (!spend(file, child)) return NULL;
        if (!robot_xml_is(child, "input")) continue;
        if (!robot_xml_count(&file->xml, child, "offset", &offset)) return NULL;
        if (offset > 255) return robot_xml_fail(&file->xml, child, "an offset beyond 255"), NULL;
        if (offset + 1 > at->stride) at->stride = offset + 1;
        if (!has_semantic(child, "VERTEX")) continue;
        input = child;
        at->offset = offset;
    }
    if (input && !(source = follow(file, input, "source"))) return NULL;
    for (const robot_xml *child = source ? source->child : NULL; child; child = child->next)
        if (has_semantic(child, "POSITION")) {
            source = follow(file, child, "source");
            break;
        }
    const robot_xml *array = robot_xml_child(source, "float_array");
    if (!array && (source || !input)) robot_xml_fail(&file->xml, primitive, "triangles without positions");
    return array;
}

/* Adds the positions that the input named VERTEX means. */
static bool add_positions(collada *file, const robot_xml *primitive, const transform *t, layout *at) {
    const robot_xml *array = find_positions(file, primitive, at);
    double *x = NULL;
    size_t numbers = 0;
    bool good = array && spend(file, array) && robot_xml_text_numbers(&file->xml, array, &x, &numbers);
    at->count = numbers / 3;
    at->first = (uint32_t)file->mesh->vertex_count;
    for (size_t i = 0; good && i < at->count; i++) good = add_vertex(file, t, x + 3 * i);
    free(x);
    return good;
}

/* A polygon as a fan; `index` has its corners, each of `stride` indices. */
static bool add_polygon(collada *file, const robot_xml *p, const size_t *index, size_t corners, const layout *at) {
    for (size_t k = 0; k < corners; k++)
        if (index[k * at->stride + at->offset] >= at->count)
            return robot_xml_fail(&file->xml, p, "an index that names no position");
    uint32_t first = at->first;
    for (size_t k = 1; k + 1 < corners; k++) {
        size_t a = index[at->offset], b = index[k * at->stride + at->offset],
               c = index[(k + 1) * at->stride + at->offset];
        if (!add_face(file, first + (uint32_t)a, first + (uint32_t)b, first + (uint32_t)c)) return false;
    }
    return true;
}

/* The polygons of one <p>: of `corners[i]` corners each, of 3 where that is NULL. */
static bool add_polygons(collada *file, const robot_xml *p, const size_t *index, size_t count, const size_t *corners,
                         size_t polygons, const layout *at) {
    size_t left = count / at->stride; /* corners */
    if (!corners) polygons = left / 3;
    for (size_t i = 0; i < polygons; i++) {
        size_t n = corners ? corners[i] : 3;
        if (n > left) return robot_xml_fail(&file->xml, p, "too few indices");
        if (!add_polygon(file, p, index, n, at)) return false;
        index += n * at->stride;
        left -= n;
    }
    return true;
}

static bool add_indices(collada *file, const robot_xml *primitive, const robot_xml *p, const size_t *corners,
                        size_t polygons, const layout *at) {
    size_t *index = NULL, count = 0;
    bool good = spend(file, p) && robot_xml_text_counts(&file->xml, p, &index, &count);
    size_t whole = count / at->stride;
    if (good && robot_xml_is(primitive, "polygons")) /* each <p> is one */
        good = add_polygons(file, p, index, count, &whole, 1, at);
    else if (good)
        good = add_polygons(file, p, index, count, corners, polygons, at);
    free(index);
    return good;
}

static bool add_primitive(collada *file, const robot_xml *primitive, const transform *t) {
    layout at = {0};
    const robot_xml *counts = robot_xml_child(primitive, "vcount");
    size_t *corners = NULL, polygons = 0;
    if (!add_positions(file, primitive, t, &at)) return false;
    bool good = !counts || (spend(file, counts) && robot_xml_text_counts(&file->xml, counts, &corners, &polygons));
    for (const robot_xml *p = primitive->child; good && p; p = p->next)
        if (robot_xml_is(p, "p")) good = add_indices(file, primitive, p, corners, polygons, &at);
    free(corners);
    return good;
}

static bool add_geometry(collada *file, const robot_xml *geometry, const transform *t) {
    const robot_xml *mesh = robot_xml_child(geometry, "mesh");
    bool good = true;
    for (const robot_xml *child = mesh ? mesh->child : NULL; good && child; child = child->next) {
        good = spend(file, child);
        if (good &&
            (robot_xml_is(child, "triangles") || robot_xml_is(child, "polylist") || robot_xml_is(child, "polygons")))
            good = add_primitive(file, child, t);
    }
    return good;
}

/* ---- the scene ---- */

static bool add_node(collada *file, const robot_xml *node, transform t, int depth) {
    if (depth > DEEPEST) return robot_xml_fail(&file->xml, node, "nodes within nodes, more than %d levels", DEEPEST);
    if (++file->instances > MOST_INSTANCES)
        return robot_xml_fail(&file->xml, node, "more than %d instances of nodes", MOST_INSTANCES);
    bool good = true;
    for (const robot_xml *child = node->child; good && child; child = child->next) {
        bool geometry = robot_xml_is(child, "instance_geometry"), instance = robot_xml_is(child, "instance_node");
        const robot_xml *target = geometry || instance ? follow(file, child, "url") : child;
        good = target && spend(file, child) && apply(file, child, &t);
        if (good && geometry) good = add_geometry(file, target, &t);
        if (good && (instance || robot_xml_is(child, "node"))) good = add_node(file, target, t, depth + 1);
    }
    return good;
}

static bool add_scenes(collada *file) {
    const robot_xml *unit = robot_xml_child(robot_xml_child(file->xml.root, "asset"), "unit");
    const robot_xml *scenes = robot_xml_child(file->xml.root, "library_visual_scenes");
    double scale = 1;
    if (!robot_xml_numbers(&file->xml, unit, "meter", 1, &scale)) return false;
    if (!(scale > 0)) return robot_xml_fail(&file->xml, unit, "its unit is no length");
    for (const robot_xml *scene = scenes ? scenes->child : NULL; scene; scene = scene->next)
        if (robot_xml_is(scene, "visual_scene") && !add_node(file, scene, scaling(scale, scale, scale), 0))
            return false;
    return true;
}

bool robot_parse_collada(io_source source, io_mesh *mesh, io_error *error) {
    *mesh = (io_mesh){0};
    collada file = {.mesh = mesh, .most = MOST_REPEATED * (source.size + ((size_t)1 << 20))};
    if (!robot_xml_parse(source, "COLLADA", &file.xml, error)) return false;
    bool good = find_ids(&file) && add_scenes(&file);
    robot_names_free(&file.ids);
    robot_xml_free(&file.xml);
    if (!good) io_free_mesh(mesh);
    return good;
}

bool robot_read_collada(const char *path, io_mesh *mesh, io_error *error) {
    char *bytes;
    size_t size;
    *mesh = (io_mesh){0};
    if (!io_read_regular_file(path, &bytes, &size, error)) return false;
    bool good = robot_parse_collada((io_source){path, bytes, size}, mesh, error);
    free(bytes);
    return good;
}
