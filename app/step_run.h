/* Shared by step, sequence and dataset: two frames of a mesh, and a step between them. */
#ifndef GRAZE_APP_STEP_RUN_H
#define GRAZE_APP_STEP_RUN_H

#include "app/narrow.h"

#include "io/mesh.h"

#include <stdio.h>

/* Two frames and their topology. */
typedef struct app_frames {
    const char *path_a, *path_b;
    io_mesh a, b;
    graze_mesh mesh;
    double *thickness;
    uint32_t *groups;           /* of the vertices, where there are several sets; else NULL */
    const graze_stencil *known; /* NULL, or that of the pair that is written, where the mesh lies with other ranks */
} app_frames;

/* Reads both, or exits 2. `home` owns the derived lists. */
void app_load_frames(graze_context *home, const char *path_a, const char *path_b, app_frames *frames);
/* As app_load_frames, but for several sets of files, one after the other in one mesh, each a group; false with the
   error set. */
bool app_try_frames(graze_context *home, const char *const *paths_a, const char *const *paths_b, size_t sets,
                    app_frames *frames, io_error *error);
/* One state: frame a alone. */
void app_load_state(graze_context *home, const char *path, app_frames *frames);
/* Gives every vertex a radius: `text` is one for all of them, or a file with one number for each. Exits 2 on failure.
 */
void app_load_thickness(const char *text, app_frames *frames);
/* Tells of faces that were cut into triangles: once the work is done, so that a failure has one line only. */
void app_notice_fans(const app_frames *frames);
void app_free_frames(graze_context *home, app_frames *frames);

/* As app_fail_status, but naming the place of a coordinate that is out of range. */
bool app_frames_error(graze_status status, const graze_context *context, const app_frames *frames, io_error *error);
_Noreturn void app_fail_frames(graze_status status, const graze_context *context, const app_frames *frames);

/* Settings of a step; the text fields are what the command line gave. */
typedef struct app_step_settings {
    app_narrow narrow;
    const char *broad, *backend, *mode, *certificate;
    uint64_t memory_limit, repeat, threads, device;
    bool json; /* stdout has one JSON object */
    bool verbose;
    bool no_start_check;
    bool no_times; /* JSON without times, threads, and the back end that a clock chose */
    graze_options narrow_options;
    graze_step_options options;
} app_step_settings;

#define APP_STEP_DEFAULTS                                                                                              \
    { .narrow = APP_NARROW_DEFAULTS, .repeat = 1, .device = APP_ANY_DEVICE }

#define APP_STEP_OPTIONS(s)                                                                                            \
    APP_NARROW_OPTIONS((s).narrow), {"--broad", APP_TEXT, &(s).broad, "B", "broad phase; `graze info` lists them"},    \
        {"--backend", APP_TEXT, &(s).backend, "auto|cpu|cuda", "where it runs (auto)"},                                \
        {"--device", APP_COUNT, &(s).device, "N", "GPU to use, counted from 0"},                                       \
        {"-v", APP_FLAG, &(s).verbose, NULL, "print on stderr what runs where, and why"},                              \
        {"--memory-limit", APP_COUNT, &(s).memory_limit, "BYTES", "memory for candidates; K, M, G may follow"},        \
        {"--repeat", APP_COUNT, &(s).repeat, "N", "run N times and report the least times (1)"},                       \
        {"--no-start-check", APP_FLAG, &(s).no_start_check, NULL,                                                      \
         "do not look for faces that intersect at the start"},                                                         \
    {                                                                                                                  \
        "--threads", APP_COUNT, &(s).threads, "N", "threads (0: all cores)"                                            \
    }

/* Checks and translates the text fields, or exits 2. `settings` must stay where it is. */
void app_step_prepare(const char *command, app_step_settings *settings);

typedef struct app_step_outcome {
    graze_context *context; /* owns the result's pairs */
    bool kept;              /* it is the caller's */
    graze_step_result result;
    double *vertex_toi; /* mode vertices */
    double ms_boxes, ms_broad, ms_narrow, ms_total;
    uint64_t intersections; /* at the start; GRAZE_NOT_COUNTED without the check */
    double ms_start;        /* that looking took */
    uint32_t threads;
    uint32_t ranks; /* 0: without MPI */
    bool moved;     /* --to wrote a state, at … */
    double alpha;   /* … of the way */
} app_step_outcome;

/* Each repetition has a fresh context, or all of them the one that is given, which keeps what it can from step to step;
   the times are those of the fastest. Exits 2 where the step fails. */
bool app_try_step(const app_step_settings *settings, const app_frames *frames, graze_context *kept,
                  app_step_outcome *outcome, io_error *error);
void app_run_step(const app_step_settings *settings, const app_frames *frames, graze_context *kept,
                  app_step_outcome *outcome);
void app_free_outcome(app_step_outcome *outcome);

/* The fields of `graze step --json`, added to `object`. */
void app_add_step_json(cJSON *object, const app_step_settings *settings, const app_frames *frames,
                       const app_step_outcome *outcome);

/* Looks for intersections at the start, unless that is switched off. */
void app_check_start(const app_step_settings *settings, const app_frames *frames, app_step_outcome *outcome);
/* The line that says what was found; nothing where nothing was. */
void app_print_start(const app_step_outcome *outcome);

/* ,"u":…,"v":…,"point":[…],"normal":[…],"vertices":[…]: where a pair touches; null where that is not known. */
void app_put_contact(FILE *stream, const app_frames *frames, const graze_pair_result *pair);

/* {"vf": …, "ee": …}, and pe, pp where `codim`. */
cJSON *app_kinds_json(const uint64_t counts[4], bool codim);

#endif
