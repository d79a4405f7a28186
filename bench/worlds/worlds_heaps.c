/* A heap of rigid bodies: one step of all of them. */
#include "bench/worlds/heap.h"
#include "bench/worlds/worlds.h"

#include "graze/world.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CELLS 11u /* 968 triangles for each stone */

static const bench_column columns[] = {
    {"bodies", "bodies", NULL},
    {"case", "what happens", NULL},
    {"mode", "mode", NULL},
    {"verdict", "answer", NULL},
    {"toi", "time of impact", NULL},
    {"pairs", "pairs that touch", NULL},
    {"ms", "least", "ms"},
    {"ms_median", "median", "ms"},
    {"ms_cpu", "processor time, least", "ms"},
    {"us_body", "of it for each body", "µs"},
    {"ms_prepare", "preparing the world", "ms"},
    {"kept", "held by the world", "MB"},
    {"bytes_body", "for each body, without 1.2 × the meshes", "B"},
    {"peak", "at most in a step", "MB"},
};

typedef struct heap_world {
    heap made;
    graze_context *context;
    graze_mesh meshes[HEAP_STONES];
    graze_body *bodies;
    graze_body_motion *motions;
    graze_world *world;
    double seconds; /* that preparing it took */
    uint64_t kept;  /* bytes that the world holds */
    atomic_uint_least64_t held, peak;
} heap_world;

/* Memory from the system, counted. */
static void *take(void *user, size_t size, size_t alignment) {
    heap_world *w = user;
    void *block = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (block && atomic_fetch_add(&w->held, size) + size > w->peak) w->peak = w->held; /* about: threads take turns */
    return block;
}
static void give(void *user, void *block, size_t size) {
    heap_world *w = user;
    free(block);
    atomic_fetch_sub(&w->held, size);
}

static graze_frame frame_of(const heap_pose *pose) {
    graze_frame frame;
    memcpy(frame.position, pose->position, sizeof frame.position);
    memcpy(frame.rotation, pose->rotation, sizeof frame.rotation);
    return frame;
}

static void describe(heap_world *w) {
    for (size_t i = 0; i < w->made.count; i++) {
        w->bodies[i] = graze_default_body();
        w->bodies[i].kind = GRAZE_BODY_RIGID;
        w->bodies[i].mesh = &w->meshes[i % HEAP_STONES];
        w->bodies[i].rest = (const double(*)[3])w->made.stones[i % HEAP_STONES].x;
        w->motions[i] = graze_default_body_motion();
        w->motions[i].body = (uint32_t)i;
        w->motions[i].pose0 = frame_of(&w->made.poses[i][0]);
        w->motions[i].pose1 = frame_of(&w->made.poses[i][1]);
    }
}

static void close_world(heap_world *w) {
    graze_world_release(w->world);
    for (int i = 0; w->context && i < HEAP_STONES; i++) graze_mesh_release(w->context, &w->meshes[i]);
    graze_context_destroy(w->context);
    free(w->bodies);
    free(w->motions);
    heap_free(&w->made);
}

static bool open_world(const bench_settings *settings, size_t count, heap_case what, heap_world *w, io_error *error) {
    memset(w, 0, sizeof *w);
    if (!heap_make(&w->made, count, CELLS, what, settings->seed)) return io_fail(error, "worlds", 0, "out of memory");
    w->bodies = bench_allocate(count, sizeof *w->bodies);
    w->motions = bench_allocate(count, sizeof *w->motions);
    graze_context_options options = graze_default_context_options();
    options.threads = (uint32_t)settings->threads;
    options.allocator = (graze_allocator){take, give, w};
    w->context = bench_context_from(settings, options, error);
    if (!w->context) return false;
    graze_status status = GRAZE_OK;
    for (int i = 0; i < HEAP_STONES && status == GRAZE_OK; i++) {
        const heap_stone *stone = &w->made.stones[i];
        w->meshes[i] = graze_default_mesh();
        status = graze_mesh_from_faces(w->context, (uint32_t)stone->vertex_count, (const uint32_t(*)[3])stone->faces,
                                       (uint32_t)stone->face_count, &w->meshes[i]);
    }
    describe(w);
    uint64_t before = w->held;
    double begin = bench_seconds();
    if (status == GRAZE_OK) status = graze_world_create(w->context, w->bodies, count, NULL, &w->world);
    w->seconds = bench_seconds() - begin;
    w->kept = w->held - before;
    return status == GRAZE_OK || bench_call_failed(w->context, "a heap", status, error);
}

/* Bytes of what a user gives: positions and faces. */
static double mesh_bytes(const heap *made) {
    double bytes = 0;
    for (int i = 0; i < HEAP_STONES; i++)
        bytes += (double)made->stones[i].vertex_count * sizeof(double[3]) +
                 (double)made->stones[i].face_count * sizeof(uint32_t[3]);
    return bytes;
}

/* Processor time of all threads: other work on the machine hardly changes it. */
static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void add_row(bench_table *table, const heap_world *w, const char *what, const char *mode,
                    const graze_articulated_result *result, const bench_times times[2]) {
    static const char *const verdicts[] = {"unresolved", "clear", "hit"};
    double count = (double)w->made.count;
    bench_cell *row = bench_add_row(table);
    row[0] = bench_count(w->made.count);
    row[1] = bench_text("%s", what);
    row[2] = bench_text("%s", mode);
    row[3] = bench_text("%s", verdicts[result->verdict]);
    row[4] = bench_number(result->toi);
    if (result->contacts || strcmp(mode, "all") == 0) row[5] = bench_count(result->contact_count);
    row[6] = bench_number(1e3 * bench_times_least(&times[0]));
    row[7] = bench_number(1e3 * bench_times_median(&times[0]));
    row[8] = bench_number(1e3 * bench_times_least(&times[1]));
    row[9] = bench_number(1e6 * bench_times_least(&times[1]) / count);
    row[10] = bench_number(1e3 * w->seconds);
    row[11] = bench_number(1e-6 * (double)w->kept);
    row[12] = bench_number(((double)w->kept - 1.2 * mesh_bytes(&w->made)) / count);
    row[13] = bench_number(1e-6 * (double)w->peak);
}

static bool time_mode(const bench_settings *settings, const heap_world *w, graze_articulated_mode mode,
                      graze_articulated_result *result, bench_times times[2], io_error *error) {
    graze_articulated_options options = graze_default_articulated_options();
    double budget = settings->time_budget > 0 ? settings->time_budget : 2;
    options.mode = mode;
    options.max_checks = UINT64_MAX / 2;
    times[0] = times[1] = (bench_times){.count = 0};
    for (bool warm = false; bench_times_more(times, settings->repeat ? settings->repeat : 10, budget); warm = true) {
        if (bench_stopped(settings)) break;
        graze_articulated_release(w->context, result);
        *result = graze_default_articulated_result();
        double begin = bench_seconds(), processor = processor_seconds();
        graze_status status = graze_world_step(w->context, w->world, w->motions, w->made.count, &options, result);
        double spent = bench_seconds() - begin;
        processor = processor_seconds() - processor;
        if (status != GRAZE_OK) return bench_call_failed(w->context, "a heap", status, error);
        if (!warm) continue;
        bench_times_add(&times[0], spent);
        bench_times_add(&times[1], processor);
    }
    return true;
}

static bool measure(const bench_settings *settings, bench_table *table, size_t count, heap_case what, io_error *error) {
    static const char *const names[] = {"nothing touches", "an early contact", "many touch"};
    static const graze_articulated_mode modes[] = {GRAZE_ARTICULATED_EARLIEST, GRAZE_ARTICULATED_ALL};
    heap_world w;
    bool good = open_world(settings, count, what, &w, error);
    for (int m = 0; m < 2 && good && !bench_stopped(settings); m++) {
        if (what == HEAP_EARLY && m) continue;
        graze_articulated_result result = graze_default_articulated_result();
        bench_times times[2];
        good = time_mode(settings, &w, modes[m], &result, times, error);
        if (good && !bench_stopped(settings)) add_row(table, &w, names[what], m ? "all" : "earliest", &result, times);
        graze_articulated_release(w.context, &result);
    }
    close_world(&w);
    return good;
}

bool worlds_heaps(const bench_settings *settings, bench_report *report, io_error *error) {
    static const size_t sizes[] = {1000, 10000, 100000};
    bench_add_heading(report, "Heaps");
    bench_table *table = bench_add_table(
        report, "worlds-heaps", "A heap of rigid stones",
        "968 triangles each, eight meshes; eight others near each. Wall time of graze_world_step with a kept context.",
        columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < (settings->quick ? 1 : sizeof sizes / sizeof *sizes); i++)
        for (int what = HEAP_CLEAR; what <= HEAP_MANY; what++) {
            bench_progress(settings, "heaps", 0.2 * (double)i);
            if (bench_stopped(settings)) return true;
            if (!measure(settings, table, sizes[i], (heap_case)what, error)) return false;
        }
    return true;
}
