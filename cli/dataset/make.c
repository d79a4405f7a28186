#include "cli/dataset/make.h"

#include "app/folders.h"
#include "app/outputs.h"
#include "cli/dataset/pair_sample.h"
#include "cli/truths.h"

#include "io/file.h"
#include "io/folder.h"
#include "io/mesh.h"
#include "io/pairs_json.h"
#include "io/query_csv.h"
#include "io/scene_truth.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct made_step {
    uint64_t step;
    uint64_t candidates[2], truth[2]; /* vf, ee */
    double ms_broad, us_truth;        /* of all candidates together; 0 where an earlier run made it */
    uint64_t timed;                   /* candidates that us_truth is of */
} made_step;

typedef struct settings {
    const char *folder;
    uint64_t threads, limit; /* limit 0: all candidates */
} settings;

typedef struct frame_pair {
    io_mesh a, b;
    graze_mesh mesh;
} frame_pair;

static void require_empty(const char *folder, const char *name) {
    char *path = app_text("%s/%s", folder, name);
    io_paths there = {0};
    io_error error;
    if (io_is_folder(path)) {
        if (!io_list_folder(path, NULL, false, &there, &error)) app_fail("%s", error.message);
        if (there.count) app_fail("%s: already has files; --make needs a folder with nothing but frames", path);
        io_free_paths(&there);
    }
    free(path);
}

static graze_query query_of(const frame_pair *frames, graze_pair pair) {
    graze_query query;
    graze_status status = graze_pair_query(&frames->mesh, (const double(*)[3])frames->a.positions,
                                           (const double(*)[3])frames->b.positions, 0, pair, &query);
    if (status != GRAZE_OK) app_fail_status(status, NULL, "dataset: --make");
    return query;
}

static void write_boxes(const char *path, const graze_mesh *mesh, const graze_pair *pairs, size_t count) {
    io_output file;
    app_open_output("dataset: --make", path, false, &file);
    fputc('[', file.stream);
    for (size_t i = 0; i < count; i++) {
        if (i) fputc(',', file.stream);
        uint64_t ids[2];
        io_box_ids(mesh, pairs[i].kind == GRAZE_VF ? 0 : 1, pairs[i].a, pairs[i].b, ids);
        fprintf(file.stream, "[%llu,%llu]", (unsigned long long)ids[0], (unsigned long long)ids[1]);
    }
    fputs("]\n", file.stream);
    app_close_output(&file);
}

static void write_booleans(const char *path, const unsigned char *truth, size_t count) {
    io_output file;
    app_open_output("dataset: --make", path, false, &file);
    fputc('[', file.stream);
    for (size_t i = 0; i < count; i++) fprintf(file.stream, "%s%s", i ? "," : "", truth[i] ? "true" : "false");
    fputs("]\n", file.stream);
    app_close_output(&file);
}

typedef struct kind_files {
    char *csv, *bools, *boxes;
} kind_files;

static kind_files files_of(const settings *set, uint64_t step, int kind) {
    unsigned long long k = (unsigned long long)step;
    const char *name = graze_kind_name((graze_kind)kind);
    return (kind_files){.csv = app_text("%s/queries/%llu%s.csv", set->folder, k, name),
                        .bools = app_text("%s/mma_bool/%llu%s_mma_bool.json", set->folder, k, name),
                        .boxes = app_text("%s/boxes/%llu%s.json", set->folder, k, name)};
}

static void free_files(kind_files *files) {
    free(files->csv);
    free(files->bools);
    free(files->boxes);
}

/* Counts what an earlier run made; false where it did not get so far: the boxes come last. */
static bool take_made(const settings *set, int kind, made_step *made) {
    kind_files files = files_of(set, made->step, kind);
    bool there = access(files.boxes, F_OK) == 0;
    if (there) {
        io_booleans truth;
        io_error error;
        if (!io_read_booleans(files.bools, &truth, &error)) app_fail("%s", error.message);
        made->candidates[kind] = truth.count;
        for (size_t i = 0; i < truth.count; i++) made->truth[kind] += truth.values[i];
        io_free_booleans(&truth);
    }
    free_files(&files);
    return there;
}

/* The pairs of one kind. The boxes come last: a list of pairs without its truth must not be left behind. */
static void make_kind(const settings *set, const frame_pair *frames, const graze_pair *pairs, size_t count, int kind,
                      made_step *made) {
    io_error error;
    kind_files files = files_of(set, made->step, kind);
    graze_query *queries = app_allocate(count, sizeof *queries);
    cli_truth *answers = app_allocate(count, sizeof *answers);
    unsigned char *truth = app_allocate(count, 1);
    for (size_t i = 0; i < count; i++) queries[i] = query_of(frames, pairs[i]);
    cli_truth_job job = {.options = graze_default_truth_options(), .threads = set->threads};
    char *label = app_text("step %llu %s", (unsigned long long)made->step, graze_kind_name((graze_kind)kind));
    app_progress progress;
    app_progress_begin(&progress, label, count);
    cli_find_truths(&job, files.csv, (graze_kind)kind, queries, count, answers, &progress);
    app_progress_end(&progress);
    for (size_t i = 0; i < count; i++) {
        truth[i] = answers[i].hit;
        made->truth[kind] += answers[i].hit;
        made->us_truth += 1e6 * answers[i].seconds;
    }
    made->timed += count;
    made->candidates[kind] = count;
    if (count && !io_write_query_csv(files.csv, queries, count, truth, &error)) app_fail("%s", error.message);
    write_booleans(files.bools, truth, count);
    write_boxes(files.boxes, &frames->mesh, pairs, count);
    cli_free_truths(answers, count);
    free(label);
    free(truth);
    free(queries);
    free_files(&files);
}

static void make_lists(const settings *set, const frame_pair *frames, const graze_pair *pairs, size_t count,
                       made_step *made) {
    size_t split = 0; /* sorted by kind: vertices with faces first */
    while (split < count && pairs[split].kind == GRAZE_VF) split++;
    if (!take_made(set, 0, made)) make_kind(set, frames, pairs, split, 0, made);
    if (!take_made(set, 1, made)) make_kind(set, frames, pairs + split, count - split, 1, made);
}

static void make_step(const settings *set, const io_frame *from, const io_frame *to, made_step *made) {
    made_step before = {.step = from->step};
    bool both_made = take_made(set, 0, &before) && take_made(set, 1, &before);
    *made = both_made ? before : (made_step){.step = from->step};
    if (both_made) return;
    io_error error;
    frame_pair frames = {.mesh = graze_default_mesh()};
    if (!io_read_mesh_pair(from->path, to->path, &frames.a, &frames.b, &error)) app_fail("%s", error.message);
    graze_context *context = app_context(set->threads);
    graze_status status =
        graze_mesh_from_faces(context, (uint32_t)frames.a.vertex_count, (const uint32_t(*)[3])frames.a.faces,
                              (uint32_t)frames.a.face_count, &frames.mesh);
    if (status != GRAZE_OK) app_fail_status(status, context, from->path);
    graze_pair *pairs;
    size_t count;
    double start = app_seconds();
    status = graze_candidates(context, &frames.mesh, (const double(*)[3])frames.a.positions,
                              (const double(*)[3])frames.b.positions, NULL, &pairs, &count);
    if (status != GRAZE_OK) app_fail_status(status, context, from->path);
    made->ms_broad = 1e3 * (app_seconds() - start);
    bool some = set->limit > 0 && set->limit < count;
    graze_pair *chosen = some ? cli_sample_pairs(pairs, count, (size_t)set->limit) : pairs;
    make_lists(set, &frames, chosen, some ? (size_t)set->limit : count, made);
    if (some) free(chosen);
    graze_pairs_release(context, pairs, count);
    graze_mesh_release(context, &frames.mesh);
    graze_context_destroy(context);
    io_free_mesh(&frames.a);
    io_free_mesh(&frames.b);
}

static cJSON *kinds_json(const uint64_t counts[2]) {
    cJSON *object = cJSON_CreateObject();
    for (int kind = 0; kind < 2; kind++)
        cJSON_AddItemToObject(object, graze_kind_name((graze_kind)kind), app_json_count(counts[kind]));
    return object;
}

static cJSON *step_json(const made_step *made, bool total) {
    cJSON *object = cJSON_CreateObject();
    if (!total) cJSON_AddItemToObject(object, "step", app_json_count(made->step));
    cJSON_AddItemToObject(object, "candidates", kinds_json(made->candidates));
    cJSON_AddItemToObject(object, "truth", kinds_json(made->truth));
    cJSON *time = cJSON_AddObjectToObject(object, "time_ms");
    cJSON_AddItemToObject(time, "broad", app_json_double(made->ms_broad));
    cJSON_AddItemToObject(time, "truth", app_json_double(1e-3 * made->us_truth));
    return object;
}

static void print_row(const made_step *made, const char *name) {
    printf("%-8s %12llu %12llu %10llu %10llu %10.2f\n", name, (unsigned long long)made->candidates[0],
           (unsigned long long)made->candidates[1], (unsigned long long)made->truth[0],
           (unsigned long long)made->truth[1], made->timed ? made->us_truth / (double)made->timed : 0);
}

static cJSON *report(const char *folder, const made_step *steps, size_t count, bool json) {
    cJSON *object = NULL;
    made_step total = {0};
    for (size_t i = 0; i < count; i++) {
        for (int kind = 0; kind < 2; kind++) {
            total.candidates[kind] += steps[i].candidates[kind];
            total.truth[kind] += steps[i].truth[kind];
        }
        total.ms_broad += steps[i].ms_broad;
        total.us_truth += steps[i].us_truth;
        total.timed += steps[i].timed;
    }
    size_t length;
    const char *base = io_base_name(folder, &length);
    char *name = app_text("%.*s", (int)length, base);
    if (json) {
        object = cJSON_CreateObject();
        cJSON_AddItemToObject(object, "scene", app_json_text(name));
        cJSON *list = cJSON_AddArrayToObject(object, "steps");
        for (size_t i = 0; i < count; i++) cJSON_AddItemToArray(list, step_json(&steps[i], false));
        cJSON_AddItemToObject(object, "total", step_json(&total, true));
    } else {
        char *shown = app_shown(name, 200);
        printf("%s: boxes, mma_bool and queries with exact truth\n\n%-8s %12s %12s %10s %10s %10s\n", shown, "step",
               "vf pairs", "ee pairs", "vf hits", "ee hits", "us a pair");
        free(shown);
        for (size_t i = 0; i < count; i++) {
            char *step = app_text("%llu", (unsigned long long)steps[i].step);
            print_row(&steps[i], step);
            free(step);
        }
        if (count > 1) print_row(&total, "total");
    }
    free(name);
    return object;
}

static void write_text(const char *path, const char *text) {
    io_output file;
    app_open_output("dataset: --make", path, false, &file);
    fputs(text, file.stream);
    app_close_output(&file);
}

static char *sample_path(const settings *set) { return app_text("%s/" IO_SCENE_SAMPLE, set->folder); }
static char *sample_text(const settings *set) { return app_text("{\"limit\":%llu}\n", (unsigned long long)set->limit); }

static void note_sample(const settings *set) {
    char *path = sample_path(set), *text = sample_text(set);
    write_text(path, text);
    free(text);
    free(path);
}

/* A data set that is there already must be of the same limit. */
static void require_same_sample(const settings *set) {
    char *path = sample_path(set), *text = sample_text(set), *bytes = NULL;
    size_t size;
    io_error error;
    bool there = access(path, F_OK) == 0;
    if (there && !io_read_file(path, &bytes, &size, &error)) app_fail("%s", error.message);
    if (there != (set->limit > 0) || (there && strcmp(bytes, text) != 0))
        app_fail("%s: was made with another --limit", set->folder);
    free(bytes);
    free(text);
    free(path);
}

/* Marks the folder as not complete; where it is marked already an earlier run is continued, with the same limit.
   Returns the mark's path. */
static char *begin_making(const settings *set, bool mine) {
    static const char *const lists[] = {"boxes", "mma_bool", "queries"};
    char *mark = app_text("%s/" IO_SCENE_INCOMPLETE, set->folder);
    char *said = app_text("limit %llu\n", (unsigned long long)set->limit);
    if (access(mark, F_OK) == 0) {
        char *bytes;
        size_t size;
        io_error error;
        if (!io_read_file(mark, &bytes, &size, &error)) app_fail("%s", error.message);
        if (strcmp(bytes, said) != 0) app_fail("%s: the run that was cut off had another --limit: %.40s", mark, bytes);
        free(bytes);
    } else {
        for (int i = 0; !mine && i < 3; i++) require_empty(set->folder, lists[i]);
        char *boxes = app_text("%s/boxes", set->folder);
        if (mine && io_is_folder(boxes)) require_same_sample(set);
        free(boxes);
        write_text(mark, said);
    }
    for (int i = 0; i < 3; i++) {
        char *path = app_text("%s/%s", set->folder, lists[i]);
        app_make_folder(path);
        free(path);
    }
    free(said);
    return mark;
}

cJSON *cli_dataset_make(const char *folder, uint64_t threads, uint64_t limit, bool mine, bool json) {
    const settings set = {folder, threads, limit};
    io_error error;
    io_frames frames;
    if (!io_list_frames(folder, &frames, &error)) app_fail("%s", error.message);
    made_step *steps = app_allocate(frames.count, sizeof *steps);
    size_t count = 0;
    for (size_t i = 0; i + 1 < frames.count; i++) count += frames.frames[i].step + 1 == frames.frames[i + 1].step;
    if (count == 0) app_fail("%s: no two consecutive frames in it", folder);
    char *mark = begin_making(&set, mine);
    if (limit) note_sample(&set);
    count = 0;
    for (size_t i = 0; i + 1 < frames.count; i++)
        if (frames.frames[i].step + 1 == frames.frames[i + 1].step)
            make_step(&set, &frames.frames[i], &frames.frames[i + 1], &steps[count++]);
    if (unlink(mark) != 0) app_fail("%s: cannot be removed: %s", mark, strerror(errno));
    cJSON *made = report(folder, steps, count, json);
    free(mark);
    free(steps);
    io_free_frames(&frames);
    return made;
}
