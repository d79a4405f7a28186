#include "bench/data/bench_sets.h"

#include "io/folder.h"
#include "io/mesh.h"
#include "scenes/random.h"
#include "scenes/scenes.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const graze_query *bench_take(const bench_set *set, uint64_t first, size_t count, graze_query *room) {
    if (set->queries) return set->queries + first;
    for (size_t i = 0; i < count; i++) {
        /* a query is a function of seed and index: blocks may be of any size */
        scene_random random = {set->seed + (first + i) * 0xd1342543de82ef95u};
        for (int r = 0; r < 4; r++)
            for (int c = 0; c < 3; c++) {
                room[i].x0[r][c] = scene_random_unit(&random);
                room[i].x1[r][c] = scene_random_unit(&random);
            }
    }
    return room;
}

void bench_add_cubes(bench_sets *sets, uint64_t cases) {
    for (int kind = GRAZE_VF; kind <= GRAZE_EE; kind++) {
        bench_set *set = &sets->sets[sets->count++];
        *set = (bench_set){
            .kind = (graze_kind)kind, .count = cases / 2, .candidates = cases / 2, .seed = 1 + (uint64_t)kind};
        snprintf(set->name, sizeof set->name, "random cube");
    }
}

static bool out_of_memory(io_error *error) {
    snprintf(error->message, sizeof error->message, "out of memory");
    return false;
}

static void gather(const graze_mesh *mesh, graze_pair pair, const double (*x0)[3], const double (*x1)[3],
                   graze_query *query) {
    uint32_t rows[4];
    if (pair.kind == GRAZE_VF) {
        rows[0] = pair.a;
        memcpy(rows + 1, mesh->faces[pair.b], sizeof mesh->faces[0]);
    } else {
        memcpy(rows, mesh->edges[pair.a], sizeof mesh->edges[0]);
        memcpy(rows + 2, mesh->edges[pair.b], sizeof mesh->edges[0]);
    }
    for (int i = 0; i < 4; i++) {
        memcpy(query->x0[i], x0[rows[i]], sizeof query->x0[i]);
        memcpy(query->x1[i], x1[rows[i]], sizeof query->x1[i]);
    }
}

/* Adds an even sample of the candidates of each kind. */
static bool add_step(bench_sets *sets, graze_context *context, const char *name, const graze_mesh *mesh,
                     const double (*x0)[3], const double (*x1)[3], size_t limit, io_error *error) {
    graze_pair *pairs;
    size_t pair_count;
    graze_status status = graze_candidates(context, mesh, x0, x1, NULL, &pairs, &pair_count);
    if (status != GRAZE_OK) {
        snprintf(error->message, sizeof error->message, "%s: candidates: %s", name, graze_status_name(status));
        return false;
    }
    bool done = true;
    size_t begin = 0;
    for (int kind = GRAZE_VF; kind <= GRAZE_EE && done; kind++) {
        size_t end = begin;
        while (end < pair_count && (int)pairs[end].kind == kind) end++;
        size_t all = end - begin, count = all < limit ? all : limit;
        graze_query *queries = malloc((count ? count : 1) * sizeof *queries);
        if (!queries || sets->count == (int)(sizeof sets->sets / sizeof *sets->sets)) {
            free(queries);
            done = out_of_memory(error);
            break;
        }
        for (size_t i = 0; i < count; i++)
            gather(mesh, pairs[begin + (size_t)((double)i * ((double)all / (double)count))], x0, x1, &queries[i]);
        bench_set *set = &sets->sets[sets->count++];
        *set = (bench_set){.kind = (graze_kind)kind,
                           .count = count,
                           .candidates = all,
                           .queries = queries,
                           .cloth = strstr(name, "cloth") != NULL};
        snprintf(set->name, sizeof set->name, "%.47s", name);
        begin = end;
    }
    graze_pairs_release(context, pairs, pair_count);
    return done;
}

/* The last two frames of a scene. */
typedef struct keeper {
    double (*x[2])[3];
    uint32_t (*faces)[3];
    size_t vertex_count, face_count;
} keeper;

static bool keep(void *user, uint32_t frame, const scene_mesh *mesh) {
    keeper *k = user;
    if (frame == 0) {
        k->vertex_count = mesh->vertex_count;
        k->face_count = mesh->face_count;
        k->x[0] = malloc(mesh->vertex_count * sizeof *k->x[0]);
        k->x[1] = malloc(mesh->vertex_count * sizeof *k->x[1]);
        k->faces = malloc(mesh->face_count * sizeof *k->faces);
        if (!k->x[0] || !k->x[1] || !k->faces) return false;
        memcpy(k->faces, mesh->faces, mesh->face_count * sizeof *k->faces);
    }
    void *swap = k->x[0];
    k->x[0] = k->x[1];
    k->x[1] = swap;
    memcpy(k->x[1], mesh->positions, mesh->vertex_count * sizeof *k->x[1]);
    return true;
}

static bool add_faces(bench_sets *sets, graze_context *context, const char *name, size_t vertex_count,
                      const uint32_t (*faces)[3], size_t face_count, const double (*x0)[3], const double (*x1)[3],
                      size_t limit, io_error *error) {
    graze_mesh mesh = graze_default_mesh();
    graze_status status = graze_mesh_from_faces(context, (uint32_t)vertex_count, faces, (uint32_t)face_count, &mesh);
    if (status != GRAZE_OK) {
        snprintf(error->message, sizeof error->message, "%s: %s", name, graze_status_name(status));
        return false;
    }
    bool done = add_step(sets, context, name, &mesh, x0, x1, limit, error);
    graze_mesh_release(context, &mesh);
    return done;
}

bool bench_add_generated(bench_sets *sets, graze_context *context, const char *scene, uint32_t size, uint32_t frame,
                         size_t limit, io_error *error) {
    keeper k = {0};
    scene_options options = {.frames = frame + 2, .size = size, .seed = 1};
    char name[64];
    snprintf(name, sizeof name, "%s, generated", scene);
    bool done = scene_find(scene)->generate(&options, keep, &k) == SCENE_DONE;
    if (!done) out_of_memory(error);
    done = done && add_faces(sets, context, name, k.vertex_count, (const uint32_t(*)[3])k.faces, k.face_count,
                             (const double(*)[3])k.x[0], (const double(*)[3])k.x[1], limit, error);
    free(k.x[0]);
    free(k.x[1]);
    free(k.faces);
    return done;
}

static bool add_folder(bench_sets *sets, graze_context *context, const char *name, const char *folder, size_t limit,
                       io_error *error) {
    io_frames frames;
    if (!io_list_frames(folder, &frames, error)) return false;
    bool done = true;
    if (frames.count >= 2) {
        io_mesh a, b;
        done = io_read_mesh_pair(frames.frames[0].path, frames.frames[1].path, &a, &b, error);
        if (done) {
            done = add_faces(sets, context, name, a.vertex_count, (const uint32_t(*)[3])a.faces, a.face_count,
                             (const double(*)[3])a.positions, (const double(*)[3])b.positions, limit, error);
            io_free_mesh(&a);
            io_free_mesh(&b);
        }
    }
    io_free_frames(&frames);
    return done;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

bool bench_add_data(bench_sets *sets, graze_context *context, const char *data, size_t limit, io_error *error) {
    char *scenes = io_join_path(data, "scenes");
    DIR *folder = scenes ? opendir(scenes) : NULL;
    if (!folder) {
        snprintf(error->message, sizeof error->message, "%s: there is no folder scenes in it", data);
        free(scenes);
        return false;
    }
    char *names[12];
    size_t count = 0;
    for (struct dirent *entry; count < sizeof names / sizeof *names && (entry = readdir(folder));)
        if (entry->d_name[0] != '.') names[count++] = strdup(entry->d_name);
    closedir(folder);
    qsort(names, count, sizeof *names, by_name);
    bool done = true;
    for (size_t i = 0; i < count; i++) {
        char *path = names[i] ? io_join_path(scenes, names[i]) : NULL;
        if (done) done = path ? add_folder(sets, context, names[i], path, limit, error) : out_of_memory(error);
        free(path);
        free(names[i]);
    }
    free(scenes);
    return done;
}

void bench_free_sets(bench_sets *sets) {
    for (int i = 0; i < sets->count; i++) free(sets->sets[i].queries);
    sets->count = 0;
}
