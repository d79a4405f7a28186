/* Cuts triangles at the middles of their sides. */
#include "bench/articulated/refine.h"

#include "articulated/search.h"

#include <stdlib.h>
#include <string.h>

/* Triangles with vertices of their own. */
typedef struct fine_mesh {
    double (*vertices)[3];
    uint32_t (*faces)[3];
    size_t face_count;
} fine_mesh;

static fine_mesh mesh_of(const gz_link *link, int times) {
    fine_mesh mesh = {.face_count = link->face_count};
    size_t room = (size_t)link->face_count << 2 * times;
    mesh.vertices = bench_allocate(3 * room + 1, sizeof *mesh.vertices);
    mesh.faces = bench_allocate(room + 1, sizeof *mesh.faces);
    for (uint32_t f = 0; f < link->face_count; f++)
        for (int k = 0; k < 3; k++)
            memcpy(mesh.vertices[3 * f + (size_t)k], link->vertices[link->faces[f][k]], sizeof *mesh.vertices);
    return mesh;
}

/* Three of the four are added at the end, the middle one takes its place. */
static void cut_face(fine_mesh *mesh, size_t face, size_t *last) {
    double(*x)[3] = mesh->vertices + 3 * face, middle[3][3];
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++) middle[k][c] = 0.5 * (x[k][c] + x[(k + 1) % 3][c]);
    for (int k = 0; k < 3; k++) {
        double(*corner)[3] = mesh->vertices + 3 * (*last)++;
        memcpy(corner[0], x[k], sizeof *corner);
        memcpy(corner[1], middle[k], sizeof *corner);
        memcpy(corner[2], middle[(k + 2) % 3], sizeof *corner);
    }
    memcpy(x, middle, sizeof middle);
}

static void cut(fine_mesh *mesh, int times) {
    for (; times > 0; times--) {
        size_t last = mesh->face_count;
        for (size_t f = 0; f < mesh->face_count; f++) cut_face(mesh, f, &last);
        mesh->face_count = last;
    }
    for (size_t f = 0; f < mesh->face_count; f++)
        for (uint32_t k = 0; k < 3; k++) mesh->faces[f][k] = (uint32_t)(3 * f) + k;
}

static graze_model *refine(graze_context *context, const graze_model *model, int times, size_t *triangles) {
    graze_link *links = bench_allocate(model->count, sizeof *links);
    graze_link_mesh *meshes = bench_allocate(model->count, sizeof *meshes);
    fine_mesh *fine = bench_allocate(model->count, sizeof *fine);
    for (size_t i = 0; i < model->count; i++) {
        const gz_link *from = &model->links[i];
        fine[i] = mesh_of(from, times);
        cut(&fine[i], times);
        *triangles += fine[i].face_count;
        meshes[i] = graze_default_link_mesh();
        meshes[i].vertex_count = (uint32_t)(3 * fine[i].face_count);
        meshes[i].face_count = (uint32_t)fine[i].face_count;
        meshes[i].vertices = (const double(*)[3])fine[i].vertices;
        meshes[i].faces = (const uint32_t(*)[3])fine[i].faces;
        links[i] = graze_default_link();
        links[i].parent = from->parent;
        links[i].joint = from->joint;
        links[i].origin = from->origin;
        memcpy(links[i].axis, from->given_axis, sizeof links[i].axis);
        links[i].padding = from->padding;
        links[i].meshes = &meshes[i];
        links[i].mesh_count = from->face_count ? 1 : 0;
    }
    graze_model *made = NULL;
    (void)graze_model_create(context, links, model->count, &made);
    for (size_t i = 0; i < model->count; i++) {
        free(fine[i].vertices);
        free(fine[i].faces);
    }
    free(fine);
    free(meshes);
    free(links);
    return made;
}

const graze_model **bench_refine(const bench_robots *robots, int times, size_t *triangles) {
    const graze_model **models = bench_allocate(robots->model_count, sizeof *models);
    *triangles = 0;
    for (size_t m = 0; m < robots->model_count; m++) {
        size_t ignored = 0;
        bool moves = graze_model_values(robots->models[m]) > 0;
        models[m] = refine(robots->context, robots->models[m], moves ? times : 0, moves ? triangles : &ignored);
        if (models[m]) continue;
        bench_robots made = {.context = robots->context, .models = models, .model_count = m};
        bench_refine_free(&made);
        return NULL;
    }
    return models;
}

void bench_refine_free(bench_robots *fine) {
    for (size_t m = 0; m < fine->model_count; m++)
        graze_model_destroy(fine->context, (graze_model *)(uintptr_t)fine->models[m]);
    free(fine->models);
}
