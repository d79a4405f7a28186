#include "base/least.h"
#include "step/distance/near.h"

#define PAIRS_AT_ONCE 1024
#define VERTICES_AT_ONCE 8192

typedef struct vertices_job {
    const graze_proximity_pair *pairs;
    gz_least *least;
    double *to;
} vertices_job;

static void open_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const vertices_job *job = state;
    for (size_t v = begin; v < end; v++) gz_least_init(&job->least[v], INFINITY);
}

static void lower_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const vertices_job *job = state;
    for (size_t i = begin; i < end; i++) {
        const graze_proximity_pair *near = &job->pairs[i];
        double gap = near->distance.value - near->offset;
        for (int k = 0; k < gz_kind_rows(near->pair.kind); k++)
            gz_least_lower(&job->least[near->vertices[k]], gap > 0 ? gap : 0);
    }
}

static void write_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const vertices_job *job = state;
    for (size_t v = begin; v < end; v++) job->to[v] = gz_least_get(&job->least[v]);
}

graze_status gz_near_of_vertices(const gz_near_call *near, const graze_proximity_result *found, double *to) {
    graze_context *context = near->call.context;
    size_t count = near->call.mesh->vertex_count;
    vertices_job job = {.pairs = found->pairs, .to = to};
    if (!to || count == 0) return GRAZE_OK;
    job.least = gz_allocate_array(context, count, sizeof *job.least);
    if (!job.least) return GRAZE_ERR_OUT_OF_MEMORY;
    gz_parallel(context, count, VERTICES_AT_ONCE, open_range, &job);
    gz_parallel(context, found->pair_count, PAIRS_AT_ONCE, lower_range, &job);
    gz_parallel(context, count, VERTICES_AT_ONCE, write_range, &job);
    gz_release(context, job.least, count * sizeof *job.least);
    return GRAZE_OK;
}
