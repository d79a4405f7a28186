/* Choices that steps make for speed alone: no bit of an answer may depend on one. Only test/step/test_forced.c compiles
   with GRAZE_FORCE; there each may be forced at run time. Elsewhere gz_choose(…, x) is x. */
#ifndef GZ_BASE_FORCE_H
#define GZ_BASE_FORCE_H

typedef enum gz_choice {
    GZ_CHOICE_FEW,      /* small meshes: every box against every other */
    GZ_CHOICE_FEWEST,   /* very small ones: without lanes */
    GZ_CHOICE_LOOK,     /* a first look in float drops what is plainly apart */
    GZ_CHOICE_QUARTERS, /* … and another one at quarters of the window */
    GZ_CHOICE_STILL,    /* leaves of edges know the slopes of their boxes' diagonals … */
    GZ_CHOICE_BESIDE,   /* … and edges that lie beside each other are left out */
    GZ_CHOICE_SEEDS,    /* pairs of the last step are tried first */
    GZ_CHOICE_ROUNDS,   /* the first round visits a small part of the mesh */
    GZ_CHOICE_ALONE,    /* a handful of runs stays on one thread */
    GZ_CHOICE_WINDOW,   /* boxes are those of the time up to the least toi */
    GZ_CHOICE_REFIT,    /* the trees follow when the window shrinks */
    GZ_CHOICE_FOLLOW,   /* a pair is followed no longer than to the least toi */
    GZ_CHOICE_AT_START, /* once a pair touches at the start, only those before it in the order of ties matter */
    GZ_CHOICES
} gz_choice;

#ifdef GRAZE_FORCE
#include <stdbool.h>
bool gz_choose(gz_choice choice, bool chosen); /* the test defines it */
#else
#define gz_choose(choice, chosen) (chosen)
#endif

#endif
