#include "cli/robots/range_map.h"

#include "app/folders.h"
#include "app/outputs.h"
#include "bench/report/report.h"
#include "cli/robots/range.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 1024, LARGE_CUTS = 16, SMALL_CUTS = 64, SMALL_SAMPLES = 8 };

typedef enum cell_state { FREE, TOUCHING, UNDECIDED } cell_state;
static const char *const state_names[] = {"free", "touching", "undecided"};
static const char *const state_colors[] = {"#d7ecd9", "#c0392b", "#f1c40f"};

/* Columns and rows of the smallest cells. */
typedef struct map_cell {
    uint32_t x, y, side;
    cell_state state;
} map_cell;

typedef struct range_map {
    graze_context *context;
    const cli_map_ask *ask;
    const graze_model **models;
    const size_t *first_link;  /* of each model */
    size_t model_count, links; /* of all models */
    graze_joint_range *ranges;
    size_t values[2];     /* of the two joints */
    const char *names[2]; /* as they were asked for */
    double ends[2][2];    /* of their ranges */
    bool turns[2];
    uint32_t side;
    map_cell *cells;
    size_t count, room;
} range_map;

/* ---- the two joints ---- */

static const robot_link *joint_of(const robot_tree *tree, const char *name) {
    size_t model = strlen(tree->name);
    bool full = strncmp(tree->name, name, model) == 0 && name[model] == '/';
    int32_t found = robot_find_joint(tree, name);
    if (found < 0 && full) found = robot_find_joint(tree, name + model + 1);
    return found < 0 ? NULL : &tree->links[found];
}

static void choose_joint(const cli_model_file *file, const char *name, range_map *map, int axis) {
    size_t first = 0, found = 0;
    for (size_t m = 0; m < file->read.count; first += file->read.trees[m++].values) {
        const robot_link *link = joint_of(&file->read.trees[m], name);
        if (!link) continue;
        if (robot_joint_values(link->kind) != 1 || link->mimic >= 0)
            app_fail("articulate: --joints: joint '%s' does not take exactly one value of its own", name);
        if (found++) app_fail("articulate: --joints: several joints are called '%s': say MODEL/JOINT", name);
        map->values[axis] = first + link->first_value;
        map->turns[axis] = link->kind == GRAZE_JOINT_REVOLUTE;
    }
    if (!found) app_fail("articulate: --joints: no joint '%s'", name);
    map->names[axis] = name;
}

static void choose_joints(const cli_model_file *file, range_map *map) {
    char *first = app_text("%s", map->ask->joints), *comma = strchr(first, ',');
    if (!comma || comma == first || !comma[1] || strchr(comma + 1, ','))
        app_fail("articulate: --joints must name two joints: --joints A,B");
    *comma = 0;
    choose_joint(file, first, map, 0);
    choose_joint(file, comma + 1, map, 1);
    if (map->values[0] == map->values[1]) app_fail("articulate: --joints must name two different joints");
}

static void set_ranges(const cli_model_file *file, range_map *map) {
    map->ranges = cli_ranges_of(file, map->values);
    for (int axis = 0; axis < 2; axis++) {
        map->ends[axis][0] = map->ranges[map->values[axis]].lower;
        map->ends[axis][1] = map->ranges[map->values[axis]].upper;
        if (!(map->ends[axis][0] < map->ends[axis][1]))
            app_fail("articulate: --joints: joint '%s' has no range", map->names[axis]);
    }
}

/* ---- cells ---- */

/* Where a column or row begins: cells beside each other share it to the bit. */
static double line_at(const range_map *map, int axis, uint32_t k) {
    double from = map->ends[axis][0], to = map->ends[axis][1];
    return k == map->side ? to : fmin(to, from + (double)k / map->side * (to - from));
}

static void strike(const range_map *map, const graze_range_pair *pair, uint8_t *pairs) {
    size_t a = map->first_link[pair->model_a] + pair->link_a, b = map->first_link[pair->model_b] + pair->link_b;
    pairs[a * map->links + b] = pairs[b * map->links + a] = 0;
}

/* Pairs that are clear in all of the cell are struck off `pairs`, a table of the caller's. */
static cell_state look(range_map *map, map_cell cell, uint8_t *pairs) {
    const uint32_t from[2] = {cell.x, cell.y};
    graze_range_options options = graze_default_range_options();
    graze_range_result r = graze_default_range_result();
    for (int axis = 0; axis < 2; axis++) {
        map->ranges[map->values[axis]].lower = line_at(map, axis, from[axis]);
        map->ranges[map->values[axis]].upper = line_at(map, axis, from[axis] + cell.side);
    }
    options.min_separation = map->ask->separation;
    options.link_pairs = pairs;
    options.samples = cell.side > 1 ? 0 : SMALL_SAMPLES;
    options.max_cells = cell.side > 1 ? LARGE_CUTS : map->ask->max_cells ? map->ask->max_cells : SMALL_CUTS;
    graze_status status =
        graze_articulated_range(map->context, map->models, map->model_count, map->ranges, &options, &r);
    if (status != GRAZE_OK) app_fail_status(status, map->context, "--map");
    cell_state state = FREE;
    for (size_t i = 0; i < r.pair_count; i++) {
        const graze_range_pair *pair = &r.pairs[i];
        if (pair->verdict == GRAZE_HIT) state = TOUCHING;
        if (pair->verdict == GRAZE_UNRESOLVED && state == FREE) state = UNDECIDED;
        if (pair->verdict == GRAZE_CLEAR) strike(map, pair, pairs);
    }
    graze_range_release(map->context, &r);
    return state;
}

static void keep(range_map *map, map_cell cell) {
    if (map->count == map->room) {
        map->room = 2 * map->room + 64;
        map->cells = realloc(map->cells, map->room * sizeof *map->cells);
        if (!map->cells) app_fail("out of memory");
    }
    map->cells[map->count++] = cell;
}

static void fill(range_map *map, map_cell cell, const uint8_t *above) {
    uint8_t *pairs = app_allocate(map->links, map->links);
    memcpy(pairs, above, map->links * map->links);
    cell.state = look(map, cell, pairs);
    uint32_t half = cell.side / 2;
    if (cell.state == FREE || half == 0)
        keep(map, cell);
    else
        for (uint32_t k = 0; k < 4; k++)
            fill(map, (map_cell){cell.x + k % 2 * half, cell.y + k / 2 * half, half, UNDECIDED}, pairs);
    free(pairs);
}

/* ---- the picture ---- */

enum { LEFT = 70, TOP = 20, PLOT = 512, WIDTH = LEFT + PLOT + 30, HEIGHT = TOP + PLOT + 90 };

static double share_of(const range_map *map, cell_state state) {
    double sum = 0;
    for (size_t i = 0; i < map->count; i++)
        if (map->cells[i].state == state) sum += (double)map->cells[i].side * map->cells[i].side;
    return sum / ((double)map->side * map->side);
}

static void put_text(FILE *out, double x, double y, const char *more, const char *text) {
    fprintf(out, "<text x=\"%g\" y=\"%g\"%s>", x, y, more);
    bench_write_escaped(text, out);
    fputs("</text>\n", out);
}

static void put_axes(FILE *out, const range_map *map) {
    char *text[2][3];
    for (int axis = 0; axis < 2; axis++) {
        for (int end = 0; end < 2; end++) text[axis][end] = app_text("%.4g", map->ends[axis][end]);
        text[axis][2] = app_text("%s%s", map->names[axis], map->turns[axis] ? ", rad" : "");
    }
    put_text(out, LEFT, TOP + PLOT + 18, "", text[0][0]);
    put_text(out, LEFT + PLOT, TOP + PLOT + 18, " text-anchor=\"end\"", text[0][1]);
    put_text(out, LEFT + PLOT / 2, TOP + PLOT + 18, " text-anchor=\"middle\"", text[0][2]);
    put_text(out, LEFT - 6, TOP + PLOT, " text-anchor=\"end\"", text[1][0]);
    put_text(out, LEFT - 6, TOP + 12, " text-anchor=\"end\"", text[1][1]);
    fprintf(out, "<g transform=\"translate(%d,%d) rotate(-90)\">", LEFT - 14, TOP + PLOT / 2);
    put_text(out, 0, 0, " text-anchor=\"middle\"", text[1][2]);
    fputs("</g>\n", out);
    for (int axis = 0; axis < 2; axis++)
        for (int k = 0; k < 3; k++) free(text[axis][k]);
}

static void put_legend(FILE *out, const range_map *map) {
    static const char *const meanings[] = {"free for all values, proven", "some values touch, proven", "not decided"};
    for (int s = 0; s < 3; s++) {
        char *text = app_text("%s: %.4g %%", meanings[s], 100 * share_of(map, (cell_state)s));
        double y = TOP + PLOT + 38 + 18 * s;
        fprintf(out, "<rect x=\"%d\" y=\"%g\" width=\"12\" height=\"12\" fill=\"%s\"/>", LEFT, y - 10, state_colors[s]);
        put_text(out, LEFT + 18, y, "", text);
        free(text);
    }
}

static void put_picture(FILE *out, const range_map *map) {
    double scale = (double)PLOT / map->side;
    fprintf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"13\" "
        "shape-rendering=\"crispEdges\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n",
        WIDTH, HEIGHT, LEFT, TOP, PLOT, PLOT, state_colors[FREE]);
    for (size_t i = 0; i < map->count; i++) {
        const map_cell *cell = &map->cells[i];
        if (cell->state == FREE) continue;
        fprintf(out, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"%s\"/>\n", LEFT + scale * cell->x,
                TOP + PLOT - scale * (cell->y + cell->side), scale * cell->side, scale * cell->side,
                state_colors[cell->state]);
    }
    fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#555\"/>\n", LEFT, TOP,
            PLOT, PLOT);
    put_axes(out, map);
    put_legend(out, map);
    fputs("</svg>\n", out);
}

/* ---- what is told ---- */

static cJSON *pair_json(double a, double b) {
    cJSON *list = cJSON_CreateArray();
    cJSON_AddItemToArray(list, app_json_double(a));
    cJSON_AddItemToArray(list, app_json_double(b));
    return list;
}

static void print_json(const range_map *map, double ms) {
    cJSON *object = cJSON_CreateObject(), *joints = cJSON_AddArrayToObject(object, "joints");
    for (int axis = 0; axis < 2; axis++) cJSON_AddItemToArray(joints, app_json_text(map->names[axis]));
    for (int s = 0; s < 3; s++)
        cJSON_AddItemToObject(object, state_names[s], app_json_double(share_of(map, (cell_state)s)));
    cJSON *cells = cJSON_AddArrayToObject(object, "cells");
    for (size_t i = 0; i < map->count; i++) {
        const map_cell *at = &map->cells[i];
        cJSON *cell = cJSON_CreateObject();
        cJSON_AddItemToObject(cell, "x", pair_json(line_at(map, 0, at->x), line_at(map, 0, at->x + at->side)));
        cJSON_AddItemToObject(cell, "y", pair_json(line_at(map, 1, at->y), line_at(map, 1, at->y + at->side)));
        cJSON_AddStringToObject(cell, "state", state_names[at->state]);
        cJSON_AddItemToArray(cells, cell);
    }
    if (!map->ask->no_times) cJSON_AddItemToObject(object, "time_ms", app_json_double(ms));
    app_print_json(object);
}

static void print_text(const range_map *map, double ms) {
    for (int s = 0; s < 3; s++) printf("%-10s %.4g %%\n", state_names[s], 100 * share_of(map, (cell_state)s));
    if (map->ask->no_times)
        printf("%-10s %zu\n", "cells", map->count);
    else
        printf("%-10s %zu, %.3f ms\n", "cells", map->count, ms);
}

void cli_draw_range_map(graze_context *context, const cli_model_file *file, const cli_map_ask *ask) {
    range_map map = {.context = context, .ask = ask, .models = cli_models_of(file), .model_count = file->read.count};
    if (ask->cells < 1 || ask->cells > MOST_CELLS) app_fail("articulate: --cells must be from 1 to %d", MOST_CELLS);
    for (map.side = 1; map.side < ask->cells;) map.side *= 2;
    choose_joints(file, &map);
    set_ranges(file, &map);
    map.first_link = file->read.first_link;
    map.links = file->read.first_link[file->read.count];
    io_output out = {0};
    app_open_output("--map", ask->path, ask->json, &out); /* told before long work */
    uint8_t *pairs = app_allocate(map.links, map.links);
    if (file->link_pairs)
        memcpy(pairs, file->link_pairs, map.links * map.links);
    else
        memset(pairs, 1, map.links * map.links);
    double start = app_seconds();
    fill(&map, (map_cell){0, 0, map.side, UNDECIDED}, pairs);
    double ms = 1e3 * (app_seconds() - start);
    put_picture(out.stream, &map);
    app_close_output(&out);
    (ask->json ? print_json : print_text)(&map, ms);
    free(pairs);
    free(map.cells);
    free(map.ranges);
    free(map.models);
}
