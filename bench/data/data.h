/* Queries and scenes to measure on, with exact truth: generated, or read from a folder. */
#ifndef GRAZE_BENCH_DATA_DATA_H
#define GRAZE_BENCH_DATA_DATA_H

#include "bench/suite.h"
#include "io/scene_folder.h"

typedef enum bench_group { BENCH_HANDCRAFTED = 0, BENCH_SIMULATION, BENCH_GROUPS } bench_group;

/* The place that a query was read from; path NULL: it was made. */
typedef struct bench_origin {
    const char *path; /* one of bench_data.files */
    uint64_t index;
} bench_origin;

/* Queries of one group and kind. */
typedef struct bench_queries {
    graze_kind kind;
    size_t count, capacity;
    graze_query *queries;
    uint32_t *source; /* which of bench_data.sources it comes from */
    bench_origin *origin;
    unsigned char *hit;    /* exact: 0 or 1; 2 while it is not known */
    double *lower, *upper; /* hits: adjacent doubles around the first contact; else NaN */
} bench_queries;

/* Every candidate of one step. */
typedef struct bench_scene {
    char *name;
    uint32_t source;
    double (*x0)[3], (*x1)[3];
    uint32_t (*faces)[3];
    graze_mesh mesh;
    graze_pair *pairs; /* VF, then EE */
    size_t pair_count;
    unsigned char *hit;   /* of each pair, exact */
    uint64_t unseen;      /* pairs that touch by the folder's list, but are no candidates */
    double (**frames)[3]; /* of consecutive frames, where they are asked for */
    size_t frame_count, frame_capacity;
} bench_scene;

typedef struct bench_data {
    bench_queries sets[BENCH_GROUPS][2]; /* by group and kind, VF and EE */
    char **sources;                      /* families, files, scenes */
    size_t source_count, source_capacity;
    char **files; /* query files, as they were opened */
    size_t file_count, file_capacity;
    bench_scene *scenes;
    size_t scene_count, scene_capacity;
    graze_context *context; /* owns pairs and edges of the scenes */
    bool with_frames;
} bench_data;

const char *bench_group_name(bench_group group); /* "handcrafted", "simulation" */

/* Fills `data` as the settings say. Release it by bench_data_free in any case. */
bool bench_data_load(const bench_settings *settings, bench_data *data, io_error *error);
/* The scenes alone, at least one, with their frames: at most BENCH_MOST_FRAMES. */
enum { BENCH_MOST_FRAMES = 12 };
bool bench_data_load_scenes(const bench_settings *settings, bench_data *data, io_error *error);
void bench_data_free(bench_data *data);

/* An even sample of at most `limit` queries. */
void bench_queries_sample(const bench_queries *set, size_t limit, bench_queries *sample);
void bench_queries_free(bench_queries *set);

/* ---- for the makers of data ---- */

uint32_t bench_data_source(bench_data *data, const char *name);
/* `hit` is 2 where truth is to be found. */
void bench_data_query(bench_data *data, bench_group group, graze_kind kind, uint32_t source, const graze_query *query,
                      unsigned char hit);
/* An empty scene, valid until the next one is added. */
bench_scene *bench_data_scene(bench_data *data, const char *name);
/* Keeps a copy as the next frame, where frames are asked for. */
void bench_scene_frame(const bench_data *data, bench_scene *scene, const double (*positions)[3]);
/* As bench_scene_frame, but for frames in files, the last BENCH_MOST_FRAMES of them, and the scene that was added
   last. */
bool bench_read_frames(bench_data *data, const char *const *paths, size_t count, io_error *error);
/* Derives edges and candidates of a scene whose positions and faces are set. */
bool bench_scene_prepare(const bench_settings *settings, bench_data *data, bench_scene *scene, io_error *error);
void bench_scene_query(const bench_scene *scene, size_t pair, graze_query *query);

/* One step between two files; truth by `step`, or by the oracle where that is NULL. */
bool bench_add_step(const bench_settings *settings, bench_data *data, const char *name, const char *frame_a,
                    const char *frame_b, const io_scene_step *step, io_error *error);
bool bench_generate(const bench_settings *settings, bench_data *data, io_error *error);
bool bench_read_folder(const bench_settings *settings, bench_data *data, io_error *error);

/* ---- exact truth of many queries on many threads ---- */

typedef struct bench_truth_job {
    graze_truth_options options;
    graze_kind kind;
    size_t count;
    const graze_query *queries; /* or: */
    const bench_scene *scene;   /* whose pairs from `first` on are asked for */
    size_t first;
    const unsigned char *wanted; /* NULL: all; else where it is not 0 */
    unsigned char *hit;
    double *lower, *upper; /* may be NULL */
} bench_truth_job;

/* False with the error set when a call fails; a stop leaves what is not done yet as it was, and returns true. */
bool bench_find_truths(const bench_settings *settings, const bench_truth_job *job, const char *label, io_error *error);

#endif
