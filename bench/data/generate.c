/* Data made on the spot: handcrafted families, and one step of each generated scene. */
#include "bench/data/data.h"

#include "scenes/handcraft.h"
#include "scenes/scenes.h"

#include <string.h>

static void add_handcrafted(const bench_settings *settings, bench_data *data) {
    uint64_t count = settings->quick ? 16 : 400; /* of each family and kind */
    const handcraft_family *family;
    for (size_t f = 0; (family = handcraft_get(f)); f++) {
        uint32_t source = bench_data_source(data, family->name);
        for (int kind = 0; kind < 2; kind++)
            for (uint64_t i = 0; i < count; i++) {
                graze_query query;
                handcraft_make(family, (graze_kind)kind, settings->seed, i, &query);
                bench_data_query(data, BENCH_HANDCRAFTED, (graze_kind)kind, source, &query, 2);
            }
    }
}

/* Keeps the frames, the last two of them as the step. */
typedef struct keeper {
    const bench_data *data;
    bench_scene *scene;
    uint32_t first; /* frame that the step starts from */
    size_t vertex_count, face_count;
} keeper;

static bool keep_frame(void *user, uint32_t frame, const scene_mesh *mesh) {
    keeper *keep = user;
    keep->scene->mesh.vertex_count = (uint32_t)mesh->vertex_count;
    bench_scene_frame(keep->data, keep->scene, (const double(*)[3])mesh->positions);
    if (frame < keep->first) return true;
    double(*x)[3] = bench_allocate(mesh->vertex_count, sizeof *x);
    memcpy(x, mesh->positions, mesh->vertex_count * sizeof *x);
    if (frame > keep->first) {
        keep->scene->x1 = x;
        return true;
    }
    keep->scene->x0 = x;
    keep->vertex_count = mesh->vertex_count;
    keep->face_count = mesh->face_count;
    keep->scene->faces = bench_allocate(mesh->face_count, sizeof *keep->scene->faces);
    memcpy(keep->scene->faces, mesh->faces, mesh->face_count * sizeof *keep->scene->faces);
    return true;
}

static bool add_scene(const bench_settings *settings, bench_data *data, const scene_info *info, io_error *error) {
    enum { FRAME = 7 }; /* by then every scene has contacts of all kinds */
    bench_scene *scene = bench_data_scene(data, info->name);
    keeper keep = {.data = data, .scene = scene, .first = FRAME};
    scene_options options = {FRAME + 2, settings->quick ? info->default_size : 2 * info->default_size, settings->seed};
    if (info->generate(&options, keep_frame, &keep) != SCENE_DONE)
        return io_fail(error, info->name, 0, "out of memory");
    scene->mesh = graze_default_mesh();
    graze_status status =
        graze_mesh_from_faces(data->context, (uint32_t)keep.vertex_count, (const uint32_t(*)[3])scene->faces,
                              (uint32_t)keep.face_count, &scene->mesh);
    if (status != GRAZE_OK) return io_fail(error, info->name, 0, "edges: %s", graze_status_name(status));
    if (!bench_scene_prepare(settings, data, scene, error)) return false;
    bench_truth_job job = {
        .options = graze_default_truth_options(), .count = scene->pair_count, .scene = scene, .hit = scene->hit};
    return bench_find_truths(settings, &job, "exact truth", error);
}

bool bench_generate(const bench_settings *settings, bench_data *data, io_error *error) {
    add_handcrafted(settings, data);
    const scene_info *info;
    for (size_t s = 0; (info = scene_get(s)); s++)
        if (!add_scene(settings, data, info, error)) return false;
    return true;
}
