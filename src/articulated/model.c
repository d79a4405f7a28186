/* Makes models: checks links, copies their triangles, builds their trees. */
#include "articulated/model.h"

#include "articulated/given.h"
#include "articulated/projection.h"
#include "articulated/tilted.h"
#include "motion/sine.h"
#include "numerics/error_bounds.h"

#include <math.h>
#include <string.h>

int gz_joint_values(graze_joint_kind kind) {
    static const int values[] = {0, 1, 1, 3, 3, 6};
    return (unsigned)kind <= GRAZE_JOINT_FREE ? values[kind] : -1;
}

static void release_shape(graze_context *context, gz_link *link) {
    graze_mesh_release(context, &link->mesh);
    gz_parts_release(context, &link->parts);
    if (link->tilted) gz_release(context, link->tilted, link->tree.count * sizeof *link->tilted);
    gz_face_tree_release(context, &link->tree);
    gz_release(context, link->vertices, link->vertex_count * sizeof *link->vertices);
    gz_release(context, link->faces, link->face_count * sizeof *link->faces);
    if (link->radii) gz_release(context, link->radii, link->face_count * sizeof *link->radii);
    gz_release(context, link->shape, sizeof *link->shape);
}

/* The last link that has it gives the shape back. */
static void release_link(gz_link *link) {
    if (link->shape && atomic_fetch_sub(&link->shape->links, 1) == 1) release_shape(link->shape->context, link);
    *link = (gz_link){0};
}

static bool make_shape(graze_context *context, gz_link *link) {
    link->shape = gz_allocate(context, sizeof *link->shape);
    if (!link->shape) return false;
    link->shape->context = context;
    atomic_init(&link->shape->links, 1);
    return true;
}

/* Not below a + b, and a + b itself where that is a double: tiny sums always are. */
static double sum_up(double a, double b) {
    double sum = a + b, part = sum - a, lost = (a - (sum - part)) + (b - part);
    return lost > 0 ? nextafter(sum, INFINITY) : sum;
}

double gz_face_padding(const gz_link *link, uint32_t face) {
    return link->radii ? sum_up(link->given_padding, link->radii[face]) : link->padding;
}

static void set_padding(gz_link *link, double padding) {
    link->given_padding = padding;
    link->padding = sum_up(padding, link->mesh_radius);
}

static bool is_length(double x) { return x >= 0 && x <= GRAZE_MAX_COORDINATE; }

static bool in_range(const double x[3]) {
    for (int c = 0; c < 3; c++)
        if (!(fabs(x[c]) <= GRAZE_MAX_COORDINATE)) return false;
    return true;
}

static graze_status set_origin(graze_context *context, gz_link *link, const graze_frame *origin, uint64_t index) {
    if (!gz_matrix_of_quaternion(origin->rotation, &link->rotation, &link->rotation_exact))
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, index, "link %llu: its rotation is zero or not finite",
                       (unsigned long long)index);
    if (!in_range(origin->position))
        return gz_fail(context, GRAZE_ERR_NOT_FINITE, index, "link %llu: its position is not a number in range",
                       (unsigned long long)index);
    link->origin = *origin;
    memcpy(link->position, origin->position, sizeof link->position);
    gz_turn_about(&link->rotation, link->axis, NULL, &link->turn);
    return GRAZE_OK;
}

static bool has_axis(graze_joint_kind joint) { return joint == GRAZE_JOINT_REVOLUTE || joint == GRAZE_JOINT_PRISMATIC; }

static graze_status set_joint(graze_context *context, gz_link *link, const graze_link *given, uint64_t index) {
    if (gz_joint_values(given->joint) < 0)
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, index, "link %llu: no such kind of joint",
                       (unsigned long long)index);
    if (given->parent < -1 || given->parent >= (int64_t)index)
        return gz_fail(context, GRAZE_ERR_BAD_INDEX, index, "link %llu: its parent is not listed before it",
                       (unsigned long long)index);
    if (!is_length(given->padding))
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, index, "link %llu: its padding is not a length",
                       (unsigned long long)index);
    link->parent = given->parent;
    link->joint = given->joint;
    set_padding(link, given->padding);
    double z[3] = {0, 0, 1};
    const double *axis = has_axis(given->joint) ? given->axis : z;
    memcpy(link->given_axis, axis, sizeof link->given_axis);
    if (!gz_normalise(axis, link->axis))
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, index, "link %llu: its axis is zero or not finite",
                       (unsigned long long)index);
    link->axis_exact = (axis[0] != 0) + (axis[1] != 0) + (axis[2] != 0) == 1;
    return set_origin(context, link, &given->origin, index);
}

/* scale, then rotate, then shift, rounded: the result is the geometry. */
static graze_status copy_vertices(graze_context *context, gz_link *link, const graze_link_mesh *mesh, uint32_t base,
                                  uint64_t index) {
    gz_matrix r;
    bool exact;
    if (!gz_matrix_of_quaternion(mesh->origin.rotation, &r, &exact))
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, index, "link %llu: a mesh's rotation is zero or not finite",
                       (unsigned long long)index);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        double *x = link->vertices[base + i], p[3];
        for (int c = 0; c < 3; c++) p[c] = mesh->scale[c] * mesh->vertices[i][c];
        for (int c = 0; c < 3; c++)
            x[c] = mesh->origin.position[c] + (r.m[c][0] * p[0] + r.m[c][1] * p[1] + r.m[c][2] * p[2]);
        if (!in_range(x))
            return gz_fail(context, GRAZE_ERR_NOT_FINITE, index, "link %llu: vertex %u is not a number in range",
                           (unsigned long long)index, (unsigned)i);
        link->radius = fmax(link->radius, gz_length(x) * GZ_TAYLOR_UP);
    }
    return GRAZE_OK;
}

static graze_status copy_faces(graze_context *context, gz_link *link, const graze_link_mesh *mesh, uint32_t base,
                               uint32_t first, uint64_t index) {
    for (uint32_t f = 0; f < mesh->face_count; f++)
        for (int k = 0; k < 3; k++) {
            if (mesh->faces[f][k] >= mesh->vertex_count)
                return gz_fail(context, GRAZE_ERR_BAD_INDEX, index, "link %llu: face %u names no vertex",
                               (unsigned long long)index, (unsigned)f);
            link->faces[first + f][k] = base + mesh->faces[f][k];
        }
    return GRAZE_OK;
}

static graze_status count_meshes(graze_context *context, const graze_link *given, uint64_t index, size_t *vertices,
                                 size_t *faces) {
    *vertices = *faces = 0;
    if (given->mesh_count && !given->meshes) return GRAZE_ERR_INVALID_ARGUMENT;
    for (size_t i = 0; i < given->mesh_count; i++) {
        graze_link_mesh mesh;
        graze_status status = gz_link_mesh_read(context, index, given->meshes, i, &mesh);
        if (status != GRAZE_OK) return status;
        if ((mesh.vertex_count && !mesh.vertices) || (mesh.face_count && !mesh.faces))
            return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, index, "link %llu: a mesh without its arrays",
                           (unsigned long long)index);
        if (!is_length(mesh.radius))
            return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, index, "link %llu: a mesh's radius is not a length",
                           (unsigned long long)index);
        *vertices += mesh.vertex_count;
        *faces += mesh.face_count;
    }
    if (*vertices < INT32_MAX && *faces < INT32_MAX / 2) return GRAZE_OK;
    return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, index, "link %llu: too many triangles",
                   (unsigned long long)index);
}

static graze_status copy_meshes(graze_context *context, gz_link *link, const graze_link *given, uint64_t index) {
    uint32_t base = 0, first = 0;
    graze_status status = GRAZE_OK;
    for (size_t i = 0; i < given->mesh_count && status == GRAZE_OK; i++) {
        graze_link_mesh mesh;
        status = gz_link_mesh_read(context, index, given->meshes, i, &mesh);
        if (status == GRAZE_OK) status = copy_vertices(context, link, &mesh, base, index);
        if (status == GRAZE_OK) status = copy_faces(context, link, &mesh, base, first, index);
        base += mesh.vertex_count;
        first += mesh.face_count;
    }
    return status;
}

/* Radii of meshes with triangles: NULL where they are equal. The meshes were read before. */
static graze_status set_radii(graze_context *context, gz_link *link, const graze_link *given, uint64_t index) {
    graze_link_mesh mesh;
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < given->mesh_count; i++) {
        if (gz_link_mesh_read(context, index, given->meshes, i, &mesh) != GRAZE_OK || !mesh.face_count) continue;
        least = fmin(least, mesh.radius);
        most = fmax(most, mesh.radius);
    }
    link->mesh_radius = most;
    link->spread = most - least;
    set_padding(link, link->given_padding);
    if (least == most) return GRAZE_OK;
    link->radii = gz_allocate_array(context, link->face_count, sizeof *link->radii);
    if (!link->radii) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0, first = 0; i < given->mesh_count; i++) {
        if (gz_link_mesh_read(context, index, given->meshes, i, &mesh) != GRAZE_OK) continue;
        for (uint32_t f = 0; f < mesh.face_count; f++) link->radii[first++] = mesh.radius;
    }
    return GRAZE_OK;
}

/* Of links with many triangles. */
static graze_status make_tilted(graze_context *context, gz_link *link) {
    double extent[3];
    if (link->face_count < GZ_TILTED_LEAST) return GRAZE_OK;
    link->tilted = gz_allocate_array(context, link->tree.count, sizeof *link->tilted);
    if (!link->tilted) return GRAZE_ERR_OUT_OF_MEMORY;
    gz_link_extent(link, extent);
    gz_tilted_build(&link->tree, (const double(*)[3])link->vertices, (const uint32_t(*)[3])link->faces,
                    extent[0] + extent[1] + extent[2], link->tilted);
    return GRAZE_OK;
}

static graze_status set_geometry(graze_context *context, gz_link *link, const graze_link *given, uint64_t index) {
    size_t vertices, faces;
    graze_status status = count_meshes(context, given, index, &vertices, &faces);
    link->mesh = graze_default_mesh();
    if (status != GRAZE_OK) return status;
    if (!make_shape(context, link)) return GRAZE_ERR_OUT_OF_MEMORY;
    if (faces == 0) return GRAZE_OK;
    link->vertices = gz_allocate_array(context, vertices, sizeof *link->vertices);
    link->vertex_count = link->vertices ? (uint32_t)vertices : 0;
    link->faces = gz_allocate_array(context, faces, sizeof *link->faces);
    link->face_count = link->faces ? (uint32_t)faces : 0;
    if (!link->vertices || !link->faces) return GRAZE_ERR_OUT_OF_MEMORY;
    status = copy_meshes(context, link, given, index);
    if (status == GRAZE_OK) status = set_radii(context, link, given, index);
    if (status != GRAZE_OK) return status;
    status = gz_face_tree_build(context, (const double(*)[3])link->vertices, (const uint32_t(*)[3])link->faces,
                                (uint32_t)faces, &link->tree);
    return status == GRAZE_OK ? make_tilted(context, link) : status;
}

/* Which link it is joined to by fixed joints. */
static void set_body(const graze_model *model, gz_link *link, uint32_t index) {
    bool fixed = link->joint == GRAZE_JOINT_FIXED;
    const gz_link *parent = link->parent >= 0 ? &model->links[link->parent] : NULL;
    link->body = fixed && parent ? parent->body : index;
    link->on_world = fixed && (!parent || parent->on_world);
}

static graze_status add_link(graze_context *context, graze_model *model, const graze_link *given) {
    uint32_t index = (uint32_t)model->count;
    if (!gz_grow(context, (void **)&model->links, &model->capacity, model->count + 1, sizeof *model->links))
        return GRAZE_ERR_OUT_OF_MEMORY;
    gz_link link = {0};
    graze_status status = set_joint(context, &link, given, index);
    if (status == GRAZE_OK) status = set_geometry(context, &link, given, index);
    if (status != GRAZE_OK) {
        release_link(&link);
        return status;
    }
    link.first_value = (uint32_t)model->values;
    set_body(model, &link, index);
    model->values += (size_t)gz_joint_values(link.joint);
    model->links[model->count++] = link;
    return GRAZE_OK;
}

static graze_status add_given(graze_context *context, graze_model *model, const graze_link *links, size_t index) {
    graze_link link;
    graze_status status = gz_link_read(context, links, index, &link);
    return status == GRAZE_OK ? add_link(context, model, &link) : status;
}

void gz_model_close(graze_context *context, graze_model *model) {
    for (size_t i = 0; i < model->count; i++) release_link(&model->links[i]);
    gz_release(context, model->links, model->capacity * sizeof *model->links);
    *model = (graze_model){0};
}

static void destroy(graze_context *context, graze_model *model) {
    if (!model) return;
    gz_model_close(context, model);
    gz_release(context, model, sizeof *model);
}

graze_status gz_model_copy(graze_context *context, const graze_model *model, graze_model *copy) {
    *copy = (graze_model){0};
    if (!gz_grow(context, (void **)&copy->links, &copy->capacity, model->count, sizeof *copy->links))
        return GRAZE_ERR_OUT_OF_MEMORY;
    memcpy(copy->links, model->links, model->count * sizeof *copy->links);
    copy->count = model->count;
    copy->values = model->values;
    for (size_t i = 0; i < copy->count; i++)
        if (copy->links[i].shape) atomic_fetch_add(&copy->links[i].shape->links, 1);
    return GRAZE_OK;
}

static graze_status create(graze_context *context, const graze_link *links, size_t count, graze_model **out) {
    if (!links || count == 0 || count > INT32_MAX)
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "a model needs at least one link");
    graze_model *model = gz_allocate(context, sizeof *model);
    if (!model) return GRAZE_ERR_OUT_OF_MEMORY;
    *model = (graze_model){0};
    graze_status status = GRAZE_OK;
    for (size_t i = 0; i < count && status == GRAZE_OK; i++) status = add_given(context, model, links, i);
    if (status == GRAZE_OK)
        *out = model;
    else
        destroy(context, model);
    return status;
}

/* Bounds of their tree are rounded. */
static graze_status sort_parts(graze_context *context, gz_link *link) {
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    return gz_context_leave(context, &env, gz_parts_sort(context, (const double(*)[3])link->vertices, &link->parts));
}

/* Edges and parts of links from `first` on; edges by a public call of its own. */
static graze_status derive_parts(graze_context *context, graze_model *model, size_t first) {
    graze_status status = GRAZE_OK;
    for (size_t i = first; i < model->count && status == GRAZE_OK; i++) {
        gz_link *link = &model->links[i];
        status = graze_mesh_from_faces(context, link->vertex_count, (const uint32_t(*)[3])link->faces, link->face_count,
                                       &link->mesh);
        if (status == GRAZE_OK) status = gz_parts_find(context, &link->mesh, &link->parts);
        if (status == GRAZE_OK) status = sort_parts(context, link);
    }
    return status;
}

graze_status graze_model_create(graze_context *context, const graze_link *links, size_t count, graze_model **model) {
    if (!model) return GRAZE_ERR_INVALID_ARGUMENT;
    *model = NULL;
    if (!context) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_fp_environment env;
    graze_model *made = NULL;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    status = gz_context_leave(context, &env, create(context, links, count, &made));
    if (status == GRAZE_OK) status = derive_parts(context, made, 0);
    if (status == GRAZE_OK)
        *model = made;
    else
        destroy(context, made);
    return status;
}

void graze_model_destroy(graze_context *context, graze_model *model) { destroy(context, model); }

size_t graze_model_links(const graze_model *model) { return model ? model->count : 0; }

size_t graze_model_values(const graze_model *model) { return model ? model->values : 0; }

static void drop_last(graze_model *model) {
    gz_link *last = &model->links[--model->count];
    model->values -= (size_t)gz_joint_values(last->joint);
    release_link(last);
}

graze_status graze_model_attach(graze_context *context, graze_model *model, const graze_link *link) {
    if (!context || !model || !link) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    size_t first = model->count;
    status = gz_context_leave(context, &env, add_given(context, model, link, 0));
    if (status == GRAZE_OK) status = derive_parts(context, model, first);
    if (status != GRAZE_OK && model->count > first) drop_last(model);
    return status;
}

graze_status graze_model_detach(graze_context *context, graze_model *model) {
    if (!context || !model) return GRAZE_ERR_INVALID_ARGUMENT;
    if (model->count < 2) return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, 0, "a model needs at least one link");
    drop_last(model);
    return GRAZE_OK;
}

graze_status graze_model_place(graze_context *context, graze_model *model, uint32_t link, const graze_frame *origin) {
    if (!context || !model || !origin) return GRAZE_ERR_INVALID_ARGUMENT;
    if (link >= model->count) return gz_fail(context, GRAZE_ERR_BAD_INDEX, link, "the model has no link %u", link);
    gz_link placed = model->links[link];
    graze_status status = set_origin(context, &placed, origin, link);
    if (status == GRAZE_OK) model->links[link] = placed;
    return status;
}

graze_status graze_model_pad(graze_context *context, graze_model *model, uint32_t link, double padding) {
    if (!context || !model) return GRAZE_ERR_INVALID_ARGUMENT;
    if (link >= model->count) return gz_fail(context, GRAZE_ERR_BAD_INDEX, link, "the model has no link %u", link);
    if (!is_length(padding))
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, link, "link %u: its padding is not a length", link);
    set_padding(&model->links[link], padding);
    return GRAZE_OK;
}
