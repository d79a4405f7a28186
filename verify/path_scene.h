/* A certificate of paths, or of a plan, as it was read: links, geometry, motions, and where the proof of each pair
 * stands. */
#ifndef GRAZE_VERIFY_PATH_SCENE_H
#define GRAZE_VERIFY_PATH_SCENE_H

#include "verify/joints.h"

/* Faces [first, first + count) of a link and their box. The first half of them, rounded down, is the next node, the
   other half the node after all those below it. */
typedef struct path_node {
    double low[3], high[3];
} path_node;

typedef struct path_mesh {
    double (*vertices)[3];
    uint32_t (*faces)[3];
    size_t vertex_count, face_count;
    path_node *nodes; /* 2 * face_count - 1 */
} path_mesh;

typedef struct path_model {
    size_t first, count, values; /* links, and values of a pose */
} path_model;

typedef struct path_pair {
    uint32_t a, b;
} path_pair;

typedef struct path_text {
    const char *begin;
    size_t size;
} path_text;

typedef struct path_scene {
    double separation, t_max;
    path_link *links;
    path_mesh *meshes;
    size_t link_count, link_room;
    path_model *models;
    size_t model_count, model_room;
    path_pair *pairs; /* that every path must prove */
    size_t pair_count, pair_room;
    size_t skipped;
    int exponent;         /* lengths of links are at most 2^exponent */
    path_motion *motions; /* [path][model] */
    size_t path_count, motion_room;
    bool of_plan;    /* then paths are pieces of it */
    spline *splines; /* of a plan, one for each model; one without knots: the model stands at zeros */
    double *times;   /* of the ends of its pieces */
    size_t time_count;
    path_text *proofs; /* [path][pair] */
    size_t proof_count, proof_room;
} path_scene;

/* False: `message` says what is wrong. Free the scene in any case. */
bool path_scene_read(path_scene *scene, const char *text, size_t size, char message[VERIFY_TEXT]);
void path_scene_free(path_scene *scene);

#endif
