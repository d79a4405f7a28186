#include "mesh/sides.h"

#include <string.h>

static void add(gz_sides *sides, uint32_t i, uint32_t j, uint32_t from) {
    if (i == j) return;
    sides->items[sides->count++] = (gz_side){{i < j ? i : j, i < j ? j : i}, from};
}

/* Stable counting sort by v[key] into the other array, which becomes the list. */
static void sort_by(gz_sides *sides, int key) {
    const gz_side *from = sides->items;
    gz_side *to = sides->other;
    size_t *starts = sides->starts;
    memset(starts, 0, sides->start_count * sizeof *starts);
    for (size_t i = 0; i < sides->count; i++) starts[from[i].v[key] + 1]++;
    for (size_t v = 0; v + 1 < sides->start_count; v++) starts[v + 1] += starts[v];
    for (size_t i = 0; i < sides->count; i++) to[starts[from[i].v[key]]++] = from[i];
    sides->other = sides->items;
    sides->items = to;
}

bool gz_sides_open(graze_context *context, uint32_t vertex_count, const uint32_t (*faces)[3], uint32_t face_count,
                   const uint32_t (*edges)[2], uint32_t edge_count, gz_sides *sides) {
    *sides = (gz_sides){.room = 3 * (size_t)face_count + edge_count, .start_count = (size_t)vertex_count + 1};
    sides->items = gz_allocate_array(context, sides->room, sizeof *sides->items);
    sides->other = gz_allocate_array(context, sides->room, sizeof *sides->other);
    sides->starts = gz_allocate_array(context, sides->start_count, sizeof *sides->starts);
    if (!sides->items || !sides->other || !sides->starts) return false;
    for (uint32_t f = 0; f < face_count; f++)
        for (int k = 0; k < 3; k++) add(sides, faces[f][k], faces[f][k == 2 ? 0 : k + 1], f);
    for (uint32_t e = 0; e < edge_count; e++) add(sides, edges[e][0], edges[e][1], GZ_FREE_EDGE | e);
    sort_by(sides, 0);
    sort_by(sides, 1);
    return true;
}

void gz_sides_close(graze_context *context, gz_sides *sides) {
    gz_release(context, sides->items, sides->room * sizeof *sides->items);
    gz_release(context, sides->other, sides->room * sizeof *sides->other);
    gz_release(context, sides->starts, sides->start_count * sizeof *sides->starts);
}

size_t gz_sides_end(const gz_sides *sides, size_t first) {
    const gz_side *items = sides->items;
    size_t end = first + 1;
    while (end < sides->count && items[end].v[0] == items[first].v[0] && items[end].v[1] == items[first].v[1]) end++;
    return end;
}
