/* CGAL's streamed segment tree, to measure against: one thread, and memory that is not the context's. */
#include "broad/broad.h"
#include "compared/broad/cgal_boxes.h"

_Static_assert(sizeof(gz_box) == 6 * sizeof(double), "a box is its six coordinates");

typedef struct cgal_job {
    const gz_broad_call *call;
    uint64_t visits;
} cgal_job;

static bool visit(void *state, uint32_t a, uint32_t b) {
    cgal_job *job = state;
    const gz_broad_call *call = job->call;
    enum { VISITS_A_LOOK = 4096 }; /* the clock costs more than a pair */
    if (job->visits++ % VISITS_A_LOOK == 0 && !gz_broad_worker(call, 0)) return false;
    gz_emit(&call->emitters[0], gz_set_id(&call->a, a), gz_set_id(&call->b, b));
    return !gz_stopped(&call->emitters[0]);
}

graze_status gz_cgal_find(const gz_broad_call *call) {
    cgal_job job = {.call = call};
    const double(*a)[6] = (const double(*)[6])(const void *)call->a.boxes;
    const double(*b)[6] = call->self ? NULL : (const double(*)[6])(const void *)call->b.boxes;
    return gz_cgal_search(a, call->a.count, b, call->b.count, visit, &job) ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
}
