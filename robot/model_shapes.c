/* "shapes" of a link: spheres, capsules, boxes, cylinders, hulls, points, ground. */
#include "robot/memory.h"
#include "robot/model_reader.h"
#include "robot/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A shape on its way from the file to a link. */
typedef struct shape_job {
    const robot_reader *reader;
    const io_json *object;
    graze_context *context;
    graze_shape *shape;
    double (*points)[3];
    size_t point_count;
} shape_job;

static bool read_length(const shape_job *job, const char *key, bool needed, double *length) {
    const io_json *value = io_json_get(job->object, key);
    if (!value && !needed) return true;
    if (!io_json_need(&job->reader->json, job->object, key, &value) ||
        !io_json_number(&job->reader->json, value, length))
        return false;
    return *length >= 0 || io_json_fail(&job->reader->json, value, "must not be negative");
}

/* An error of the library about the shape is reported at the shape's place in the file. */
static bool made(const shape_job *job, graze_status status) {
    char reason[300];
    return robot_shape_made(job->context, status, reason, sizeof reason) ||
           io_json_fail(&job->reader->json, job->object, "%s", reason);
}

/* ---- points, from a file or in place ---- */

static bool read_file_points(shape_job *job, const io_json *value) {
    const char *text;
    io_mesh mesh;
    if (!io_json_text(&job->reader->json, value, &text)) return false;
    char *path = robot_path_beside(job->reader->json.name, text);
    if (!path) return robot_out_of_memory(job->reader);
    bool good = io_read_regular_mesh(path, &mesh, job->reader->json.error);
    free(path);
    if (!good) return false;
    job->points = mesh.positions;
    job->point_count = mesh.vertex_count;
    mesh.positions = NULL;
    io_free_mesh(&mesh);
    return true;
}

static bool read_listed_points(shape_job *job, const io_json *list) {
    if (!io_json_list(&job->reader->json, list)) return false;
    job->points = robot_allocate(list->count, sizeof *job->points);
    if (!job->points) return robot_out_of_memory(job->reader);
    job->point_count = list->count;
    for (size_t i = 0; i < list->count; i++)
        if (!io_json_numbers(&job->reader->json, &list->items[i], 3, job->points[i])) return false;
    return true;
}

static bool read_points(shape_job *job) {
    const io_json *mesh = io_json_get(job->object, "mesh"), *list = io_json_get(job->object, "points");
    if (!mesh == !list)
        return io_json_fail(&job->reader->json, job->object, "one of \"mesh\" and \"points\" is asked for");
    return mesh ? read_file_points(job, mesh) : read_listed_points(job, list);
}

/* ---- one function for each kind ---- */

static bool make_sphere(shape_job *job) {
    double radius;
    return io_json_keys(&job->reader->json, job->object, "kind origin radius") &&
           read_length(job, "radius", true, &radius) && made(job, graze_shape_sphere(job->context, radius, job->shape));
}

static bool make_capsule(shape_job *job) {
    double radius, length;
    return io_json_keys(&job->reader->json, job->object, "kind origin radius length") &&
           read_length(job, "radius", true, &radius) && read_length(job, "length", true, &length) &&
           made(job, graze_shape_capsule(job->context, length, radius, job->shape));
}

static bool make_box(shape_job *job) {
    double radius = 0, size[3];
    const io_json *value;
    return io_json_keys(&job->reader->json, job->object, "kind origin size radius") &&
           io_json_need(&job->reader->json, job->object, "size", &value) &&
           io_json_numbers(&job->reader->json, value, 3, size) && read_length(job, "radius", false, &radius) &&
           made(job, graze_shape_box(job->context, size, radius, job->shape));
}

static bool make_cylinder(shape_job *job) {
    double across, length, rounding = 0;
    return io_json_keys(&job->reader->json, job->object, "kind origin radius length rounding") &&
           read_length(job, "radius", true, &across) && read_length(job, "length", true, &length) &&
           read_length(job, "rounding", false, &rounding) &&
           made(job, graze_shape_cylinder(job->context, across, length, rounding, job->shape));
}

static bool make_hull(shape_job *job) {
    double radius = 0;
    return io_json_keys(&job->reader->json, job->object, "kind origin mesh points radius") &&
           read_length(job, "radius", false, &radius) && read_points(job) &&
           made(job,
                graze_shape_hull(job->context, (const double(*)[3])job->points, job->point_count, radius, job->shape));
}

static bool make_points(shape_job *job) {
    double radius;
    return io_json_keys(&job->reader->json, job->object, "kind origin mesh points radius") &&
           read_length(job, "radius", true, &radius) && read_points(job) &&
           made(job, graze_shape_points(job->context, (const double(*)[3])job->points, job->point_count, radius,
                                        job->shape));
}

/* Rows of equal length. */
static bool read_heights(shape_job *job, const io_json *rows, graze_height_map *map, double **heights) {
    if (!io_json_list(&job->reader->json, rows)) return false;
    map->rows = rows->count;
    map->columns = rows->count ? rows->items[0].count : 0;
    *heights = robot_allocate(map->rows * map->columns, sizeof **heights);
    map->heights = *heights;
    if (!*heights) return robot_out_of_memory(job->reader);
    for (size_t i = 0; i < map->rows; i++)
        if (!io_json_numbers(&job->reader->json, &rows->items[i], map->columns, *heights + i * map->columns))
            return false;
    return true;
}

static bool make_ground(shape_job *job) {
    double radius = 0, *heights = NULL;
    const io_json *rows, *floor, *cell = io_json_get(job->object, "cell");
    graze_height_map map = graze_default_height_map();
    bool good = io_json_keys(&job->reader->json, job->object, "kind origin heights cell floor radius") &&
                io_json_need(&job->reader->json, job->object, "heights", &rows) &&
                io_json_need(&job->reader->json, job->object, "floor", &floor) &&
                io_json_number(&job->reader->json, floor, &map.floor) && read_length(job, "radius", false, &radius) &&
                (!cell || io_json_numbers(&job->reader->json, cell, 2, map.cell)) &&
                read_heights(job, rows, &map, &heights) &&
                made(job, graze_shape_height_map(job->context, &map, radius, job->shape));
    free(heights);
    return good;
}

static bool make(void *given, graze_context *context, graze_shape *shape) {
    shape_job *job = given;
    static const struct {
        const char *name;
        bool (*make)(shape_job *job);
    } kinds[] = {{"sphere", make_sphere},     {"capsule", make_capsule}, {"box", make_box},
                 {"cylinder", make_cylinder}, {"hull", make_hull},       {"points", make_points},
                 {"height_map", make_ground}};
    const io_json *kind;
    const char *name;
    job->context = context;
    job->shape = shape;
    if (!io_json_need(&job->reader->json, job->object, "kind", &kind) || !io_json_text(&job->reader->json, kind, &name))
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0) return kinds[i].make(job);
    return io_json_fail(&job->reader->json, kind,
                        "no shape is called '%.60s' (sphere, capsule, box, cylinder, hull, points, height_map)", name);
}

bool robot_read_shape(const robot_reader *reader, robot_tree *tree, robot_link *link, const io_json *object) {
    shape_job job = {.reader = reader, .object = object};
    if (object->kind != IO_JSON_OBJECT) return io_json_fail(&reader->json, object, "must be an object");
    robot_mesh *added = robot_add_shape(tree, link, make, &job);
    free(job.points);
    return added && robot_read_frame(reader, io_json_get(object, "origin"), &added->origin);
}

/* ---- radii ---- */

static bool has_other_radius(const robot_link *link, double radius) {
    for (size_t k = 0; k < link->mesh_count; k++)
        if (link->meshes[k].radius != radius) return true;
    return false;
}

/* Moves the shapes of other radii than the first one's to a part of the link. */
static bool split(const robot_reader *reader, robot_tree *tree, size_t i, double first) {
    robot_link *part = robot_add_part(tree, (int32_t)i), *link = &tree->links[i];
    if (!part) return false;
    part->meshes = robot_allocate(link->mesh_count, sizeof *part->meshes);
    if (!part->meshes) return robot_out_of_memory(reader);
    part->mesh_room = link->mesh_count;
    size_t count = link->mesh_count;
    link->mesh_count = 0;
    for (size_t k = 0; k < count; k++) {
        robot_link *to = link->meshes[k].radius == first ? link : part;
        to->meshes[to->mesh_count++] = link->meshes[k];
    }
    return true;
}

/* Not below a + b. */
static double sum_up(double a, double b) { return a > 0 && b > 0 ? nextafter(a + b, INFINITY) : a + b; }

bool robot_split_radii(const robot_reader *reader, robot_tree *tree) {
    for (size_t i = 0; i < tree->count; i++) { /* parts are added at the end, and split in turn */
        if (tree->links[i].mesh_count == 0) continue;
        double first = tree->links[i].meshes[0].radius;
        if (has_other_radius(&tree->links[i], first) && !split(reader, tree, i, first)) return false;
        tree->links[i].padding = sum_up(tree->links[i].padding, first);
        for (size_t k = 0; k < tree->links[i].mesh_count; k++) tree->links[i].meshes[k].radius = 0;
    }
    return true;
}
