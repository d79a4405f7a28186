/* The volume that a link sweeps: the door. Space is cut into blocks, which threads take. */
#include "graze/swept.h"

#include "articulated/cull.h"
#include "articulated/door.h"
#include "articulated/swept/octree.h"

#include "base/sizes.h"

#include <math.h>
#include <string.h>

#define DEFAULT_CELLS 4000000
#define WINDOW_SHARE 1.0  /* of a smallest cell: how far points of the link go in a window, about */
#define MOST_WINDOWS 4096 /* of a segment */

enum { BLOCK_LEVELS = 3, MOST_LEVELS = 30 };

static const graze_swept_options option_defaults = {.size = 0};
static const graze_swept_result closed = {.cell_size = sizeof(graze_swept_cell)};

#define OPTIONS_LEAST GZ_SIZE_UP_TO(graze_swept_options, max_cells)
#define RESULT_LEAST GZ_SIZE_UP_TO(graze_swept_result, whole)

void graze_init_swept_options(graze_swept_options *options, size_t size) {
    gz_sized_init(options, size, &option_defaults, sizeof option_defaults);
}

void graze_init_swept_result(graze_swept_result *result, size_t size) {
    gz_sized_init(result, size, &closed, sizeof closed);
}

typedef struct job {
    graze_context *context;
    const graze_model *model;
    uint32_t link;
    const graze_motion *motions;
    size_t segments;
    graze_swept_options options;
    gz_scene scene;
    gz_frames frames;
    gz_link_box box; /* of all that is swept */
    gz_sweep sweep;
    size_t window_room;
    double side; /* of the smallest cells */
    gz_cube root;
    int levels;
    gz_octree *blocks;
    size_t block_count;
} job;

/* ---- windows ---- */

static int windows_of(const job *j) {
    double most = 0;
    for (int c = 0; c < 3; c++) {
        double n[3] = {c == 0, c == 1, c == 2};
        most = fmax(most, gz_scene_motion_bound(&j->scene, j->link, -1, n));
    }
    double wanted = ceil(most / (WINDOW_SHARE * j->side));
    return wanted > MOST_WINDOWS ? MOST_WINDOWS : wanted > 1 ? (int)wanted : 1;
}

static double time_of(int k, int count) { return k == count ? 1 : (double)k / count; }

static graze_status begin(job *j, size_t segment) {
    graze_status status = gz_scene_move(&j->scene, gz_motions_from(j->motions, segment));
    gz_frames_forget(&j->frames);
    return status;
}

static void join(gz_link_box *box, const gz_link_box *other) {
    for (int c = 0; c < 3; c++) {
        box->lo[c] = fmin(box->lo[c], other->lo[c]);
        box->hi[c] = fmax(box->hi[c], other->hi[c]);
    }
}

/* Once for the box of all, then, when the cubes are known, for the windows themselves. */
static graze_status find_box(job *j) {
    graze_status status = GRAZE_OK;
    j->box = (gz_link_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, false};
    for (size_t s = 0; s < j->segments && status == GRAZE_OK; s++) {
        status = begin(j, s);
        int count = status == GRAZE_OK ? windows_of(j) : 0;
        for (int k = 0; k < count; k++) {
            gz_frames_window(&j->frames, time_of(k, count), time_of(k + 1, count));
            gz_link_box box = gz_cull_box(&j->frames, j->link, 0);
            join(&j->box, &box);
        }
    }
    return status;
}

static gz_sweep_window *next_window(job *j) {
    if (!gz_grow(j->context, (void **)&j->sweep.windows, &j->window_room, j->sweep.count + 1, sizeof *j->sweep.windows))
        return NULL;
    return &j->sweep.windows[j->sweep.count++];
}

static graze_status make_windows(job *j) {
    graze_status status = GRAZE_OK;
    for (size_t s = 0; s < j->segments && status == GRAZE_OK; s++) {
        status = begin(j, s);
        int count = status == GRAZE_OK ? windows_of(j) : 0;
        gz_sweep_window *window = status == GRAZE_OK ? next_window(j) : NULL;
        if (window) gz_sweep_set_start(&j->sweep, window, &j->frames, j->link);
        for (int k = 0; k < count && window; k++) {
            window = next_window(j);
            if (window) gz_sweep_set(&j->sweep, window, &j->frames, j->link, time_of(k, count), time_of(k + 1, count));
        }
        if (status == GRAZE_OK && !window) status = GRAZE_ERR_OUT_OF_MEMORY;
    }
    return status;
}

/* ---- the root ---- */

/* The least cube of 2^levels cells a side, on the grid of cells, that holds the box. Its numbers are exact: multiples
   of half a cell below 2^53 of them. */
static graze_status place_root(job *j) {
    double low[3], most = 0;
    for (int c = 0; c < 3; c++) {
        low[c] = floor(j->box.lo[c] / j->side) - 1;
        double cells = ceil(j->box.hi[c] / j->side) + 1 - low[c];
        most = fmax(most, cells);
        if (!(fabs(low[c]) < 0x1p48)) most = INFINITY;
    }
    j->levels = 0;
    while (j->levels <= MOST_LEVELS && ldexp(1, j->levels) < most) j->levels++;
    if (j->levels > MOST_LEVELS)
        return gz_fail(j->context, GRAZE_ERR_OUT_OF_RANGE, UINT64_MAX, "cells of that size would take over 30 levels");
    j->root.half = ldexp(0.5 * j->side, j->levels);
    for (int c = 0; c < 3; c++) {
        j->root.center[c] = low[c] * j->side + j->root.half;
        j->sweep.reach[c] = fabs(j->root.center[c]) + j->root.half;
    }
    return GRAZE_OK;
}

/* ---- blocks ---- */

static gz_cube block_at(const job *j, size_t index, int levels) {
    gz_cube cube = j->root;
    for (int level = levels; level-- > 0;) {
        size_t k = index >> (3 * level) & 7;
        cube.half *= 0.5;
        for (int c = 0; c < 3; c++) cube.center[c] += k >> c & 1 ? cube.half : -cube.half;
    }
    return cube;
}

static void fill_blocks(void *state, size_t begin, size_t end, uint32_t worker) {
    job *j = state;
    (void)worker;
    int levels = j->levels < BLOCK_LEVELS ? j->levels : BLOCK_LEVELS;
    for (size_t i = begin; i < end; i++) {
        gz_cube cube = block_at(j, i, levels);
        gz_octree *tree = &j->blocks[i];
        if (!gz_octree_fill(tree, &cube)) tree->count = SIZE_MAX;
        gz_release(j->context, tree->items, tree->item_room * sizeof *tree->items);
        tree->items = NULL;
    }
}

static graze_status fill_all(job *j) {
    int levels = j->levels < BLOCK_LEVELS ? j->levels : BLOCK_LEVELS;
    size_t count = (size_t)1 << (3 * levels);
    j->blocks = gz_allocate_array(j->context, count, sizeof *j->blocks);
    if (!j->blocks) return GRAZE_ERR_OUT_OF_MEMORY;
    j->block_count = count;
    for (size_t i = 0; i < count; i++) {
        j->blocks[i] = (gz_octree){.context = j->context, .sweep = &j->sweep, .least = 0.5 * j->side, .whole = true};
        j->blocks[i].most = (size_t)(j->options.max_cells / count) * 8 + 8; /* few blocks are full */
    }
    gz_parallel(j->context, count, 1, fill_blocks, j);
    for (size_t i = 0; i < count; i++)
        if (j->blocks[i].count == SIZE_MAX) return GRAZE_ERR_OUT_OF_MEMORY;
    return GRAZE_OK;
}

/* ---- the answer ---- */

static graze_status write_cells(const job *j, graze_swept_result *result) {
    size_t count = 0, next = 0;
    result->whole = 1;
    for (size_t i = 0; i < j->block_count; i++) count += j->blocks[i].count;
    result->cells = gz_allocate_array(j->context, count, sizeof *result->cells);
    if (!result->cells) return GRAZE_ERR_OUT_OF_MEMORY;
    result->cell_count = count;
    for (size_t i = 0; i < j->block_count; i++) {
        const gz_octree *tree = &j->blocks[i];
        if (!tree->whole) result->whole = 0;
        if (tree->count) memcpy(result->cells + next, tree->cells, tree->count * sizeof *tree->cells);
        next += tree->count;
    }
    for (size_t i = 0; i < count; i++) result->counts[result->cells[i].state]++;
    memcpy(result->root_center, j->root.center, sizeof result->root_center);
    result->root_half = j->root.half;
    return GRAZE_OK;
}

void graze_swept_release(graze_context *context, graze_swept_result *result) {
    if (!result || result->struct_size < RESULT_LEAST) return;
    gz_release(context, result->cells, result->cell_count * sizeof *result->cells);
    result->cells = NULL;
    result->cell_count = 0;
}

/* ---- the call ---- */

static graze_status check(job *j, const graze_swept_options *given, gz_pieces written) {
    graze_articulated_options none;
    j->options = option_defaults;
    if (!given) return gz_fail(j->context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "no size of cells");
    graze_status status =
        gz_sized_read(j->context, "swept options", &j->options, sizeof j->options, OPTIONS_LEAST, given);
    if (status != GRAZE_OK) return status;
    if (!(j->options.size > 0x1p-900) || !(j->options.size <= GRAZE_MAX_COORDINATE))
        return gz_fail(j->context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "the size of cells is not above 0, or huge");
    if (!j->model || j->segments == 0)
        return gz_fail(j->context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "no model, or no segments");
    if (j->link >= j->model->count || !j->model->links[j->link].tree.nodes)
        return gz_fail(j->context, GRAZE_ERR_INVALID_ARGUMENT, j->link, "the model has no link %u with triangles",
                       j->link);
    if (j->options.max_cells == 0) j->options.max_cells = DEFAULT_CELLS;
    return gz_motions_check(j->context, &j->model, 1, j->motions, j->segments, written, NULL, &none);
}

static graze_status run(job *j, graze_swept_result *result) {
    int exponent;
    frexp(j->options.size, &exponent);
    j->side = ldexp(1, exponent - 1);
    j->sweep.link = &j->model->links[j->link];
    gz_link_extent(j->sweep.link, j->sweep.extent);
    graze_status status = gz_scene_open(&j->scene, j->context, &j->model, 1);
    if (status == GRAZE_OK) status = gz_frames_open(&j->frames, &j->scene);
    if (status == GRAZE_OK) status = find_box(j);
    if (status == GRAZE_OK) status = place_root(j);
    if (status == GRAZE_OK) status = make_windows(j);
    if (status == GRAZE_OK) status = fill_all(j);
    return status == GRAZE_OK ? write_cells(j, result) : status;
}

static void close_job(job *j) {
    for (size_t i = 0; i < j->block_count; i++) gz_octree_close(&j->blocks[i]);
    gz_release(j->context, j->blocks, j->block_count * sizeof *j->blocks);
    gz_release(j->context, j->sweep.windows, j->window_room * sizeof *j->sweep.windows);
    gz_frames_close(&j->frames);
    gz_scene_close(&j->scene);
}

graze_status graze_model_swept(graze_context *context, const graze_model *model, uint32_t link,
                               const graze_motion *motions, size_t segments, const graze_swept_options *options,
                               graze_swept_result *result) {
    if (!result || gz_sized_check(NULL, "swept result", result, RESULT_LEAST) != GRAZE_OK)
        return GRAZE_ERR_INVALID_ARGUMENT;
    gz_sized_write(result, &closed, sizeof closed);
    if (!context) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    job j = {.context = context, .model = model, .link = link, .motions = motions, .segments = segments};
    j.scene.context = context;
    graze_swept_result found = graze_default_swept_result();
    status = check(&j, options, gz_bytes_at(result, result->struct_size));
    if (status == GRAZE_OK) status = run(&j, &found);
    close_job(&j);
    if (status == GRAZE_OK) gz_sized_write(result, &found, sizeof found);
    return gz_context_leave(context, &env, status);
}
