/* Writes an articulated example: its shapes as PLY, everything else as JSON. */
#include "cli/example_model.h"

#include "app/app.h"
#include "app/folders.h"
#include "io/mesh.h"
#include "io/output.h"
#include "scenes/articulated.h"

#include <stdlib.h>
#include <string.h>

int cli_list_example_models(bool json) {
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; scene_articulated_name(i); i++) {
        const char *name = scene_articulated_name(i), *summary = scene_articulated_summary(i);
        if (!json) printf("%-16s %s\n", name, summary);
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddStringToObject(entry, "name", name);
        cJSON_AddStringToObject(entry, "summary", summary);
        cJSON_AddItemToArray(list, entry);
    }
    if (!json) {
        cJSON_Delete(list);
        return APP_OK;
    }
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, "examples", list);
    app_print_json(object);
    return APP_OK;
}

/* ---- names ---- */

/* Models of one name get a number. */
static char *model_name(const scene_articulated *scene, size_t index) {
    size_t before = 0, all = 0;
    for (size_t i = 0; i < scene->count; i++) {
        bool same = strcmp(scene->machines[i].name, scene->machines[index].name) == 0;
        all += same;
        before += same && i < index;
    }
    if (all == 1) return app_text("%s", scene->machines[index].name);
    return app_text("%s%zu", scene->machines[index].name, before);
}

static char *shape_file(const scene_articulated *scene, size_t shape) {
    return app_text("%s_shape%zu.ply", scene->name, shape);
}

static size_t shape_of(const scene_articulated *scene, const graze_link_mesh *mesh) {
    size_t i = 0;
    while ((const double(*)[3])scene->shapes[i].positions != mesh->vertices) i++;
    return i;
}

/* ---- models ---- */

static cJSON *numbers(const double *x, size_t count) {
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < count; i++) cJSON_AddItemToArray(list, app_json_double(x[i]));
    return list;
}

static void add_frame(cJSON *object, const graze_frame *frame) {
    cJSON *origin = cJSON_AddObjectToObject(object, "origin");
    cJSON_AddItemToObject(origin, "position", numbers(frame->position, 3));
    cJSON_AddItemToObject(origin, "rotation", numbers(frame->rotation, 4));
}

static void add_meshes(cJSON *object, const scene_articulated *scene, const graze_link *link) {
    cJSON *meshes = cJSON_AddArrayToObject(object, "meshes");
    for (size_t i = 0; i < link->mesh_count; i++) {
        const graze_link_mesh *mesh = &link->meshes[i];
        cJSON *entry = cJSON_CreateObject();
        char *file = shape_file(scene, shape_of(scene, mesh));
        cJSON_AddStringToObject(entry, "mesh", file);
        free(file);
        add_frame(entry, &mesh->origin);
        cJSON_AddItemToObject(entry, "scale", numbers(mesh->scale, 3));
        cJSON_AddItemToArray(meshes, entry);
    }
}

static cJSON *link_json(const scene_articulated *scene, const graze_link *link, size_t index) {
    static const char *const kinds[] = {"fixed", "revolute", "prismatic", "spherical", "planar", "free"};
    cJSON *object = cJSON_CreateObject();
    char *name = app_text("link%zu", index), *parent = app_text("link%d", (int)link->parent);
    cJSON_AddStringToObject(object, "name", name);
    if (link->parent < 0)
        cJSON_AddNullToObject(object, "parent");
    else
        cJSON_AddStringToObject(object, "parent", parent);
    cJSON *joint = cJSON_AddObjectToObject(object, "joint");
    cJSON_AddStringToObject(joint, "kind", kinds[link->joint]);
    cJSON_AddItemToObject(joint, "axis", numbers(link->axis, 3));
    add_frame(object, &link->origin);
    add_meshes(object, scene, link);
    free(name);
    free(parent);
    return object;
}

static size_t value_count(const scene_machine *machine) {
    static const size_t values[] = {0, 1, 1, 3, 3, 6};
    size_t count = 0;
    for (size_t i = 0; i < machine->count; i++) count += values[machine->links[i].joint];
    return count;
}

static cJSON *path_json(const scene_articulated *scene, size_t machine, uint32_t frames) {
    cJSON *motion = cJSON_CreateObject(), *path = cJSON_AddArrayToObject(motion, "path");
    for (uint32_t frame = 0; frame <= frames; frame++) {
        double values[SCENE_MOST_VALUES] = {0};
        scene->pose(scene, frame, machine, values);
        cJSON_AddItemToArray(path, numbers(values, value_count(&scene->machines[machine])));
    }
    return motion;
}

static cJSON *scene_json(const scene_articulated *scene, uint32_t frames) {
    cJSON *object = cJSON_CreateObject(), *models = cJSON_AddArrayToObject(object, "models");
    cJSON *motion = cJSON_AddObjectToObject(object, "motion");
    for (size_t i = 0; i < scene->count; i++) {
        char *name = model_name(scene, i);
        cJSON *model = cJSON_CreateObject();
        cJSON_AddStringToObject(model, "name", name);
        cJSON *links = cJSON_AddArrayToObject(model, "links");
        for (size_t k = 0; k < scene->machines[i].count; k++)
            cJSON_AddItemToArray(links, link_json(scene, &scene->machines[i].links[k], k));
        cJSON_AddItemToArray(models, model);
        if (value_count(&scene->machines[i])) cJSON_AddItemToObject(motion, name, path_json(scene, i, frames));
        free(name);
    }
    return object;
}

/* ---- files ---- */

static void write_shapes(const scene_articulated *scene, const char *folder) {
    for (size_t i = 0; i < scene->shape_count; i++) {
        const scene_mesh *mesh = &scene->shapes[i];
        char *file = shape_file(scene, i), *path = app_text("%s/%s", folder, file);
        io_error error;
        if (!io_write_ply(path, (const double(*)[3])mesh->positions, mesh->vertex_count,
                          (const uint32_t(*)[3])mesh->faces, mesh->face_count, &error))
            app_fail("articulate: %s", error.message);
        free(path);
        free(file);
    }
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    bool good = file && fputs(text, file) >= 0 && fputc('\n', file) != EOF;
    if (file) good = fclose(file) == 0 && good;
    if (!good) app_fail("articulate: %s: cannot be written", path);
}

char *cli_write_example_model(const char *name, const char *folder, uint64_t frames) {
    scene_articulated *scene = scene_articulated_make(name);
    if (!scene) app_fail("articulate: there is no example '%s'; `graze articulate --list` lists them", name);
    if (frames == 0 || frames > scene->frames) frames = scene->frames;
    app_make_folder(folder);
    write_shapes(scene, folder);
    char *path = app_text("%s/%s.json", folder, name);
    cJSON *object = scene_json(scene, (uint32_t)frames);
    char *text = cJSON_PrintUnformatted(object);
    if (!text) app_fail("articulate: out of memory");
    write_text(path, text);
    free(text);
    cJSON_Delete(object);
    scene_articulated_free(scene);
    return path;
}
