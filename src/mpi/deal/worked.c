#include "mpi/deal/worked.h"

#define DEALINGS_KEPT 3u /* bodies move: what was longer ago says nothing */

/* The cuts of a dealing, and what lay before them. */
static uint32_t newest_points(const gz_homes *before, const gz_summary *all, gz_work_point *points) {
    double total = 0, sum = 0;
    uint32_t count = 0;
    for (uint32_t r = 0; r < before->ranks; r++) total += all[r].work;
    for (uint32_t r = 0; total > 0 && r + 1 < before->ranks && before->cuts[r] < UINT64_MAX; r++) {
        sum += all[r].work;
        if (count && points[count - 1].place == before->cuts[r]) continue;
        points[count++] = (gz_work_point){.place = before->cuts[r], .before = sum / total};
    }
    return count;
}

static bool lies_between(const gz_work_point *p, const gz_work_point *low, const gz_work_point *high) {
    return p->place > low->place && p->place < high->place && p->before > low->before && p->before < high->before;
}

/* Older points stay where they do not contradict the newest ones. */
static uint32_t join_points(const gz_homes *before, const gz_work_point *newest, uint32_t count, gz_work_point *to) {
    gz_work_point low = {.place = 0, .before = 0};
    uint32_t made = 0, next = 0;
    for (uint32_t i = 0; i <= count; i++) {
        gz_work_point high = i < count ? newest[i] : (gz_work_point){.place = UINT64_MAX, .before = 1};
        for (; next < before->point_count && before->points[next].place < high.place; next++) {
            gz_work_point old = before->points[next];
            if (++old.age < DEALINGS_KEPT && lies_between(&old, &low, &high)) to[made++] = old;
        }
        if (i < count) to[made++] = low = high;
    }
    return made;
}

bool gz_worked_learn(const gz_homes *before, const gz_summary *all, gz_hold *hold, gz_homes *homes) {
    gz_work_point *newest = gz_hold_get(hold, before->ranks, sizeof *newest);
    homes->points = gz_hold_get(hold, before->ranks + (size_t)before->point_count, sizeof *homes->points);
    bool room = newest && homes->points;
    if (room) homes->point_count = join_points(before, newest, newest_points(before, all, newest), homes->points);
    gz_hold_drop(hold, newest);
    return room;
}

void gz_worked_weigh(const gz_homes *homes, gz_place_weight *samples, size_t count) {
    double done = 0;
    size_t begin = 0;
    for (uint32_t i = 0; homes->point_count && i <= homes->point_count; i++) {
        bool last = i == homes->point_count;
        double upto = last ? 1 : homes->points[i].before, vertices = 0;
        size_t end = begin;
        for (; end < count && (last || samples[end].place < homes->points[i].place); end++)
            vertices += samples[end].weight;
        for (; begin < end; begin++) samples[begin].weight *= vertices > 0 ? (upto - done) / vertices : 0;
        done = upto;
    }
}
