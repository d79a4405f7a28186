/* A heap of rigid stones that turn and move a little, as in a step of a simulation: each has eight others near it. A
   function of its numbers alone; C++ includes it, too. */
#ifndef GRAZE_BENCH_WORLDS_HEAP_H
#define GRAZE_BENCH_WORLDS_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HEAP_STONES = 8 }; /* distinct meshes */

typedef struct heap_stone {
    double (*x)[3];
    uint32_t (*faces)[3];
    size_t vertex_count, face_count;
} heap_stone;

typedef struct heap_pose {
    double position[3], rotation[4]; /* w, x, y, z */
} heap_pose;

typedef struct heap {
    heap_stone stones[HEAP_STONES];
    size_t count;
    heap_pose (*poses)[2]; /* of each body at both ends of the step; body i is stone i mod HEAP_STONES */
} heap;

/* Three kinds of steps. */
typedef enum heap_case {
    HEAP_CLEAR, /* nothing touches */
    HEAP_EARLY, /* one pair, in the first hundredth of the step */
    HEAP_MANY,  /* stones move far enough that some touch */
} heap_case;

/* `cells`: 8 cells² triangles for each stone. False without memory; heap_free in any case. */
bool heap_make(heap *made, size_t count, uint32_t cells, heap_case what, uint64_t seed);
void heap_free(heap *made);

#ifdef __cplusplus
}
#endif

#endif
