/* The table of broad phases. */
#include "broad/broad.h"

#include "base/names.h"
#include "mesh/mesh.h"

static const char *const names[] = {
    [GRAZE_BROAD_AUTO] = "auto",   [GRAZE_BROAD_BRUTE] = "brute", [GRAZE_BROAD_SAP] = "sap",
    [GRAZE_BROAD_ISAP] = "isap",   [GRAZE_BROAD_GRID] = "grid",   [GRAZE_BROAD_GSAP] = "gsap",
    [GRAZE_BROAD_HASH] = "hash",   [GRAZE_BROAD_BVH] = "bvh",     [GRAZE_BROAD_KDTREE] = "kdtree",
    [GRAZE_BROAD_TRACY] = "tracy", [GRAZE_BROAD_STQ] = "stq",     [GRAZE_BROAD_CGAL] = "cgal",
    [GRAZE_BROAD_LBVH] = "lbvh",
};
#define BROAD_COUNT (sizeof names / sizeof *names)

const char *graze_broad_name(graze_broad broad) { return gz_name_of(names, BROAD_COUNT, (int)broad); }

int graze_broad_find(const char *name, graze_broad *broad) {
    int found = gz_name_find(names, BROAD_COUNT, name);
    if (found < 0 || !broad) return 0;
    *broad = (graze_broad)found;
    return 1;
}

/* NULL: not on the CPU of this build */
static gz_broad_find *const finders[BROAD_COUNT] = {
    [GRAZE_BROAD_AUTO] = gz_bvh_find,  [GRAZE_BROAD_BRUTE] = gz_brute_find, [GRAZE_BROAD_BVH] = gz_bvh_find,
#if GRAZE_COMPARED
    [GRAZE_BROAD_SAP] = gz_sap_find,   [GRAZE_BROAD_ISAP] = gz_isap_find,   [GRAZE_BROAD_GRID] = gz_grid_find,
    [GRAZE_BROAD_GSAP] = gz_gsap_find, [GRAZE_BROAD_HASH] = gz_hash_find,   [GRAZE_BROAD_KDTREE] = gz_kdtree_find,
    [GRAZE_BROAD_STQ] = gz_stq_find,   [GRAZE_BROAD_TRACY] = gz_tracy_find,
#endif
#if defined(GRAZE_HAVE_CGAL)
    [GRAZE_BROAD_CGAL] = gz_cgal_find,
#endif
};

int graze_broad_available(graze_broad broad) { return (unsigned)broad < BROAD_COUNT && finders[broad] != NULL; }

bool gz_broad_from_vertices(graze_broad broad) { return finders[broad] == gz_bvh_find; }

gz_emitter *gz_broad_worker(const gz_broad_call *call, uint32_t worker) {
    gz_emitter *emitter = &call->emitters[worker];
    if (gz_stopped(emitter)) return NULL;
    return call->interrupted && gz_cancelled(call->context) ? NULL : emitter;
}

static void flush_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    gz_emitter *emitters = state;
    for (size_t i = begin; i < end; i++) gz_emit_flush(&emitters[i]);
}

graze_status gz_broad_run(const gz_broad_request *request) {
    graze_context *context = request->context;
    uint32_t threads = context->threads;
    gz_emitter *emitters = gz_reserve(context, request->workspace, GZ_SLOT_BROAD_EMITTERS, threads, sizeof *emitters);
    uint32_t(*pairs)[2] =
        gz_reserve(context, request->workspace, GZ_SLOT_BROAD_PAIRS, threads * request->room, sizeof *pairs);
    if (!emitters || !pairs) return GRAZE_ERR_OUT_OF_MEMORY;
    gz_traversal traversal = {
        .mesh = request->mesh,
        .kind = request->kind,
        .ruled = gz_mesh_has_rules(request->mesh) || gz_mesh_filters(request->mesh, request->kind),
        .sink = request->sink,
        .sink_state = request->sink_state,
    };
    for (uint32_t i = 0; i < threads; i++)
        emitters[i] = (gz_emitter){
            .traversal = &traversal, .worker = i, .pairs = pairs + i * request->room, .room = request->room};
    gz_broad_call call = {
        .context = context,
        .workspace = request->workspace,
        .emitters = emitters,
        .a = request->a,
        .b = request->b,
        .vertices = request->vertices,
        .trees = request->trees,
        .self = gz_kind_is_self(request->kind),
        .interrupted = request->interrupted,
    };
    if (call.self) call.b = call.a;
    if (call.a.count == 0 || call.b.count == 0) return GRAZE_OK;
    graze_status status = finders[request->broad](&call);
    if (status != GRAZE_OK) return status;
    size_t waiting = 0;
    for (uint32_t i = 0; i < threads; i++) waiting += emitters[i].count != 0;
    if (waiting > 1) {
        gz_parallel(context, threads, 1, flush_range, emitters);
    } else {
        flush_range(emitters, 0, threads, 0);
    }
    if (atomic_load(&traversal.bad_filter))
        return gz_fail(context, GRAZE_ERR_CALLBACK, UINT64_MAX, "the pair filter returned neither 0 nor 1");
    return GRAZE_OK;
}
