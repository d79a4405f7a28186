/* "skip", and the pairs of SRDF files. */
#include "robot/memory.h"
#include "robot/model_reader.h"

#include <stdlib.h>
#include <string.h>

static bool add_skip(robot_reader *r, robot_skip skip) {
    robot_models *models = r->models;
    robot_skip *larger = robot_grown(models->skips, &models->skip_room, models->skip_count, sizeof *larger);
    if (!larger) return robot_out_of_memory(r);
    models->skips = larger;
    larger[models->skip_count++] = skip;
    return true;
}

static void take_model(const robot_models *models, size_t model, robot_skip *skip, int side) {
    skip->first[side] = (uint32_t)models->first_link[model];
    skip->count[side] = (uint32_t)models->trees[model].count;
}

static void take_link(const robot_models *models, size_t model, int32_t link, robot_skip *skip, int side) {
    skip->first[side] = (uint32_t)(models->first_link[model] + models->trees[model].links[link].place);
    skip->count[side] = 1;
}

/* "model/link", or "model" for all of its links; either name may hold a slash. */
static bool find_links(const robot_reader *r, const char *name, robot_skip *skip, int side) {
    int64_t model = robot_name_find(&r->names, name);
    if (model >= 0) {
        take_model(r->models, (size_t)model, skip, side);
        return true;
    }
    for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        model = robot_name_find_part(&r->names, name, (size_t)(slash - name));
        int32_t link = model < 0 ? -1 : robot_find_link(&r->models->trees[model], slash + 1);
        if (link < 0) continue;
        take_link(r->models, (size_t)model, link, skip, side);
        return true;
    }
    return false;
}

static bool read_skip(robot_reader *r, const io_json *pair) {
    robot_skip skip = {0};
    if (pair->kind != IO_JSON_LIST || pair->count != 2) return io_json_fail(&r->json, pair, "must be a pair of links");
    for (int i = 0; i < 2; i++) {
        const char *name;
        if (!io_json_text(&r->json, &pair->items[i], &name)) return false;
        if (!find_links(r, name, &skip, i)) return io_json_fail(&r->json, &pair->items[i], "no link '%.100s'", name);
    }
    return add_skip(r, skip);
}

static bool skip_pairs(robot_reader *r, size_t model, const robot_pairs *pairs) {
    for (size_t i = 0; i < pairs->count; i++) {
        robot_skip skip;
        for (int side = 0; side < 2; side++) take_link(r->models, model, (int32_t)pairs->pairs[i][side], &skip, side);
        if (!add_skip(r, skip)) return false;
    }
    return true;
}

static bool read_srdf(robot_reader *r, size_t model, const io_json *srdf) {
    const char *text;
    if (!srdf) return true;
    if (!io_json_text(&r->json, srdf, &text)) return false;
    char *path = robot_path_beside(r->json.name, text);
    robot_pairs pairs = {0};
    bool good = path ? robot_read_srdf(&r->models->trees[model], path, &pairs) : robot_out_of_memory(r);
    good = good && skip_pairs(r, model, &pairs);
    free(pairs.pairs);
    free(path);
    return good;
}

/* ---- parts of links ---- */

static uint32_t number_of(const robot_models *models, size_t model, size_t link) {
    return (uint32_t)(models->first_link[model] + models->trees[model].links[link].place);
}

static int32_t owner_of(const robot_tree *tree, size_t link) {
    return tree->links[link].owner >= 0 ? tree->links[link].owner : (int32_t)link;
}

/* A part is not tested where the link that it is of is not: what a joint itself connects. */
static bool skip_joined(robot_reader *r, size_t model, size_t part) {
    const robot_tree *tree = &r->models->trees[model];
    int32_t own = tree->links[part].owner;
    for (size_t i = 0; i < tree->count; i++) {
        int32_t other = owner_of(tree, i);
        if (tree->links[own].parent != other && tree->links[other].parent != own) continue;
        robot_skip skip = {{number_of(r->models, model, part), number_of(r->models, model, i)}, {1, 1}};
        if (!add_skip(r, skip)) return false;
    }
    return true;
}

/* Skips of a link apply to its parts. */
static bool skip_part(robot_reader *r, uint32_t part, uint32_t owner) {
    for (size_t i = 0, count = r->models->skip_count; i < count; i++)
        for (int side = 0; side < 2; side++) {
            robot_skip skip = r->models->skips[i];
            if (owner - skip.first[side] >= skip.count[side]) continue;
            skip.first[side] = part;
            skip.count[side] = 1;
            if (!add_skip(r, skip)) return false;
        }
    return true;
}

static bool skip_parts(robot_reader *r) {
    for (size_t m = 0; m < r->models->count; m++) {
        const robot_tree *tree = &r->models->trees[m];
        for (size_t i = 0; i < tree->count; i++) {
            int32_t owner = tree->links[i].owner;
            if (owner < 0) continue;
            if (!skip_part(r, number_of(r->models, m, i), number_of(r->models, m, (size_t)owner)) ||
                !skip_joined(r, m, i))
                return false;
        }
    }
    return true;
}

bool robot_read_skips(robot_reader *r) {
    const io_json *list = io_json_get(r->json.root, "skip"), *models = io_json_get(r->json.root, "models");
    if (list && list->kind != IO_JSON_LIST) return io_json_fail(&r->json, list, "must be a list of pairs of links");
    for (size_t i = 0; list && i < list->count; i++)
        if (!read_skip(r, &list->items[i])) return false;
    for (size_t i = 0; i < models->count; i++)
        if (!read_srdf(r, i, io_json_get(&models->items[i], "srdf"))) return false;
    return skip_parts(r);
}
