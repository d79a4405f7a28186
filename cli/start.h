/* What is wrong in one state, before anything moves: the premise of "clear". */
#ifndef GRAZE_CLI_START_H
#define GRAZE_CLI_START_H

#include "cli/step_run.h"

/* Pairs of faces, or of a free edge and a face, that intersect. */
typedef struct cli_intersection {
    bool edge;     /* a is an edge, else a face; b is a face */
    uint32_t a, b; /* ids of their own kind; faces a < b */
} cli_intersection;

/* Counts the intersections of frame A, touching included, decided exactly; primitives that share a vertex are left out,
   and so are groups that never touch. Where `list` is not NULL it receives them; free it. Exits 2 on failure. */
uint64_t cli_find_intersections(graze_context *context, const cli_frames *frames, cli_intersection **list);

#endif
