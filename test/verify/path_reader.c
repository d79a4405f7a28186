#include "verify/path_reader.h"

#include <cjson/cJSON.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cJSON *get(const cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static void numbers(const cJSON *list, double *x, size_t count) {
    for (size_t i = 0; i < count; i++) x[i] = cJSON_GetNumberValue(cJSON_GetArrayItem(list, (int)i));
}

/* Arrays of a link, which live until its model is made. */
typedef struct link_arrays {
    graze_link_mesh mesh;
    double (*vertices)[3];
    uint32_t (*faces)[3];
} link_arrays;

static void read_link(const cJSON *object, graze_link *link, link_arrays *arrays) {
    static const char *const kinds[] = {"fixed", "revolute", "prismatic", "spherical", "planar", "free"};
    const char *kind = cJSON_GetStringValue(get(object, "joint"));
    const cJSON *vertices = get(object, "vertices"), *faces = get(object, "faces"), *item;
    *link = graze_default_link();
    link->parent = (int32_t)cJSON_GetNumberValue(get(object, "parent"));
    for (int k = 0; k < 6; k++)
        if (strcmp(kind, kinds[k]) == 0) link->joint = (graze_joint_kind)k;
    numbers(get(object, "position"), link->origin.position, 3);
    numbers(get(object, "rotation"), link->origin.rotation, 4);
    numbers(get(object, "axis"), link->axis, 3);
    link->padding = cJSON_GetNumberValue(get(object, "padding"));
    size_t vertex_count = (size_t)cJSON_GetArraySize(vertices), face_count = (size_t)cJSON_GetArraySize(faces), i = 0;
    arrays->vertices = malloc((vertex_count + 1) * sizeof *arrays->vertices);
    arrays->faces = malloc((face_count + 1) * sizeof *arrays->faces);
    cJSON_ArrayForEach(item, vertices) numbers(item, arrays->vertices[i++], 3);
    i = 0;
    cJSON_ArrayForEach(item, faces) {
        double face[3];
        numbers(item, face, 3);
        for (int k = 0; k < 3; k++) arrays->faces[i][k] = (uint32_t)face[k];
        i++;
    }
    arrays->mesh = graze_default_link_mesh();
    arrays->mesh.vertex_count = (uint32_t)vertex_count;
    arrays->mesh.face_count = (uint32_t)face_count;
    arrays->mesh.vertices = (const double(*)[3])arrays->vertices;
    arrays->mesh.faces = (const uint32_t(*)[3])arrays->faces;
    link->meshes = &arrays->mesh;
    link->mesh_count = 1;
}

static graze_model *read_model(graze_context *context, const cJSON *object) {
    const cJSON *list = get(object, "links"), *item;
    size_t count = (size_t)cJSON_GetArraySize(list), i = 0;
    graze_link *links = calloc(count + 1, sizeof *links);
    link_arrays *arrays = calloc(count + 1, sizeof *arrays);
    cJSON_ArrayForEach(item, list) {
        read_link(item, &links[i], &arrays[i]);
        i++;
    }
    graze_model *model = NULL;
    if (graze_model_create(context, links, count, &model) != GRAZE_OK) model = NULL;
    for (i = 0; i < count; i++) {
        free(arrays[i].vertices);
        free(arrays[i].faces);
    }
    free(links);
    free(arrays);
    return model;
}

static double *values_of(const cJSON *list, size_t size) {
    size_t count = (size_t)cJSON_GetArraySize(list), i = 0;
    double *values = calloc(size * count + 1, sizeof *values);
    const cJSON *item;
    cJSON_ArrayForEach(item, list) {
        if (size == 1)
            values[i] = cJSON_GetNumberValue(item);
        else
            numbers(item, values + size * i, size); /* null: NaN */
        i++;
    }
    return values;
}

static graze_motion read_motion(const cJSON *object) {
    graze_motion motion = graze_default_motion();
    if (get(object, "cubic")) motion.cubic = (const double(*)[4])values_of(get(object, "cubic"), 4);
    if (get(object, "from")) motion.from = values_of(get(object, "from"), 1);
    if (get(object, "to")) motion.to = values_of(get(object, "to"), 1);
    if (get(object, "turns")) motion.turns = (const double(*)[3])values_of(get(object, "turns"), 3);
    const cJSON *screws = get(object, "screws"), *item;
    uint8_t *flags = screws ? calloc((size_t)cJSON_GetArraySize(screws) + 1, 1) : NULL;
    size_t i = 0;
    cJSON_ArrayForEach(item, screws) flags[i++] = cJSON_GetNumberValue(item) > 0;
    motion.screws = flags;
    return motion;
}

static void free_motion(graze_motion *motion) {
    free((void *)(uintptr_t)motion->from);
    free((void *)(uintptr_t)motion->to);
    free((void *)(uintptr_t)motion->turns);
    free((void *)(uintptr_t)motion->cubic);
    free((void *)(uintptr_t)motion->screws);
}

static bool touches(graze_context *context, graze_model *const *models, size_t count, const cJSON *path,
                    const graze_articulated_options *options) {
    graze_motion *motions = calloc(count + 1, sizeof *motions);
    const cJSON *list = get(path, "motions");
    for (size_t m = 0; m < count; m++) motions[m] = read_motion(cJSON_GetArrayItem(list, (int)m));
    graze_articulated_result result = graze_default_articulated_result();
    graze_status status =
        graze_articulated_step(context, (const graze_model *const *)models, count, motions, options, &result);
    for (size_t m = 0; m < count; m++) free_motion(&motions[m]);
    free(motions);
    return status == GRAZE_OK && result.verdict == GRAZE_HIT && result.contact.proven;
}

static uint8_t *read_mask(const cJSON *whole, graze_model *const *models, size_t count) {
    size_t links = 0;
    for (size_t m = 0; m < count; m++) links += graze_model_links(models[m]);
    uint8_t *mask = malloc(links * links + 1);
    memset(mask, 1, links * links);
    const cJSON *item;
    cJSON_ArrayForEach(item, get(whole, "skip")) {
        double pair[2];
        numbers(item, pair, 2);
        mask[(size_t)pair[0] * links + (size_t)pair[1]] = mask[(size_t)pair[1] * links + (size_t)pair[0]] = 0;
    }
    return mask;
}

bool path_reader_finds_contact(graze_context *context, const char *text) {
    cJSON *whole = cJSON_Parse(text);
    if (!whole) return false;
    const cJSON *list = get(whole, "models"), *item;
    size_t count = (size_t)cJSON_GetArraySize(list), made = 0;
    graze_model **models = calloc(count + 1, sizeof *models);
    bool good = true, found = false;
    cJSON_ArrayForEach(item, list) {
        models[made] = read_model(context, item);
        good = good && models[made];
        made++;
    }
    if (good) {
        graze_articulated_options options = graze_default_articulated_options();
        uint8_t *mask = read_mask(whole, models, count);
        options.min_separation = cJSON_GetNumberValue(get(whole, "separation"));
        options.t_max = cJSON_GetNumberValue(get(whole, "t_max"));
        options.link_pairs = mask;
        cJSON_ArrayForEach(item, get(whole, "paths")) found = found || touches(context, models, count, item, &options);
        free(mask);
    }
    for (size_t m = 0; m < made; m++) graze_model_destroy(context, models[m]);
    free(models);
    cJSON_Delete(whole);
    return found;
}
