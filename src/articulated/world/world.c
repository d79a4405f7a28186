/* Makes worlds and versions of them. */
#include "articulated/world/world.h"

#include "base/sizes.h"

#include <math.h>
#include <string.h>

#define NO_MOTION UINT32_MAX

static const graze_body body_defaults = {.origin = {{0, 0, 0}, {1, 0, 0, 0}}};
static const graze_world_pair pair_defaults = {.link_a = GRAZE_EVERY_LINK, .link_b = GRAZE_EVERY_LINK};
static const graze_world_options option_defaults = {.pairs = NULL};
static const graze_world_change change_defaults = {.origin = {{0, 0, 0}, {1, 0, 0, 0}}};
#define IDENTITY_MATRIX                                                                                                \
    {                                                                                                                  \
        {1, 0, 0, 0}, {0, 1, 0, 0}, { 0, 0, 1, 0 }                                                                     \
    }
#define IDENTITY_FRAME                                                                                                 \
    {                                                                                                                  \
        {0, 0, 0}, { 1, 0, 0, 0 }                                                                                      \
    }
static const graze_body_motion motion_defaults = {
    .matrix0 = IDENTITY_MATRIX, .matrix1 = IDENTITY_MATRIX, .pose0 = IDENTITY_FRAME, .pose1 = IDENTITY_FRAME};

#define BODY_LEAST GZ_SIZE_UP_TO(graze_body, padding)
#define PAIR_LEAST GZ_SIZE_UP_TO(graze_world_pair, separation)
#define OPTIONS_LEAST GZ_SIZE_UP_TO(graze_world_options, filter_user)
#define CHANGE_LEAST GZ_SIZE_UP_TO(graze_world_change, pair)

void graze_init_body(graze_body *body, size_t size) { gz_sized_init(body, size, &body_defaults, sizeof body_defaults); }

void graze_init_world_pair(graze_world_pair *pair, size_t size) {
    gz_sized_init(pair, size, &pair_defaults, sizeof pair_defaults);
}

void graze_init_world_options(graze_world_options *options, size_t size) {
    gz_sized_init(options, size, &option_defaults, sizeof option_defaults);
}

void graze_init_world_change(graze_world_change *change, size_t size) {
    gz_sized_init(change, size, &change_defaults, sizeof change_defaults);
}

void graze_init_body_motion(graze_body_motion *motion, size_t size) {
    gz_sized_init(motion, size, &motion_defaults, sizeof motion_defaults);
}

/* Says which item is at fault, before what was said of it. */
static graze_status fail_at(graze_context *context, graze_status status, const char *what, size_t index) {
    graze_error why = context->error;
    const char *text = why.status == status && why.message[0] ? why.message : graze_status_name(status);
    return gz_fail(context, status, index, "%s %zu: %s", what, index, text);
}

/* ---- bodies ---- */

static gz_body *make_body(graze_context *context, graze_body_kind kind, const graze_model *model) {
    gz_body *body = gz_allocate(context, sizeof *body);
    if (!body) return NULL;
    atomic_init(&body->holds, 1);
    body->context = context;
    body->kind = kind;
    body->shape = NULL;
    if (gz_model_copy(context, model, &body->model) == GRAZE_OK) return body;
    gz_release(context, body, sizeof *body);
    return NULL;
}

static gz_body *hold_body(gz_body *body) {
    atomic_fetch_add(&body->holds, 1);
    return body;
}

static void release_body(gz_body *body) {
    if (!body || atomic_fetch_sub(&body->holds, 1) != 1) return;
    gz_model_close(body->context, &body->model);
    gz_mesh_shape_release(body->shape);
    gz_release(body->context, body, sizeof *body);
}

static gz_body **hold_bodies(graze_context *context, gz_body *const *bodies, size_t count) {
    gz_body **held = gz_allocate_array(context, count, sizeof *held);
    for (size_t i = 0; held && i < count; i++) held[i] = hold_body(bodies[i]);
    return held;
}

static void release_bodies(graze_context *context, gz_body **bodies, size_t count) {
    for (size_t i = 0; bodies && i < count; i++) release_body(bodies[i]);
    gz_release(context, bodies, count * sizeof *bodies);
}

/* A body of one link, by the public call for models. */
static graze_status one_link(graze_context *context, graze_body_kind kind, const graze_link *link, gz_body **body) {
    graze_model *model;
    graze_status status = graze_model_create(context, link, 1, &model);
    if (status != GRAZE_OK) return status;
    *body = make_body(context, kind, model);
    graze_model_destroy(context, model);
    return *body ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
}

static graze_status static_body(graze_context *context, const graze_body *given, gz_body **body) {
    graze_link link = graze_default_link();
    link.origin = given->origin;
    link.padding = given->padding;
    link.meshes = given->meshes;
    link.mesh_count = given->mesh_count;
    return one_link(context, given->kind, &link, body);
}

/* The shape of a body before this one that was given with the same mesh and positions, held; NULL without. */
static gz_mesh_shape *shape_before(const graze_world *world, size_t index, const graze_body *given) {
    for (size_t i = index; i-- > 0;) {
        gz_mesh_shape *shape = world->bodies[i]->shape;
        if (shape && gz_mesh_shape_is_of(shape, given)) return gz_mesh_shape_hold(shape);
    }
    return NULL;
}

static graze_status mesh_body(graze_context *context, graze_world *world, size_t index, const graze_body *given) {
    gz_body **body = &world->bodies[index];
    gz_mesh_shape *shape = shape_before(world, index, given);
    graze_status status = shape ? GRAZE_OK : gz_mesh_shape_make(context, given, &shape);
    if (status != GRAZE_OK) return status;
    graze_link link = graze_default_link();
    link.padding = given->padding;
    if (given->kind == GRAZE_BODY_RIGID) status = gz_mesh_shape_tree(context, shape);
    if (status == GRAZE_OK) status = one_link(context, given->kind, &link, body);
    if (status == GRAZE_OK)
        (*body)->shape = shape;
    else
        gz_mesh_shape_release(shape);
    world->mixed = true;
    return status;
}

static graze_status add_body(graze_context *context, graze_world *world, size_t index, const graze_body *given) {
    if ((unsigned)given->kind > GRAZE_BODY_CUBIC) return GRAZE_ERR_INVALID_ARGUMENT;
    if (given->kind == GRAZE_BODY_STATIC && !given->mesh) return static_body(context, given, &world->bodies[index]);
    if (given->kind != GRAZE_BODY_MODEL) return mesh_body(context, world, index, given);
    if (!given->model) return GRAZE_ERR_INVALID_ARGUMENT;
    world->bodies[index] = make_body(context, given->kind, given->model);
    return world->bodies[index] ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
}

static graze_status add_bodies(graze_context *context, const graze_body *given, size_t count, graze_world *world) {
    size_t stride = given->struct_size;
    if (gz_sized_check(context, "body", given, BODY_LEAST) != GRAZE_OK) return GRAZE_ERR_INVALID_ARGUMENT;
    world->bodies = gz_allocate_array(context, count, sizeof *world->bodies);
    if (!world->bodies) return GRAZE_ERR_OUT_OF_MEMORY;
    memset(world->bodies, 0, count * sizeof *world->bodies);
    world->body_count = count;
    for (size_t i = 0; i < count; i++) {
        graze_body body = graze_default_body();
        const void *at = (const char *)given + i * stride;
        graze_status status = gz_sized_read(context, "body", &body, sizeof body, BODY_LEAST, at);
        if (status == GRAZE_OK) status = add_body(context, world, i, &body);
        if (status != GRAZE_OK) return fail_at(context, status, "body", i);
    }
    return GRAZE_OK;
}

/* ---- rules ---- */

static bool is_link(const graze_world *world, uint32_t body, uint32_t link) {
    return body < world->body_count && (link == GRAZE_EVERY_LINK || link < world->bodies[body]->model.count);
}

static graze_status add_rule(graze_context *context, graze_world *world, const graze_world_pair *given,
                             uint64_t index) {
    graze_world_pair pair = graze_default_world_pair();
    graze_status status = gz_sized_read(context, "world pair", &pair, sizeof pair, PAIR_LEAST, given);
    if (status != GRAZE_OK) return status;
    if (!is_link(world, pair.body_a, pair.link_a) || !is_link(world, pair.body_b, pair.link_b))
        return gz_fail(context, GRAZE_ERR_BAD_INDEX, index, "rule %llu names no link", (unsigned long long)index);
    bool in_range = pair.separation >= 0 && pair.separation <= GRAZE_MAX_COORDINATE;
    if ((unsigned)pair.rule > GRAZE_PAIR_APART || (pair.rule == GRAZE_PAIR_APART && !in_range))
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, index, "rule %llu: its kind or separation is out of range",
                       (unsigned long long)index);
    gz_rule rule = {gz_link_name_of(pair.body_a, pair.link_a), gz_link_name_of(pair.body_b, pair.link_b),
                    world->given.next++, pair.rule, pair.rule == GRAZE_PAIR_APART ? pair.separation : 0};
    return gz_rules_add(context, &world->given, rule) ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
}

static graze_status add_rules(graze_context *context, graze_world *world, const graze_world_options *options) {
    world->given.next = 1;
    if (options->pair_count == 0) return GRAZE_OK;
    if (!options->pairs || gz_sized_check(context, "world pair", options->pairs, PAIR_LEAST) != GRAZE_OK)
        return GRAZE_ERR_INVALID_ARGUMENT;
    graze_status status = GRAZE_OK;
    for (size_t i = 0; i < options->pair_count && status == GRAZE_OK; i++) {
        const void *at = (const char *)options->pairs + i * options->pairs->struct_size;
        status = add_rule(context, world, at, i);
    }
    gz_rules_sort(&world->given);
    return status;
}

/* ---- links ---- */

/* Places of a world's links in a scene: still ones first. */
typedef struct link_places {
    graze_context *context;
    size_t *first;   /* of each body, in `place` */
    uint32_t *place; /* of each link */
    size_t body_count, link_count, still_count;
} link_places;

static void close_places(link_places *places) {
    gz_release(places->context, places->first, places->body_count * sizeof *places->first);
    gz_release(places->context, places->place, places->link_count * sizeof *places->place);
}

static void set_places(const graze_world *world, link_places *places) {
    uint32_t still = 0, mover = (uint32_t)places->still_count;
    size_t at = 0;
    for (size_t b = 0; b < world->body_count; b++) {
        const graze_model *model = &world->bodies[b]->model;
        places->first[b] = at;
        for (size_t i = 0; i < model->count; i++) places->place[at++] = model->links[i].on_world ? still++ : mover++;
    }
}

static graze_status open_places(graze_context *context, const graze_world *world, link_places *places) {
    *places = (link_places){.context = context, .body_count = world->body_count};
    for (size_t b = 0; b < world->body_count; b++) {
        const graze_model *model = &world->bodies[b]->model;
        places->link_count += model->count;
        for (size_t i = 0; i < model->count; i++) places->still_count += model->links[i].on_world;
    }
    if (places->link_count > INT32_MAX)
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "too many links");
    places->first = gz_allocate_array(context, places->body_count, sizeof *places->first);
    places->place = gz_allocate_array(context, places->link_count, sizeof *places->place);
    if (!places->first || !places->place) return GRAZE_ERR_OUT_OF_MEMORY;
    set_places(world, places);
    return GRAZE_OK;
}

static uint32_t place_of(const link_places *places, size_t body, size_t link) {
    return places->place[places->first[body] + link];
}

static gz_scene_link scene_link(const graze_world *world, const link_places *places, size_t body, size_t index) {
    const gz_link *link = &world->bodies[body]->model.links[index];
    gz_scene_link made = {.link = link, .model = (uint32_t)body, .index = (uint32_t)index};
    made.parent = link->parent < 0 ? -1 : (int32_t)place_of(places, body, (uint32_t)link->parent);
    made.body = (int32_t)place_of(places, body, link->body);
    made.motion = world->motions[body];
    return made;
}

/* Bodies with links that move are counted, in their order. */
static bool count_motions(graze_context *context, graze_world *world) {
    world->motions = gz_allocate_array(context, world->body_count, sizeof *world->motions);
    if (!world->motions) return false;
    for (size_t b = 0; b < world->body_count; b++) {
        const graze_model *model = &world->bodies[b]->model;
        bool moves = false;
        for (size_t i = 0; i < model->count; i++) moves = moves || !model->links[i].on_world;
        world->motions[b] = moves ? world->motion_count++ : NO_MOTION;
    }
    return true;
}

static graze_status list_movers(graze_context *context, graze_world *world, const link_places *places) {
    world->mover_count = places->link_count - places->still_count;
    world->movers = gz_allocate_array(context, world->mover_count, sizeof *world->movers);
    if (!world->movers) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t b = 0; b < world->body_count; b++)
        for (size_t i = 0; i < world->bodies[b]->model.count; i++)
            if (!world->bodies[b]->model.links[i].on_world)
                world->movers[place_of(places, b, i) - places->still_count] = scene_link(world, places, b, i);
    return GRAZE_OK;
}

/* ---- what never moves ---- */

static void release_still(gz_still *still) {
    if (!still || atomic_fetch_sub(&still->holds, 1) != 1) return;
    graze_context *context = still->context;
    gz_still_tree_release(context, &still->tree);
    gz_release(context, still->links.links, still->links.count * sizeof *still->links.links);
    gz_release(context, still->links.local, still->links.count * sizeof *still->links.local);
    gz_release(context, still->links.world, still->links.count * sizeof *still->links.world);
    release_bodies(context, still->bodies, still->body_count);
    gz_release(context, still, sizeof *still);
}

static gz_still *open_still(graze_context *context, const graze_world *world, size_t count) {
    gz_still *still = gz_allocate(context, sizeof *still);
    if (!still) return NULL;
    *still = (gz_still){.context = context, .body_count = world->body_count};
    atomic_init(&still->holds, 1);
    still->links.count = (uint32_t)count;
    still->links.links = gz_allocate_array(context, count, sizeof *still->links.links);
    still->links.local = gz_allocate_array(context, count, sizeof *still->links.local);
    still->links.world = gz_allocate_array(context, count, sizeof *still->links.world);
    still->bodies = hold_bodies(context, world->bodies, world->body_count);
    if (still->links.links && still->links.local && still->links.world && still->bodies) return still;
    release_still(still);
    return NULL;
}

/* Joints and frames, by a scene in which still links are as all others. */
static graze_status make_frames(graze_context *context, gz_still_links *still) {
    gz_scene scene = {0};
    gz_frames frames = {0};
    graze_motion none = graze_default_motion();
    graze_status status = gz_scene_reserve(&scene, context, NULL, still->count);
    if (status == GRAZE_OK) {
        if (still->count) memcpy(scene.links, still->links, still->count * sizeof *scene.links);
        for (uint32_t i = 0; i < still->count; i++) scene.links[i].motion = 0;
        status = gz_scene_move(&scene, gz_motions_from(&none, 0));
    }
    if (status == GRAZE_OK) status = gz_frames_open(&frames, &scene);
    if (status == GRAZE_OK) gz_frames_window(&frames, 0, 0);
    for (uint32_t i = 0; i < still->count && status == GRAZE_OK; i++) {
        still->links[i] = scene.links[i];
        still->world[i] = *gz_frames_world(&frames, i);
        still->local[i] = frames.links[i].local;
    }
    gz_frames_close(&frames);
    gz_scene_close(&scene);
    return status;
}

static graze_status list_still(graze_context *context, graze_world *world, const link_places *places) {
    world->still = open_still(context, world, places->still_count);
    if (!world->still) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t b = 0; b < world->body_count; b++)
        for (size_t i = 0; i < world->bodies[b]->model.count; i++)
            if (world->bodies[b]->model.links[i].on_world)
                world->still->links.links[place_of(places, b, i)] = scene_link(world, places, b, i);
    return make_frames(context, &world->still->links);
}

/* ---- pairs ---- */

static gz_scene scene_of(const graze_world *world) {
    return (gz_scene){.context = world->context,
                      .still = &world->still->links,
                      .still_count = world->still->links.count,
                      .links = world->movers,
                      .count = world->still->links.count + world->mover_count};
}

/* The answers of the filter, as rules that all others come after. */
static graze_status ask_filter(graze_context *context, graze_world *world, const gz_scene *scene, uint32_t mover) {
    const gz_scene_link *x = gz_scene_at(scene, mover);
    for (uint32_t i = 0; i < mover; i++) {
        const gz_scene_link *y = gz_scene_at(scene, i);
        if (!gz_scene_is_pair(scene, i, mover)) continue;
        bool swap = gz_scene_before(scene, mover, i);
        const gz_scene_link *a = swap ? x : y, *b = swap ? y : x;
        gz_rule rule = {gz_link_name_of(a->model, a->index), gz_link_name_of(b->model, b->index), 0, GRAZE_PAIR_TEST,
                        0};
        rule.rule = world->filter(world->filter_user, a->model, a->index, b->model, b->index, &rule.separation);
        bool in_range = rule.separation >= 0 && rule.separation <= GRAZE_MAX_COORDINATE;
        if ((unsigned)rule.rule > GRAZE_PAIR_APART || (rule.rule == GRAZE_PAIR_APART && !in_range))
            return gz_fail(context, GRAZE_ERR_CALLBACK, a->model, "the filter returned no rule for body %u, link %u",
                           a->model, a->index);
        if (rule.rule != GRAZE_PAIR_TEST && !gz_rules_add(context, &world->rules, rule)) return GRAZE_ERR_OUT_OF_MEMORY;
    }
    return GRAZE_OK;
}

static graze_status find_rules(graze_context *context, graze_world *world) {
    gz_scene scene = scene_of(world);
    graze_status status = gz_rules_copy(context, &world->given, &world->rules);
    for (size_t i = scene.still_count; world->filter && i < scene.count && status == GRAZE_OK; i++)
        status = ask_filter(context, world, &scene, (uint32_t)i);
    gz_rules_sort(&world->rules);
    return status;
}

/* The pairs of links that a rule names. */
typedef struct rule_visit {
    graze_world *world;
    const link_places *places;
    const gz_scene *scene;
    const gz_rule *rule;
    uint64_t skipped;
    bool shared; /* still links are those of another version, which stay as they are */
    bool stale;  /* and their boxes are too small for this one */
} rule_visit;

static void widen(rule_visit *visit, uint32_t place, double separation) {
    gz_still *still = visit->world->still;
    bool is_still = place < still->links.count;
    gz_scene_link *link = is_still ? &still->links.links[place] : &visit->world->movers[place - still->links.count];
    if (!(link->margin < separation)) return;
    if (is_still && visit->shared)
        visit->stale = true;
    else
        link->margin = separation;
}

static void visit_links(rule_visit *visit, uint32_t a, uint32_t b) {
    const gz_rule *rule = visit->rule;
    if (a == b || !gz_scene_is_pair(visit->scene, a, b)) return;
    if (gz_rules_find(&visit->world->rules, gz_scene_at(visit->scene, a), gz_scene_at(visit->scene, b)) != rule) return;
    visit->skipped += rule->rule == GRAZE_PAIR_SKIP;
    widen(visit, a, rule->separation);
    widen(visit, b, rule->separation);
}

static void visit_rule(rule_visit *visit) {
    size_t body_a = visit->rule->a >> 32, body_b = visit->rule->b >> 32;
    uint32_t link_a = (uint32_t)visit->rule->a, link_b = (uint32_t)visit->rule->b;
    size_t end_a = visit->world->bodies[body_a]->model.count, end_b = visit->world->bodies[body_b]->model.count;
    for (size_t i = link_a == GRAZE_EVERY_LINK ? 0 : link_a; i < end_a; i++) {
        for (size_t j = link_b == GRAZE_EVERY_LINK ? 0 : link_b; j < end_b; j++) {
            bool twice = body_a == body_b && link_a == GRAZE_EVERY_LINK && link_b == GRAZE_EVERY_LINK && j < i;
            if (!twice) visit_links(visit, place_of(visit->places, body_a, i), place_of(visit->places, body_b, j));
            if (link_b != GRAZE_EVERY_LINK) break;
        }
        if (link_a != GRAZE_EVERY_LINK) break;
    }
}

/* Counts the pairs that are tested, and finds by how much boxes have to grow for those with a separation of their own.
   False where still links that are shared would have to grow. */
static bool apply_rules(graze_world *world, const link_places *places, bool shared) {
    gz_scene scene = scene_of(world);
    rule_visit visit = {.world = world, .places = places, .scene = &scene, .shared = shared};
    for (size_t i = 0; i < world->rules.count; i++) {
        visit.rule = &world->rules.list[i];
        visit_rule(&visit);
    }
    world->pairs = gz_scene_pairs(&scene) - visit.skipped;
    return !visit.stale;
}

/* ---- worlds ---- */

static void destroy(graze_world *world) {
    graze_context *context = world->context;
    gz_rules_release(context, &world->given);
    gz_rules_release(context, &world->rules);
    gz_release(context, world->movers, world->mover_count * sizeof *world->movers);
    gz_release(context, world->motions, world->body_count * sizeof *world->motions);
    gz_units_release(&world->units);
    release_still(world->still);
    release_bodies(context, world->bodies, world->body_count);
    gz_release(context, world, sizeof *world);
}

static graze_world *open_world(graze_context *context) {
    graze_world *world = gz_allocate(context, sizeof *world);
    if (!world) return NULL;
    *world = (graze_world){.context = context, .units = {.context = context}};
    atomic_init(&world->holds, 1);
    return world;
}

static graze_status make_still(graze_context *context, graze_world *world, const link_places *places) {
    release_still(world->still);
    graze_status status = list_still(context, world, places);
    if (status != GRAZE_OK) return status;
    if (world->rules.count == 0) status = find_rules(context, world);
    if (status == GRAZE_OK) apply_rules(world, places, false);
    return status == GRAZE_OK ? gz_still_tree_build(context, &world->still->links, &world->still->tree) : status;
}

/* The still links of the version before, where their boxes are large enough. */
static graze_status share_still(graze_context *context, graze_world *world, const link_places *places,
                                gz_still *still) {
    atomic_fetch_add(&still->holds, 1);
    world->still = still;
    graze_status status = find_rules(context, world);
    if (status != GRAZE_OK || apply_rules(world, places, true)) return status;
    return make_still(context, world, places);
}

/* Everything that follows from bodies and rules. `still` is that of the version before where it holds, or NULL. */
static graze_status derive(graze_context *context, graze_world *world, gz_still *still) {
    link_places places;
    graze_status status = open_places(context, world, &places);
    if (status == GRAZE_OK && !count_motions(context, world)) status = GRAZE_ERR_OUT_OF_MEMORY;
    if (status == GRAZE_OK) status = list_movers(context, world, &places);
    if (status == GRAZE_OK)
        status = still ? share_still(context, world, &places, still) : make_still(context, world, &places);
    close_places(&places);
    return status == GRAZE_OK && world->mixed ? gz_units_make(context, world, &world->units) : status;
}

/* As a call on the context; a body by itself was one of its own. */
static graze_status derive_as_call(graze_context *context, graze_world *world, gz_still *still) {
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    return status == GRAZE_OK ? gz_context_leave(context, &env, derive(context, world, still)) : status;
}

/* Bodies and rules, from which the rest is derived. */
static graze_status gather(graze_context *context, const graze_body *bodies, size_t count,
                           const graze_world_options *given, graze_world *world) {
    graze_world_options options = graze_default_world_options();
    graze_status status = GRAZE_OK;
    if (given) status = gz_sized_read(context, "world options", &options, sizeof options, OPTIONS_LEAST, given);
    if (status == GRAZE_OK && (!bodies || count == 0 || count >= UINT32_MAX))
        status = gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "a world needs at least one body");
    if (status == GRAZE_OK) status = add_bodies(context, bodies, count, world);
    if (status != GRAZE_OK) return status;
    world->filter = options.filter;
    world->filter_user = options.filter_user;
    return add_rules(context, world, &options);
}

static graze_status create(graze_context *context, const graze_body *bodies, size_t count,
                           const graze_world_options *options, graze_world *world) {
    graze_status status = gather(context, bodies, count, options, world);
    return status == GRAZE_OK ? derive_as_call(context, world, NULL) : status;
}

graze_status graze_world_create(graze_context *context, const graze_body *bodies, size_t count,
                                const graze_world_options *options, graze_world **world) {
    if (!world) return GRAZE_ERR_INVALID_ARGUMENT;
    *world = NULL;
    if (!context) return GRAZE_ERR_INVALID_ARGUMENT;
    graze_world *made = open_world(context);
    if (!made) return GRAZE_ERR_OUT_OF_MEMORY;
    graze_status status = create(context, bodies, count, options, made);
    if (status == GRAZE_OK)
        *world = made;
    else
        destroy(made);
    return status;
}

graze_world *graze_world_retain(graze_world *world) {
    if (world) atomic_fetch_add(&world->holds, 1);
    return world;
}

void graze_world_release(graze_world *world) {
    if (world && atomic_fetch_sub(&world->holds, 1) == 1) destroy(world);
}

size_t graze_world_bodies(const graze_world *world) { return world ? world->body_count : 0; }

size_t graze_world_links(const graze_world *world, uint32_t body) {
    return world && body < world->body_count ? world->bodies[body]->model.count : 0;
}

size_t graze_world_values(const graze_world *world, uint32_t body) {
    return world && body < world->body_count ? world->bodies[body]->model.values : 0;
}

graze_joint_kind graze_world_joint(const graze_world *world, uint32_t body, uint32_t link) {
    bool is_there = link < graze_world_links(world, body);
    return is_there ? world->bodies[body]->model.links[link].joint : GRAZE_JOINT_FIXED;
}

/* ---- parts ---- */

graze_status gz_world_gather(graze_context *context, const graze_body *bodies, size_t count,
                             const graze_world_options *options, graze_world **world) {
    graze_status status = GRAZE_ERR_OUT_OF_MEMORY;
    *world = open_world(context);
    if (*world) status = gather(context, bodies, count, options, *world);
    if (status == GRAZE_OK && (*world)->filter)
        status = gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "a filter is only for one world");
    if (status == GRAZE_OK) return status;
    graze_world_release(*world);
    *world = NULL;
    return status;
}

static bool add_part_rules(graze_context *context, const gz_rules *all, const uint32_t *places, gz_rules *rules) {
    for (size_t i = 0; i < all->count; i++) {
        gz_rule rule = all->list[i];
        uint32_t a = places[rule.a >> 32], b = places[rule.b >> 32];
        if (a == UINT32_MAX || b == UINT32_MAX) continue;
        rule.a = gz_link_name_of(a, (uint32_t)rule.a);
        rule.b = gz_link_name_of(b, (uint32_t)rule.b);
        if (!gz_rules_add(context, rules, rule)) return false;
    }
    rules->next = all->next;
    gz_rules_sort(rules);
    return true;
}

static graze_status fill_part(graze_context *context, const graze_world *all, const uint32_t *bodies, size_t count,
                              const uint32_t *places, graze_world *part) {
    part->bodies = gz_allocate_array(context, count, sizeof *part->bodies);
    if (!part->bodies) return GRAZE_ERR_OUT_OF_MEMORY;
    for (; part->body_count < count; part->body_count++) {
        gz_body *body = all->bodies[bodies[part->body_count]];
        part->bodies[part->body_count] = hold_body(body);
        part->mixed |= body->shape != NULL;
    }
    if (!add_part_rules(context, &all->given, places, &part->given)) return GRAZE_ERR_OUT_OF_MEMORY;
    return derive(context, part, NULL);
}

graze_status gz_world_part(graze_context *context, const graze_world *all, const uint32_t *bodies, size_t count,
                           const uint32_t *places, graze_world **part) {
    graze_status status = GRAZE_ERR_OUT_OF_MEMORY;
    *part = open_world(context);
    if (*part) status = fill_part(context, all, bodies, count, places, *part);
    if (status == GRAZE_OK) return status;
    graze_world_release(*part);
    *part = NULL;
    return status;
}

/* ---- versions ---- */

/* A body that is to change: a copy, unless this version has one already. */
static bool own_body(graze_context *context, const graze_world *before, graze_world *world, uint32_t body) {
    if (world->bodies[body] != before->bodies[body]) return true;
    gz_body *copy = make_body(context, before->bodies[body]->kind, &before->bodies[body]->model);
    if (!copy) return false;
    copy->shape = gz_mesh_shape_hold(before->bodies[body]->shape);
    release_body(world->bodies[body]);
    world->bodies[body] = copy;
    return true;
}

static graze_status change_body(graze_context *context, graze_world *world, const graze_world_change *change) {
    graze_model *model = &world->bodies[change->body]->model;
    switch (change->kind) {
    case GRAZE_WORLD_PLACE: return graze_model_place(context, model, change->link, &change->origin);
    case GRAZE_WORLD_PAD: return graze_model_pad(context, model, change->link, change->padding);
    case GRAZE_WORLD_ATTACH: return graze_model_attach(context, model, change->attached);
    case GRAZE_WORLD_DETACH:
        gz_rules_drop(&world->given, gz_link_name_of(change->body, (uint32_t)model->count - 1));
        return graze_model_detach(context, model);
    case GRAZE_WORLD_RULE: break;
    }
    return GRAZE_ERR_INVALID_ARGUMENT;
}

/* True if a change is one of a link that never moves; links that come and go are the last ones. */
static bool is_still_change(const graze_world *world, const graze_world_change *change) {
    const graze_model *model = &world->bodies[change->body]->model;
    bool last = change->kind == GRAZE_WORLD_ATTACH || change->kind == GRAZE_WORLD_DETACH;
    size_t link = last ? model->count - 1 : change->link;
    return link < model->count && model->links[link].on_world;
}

static graze_status apply(graze_context *context, const graze_world *before, graze_world *world,
                          const graze_world_change *change, uint64_t index, bool *still) {
    if (change->kind == GRAZE_WORLD_RULE) {
        if (!change->pair) return GRAZE_ERR_INVALID_ARGUMENT;
        *still = *still && change->pair->rule != GRAZE_PAIR_APART;
        graze_status status = add_rule(context, world, change->pair, index);
        gz_rules_sort(&world->given);
        return status;
    }
    if (change->body >= world->body_count) return GRAZE_ERR_BAD_INDEX;
    if (world->bodies[change->body]->shape && change->kind != GRAZE_WORLD_PAD)
        return gz_fail(context, GRAZE_ERR_UNSUPPORTED, index, "a body with its own mesh takes only a padding");
    if (!own_body(context, before, world, change->body)) return GRAZE_ERR_OUT_OF_MEMORY;
    *still = *still && !(change->kind == GRAZE_WORLD_DETACH && is_still_change(world, change));
    graze_status status = change_body(context, world, change);
    *still = *still && !(change->kind != GRAZE_WORLD_DETACH && is_still_change(world, change));
    return status;
}

static graze_status update(graze_context *context, const graze_world *before, const graze_world_change *changes,
                           size_t count, graze_world *world) {
    world->bodies = hold_bodies(context, before->bodies, before->body_count);
    world->body_count = world->bodies ? before->body_count : 0;
    world->filter = before->filter;
    world->filter_user = before->filter_user;
    world->mixed = before->mixed;
    if (!world->bodies) return GRAZE_ERR_OUT_OF_MEMORY;
    graze_status status = gz_rules_copy(context, &before->given, &world->given);
    bool still = !before->filter; /* nothing that never moves has changed */
    for (size_t i = 0; i < count && status == GRAZE_OK; i++) {
        graze_world_change change = graze_default_world_change();
        const void *at = (const char *)changes + i * changes->struct_size;
        status = gz_sized_read(context, "world change", &change, sizeof change, CHANGE_LEAST, at);
        if (status == GRAZE_OK) status = apply(context, before, world, &change, i, &still);
        if (status != GRAZE_OK) fail_at(context, status, "change", i);
    }
    return status == GRAZE_OK ? derive_as_call(context, world, still ? before->still : NULL) : status;
}

graze_status graze_world_update(graze_context *context, const graze_world *world, const graze_world_change *changes,
                                size_t count, graze_world **updated) {
    if (!updated) return GRAZE_ERR_INVALID_ARGUMENT;
    *updated = NULL;
    if (!context || !world || (count && !changes)) return GRAZE_ERR_INVALID_ARGUMENT;
    if (count && gz_sized_check(context, "world change", changes, CHANGE_LEAST) != GRAZE_OK)
        return GRAZE_ERR_INVALID_ARGUMENT;
    graze_world *made = open_world(context);
    if (!made) return GRAZE_ERR_OUT_OF_MEMORY;
    graze_status status = update(context, world, changes, count, made);
    if (status == GRAZE_OK)
        *updated = made;
    else
        destroy(made);
    return status;
}
