/* Whole meshes: two frames from files or from arrays, a step between them, what intersects already. */
#include "web/module/module.h"

#include "io/intersections.h"
#include "io/topology.h"

#include <stdlib.h>
#include <string.h>

/* The two frames that calls are about. One at a time: a script that wants another loads it again. */
static struct {
    io_mesh a, b;
    graze_mesh mesh;
    double *vertex_toi;
    double *rows; /* the last list of pairs, ROW doubles each */
    size_t row_count;
} scene;

enum { ROW = 7 + MODULE_RESULT }; /* kind, a, b, four vertex ids (−1: none), result */

static void close_scene(void) {
    if (scene.mesh.struct_size) graze_mesh_release(module_context(), &scene.mesh);
    io_free_mesh(&scene.a);
    io_free_mesh(&scene.b);
    free(scene.vertex_toi);
    free(scene.rows);
    memset(&scene, 0, sizeof scene);
    scene.mesh = graze_default_mesh();
}

static bool open_topology(void) {
    graze_context *context = module_context();
    graze_status status = io_mesh_topology(context, &scene.a, &scene.mesh);
    scene.vertex_toi = malloc(scene.a.vertex_count * sizeof *scene.vertex_toi);
    if (!scene.vertex_toi) status = GRAZE_ERR_OUT_OF_MEMORY;
    if (module_ok(status, context)) return true;
    close_scene();
    return false;
}

/* Two files in memory, each followed by a NUL. */
EXPORT("scene_read")
bool module_scene_read(const char *name_a, const char *a, size_t size_a, const char *name_b, const char *b,
                       size_t size_b) {
    io_error error;
    close_scene();
    if (!io_parse_mesh_pair((io_source){name_a, a, size_a}, (io_source){name_b, b, size_b}, &scene.a, &scene.b, &error))
        return module_fail(error.message);
    return open_topology();
}

static void *copy(const void *from, size_t size) {
    void *made = malloc(size ? size : 1);
    if (made && size) memcpy(made, from, size);
    return made;
}

/* Arrays: positions at both ends (3 doubles a vertex), faces, and lines that belong to no face. */
EXPORT("scene_make")
bool module_scene_make(const double *x0, const double *x1, size_t vertex_count, const uint32_t *faces,
                       size_t face_count, const uint32_t *lines, size_t line_count) {
    close_scene();
    scene.a = (io_mesh){.positions = copy(x0, vertex_count * sizeof *scene.a.positions),
                        .faces = copy(faces, face_count * sizeof *scene.a.faces),
                        .edges = copy(lines, line_count * sizeof *scene.a.edges),
                        .vertex_count = vertex_count,
                        .face_count = face_count,
                        .edge_count = line_count};
    scene.b = (io_mesh){.positions = copy(x1, vertex_count * sizeof *scene.b.positions), .vertex_count = vertex_count};
    if (scene.a.positions && scene.a.faces && scene.a.edges && scene.b.positions) return open_topology();
    close_scene();
    return module_fail("out of memory");
}

EXPORT("scene_positions") const void *module_scene_positions(int end) {
    return end ? scene.b.positions : scene.a.positions;
}
EXPORT("scene_faces") const void *module_scene_faces(void) { return scene.a.faces; }
EXPORT("scene_edges") const void *module_scene_edges(void) { return scene.mesh.edges; }
EXPORT("scene_codim_edges") const void *module_scene_codim_edges(void) { return scene.mesh.codim_edges; }
EXPORT("scene_vertex_toi") const double *module_scene_vertex_toi(void) { return scene.vertex_toi; }

/* vertices, faces, edges, faces of more than three corners in the file, edges that belong to no face */
EXPORT("scene_count") size_t module_scene_count(int which) {
    const size_t counts[] = {scene.mesh.vertex_count, scene.mesh.face_count, scene.mesh.edge_count, scene.a.fanned,
                             scene.mesh.codim_edge_count};
    return counts[which];
}

/* ---- lists of pairs ---- */

static void put_ids(const graze_pair *pair, double to[4]) {
    graze_stencil stencil;
    graze_pair_stencil(&scene.mesh, *pair, 0, 0, &stencil);
    for (uint32_t i = 0; i < 4; i++) to[i] = i < stencil.count ? (double)stencil.vertices[i] : -1;
}

static bool put_rows(const graze_pair_result *pairs, size_t count) {
    free(scene.rows);
    scene.row_count = 0;
    scene.rows = malloc((count ? count : 1) * ROW * sizeof *scene.rows);
    if (!scene.rows) return module_fail("out of memory");
    scene.row_count = count;
    for (size_t i = 0; i < count; i++) {
        double *row = scene.rows + i * ROW;
        row[0] = pairs[i].pair.kind;
        row[1] = pairs[i].pair.a;
        row[2] = pairs[i].pair.b;
        put_ids(&pairs[i].pair, row + 3);
        module_put_result(&pairs[i].result, row + 7);
    }
    return true;
}

EXPORT("rows") const double *module_rows(void) { return scene.rows; }
EXPORT("row_count") size_t module_row_count(void) { return scene.row_count; }

static double count_or_minus(uint64_t count) { return count == GRAZE_NOT_COUNTED ? -1 : (double)count; }

/* given: the options of a query, then relative_separation; thickness: a radius for each vertex, or NULL.
   out: verdict, reason, toi, toi_upper, has_pair, ms, candidates and hits of the four kinds (−1: not counted).
   The rows are the pairs of mode all, or else the limiting one. */
EXPORT("step") bool module_step(int mode, const double *given, const double *thickness, double out[14]) {
    graze_options narrow = module_options(given);
    graze_step_options options = graze_default_step_options();
    options.narrow = &narrow;
    options.mode = (graze_step_mode)mode;
    options.relative_separation = given[MODULE_OPTIONS];
    options.vertex_toi = options.mode == GRAZE_STEP_VERTICES ? scene.vertex_toi : NULL;
    graze_step_result result = graze_default_step_result();
    graze_context *context = module_context();
    scene.mesh.thickness = thickness;
    graze_status status = graze_step(context, &scene.mesh, (const double(*)[3])scene.a.positions,
                                     (const double(*)[3])scene.b.positions, &options, &result);
    scene.mesh.thickness = NULL;
    if (!module_ok(status, context)) return false;
    const double fields[] = {result.verdict,   result.reason,   result.toi,
                             result.toi_upper, result.has_pair, result.ms_total};
    memcpy(out, fields, sizeof fields);
    for (int kind = 0; kind < 4; kind++) {
        out[6 + kind] = count_or_minus(result.candidates[kind]);
        out[10 + kind] = count_or_minus(result.hits[kind]);
    }
    bool good = options.mode == GRAZE_STEP_ALL ? put_rows(result.pairs, result.pair_count)
                                               : put_rows(&result.limiting, result.has_pair ? 1 : 0);
    graze_step_release(context, &result);
    return good;
}

/* Faces that intersect at the start: two ids a row, as integers; of an edge and a face the face, twice. NULL with an
   error. */
EXPORT("intersections") uint32_t *module_intersections(size_t *count) {
    graze_context *context = module_context();
    io_intersection *list;
    graze_status status =
        io_find_intersections(context, &scene.mesh, (const double(*)[3])scene.a.positions, &list, count);
    if (!module_ok(status, context)) return NULL;
    uint32_t *ids = malloc((2 * *count + 1) * sizeof *ids); /* the caller releases it */
    for (size_t i = 0; ids && i < *count; i++) {
        ids[2 * i] = list[i].edge ? list[i].b : list[i].a;
        ids[2 * i + 1] = list[i].b;
    }
    free(list);
    if (!ids) module_fail("out of memory");
    return ids;
}
