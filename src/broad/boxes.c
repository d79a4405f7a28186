#include "broad/boxes.h"

#define CHUNK_LEAST 512u /* some µs */
#define CHUNK_MOST 4096u

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

static void run(graze_context *context, size_t count, gz_range_body *body, box_job *job) {
    gz_parallel(context, count, gz_chunk_for(context, count, CHUNK_LEAST, CHUNK_MOST), body, job);
}

void gz_vertex_boxes(graze_context *context, const gz_box_input *input, gz_box *boxes) {
    box_job job = {.input = input, .boxes = boxes};
    run(context, input->mesh->vertex_count, vertex_range, &job);
}

void gz_edge_boxes(graze_context *context, const graze_mesh *mesh, const gz_box *vertices, gz_box *boxes) {
    box_job job = {.mesh = mesh, .vertices = vertices, .boxes = boxes};
    run(context, mesh->edge_count, edge_range, &job);
}

void gz_face_boxes(graze_context *context, const graze_mesh *mesh, const gz_box *vertices, gz_box *boxes) {
    box_job job = {.mesh = mesh, .vertices = vertices, .boxes = boxes};
    run(context, mesh->face_count, face_range, &job);
}
