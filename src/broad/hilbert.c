#include "broad/hilbert.h"

#include "kernels/kernels.h"

#define CHUNK_LEAST 512u /* primitives: some µs */
#define CHUNK_MOST 2048u
#define SAMPLES 1024u
#define FEW 32u /* a few blocks are all looked at anyway */

typedef struct hilbert_call {
    const gz_hilbert_job *job;
    gz_hilbert_kernel *kernel;
} hilbert_call;

static void place_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const hilbert_call *call = state;
    call->kernel(call->job, begin, end);
}

/* Cells of one size on all axes. Vertices outside of the hull of the samples count as on its rim. */
static void plan_cells(gz_hilbert_job *job, uint32_t vertex_count) {
    gz_rough hull = gz_rough_empty();
    float extent = 0;
    for (size_t v = 0; v < vertex_count; v += vertex_count / SAMPLES + 1) gz_rough_join(&hull, &job->boxes[v]);
    for (int c = 0; c < 3; c++) extent = fmaxf(extent, -hull.side[4 + c] - hull.side[c]);
    for (int c = 0; c < 3; c++) job->origin[c] = (float)job->each * 2 * hull.side[c];
    job->scale = extent > 0 ? (float)(1 << job->bits) / ((float)job->each * 2 * extent) : 0;
}

/* As many bits as one, two or three passes of a sort take: a surface of so many primitives rarely has eight in one
 * cell.
 */
static int plan_bits(gz_hilbert_job *job, uint32_t count) {
    int places = count <= FEW ? 3 : count <= 1u << 10 ? 11 : count <= 1u << 18 ? 22 : 3 * GZ_HILBERT_BITS;
    job->bits = (places + 2) / 3;
    job->drop = 3 * job->bits - places;
    return places;
}

int gz_hilbert_places(graze_context *context, gz_hilbert_job *job, uint32_t count, uint32_t vertex_count) {
    int places = plan_bits(job, count);
    hilbert_call call = {job, context->kernels->hilbert};
    plan_cells(job, vertex_count);
    gz_parallel(context, count, gz_chunk_for(context, count, CHUNK_LEAST, CHUNK_MOST), place_range, &call);
    return places;
}
