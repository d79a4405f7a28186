/* A certificate of paths or of a plan as text: read, counted, then checked proof by proof on any number of threads. */
#include "verify/path_walk.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW_WORK 32 /* of a joint in a window, where a test of two nodes is 1; of a value in a piece of a plan */

bool verify_begins_as(const char *text, size_t size, const char *format) {
    const char *const parts[] = {"{", "\"format\"", ":", format};
    size_t at = 0;
    for (int i = 0; i < 4; i++) {
        while (at < size && strchr(" \t\r\n", text[at]) && text[at]) at++;
        size_t length = strlen(parts[i]);
        if (size - at < length || memcmp(text + at, parts[i], length) != 0) return false;
        at += length;
    }
    return true;
}

bool verify_is_path_text(const char *text, size_t size) {
    return verify_begins_as(text, size, "\"graze path certificate 1\"") ||
           verify_begins_as(text, size, "\"graze plan certificate 1\"");
}

/* ---- joints of a path ---- */

static bool set_joints(const path_scene *scene, size_t path, joint_motion *joints, char reason[VERIFY_TEXT]) {
    for (size_t m = 0; m < scene->model_count; m++) {
        const path_model *model = &scene->models[m];
        const path_motion *motion = &scene->motions[path * scene->model_count + m];
        for (size_t i = 0; i < model->count; i++) {
            const path_link *link = &scene->links[model->first + i];
            if (!joint_set(&joints[model->first + i], link, motion, link->first_value, model->values, i,
                           scene->exponent, reason))
                return false;
        }
    }
    return true;
}

/* ---- workers ---- */

typedef struct work {
    const path_scene *scene;
    atomic_size_t next; /* proof */
} work;

typedef struct worker {
    work *shared;
    joint_motion *joints;
    size_t path; /* that they are of; SIZE_MAX: none */
    bool moves;  /* its values say a motion */
    char why[VERIFY_TEXT];
    uint64_t rejected, first;
    char reason[VERIFY_TEXT];
} worker;

static bool check_proof(worker *me, size_t proof, char reason[VERIFY_TEXT]) {
    const path_scene *scene = me->shared->scene;
    size_t path = proof / scene->pair_count;
    if (path != me->path) me->moves = set_joints(scene, path, me->joints, me->why);
    me->path = path;
    if (me->moves)
        return path_walk_check(scene, me->joints, scene->pairs[proof % scene->pair_count], scene->proofs[proof],
                               reason);
    memcpy(reason, me->why, VERIFY_TEXT);
    return false;
}

static void *run_worker(void *state) {
    worker *me = state;
    size_t count = me->shared->scene->proof_count;
    char reason[VERIFY_TEXT];
    for (size_t i; (i = atomic_fetch_add(&me->shared->next, 1)) < count;) {
        if (check_proof(me, i, reason)) continue;
        if (me->rejected++ == 0) { /* a worker takes them in order */
            me->first = i;
            memcpy(me->reason, reason, sizeof reason);
        }
    }
    return NULL;
}

static void add_worker(verify_path_report *report, const worker *me) {
    if (me->rejected && (!report->rejected || me->first < report->first)) {
        report->first = me->first;
        memcpy(report->reason, me->reason, sizeof report->reason);
    }
    report->rejected += me->rejected;
}

static bool open_worker(worker *me, work *shared) {
    size_t links = shared->scene->link_count;
    *me = (worker){.shared = shared, .path = SIZE_MAX};
    me->joints = malloc((links + 1) * sizeof *me->joints);
    for (size_t i = 0; me->joints && i < links; i++) joint_init(&me->joints[i]);
    return me->joints;
}

static void close_worker(worker *me) {
    for (size_t i = 0; me->joints && i < me->shared->scene->link_count; i++) joint_clear(&me->joints[i]);
    free(me->joints);
}

static void run_all(worker *workers, pthread_t *handles, unsigned threads) {
    unsigned started = 1;
    while (started < threads && pthread_create(&handles[started], NULL, run_worker, &workers[started]) == 0) started++;
    run_worker(&workers[0]);
    for (unsigned i = 1; i < started; i++) pthread_join(handles[i], NULL);
}

static bool check_all(const path_scene *scene, unsigned threads, verify_path_report *report, char *message) {
    work shared = {.scene = scene};
    atomic_init(&shared.next, 0);
    worker *workers = calloc(threads, sizeof *workers);
    pthread_t *handles = calloc(threads, sizeof *handles);
    bool good = workers && handles;
    unsigned opened = 0;
    while (good && opened < threads) good = open_worker(&workers[opened++], &shared);
    if (good)
        run_all(workers, handles, threads);
    else
        snprintf(message, VERIFY_TEXT, "out of memory");
    for (unsigned i = 0; i < opened; i++) {
        add_worker(report, &workers[i]);
        close_worker(&workers[i]);
    }
    free(workers);
    free(handles);
    return good;
}

/* ---- what it costs ---- */

static void reject(verify_path_report *report, uint64_t proof, const char *reason) {
    if (report->rejected++) return;
    report->first = proof;
    snprintf(report->reason, VERIFY_TEXT, "%s", reason);
}

/* A proof that is incomplete or not one is rejected by its text alone. */
static double count_work(const path_scene *scene, verify_path_report *report) {
    double total = 0, values = 0;
    for (size_t m = 0; m < scene->model_count; m++) values += (double)scene->models[m].values;
    if (scene->of_plan) total = WINDOW_WORK * values * (double)scene->path_count;
    for (size_t i = 0; i < scene->proof_count; i++) {
        path_pair pair = scene->pairs[i % scene->pair_count];
        path_cost cost;
        char reason[VERIFY_TEXT];
        if (!path_walk_count(scene, pair, scene->proofs[i], &cost, reason)) reject(report, i, reason);
        report->windows += cost.windows;
        report->directions += cost.directions;
        double joints = (double)path_joints_between(scene, pair) + 2;
        total += (double)cost.directions + WINDOW_WORK * joints * (double)cost.windows;
    }
    return total;
}

static void describe(const path_scene *scene, verify_path_report *report) {
    report->paths = scene->path_count;
    report->links = scene->link_count;
    report->pairs = scene->pair_count;
    report->skipped = scene->skipped;
    report->separation = scene->separation;
    report->t_max = scene->t_max;
    report->of_plan = scene->of_plan;
    report->begin = scene->of_plan ? scene->times[0] : 0;
    report->end = scene->of_plan ? scene->times[scene->time_count - 1] : 0;
    for (size_t i = 0; i < scene->link_count; i++) report->triangles += scene->meshes[i].face_count;
}

static void name_first(const path_scene *scene, verify_path_report *report) {
    path_pair pair = scene->pairs[report->first % scene->pair_count];
    snprintf(report->name, VERIFY_TEXT, "%s %llu, links %u and %u", scene->of_plan ? "piece" : "path",
             (unsigned long long)(report->first / scene->pair_count), (unsigned)pair.a, (unsigned)pair.b);
}

bool verify_path_text(const char *text, size_t size, unsigned threads, double most_work, verify_path_report *report,
                      char message[VERIFY_TEXT]) {
    path_scene scene;
    *report = (verify_path_report){0};
    message[0] = '\0';
    bool good = path_scene_read(&scene, text, size, message);
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
    path_scene_free(&scene);
    return good;
}
