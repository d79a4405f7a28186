/* Queries and frames small enough to know the answers by heart. */
#ifndef GRAZE_TEST_SMALL_DATA_H
#define GRAZE_TEST_SMALL_DATA_H

#include "program.h"

/* A vertex that falls through a triangle at t = 1/2, or (a clear one) beside it; the truth is what is claimed. */
static inline void put_query(char *text, bool falls_inside, const char *truth) {
    const char *x = falls_inside ? "1,4" : "8,1";
    char rows[600];
    snprintf(rows, sizeof rows,
             "%s,1,4,1,1%s\n0,1,0,1,0,1%s\n1,1,0,1,0,1%s\n0,1,1,1,0,1%s\n"
             "%s,1,4,-1,1%s\n0,1,0,1,0,1%s\n1,1,0,1,0,1%s\n0,1,1,1,0,1%s\n",
             x, truth, truth, truth, truth, x, truth, truth, truth, truth);
    strcat(text, rows);
}

static inline void write_queries(const char *name, bool with_truth) {
    char text[4000] = "";
    put_query(text, true, with_truth ? ",1" : "");
    put_query(text, false, with_truth ? ",0" : "");
    put_query(text, true, with_truth ? ",0" : "");  /* claimed clear: a false positive */
    put_query(text, false, with_truth ? ",1" : ""); /* claimed a hit: a false negative */
    put_query(text, false, with_truth ? ",1" : "");
    write_file(name, text);
}

/* A resting triangle and one that comes down upon it, point first: vertex 3 meets face 0 at t = 1/2. */
#define FRAME_0 "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 1\nv 1 1 3\nv 2 1 3\n"
#define FRAME_1 "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 -1\nv 1 1 1\nv 2 1 1\n"
#define FACES "f 1 2 3\nf 4 5 6\n"

static inline void write_frames(void) {
    write_file("a0.obj", FRAME_0 FACES);
    write_file("a1.obj", FRAME_1 FACES);
}

#endif
