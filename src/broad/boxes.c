#include "broad/boxes.h"

#define GZ_BOX_CHUNK 16384 /* about 50 µs: less is not worth waking another thread */

typedef struct box_job {
    const gz_box_input *input;
    const graze_mesh *mesh;
    const gz_box *vertices;
    gz_box *boxes;
} box_job;

void gz_vertex_box(const gz_box_input *in, uint32_t v, gz_box *box) {
    gz_swept_box(gz_box_position(in, in->x0, v), gz_box_position(in, in->x1, v), in->t_max, gz_vertex_grow(in, v), box);
}

static void vertex_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const box_job *job = state;
    for (size_t v = begin; v < end; v++) gz_vertex_box(job->input, (uint32_t)v, &job->boxes[v]);
}

static void edge_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const box_job *job = state;
    for (size_t e = begin; e < end; e++) {
        gz_box box = job->vertices[job->mesh->edges[e][0]];
        gz_box_join(&box, &job->vertices[job->mesh->edges[e][1]]);
        job->boxes[e] = box;
    }
}

static void face_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const box_job *job = state;
    for (size_t f = begin; f < end; f++) {
        const uint32_t *corner = job->mesh->faces[f];
        gz_box box = job->vertices[corner[0]];
        gz_box_join(&box, &job->vertices[corner[1]]);
        gz_box_join(&box, &job->vertices[corner[2]]);
        job->boxes[f] = box;
    }
}

void gz_vertex_boxes(graze_context *context, const gz_box_input *input, gz_box *boxes) {
    box_job job = {.input = input, .boxes = boxes};
    gz_parallel(context, input->mesh->vertex_count, GZ_BOX_CHUNK, vertex_range, &job);
}

void gz_edge_boxes(graze_context *context, const graze_mesh *mesh, const gz_box *vertices, gz_box *boxes) {
    box_job job = {.mesh = mesh, .vertices = vertices, .boxes = boxes};
    gz_parallel(context, mesh->edge_count, GZ_BOX_CHUNK, edge_range, &job);
}

void gz_face_boxes(graze_context *context, const graze_mesh *mesh, const gz_box *vertices, gz_box *boxes) {
    box_job job = {.mesh = mesh, .vertices = vertices, .boxes = boxes};
    gz_parallel(context, mesh->face_count, GZ_BOX_CHUNK, face_range, &job);
}
