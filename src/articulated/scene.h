/* All links of a call with their motion: frames over a window of time, made when they are asked for. */
#ifndef GZ_ARTICULATED_SCENE_H
#define GZ_ARTICULATED_SCENE_H

#include "articulated/given.h"
#include "articulated/joint.h"

typedef struct gz_scene_link {
    const gz_link *link;
    uint32_t model, index; /* which link of which model */
    uint32_t motion;       /* which of the motions of a call moves its model */
    int32_t parent;        /* in the scene; −1: the world */
    int32_t body;          /* in the scene: the first link that it is joined to by fixed joints */
    bool still;            /* its frame in the world does not depend on time */
    bool in_place;         /* its frame is exactly the world's */
    double margin;         /* the largest separation that is asked for one of its pairs alone */
    gz_joint_motion joint; /* last: large, and made anew for every motion */
} gz_scene_link;

/* Links that no motion moves, and their frames: made once, then shared by all scenes of a world. */
typedef struct gz_still_links {
    gz_scene_link *links;
    gz_frame_model *local, *world;
    uint32_t count;
} gz_still_links;

/* Still links come first, so that no link is listed before its parent. */
typedef struct gz_scene {
    graze_context *context;
    const gz_still_links *still; /* NULL where still_count is 0 */
    size_t still_count;
    gz_scene_link *links;   /* all others */
    size_t count, capacity; /* count: both kinds */
} gz_scene;

static inline const gz_scene_link *gz_scene_at(const gz_scene *scene, size_t i) {
    return i < scene->still_count ? &scene->still->links[i] : &scene->links[i - scene->still_count];
}

/* In the order of models, then of their links, which is that of answers. */
static inline bool gz_scene_before(const gz_scene *scene, size_t a, size_t b) {
    const gz_scene_link *x = gz_scene_at(scene, a), *y = gz_scene_at(scene, b);
    return x->model != y->model ? x->model < y->model : x->index < y->index;
}

/* Frames of one link, and the windows that they are for. */
typedef struct gz_link_frames {
    uint64_t local_stamp, world_stamp, chain_stamp;
    int32_t chain_ancestor;
    gz_frame_model local, world, chain;
} gz_link_frames;

/* Frames of all links over one window, each made when it is asked for. */
typedef struct gz_frames {
    const gz_scene *scene;
    gz_link_frames *links; /* of the links that are not still */
    size_t capacity;
    gz_frame_model still_chain; /* the last one that was asked for: of two links one is not still */
    gz_window window;
    uint64_t stamp;
    bool intervals; /* models of order 0 */
} gz_frames;

/* Links of all models, without motion. */
graze_status gz_scene_open(gz_scene *scene, graze_context *context, const graze_model *const *models, size_t count);
/* As gz_scene_open(), but for a scene that was opened before, or is all zeros: its memory is used again. */
graze_status gz_scene_reopen(gz_scene *scene, graze_context *context, const graze_model *const *models, size_t count);
/* Still links, and room for `movers` others, which are to be filled in. */
graze_status gz_scene_reserve(gz_scene *scene, graze_context *context, const gz_still_links *still, size_t movers);
void gz_scene_close(gz_scene *scene);
/* The motion of this call: one for each model that moves. May be called again with others. */
graze_status gz_scene_move(gz_scene *scene, gz_motions motions);
/* The motion of one link alone; an error has the link's number in the scene. */
graze_status gz_scene_prepare(gz_scene *scene, size_t index, const graze_motion *motion);

graze_status gz_frames_open(gz_frames *frames, const gz_scene *scene);
graze_status gz_frames_reopen(gz_frames *frames, const gz_scene *scene);
void gz_frames_close(gz_frames *frames);
/* After gz_scene_move: nothing that was made before holds. */
void gz_frames_forget(gz_frames *frames);
/* Frames are for [begin, end] from now on. */
void gz_frames_window(gz_frames *frames, double begin, double end);
/* As gz_frames_window(), but for exactly this window. */
void gz_frames_over(gz_frames *frames, gz_window window);

const gz_frame_model *gz_frames_world(gz_frames *frames, uint32_t link);
/* Link a seen from link b, by way of the lowest link that carries both. */
void gz_frames_relative(gz_frames *frames, uint32_t a, uint32_t b, gz_frame_model *frame);
/* Frame of `link` in that of `ancestor`, which carries it (−1: the world) and is not the link itself. */
const gz_frame_model *gz_frames_chain(gz_frames *frames, uint32_t link, int32_t ancestor);

/* The lowest link that carries both, a and b included; −1: the world. */
int32_t gz_scene_ancestor(const gz_scene *scene, uint32_t a, uint32_t b);

/* Total turn of the joints between two links. */
double gz_scene_turn_between(const gz_scene *scene, uint32_t a, uint32_t b);

/* Bound on the speed of any point of `link` along the unit vector n, seen from `ancestor`, at any time. */
double gz_scene_motion_bound(const gz_scene *scene, uint32_t link, int32_t ancestor, const double n[3]);

/* False for pairs that no joint moves against each other, that a joint itself connects, or without triangles. */
static inline bool gz_scene_is_pair(const gz_scene *scene, uint32_t a, uint32_t b) {
    const gz_scene_link *x = gz_scene_at(scene, a), *y = gz_scene_at(scene, b);
    if (!x->link->tree.nodes || !y->link->tree.nodes || x->body == y->body) return false;
    if (x->link->on_world && y->link->on_world) return false;
    return x->parent != (int32_t)b && y->parent != (int32_t)a;
}

/* The number of such pairs. */
uint64_t gz_scene_pairs(const gz_scene *scene);

#endif
