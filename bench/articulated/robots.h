/* Robots among obstacles with the edges of a planner, read from a folder: `graze bench articulated --data DIR`. */
#ifndef GRAZE_BENCH_ROBOTS_H
#define GRAZE_BENCH_ROBOTS_H

#include "bench/suite.h"

enum { BENCH_EDGE_SETS = 2 }; /* short and long */

typedef struct bench_robots {
    char *scene;
    graze_context *context;
    const graze_model **models;
    size_t model_count;
    graze_articulated_options options;    /* separation, tolerance and the pairs that count */
    graze_motion *edges[BENCH_EDGE_SETS]; /* one for each model, edge after edge */
    size_t edge_counts[BENCH_EDGE_SETS];
    graze_world *world;             /* of the same models and pairs */
    double *turns[BENCH_EDGE_SETS]; /* the most that a joint moves on an edge */
    void *file;                     /* of whoever read it */
} bench_robots;

/* Reads NAME.json and NAME-edges.json, which is `path`: the program's readers, which say what is wrong and exit 2. */
struct bench_robot_reader {
    void (*open)(graze_context *context, const char *path, bench_robots *robots);
    void (*close)(bench_robots *robots);
};

/* True if the folder holds a file NAME-edges.json. */
bool bench_has_robots(const char *folder);

/* Every file NAME-edges.json of the folder. */
bool bench_robot_edges(const bench_settings *settings, bench_report *report, io_error *error);

#endif
