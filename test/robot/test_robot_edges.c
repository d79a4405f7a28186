/* Edges of a real robot against dense sampling in plain doubles: never late, no false hit. GRAZE_EDGES says how many.
 */
#include "check.h"
#include "robot_judge.h"

#include "graze/world.h"
#include "robot/model_file.h"

enum { MOST_VALUES = 32 };

/* A scene of the reference data, as the library and as the judge have it. */
typedef struct scene {
    graze_context *context;
    robot_models read;
    graze_world *world;
    uint8_t *pairs;
    judge judge;
    size_t first_values[64];
    size_t models;
} scene;

static graze_pair_rule ask_table(void *user, uint32_t body_a, uint32_t link_a, uint32_t body_b, uint32_t link_b,
                                 double *separation) {
    const scene *s = user;
    (void)separation;
    size_t a = s->read.first_link[body_a] + link_a, b = s->read.first_link[body_b] + link_b;
    return !s->pairs || s->pairs[a * s->judge.count + b] ? GRAZE_PAIR_TEST : GRAZE_PAIR_SKIP;
}

static void make_world(scene *s) {
    graze_body bodies[64];
    graze_model *models[64];
    for (size_t m = 0; m < s->models; m++) {
        graze_link *links = robot_library_links(&s->read.trees[m]);
        s->first_values[m] = s->judge.values;
        judge_add(&s->judge, links, s->read.trees[m].count);
        CHECK(graze_model_create(s->context, links, s->read.trees[m].count, &models[m]) == GRAZE_OK);
        bodies[m] = graze_default_body();
        bodies[m].model = models[m];
        free(links);
    }
    graze_world_options options = graze_default_world_options();
    options.filter = ask_table;
    options.filter_user = s;
    CHECK(graze_world_create(s->context, bodies, s->models, &options, &s->world) == GRAZE_OK);
    for (size_t m = 0; m < s->models; m++) graze_model_destroy(s->context, models[m]);
}

/* Model 0 is the robot. `alone`: without obstacles. */
static bool open_scene(scene *s, const char *name, bool alone) {
    char path[1000];
    io_error error;
    const char *folder = test_data_folder();
    *s = (scene){0};
    if (!folder) return false;
    snprintf(path, sizeof path, "%s/robots/%s.json", folder, name);
    bool good = robot_read_models(path, &s->read, &error);
    CHECK_MSG(good, "%s", error.message);
    CHECK(robot_link_table(&s->read, &s->pairs));
    CHECK(s->read.count <= 64 && s->read.trees[0].values <= MOST_VALUES);
    s->context = test_context(1, GRAZE_ISA_AUTO);
    s->models = alone ? 1 : s->read.count;
    s->judge.pairs = alone ? NULL : s->pairs;
    make_world(s);
    return true;
}

static void close_scene(scene *s) {
    graze_world_release(s->world);
    graze_context_destroy(s->context);
    judge_free(&s->judge);
    free(s->pairs);
    robot_free_models(&s->read);
}

typedef struct edge {
    double from[MOST_VALUES], to[MOST_VALUES], most;
} edge;

/* Between the limits of all joints; short ones turn each joint by up to half a radian. */
static edge random_edge(const scene *s, test_random *random, bool is_short) {
    const robot_tree *tree = &s->read.trees[0];
    edge e = {.most = 0};
    for (size_t i = 0; i < tree->count; i++) {
        const robot_link *link = &tree->links[i];
        if (robot_joint_values(link->kind) != 1) continue;
        double lo = fmax(link->limits[0], -3), hi = fmin(link->limits[1], 3), *from = &e.from[link->first_value];
        *from = test_random_between(random, lo, hi);
        double to = is_short ? *from + test_random_between(random, -0.5, 0.5) : test_random_between(random, lo, hi);
        e.to[link->first_value] = fmin(hi, fmax(lo, to));
    }
    robot_fill_mimics(tree, e.from);
    robot_fill_mimics(tree, e.to);
    for (size_t v = 0; v < tree->values; v++) e.most = fmax(e.most, fabs(e.to[v] - e.from[v]));
    return e;
}

static void pose_at(judge *j, const edge *e, double t) {
    double values[MOST_VALUES + 64] = {0};
    for (size_t v = 0; v < MOST_VALUES; v++) values[v] = e->from[v] + t * (e->to[v] - e->from[v]);
    judge_pose(j, values);
}

/* The first of many poses at which two links certainly cross; INFINITY: none. */
static double sampled(judge *j, const edge *e, double step) {
    int count = 1 + (int)(e->most / step);
    for (int k = 0; k <= count; k++) {
        pose_at(j, e, (double)k / count);
        if (judge_collides(j)) return (double)k / count;
    }
    return INFINITY;
}

static graze_articulated_result ask(const scene *s, const graze_world *world, const edge *e,
                                    graze_articulated_mode mode) {
    graze_motion joints = graze_default_motion();
    joints.from = e->from;
    joints.to = e->to;
    graze_body_motion motion = graze_default_body_motion();
    motion.joints = &joints;
    graze_articulated_options options = graze_default_articulated_options();
    options.mode = mode;
    graze_articulated_result r = graze_default_articulated_result();
    CHECK(graze_world_step(s->context, world, &motion, 1, &options, &r) == GRAZE_OK);
    return r;
}

typedef struct tally {
    int edges, hits, unresolved, sampled, between;
} tally;

/* A hit is one: at toi the links that it names are within a micrometer of each other. */
static void check_hit(scene *s, const edge *e, const graze_articulated_result *r) {
    pose_at(&s->judge, e, r->toi);
    size_t a = s->read.first_link[r->contact.model_a] + r->contact.link_a;
    size_t b = s->read.first_link[r->contact.model_b] + r->contact.link_b;
    CHECK_MSG(judge_tests(&s->judge, a, b) && judge_meets(&s->judge, a, b, 1e-6), "links %zu and %zu at %.17g", a, b,
              r->toi);
}

static void check_edge(scene *s, const edge *e, tally *t) {
    graze_articulated_result first = ask(s, s->world, e, GRAZE_ARTICULATED_EARLIEST);
    graze_articulated_result any = ask(s, s->world, e, GRAZE_ARTICULATED_ANY);
    double seen = sampled(&s->judge, e, 0.01);
    bool hit = first.verdict == GRAZE_HIT;
    CHECK_MSG(seen == INFINITY || (first.verdict != GRAZE_CLEAR && first.toi <= seen && any.verdict != GRAZE_CLEAR),
              "edge %d: links cross at %.17g, toi %.17g", t->edges, seen, first.toi);
    CHECK_MSG(first.verdict == GRAZE_UNRESOLVED || any.verdict == GRAZE_UNRESOLVED || first.verdict == any.verdict,
              "edge %d", t->edges);
    if (hit) check_hit(s, e, &first);
    t->edges++;
    t->hits += hit;
    t->unresolved += first.verdict == GRAZE_UNRESOLVED || any.verdict == GRAZE_UNRESOLVED;
    t->sampled += seen < INFINITY;
    t->between += hit && first.contact.proven && !(seen < INFINITY);
}

static int edge_count(void) {
    const char *count = getenv("GRAZE_EDGES");
    return count ? atoi(count) : 60;
}

static void check_edges(const char *name, uint64_t seed) {
    scene s;
    if (!open_scene(&s, name, false)) return;
    test_random random = {seed};
    tally t = {0};
    for (int i = 0; i < edge_count(); i++) {
        edge e = random_edge(&s, &random, i % 2);
        check_edge(&s, &e, &t);
    }
    printf("    %s: %d edges, %d hits, %d unresolved; sampling at 0.01 rad finds %d, and steps over %d proven ones\n",
           name, t.edges, t.hits, t.unresolved, t.sampled, t.between);
    CHECK(t.hits > t.edges / 10 && t.hits < t.edges && t.unresolved <= t.edges / 1000); /* never late, but not told */
    close_scene(&s);
}

TEST(edges_of_a_panda_in_a_cage_are_never_late_and_hits_are_hits) { check_edges("cage", 41); }
TEST(edges_of_a_panda_at_a_bookshelf_are_never_late_and_hits_are_hits) { check_edges("bookshelf", 42); }

/* ---- a held bar ---- */

static double bar_corners[8][3];
static const uint32_t bar_faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                          {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

/* A bar of 70 cm across the hand. */
static graze_link bar_on(int32_t hand, graze_link_mesh *mesh) {
    for (int i = 0; i < 8; i++) {
        bar_corners[i][0] = i & 1 ? 0.01 : -0.01;
        bar_corners[i][1] = i & 2 ? 0.35 : -0.35;
        bar_corners[i][2] = i & 4 ? 0.01 : -0.01;
    }
    *mesh = graze_default_link_mesh();
    mesh->vertex_count = 8;
    mesh->face_count = 12;
    mesh->vertices = (const double(*)[3])bar_corners;
    mesh->faces = bar_faces;
    graze_link bar = graze_default_link();
    bar.parent = hand;
    bar.origin.position[2] = 0.14;
    bar.meshes = mesh;
    bar.mesh_count = 1;
    return bar;
}

/* The robot alone, with a rule that leaves out all that has no bar in it. */
static graze_world *hold(scene *s, const graze_link *bar, uint32_t place) {
    graze_world_change changes[64];
    graze_world_pair rules[64];
    size_t count = 0;
    changes[count] = graze_default_world_change();
    changes[count].kind = GRAZE_WORLD_ATTACH;
    changes[count++].attached = bar;
    for (uint32_t a = 0; a < 2; a++) {
        rules[a] = graze_default_world_pair();
        rules[a].link_a = a ? place : GRAZE_EVERY_LINK;
        rules[a].link_b = GRAZE_EVERY_LINK;
        rules[a].rule = a ? GRAZE_PAIR_TEST : GRAZE_PAIR_SKIP;
        changes[count] = graze_default_world_change();
        changes[count].kind = GRAZE_WORLD_RULE;
        changes[count++].pair = &rules[a];
    }
    graze_world *world;
    CHECK(graze_world_update(s->context, s->world, changes, count, &world) == GRAZE_OK);
    return world;
}

/* The bar against the forearm, which is the link before the wrist. */
static double bar_sampled(judge *j, const edge *e, size_t bar, double step) {
    int count = 1 + (int)(e->most / step);
    for (int k = 0; k <= count; k++) {
        pose_at(j, e, (double)k / count);
        for (size_t i = 0; i < bar; i++)
            if (judge_tests(j, i, bar) && judge_meets(j, i, bar, 0)) return (double)k / count;
    }
    return INFINITY;
}

TEST(a_held_bar_that_sweeps_the_arm_is_found) {
    scene s;
    if (!open_scene(&s, "cage", true)) return;
    const robot_tree *tree = &s.read.trees[0];
    int32_t hand = robot_find_link(tree, "panda_hand");
    CHECK(hand >= 0);
    graze_link_mesh mesh;
    graze_link bar = bar_on((int32_t)tree->links[hand].place, &mesh);
    size_t place = s.judge.count;
    graze_world *world = hold(&s, &bar, (uint32_t)place);
    judge_add(&s.judge, &bar, 1);
    s.judge.links[place].parent = bar.parent;
    s.judge.links[place].body = s.judge.links[bar.parent].body;
    test_random random = {43};
    int swept = 0, tried = 0;
    for (; swept < 20 && tried < 3000; tried++) {
        edge e = random_edge(&s, &random, false);
        pose_at(&s.judge, &e, 0);
        double seen = bar_sampled(&s.judge, &e, place, 0.01);
        if (!(seen > 0 && seen < 1)) continue; /* a planner has looked at the start */
        swept++;
        graze_articulated_result first = ask(&s, world, &e, GRAZE_ARTICULATED_EARLIEST);
        graze_articulated_result any = ask(&s, world, &e, GRAZE_ARTICULATED_ANY);
        CHECK_MSG(first.verdict == GRAZE_HIT && first.toi <= seen, "seen at %.17g, toi %.17g", seen, first.toi);
        CHECK(first.contact.link_a == place || first.contact.link_b == place);
        CHECK(any.verdict == GRAZE_HIT);
    }
    CHECK_MSG(swept == 20, "%d of %d", swept, tried);
    graze_world_release(world);
    close_scene(&s);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
