/* The pairs of a scene's step that collide, by its lists. */
#ifndef GRAZE_IO_SCENE_TRUTH_H
#define GRAZE_IO_SCENE_TRUTH_H

#include "graze/mesh.h"

#include "io/scene_folder.h"

/* Pairs are numbers here: a in the upper 32 bits, b in the lower ones, so that they are in the order of candidates. */
uint64_t io_pair_key(uint32_t a, uint32_t b);

typedef struct io_scene_truth {
    bool known;                   /* the folder has these lists */
    uint64_t *listed, *colliding; /* sorted, each once */
    size_t listed_count, colliding_count;
} io_scene_truth;

/* Reads the lists of a step, kind 0 (vf) or 1 (ee); every id must be one of the mesh. Without lists nothing is known.
   On failure it is empty. */
bool io_read_scene_truth(const io_scene_step *step, int kind, const graze_mesh *mesh, io_scene_truth *truth,
                         io_error *error);
void io_free_scene_truth(io_scene_truth *truth);

/* True if a sorted list has the key. */
bool io_has_key(const uint64_t *keys, size_t count, uint64_t key);

/* The box ids of a pair of kind 0 (vf) or 1 (ee): vertices first, then edges, then faces. */
void io_box_ids(const graze_mesh *mesh, int kind, uint32_t a, uint32_t b, uint64_t ids[2]);

#endif
