/* Certificates of paths as texts, for tests: random scenes that have one, and a second reader that makes models and
   motions of a text again. */
#ifndef GRAZE_TEST_VERIFY_PATH_FILES_H
#define GRAZE_TEST_VERIFY_PATH_FILES_H

#include "articulated/bodies.h"

#include "verify/verify.h"

/* ---- texts ---- */

typedef struct path_file {
    char *bytes; /* NUL-terminated */
    size_t size, room;
} path_file;

static inline int path_file_write(void *user, const char *text, size_t size) {
    path_file *file = user;
    if (size > PTRDIFF_MAX / 4) abort();
    if (file->size + size + 1 > file->room) {
        file->room = 2 * (file->size + size + 1);
        file->bytes = realloc(file->bytes, file->room);
        if (!file->bytes) abort();
    }
    memcpy(file->bytes + file->size, text, size);
    file->size += size;
    file->bytes[file->size] = '\0';
    return 0;
}

static inline void path_file_replace(path_file *in, size_t at, size_t length, const char *by) {
    path_file out = {0};
    path_file_write(&out, in->bytes, at);
    path_file_write(&out, by, strlen(by));
    path_file_write(&out, in->bytes + at + length, in->size - at - length);
    free(in->bytes);
    *in = out;
}

static inline path_file path_file_copy(const path_file *from) {
    path_file to = {0};
    path_file_write(&to, from->bytes, from->size);
    return to;
}

/* 0 accepted, 1 rejected, 2 not read */
static inline int path_file_status(const path_file *file, verify_path_report *report, char message[VERIFY_TEXT]) {
    if (!verify_path_text(file->bytes, file->size, 1, VERIFY_WORK_PATHS, report, message)) return 2;
    return report->rejected ? 1 : 0;
}

/* ---- random scenes ---- */

enum { SCENE_MODELS = 3, SCENE_LINKS = 4, SCENE_VALUES = 24 };

typedef struct path_scene_maker {
    graze_context *context;
    graze_model *models[SCENE_MODELS];
    double from[SCENE_MODELS][SCENE_VALUES], to[SCENE_MODELS][SCENE_VALUES];
    double turns[SCENE_MODELS][SCENE_LINKS][3], cubic[SCENE_MODELS][SCENE_VALUES][4];
    uint8_t screws[SCENE_MODELS][SCENE_LINKS];
    graze_motion motions[SCENE_MODELS];
    uint8_t mask[SCENE_MODELS * SCENE_LINKS * SCENE_MODELS * SCENE_LINKS];
    graze_articulated_options options;
    unsigned kinds; /* a bit for each kind of joint, and one for a screw */
} path_scene_maker;

static inline void maker_free(path_scene_maker *maker) {
    for (int m = 0; m < SCENE_MODELS; m++) graze_model_destroy(maker->context, maker->models[m]);
}

static inline void maker_model(path_scene_maker *maker, test_random *random, int m, size_t *links) {
    static const size_t values_of[] = {0, 1, 1, 3, 3, 6};
    bool cubic = test_random_below(random, 4) == 0, turned = test_random_below(random, 2);
    size_t count = 1 + test_random_below(random, SCENE_LINKS), values = 0;
    test_box boxes[SCENE_LINKS];
    graze_link_mesh meshes[SCENE_LINKS];
    graze_link list[SCENE_LINKS];
    static const graze_joint_kind scalar[] = {GRAZE_JOINT_FIXED, GRAZE_JOINT_REVOLUTE, GRAZE_JOINT_PRISMATIC,
                                              GRAZE_JOINT_PLANAR};
    for (size_t i = 0; i < count; i++) {
        graze_joint_kind kind =
            cubic ? scalar[test_random_below(random, 4)] : (graze_joint_kind)test_random_below(random, 6);
        boxes[i] = test_box_of(test_random_between(random, 0.05, 0.3), test_random_between(random, 0.05, 0.3), 0.2);
        meshes[i] = test_mesh_of(&boxes[i]);
        int32_t parent = i ? (int32_t)test_random_below(random, i + 1) - 1 : -1;
        graze_frame origin = test_frame(test_random_between(random, -1, 1), test_random_between(random, -1, 1),
                                        test_random_between(random, -1, 1));
        for (int k = 0; k < 4 && test_random_below(random, 3); k++)
            origin.rotation[k] = test_random_between(random, -1, 1) + (k == 0);
        list[i] = test_link(parent, kind, origin, &meshes[i]);
        for (int c = 0; c < 3; c++) {
            list[i].axis[c] = test_random_between(random, -1, 1) + (c == 2);
            maker->turns[m][i][c] = test_random_between(random, -1, 1);
        }
        if (test_random_below(random, 2)) maker->turns[m][i][1] = NAN;
        if (test_random_below(random, 3) == 0) list[i].padding = test_random_between(random, 0, 0.05);
        bool bends = !cubic && (kind == GRAZE_JOINT_PLANAR || kind == GRAZE_JOINT_FREE);
        maker->screws[m][i] = bends && test_random_below(random, 2);
        maker->kinds |= (unsigned)maker->screws[m][i] << 6;
        values += values_of[kind];
        maker->kinds |= 1u << kind;
    }
    for (size_t v = 0; v < values; v++) {
        maker->from[m][v] = test_random_between(random, -1, 1);
        maker->to[m][v] = maker->from[m][v] + test_random_between(random, -0.7, 0.7);
        for (int k = 0; k < 4; k++) maker->cubic[m][v][k] = maker->from[m][v] + test_random_between(random, -0.5, 0.5);
    }
    maker->motions[m] = test_screw(maker->from[m], maker->to[m], maker->screws[m]);
    if (turned) maker->motions[m].turns = (const double(*)[3])maker->turns[m];
    if (cubic) maker->motions[m].cubic = (const double(*)[4])maker->cubic[m];
    CHECK(graze_model_create(maker->context, list, count, &maker->models[m]) == GRAZE_OK);
    *links += count;
}

/* Three models of links on joints of any kinds, some padded, some pairs left out. */
static inline void maker_make(path_scene_maker *maker, graze_context *context, test_random *random) {
    *maker = (path_scene_maker){.context = context, .options = graze_default_articulated_options()};
    size_t links = 0;
    for (int m = 0; m < SCENE_MODELS; m++) maker_model(maker, random, m, &links);
    for (size_t a = 0; a < links; a++)
        for (size_t b = a; b < links; b++)
            maker->mask[a * links + b] = maker->mask[b * links + a] = test_random_below(random, 8) > 0;
    maker->options.link_pairs = maker->mask;
    if (test_random_below(random, 3) == 0) maker->options.min_separation = test_random_between(random, 0, 0.03);
    if (test_random_below(random, 4) == 0) maker->options.t_max = test_random_between(random, 0.1, 1);
}

/* True if all of it is clear; then `file` is its certificate. */
static inline bool maker_certify(path_scene_maker *maker, path_file *file, graze_articulated_result *result) {
    *file = (path_file){0};
    *result = graze_default_articulated_result();
    CHECK(graze_articulated_certificate(maker->context, (const graze_model *const *)maker->models, SCENE_MODELS,
                                        maker->motions, 1, &maker->options, path_file_write, file, result) == GRAZE_OK);
    return result->verdict == GRAZE_CLEAR;
}

#endif
