/* Which pairs of links are tested, and how far apart they have to stay: a sparse list. */
#ifndef GZ_ARTICULATED_WORLD_RULES_H
#define GZ_ARTICULATED_WORLD_RULES_H

#include "graze/world.h"

#include "articulated/scene.h"

/* A link of a body, or all of them: body · 2³² + link. */
typedef uint64_t gz_link_name;

static inline gz_link_name gz_link_name_of(uint32_t body, uint32_t link) { return (uint64_t)body << 32 | link; }

typedef struct gz_rule {
    gz_link_name a, b; /* a ≤ b */
    uint32_t number;   /* the larger one counts */
    graze_pair_rule rule;
    double separation;
} gz_rule;

/* Sorted by names, no two of the same. */
typedef struct gz_rules {
    gz_rule *list;
    size_t count, capacity;
    uint32_t next;  /* number of the next one that is said; those of a filter are 0 */
    bool of_bodies; /* some rule names every link of a body */
} gz_rules;

/* The list is to be sorted before it is asked. */
bool gz_rules_add(graze_context *context, gz_rules *rules, gz_rule rule);
void gz_rules_sort(gz_rules *rules);
/* Without the rules that name this link. */
void gz_rules_drop(gz_rules *rules, gz_link_name link);
graze_status gz_rules_copy(graze_context *context, const gz_rules *rules, gz_rules *copy);
void gz_rules_release(graze_context *context, gz_rules *rules);

/* The rule that counts for two links; NULL: none does. */
const gz_rule *gz_rules_find(const gz_rules *rules, const gz_scene_link *x, const gz_scene_link *y);

/* The separation that is asked of two links, which is that of the call before; −1: they are not tested. */
void gz_rules_apply(const gz_rules *rules, const gz_scene_link *x, const gz_scene_link *y, double *separation);

#endif
