#include "io/scene_truth.h"

#include "io/pairs_json.h"

#include <stdlib.h>

uint64_t io_pair_key(uint32_t a, uint32_t b) { return (uint64_t)a << 32 | b; }

static int by_key(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static size_t sort_once_each(uint64_t *keys, size_t count) {
    if (count) qsort(keys, count, sizeof *keys, by_key);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || keys[kept - 1] != keys[i]) keys[kept++] = keys[i];
    return kept;
}

bool io_has_key(const uint64_t *keys, size_t count, uint64_t key) {
    return count && bsearch(&key, keys, count, sizeof key, by_key) != NULL;
}

void io_box_ids(const graze_mesh *mesh, int kind, uint32_t a, uint32_t b, uint64_t ids[2]) {
    uint64_t edges = mesh->vertex_count, faces = edges + mesh->edge_count;
    ids[0] = kind == 0 ? a : edges + a;
    ids[1] = (kind == 0 ? faces : edges) + b;
}

/* The pair of two box ids; false where they are none of this kind. */
static bool key_of_boxes(const graze_mesh *mesh, int kind, const uint32_t ids[2], uint64_t *key) {
    uint64_t low = ids[0] < ids[1] ? ids[0] : ids[1], high = ids[0] < ids[1] ? ids[1] : ids[0];
    uint64_t edges = mesh->vertex_count, faces = edges + mesh->edge_count, end = faces + mesh->face_count;
    uint64_t first_a = kind == 0 ? 0 : edges, first_b = kind == 0 ? faces : edges;
    bool good = kind == 0 ? low < edges && high >= faces && high < end : low >= edges && low < high && high < faces;
    if (good) *key = io_pair_key((uint32_t)(low - first_a), (uint32_t)(high - first_b));
    return good;
}

static bool take_pairs(const io_scene_step *step, int kind, const graze_mesh *mesh, const io_id_pairs *boxes,
                       const io_booleans *values, io_scene_truth *truth, io_error *error) {
    if (boxes->count != values->count)
        return io_fail(error, step->truth[kind], 0, "%zu entries, but %s has %zu pairs", values->count,
                       step->boxes[kind], boxes->count);
    truth->listed = malloc((boxes->count + 1) * sizeof *truth->listed);
    truth->colliding = malloc((boxes->count + 1) * sizeof *truth->colliding);
    if (!truth->listed || !truth->colliding) return io_fail(error, step->boxes[kind], 0, "out of memory");
    for (size_t i = 0; i < boxes->count; i++) {
        uint64_t key;
        if (!key_of_boxes(mesh, kind, boxes->pairs[i], &key))
            return io_fail(error, step->boxes[kind], 0,
                           "entry %zu: [%u, %u] is not a pair of %s box ids (%u vertices, %u edges, %u faces)", i,
                           (unsigned)boxes->pairs[i][0], (unsigned)boxes->pairs[i][1],
                           kind == 0 ? "vertex and face" : "edge", (unsigned)mesh->vertex_count,
                           (unsigned)mesh->edge_count, (unsigned)mesh->face_count);
        truth->listed[truth->listed_count++] = key;
        if (values->values[i]) truth->colliding[truth->colliding_count++] = key;
    }
    truth->listed_count = sort_once_each(truth->listed, truth->listed_count);
    truth->colliding_count = sort_once_each(truth->colliding, truth->colliding_count);
    return true;
}

bool io_read_scene_truth(const io_scene_step *step, int kind, const graze_mesh *mesh, io_scene_truth *truth,
                         io_error *error) {
    *truth = (io_scene_truth){0};
    if (!step->boxes[kind]) return true;
    io_id_pairs boxes = {0};
    io_booleans values = {0};
    bool good = io_read_id_pairs(step->boxes[kind], &boxes, error) &&
                io_read_booleans(step->truth[kind], &values, error) &&
                take_pairs(step, kind, mesh, &boxes, &values, truth, error);
    io_free_id_pairs(&boxes);
    io_free_booleans(&values);
    truth->known = good;
    if (!good) io_free_scene_truth(truth);
    return good;
}

void io_free_scene_truth(io_scene_truth *truth) {
    free(truth->listed);
    free(truth->colliding);
    *truth = (io_scene_truth){0};
}
