/* Worlds give the bits of the calls with arrays of models, share what stays from version to version, and cost nothing
   for what is out of reach. */
#include "bodies.h"

#include "failing.h"
#include "same_contact.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MOST_MODELS = 12, MOST_LINKS = 6, MOST_VALUES = 36, TABLE = MOST_MODELS * MOST_LINKS };

/* ---- random scenes ---- */

typedef struct random_scene {
    graze_model *models[MOST_MODELS];
    size_t count, links, first[MOST_MODELS];
    double from[MOST_MODELS][MOST_VALUES], to[MOST_MODELS][MOST_VALUES];
    graze_motion motions[MOST_MODELS];
    graze_body bodies[MOST_MODELS];
    graze_body_motion body_motions[MOST_MODELS];
} random_scene;

static graze_frame random_frame(test_random *random, double spread) {
    graze_frame frame;
    for (int c = 0; c < 3; c++) frame.position[c] = test_random_between(random, -spread, spread);
    for (int c = 0; c < 4; c++) frame.rotation[c] = test_random_between(random, -1, 1);
    return frame;
}

/* Trees with fixed links at their roots, in their middle and at their ends; some links are empty. */
static graze_model *random_model(graze_context *context, test_random *random) {
    graze_link links[MOST_LINKS];
    test_box boxes[MOST_LINKS];
    graze_link_mesh meshes[MOST_LINKS];
    size_t count = 1 + test_random_below(random, MOST_LINKS);
    bool obstacle = test_random_below(random, 2) == 0;
    for (size_t i = 0; i < count; i++) {
        static const graze_joint_kind kinds[] = {GRAZE_JOINT_FIXED,     GRAZE_JOINT_FIXED, GRAZE_JOINT_REVOLUTE,
                                                 GRAZE_JOINT_PRISMATIC, GRAZE_JOINT_FREE,  GRAZE_JOINT_REVOLUTE};
        boxes[i] = test_box_of(test_random_between(random, 0.05, 0.4), 0.1, test_random_between(random, 0.05, 0.2));
        meshes[i] = test_mesh_of(&boxes[i]);
        int32_t parent = (int32_t)test_random_below(random, i + 1) - (test_random_below(random, 3) == 0);
        graze_joint_kind kind = obstacle ? GRAZE_JOINT_FIXED : kinds[test_random_below(random, 6)];
        bool empty = test_random_below(random, 8) == 0;
        if (parent >= (int32_t)i) parent = (int32_t)i - 1;
        links[i] = test_link(parent, kind, random_frame(random, parent < 0 ? 2 : 0.6), empty ? NULL : &meshes[i]);
        if (test_random_below(random, 4) == 0) links[i].padding = 0.05;
    }
    graze_model *model = NULL;
    CHECK(graze_model_create(context, links, count, &model) == GRAZE_OK);
    return model;
}

static random_scene make_scene(graze_context *context, test_random *random, double turn) {
    random_scene s = {.count = 2 + test_random_below(random, MOST_MODELS - 1)};
    for (size_t m = 0; m < s.count; m++) {
        s.models[m] = random_model(context, random);
        s.first[m] = s.links;
        s.links += graze_model_links(s.models[m]);
        for (int v = 0; v < MOST_VALUES; v++) {
            s.from[m][v] = test_random_between(random, -1, 1);
            s.to[m][v] = s.from[m][v] + test_random_between(random, -turn, turn);
        }
        s.bodies[m] = graze_default_body();
        s.bodies[m].model = s.models[m];
        s.body_motions[m] = graze_default_body_motion();
    }
    return s;
}

/* The scene lies where it is from here on. */
static void set_motions(random_scene *s) {
    for (size_t m = 0; m < s->count; m++) {
        s->motions[m] = test_motion(s->from[m], s->to[m]);
        s->body_motions[m].body = (uint32_t)m;
        s->body_motions[m].joints = &s->motions[m];
    }
}

static void free_scene(graze_context *context, random_scene *s) {
    for (size_t m = 0; m < s->count; m++) graze_model_destroy(context, s->models[m]);
}

static graze_world *world_of(graze_context *context, const random_scene *s, const graze_world_options *options) {
    graze_world *world = NULL;
    CHECK(graze_world_create(context, s->bodies, s->count, options, &world) == GRAZE_OK);
    return world;
}

/* ---- the same answers ---- */

static bool same_result(const graze_articulated_result *x, const graze_articulated_result *y) {
    bool same = x->verdict == y->verdict && x->reason == y->reason && x->toi == y->toi &&
                x->toi_upper == y->toi_upper && x->has_contact == y->has_contact && x->checks == y->checks &&
                x->pairs_tested == y->pairs_tested && x->pairs_near == y->pairs_near &&
                x->pairs_close == y->pairs_close && x->contact_count == y->contact_count;
    if (x->has_contact) same = same && same_contact(&x->contact, &y->contact);
    for (size_t i = 0; same && i < x->contact_count; i++) same = same_contact(&x->contacts[i], &y->contacts[i]);
    return same;
}

static graze_articulated_options random_options(test_random *random) {
    graze_articulated_options options = graze_default_articulated_options();
    options.mode = (graze_articulated_mode)test_random_below(random, 3);
    if (test_random_below(random, 2)) options.min_separation = test_random_between(random, 0, 0.2);
    if (test_random_below(random, 3) == 0) options.t_max = 0.6;
    options.check_inside = test_random_below(random, 2) == 0;
    options.interval_arithmetic = test_random_below(random, 8) == 0;
    options.max_checks = 200000;
    return options;
}

static bool steps_agree(graze_context *context, graze_context *other, const random_scene *s, const graze_world *world,
                        const graze_articulated_options *options, const uint8_t *table) {
    graze_articulated_options with_table = *options;
    with_table.link_pairs = table;
    graze_articulated_result x = graze_default_articulated_result(), y = x;
    CHECK(graze_articulated_step(context, (const graze_model *const *)s->models, s->count, s->motions, &with_table,
                                 &x) == GRAZE_OK);
    CHECK(graze_world_step(other, world, s->body_motions, s->count, options, &y) == GRAZE_OK);
    bool same = same_result(&x, &y);
    graze_articulated_release(context, &x);
    graze_articulated_release(other, &y);
    return same;
}

TEST(a_world_steps_with_the_bits_of_the_models_it_is_made_of) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO), *other = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {1};
    for (int i = 0; i < 250; i++) {
        random_scene s = make_scene(context, &random, i % 2 ? 3 : 0.3);
        set_motions(&s);
        graze_world *world = world_of(context, &s, NULL);
        for (int k = 0; k < 3; k++) {
            graze_articulated_options options = random_options(&random);
            CHECK_MSG(steps_agree(context, other, &s, world, &options, NULL), "scene %d, mode %d", i, options.mode);
        }
        graze_world_release(world);
        free_scene(context, &s);
    }
    graze_context_destroy(other);
    graze_context_destroy(context);
}

TEST(a_batch_of_a_world_has_the_bits_of_its_steps) {
    graze_context *context = test_context(3, GRAZE_ISA_AUTO);
    test_random random = {2};
    enum { PATHS = 9 };
    random_scene s[PATHS];
    s[0] = make_scene(context, &random, 1);
    for (int p = 1; p < PATHS; p++) {
        s[p] = s[0];
        for (int v = 0; v < MOST_VALUES; v++) s[p].to[0][v] += test_random_between(&random, -1, 1);
    }
    graze_body_motion motions[PATHS * MOST_MODELS];
    graze_articulated_result results[PATHS];
    for (int p = 0; p < PATHS; p++) {
        set_motions(&s[p]);
        memcpy(motions + (size_t)p * s[0].count, s[p].body_motions, s[0].count * sizeof *motions);
        results[p] = graze_default_articulated_result();
    }
    graze_world *world = world_of(context, &s[0], NULL);
    CHECK(graze_world_batch(context, world, motions, s[0].count, PATHS, NULL, results) == GRAZE_OK);
    for (int p = 0; p < PATHS; p++) {
        graze_articulated_result r = graze_default_articulated_result();
        CHECK(graze_world_step(context, world, s[p].body_motions, s[p].count, NULL, &r) == GRAZE_OK);
        CHECK(same_result(&r, &results[p]));
    }
    graze_world_release(world);
    free_scene(context, &s[0]);
    graze_context_destroy(context);
}

/* ---- rules ---- */

/* A table, and the rules or the filter that say the same. */
typedef struct random_table {
    const random_scene *scene;
    uint8_t table[TABLE * TABLE];
    graze_world_pair rules[TABLE * TABLE + MOST_MODELS];
    size_t rule_count;
} random_table;

static void set_pair(random_table *t, size_t a, size_t b, uint8_t value) {
    t->table[a * t->scene->links + b] = t->table[b * t->scene->links + a] = value;
}

static void say(random_table *t, size_t m, uint32_t i, size_t n, uint32_t j, graze_pair_rule rule) {
    graze_world_pair *pair = &t->rules[t->rule_count++];
    *pair = graze_default_world_pair();
    pair->body_a = (uint32_t)m;
    pair->link_a = i;
    pair->body_b = (uint32_t)n;
    pair->link_b = j;
    pair->rule = rule;
}

/* Rules for whole bodies first, which those for links come after. */
static void make_table(random_table *t, const random_scene *s, test_random *random) {
    t->scene = s;
    t->rule_count = 0;
    memset(t->table, 1, s->links * s->links);
    for (int k = 0; k < 3; k++) {
        size_t m = test_random_below(random, s->count), n = test_random_below(random, s->count);
        say(t, m, GRAZE_EVERY_LINK, n, GRAZE_EVERY_LINK, GRAZE_PAIR_SKIP);
        for (size_t i = 0; i < graze_model_links(s->models[m]); i++)
            for (size_t j = 0; j < graze_model_links(s->models[n]); j++)
                set_pair(t, s->first[m] + i, s->first[n] + j, 0);
    }
    for (size_t m = 0; m < s->count; m++)
        for (size_t n = m; n < s->count; n++)
            for (uint32_t i = 0; i < graze_model_links(s->models[m]); i++)
                for (uint32_t j = 0; j < graze_model_links(s->models[n]); j++) {
                    if (test_random_below(random, 4)) continue;
                    bool test = test_random_below(random, 2);
                    bool swap = test_random_below(random, 2);
                    if (swap)
                        say(t, n, j, m, i, test ? GRAZE_PAIR_TEST : GRAZE_PAIR_SKIP);
                    else
                        say(t, m, i, n, j, test ? GRAZE_PAIR_TEST : GRAZE_PAIR_SKIP);
                    set_pair(t, s->first[m] + i, s->first[n] + j, test);
                }
}

static graze_pair_rule ask_table(void *user, uint32_t body_a, uint32_t link_a, uint32_t body_b, uint32_t link_b,
                                 double *separation) {
    const random_table *t = user;
    (void)separation;
    size_t a = t->scene->first[body_a] + link_a, b = t->scene->first[body_b] + link_b;
    CHECK(a < b);
    return t->table[a * t->scene->links + b] ? GRAZE_PAIR_TEST : GRAZE_PAIR_SKIP;
}

TEST(rules_and_filters_of_a_world_skip_what_a_table_skips) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {3};
    static random_table table;
    for (int i = 0; i < 100; i++) {
        random_scene s = make_scene(context, &random, 1);
        set_motions(&s);
        make_table(&table, &s, &random);
        graze_world_options by_rules = graze_default_world_options(), by_filter = by_rules;
        by_rules.pairs = table.rules;
        by_rules.pair_count = table.rule_count;
        by_filter.filter = ask_table;
        by_filter.filter_user = &table;
        graze_world *worlds[2] = {world_of(context, &s, &by_rules), world_of(context, &s, &by_filter)};
        for (int k = 0; k < 4; k++) {
            graze_articulated_options options = random_options(&random);
            CHECK_MSG(steps_agree(context, context, &s, worlds[k / 2], &options, table.table), "scene %d, %s", i,
                      k / 2 ? "filter" : "rules");
        }
        for (int k = 0; k < 2; k++) graze_world_release(worlds[k]);
        free_scene(context, &s);
    }
    graze_context_destroy(context);
}

/* Time is cut alike whatever other pairs do in mode ALL, so that toi has the same bits. */
static void check_pair_alone(graze_context *context, const random_scene *s, const graze_link_contact *contact,
                             double separation, bool touches) {
    static uint8_t table[TABLE * TABLE];
    memset(table, 0, s->links * s->links);
    size_t a = s->first[contact->model_a] + contact->link_a, b = s->first[contact->model_b] + contact->link_b;
    table[a * s->links + b] = table[b * s->links + a] = 1;
    graze_articulated_options options = graze_default_articulated_options();
    options.mode = GRAZE_ARTICULATED_ALL;
    options.min_separation = separation;
    options.link_pairs = table;
    graze_articulated_result r = graze_default_articulated_result();
    CHECK(graze_articulated_step(context, (const graze_model *const *)s->models, s->count, s->motions, &options, &r) ==
          GRAZE_OK);
    CHECK((r.contact_count == 1) == touches);
    if (touches && r.contact_count == 1) CHECK(same_contact(&r.contacts[0], contact));
    graze_articulated_release(context, &r);
}

static bool is_found(const graze_articulated_result *r, const graze_link_contact *pair) {
    for (size_t i = 0; i < r->contact_count; i++) {
        const graze_link_contact *c = &r->contacts[i];
        bool same = c->model_a == pair->model_a && c->link_a == pair->link_a;
        bool swapped = c->model_a == pair->model_b && c->link_a == pair->link_b;
        if (same && c->model_b == pair->model_b && c->link_b == pair->link_b) return true;
        if (swapped && c->model_b == pair->model_a && c->link_b == pair->link_a) return true;
    }
    return false;
}

enum { CALL_SEPARATION = 5 }; /* of a hundred: for links of one model, which no rule names */

static double separation_of(const graze_world_pair *rules, size_t count, const graze_link_contact *c) {
    for (size_t i = 0; i < count; i++)
        if (rules[i].body_a + rules[i].body_b == c->model_a + c->model_b &&
            (rules[i].body_a == c->model_a || rules[i].body_a == c->model_b) && c->model_a != c->model_b)
            return rules[i].separation;
    return 0.01 * CALL_SEPARATION;
}

TEST(separations_of_pairs_are_those_of_calls_of_their_own) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {4};
    size_t apart = 0, touching = 0;
    for (int k = 0; k < 60; k++) {
        random_scene s = make_scene(context, &random, 0.3);
        set_motions(&s);
        graze_world_pair rules[MOST_MODELS * MOST_MODELS];
        graze_world_options options = graze_default_world_options();
        options.pairs = rules;
        for (uint32_t m = 0; m < s.count; m++)
            for (uint32_t n = m + 1; n < s.count; n++) {
                graze_world_pair *rule = &rules[options.pair_count++];
                *rule = graze_default_world_pair();
                rule->body_a = n;
                rule->body_b = m;
                rule->rule = GRAZE_PAIR_APART;
                rule->separation = test_random_between(&random, 0, 0.5);
            }
        graze_world *world = world_of(context, &s, &options);
        graze_articulated_options all = graze_default_articulated_options();
        all.mode = GRAZE_ARTICULATED_ALL;
        all.min_separation = 0.01 * CALL_SEPARATION;
        graze_articulated_result r = graze_default_articulated_result();
        CHECK(graze_world_step(context, world, s.body_motions, s.count, &all, &r) == GRAZE_OK);
        for (size_t c = 0; c < r.contact_count; c++, touching++)
            check_pair_alone(context, &s, &r.contacts[c], separation_of(rules, options.pair_count, &r.contacts[c]),
                             true);
        for (size_t x = 0; x < options.pair_count; x++) {
            graze_link_contact pair = {.model_a = rules[x].body_b, .model_b = rules[x].body_a};
            pair.link_a = (uint32_t)test_random_below(&random, graze_model_links(s.models[pair.model_a]));
            pair.link_b = (uint32_t)test_random_below(&random, graze_model_links(s.models[pair.model_b]));
            if (is_found(&r, &pair)) continue;
            check_pair_alone(context, &s, &pair, rules[x].separation, false);
            apart++;
        }
        graze_articulated_release(context, &r);
        graze_world_release(world);
        free_scene(context, &s);
    }
    CHECK_MSG(apart > 100 && touching > 100, "%zu apart, %zu touching", apart, touching);
    graze_context_destroy(context);
}

TEST(all_contacts_are_listed_in_the_order_of_their_links) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_box box = test_box_of(1, 1, 1);
    enum { BODIES = 9 };
    graze_model *models[BODIES];
    graze_motion motions[BODIES];
    for (int i = 0; i < BODIES; i++) motions[i] = graze_default_motion();
    for (int i = 0; i < BODIES; i++)
        models[i] = test_body(context, GRAZE_JOINT_FREE, test_frame(0.1 * i, 0.07 * i, 0.03 * i), &box);
    graze_articulated_options options = graze_default_articulated_options();
    options.mode = GRAZE_ARTICULATED_ALL;
    graze_articulated_result r = graze_default_articulated_result();
    CHECK(graze_articulated_step(context, (const graze_model *const *)models, BODIES, motions, &options, &r) ==
          GRAZE_OK);
    CHECK(r.contact_count == BODIES * (BODIES - 1) / 2);
    for (size_t i = 1; i < r.contact_count; i++) {
        const graze_link_contact *x = &r.contacts[i - 1], *y = &r.contacts[i];
        uint32_t low_x = x->model_a < x->model_b ? x->model_a : x->model_b, high_x = x->model_a + x->model_b - low_x;
        uint32_t low_y = y->model_a < y->model_b ? y->model_a : y->model_b, high_y = y->model_a + y->model_b - low_y;
        CHECK(low_x < low_y || (low_x == low_y && high_x < high_y));
    }
    graze_articulated_release(context, &r);
    for (int i = 0; i < BODIES; i++) graze_model_destroy(context, models[i]);
    graze_context_destroy(context);
}

/* ---- versions ---- */

static graze_world *updated(graze_context *context, const graze_world *world, const graze_world_change *changes,
                            size_t count) {
    graze_world *next = NULL;
    CHECK(graze_world_update(context, world, changes, count, &next) == GRAZE_OK);
    return next;
}

TEST(versions_of_a_world_are_worlds_of_the_changed_models) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {5};
    test_box box = test_box_of(0.2, 0.1, 0.1);
    graze_link_mesh mesh = test_mesh_of(&box);
    for (int k = 0; k < 100; k++) {
        random_scene s = make_scene(context, &random, 1);
        set_motions(&s);
        graze_world *world = world_of(context, &s, NULL), *first = graze_world_retain(world);
        graze_articulated_result before = graze_default_articulated_result(), after = before;
        CHECK(graze_world_step(context, first, s.body_motions, s.count, NULL, &before) == GRAZE_OK);
        graze_world_change changes[6];
        for (int i = 0; i < 6; i++) {
            graze_world_change *c = &changes[i];
            *c = graze_default_world_change();
            c->kind = (graze_world_change_kind)test_random_below(&random, 4);
            c->body = (uint32_t)test_random_below(&random, s.count);
            graze_model *model = s.models[c->body];
            c->link = (uint32_t)test_random_below(&random, graze_model_links(model));
            c->origin = random_frame(&random, 1);
            c->padding = test_random_between(&random, 0, 0.1);
            graze_link link = test_link((int32_t)c->link, GRAZE_JOINT_FIXED, c->origin, &mesh);
            c->attached = &link;
            if (c->kind == GRAZE_WORLD_DETACH && graze_model_links(model) < 2) c->kind = GRAZE_WORLD_PAD;
            if (c->kind == GRAZE_WORLD_PLACE) CHECK(graze_model_place(context, model, c->link, &c->origin) == GRAZE_OK);
            if (c->kind == GRAZE_WORLD_PAD) CHECK(graze_model_pad(context, model, c->link, c->padding) == GRAZE_OK);
            if (c->kind == GRAZE_WORLD_ATTACH) CHECK(graze_model_attach(context, model, &link) == GRAZE_OK);
            if (c->kind == GRAZE_WORLD_DETACH) CHECK(graze_model_detach(context, model) == GRAZE_OK);
            graze_world *next = updated(context, world, c, 1);
            graze_world_release(world);
            world = next;
            graze_articulated_options options = random_options(&random);
            CHECK(steps_agree(context, context, &s, world, &options, NULL));
        }
        CHECK(graze_world_step(context, first, s.body_motions, s.count, NULL, &after) == GRAZE_OK);
        CHECK(same_result(&before, &after));
        graze_world_release(first);
        graze_world_release(world);
        free_scene(context, &s);
    }
    graze_context_destroy(context);
}

/* The memory that a context holds, counted by its allocator. */
typedef struct counted {
    atomic_size_t held;
} counted;

static void *count_allocate(void *user, size_t size, size_t alignment) {
    ((counted *)user)->held += size;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void count_release(void *user, void *block, size_t size) {
    ((counted *)user)->held -= size;
    free(block);
}

static graze_context *counting_context(counted *count) {
    graze_context_options options = graze_default_context_options();
    graze_context *context = NULL;
    options.threads = 1;
    options.allocator = (graze_allocator){count_allocate, count_release, count};
    CHECK(graze_context_create(&options, &context) == GRAZE_OK);
    return context;
}

/* An arm of four links at the origin, and boxes on a grid that it does not reach. */
typedef struct yard {
    graze_model *arm;
    graze_body *bodies;
    size_t count;
    double from[4], to[4];
    graze_motion motion;
    graze_body_motion body_motion;
    test_box box;
    graze_link_mesh mesh;
} yard;

static graze_model *make_arm(graze_context *context, const test_box *box) {
    graze_link_mesh mesh = test_mesh_of(box);
    graze_link links[5];
    for (int i = 0; i < 5; i++)
        links[i] = test_link(i - 1, i ? GRAZE_JOINT_REVOLUTE : GRAZE_JOINT_FIXED, test_frame(0.4, 0, 0), &mesh);
    graze_model *arm = NULL;
    CHECK(graze_model_create(context, links, 5, &arm) == GRAZE_OK);
    return arm;
}

static void open_yard(graze_context *context, yard *y, size_t obstacles) {
    *y = (yard){.count = obstacles + 1, .to = {0.8, -0.7, 0.9, 0.6}, .box = test_box_of(0.15, 0.1, 0.1)};
    y->mesh = test_mesh_of(&y->box);
    y->arm = make_arm(context, &y->box);
    y->bodies = calloc(y->count, sizeof *y->bodies);
    for (size_t i = 0; i < y->count; i++) {
        y->bodies[i] = graze_default_body();
        if (i == 0) {
            y->bodies[i].model = y->arm;
            continue;
        }
        y->bodies[i].kind = GRAZE_BODY_STATIC;
        y->bodies[i].meshes = &y->mesh;
        y->bodies[i].mesh_count = 1;
        y->bodies[i].origin = test_frame(4 + (double)(i % 22), (double)(i / 22 % 22) - 11, (double)(i / 484) - 11);
    }
    y->motion = test_motion(y->from, y->to);
    y->body_motion = graze_default_body_motion();
    y->body_motion.joints = &y->motion;
}

static void close_yard(graze_context *context, yard *y) {
    graze_model_destroy(context, y->arm);
    free(y->bodies);
}

TEST(versions_share_what_stays) {
    counted count = {0};
    graze_context *context = counting_context(&count);
    yard y;
    open_yard(context, &y, 1000);
    graze_world *world = NULL, *next = NULL;
    size_t before = count.held;
    CHECK(graze_world_create(context, y.bodies, y.count, NULL, &world) == GRAZE_OK);
    size_t whole = count.held - before;
    graze_link held = test_link(4, GRAZE_JOINT_FIXED, test_frame(0.2, 0, 0), &y.mesh);
    graze_world_change attach = graze_default_world_change();
    attach.kind = GRAZE_WORLD_ATTACH;
    attach.attached = &held;
    before = count.held;
    CHECK(graze_world_update(context, world, &attach, 1, &next) == GRAZE_OK);
    CHECK_MSG(count.held - before < whole / 50, "%zu of %zu bytes", count.held - before, whole);
    graze_world *place = NULL;
    graze_world_change move = graze_default_world_change();
    move.body = 7;
    move.origin = test_frame(30, 0, 0);
    before = count.held;
    CHECK(graze_world_update(context, next, &move, 1, &place) == GRAZE_OK);
    CHECK_MSG(count.held - before < whole * 3 / 4, "%zu of %zu bytes", count.held - before, whole);
    graze_world_release(world);
    graze_world_release(next);
    graze_articulated_result r = graze_default_articulated_result();
    CHECK(graze_world_step(context, place, &y.body_motion, 1, NULL, &r) == GRAZE_OK && r.verdict == GRAZE_CLEAR);
    graze_world_release(place);
    close_yard(context, &y);
    graze_context_destroy(context);
    CHECK(count.held == 0);
}

/* ---- what is out of reach ---- */

TEST(ten_thousand_obstacles_out_of_reach_cost_no_check_and_no_memory_for_each_edge) {
    counted count = {0};
    graze_context *maker = test_context(1, GRAZE_ISA_AUTO);
    graze_articulated_result results[2];
    size_t held[2];
    for (int k = 0; k < 2; k++) {
        graze_context *context = counting_context(&count);
        yard y;
        open_yard(maker, &y, k ? 10000 : 0);
        graze_world *world = NULL;
        CHECK(graze_world_create(maker, y.bodies, y.count, NULL, &world) == GRAZE_OK);
        results[k] = graze_default_articulated_result();
        size_t before = count.held;
        CHECK(graze_world_step(context, world, &y.body_motion, 1, NULL, &results[k]) == GRAZE_OK);
        held[k] = count.held - before;
        graze_world_release(world);
        close_yard(maker, &y);
        graze_context_destroy(context);
    }
    CHECK(results[0].verdict == GRAZE_CLEAR && results[1].verdict == GRAZE_CLEAR);
    CHECK(results[0].checks == results[1].checks && results[0].pairs_near == results[1].pairs_near);
    CHECK(results[1].pairs_tested == results[0].pairs_tested + 40000);
    CHECK_MSG(held[1] <= held[0] + 10000 * sizeof(uint32_t), "%zu and %zu bytes", held[0], held[1]);
    graze_context_destroy(maker);
}

/* ---- threads ---- */

typedef struct sharing {
    graze_context *context;
    graze_world *world;
    const random_scene *scene;
    graze_status status;
    graze_articulated_result result;
} sharing;

static void *use_world(void *state) {
    sharing *s = state;
    for (int i = 0; i < 20 && s->status == GRAZE_OK; i++) {
        s->result = graze_default_articulated_result();
        s->status = graze_world_step(s->context, s->world, s->scene->body_motions, s->scene->count, NULL, &s->result);
    }
    graze_world_release(s->world);
    return NULL;
}

TEST(threads_share_one_world) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {6};
    random_scene s = make_scene(context, &random, 1);
    set_motions(&s);
    graze_world *world = world_of(context, &s, NULL);
    sharing shared[4];
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        shared[i] = (sharing){.context = test_context(1, GRAZE_ISA_AUTO), .scene = &s};
        shared[i].world = graze_world_retain(world);
        CHECK(pthread_create(&threads[i], NULL, use_world, &shared[i]) == 0);
    }
    graze_world_change pad = graze_default_world_change();
    pad.kind = GRAZE_WORLD_PAD;
    graze_world *next = updated(context, world, &pad, 1);
    graze_world_release(world);
    for (int i = 0; i < 4; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    for (int i = 0; i < 4; i++) {
        CHECK(shared[i].status == GRAZE_OK && same_result(&shared[0].result, &shared[i].result));
        graze_context_destroy(shared[i].context);
    }
    graze_world_release(next);
    free_scene(context, &s);
    graze_context_destroy(context);
}

/* ---- poses ---- */

TEST(a_pose_is_valid_where_a_motion_that_stands_still_is_clear) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {7};
    size_t verdicts[3] = {0};
    for (int i = 0; i < 400; i++) {
        random_scene s = make_scene(context, &random, 1);
        set_motions(&s);
        graze_world *world = world_of(context, &s, NULL);
        graze_articulated_options options = random_options(&random);
        options.interval_arithmetic = 0;
        options.t_max = 1;
        graze_articulated_result r = graze_default_articulated_result(), moved = r;
        CHECK(graze_world_valid(context, world, s.body_motions, s.count, &options, &r) == GRAZE_OK);
        for (size_t m = 0; m < s.count; m++) s.motions[m].to = s.motions[m].from;
        CHECK(graze_world_step(context, world, s.body_motions, s.count, &options, &moved) == GRAZE_OK);
        CHECK(r.verdict == moved.verdict);
        verdicts[r.verdict]++;
        if (options.mode == GRAZE_ARTICULATED_ALL) {
            CHECK(r.contact_count == moved.contact_count);
            for (size_t c = 0; c < r.contact_count && c < moved.contact_count; c++)
                CHECK(r.contacts[c].model_a + r.contacts[c].model_b ==
                      moved.contacts[c].model_a + moved.contacts[c].model_b);
        }
        graze_articulated_release(context, &r);
        graze_articulated_release(context, &moved);
        graze_world_release(world);
        free_scene(context, &s);
    }
    CHECK(verdicts[GRAZE_CLEAR] > 30 && verdicts[GRAZE_HIT] > 30);
    graze_context_destroy(context);
}

TEST(a_pose_inside_a_closed_body_is_not_valid) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_box small = test_box_of(0.1, 0.1, 0.1), large = test_box_of(1, 1, 1);
    graze_body bodies[2] = {graze_default_body(), graze_default_body()};
    graze_model *model = test_body(context, GRAZE_JOINT_FREE, test_frame(0, 0, 0), &small);
    graze_link_mesh mesh = test_mesh_of(&large);
    bodies[0].model = model;
    bodies[1].kind = GRAZE_BODY_STATIC;
    bodies[1].meshes = &mesh;
    bodies[1].mesh_count = 1;
    graze_world *world = NULL;
    CHECK(graze_world_create(context, bodies, 2, NULL, &world) == GRAZE_OK);
    graze_articulated_result r = graze_default_articulated_result();
    CHECK(graze_world_valid(context, world, NULL, 0, NULL, &r) == GRAZE_OK);
    CHECK(r.verdict == GRAZE_HIT && r.contact.inside);
    graze_articulated_options options = graze_default_articulated_options();
    CHECK(graze_world_valid(context, world, NULL, 0, &options, &r) == GRAZE_OK && r.verdict == GRAZE_CLEAR);
    double from[6] = {3, 0, 0, 0, 0, 0};
    graze_motion motion = test_motion(from, NULL);
    graze_body_motion pose = graze_default_body_motion();
    pose.joints = &motion;
    CHECK(graze_world_valid(context, world, &pose, 1, NULL, &r) == GRAZE_OK && r.verdict == GRAZE_CLEAR);
    graze_world_release(world);
    graze_model_destroy(context, model);
    graze_context_destroy(context);
}

/* ---- what goes wrong ---- */

static graze_pair_rule bad_filter(void *user, uint32_t body_a, uint32_t link_a, uint32_t body_b, uint32_t link_b,
                                  double *separation) {
    (void)body_a, (void)link_a, (void)body_b, (void)link_b;
    *separation = -1;
    return *(graze_pair_rule *)user;
}

static graze_status make_with(graze_context *context, const yard *y, const graze_world_options *options) {
    graze_world *world = NULL;
    graze_status status = graze_world_create(context, y->bodies, y->count, options, &world);
    CHECK((world != NULL) == (status == GRAZE_OK));
    graze_world_release(world);
    return status;
}

TEST(bad_worlds_are_refused) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    yard y;
    open_yard(context, &y, 3);
    graze_world *world = NULL;
    graze_error error;
    CHECK(graze_world_create(NULL, y.bodies, y.count, NULL, &world) == GRAZE_ERR_INVALID_ARGUMENT && !world);
    CHECK(graze_world_create(context, NULL, 3, NULL, &world) == GRAZE_ERR_INVALID_ARGUMENT && !world);
    CHECK(graze_world_create(context, y.bodies, 0, NULL, &world) == GRAZE_ERR_INVALID_ARGUMENT && !world);
    y.bodies[2].kind = (graze_body_kind)9;
    CHECK(make_with(context, &y, NULL) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_context_last_error(context, &error) == GRAZE_OK && error.index == 2);
    y.bodies[2].kind = GRAZE_BODY_STATIC;
    y.bodies[2].origin.rotation[0] = 0;
    CHECK(make_with(context, &y, NULL) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_context_last_error(context, &error) == GRAZE_OK && error.index == 2 &&
          strstr(error.message, "rotation") && strstr(error.message, "body 2"));
    y.bodies[2].origin.rotation[0] = 1;
    graze_world_pair rule = graze_default_world_pair();
    graze_world_options options = graze_default_world_options();
    options.pairs = &rule;
    options.pair_count = 1;
    rule.body_b = 4;
    CHECK(make_with(context, &y, &options) == GRAZE_ERR_BAD_INDEX);
    rule.body_b = 0;
    rule.link_b = 5;
    CHECK(make_with(context, &y, &options) == GRAZE_ERR_BAD_INDEX);
    rule.link_b = 4;
    rule.rule = GRAZE_PAIR_APART;
    rule.separation = NAN;
    CHECK(make_with(context, &y, &options) == GRAZE_ERR_INVALID_ARGUMENT);
    rule.separation = 0.1;
    CHECK(make_with(context, &y, &options) == GRAZE_OK);
    rule.struct_size = 3;
    CHECK(make_with(context, &y, &options) == GRAZE_ERR_INVALID_ARGUMENT);
    graze_pair_rule answer = GRAZE_PAIR_APART;
    options = graze_default_world_options();
    options.filter = bad_filter;
    options.filter_user = &answer;
    CHECK(make_with(context, &y, &options) == GRAZE_ERR_CALLBACK);
    answer = GRAZE_PAIR_SKIP;
    CHECK(make_with(context, &y, &options) == GRAZE_OK);
    close_yard(context, &y);
    graze_context_destroy(context);
}

TEST(bad_motions_and_changes_of_a_world_are_refused) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    yard y;
    open_yard(context, &y, 3);
    graze_world *world = NULL, *next = NULL;
    CHECK(graze_world_create(context, y.bodies, y.count, NULL, &world) == GRAZE_OK);
    graze_articulated_result r = graze_default_articulated_result();
    graze_articulated_options options = graze_default_articulated_options();
    uint8_t table[64] = {0};
    options.link_pairs = table;
    CHECK(graze_world_step(context, world, &y.body_motion, 1, &options, &r) == GRAZE_ERR_UNSUPPORTED);
    CHECK(graze_world_step(context, NULL, &y.body_motion, 1, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_world_step(context, world, NULL, 1, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    y.body_motion.body = 4;
    CHECK(graze_world_step(context, world, &y.body_motion, 1, NULL, &r) == GRAZE_ERR_BAD_INDEX);
    CHECK(graze_world_valid(context, world, &y.body_motion, 1, NULL, &r) == GRAZE_ERR_BAD_INDEX);
    y.body_motion.body = 0;
    y.from[1] = NAN;
    CHECK(graze_world_step(context, world, &y.body_motion, 1, NULL, &r) == GRAZE_ERR_NOT_FINITE);
    CHECK(graze_world_valid(context, world, &y.body_motion, 1, NULL, &r) == GRAZE_ERR_NOT_FINITE);
    CHECK(r.verdict == GRAZE_UNRESOLVED && r.toi == 0);
    graze_world_change changes[2] = {graze_default_world_change(), graze_default_world_change()};
    changes[1].body = 4;
    graze_error error;
    CHECK(graze_world_update(context, world, changes, 2, &next) == GRAZE_ERR_BAD_INDEX && !next);
    CHECK(graze_context_last_error(context, &error) == GRAZE_OK && error.index == 1);
    changes[1] = graze_default_world_change();
    changes[1].kind = GRAZE_WORLD_DETACH;
    changes[1].body = 2;
    CHECK(graze_world_update(context, world, changes, 2, &next) == GRAZE_ERR_INVALID_ARGUMENT && !next);
    changes[1].kind = (graze_world_change_kind)17;
    CHECK(graze_world_update(context, world, changes, 2, &next) == GRAZE_ERR_INVALID_ARGUMENT && !next);
    changes[1].kind = GRAZE_WORLD_ATTACH;
    CHECK(graze_world_update(context, world, changes, 2, &next) == GRAZE_ERR_INVALID_ARGUMENT && !next);
    changes[1].kind = GRAZE_WORLD_RULE;
    CHECK(graze_world_update(context, world, changes, 2, &next) == GRAZE_ERR_INVALID_ARGUMENT && !next);
    graze_world_release(world);
    graze_world_release(NULL);
    close_yard(context, &y);
    graze_context_destroy(context);
}

TEST(worlds_survive_failure_of_every_allocation) {
    for (long n = 3; n < 400; n++) {
        failing f = {.left = LONG_MAX};
        graze_context *context = failing_context(&f, 1);
        CHECK(context);
        yard y;
        open_yard(context, &y, 2);
        graze_world *world = NULL, *next = NULL;
        graze_world_change move = graze_default_world_change();
        move.body = 1;
        f.left = n;
        graze_status made = graze_world_create(context, y.bodies, y.count, NULL, &world);
        graze_status changed = made;
        if (made == GRAZE_OK) changed = graze_world_update(context, world, &move, 1, &next);
        graze_articulated_result r = graze_default_articulated_result();
        graze_status stepped = changed;
        if (changed == GRAZE_OK) stepped = graze_world_step(context, next, &y.body_motion, 1, NULL, &r);
        CHECK(stepped == GRAZE_OK || stepped == GRAZE_ERR_OUT_OF_MEMORY);
        CHECK((made == GRAZE_OK) == (world != NULL));
        CHECK(stepped == GRAZE_OK || r.verdict != GRAZE_CLEAR);
        f.left = LONG_MAX;
        graze_world_release(next);
        graze_world_release(world);
        close_yard(context, &y);
        graze_context_destroy(context);
        CHECK(f.held == 0);
        if (stepped == GRAZE_OK) return;
    }
    CHECK(!"all of it succeeds with enough memory");
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
