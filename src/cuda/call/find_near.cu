#include "cuda/call/find_near.cuh"

#include "cuda/call/blocks.cuh"
#include "cuda/call/find_lists.cuh"
#include "cuda/near.cuh"
#include "cuda/results.cuh"

/* Uploads the radii that vertices add to the distance. */
static bool upload_radii(gz_cuda_step &c) {
    gz_device_pairs &p = c.b->pairs;
    size_t count = c.given->mesh->vertex_count;
    if (!c.given->radii) return true;
    return p.radii.reserve(count, c.error) &&
           c.error.note(cudaMemcpyAsync(p.radii.items, c.given->radii, count * sizeof(double), cudaMemcpyHostToDevice,
                                        c.scene().stream),
                        "upload");
}

/* The pairs that doubles cannot tell, for the host. */
static bool list_doubtful(gz_cuda_step &c, size_t count) {
    gz_pinned_array<gz_device_hit> &hits = c.narrow().more_hits;
    cudaStream_t stream = c.scene().stream;
    if (!hits.reserve(count, c.error) ||
        !c.error.note(cudaMemcpyAsync(hits.items, c.narrow().hits.items, count * sizeof *hits.items,
                                      cudaMemcpyDeviceToHost, stream),
                      "results") ||
        !c.error.note(cudaStreamSynchronize(stream), "results"))
        return false;
    c.b->asks.clear();
    for (size_t i = 0; i < count; i++)
        c.b->asks.push_back({gz_pair_of(gz_device_scene_coder(c.scene()), hits.items[i].code), 0});
    return !c.request.rows() || gz_device_scene_download(c.scene(), c.given->rows, c.error);
}

/* Puts the first `count` of the asks behind the codes that the device found. */
static bool add_codes(gz_cuda_step &c, size_t count) {
    gz_device_pairs &p = c.b->pairs;
    gz_pair_coder coder = gz_device_scene_coder(c.scene());
    if (!count) return true;
    if (!p.more_codes.reserve(count, c.error) ||
        !p.codes.reserve_keeping(2 * (p.count + count), p.count, c.scene().stream, c.error))
        return false;
    for (size_t i = 0; i < count; i++) {
        const graze_pair &pair = c.b->asks[i].pair;
        p.more_codes.items[i] = coder.code(pair.kind, pair.a, pair.b);
    }
    p.count += count;
    return c.error.note(cudaMemcpyAsync(p.codes.items + p.count - count, p.more_codes.items,
                                        count * sizeof *p.codes.items, cudaMemcpyHostToDevice, c.scene().stream),
                        "results");
}

static bool decide_doubtful(gz_cuda_step &c) {
    size_t count = (size_t)c.seen().hits;
    if (!count) return true;
    if (!list_doubtful(c, count)) return false;
    size_t kept = c.given->functions.decide(c.given->host, c.b->asks.data(), count);
    if (kept == SIZE_MAX) c.status = GRAZE_ERR_OUT_OF_MEMORY;
    return kept != SIZE_MAX && add_codes(c, kept);
}

static bool fetch_near(gz_cuda_step &c) {
    gz_device_pairs &p = c.b->pairs;
    c.answer->near_count = p.count;
    if (c.request.keep()) {
        c.answer->near = p.count ? p.near.items : NULL;
        return c.error.note(cudaStreamSynchronize(c.scene().stream), "results");
    }
    graze_proximity_pair *to = c.given->functions.near_room(c.given->host, p.count);
    if (!to) c.status = GRAZE_ERR_OUT_OF_MEMORY;
    size_t bytes = p.count * sizeof *to;
    if (!to || !gz_lock_pages(c.b, to, bytes))
        return to && gz_fetch_parts(c.scene(), c.narrow(), c.request, p.near.items, bytes, to, c.error);
    return c.error.note(cudaMemcpyAsync(to, p.near.items, bytes, cudaMemcpyDeviceToHost, c.scene().stream),
                        "results") &&
           c.error.note(cudaStreamSynchronize(c.scene().stream), "results");
}

bool gz_find_near(gz_cuda_step &c) {
    gz_device_pairs &p = c.b->pairs;
    if (!upload_radii(c) || !gz_find_codes(c) || !decide_doubtful(c)) return false;
    if (!p.count) return true;
    return gz_device_pairs_order(c.scene(), p, c.error) &&
           gz_tell_near(c.scene(), p, gz_step_of(c.scene(), c.narrow(), c.request), c.error) && fetch_near(c);
}
