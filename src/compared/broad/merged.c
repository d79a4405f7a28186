#include "compared/broad/merged.h"

/* Half the center: no overflow. */
static double half_centre(const gz_box *box, int axis) { return 0.25 * box->lo[axis] + 0.25 * box->hi[axis]; }

int gz_merged_axis(const gz_merged *m) {
    int best = 0;
    double most = -1;
    for (int axis = 0; axis < 3; axis++) {
        double mean = 0, spread = 0;
        for (uint32_t i = 0; i < m->count; i++) mean += half_centre(gz_merged_box(m, i), axis) / m->count;
        for (uint32_t i = 0; i < m->count; i++)
            spread += fabs(half_centre(gz_merged_box(m, i), axis) - mean) / m->count;
        if (spread > most) {
            most = spread;
            best = axis;
        }
    }
    return best;
}

gz_keyed *gz_merged_sort(const gz_merged *m, int axis) {
    graze_context *context = m->call->context;
    gz_workspace *workspace = m->call->workspace;
    gz_keyed *items = gz_reserve(context, workspace, GZ_SLOT_SORT_ITEMS, m->count, sizeof *items);
    gz_keyed *other = gz_reserve(context, workspace, GZ_SLOT_SORT_OTHER, m->count, sizeof *other);
    void *scratch = gz_reserve(context, workspace, GZ_SLOT_SORT_COUNTS, 1, gz_sort_scratch(context, m->count));
    if (!items || !other || !scratch) return NULL;
    for (uint32_t i = 0; i < m->count; i++) items[i] = (gz_keyed){gz_double_key(gz_merged_box(m, i)->lo[axis]), i};
    return gz_sort(context, items, other, m->count, 64, scratch);
}

gz_item *gz_merged_items(const gz_merged *m, const gz_keyed *order) {
    gz_item *items = gz_reserve(m->call->context, m->call->workspace, GZ_SLOT_COMPARED_D, m->count, sizeof *items);
    for (uint32_t i = 0; items && i < m->count; i++) items[i] = (gz_item){*gz_merged_box(m, order[i].id), order[i].id};
    return items;
}
