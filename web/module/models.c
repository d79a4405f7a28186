/* Articulated models: made from arrays, moved, and the built-in examples as the same arrays. */
#include "web/module/module.h"

#include "io/mesh.h"
#include "scenes/articulated.h"

#include <stdlib.h>
#include <string.h>

/* Rows of doubles. A link: parent, joint, origin (position, quaternion), axis, padding, meshes of it.
   A mesh: vertices, faces, origin, scale. */
enum {
    LINK = 14,
    LINK_MESH = 12,
    CONTACT =
        19, /* verdict, reason, proven, toi, toi_upper, model, link, model, link, has_pair, kind, a, b, point, normal */
};

static struct {
    graze_model **models;
    size_t count;
    double *rows; /* contacts of the last motion: the limiting one, then those of mode all */
    size_t row_count;
} set;

/* ---- models from arrays ---- */

typedef struct arrays {
    const double *links, *meshes, *vertices;
    const uint32_t *faces;
} arrays;

static graze_frame frame_of(const double row[7]) {
    graze_frame frame;
    memcpy(frame.position, row, sizeof frame.position);
    memcpy(frame.rotation, row + 3, sizeof frame.rotation);
    return frame;
}

/* Takes a mesh off the front of the arrays. */
static graze_link_mesh next_mesh(arrays *from) {
    const double *row = from->meshes;
    graze_link_mesh mesh = graze_default_link_mesh();
    mesh.vertex_count = (uint32_t)row[0];
    mesh.face_count = (uint32_t)row[1];
    mesh.vertices = (const double(*)[3])from->vertices;
    mesh.faces = (const uint32_t(*)[3])from->faces;
    mesh.origin = frame_of(row + 2);
    memcpy(mesh.scale, row + 9, sizeof mesh.scale);
    from->meshes += LINK_MESH;
    from->vertices += 3 * (size_t)mesh.vertex_count;
    from->faces += 3 * (size_t)mesh.face_count;
    return mesh;
}

static graze_link next_link(arrays *from, graze_link_mesh **meshes) {
    const double *row = from->links;
    graze_link link = graze_default_link();
    link.parent = (int32_t)row[0];
    link.joint = (graze_joint_kind)row[1];
    link.origin = frame_of(row + 2);
    link.padding = row[12];
    link.meshes = *meshes;
    link.mesh_count = (size_t)row[13];
    memcpy(link.axis, row + 9, sizeof link.axis);
    for (size_t i = 0; i < link.mesh_count; i++) *(*meshes)++ = next_mesh(from);
    from->links += LINK;
    return link;
}

static bool make_model(arrays *from, size_t count, size_t mesh_room, graze_model **model) {
    graze_link *links = malloc((count + 1) * sizeof *links);
    graze_link_mesh *meshes = malloc((mesh_room + 1) * sizeof *meshes), *next = meshes;
    bool good = links && meshes ? true : module_fail("out of memory");
    for (size_t i = 0; good && i < count; i++) links[i] = next_link(from, &next);
    good = good && module_ok(graze_model_create(module_context(), links, count, model), module_context());
    free(meshes);
    free(links);
    return good;
}

static void close_models(void) {
    for (size_t i = 0; i < set.count; i++) graze_model_destroy(module_context(), set.models[i]);
    free(set.models);
    free(set.rows);
    memset(&set, 0, sizeof set);
}

/* link_counts: one for each model. */
EXPORT("models_make")
bool module_models_make(const uint32_t *link_counts, size_t count, const double *links, const double *meshes,
                        size_t mesh_count, const double *vertices, const uint32_t *faces) {
    arrays from = {links, meshes, vertices, faces};
    close_models();
    set.models = calloc(count + 1, sizeof *set.models);
    if (!set.models) return module_fail("out of memory");
    for (set.count = 0; set.count < count; set.count++)
        if (!make_model(&from, link_counts[set.count], mesh_count, &set.models[set.count])) return false;
    return true;
}

EXPORT("model_values") size_t module_model_values(size_t model) { return graze_model_values(set.models[model]); }

/* ---- motions ---- */

static void put_contact(const graze_link_contact *from, double to[CONTACT]) {
    const double fields[CONTACT] = {
        from->verdict,   from->reason,    from->proven,    from->toi,       from->toi_upper,
        from->model_a,   from->link_a,    from->model_b,   from->link_b,    from->has_pair,
        from->pair.kind, from->pair.a,    from->pair.b,    from->point[0],  from->point[1],
        from->point[2],  from->normal[0], from->normal[1], from->normal[2],
    };
    memcpy(to, fields, sizeof fields);
}

static bool put_contacts(const graze_articulated_result *result) {
    size_t count = result->contact_count + (result->has_contact ? 1 : 0);
    free(set.rows);
    set.row_count = 0;
    set.rows = malloc((count + 1) * CONTACT * sizeof *set.rows);
    if (!set.rows) return module_fail("out of memory");
    if (result->has_contact) put_contact(&result->contact, set.rows + CONTACT * set.row_count++);
    for (size_t i = 0; i < result->contact_count; i++)
        put_contact(&result->contacts[i], set.rows + CONTACT * set.row_count++);
    return true;
}

EXPORT("models_rows") const double *module_models_rows(void) { return set.rows; }
EXPORT("models_row_count") size_t module_models_row_count(void) { return set.row_count; }

/* Values of all models, one after the other; `turns`: three for each link; `bezier`: of a model whose
   degree is not 0 that many and one for each value. `link_pairs` may be NULL. given: mode, separation, t_max,
   tolerance, max_checks. out: verdict, reason, toi, toi_upper, has_contact, checks, pairs tested, near, close. */
EXPORT("models_move")
bool module_models_move(const double *from, const double *to, const double *turns, const double *bezier,
                        const uint32_t *degrees, const uint8_t *link_pairs, const double given[5], double out[9]) {
    graze_motion *motions = calloc(set.count + 1, sizeof *motions);
    if (!motions) return module_fail("out of memory");
    for (size_t i = 0; i < set.count; i++) {
        size_t values = graze_model_values(set.models[i]);
        motions[i] = graze_default_motion();
        motions[i].from = from;
        motions[i].to = to;
        motions[i].turns = (const double(*)[3])turns;
        if (degrees[i] == 3) motions[i].cubic = (const double(*)[4])bezier;
        if (degrees[i] && degrees[i] != 3) motions[i].bezier = bezier, motions[i].degree = degrees[i];
        from += values;
        to += values;
        turns += 3 * graze_model_links(set.models[i]);
        if (degrees[i]) bezier += values * (degrees[i] + 1);
    }
    graze_articulated_options options = graze_default_articulated_options();
    options.mode = (graze_articulated_mode)given[0];
    options.min_separation = given[1];
    options.t_max = given[2];
    options.tolerance = given[3];
    options.max_checks = (uint64_t)given[4];
    options.link_pairs = link_pairs;
    graze_articulated_result result = graze_default_articulated_result();
    graze_context *context = module_context();
    graze_status status =
        graze_articulated_step(context, (const graze_model *const *)set.models, set.count, motions, &options, &result);
    free(motions);
    if (!module_ok(status, context)) return false;
    const double fields[9] = {result.verdict,
                              result.reason,
                              result.toi,
                              result.toi_upper,
                              result.has_contact,
                              (double)result.checks,
                              (double)result.pairs_tested,
                              (double)result.pairs_near,
                              (double)result.pairs_close};
    memcpy(out, fields, sizeof fields);
    bool good = put_contacts(&result);
    graze_articulated_release(context, &result);
    return good;
}

/* ---- a mesh of a link from a file ---- */

static io_mesh link_mesh;

/* The bytes are followed by a NUL. */
EXPORT("mesh_read") bool module_mesh_read(const char *name, const char *bytes, size_t size) {
    io_error error;
    io_free_mesh(&link_mesh);
    if (io_parse_mesh((io_source){name, bytes, size}, &link_mesh, &error)) return true;
    return module_fail(error.message);
}

EXPORT("mesh_vertices") const void *module_mesh_vertices(void) { return link_mesh.positions; }
EXPORT("mesh_faces") const void *module_mesh_faces(void) { return link_mesh.faces; }
EXPORT("mesh_count") size_t module_mesh_count(int which) {
    return which ? link_mesh.face_count : link_mesh.vertex_count;
}

/* ---- examples, by number; name 0 after the last ---- */

static scene_articulated *example;

EXPORT("example_name") const char *module_example_name(size_t index) { return scene_articulated_name(index); }

EXPORT("example_open") bool module_example_open(const char *name) {
    scene_articulated_free(example);
    example = scene_articulated_make(name);
    return example || module_fail("there is no such example, or no memory for it");
}

EXPORT("example_summary") const char *module_example_summary(void) { return example->summary; }
EXPORT("example_model") const char *module_example_model(size_t model) { return example->machines[model].name; }
EXPORT("example_count") size_t module_example_count(int which) { return which ? example->frames : example->count; }
EXPORT("example_links") size_t module_example_links(size_t model) { return example->machines[model].count; }

/* A row as models_make takes it. */
EXPORT("example_link") void module_example_link(size_t model, size_t index, double row[LINK]) {
    const graze_link *link = &example->machines[model].links[index];
    row[0] = link->parent;
    row[1] = link->joint;
    memcpy(row + 2, link->origin.position, sizeof link->origin.position);
    memcpy(row + 5, link->origin.rotation, sizeof link->origin.rotation);
    memcpy(row + 9, link->axis, sizeof link->axis);
    row[12] = link->padding;
    row[13] = (double)link->mesh_count;
}

static const graze_link_mesh *example_mesh(size_t model, size_t link, size_t index) {
    return &example->machines[model].links[link].meshes[index];
}

EXPORT("example_mesh") void module_example_mesh(size_t model, size_t link, size_t index, double row[LINK_MESH]) {
    const graze_link_mesh *mesh = example_mesh(model, link, index);
    row[0] = mesh->vertex_count;
    row[1] = mesh->face_count;
    memcpy(row + 2, mesh->origin.position, sizeof mesh->origin.position);
    memcpy(row + 5, mesh->origin.rotation, sizeof mesh->origin.rotation);
    memcpy(row + 9, mesh->scale, sizeof mesh->scale);
}
EXPORT("example_vertices") const void *module_example_vertices(size_t model, size_t link, size_t index) {
    return example_mesh(model, link, index)->vertices;
}
EXPORT("example_faces") const void *module_example_faces(size_t model, size_t link, size_t index) {
    return example_mesh(model, link, index)->faces;
}

/* Values of a model at a frame: SCENE_MOST_VALUES of them, the first ones set. */
EXPORT("example_pose") void module_example_pose(size_t model, uint32_t frame, double *values) {
    memset(values, 0, SCENE_MOST_VALUES * sizeof *values);
    example->pose(example, frame, model, values);
}
EXPORT("example_room") size_t module_example_room(void) { return SCENE_MOST_VALUES; }
