/* Links in motion: from joints to frames, and the motion bound. */
#include "articulated/scene.h"

#include "numerics/vec3.h"

#include <math.h>

#define ALWAYS UINT64_MAX /* stamp of a frame that holds for every window */

graze_status gz_scene_open(gz_scene *scene, graze_context *context, const graze_model *const *models, size_t count) {
    *scene = (gz_scene){0};
    return gz_scene_reopen(scene, context, models, count);
}

graze_status gz_scene_reserve(gz_scene *scene, graze_context *context, const gz_still_links *still, size_t movers) {
    scene->context = context;
    scene->still = still;
    scene->still_count = still ? still->count : 0;
    scene->count = 0;
    if (!gz_grow(context, (void **)&scene->links, &scene->capacity, movers, sizeof *scene->links))
        return GRAZE_ERR_OUT_OF_MEMORY;
    scene->count = scene->still_count + movers;
    return GRAZE_OK;
}

graze_status gz_scene_reopen(gz_scene *scene, graze_context *context, const graze_model *const *models, size_t count) {
    size_t total = 0;
    for (size_t m = 0; m < count; m++) total += models[m]->count;
    if (gz_scene_reserve(scene, context, NULL, total) != GRAZE_OK) return GRAZE_ERR_OUT_OF_MEMORY;
    gz_scene_link *to = scene->links;
    for (size_t m = 0; m < count; m++) {
        int32_t first = (int32_t)(to - scene->links);
        for (size_t i = 0; i < models[m]->count; i++, to++) {
            const gz_link *link = &models[m]->links[i];
            to->link = link;
            to->model = to->motion = (uint32_t)m;
            to->index = (uint32_t)i;
            to->parent = link->parent < 0 ? -1 : first + link->parent;
            to->body = first + (int32_t)link->body;
            to->margin = 0;
        }
    }
    return GRAZE_OK;
}

void gz_scene_close(gz_scene *scene) {
    gz_release(scene->context, scene->links, scene->capacity * sizeof *scene->links);
    *scene = (gz_scene){0};
}

graze_status gz_scene_prepare(gz_scene *scene, size_t index, const graze_motion *motion) {
    gz_scene_link *link = &scene->links[index - scene->still_count];
    const char *why = "";
    graze_status status = gz_joint_prepare(link->link, link->index, motion, &link->joint, &why);
    if (status == GRAZE_OK) return status;
    return gz_fail(scene->context, status, index, "model %u, link %u: %s", link->model, link->index, why);
}

graze_status gz_scene_move(gz_scene *scene, gz_motions motions) {
    for (size_t i = scene->still_count; i < scene->count; i++) {
        gz_scene_link *link = &scene->links[i - scene->still_count];
        graze_motion motion = gz_motion_at(motions, link->motion);
        graze_status status = gz_scene_prepare(scene, i, &motion);
        if (status != GRAZE_OK) return status;
        const gz_scene_link *parent = link->parent < 0 ? NULL : gz_scene_at(scene, (size_t)link->parent);
        link->still = !link->joint.turns && !link->joint.moves && (!parent || parent->still);
        link->in_place = link->joint.identity && (!parent || parent->in_place);
    }
    return GRAZE_OK;
}

graze_status gz_frames_open(gz_frames *frames, const gz_scene *scene) {
    *frames = (gz_frames){0};
    return gz_frames_reopen(frames, scene);
}

graze_status gz_frames_reopen(gz_frames *frames, const gz_scene *scene) {
    frames->scene = scene;
    frames->intervals = false;
    if (!gz_grow(scene->context, (void **)&frames->links, &frames->capacity, scene->count - scene->still_count,
                 sizeof *frames->links))
        return GRAZE_ERR_OUT_OF_MEMORY;
    gz_frames_forget(frames);
    return GRAZE_OK;
}

void gz_frames_close(gz_frames *frames) {
    if (frames->links) gz_release(frames->scene->context, frames->links, frames->capacity * sizeof *frames->links);
    *frames = (gz_frames){0};
}

void gz_frames_forget(gz_frames *frames) {
    frames->stamp = 0;
    for (size_t i = 0; i < frames->scene->count - frames->scene->still_count; i++)
        frames->links[i].local_stamp = frames->links[i].world_stamp = frames->links[i].chain_stamp = 0;
}

void gz_frames_window(gz_frames *frames, double begin, double end) { gz_frames_over(frames, gz_window_of(begin, end)); }

void gz_frames_over(gz_frames *frames, gz_window window) {
    if (frames->stamp && window.m == frames->window.m && window.h == frames->window.h) return; /* what is made holds */
    frames->window = window;
    frames->stamp++;
}

/* Over a window of no length nothing depends on time. */
static bool is_still(const gz_frames *frames) { return frames->window.h == 0; }

static const gz_kernels *kernels_of(const gz_frames *frames) { return frames->scene->context->kernels; }

static bool is_shared(const gz_frames *frames, uint32_t index) { return index < frames->scene->still_count; }

static gz_link_frames *frames_of(gz_frames *frames, uint32_t index) {
    return &frames->links[index - frames->scene->still_count];
}

static const gz_frame_model *local_frame(gz_frames *frames, uint32_t index) {
    if (is_shared(frames, index)) return &frames->scene->still->local[index];
    const gz_scene_link *link = gz_scene_at(frames->scene, index);
    gz_link_frames *at = frames_of(frames, index);
    if (at->local_stamp == frames->stamp || at->local_stamp == ALWAYS) return &at->local;
    gz_joint_frame(kernels_of(frames), &link->joint, frames->window, frames->intervals, &at->local);
    at->local_stamp = link->joint.turns || link->joint.moves ? frames->stamp : ALWAYS;
    return &at->local;
}

const gz_frame_model *gz_frames_world(gz_frames *frames, uint32_t index) {
    if (is_shared(frames, index)) return &frames->scene->still->world[index];
    const gz_scene_link *link = gz_scene_at(frames->scene, index);
    gz_link_frames *at = frames_of(frames, index);
    if (at->world_stamp == frames->stamp || at->world_stamp == ALWAYS) return &at->world;
    const gz_frame_model *local = local_frame(frames, index);
    if (link->parent < 0 || gz_scene_at(frames->scene, (uint32_t)link->parent)->in_place)
        at->world = *local;
    else
        gz_frame_compose(kernels_of(frames), gz_frames_world(frames, (uint32_t)link->parent), local, is_still(frames),
                         &at->world);
    at->world_stamp = link->still ? ALWAYS : frames->stamp;
    return &at->world;
}

static int32_t parent_of(const gz_scene *scene, int32_t i) { return gz_scene_at(scene, (uint32_t)i)->parent; }

static const gz_joint_motion *joint_at(const gz_scene *scene, int32_t i) {
    return &gz_scene_at(scene, (uint32_t)i)->joint;
}

/* Parents are listed before their children: the later link is never above the earlier one. */
int32_t gz_scene_ancestor(const gz_scene *scene, uint32_t a, uint32_t b) {
    if (gz_scene_at(scene, a)->model != gz_scene_at(scene, b)->model) return -1;
    int32_t i = (int32_t)a, j = (int32_t)b;
    while (i != j) {
        if (i > j)
            i = parent_of(scene, i);
        else
            j = parent_of(scene, j);
    }
    return i;
}

double gz_scene_turn_between(const gz_scene *scene, uint32_t a, uint32_t b) {
    int32_t ancestor = gz_scene_ancestor(scene, a, b);
    double turn = 0;
    for (int32_t i = (int32_t)a; i != ancestor; i = parent_of(scene, i)) turn += joint_at(scene, i)->spin;
    for (int32_t i = (int32_t)b; i != ancestor; i = parent_of(scene, i)) turn += joint_at(scene, i)->spin;
    return turn;
}

/* ---- pairs ---- */

static bool has_faces(const gz_scene *scene, int32_t i) { return gz_scene_at(scene, (uint32_t)i)->link->tree.nodes; }

/* Links before this one that fixed joints hold against it. */
static uint64_t held_before(const gz_scene *scene, int32_t index) {
    uint64_t held = 0;
    int32_t body = gz_scene_at(scene, (uint32_t)index)->body;
    for (int32_t i = body; i < index; i++) held += has_faces(scene, i) && gz_scene_at(scene, (uint32_t)i)->body == body;
    return held;
}

uint64_t gz_scene_pairs(const gz_scene *scene) {
    uint64_t links = 0, on_world = 0, without = 0;
    for (size_t i = 0; i < scene->count; i++) {
        const gz_scene_link *link = gz_scene_at(scene, i);
        if (!link->link->tree.nodes) continue;
        links++;
        on_world += link->link->on_world;
        if (link->link->on_world) continue;
        without += held_before(scene, (int32_t)i);
        bool jointed = link->parent >= 0 && has_faces(scene, link->parent);
        without += jointed && gz_scene_at(scene, (uint32_t)link->parent)->body != link->body;
    }
    return (links * links - links) / 2 - (on_world * on_world - on_world) / 2 - without;
}

/* ---- chains ---- */

/* The product of the joints from `ancestor` down to the link, the last two first. */
static void make_chain(gz_frames *frames, uint32_t link, int32_t ancestor, gz_frame_model *frame) {
    gz_frame_model below;
    const gz_frame_model *last = local_frame(frames, link);
    for (int32_t i = parent_of(frames->scene, (int32_t)link); i != ancestor; i = parent_of(frames->scene, i)) {
        gz_frame_compose(kernels_of(frames), local_frame(frames, (uint32_t)i), last, is_still(frames), frame);
        below = *frame;
        last = &below;
    }
}

const gz_frame_model *gz_frames_chain(gz_frames *frames, uint32_t link, int32_t ancestor) {
    if (ancestor < 0) return gz_frames_world(frames, link);
    if (parent_of(frames->scene, (int32_t)link) == ancestor) return local_frame(frames, link);
    if (is_shared(frames, link)) {
        make_chain(frames, link, ancestor, &frames->still_chain);
        return &frames->still_chain;
    }
    gz_link_frames *at = frames_of(frames, link);
    if (at->chain_stamp != frames->stamp || at->chain_ancestor != ancestor) {
        make_chain(frames, link, ancestor, &at->chain);
        at->chain_stamp = frames->stamp;
        at->chain_ancestor = ancestor;
    }
    return &at->chain;
}

static void set_identity(gz_frame_model *frame) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) gz_frame_set(frame, i, j, gz_taylor_constant(i == j, 0));
}

void gz_frames_relative(gz_frames *frames, uint32_t a, uint32_t b, gz_frame_model *frame) {
    /* at a single time frames in the world, made once for all pairs, do as well */
    int32_t ancestor = frames->window.h > 0 ? gz_scene_ancestor(frames->scene, a, b) : -1;
    gz_frame_model identity;
    const gz_frame_model *of_a = &identity;
    if (ancestor == (int32_t)a)
        set_identity(&identity);
    else
        of_a = gz_frames_chain(frames, a, ancestor);
    if (ancestor == (int32_t)b || (ancestor < 0 && gz_scene_at(frames->scene, b)->in_place))
        *frame = *of_a;
    else
        gz_frame_seen_from(kernels_of(frames), of_a, gz_frames_chain(frames, b, ancestor), is_still(frames), frame);
}

/* |v·n| + |n × ω|·ρ of the uppermost joint. */
static double first_joint_bound(const gz_joint_motion *joint, double rho, const double n[3]) {
    double along = joint->speed;
    if (joint->straight)
        along = fmin(along, fabs(joint->line[0] * n[0] + joint->line[1] * n[1] + joint->line[2] * n[2]) +
                                (8 * joint->shift_error + GZ_TAYLOR_SLACK * joint->speed));
    if (joint->rotvecs) return along + joint->spin * rho; /* about no one axis */
    gz_vec3 across = gz_vec3_cross(gz_vec3_of(n), gz_vec3_of(joint->turn.axis));
    return along + joint->spin * rho * fmin(1, gz_length(across.c) + GZ_TURN_ERROR);
}

double gz_scene_motion_bound(const gz_scene *scene, uint32_t link, int32_t ancestor, const double n[3]) {
    double rho = gz_scene_at(scene, link)->link->radius, bound = 0;
    for (int32_t i = (int32_t)link; i != ancestor; i = parent_of(scene, i)) {
        const gz_joint_motion *joint = joint_at(scene, i);
        if (parent_of(scene, i) == ancestor)
            bound += first_joint_bound(joint, rho, n);
        else
            bound += joint->speed + joint->spin * rho;
        rho = (rho + joint->reach) * GZ_TAYLOR_UP;
    }
    return bound * GZ_TAYLOR_UP + GZ_TAYLOR_TINY;
}
