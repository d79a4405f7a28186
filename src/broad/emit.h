/* From overlapping boxes to pairs: drops what shares a vertex and what the mesh's rules exclude, gathers the rest into
   blocks, hands full blocks to whoever wants them. Nothing is ever dropped for want of room. */
#ifndef GZ_BROAD_EMIT_H
#define GZ_BROAD_EMIT_H

#include "graze/mesh.h"

#include "base/context.h"

/* Faces with faces: no pairs of a step, but what the static intersection test searches. */
#define GZ_FF 4

/* Takes a block of pairs of one kind. False: no more, the rest of the search is not needed. Called by several workers
   at once, each with its own number. */
typedef bool gz_sink(void *state, uint32_t worker, graze_kind kind, const uint32_t (*pairs)[2], size_t count);

/* State shared by all workers of a search. */
typedef struct gz_traversal {
    const graze_mesh *mesh;
    graze_kind kind;
    bool ruled;         /* groups, halves, or a filter that is asked here, have a say */
    bool filters_later; /* the sink asks the filter, by gz_filter_allows */
    gz_sink *sink;
    void *sink_state;
    atomic_bool stop;
    atomic_bool bad_filter; /* the user's callback returned neither 0 nor 1 */
} gz_traversal;

/* One worker's block under way, in cache lines of its own: `count` changes with every pair. */
typedef struct gz_emitter {
    _Alignas(64) gz_traversal *traversal;
    uint32_t worker;
    uint32_t (*pairs)[2];
    size_t count, room;
    uint64_t beside; /* pairs of edges that were left out: gz_bvh_job.beside */
} gz_emitter;

/* Hands over what is in the block. */
void gz_emit_flush(gz_emitter *emitter);

/* True if the table of groups has nothing against pairs of these two. */
static inline bool gz_groups_allowed(const graze_mesh *mesh, uint32_t a, uint32_t b) {
    if (mesh->skip_same_group && a == b) return false;
    /* read both ways: a table that is not symmetric by mistake never hides a pair that one half allows */
    return !mesh->group_pairs || mesh->group_pairs[(size_t)a * mesh->group_count + b] ||
           mesh->group_pairs[(size_t)b * mesh->group_count + a];
}

/* True if the search itself asks a filter. */
static inline bool gz_asks_filter(const gz_traversal *traversal) {
    return traversal->mesh->filter && !traversal->filters_later;
}

/* Asks the filter, where there is one; ids in their final order. */
bool gz_filter_allows(gz_traversal *traversal, uint32_t a, uint32_t b);

/* Groups, and the filter where the search asks it; ids in their final order. */
bool gz_pair_allowed(gz_traversal *traversal, uint32_t a, uint32_t b);

static inline bool gz_stopped(const gz_emitter *emitter) {
    return atomic_load_explicit(&emitter->traversal->stop, memory_order_relaxed);
}

/* Unordered pairs within one set. */
static inline bool gz_kind_is_self(graze_kind kind) {
    return kind == GRAZE_EE || kind == GRAZE_PP || (int)kind == GZ_FF;
}

static inline bool gz_share_vertex(const graze_mesh *mesh, graze_kind kind, uint32_t a, uint32_t b) {
    switch ((int)kind) {
    case GRAZE_VF: {
        const uint32_t *f = mesh->faces[b];
        return (a == f[0]) | (a == f[1]) | (a == f[2]);
    }
    case GRAZE_EE: {
        const uint32_t *e = mesh->edges[a], *f = mesh->edges[b];
        return (e[0] == f[0]) | (e[0] == f[1]) | (e[1] == f[0]) | (e[1] == f[1]);
    }
    case GRAZE_PE: return (a == mesh->edges[b][0]) | (a == mesh->edges[b][1]);
    case GRAZE_PP: return a == b;
    case GZ_FF: {
        const uint32_t *f = mesh->faces[a], *g = mesh->faces[b];
        bool shared = false;
        for (int i = 0; i < 3; i++) shared |= (f[i] == g[0]) | (f[i] == g[1]) | (f[i] == g[2]);
        return shared;
    }
    }
    return true;
}

/* A pair that is wanted; ids in their final order. */
static inline void gz_emit_wanted(gz_emitter *emitter, uint32_t a, uint32_t b) {
    emitter->pairs[emitter->count][0] = a;
    emitter->pairs[emitter->count][1] = b;
    if (++emitter->count == emitter->room) gz_emit_flush(emitter);
}

/* A pair whose boxes meet and that shares no vertex. EE and PP in any order. */
static inline void gz_emit_distinct(gz_emitter *emitter, uint32_t a, uint32_t b) {
    gz_traversal *traversal = emitter->traversal;
    if (gz_kind_is_self(traversal->kind)) {
        uint32_t low = a < b ? a : b;
        b = a < b ? b : a;
        a = low;
    }
    if (GZ_UNLIKELY(traversal->ruled) && !gz_pair_allowed(traversal, a, b)) return;
    gz_emit_wanted(emitter, a, b);
}

/* A pair whose boxes meet. */
static inline void gz_emit(gz_emitter *emitter, uint32_t a, uint32_t b) {
    if (!gz_share_vertex(emitter->traversal->mesh, emitter->traversal->kind, a, b)) gz_emit_distinct(emitter, a, b);
}

#endif
