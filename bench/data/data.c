#include "bench/data/simulator.h"

#include "io/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *bench_group_name(bench_group group) { return group == BENCH_HANDCRAFTED ? "handcrafted" : "simulation"; }

uint32_t bench_data_source(bench_data *data, const char *name) {
    for (size_t i = 0; i < data->source_count; i++)
        if (strcmp(data->sources[i], name) == 0) return (uint32_t)i;
    data->sources = bench_grow(data->sources, data->source_count, &data->source_capacity, sizeof *data->sources);
    data->sources[data->source_count] = bench_copy(name);
    io_make_printable(data->sources[data->source_count]); /* it may be a file's name */
    return (uint32_t)data->source_count++;
}

/* A place at the end, its fields to be set. */
static size_t add_place(bench_queries *set) {
    size_t capacity[5] = {set->capacity, set->capacity, set->capacity, set->capacity, set->capacity};
    set->source = bench_grow(set->source, set->count, &capacity[0], sizeof *set->source);
    set->hit = bench_grow(set->hit, set->count, &capacity[1], sizeof *set->hit);
    set->lower = bench_grow(set->lower, set->count, &capacity[2], sizeof *set->lower);
    set->upper = bench_grow(set->upper, set->count, &capacity[3], sizeof *set->upper);
    set->origin = bench_grow(set->origin, set->count, &capacity[4], sizeof *set->origin);
    set->queries = bench_grow(set->queries, set->count, &set->capacity, sizeof *set->queries);
    set->origin[set->count] = (bench_origin){NULL, 0};
    return set->count++;
}

void bench_data_query(bench_data *data, bench_group group, graze_kind kind, uint32_t source, const graze_query *query,
                      unsigned char hit) {
    bench_queries *set = &data->sets[group][kind];
    for (int r = 0; r < 4; r++) /* no method could be timed on what most of them refuse */
        for (int c = 0; c < 3; c++)
            if (!(fabs(query->x0[r][c]) <= GRAZE_MAX_COORDINATE && fabs(query->x1[r][c]) <= GRAZE_MAX_COORDINATE))
                return;
    size_t at = add_place(set);
    set->queries[at] = *query;
    set->source[at] = source;
    set->hit[at] = hit;
    set->lower[at] = set->upper[at] = NAN;
}

void bench_queries_sample(const bench_queries *set, size_t limit, bench_queries *sample) {
    *sample = (bench_queries){.kind = set->kind};
    size_t count = set->count < limit ? set->count : limit;
    for (size_t i = 0; i < count; i++) {
        size_t from = (size_t)((double)i * ((double)set->count / (double)count)), at = add_place(sample);
        sample->queries[at] = set->queries[from];
        sample->source[at] = set->source[from];
        sample->hit[at] = set->hit[from];
        sample->lower[at] = set->lower[from];
        sample->upper[at] = set->upper[from];
    }
}

void bench_queries_free(bench_queries *set) {
    free(set->queries);
    free(set->source);
    free(set->origin);
    free(set->hit);
    free(set->lower);
    free(set->upper);
    *set = (bench_queries){.kind = set->kind};
}

bench_scene *bench_data_scene(bench_data *data, const char *name) {
    data->scenes = bench_grow(data->scenes, data->scene_count, &data->scene_capacity, sizeof *data->scenes);
    bench_scene *scene = &data->scenes[data->scene_count++];
    *scene = (bench_scene){.source = bench_data_source(data, name)};
    scene->name = bench_copy(data->sources[scene->source]);
    return scene;
}

void bench_scene_frame(const bench_data *data, bench_scene *scene, const double (*positions)[3]) {
    if (!data->with_frames) return;
    scene->frames = bench_grow(scene->frames, scene->frame_count, &scene->frame_capacity, sizeof *scene->frames);
    double(*copy)[3] = bench_allocate(scene->mesh.vertex_count, sizeof *copy);
    memcpy(copy, positions, scene->mesh.vertex_count * sizeof *copy);
    scene->frames[scene->frame_count++] = copy;
}

bool bench_scene_prepare(const bench_settings *settings, bench_data *data, bench_scene *scene, io_error *error) {
    (void)settings;
    graze_step_options options = graze_default_step_options();
    graze_status status = graze_candidates(data->context, &scene->mesh, (const double(*)[3])scene->x0,
                                           (const double(*)[3])scene->x1, &options, &scene->pairs, &scene->pair_count);
    if (status != GRAZE_OK) return io_fail(error, scene->name, 0, "candidates: %s", graze_status_name(status));
    /* points without a face are not what the methods are compared on */
    size_t owned = scene->pair_count;
    while (scene->pair_count && scene->pairs[scene->pair_count - 1].kind > GRAZE_EE) scene->pair_count--;
    graze_pair *kept = bench_allocate(scene->pair_count, sizeof *kept);
    if (scene->pair_count) memcpy(kept, scene->pairs, scene->pair_count * sizeof *kept);
    graze_pairs_release(data->context, scene->pairs, owned);
    scene->pairs = kept;
    scene->hit = bench_allocate(scene->pair_count, 1);
    return true;
}

void bench_scene_query(const bench_scene *scene, size_t pair, graze_query *query) {
    const graze_pair *p = &scene->pairs[pair];
    uint32_t rows[4];
    if (p->kind == GRAZE_VF) {
        rows[0] = p->a;
        memcpy(rows + 1, scene->mesh.faces[p->b], sizeof scene->mesh.faces[0]);
    } else {
        memcpy(rows, scene->mesh.edges[p->a], sizeof scene->mesh.edges[0]);
        memcpy(rows + 2, scene->mesh.edges[p->b], sizeof scene->mesh.edges[0]);
    }
    for (int i = 0; i < 4; i++) {
        memcpy(query->x0[i], scene->x0[rows[i]], sizeof query->x0[i]);
        memcpy(query->x1[i], scene->x1[rows[i]], sizeof query->x1[i]);
    }
}

/* ---- samples of scenes ---- */

/* An even sample of the candidates of each kind, the same number from each scene where it has that many. */
static void sample_scenes(const bench_settings *settings, bench_data *data) {
    size_t limit = settings->quick ? 10000 : 200000;
    if (data->scene_count) limit /= data->scene_count;
    for (size_t s = 0; s < data->scene_count; s++) {
        const bench_scene *scene = &data->scenes[s];
        size_t begin = 0;
        for (int kind = GRAZE_VF; kind <= GRAZE_EE; kind++) {
            size_t end = begin;
            while (end < scene->pair_count && scene->pairs[end].kind == (graze_kind)kind) end++;
            size_t count = end - begin, taken = count < limit ? count : limit;
            for (size_t i = 0; i < taken; i++) {
                size_t pair = begin + (size_t)((double)i * ((double)count / (double)taken));
                graze_query query;
                bench_scene_query(scene, pair, &query);
                bench_data_query(data, BENCH_SIMULATION, (graze_kind)kind, scene->source, &query, scene->hit[pair]);
            }
            begin = end;
        }
    }
}

/* Finds the truth that is not known and the brackets of all hits; what a file claims must hold. */
static bool complete_truth(const bench_settings *settings, bench_data *data, io_error *error) {
    for (int group = 0; group < BENCH_GROUPS; group++)
        for (int kind = 0; kind < 2; kind++) {
            bench_queries *set = &data->sets[group][kind];
            unsigned char *claimed = bench_allocate(set->count, 1);
            if (set->count) memcpy(claimed, set->hit, set->count);
            bench_truth_job job = {.options = graze_default_truth_options(),
                                   .kind = (graze_kind)kind,
                                   .count = set->count,
                                   .queries = set->queries,
                                   .wanted = claimed,
                                   .hit = set->hit,
                                   .lower = set->lower,
                                   .upper = set->upper};
            bool good = bench_find_truths(settings, &job, "exact truth", error);
            for (size_t i = 0; good && i < set->count; i++)
                if (claimed[i] == 1 && !set->hit[i])
                    good = io_fail(error, data->sources[set->source[i]], 0,
                                   "a query said to touch does not; `graze truth` tells which");
            free(claimed);
            if (!good) return false;
        }
    return true;
}

static bool load(const bench_settings *settings, bench_data *data, bool with_frames, io_error *error) {
    *data = (bench_data){.with_frames = with_frames};
    for (int group = 0; group < BENCH_GROUPS; group++)
        for (int kind = 0; kind < 2; kind++) data->sets[group][kind].kind = (graze_kind)kind;
    data->context = bench_context(settings, settings->threads, 0, error);
    if (!data->context) return false;
    return (settings->data ? bench_read_folder : bench_generate)(settings, data, error);
}

bool bench_data_load_scenes(const bench_settings *settings, bench_data *data, io_error *error) {
    if (!load(settings, data, true, error)) return false;
    if (!settings->data && !settings->quick && !bench_simulate(settings, data, error)) return false;
    return data->scene_count > 0 || io_fail(error, settings->data, 0, "no scene folders in it");
}

bool bench_data_load(const bench_settings *settings, bench_data *data, io_error *error) {
    if (!load(settings, data, false, error)) return false;
    sample_scenes(settings, data);
    return complete_truth(settings, data, error);
}

void bench_data_free(bench_data *data) {
    for (int group = 0; group < BENCH_GROUPS; group++)
        for (int kind = 0; kind < 2; kind++) bench_queries_free(&data->sets[group][kind]);
    for (size_t s = 0; s < data->scene_count; s++) {
        bench_scene *scene = &data->scenes[s];
        graze_mesh_release(data->context, &scene->mesh);
        free(scene->name);
        free(scene->x0);
        free(scene->x1);
        free(scene->faces);
        free(scene->pairs);
        free(scene->hit);
        for (size_t k = 0; k < scene->frame_count; k++) free(scene->frames[k]);
        free(scene->frames);
    }
    for (size_t i = 0; i < data->source_count; i++) free(data->sources[i]);
    for (size_t i = 0; i < data->file_count; i++) free(data->files[i]);
    free(data->files);
    free(data->sources);
    free(data->scenes);
    graze_context_destroy(data->context);
    *data = (bench_data){0};
}
