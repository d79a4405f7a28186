/* Procedural scenes: moving triangle meshes that touch, fold and fly through each other, made without outside data.
 *
 * A scene is a function of its name, size and seed alone, to the last bit on every machine: only + − × ÷ and square
 * roots, which IEEE 754 rounds the same everywhere, in a fixed order on one thread. */
#ifndef GRAZE_SCENES_H
#define GRAZE_SCENES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Positions change from frame to frame, faces do not. */
typedef struct scene_mesh {
    size_t vertex_count, face_count;
    double (*positions)[3];
    uint32_t (*faces)[3];
} scene_mesh;

/* Receives frame 0, 1, …; false ends the scene. */
typedef bool scene_sink(void *user, uint32_t frame, const scene_mesh *mesh);

typedef struct scene_options {
    uint32_t frames; /* how many, at least 1 */
    uint32_t size;   /* cells along the longest side, 1 to SCENE_MAX_SIZE; vertices grow with its square */
    uint64_t seed;
} scene_options;

#define SCENE_MAX_SIZE 2000

typedef enum scene_status { SCENE_DONE = 0, SCENE_STOPPED, SCENE_OUT_OF_MEMORY } scene_status;

typedef scene_status scene_generate(const scene_options *options, scene_sink *sink, void *user);

typedef struct scene_info {
    const char *name, *summary;
    uint32_t default_size;
    scene_generate *generate;
} scene_info;

/* The scenes in order; NULL past the last one. */
const scene_info *scene_get(size_t index);
/* NULL when no scene has that name. */
const scene_info *scene_find(const char *name);

#endif
