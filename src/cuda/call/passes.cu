#include "cuda/call/passes.cuh"

#define ORDER_AGE 64 /* steps after which elements are ordered anew */

bool gz_load_mesh(gz_cuda_step &c) {
    c.status = c.given->functions.check_mesh(c.given->host);
    c.scene().whole = !c.request.only();
    return c.good() && gz_device_scene_load_mesh(c.scene(), c.given, c.error);
}

/* True if the first and the last of so many bytes are where the device can read and write them. */
static bool is_on_device(const gz_cuda_step &c, const void *x, size_t size) {
    for (const char *at : {(const char *)x, (const char *)x + size - 1}) {
        cudaPointerAttributes found;
        bool known = cudaPointerGetAttributes(&found, at) == cudaSuccess;
        cudaGetLastError();
        if (!known || (found.type != cudaMemoryTypeManaged &&
                       (found.type != cudaMemoryTypeDevice || found.device != c.b->device)))
            return false;
    }
    return true;
}

bool gz_check_on_device(gz_cuda_step &c, const char *name, const void *x, size_t size) {
    if (is_on_device(c, x, size)) return true;
    c.status = GRAZE_ERR_INVALID_ARGUMENT;
    snprintf(c.answer->message, sizeof c.answer->message, "%s is not in the memory of device %d", name, c.b->device);
    return false;
}

static bool take_positions(gz_cuda_step &c) {
    size_t size = c.given->stride * (c.given->mesh->vertex_count - 1) + sizeof(double[3]);
    if (!gz_check_on_device(c, "x0", c.given->x0, size) || !gz_check_on_device(c, "x1", c.given->x1, size))
        return false;
    return gz_device_scene_take(c.scene(), c.given, c.error);
}

/* The first and the last byte of each run of pieces that lie one behind the other. */
static bool check_pieces(gz_cuda_step &c) {
    const gz_backend_worlds *worlds = c.given->worlds;
    for (int end = 0; end < 2; end++) {
        const char *from = NULL, *to = NULL;
        for (size_t i = 0; i < worlds->piece_count; i++) {
            const gz_backend_piece &piece = worlds->pieces[i];
            const char *x = end ? piece.x1 : piece.x0, *behind = x + piece.stride * piece.count;
            if (piece.place != GZ_PIECE_ON_DEVICE || piece.count == 0) continue;
            if (to && x != to && !gz_check_on_device(c, end ? "x1" : "x0", from, (size_t)(to - from))) return false;
            if (x != to) from = x;
            to = behind;
        }
        if (to && !gz_check_on_device(c, end ? "x1" : "x0", from, (size_t)(to - from))) return false;
    }
    return true;
}

static bool gather_positions(gz_cuda_step &c) {
    return check_pieces(c) && gz_device_scene_gather(c.scene(), c.given, c.error);
}

bool gz_load_positions(gz_cuda_step &c) {
    gz_device_scene &s = c.scene();
    bool order = !s.ordered || c.b->order_age++ >= ORDER_AGE;
    c.narrow().clock.mark(GZ_STAGES, s.stream);
    if (c.given->worlds) {
        if (!gather_positions(c)) return false;
    } else if (!(c.request.rows() ? take_positions(c) : gz_device_scene_upload(s, c.given, !order, c.error)))
        return false;
    c.narrow().clock.mark(GZ_STAGE_UPLOAD, s.stream);
    if (!order) return true;
    c.b->order_age = 0;
    order = gz_device_scene_order(s, c.error);
    c.narrow().clock.mark(GZ_STAGE_ORDER, s.stream);
    return order;
}

static bool begin_pass(gz_cuda_step &c, const gz_device_pass &pass) {
    if (!c.request.lists) return gz_pass_begin(c.scene(), c.narrow(), c.request, pass, c.error);
    return gz_device_pairs_begin(c.scene(), c.narrow(), c.b->pairs, c.request, pass, c.error);
}

static bool end_pass(gz_cuda_step &c) {
    if (!c.request.lists) return gz_pass_end(c.scene(), c.narrow(), c.request, c.error);
    return gz_device_pairs_end(c.scene(), c.narrow(), c.b->pairs, c.request, c.error);
}

/* Says what is wrong with positions, which the device has seen to be. */
static bool refuse_positions(gz_cuda_step &c) {
    if (c.request.rows() && !gz_device_scene_download(c.scene(), c.given->rows, c.error)) return false;
    c.status = c.given->functions.check_positions(c.given->host);
    if (c.status == GRAZE_OK) c.error.note(cudaErrorUnknown, "positions");
    return false;
}

bool gz_run_pass(gz_cuda_step &c, gz_device_pass pass) {
    for (bool whole = false; !whole && c.good();) {
        if (!begin_pass(c, pass)) return false;
        c.answer->passes++;
        bool other = c.trusted && !gz_device_scene_has(c.scene(), c.given);
        c.trusted = false;
        whole = end_pass(c);
        if (c.narrow().stopped) return false;
        pass.start = other ? GZ_START_POSITIONS : GZ_START_TREE;
        c.bad = !other && (c.bad || c.seen().bad);
        if (!other || !c.good()) continue;
        whole = false;
        if (!gz_load_mesh(c) || !gz_load_positions(c)) return false;
    }
    return c.good() && (!c.bad || refuse_positions(c));
}

bool gz_is_last(gz_cuda_step &c) { return c.narrow().batch_end >= gz_pass_packets(c.scene(), c.request); }

/* ---- the pairs that the host answers ---- */

void gz_fill_rows(gz_cuda_step &c, const graze_pair &pair, const gz_vertex_ends *rows) {
    const graze_mesh *mesh = c.given->mesh;
    uint32_t ids[4];
    if (!c.request.rows()) return;
    gz_row_ids((const uint32_t *)mesh->faces, (const uint32_t *)mesh->edges, pair.kind, pair.a, pair.b, ids);
    for (int i = 0; i < 4; i++) {
        memcpy(c.given->rows[0][ids[i]], rows[i].x0, sizeof(double[3]));
        memcpy(c.given->rows[1][ids[i]], rows[i].x1, sizeof(double[3]));
    }
}

void gz_list_asks(gz_cuda_step &c) {
    gz_pair_coder coder = gz_device_scene_coder(c.scene());
    const gz_device_ask *asks = c.narrow().host_asks.items;
    if (!c.request.all()) c.b->asks.clear();
    for (size_t i = 0; i < c.seen().asks; i++) {
        c.b->asks.push_back({gz_pair_of(coder, asks[i].code), asks[i].free});
        gz_fill_rows(c, c.b->asks.back().pair, c.narrow().ask_rows.items + 4 * i);
    }
}
