#include "cuda/call/find_lists.cuh"

#include "cuda/call/passes.cuh"
#include "cuda/results.cuh"

/* In as many passes as it takes; taken(c) after each. */
template <class Taken> static bool find_lists(gz_cuda_step &c, const Taken &taken) {
    gz_device_pass pass = {c.request.call.t_max, GZ_NOTHING_YET, GZ_START_POSITIONS, 0};
    c.b->pairs.count = 0;
    for (;; pass.first = c.narrow().batch_end) {
        if (!gz_run_pass(c, pass) || !taken(c)) return false;
        pass.start = GZ_START_TREE;
        pass.best = c.seen().best;
        c.narrow().before = c.seen().hits;
        if (gz_is_last(c) || c.b->pairs.broad != GRAZE_BROAD_AUTO) return true;
    }
}

/* The earliest time of an interval-parallel ti in place of the list. */
static bool find_ti(gz_cuda_step &c) {
    gz_device_pairs &p = c.b->pairs;
    if (!gz_compare_ti(c.scene(), p.ti, gz_step_of(c.scene(), c.narrow(), c.request), p.codes.items, p.count,
                       c.given->ti_tolerance, &p.ti_found, c.error))
        return false;
    c.answer->has_best = p.ti_found.toi <= c.request.call.t_max;
    c.answer->best_toi = p.ti_found.toi;
    c.answer->ti_checks = p.ti_found.checks;
    return true;
}

static bool fetch_candidates(gz_cuda_step &c) {
    gz_device_pairs &p = c.b->pairs;
    c.answer->listed_count = p.count;
    if (!gz_device_pairs_sort(c.scene(), p, c.error)) return false;
    if (c.request.keep()) c.answer->listed = p.count ? p.listed.items : NULL;
    if (c.request.keep() || !p.count) return c.error.note(cudaStreamSynchronize(c.scene().stream), "results");
    graze_pair *to = c.given->functions.list_room(c.given->host, p.count);
    if (!to) c.status = GRAZE_ERR_OUT_OF_MEMORY;
    return to && gz_fetch_parts(c.scene(), c.narrow(), c.request, p.listed.items, p.count * sizeof *to, to, c.error);
}

bool gz_find_codes(gz_cuda_step &c) {
    c.b->pairs.broad = (graze_broad)c.given->broad;
    return find_lists(c, [](gz_cuda_step &step) {
        step.b->pairs.count += (size_t)step.seen().asks;
        return true;
    });
}

bool gz_find_candidates(gz_cuda_step &c) {
    return gz_find_codes(c) && (c.given->ti_tolerance > 0 ? find_ti(c) : fetch_candidates(c));
}

/* Has the host look at the first `count` of the pairs by code; where they have most of the vertices it gets all. */
static bool have_looked_at(gz_cuda_step &c, size_t count) {
    gz_device_pairs &p = c.b->pairs;
    bool some = c.request.rows() && count < c.scene().vertex_count / 4;
    if (!count) return true;
    if (!gz_device_pairs_fetch(c.scene(), c.narrow(), p, c.request, count, some, c.error)) return false;
    if (c.request.rows() && !some && !gz_device_scene_download(c.scene(), c.given->rows, c.error)) return false;
    for (size_t i = 0; i < count && some; i++)
        gz_fill_rows(c, p.host_listed.items[i], c.narrow().ask_rows.items + 4 * i);
    c.given->functions.take_stops(c.given->host, p.host_listed.items, count);
    return true;
}

bool gz_open_times(gz_cuda_step &c) {
    size_t size = c.given->mesh->vertex_count * sizeof *c.given->times;
    if (!c.given->times) return true;
    return gz_check_on_device(c, "vertex_toi", c.given->times, size) &&
           gz_device_scene_wait_for(c.scene(), c.given->stream, c.error) &&
           c.error.note(cudaMemsetAsync(c.given->times, 0, size, c.scene().stream), "results") &&
           c.error.note(cudaStreamSynchronize(c.scene().stream), "results"); /* the call may end here */
}

/* The pair that stops a vertex first is named by the host, too. */
bool gz_find_stops(gz_cuda_step &c) {
    gz_device_pairs &p = c.b->pairs;
    p.broad = GRAZE_BROAD_AUTO;
    if (!find_lists(c, [](gz_cuda_step &step) { return have_looked_at(step, (size_t)step.seen().asks); })) return false;
    const unsigned long long *first = &c.seen().first_code;
    if (*first != ~0ull) {
        c.error.note(cudaMemcpyAsync(p.codes.items, first, sizeof *first, cudaMemcpyHostToDevice, c.scene().stream),
                     "results");
        if (!have_looked_at(c, 1)) return false;
    }
    if (c.given->times)
        return gz_device_pairs_leave_limits(c.scene(), p, c.given->functions.stops(c.given->host), c.given->times,
                                            c.error);
    c.answer->limits = p.host_limits.items;
    return gz_device_pairs_limits(c.scene(), p, c.error);
}
