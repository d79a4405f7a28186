#include "broad/emit.h"

void gz_emit_flush(gz_emitter *emitter) {
    gz_traversal *traversal = emitter->traversal;
    if (emitter->count && !gz_stopped(emitter) &&
        !traversal->sink(traversal->sink_state, emitter->worker, traversal->kind, (const uint32_t(*)[2])emitter->pairs,
                         emitter->count))
        atomic_store_explicit(&traversal->stop, true, memory_order_relaxed);
    emitter->count = 0;
}

/* A vertex of the primitive; the mesh was checked, so its group is the group of all. */
static uint32_t first_vertex(const graze_mesh *mesh, graze_kind kind, bool second, uint32_t id) {
    switch ((int)kind) {
    case GRAZE_VF: return second ? mesh->faces[id][0] : id;
    case GZ_FF: return mesh->faces[id][0];
    case GRAZE_EE: return mesh->edges[id][0];
    case GRAZE_PE: return second ? mesh->edges[id][0] : id;
    case GRAZE_PP: return id;
    }
    return id;
}

bool gz_filter_allows(gz_traversal *traversal, uint32_t a, uint32_t b) {
    const graze_mesh *mesh = traversal->mesh;
    if (!mesh->filter || (int)traversal->kind == GZ_FF) return true;
    int answer = mesh->filter(mesh->filter_user, traversal->kind, a, b);
    if (answer == 0 || answer == 1) return answer;
    atomic_store(&traversal->bad_filter, true);
    atomic_store(&traversal->stop, true);
    return false;
}

bool gz_pair_allowed(gz_traversal *traversal, uint32_t a, uint32_t b) {
    const graze_mesh *mesh = traversal->mesh;
    if (mesh->groups) {
        uint32_t ga = mesh->groups[first_vertex(mesh, traversal->kind, false, a)];
        uint32_t gb = mesh->groups[first_vertex(mesh, traversal->kind, true, b)];
        if (!gz_groups_allowed(mesh, ga, gb)) return false;
    }
    return !gz_asks_filter(traversal) || gz_filter_allows(traversal, a, b);
}
