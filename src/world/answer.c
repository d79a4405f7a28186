#include "world/answer.h"

#include "broad/emit.h"
#include "step/mesh_pair.h"

#include <stdlib.h>
#include <string.h>

/* ---- ids ---- */

static uint32_t first_of(graze_kind kind, const gz_offsets *at) { return kind == GRAZE_EE ? at->edges : at->vertices; }

static uint32_t second_of(graze_kind kind, const gz_offsets *at) {
    return kind == GRAZE_VF ? at->faces : kind == GRAZE_PP ? at->vertices : at->edges;
}

static graze_pair joined_pair(const gz_movers *movers, const gz_near_pair *near) {
    graze_kind kind = near->pair.kind;
    const gz_unit *a = movers->list[near->first].unit, *b = movers->list[near->second].unit;
    return (graze_pair){kind, near->pair.a + first_of(kind, &a->joined), near->pair.b + second_of(kind, &b->joined)};
}

/* The unit that has a primitive of the joined straight mesh; *id becomes its own. */
static uint32_t unit_with(const gz_units *units, uint32_t (*offset)(graze_kind, const gz_offsets *), graze_kind kind,
                          uint32_t *id) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < units->count; i++) {
        if (!gz_unit_is_straight(&units->list[i])) continue;
        if (offset(kind, &units->list[i].straight) > *id) break;
        found = i;
    }
    *id -= offset(kind, &units->list[found].straight);
    return found;
}

gz_near_pair gz_near_of_straight(const gz_units *units, graze_pair pair) {
    gz_near_pair near = {.pair = pair};
    near.first = unit_with(units, first_of, pair.kind, &near.pair.a);
    near.second = unit_with(units, second_of, pair.kind, &near.pair.b);
    return near;
}

/* ---- the list ---- */

bool gz_contacts_add(gz_contacts *found, const gz_movers *movers, const gz_near_pair *near,
                     const graze_result *result) {
    if (!gz_grow(found->context, (void **)&found->pairs, &found->room, found->count + 1, sizeof *found->pairs))
        return false;
    found->pairs[found->count++] = (gz_touching){*near, {.pair = joined_pair(movers, near), .result = *result}};
    return true;
}

void gz_contacts_release(gz_contacts *found) {
    gz_release(found->context, found->pairs, found->room * sizeof *found->pairs);
    *found = (gz_contacts){0};
}

static int by_pair(const graze_pair *x, const graze_pair *y) {
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

static int by_pair_then_time(const void *a, const void *b) {
    const graze_pair_result *x = &((const gz_touching *)a)->joined, *y = &((const gz_touching *)b)->joined;
    int order = by_pair(&x->pair, &y->pair);
    return order ? order : (x->result.toi > y->result.toi) - (x->result.toi < y->result.toi);
}

void gz_contacts_sort(gz_contacts *found) {
    size_t kept = 0;
    if (found->count) qsort(found->pairs, found->count, sizeof *found->pairs, by_pair_then_time);
    for (size_t i = 0; i < found->count; i++)
        if (i == 0 || by_pair(&found->pairs[i].joined.pair, &found->pairs[kept - 1].joined.pair) != 0)
            found->pairs[kept++] = found->pairs[i];
    found->count = kept;
}

const gz_touching *gz_contacts_first(const gz_contacts *found) {
    const gz_touching *first = NULL;
    for (size_t i = 0; i < found->count; i++)
        if (!first || gz_pair_before(&found->pairs[i].joined, &first->joined)) first = &found->pairs[i];
    return first;
}

graze_link_contact gz_unit_contact(const gz_units *units, const gz_near_pair *near, const graze_result *result) {
    const gz_unit *a = &units->list[near->first], *b = &units->list[near->second];
    graze_link_contact contact = {.verdict = result->verdict,
                                  .reason = result->reason,
                                  .proven = result->proven,
                                  .toi = result->toi,
                                  .toi_upper = result->toi_upper,
                                  .model_a = a->body,
                                  .link_a = a->link,
                                  .model_b = b->body,
                                  .link_b = b->link,
                                  .has_pair = 1,
                                  .pair = near->pair,
                                  .u = result->u,
                                  .v = result->v};
    memcpy(contact.point, result->point, sizeof contact.point);
    memcpy(contact.normal, result->normal, sizeof contact.normal);
    return contact;
}

graze_link_contact gz_touching_contact(const gz_movers *movers, const gz_touching *pair) {
    return gz_unit_contact(&movers->world->units, &pair->near, &pair->joined.result);
}
