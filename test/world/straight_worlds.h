/* Many worlds of bodies that stand or move straight, with the same kinds in the same places of each, and whether a back
   end answers them as the CPU does. */
#ifndef GRAZE_TEST_STRAIGHT_WORLDS_H
#define GRAZE_TEST_STRAIGHT_WORLDS_H

#include "mixed_worlds.h"
#include "same_contact.h"

enum { STRAIGHT_WORLDS = 40, STRAIGHT_BODIES = STRAIGHT_WORLDS * MIXED_BODIES + 1 };

typedef struct straight_worlds {
    mixed_world list[STRAIGHT_WORLDS], shared; /* `shared`: a plate that is in all of them */
    graze_body bodies[STRAIGHT_BODIES];
    graze_body_motion motions[STRAIGHT_BODIES];
    int32_t world_of[STRAIGHT_BODIES];
    size_t worlds, count;
    graze_articulated_options options;
} straight_worlds;

static inline void straight_world(test_random *random, graze_context *context, const mixed_kind *kinds, size_t count,
                                  mixed_world *world) {
    memset(world, 0, sizeof *world);
    world->context = context;
    world->count = count;
    for (size_t i = 0; i < count; i++) mixed_make_body(random, world, i, kinds[i]);
}

/* In all worlds some body is padded, or in none. */
static inline void straight_pad(straight_worlds *made, bool padded) {
    for (size_t i = 0; i < made->count && !padded; i++) made->bodies[i].padding = 0;
    if (padded) made->bodies[0].padding = 0.03;
}

static inline void straight_draw(test_random *random, graze_context *context, size_t worlds, straight_worlds *made) {
    static const mixed_kind plate = MIXED_STATIC;
    mixed_kind kinds[MIXED_BODIES];
    made->worlds = worlds;
    for (int i = 0; i < MIXED_BODIES; i++) kinds[i] = (mixed_kind)test_random_below(random, 3);
    kinds[0] = MIXED_STRAIGHT; /* a world of static bodies alone is answered by other means */
    straight_world(random, context, &plate, 1, &made->shared);
    made->bodies[0] = made->shared.given[0];
    made->motions[0] = made->shared.motions[0];
    made->world_of[0] = -1;
    made->count = 1;
    for (size_t w = 0; w < worlds; w++)
        straight_world(random, context, kinds, 1 + test_random_below(random, MIXED_BODIES), &made->list[w]);
    for (size_t i = 0; i < MIXED_BODIES; i++)
        for (size_t w = 0; w < worlds; w++) { /* bodies of the worlds take turns */
            if (i >= made->list[w].count) continue;
            made->bodies[made->count] = made->list[w].given[i];
            made->motions[made->count] = made->list[w].motions[i];
            made->motions[made->count].body = (uint32_t)made->count;
            made->world_of[made->count++] = (int32_t)w;
        }
    straight_pad(made, test_random_below(random, 2));
    made->options = graze_default_articulated_options();
    if (test_random_below(random, 2)) made->options.min_separation = test_random_between(random, 0.001, 0.1);
    if (test_random_below(random, 2)) made->options.t_max = test_random_between(random, 0.1, 1);
}

static inline void straight_release(straight_worlds *made) {
    for (size_t w = 0; w < made->worlds; w++) mixed_release(&made->list[w]);
    mixed_release(&made->shared);
}

typedef struct straight_answers {
    graze_status status, statuses[STRAIGHT_WORLDS];
    graze_articulated_result results[STRAIGHT_WORLDS];
} straight_answers;

/* `on_device`: positions are, after what is in the stream of no number. */
static inline void straight_ask(graze_context *context, const straight_worlds *made, const graze_worlds *worlds,
                                bool on_device, straight_answers *answers) {
    memset(answers, 0, sizeof *answers);
    answers->results[0] = graze_default_articulated_result();
    answers->status = on_device ? graze_worlds_step_on_device(context, worlds, made->motions, made->count,
                                                              &made->options, NULL, answers->results, answers->statuses)
                                : graze_worlds_step(context, worlds, made->motions, made->count, &made->options,
                                                    answers->results, answers->statuses);
}

static inline graze_worlds *straight_make(graze_context *context, const straight_worlds *made) {
    graze_worlds *worlds = NULL;
    CHECK(graze_worlds_create(context, made->bodies, made->world_of, made->count, NULL, &worlds) == GRAZE_OK);
    return worlds;
}

static inline bool straight_same(const graze_articulated_result *a, const graze_articulated_result *b) {
    return a->verdict == b->verdict && a->reason == b->reason && memcmp(&a->toi, &b->toi, sizeof a->toi) == 0 &&
           memcmp(&a->toi_upper, &b->toi_upper, sizeof a->toi) == 0 && a->has_contact == b->has_contact &&
           a->checks == b->checks && same_contact(&a->contact, &b->contact);
}

/* All worlds have the bits that the CPU gives; how many are hit. */
static inline size_t straight_compare(const straight_answers *cpu, const straight_answers *device, size_t worlds) {
    size_t hits = 0;
    CHECK(cpu->status == GRAZE_OK && device->status == GRAZE_OK);
    for (size_t w = 0; w < worlds; w++) {
        CHECK_MSG(cpu->statuses[w] == device->statuses[w] && straight_same(&cpu->results[w], &device->results[w]),
                  "world %zu: verdict %d toi %.17g and %d %.17g\n", w, (int)cpu->results[w].verdict,
                  cpu->results[w].toi, (int)device->results[w].verdict, device->results[w].toi);
        hits += cpu->results[w].verdict == GRAZE_HIT;
    }
    return hits;
}

#endif
