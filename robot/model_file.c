#include "robot/model_reader.h"

#include "io/file.h"
#include "robot/limits.h"
#include "robot/memory.h"

#include <stdlib.h>
#include <string.h>

#define MOST_LINKS_OF_A_TABLE ((size_t)1 << 15)

bool robot_out_of_memory(const robot_reader *reader) {
    return io_fail(reader->json.error, reader->json.name, 0, "out of memory");
}

bool robot_alone(const robot_reader *reader, const io_json *object, const char *one, const char *others) {
    if (!io_json_get(object, one)) return true;
    for (const char *at = others; *at;) {
        char other[32];
        size_t length = strcspn(at, " ");
        snprintf(other, sizeof other, "%.*s", (int)length, at);
        if (io_json_get(object, other))
            return io_json_fail(&reader->json, io_json_get(object, other),
                                "stands beside \"%s\": one of them, not both", one);
        at += length + strspn(at + length, " ");
    }
    return true;
}

static bool read_length(const robot_reader *reader, const char *key, double *x) {
    const io_json *value = io_json_get(reader->json.root, key);
    if (!value) return true;
    return io_json_number(&reader->json, value, x) && (*x >= 0 || io_json_fail(&reader->json, value, "is negative"));
}

static bool read_all(robot_reader *reader) {
    robot_models *models = reader->models;
    return io_json_keys(&reader->json, reader->json.root, "models motion skip separation tolerance limits") &&
           robot_read_trees(reader) && robot_read_motions(reader) && robot_read_skips(reader) &&
           robot_take_limits(&reader->json, io_json_get(reader->json.root, "limits"), models) &&
           read_length(reader, "separation", &models->separation) &&
           read_length(reader, "tolerance", &models->tolerance);
}

bool robot_parse_models(io_source source, robot_models *models, io_error *error) {
    *models = (robot_models){.path = source.name, .error = error};
    robot_reader reader = {.models = models};
    if (!io_json_parse(source, &reader.json, error)) return false;
    bool good = read_all(&reader);
    robot_names_free(&reader.names);
    io_json_free(&reader.json);
    if (!good) robot_free_models(models);
    return good;
}

bool robot_read_models(const char *path, robot_models *models, io_error *error) {
    char *bytes;
    size_t size;
    *models = (robot_models){0};
    if (!io_read_file(path, &bytes, &size, error)) return false;
    bool good = robot_parse_models((io_source){path, bytes, size}, models, error);
    free(bytes);
    return good;
}

void robot_free_models(robot_models *models) {
    for (size_t i = 0; i < models->count; i++) {
        robot_free_tree(&models->trees[i]);
        if (!models->motions) continue;
        free(models->motions[i].poses);
        free(models->motions[i].turns);
        free(models->motions[i].cubic);
        free(models->motions[i].screws);
        free(models->motions[i].rotvecs);
    }
    free(models->trees);
    free(models->motions);
    free(models->first_link);
    free(models->skips);
    *models = (robot_models){0};
}

graze_motion robot_segment(const robot_models *models, size_t model, size_t segment) {
    const robot_motion *motion = &models->motions[model];
    size_t values = models->trees[model].values, last = motion->pose_count - 1;
    size_t from = segment < last ? segment : last, to = segment + 1 < last ? segment + 1 : last;
    graze_motion made = graze_default_motion();
    made.from = motion->poses + from * values;
    made.to = motion->poses + to * values;
    made.turns = (const double(*)[3])motion->turns;
    made.cubic = (const double(*)[4])motion->cubic;
    made.screws = motion->screws;
    made.rotvecs = motion->rotvecs;
    return made;
}

/* ---- the table of pairs ---- */

static int by_place(const void *a, const void *b) { return memcmp(a, b, sizeof(robot_skip)); }

static void clear(uint8_t *table, size_t links, const robot_skip *skip) {
    for (size_t side = 0; side < 2; side++)
        for (uint32_t i = 0; i < skip->count[side]; i++)
            memset(table + (skip->first[side] + i) * links + skip->first[1 - side], 0, skip->count[1 - side]);
}

bool robot_link_table(const robot_models *models, uint8_t **table) {
    size_t links = models->first_link[models->count];
    *table = NULL;
    if (models->skip_count == 0) return true;
    if (links > MOST_LINKS_OF_A_TABLE)
        return io_fail(models->error, models->path, 0, "pairs to skip among %zu links: at most %zu links have any",
                       links, MOST_LINKS_OF_A_TABLE);
    *table = malloc(links * links);
    if (!*table) return io_fail(models->error, models->path, 0, "out of memory");
    memset(*table, 1, links * links);
    qsort(models->skips, models->skip_count, sizeof *models->skips,
          by_place); /* a row that is there twice is cleared once */
    for (size_t i = 0; i < models->skip_count; i++)
        if (i == 0 || by_place(&models->skips[i - 1], &models->skips[i]) != 0) clear(*table, links, &models->skips[i]);
    return true;
}
