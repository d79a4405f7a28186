/* Length that a Newton step may have before anything touches: the question that a solver asks graze. */
#ifndef GRAZE_SIM_SOLVER_FILTER_H
#define GRAZE_SIM_SOLVER_FILTER_H

#include "sim/world.h"

#include <stdio.h>

typedef enum sim_filter_kind {
    SIM_FILTER_GLOBAL,   /* one step length for all: graze_line_search */
    SIM_FILTER_RELATIVE, /* one for all: every pair keeps a part of its own start distance */
    SIM_FILTER_VERTEX,   /* one for each vertex */
} sim_filter_kind;

typedef struct sim_filter {
    graze_context *context;
    const sim_world *world;
    sim_filter_kind kind;
    graze_options narrow; /* method, tolerance */
    bool separates;       /* the method knows separations */
    graze_broad broad;
    FILE *record; /* NULL, or receives both positions of every question */

    double seconds;     /* spent in graze */
    uint64_t calls;     /* questions asked */
    uint64_t zero;      /* of them answered by no step at all */
    double *vertex_toi; /* room */
} sim_filter;

void sim_filter_begin(sim_filter *filter, graze_context *context, const sim_world *world);
void sim_filter_end(sim_filter *filter);

/* Ends the program for a method that gives no time. */
void sim_filter_method(sim_filter *filter, graze_method method, double tolerance);

/* Fills factor[i] in [0, 1] for every vertex: the motion from x0 towards x1, each vertex up to its factor, touches
   nothing. Returns the least of them. */
double sim_filter_step(sim_filter *filter, double (*x0)[3], double (*x1)[3], double *factor);

/* The pairs that come within `separation` of each other on the way, with their times and normals. Release them by
   graze_active_set_release. */
void sim_filter_active(sim_filter *filter, double (*x0)[3], double (*x1)[3], double separation,
                       graze_pair_result **pairs, size_t *count);

/* True if the straight motion from x0 to x, as these doubles are, is proven free of contact. A step length is about
   exact points of the way; the state that a solver goes to is rounded. */
bool sim_filter_proves(sim_filter *filter, double (*x0)[3], double (*x)[3]);

/* "global", …; false for a name that is none. */
bool sim_filter_find(const char *name, sim_filter_kind *kind);

#endif
