/* The pairs within a distance of each other by a back end, which leaves those that doubles cannot tell to exact
   arithmetic. */
#include "step/distance/near.h"

#include "step/kept_pairs.h"
#include "step/mesh_pair.h"

typedef struct near_host {
    gz_hosted hosted; /* first: so the functions that all calls share are given it */
    const gz_near_call *near;
    graze_proximity_result *result;
} near_host;

typedef struct decision {
    const gz_near_call *near;
    gz_backend_ask *asks; /* `free` is set to 1 for those that are near, else to 0 */
    atomic_bool failed;
} decision;

static void decide_range(void *state, size_t begin, size_t end, uint32_t worker) {
    decision *d = state;
    for (size_t i = begin; i < end; i++) {
        const graze_pair *pair = &d->asks[i].pair;
        uint32_t ids[4];
        bool wanted = false;
        gz_pair_vertices(d->near->call.mesh, pair->kind, pair->a, pair->b, ids);
        if (!gz_near_decide(d->near, worker, pair->kind, ids, &wanted)) atomic_store(&d->failed, true);
        d->asks[i].free = wanted;
    }
}

#define DECIDED_AT_ONCE 8

static size_t decide(void *host, gz_backend_ask *asks, size_t count) {
    decision d = {.near = ((near_host *)host)->near, .asks = asks};
    size_t kept = 0;
    atomic_init(&d.failed, false);
    gz_parallel(d.near->call.context, count, DECIDED_AT_ONCE, decide_range, &d);
    for (size_t i = 0; i < count; i++)
        if (asks[i].free > 0) asks[kept++] = asks[i];
    return atomic_load(&d.failed) ? SIZE_MAX : kept;
}

static graze_proximity_pair *make_room(void *host, size_t count) {
    const near_host *h = host;
    h->result->pairs = gz_near_allocate(h->near->call.context, count);
    h->result->pair_count = h->result->pairs ? count : 0;
    return h->result->pairs;
}

graze_status gz_near_on_backend(gz_near_call *near, gz_backend *backend, graze_proximity_result *result) {
    near_host h = {.hosted = {.call = &near->call, .whole = true}, .near = near, .result = result};
    gz_backend_request request = gz_hosted_request(&h.hosted);
    gz_backend_answer answer = {0};
    request.near = 1;
    request.radii = near->radii;
    request.may_end = 0; /* a part of a list would hide pairs */
    request.functions.decide = decide;
    request.functions.near_room = make_room;
    graze_status status = gz_hosted_ask(&near->call, backend, &request, &answer);
    result->backend = GRAZE_BACKEND_CUDA;
    if (status == GRAZE_OK && request.keep_pairs) {
        result->device_pairs = answer.near;
        result->pair_count = answer.near_count;
    }
    if (status != GRAZE_OK) graze_proximity_release(near->call.context, result);
    return status;
}
