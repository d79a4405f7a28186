#include "mpi/deal/homes.h"

#include "base/merge_sort.h"
#include "mpi/deal/hilbert_place.h"
#include "mpi/deal/worked.h"

#include <math.h>
#include <string.h>

#define CELLS 2097151.0 /* on an axis */
#define SAMPLES 65536u
#define SAMPLES_MOST 2048u
#define SAMPLES_LEAST 32u

static int compare(const void *a, const void *b) {
    uint64_t x = ((const gz_place_weight *)a)->place, y = ((const gz_place_weight *)b)->place;
    return (x > y) - (x < y);
}

void gz_homes_frame(const gz_summary *all, uint32_t count, gz_homes *homes) {
    double widest = 0;
    for (int c = 0; c < 3; c++) {
        double lo = INFINITY, hi = -INFINITY;
        for (uint32_t i = 0; i < count; i++) {
            lo = fmin(lo, all[i].lo[c]);
            hi = fmax(hi, all[i].hi[c]);
        }
        homes->origin[c] = lo <= hi ? lo : 0;
        widest = fmax(widest, lo <= hi ? hi - lo : 0);
    }
    homes->scale = widest > 0 ? CELLS / widest : 0;
}

static const double *position(const gz_brought *brought, size_t i) {
    return (const double *)(const void *)(brought->x0 + i * brought->stride);
}

/* Of many ranks fewer each: all of them together are sorted by everyone. */
static uint32_t samples_of_each(uint32_t ranks) {
    uint32_t each = SAMPLES / ranks;
    return each < SAMPLES_LEAST ? SAMPLES_LEAST : each > SAMPLES_MOST ? SAMPLES_MOST : each;
}

#define GOLDEN 0.6180339887498949

/* From every part of the vertices one, but not from the same place of each: a mesh has rows, and those would be the
   vertices of few columns. */
static size_t sample_place(size_t count, uint32_t k, uint32_t each) {
    double turn = k * GOLDEN;
    size_t at = (size_t)((double)count * (k + (turn - floor(turn))) / each);
    return at < count ? at : count - 1;
}

static void take_samples(const gz_brought *brought, const gz_homes *homes, gz_place_weight *mine, uint32_t each) {
    size_t count = brought->part.vertex_count;
    for (uint32_t k = 0; k < each; k++) {
        mine[k] = (gz_place_weight){UINT64_MAX, 0};
        if (!count) continue;
        const double *x = position(brought, sample_place(count, k, each));
        mine[k].place = gz_fine_hilbert_place(x, homes->origin, homes->scale);
        mine[k].weight = (double)count / each;
    }
}

/* Bodies that move a little keep the frame, and with it the places that work is known of. */
#define FRAME_MARGIN 0.125 /* of the frame's width that they may leave it by */

static bool fits(const gz_homes *frame, const gz_summary *all) {
    double width = frame->scale > 0 ? CELLS / frame->scale : 0, widest = 0, margin = FRAME_MARGIN * width;
    for (int c = 0; c < 3; c++)
        for (uint32_t r = 0; r < frame->ranks; r++) {
            double lo = all[r].lo[c] - frame->origin[c], hi = all[r].hi[c] - frame->origin[c];
            if (lo > hi) continue; /* it brings nothing */
            if (lo < -margin || hi > width + margin) return false;
            widest = fmax(widest, hi);
        }
    return widest >= 0.5 * width;
}

/* The frame, and what is known of the work in it. */
static bool open_homes(const gz_summary *all, const gz_homes *before, uint32_t ranks, gz_hold *hold, gz_homes *homes) {
    *homes = (gz_homes){.ranks = ranks};
    gz_homes_frame(all, ranks, homes);
    homes->cuts = gz_hold_get(hold, ranks, sizeof *homes->cuts);
    if (!before || !fits(before, all)) return homes->cuts != NULL;
    memcpy(homes->origin, before->origin, sizeof homes->origin);
    homes->scale = before->scale;
    return gz_worked_learn(before, all, hold, homes) && homes->cuts;
}

static void cut(const gz_place_weight *samples, size_t count, double total, gz_homes *homes) {
    double before = 0;
    uint32_t next = 0;
    for (size_t i = 0; i < count && next + 1 < homes->ranks; i++) {
        before += samples[i].weight;
        while (next + 1 < homes->ranks && before >= total * (next + 1) / homes->ranks)
            homes->cuts[next++] = samples[i].place;
    }
    while (next + 1 < homes->ranks) homes->cuts[next++] = UINT64_MAX;
}

graze_status gz_homes_cut(gz_ranks *ranks, const gz_brought *brought, const gz_summary *all, const gz_homes *before,
                          gz_hold *hold, gz_homes *homes) {
    uint32_t each = samples_of_each(ranks->count);
    size_t count = (size_t)each * ranks->count;
    double total = 0;
    gz_place_weight *mine = gz_hold_get(hold, each, sizeof *mine), *samples = gz_hold_get(hold, count, sizeof *samples);
    gz_place_weight *scratch = gz_hold_get(hold, count, sizeof *scratch);
    bool room = open_homes(all, before, ranks->count, hold, homes) && mine && samples && scratch;
    if (room) take_samples(brought, homes, mine, each);
    graze_status status =
        gz_ranks_gather(ranks, room ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY, mine, each * sizeof *mine, samples);
    if (status == GRAZE_OK) {
        gz_merge_sort(samples, scratch, count, sizeof *samples, compare);
        gz_worked_weigh(homes, samples, count);
        for (size_t i = 0; i < count; i++) total += samples[i].weight;
        cut(samples, count, total, homes);
    }
    gz_hold_drop(hold, mine);
    gz_hold_drop(hold, samples);
    gz_hold_drop(hold, scratch);
    return status;
}

bool gz_homes_copy(gz_hold *hold, const gz_homes *homes, gz_homes *copy) {
    *copy = *homes;
    copy->cuts = gz_hold_get(hold, homes->ranks, sizeof *copy->cuts);
    copy->points = gz_hold_get(hold, homes->point_count, sizeof *copy->points);
    if (!copy->cuts || !copy->points) return false;
    memcpy(copy->cuts, homes->cuts, (homes->ranks - 1) * sizeof *copy->cuts);
    if (homes->point_count) memcpy(copy->points, homes->points, homes->point_count * sizeof *copy->points);
    return true;
}

uint32_t gz_home_of(const gz_homes *homes, const double x[3]) {
    uint64_t place = gz_fine_hilbert_place(x, homes->origin, homes->scale);
    uint32_t low = 0, high = homes->ranks - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (homes->cuts[middle] <= place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
