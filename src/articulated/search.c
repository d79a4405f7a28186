/* Time-major search: a window of time holds a front of node pairs of all pairs of links. Nodes are split while they are
   larger than they move, else time is; the earlier half comes first, so that the first contact ends the rest. */
#include "articulated/search.h"

#include "articulated/wide/descent.h"
#include "articulated/world/world.h"
#include "motion/rounding.h"

#include <math.h>
#include <string.h>

#define SHORTEST_WINDOW 0x1p-30 /* below it nodes are split whatever they do */
#define NODE_SWEEP 1.0          /* a node that moves more than this many times its size waits for a shorter window */
#define LONE_SWEEP 0.5          /* the same beside a triangle that is larger, for a node with many below it */
#define MANY_BELOW 16           /* nodes in its first half */
#define NODE_BLUR 0.125         /* a remainder above this part of a moving node's size: it waits, too */
#define WINDOW_TURN 2.0         /* radians between two links in one window: beyond, frames are not even made */
#define WINDOW_CHECKS 16        /* a window counts as that many: frames take about as long */
#define FACE_SWEEP 8.0          /* the same for two triangles */
#define MORE_ADVANCES 5         /* steps by the motion bound of two links, after the first */
#define FRONT_LOOKS 64          /* nodes of a window that wait: so many may be of links that cross already */
#define FACES_OF_A_LOOK 16      /* mode ANY: so many triangles take longer than a look at one more single time */
#define MOST_LOOK_PARTS 64
#define GLANCE_BLOCKS 15 /* blocks that a look at a single time may take, for each level of both trees */

/* Leaves no slot of the motion before. */
static void forget_active(gz_search *search) {
    for (size_t i = 0; i < search->active_count; i++) search->slots[search->active[i].link] = UINT32_MAX;
    search->active_count = 0;
}

graze_status gz_search_open(gz_search *search, graze_context *context, const graze_model *const *models, size_t count,
                            const graze_articulated_options *options) {
    *search = (gz_search){0};
    return gz_search_reopen(search, context, models, count, options);
}

static bool make_room(gz_search *search) {
    graze_context *context = search->scene.context;
    size_t links = search->scene.count, movers = links - search->scene.still_count, known = search->slot_room;
    if (!gz_grow(context, (void **)&search->tree, &search->tree_room, 2 * movers, sizeof *search->tree) ||
        !gz_grow(context, (void **)&search->slots, &search->slot_room, links, sizeof *search->slots))
        return false;
    for (size_t i = known; i < search->slot_room; i++) search->slots[i] = UINT32_MAX;
    return true;
}

/* Frames and memory for the links of the scene. */
static graze_status prepare(gz_search *search, const graze_articulated_options *options) {
    search->options = *options;
    graze_status status = gz_frames_reopen(&search->wide, &search->scene);
    if (status == GRAZE_OK) status = gz_frames_reopen(&search->narrow, &search->scene);
    if (status == GRAZE_OK && !make_room(search)) status = GRAZE_ERR_OUT_OF_MEMORY;
    return status;
}

/* Pairs that a table leaves. */
static uint64_t pairs_of_table(const gz_scene *scene, const uint8_t *table) {
    uint64_t pairs = 0;
    for (uint32_t a = 0; a < scene->count; a++)
        for (uint32_t b = a + 1; b < scene->count; b++)
            if (table[a * scene->count + b]) pairs += gz_scene_is_pair(scene, a, b);
    return pairs;
}

graze_status gz_search_reopen(gz_search *search, graze_context *context, const graze_model *const *models, size_t count,
                              const graze_articulated_options *options) {
    forget_active(search);
    search->world = NULL;
    graze_status status = gz_scene_reopen(&search->scene, context, models, count);
    if (status == GRAZE_OK) status = prepare(search, options);
    if (status != GRAZE_OK) return status;
    const uint8_t *table = options->link_pairs;
    search->pairs_tested = table ? pairs_of_table(&search->scene, table) : gz_scene_pairs(&search->scene);
    return GRAZE_OK;
}

/* Links of a world but for their motions, which every call makes. */
static void copy_movers(gz_scene_link *to, const gz_scene_link *from, size_t count) {
    for (size_t i = 0; i < count; i++) memcpy(&to[i], &from[i], offsetof(gz_scene_link, joint));
}

graze_status gz_search_reopen_world(gz_search *search, graze_context *context, const graze_world *world,
                                    const graze_articulated_options *options) {
    forget_active(search);
    search->world = world;
    search->pairs_tested = world->pairs;
    graze_status status = gz_scene_reserve(&search->scene, context, &world->still->links, world->mover_count);
    if (status != GRAZE_OK) return status;
    if (!gz_grow(context, (void **)&search->motions, &search->motion_room, world->motion_count,
                 sizeof *search->motions))
        return GRAZE_ERR_OUT_OF_MEMORY;
    copy_movers(search->scene.links, world->movers, world->mover_count);
    return prepare(search, options);
}

void gz_search_close(gz_search *search) {
    graze_context *context = search->scene.context;
    gz_release(context, search->boxes, search->box_room * sizeof *search->boxes);
    gz_release(context, search->tree, search->tree_room * sizeof *search->tree);
    gz_release(context, search->motions, search->motion_room * sizeof *search->motions);
    gz_release(context, search->near, search->near_room * sizeof *search->near);
    gz_release(context, search->active, search->active_room * sizeof *search->active);
    gz_release(context, search->slots, search->slot_room * sizeof *search->slots);
    gz_release(context, search->pairs, search->pair_room * sizeof *search->pairs);
    gz_release(context, search->front, search->front_room * sizeof *search->front);
    gz_frames_close(&search->wide);
    gz_frames_close(&search->narrow);
    gz_scene_close(&search->scene);
}

/* ---- the pairs ---- */

static double size_of(const gz_link *link) {
    double extent[3];
    gz_link_extent(link, extent);
    return fmax(extent[0], fmax(extent[1], extent[2]));
}

/* The separation that is asked for a pair; negative: it is not tested. */
static double separation_of(const gz_search *search, uint32_t a, uint32_t b) {
    const gz_scene *scene = &search->scene;
    const uint8_t *table = search->options.link_pairs;
    if ((table && !table[a * scene->count + b]) || !gz_scene_is_pair(scene, a, b)) return -1;
    double separation = search->options.min_separation;
    if (search->world) gz_rules_apply(&search->world->rules, gz_scene_at(scene, a), gz_scene_at(scene, b), &separation);
    return separation;
}

static gz_link_pair pair_of(const gz_search *search, uint32_t a, uint32_t b, double separation) {
    const gz_link *x = gz_scene_at(&search->scene, a)->link, *y = gz_scene_at(&search->scene, b)->link;
    gz_link_pair pair = {.a = a, .b = b, .separation = separation};
    gz_reach_between(separation, x->padding, y->padding, &pair.contact_low, &pair.contact);
    pair.tolerance = search->options.tolerance;
    if (!(pair.tolerance > 0)) pair.tolerance = 0x1p-30 * fmax(size_of(x), size_of(y));
    return pair;
}

/* The link with more triangles stands, the other moves: fewer corners are turned. */
static void order(const gz_search *search, uint32_t *a, uint32_t *b) {
    if (gz_scene_at(&search->scene, *a)->link->face_count <= gz_scene_at(&search->scene, *b)->link->face_count) return;
    uint32_t t = *a;
    *a = *b;
    *b = t;
}

bool gz_search_pair(const gz_search *search, uint32_t a, uint32_t b, gz_link_pair *pair) {
    double separation = separation_of(search, a, b);
    if (separation < 0) return false;
    order(search, &a, &b);
    *pair = pair_of(search, a, b, separation);
    return true;
}

static bool set_slot(gz_search *search, uint32_t link, uint32_t *slot) {
    if (search->slots[link] == UINT32_MAX) {
        if (!gz_grow(search->scene.context, (void **)&search->active, &search->active_room, search->active_count + 1,
                     sizeof *search->active))
            return false;
        gz_active_link *active = &search->active[search->active_count];
        active->link = link;
        if (link < search->scene.still_count)
            active->box = gz_cull_box(&search->wide, link, search->options.min_separation);
        search->slots[link] = (uint32_t)search->active_count++;
    }
    *slot = search->slots[link];
    return true;
}

/* A pair that is tested. */
static bool add_pair(gz_search *search, uint32_t a, uint32_t b) {
    if (!gz_grow(search->scene.context, (void **)&search->pairs, &search->pair_room, search->pair_count + 1,
                 sizeof *search->pairs))
        return false;
    double separation = separation_of(search, a, b);
    order(search, &a, &b);
    gz_pair_state *state = &search->pairs[search->pair_count++];
    *state = (gz_pair_state){.pair = pair_of(search, a, b, separation), .limit = search->options.t_max};
    state->turn = gz_scene_turn_between(&search->scene, a, b);
    state->moves_a = !gz_scene_at(&search->scene, a)->still;
    state->moves_b = !gz_scene_at(&search->scene, b)->still;
    return set_slot(search, a, &state->slot_a) && set_slot(search, b, &state->slot_b);
}

static bool add_near(gz_search *search, uint32_t a, uint32_t b) {
    if (separation_of(search, a, b) < 0) return true;
    if (!gz_grow(search->scene.context, (void **)&search->near, &search->near_room, search->near_count + 1,
                 sizeof *search->near))
        return false;
    bool swap = gz_scene_before(&search->scene, b, a);
    search->near[search->near_count++] = (gz_near_links){swap ? b : a, swap ? a : b};
    return true;
}

static bool add_movers(void *user, uint32_t a, uint32_t b) {
    gz_search *search = user;
    uint32_t first = (uint32_t)search->scene.still_count;
    return add_near(search, first + a, first + b);
}

typedef struct still_job {
    gz_search *search;
    uint32_t mover;
} still_job;

/* A still link whose box in the tree meets that of the mover; its own tells more. */
static bool add_still(void *user, uint32_t still) {
    const still_job *job = user;
    gz_search *search = job->search;
    gz_link_box box = gz_cull_box(&search->wide, still, search->options.min_separation);
    if (!gz_link_boxes_meet(&box, &search->boxes[job->mover - search->scene.still_count])) return true;
    return add_near(search, job->mover, still);
}

static bool find_still(gz_search *search) {
    for (size_t i = search->scene.still_count; search->world && i < search->scene.count; i++) {
        still_job job = {search, (uint32_t)i};
        const gz_link_box *box = &search->boxes[i - search->scene.still_count];
        double grow = search->options.min_separation; /* half of it would do, but for roundings */
        if (!gz_still_tree_find(&search->world->still->tree, box, grow, add_still, &job)) return false;
    }
    return true;
}

static bool comes_before(const gz_search *search, gz_near_links x, gz_near_links y) {
    const gz_scene *scene = &search->scene;
    return x.a != y.a ? gz_scene_before(scene, x.a, y.a) : gz_scene_before(scene, x.b, y.b);
}

static void sift_down(gz_search *search, size_t root, size_t count) {
    gz_near_links *near = search->near, moved = near[root];
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && comes_before(search, near[child], near[child + 1])) child++;
        if (!comes_before(search, moved, near[child])) break;
        near[root] = near[child];
    }
    near[root] = moved;
}

/* In the order of answers, whatever way they were found. */
static void sort_near(gz_search *search) {
    for (size_t i = search->near_count / 2; i-- > 0;) sift_down(search, i, search->near_count);
    for (size_t last = search->near_count; last-- > 1;) {
        gz_near_links largest = search->near[0];
        search->near[0] = search->near[last];
        search->near[last] = largest;
        sift_down(search, 0, last);
    }
}

/* Pairs of links whose boxes meet over all time. */
static bool find_near(gz_search *search) {
    const gz_scene *scene = &search->scene;
    search->near_count = 0;
    if (!gz_cull_pairs(search->boxes, scene->count - scene->still_count, search->tree, add_movers, search))
        return false;
    if (!find_still(search)) return false;
    sort_near(search);
    return true;
}

static bool list_pairs(gz_search *search) {
    forget_active(search);
    search->pair_count = 0;
    for (size_t i = 0; i < search->near_count; i++)
        if (!add_pair(search, search->near[i].a, search->near[i].b)) return false;
    return true;
}

static graze_status find_pairs(gz_search *search) {
    search->pair_count = 0;
    size_t boxes = (size_t)(search->windows + 1) * (search->scene.count - search->scene.still_count);
    if (!gz_grow(search->scene.context, (void **)&search->boxes, &search->box_room, boxes, sizeof *search->boxes))
        return GRAZE_ERR_OUT_OF_MEMORY;
    search->wide.intervals = search->options.interval_arithmetic != 0;
    gz_cull_boxes(&search->wide, search->options.t_max, search->options.min_separation, search->windows, search->boxes);
    bool all = find_near(search) && list_pairs(search);
    if (search->wide.intervals) {
        search->wide.intervals = false;
        gz_frames_forget(&search->wide);
    }
    return all ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
}

/* One step of all pairs from the start, whose frames are made once, then more for those that it took on. Motions that
   turn far have windows with boxes of their own, which tell more. */
static void find_safe_times(gz_search *search) {
    for (int round = 0; round < 2 && search->windows == 1; round++)
        for (size_t i = 0; i < search->pair_count; i++) {
            gz_pair_state *state = &search->pairs[i];
            if (round > 0 && !(state->safe > 0)) continue;
            state->safe =
                gz_cull_safe_time(&search->narrow, state->pair.a, state->pair.b, state->pair.contact, state->safe,
                                  search->options.t_max, round == 0 ? 1 : MORE_ADVANCES, &search->checks);
        }
}

/* ---- contacts ---- */

static bool wants_all(const gz_search *search) { return search->options.mode == GRAZE_ARTICULATED_ALL; }

static bool is_earliest(const gz_search *search) { return search->options.mode == GRAZE_ARTICULATED_EARLIEST; }

/* The latest time that a contact of this pair is of interest. */
static double limit_of(const gz_search *search, const gz_pair_state *state) {
    return wants_all(search) ? state->limit : search->limit;
}

static void keep(gz_search *search, size_t pair, const gz_touch *touch) {
    gz_pair_state *state = &search->pairs[pair];
    bool first = state->touch.verdict == GRAZE_UNRESOLVED && state->touch.reason == GRAZE_REASON_NONE;
    if (!first && !(touch->toi < state->touch.toi)) return;
    state->touch = *touch;
    state->limit = touch->toi;
    if (search->found == SIZE_MAX || touch->toi < search->limit) {
        search->limit = touch->toi;
        search->found = pair;
    }
    bool any = search->options.mode == GRAZE_ARTICULATED_ANY && touch->verdict == GRAZE_HIT;
    if (any || (!wants_all(search) && !(touch->toi > 0))) search->done = true; /* nothing is earlier than 0 */
}

/* Levels of a link's tree, whose halves differ by one. */
static int depth_of(const gz_link *link) {
    int depth = 1;
    for (uint32_t faces = link->face_count; faces > 1; faces /= 2) depth++;
    return depth;
}

/* True if the links of a pair cross at time t, by frames of that time. */
static void look(gz_search *search, gz_frames *frames, size_t pair, double t) {
    gz_pair_state *state = &search->pairs[pair];
    gz_touch touch;
    if (search->done || state->safe > t) return;
    state->close = true;
    const gz_scene_link *a = gz_scene_at(&search->scene, state->pair.a);
    const gz_scene_link *b = gz_scene_at(&search->scene, state->pair.b);
    int blocks = GLANCE_BLOCKS * (depth_of(a->link) + depth_of(b->link));
    if (gz_links_cross_at(frames, &state->pair, t, blocks, &search->checks, &touch)) keep(search, pair, &touch);
}

/* Boxes of the links that may touch, at that time. */
static void place_active(gz_search *search, double t) {
    gz_frames_window(&search->narrow, t, t);
    for (size_t i = 0; i < search->active_count; i++) {
        gz_active_link *active = &search->active[i];
        if (active->link >= search->scene.still_count)
            active->box = gz_cull_box(&search->narrow, active->link, search->options.min_separation);
    }
}

/* Those whose boxes meet at that time, where there are so many that boxes pay. */
static void look_at_all(gz_search *search, double t) {
    bool many = search->pair_count > search->active_count / 2;
    if (many) place_active(search, t);
    for (size_t i = 0; i < search->pair_count && !search->done; i++) {
        const gz_pair_state *state = &search->pairs[i];
        if (!many || gz_link_boxes_meet(&search->active[state->slot_a].box, &search->active[state->slot_b].box))
            look(search, &search->narrow, i, t);
    }
}

/* True if any two links cross at time t. */
static graze_status look_at_pose(gz_search *search, double t) {
    graze_status status = gz_search_pairs_at(search, t);
    for (size_t i = 0; i < search->pair_count && status == GRAZE_OK && !search->done; i++)
        look(search, &search->wide, i, t);
    return status;
}

/* Mode ANY: single times, each of which halves a gap between those before. One look is less work than the search of a
   window, and most of what is blocked is blocked deeply, often at the start. Motions that turn little have the other
   times looked at when triangles are near (look_first). */
static graze_status look_at_poses(gz_search *search) {
    double t_max = search->options.t_max;
    bool turns_little = gz_cull_windows(&search->scene, 2 * t_max) == 1;
    graze_status status = look_at_pose(search, 0);
    if (turns_little || search->done || status != GRAZE_OK) return status;
    search->looked_at_end = true;
    status = look_at_pose(search, t_max);
    int parts = 2;
    for (; 2 * parts <= search->windows + 1; parts *= 2)
        for (int k = 1; k < parts && status == GRAZE_OK && !search->done; k += 2)
            status = look_at_pose(search, t_max * k / parts);
    search->look_parts = parts;
    return status;
}

/* Mode ANY, while the search takes long: the next of these times that is not proven yet. The search goes forward, and
   a contact long after triangles that pass each other closely would be found late. */
static void look_on(gz_search *search, double begin) {
    bool any = search->options.mode == GRAZE_ARTICULATED_ANY && search->look_parts <= MOST_LOOK_PARTS;
    if (!any || search->done || search->faces_until_look-- > 0) return;
    search->faces_until_look = FACES_OF_A_LOOK;
    double t = 0;
    while (search->look_parts <= MOST_LOOK_PARTS && !(t > begin)) {
        t = search->options.t_max * search->look_place / search->look_parts;
        search->look_place += 2;
        if (search->look_place < search->look_parts) continue;
        search->look_parts *= 2;
        search->look_place = 1;
    }
    if (t > begin) look_at_all(search, t);
}

static void end_early(gz_search *search, graze_reason reason, double t) {
    if (search->reason != GRAZE_REASON_NONE) return;
    search->reason = reason;
    search->ended_at = t;
}

/* ---- a window ---- */

typedef struct window_job {
    gz_search *search;
    double begin, end;
    size_t pair;
    double least;  /* nodes that move and are smaller wait: the remainder of the pair's frame is too large for them, and
                      for the distance that they keep and the tolerance */
    double spread; /* of radii: nodes are near by the largest, and their triangles need not be */
    gz_link_view view;
    gz_frame_model frame;
} window_job;

static void open_pair(window_job *job, size_t pair) {
    gz_search *search = job->search;
    const gz_link_pair *links = &search->pairs[pair].pair;
    job->pair = pair;
    gz_frames_relative(&search->wide, links->a, links->b, &job->frame);
    gz_view_open(&job->view, &search->scene, links->a, links->b, &job->frame, links->contact, false);
    job->spread = job->view.a->spread + job->view.b->spread;
    job->least = gz_view_blur(&job->view) / NODE_BLUR - links->contact - links->tolerance;
    if (search->pairs[pair].guided) gz_view_choose(&job->view, search->pairs[pair].guide.c);
}

/* Links may already cross where triangles have to be looked at: that is found faster than a first time. If the first
   contact of all is asked for, it is that of the first pair that crosses at the start. */
static void look_first(gz_search *search) {
    if (search->looked || wants_all(search)) return;
    search->looked = true;
    if (is_earliest(search)) {
        look_at_all(search, 0);
    } else if (search->windows < 3) {
        if (!search->looked_at_end) look_at_all(search, search->options.t_max);
        look_at_all(search, 0.5 * search->options.t_max);
    }
}

/* Neighbors of two triangles are often apart along the same direction. */
static void set_guide(window_job *job, gz_vec3 n) {
    gz_pair_state *state = &job->search->pairs[job->pair];
    state->guided = true;
    state->guide = n;
    gz_view_choose(&job->view, n.c);
}

static bool guide_tells(window_job *job, gz_faces faces, double begin, double end) {
    if (!job->search->pairs[job->pair].guided) return false;
    gz_window window = job->search->wide.window;
    gz_triangle a = gz_triangle_of(job->view.a, faces.a), b = gz_triangle_of(job->view.b, faces.b);
    job->search->checks++;
    return gz_faces_apart(&job->view.along[GZ_VIEW_CHOICE], &a, &b, gz_window_place(window, begin),
                          gz_window_place(window, end));
}

/* Too far apart for the tolerance, too near for the frames: a contact just after is proof enough. */
static void decide(gz_search *search, const gz_pair_state *state, gz_touch *touch) {
    if (touch->verdict != GRAZE_UNRESOLVED) return;
    touch->proven =
        gz_touch_proven_after(&search->narrow, &state->pair, touch->faces, touch->toi, search->options.t_max);
    if (!(touch->proven < INFINITY)) return;
    touch->verdict = GRAZE_HIT;
    touch->reason = GRAZE_REASON_NONE;
}

static void test_faces(window_job *job, gz_faces faces) {
    gz_search *search = job->search;
    gz_pair_state *state = &search->pairs[job->pair];
    double begin = fmax(job->begin, state->safe), end = fmin(job->end, limit_of(search, state));
    state->close = true;
    if (begin >= end || guide_tells(job, faces, begin, end)) return;
    look_first(search);
    look_on(search, begin);
    if (search->done) return;
    gz_touch touch = gz_touch_advance(&search->narrow, &state->pair, faces, &job->frame, search->wide.window, begin,
                                      end, &search->checks);
    decide(search, state, &touch);
    if (touch.verdict == GRAZE_CLEAR)
        set_guide(job, touch.closest.n);
    else
        keep(search, job->pair, &touch);
}

/* Nodes beside a triangle that is larger: only the smaller node can be split, and its own size counts where much is
   below it. */
static bool is_lone(const gz_link *of_split, const gz_face_node *split, const gz_face_node *large) {
    return gz_face_node_is_leaf(large) && split->right > (uint32_t)(split - of_split->tree.nodes) + MANY_BELOW;
}

/* Nodes that are small against the remainder of their frame, or move far against their size, are better seen over a
   shorter time. */
static bool wait(const window_job *job, const gz_face_node *a, const gz_face_node *b, double sweep) {
    const gz_pair_state *state = &job->search->pairs[job->pair];
    double size_a = gz_node_size(a) + job->spread, size_b = gz_node_size(b) + job->spread, size = size_a + size_b;
    if (!(job->end - job->begin > SHORTEST_WINDOW)) return false;
    if ((state->moves_a && size_a < job->least) || (state->moves_b && size_b < job->least)) return true;
    if (gz_face_node_is_leaf(a) && gz_face_node_is_leaf(b)) return sweep > FACE_SWEEP * size;
    if (size_a > size_b ? is_lone(job->view.b, b, a) : is_lone(job->view.a, a, b))
        return sweep > LONE_SWEEP * fmin(size_a, size_b);
    return sweep > NODE_SWEEP * size;
}

static bool push_front(gz_search *search, size_t pair, gz_front_item nodes) {
    if (!gz_grow(search->scene.context, (void **)&search->front, &search->front_room, search->front_count + 1,
                 sizeof *search->front))
        return false;
    nodes.pair = (uint32_t)pair;
    search->front[search->front_count++] = nodes;
    return true;
}

/* A contact was found in the first half: what is left is better seen over the time before it. */
static bool is_stale(const window_job *job) {
    return limit_of(job->search, &job->search->pairs[job->pair]) < 0.5 * (job->begin + job->end) &&
           job->end - job->begin > SHORTEST_WINDOW;
}

/* A pair of nodes that may touch: it is left for a shorter window, or split, or two triangles are tested. */
static void visit(window_job *job, gz_close_stack *stack, gz_close_nodes at) {
    gz_search *search = job->search;
    const gz_face_node *x = &job->view.a->tree.nodes[at.a], *y = &job->view.b->tree.nodes[at.b];
    if (is_stale(job) || wait(job, x, y, at.sweep)) {
        if (!push_front(search, job->pair, (gz_front_item){.a = at.a, .b = at.b}))
            end_early(search, GRAZE_REASON_MEMORY, job->begin);
    } else if (gz_face_node_is_leaf(x) && gz_face_node_is_leaf(y)) {
        test_faces(job, (gz_faces){x->face, y->face});
    } else {
        search->checks += gz_push_close(stack, &job->view, at);
    }
}

/* Everything below one pair of nodes; those that wait come after `mark` of the front. */
static void expand(window_job *job, gz_front_item start, size_t mark) {
    gz_search *search = job->search;
    gz_close_stack stack;
    search->checks++;
    gz_close_stack_open(&stack, &job->view, start.a, start.b);
    while (stack.count && !search->done) {
        visit(job, &stack, stack.items[--stack.count]);
        if (search->front_count > mark + FRONT_LOOKS && is_earliest(search)) look_first(search);
        if (search->checks > search->options.max_checks) end_early(search, GRAZE_REASON_BUDGET, job->begin);
        if (search->reason != GRAZE_REASON_NONE) return;
    }
}

/* Is there something in this window that is still asked about? */
static bool is_open(const gz_search *search, size_t pair, double begin, double end) {
    const gz_pair_state *state = &search->pairs[pair];
    return begin < limit_of(search, state) && end > state->safe;
}

static bool has_ended(const gz_search *search) { return search->done || search->reason != GRAZE_REASON_NONE; }

static void solve(gz_search *search, double begin, double end, size_t first, size_t last) {
    if (has_ended(search) || (!wants_all(search) && begin >= search->limit)) return;
    if (gz_cancelled(search->scene.context)) end_early(search, GRAZE_REASON_CANCELLED, begin);
    window_job job; /* view and frame are made with the first pair */
    job.search = search;
    job.begin = begin;
    job.end = end;
    job.pair = SIZE_MAX;
    gz_frames_window(&search->wide, begin, end);
    search->checks += WINDOW_CHECKS;
    size_t mark = search->front_count;
    for (size_t i = first; i < last && !has_ended(search); i++) {
        gz_front_item item = search->front[i];
        if (!is_open(search, item.pair, begin, end)) continue;
        if (search->pairs[item.pair].turn * (end - begin) > WINDOW_TURN) {
            if (!push_front(search, item.pair, item)) end_early(search, GRAZE_REASON_MEMORY, begin);
            continue;
        }
        if (item.pair != job.pair) open_pair(&job, item.pair);
        expand(&job, item, mark);
    }
    size_t left = search->front_count;
    if (left > mark && !has_ended(search)) {
        double middle = 0.5 * (begin + end);
        if (!wants_all(search) && search->limit < middle) middle = search->limit;
        solve(search, begin, middle, mark, left);
        solve(search, middle, end, mark, left);
    }
    search->front_count = mark;
}

/* The box of a link in one of the windows that time is cut into first. */
static const gz_link_box *box_in(const gz_search *search, int window, uint32_t link, uint32_t slot) {
    size_t still = search->scene.still_count;
    if (link < still) return &search->active[slot].box;
    return &search->boxes[(size_t)(window + 1) * (search->scene.count - still) + (link - still)];
}

/* All pairs whose boxes meet in one of the windows that time is cut into first. */
static graze_status solve_window(gz_search *search, int window) {
    double begin = gz_cull_window_begin(search->options.t_max, window, search->windows);
    double end = gz_cull_window_begin(search->options.t_max, window + 1, search->windows);
    search->front_count = 0;
    for (size_t i = 0; i < search->pair_count; i++) {
        const gz_pair_state *state = &search->pairs[i];
        if (!is_open(search, i, begin, end)) continue;
        if (!gz_link_boxes_meet(box_in(search, window, state->pair.a, state->slot_a),
                                box_in(search, window, state->pair.b, state->slot_b)))
            continue;
        if (!push_front(search, i, (gz_front_item){0})) return GRAZE_ERR_OUT_OF_MEMORY;
    }
    if (search->front_count) solve(search, begin, end, 0, search->front_count);
    return GRAZE_OK;
}

/* A link that begins inside a closed mesh touches no triangle, yet is in contact. One that begins outside has to touch
   a triangle. */
static void find_inside(gz_search *search) {
    for (size_t i = 0; i < search->pair_count && !search->done; i++) {
        const gz_pair_state *state = &search->pairs[i];
        if (state->safe > 0) continue;
        gz_inside inside = gz_links_inside_at(&search->narrow, &state->pair, 0, &search->checks);
        gz_touch touch = {.verdict = GRAZE_HIT, .inside = true};
        if (inside == GZ_INSIDE_UNKNOWN)
            touch = (gz_touch){.reason = GRAZE_REASON_PRECISION, .proven = INFINITY, .inside = true};
        if (inside != GZ_OUTSIDE) keep(search, i, &touch);
    }
}

graze_status gz_search_begin(gz_search *search, gz_motions motions) {
    search->checks = 0;
    search->front_count = 0;
    search->limit = search->options.t_max;
    search->found = SIZE_MAX;
    search->reason = GRAZE_REASON_NONE;
    search->ended_at = search->options.t_max;
    search->done = false;
    search->looked = search->looked_at_end = false;
    search->look_parts = 4;
    search->look_place = 1;
    search->faces_until_look = FACES_OF_A_LOOK;
    graze_status status = gz_scene_move(&search->scene, motions);
    gz_frames_forget(&search->wide);
    gz_frames_forget(&search->narrow);
    return status;
}

graze_status gz_search_run(gz_search *search, gz_motions motions) {
    graze_status status = gz_search_begin(search, motions);
    search->windows = gz_cull_windows(&search->scene, search->options.t_max);
    if (status == GRAZE_OK && search->options.mode == GRAZE_ARTICULATED_ANY) status = look_at_poses(search);
    if (status == GRAZE_OK && !search->done) status = find_pairs(search);
    if (status != GRAZE_OK || search->done) return status;
    find_safe_times(search);
    if (search->options.check_inside) find_inside(search);
    for (int w = 0; w < search->windows && status == GRAZE_OK; w++) status = solve_window(search, w);
    return status;
}

graze_status gz_search_pairs_at(gz_search *search, double t) {
    size_t movers = search->scene.count - search->scene.still_count;
    search->pair_count = 0;
    if (!gz_grow(search->scene.context, (void **)&search->boxes, &search->box_room, movers, sizeof *search->boxes))
        return GRAZE_ERR_OUT_OF_MEMORY;
    gz_cull_boxes_at(&search->wide, t, search->options.min_separation, search->boxes);
    return find_near(search) && list_pairs(search) ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
}

/* As gz_scene_move(), but every joint stays where it starts. */
static graze_status stand(gz_search *search, gz_motions motions) {
    graze_status status = gz_scene_move(&search->scene, motions);
    for (size_t i = 0; i < search->scene.count && status == GRAZE_OK; i++) {
        const gz_scene_link *link = gz_scene_at(&search->scene, i);
        graze_motion still = gz_motion_at(motions, link->motion);
        still.to = still.from;
        still.turns = NULL;
        status = gz_scene_prepare(&search->scene, i, &still);
    }
    return status;
}

graze_status gz_search_stand(gz_search *search, gz_motions motions) {
    graze_status status = stand(search, motions);
    gz_frames_forget(&search->wide);
    gz_frames_window(&search->wide, 0, 0);
    return status;
}
