/* A certificate of ranges as text: read, counted, then checked pair by pair on any number of threads. */
#include "verify/path_walk.h"
#include "verify/ranges/range_poses.h"
#include "verify/ranges/range_walk.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELL_WORK 32 /* of a joint in a cell, where a test of two boxes is 1 */

bool verify_is_range_text(const char *text, size_t size) {
    return verify_begins_as(text, size, "\"graze range certificate 1\"");
}

/* ---- one pair ---- */

static bool check_pair(const range_scene *scene, const joint_motion *joints, size_t i, char reason[VERIFY_TEXT]) {
    const range_claim *claim = &scene->claims[i];
    path_pair pair = scene->base.pairs[i];
    range_cost cost;
    if (claim->kind == RANGE_TOUCH) return range_touch_check(scene, joints, pair, claim, reason);
    if (claim->proof.begin && !range_walk_check(scene, joints, pair, claim->proof, claim->open, &cost, reason))
        return false;
    return claim->kind == RANGE_OPEN || range_outside_check(scene, joints, pair, reason);
}

/* ---- what it costs ---- */

static void reject(verify_range_report *report, uint64_t pair, const char *reason) {
    if (report->rejected++) return;
    report->first = pair;
    snprintf(report->reason, VERIFY_TEXT, "%s", reason);
}

/* A proof that is incomplete or not one is rejected by its text alone. */
static double count_work(const range_scene *scene, verify_range_report *report) {
    double total = 0;
    for (size_t i = 0; i < scene->claim_count; i++) {
        path_pair pair = scene->base.pairs[i];
        const range_claim *claim = &scene->claims[i];
        double joints = (double)path_joints_between(&scene->base, pair) + 2;
        range_cost cost = {.cells = 1};
        char reason[VERIFY_TEXT];
        if (claim->proof.begin && !range_walk_check(scene, NULL, pair, claim->proof, claim->open, &cost, reason))
            reject(report, i, reason);
        if (claim->proof.begin) report->cells += cost.cells;
        report->directions += cost.directions;
        total += cost.corners + CELL_WORK * joints * (double)cost.cells;
        if (claim->kind == RANGE_CLEAR || claim->inside || claim->overlaps) total += range_outside_cost(scene, pair);
    }
    return total;
}

static void describe(const range_scene *scene, verify_range_report *report) {
    report->links = scene->base.link_count;
    report->values = scene->value_count;
    report->pairs = scene->base.pair_count;
    report->skipped = scene->base.skipped;
    report->separation = scene->base.separation;
    for (size_t i = 0; i < scene->base.link_count; i++) report->triangles += scene->base.meshes[i].face_count;
    for (size_t i = 0; i < scene->claim_count; i++) {
        const range_claim *claim = &scene->claims[i];
        report->clear += claim->kind == RANGE_CLEAR;
        report->touch += claim->kind == RANGE_TOUCH;
        report->open += claim->kind == RANGE_OPEN;
        if (claim->open > report->most_open) report->most_open = claim->open;
    }
}

/* ---- workers ---- */

typedef struct work {
    const range_scene *scene;
    const joint_motion *joints;
    atomic_size_t next; /* pair */
} work;

typedef struct worker {
    work *shared;
    uint64_t rejected, first;
    char reason[VERIFY_TEXT];
} worker;

static void *run_worker(void *state) {
    worker *me = state;
    size_t count = me->shared->scene->claim_count;
    char reason[VERIFY_TEXT];
    for (size_t i; (i = atomic_fetch_add(&me->shared->next, 1)) < count;) {
        if (check_pair(me->shared->scene, me->shared->joints, i, reason)) continue;
        if (me->rejected++ == 0) { /* a worker takes them in order */
            me->first = i;
            memcpy(me->reason, reason, sizeof reason);
        }
    }
    return NULL;
}

static void add_worker(verify_range_report *report, const worker *me) {
    if (me->rejected && (!report->rejected || me->first < report->first)) {
        report->first = me->first;
        memcpy(report->reason, me->reason, sizeof report->reason);
    }
    report->rejected += me->rejected;
}

static bool run_all(work *shared, unsigned threads, verify_range_report *report) {
    worker *workers = calloc(threads, sizeof *workers);
    pthread_t *handles = calloc(threads, sizeof *handles);
    unsigned started = 1;
    bool good = workers && handles;
    for (unsigned i = 0; good && i < threads; i++) workers[i].shared = shared;
    while (good && started < threads && pthread_create(&handles[started], NULL, run_worker, &workers[started]) == 0)
        started++;
    if (good) run_worker(&workers[0]);
    for (unsigned i = 1; good && i < started; i++) pthread_join(handles[i], NULL);
    for (unsigned i = 0; good && i < threads; i++) add_worker(report, &workers[i]);
    free(workers);
    free(handles);
    return good;
}

static bool check_all(const range_scene *scene, unsigned threads, verify_range_report *report, char *message) {
    size_t links = scene->base.link_count;
    joint_motion *joints = malloc((links + 1) * sizeof *joints);
    char reason[VERIFY_TEXT] = "";
    bool good = joints;
    for (size_t i = 0; joints && i < links; i++) joint_init(&joints[i]);
    if (joints && !range_joints_set(scene, joints, reason)) {
        for (size_t i = 0; i < scene->claim_count; i++) reject(report, i, reason);
    } else if (joints) {
        work shared = {.scene = scene, .joints = joints};
        atomic_init(&shared.next, 0);
        good = run_all(&shared, threads, report);
    }
    if (!good) snprintf(message, VERIFY_TEXT, "out of memory");
    for (size_t i = 0; joints && i < links; i++) joint_clear(&joints[i]);
    free(joints);
    return good;
}

/* ---- the call ---- */

static void name_first(const range_scene *scene, verify_range_report *report) {
    path_pair pair = scene->base.pairs[report->first];
    snprintf(report->name, VERIFY_TEXT, "links %u and %u", (unsigned)pair.a, (unsigned)pair.b);
}

bool verify_range_text(const char *text, size_t size, unsigned threads, double most_work, verify_range_report *report,
                       char message[VERIFY_TEXT]) {
    range_scene scene;
    *report = (verify_range_report){0};
    message[0] = '\0';
    bool good = range_scene_read(&scene, text, size, message);
    if (good) {
        describe(&scene, report);
        double needed = count_work(&scene, report);
        if (report->rejected == 0 && needed > most_work) {
            snprintf(message, VERIFY_TEXT, "takes %.0f units of work, more than the %.0f that are allowed", needed,
                     most_work);
            good = false;
        } else if (report->rejected == 0) {
            good = check_all(&scene, threads < 1 ? 1 : threads, report, message);
        }
        if (good && report->rejected) name_first(&scene, report);
    }
    range_scene_free(&scene);
    return good;
}
