/* Many worlds in one call: in each a cloth falls past a ball onto a floor that is in all of them, by ways of its own.
 */
#include "bench/gpu/device_memory.h"
#include "bench/worlds/worlds.h"

#include "graze/world_to.h"
#include "scenes/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CLOTH_X = 20,
    CLOTH_Y = 15,
    BALL = 7,
    FLOOR = 2,
    VERTICES = (CLOTH_X + 1) * (CLOTH_Y + 1) + 4 * BALL * BALL + 2
};

static const bench_column columns[] = {
    {"worlds", "worlds", NULL},     {"triangles", "triangles of each", NULL},
    {"where", "where", NULL},       {"hits", "worlds that are hit", NULL},
    {"ms", "least", "ms"},          {"ms_median", "median", "ms"},
    {"us_world", "for each", "µs"}, {"differ", "other than by calls of their own", NULL},
};

typedef struct copies {
    size_t count;
    uint32_t cloth[2 * CLOTH_X * CLOTH_Y][3], ball[8 * BALL * BALL][3], floor[2 * FLOOR * FLOOR][3];
    double ground[(FLOOR + 1) * (FLOOR + 1)][3], round[4 * BALL * BALL + 2][3];
    double (*x[2])[3]; /* of all worlds: the cloth, then the ball */
    graze_mesh meshes[3];
    graze_body *bodies;
    int32_t *world_of;
    graze_body_motion *motions;
    graze_articulated_result *results[2];
    graze_status *statuses;
    bench_device device;
    bench_address there[2];
} copies;

/* ---- what falls ---- */

static double draw(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-52 - 1;
}

static void sheet(uint32_t across, uint32_t along, uint32_t (*faces)[3]) {
    for (uint32_t j = 0; j < along; j++)
        for (uint32_t i = 0; i < across; i++) {
            uint32_t at = j * (across + 1) + i, up = at + across + 1;
            const uint32_t two[2][3] = {{at, at + 1, up}, {at + 1, up + 1, up}};
            memcpy(faces, two, sizeof two);
            faces += 2;
        }
}

/* The cloth is 2 wide and rough by a hundredth; between it and the ball, whose radius is a half, lies about a
   twentieth, and it falls by up to a tenth. */
static void place(copies *c, size_t world, uint64_t *random) {
    double(*x0)[3] = c->x[0] + VERTICES * world, (*x1)[3] = c->x[1] + VERTICES * world, way[2][3];
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) way[k][i] = 0.02 * draw(random);
    way[0][2] = -0.05 * (1 + draw(random));
    for (uint32_t j = 0; j <= CLOTH_Y; j++)
        for (uint32_t i = 0; i <= CLOTH_X; i++, x0++, x1++) {
            (*x0)[0] = 2.0 * i / CLOTH_X - 1, (*x0)[1] = 2.0 * j / CLOTH_Y - 1;
            (*x0)[2] = 1.07 + 0.01 * draw(random);
            for (int k = 0; k < 3; k++) (*x1)[k] = (*x0)[k] + way[0][k] + 0.005 * draw(random);
        }
    for (uint32_t v = 0; v < 4 * BALL * BALL + 2; v++, x0++, x1++)
        for (int k = 0; k < 3; k++) {
            (*x0)[k] = 0.5 * c->round[v][k] + (k == 2 ? 0.52 : 0);
            (*x1)[k] = (*x0)[k] + (k == 2 ? fabs(way[1][k]) : way[1][k]);
        }
}

static void describe(copies *c) {
    static const graze_body_kind kinds[3] = {GRAZE_BODY_STATIC, GRAZE_BODY_STRAIGHT, GRAZE_BODY_STRAIGHT};
    for (size_t b = 0; b < 2 * c->count + 1; b++) {
        size_t what = b ? 1 + (b - 1) % 2 : 0;
        c->bodies[b] = graze_default_body();
        c->bodies[b].kind = kinds[what];
        c->bodies[b].mesh = &c->meshes[what];
        if (!what) c->bodies[b].rest = (const double(*)[3])c->ground;
        c->world_of[b] = b ? (int32_t)((b - 1) / 2) : -1;
    }
}

/* Positions at x0 and x1, of the host or of a device. */
static void move(copies *c, const double (*x0)[3], const double (*x1)[3]) {
    for (size_t m = 0; m < 2 * c->count; m++) {
        size_t first = VERTICES * (m / 2) + (m % 2 ? (CLOTH_X + 1) * (CLOTH_Y + 1) : 0);
        c->motions[m] = graze_default_body_motion();
        c->motions[m].body = (uint32_t)m + 1;
        c->motions[m].x0 = x0 + first;
        c->motions[m].x1 = x1 + first;
    }
}

static bool make_meshes(copies *c, graze_context *context) {
    graze_status status = GRAZE_OK;
    sheet(CLOTH_X, CLOTH_Y, c->cloth);
    sheet(FLOOR, FLOOR, c->floor);
    scene_sphere(BALL, 0, c->round, c->ball);
    for (int v = 0; v < (FLOOR + 1) * (FLOOR + 1); v++)
        for (int k = 0; k < 3; k++) c->ground[v][k] = k == 2 ? 0 : 2.0 * (k ? v / (FLOOR + 1) : v % (FLOOR + 1)) - 2;
    const struct {
        uint32_t vertices, faces;
        const uint32_t (*list)[3];
    } of[3] = {{(FLOOR + 1) * (FLOOR + 1), 2 * FLOOR * FLOOR, (const uint32_t(*)[3])c->floor},
               {(CLOTH_X + 1) * (CLOTH_Y + 1), 2 * CLOTH_X * CLOTH_Y, (const uint32_t(*)[3])c->cloth},
               {4 * BALL * BALL + 2, 8 * BALL * BALL, (const uint32_t(*)[3])c->ball}};
    for (int i = 0; i < 3 && status == GRAZE_OK; i++) {
        c->meshes[i] = graze_default_mesh();
        status = graze_mesh_from_faces(context, of[i].vertices, of[i].list, of[i].faces, &c->meshes[i]);
    }
    return status == GRAZE_OK;
}

static copies *make(graze_context *context, size_t count, uint64_t seed) {
    copies *c = bench_allocate(1, sizeof *c);
    memset(c, 0, sizeof *c);
    c->count = count;
    for (int k = 0; k < 2; k++) c->x[k] = bench_allocate(VERTICES * count, sizeof *c->x[k]);
    for (int k = 0; k < 2; k++) c->results[k] = bench_allocate(count, sizeof *c->results[k]);
    c->bodies = bench_allocate(2 * count + 1, sizeof *c->bodies);
    c->world_of = bench_allocate(2 * count + 1, sizeof *c->world_of);
    c->motions = bench_allocate(2 * count, sizeof *c->motions);
    c->statuses = bench_allocate(count, sizeof *c->statuses);
    if (!make_meshes(c, context)) return c;
    for (size_t w = 0; w < count; w++) place(c, w, &seed);
    describe(c);
    move(c, (const double(*)[3])c->x[0], (const double(*)[3])c->x[1]);
    return c;
}

static void discard(copies *c, graze_context *context) {
    for (int i = 0; i < 3; i++) graze_mesh_release(context, &c->meshes[i]);
    for (int k = 0; k < 2; k++) {
        bench_device_free(&c->device, c->there[k]);
        free(c->x[k]);
        free(c->results[k]);
    }
    free(c->bodies);
    free(c->world_of);
    free(c->motions);
    free(c->statuses);
    free(c);
}

/* ---- what is timed ---- */

typedef enum copies_place { BY_THEMSELVES, ON_CPU, UPLOADED, ON_DEVICE } copies_place;

static graze_status ask(copies *c, graze_context *context, const graze_worlds *worlds, copies_place place,
                        graze_articulated_result *results) {
    const graze_articulated_options options = graze_default_articulated_options();
    graze_status status = GRAZE_OK;
    results[0] = graze_default_articulated_result();
    if (place == ON_DEVICE)
        return graze_worlds_step_on_device(context, worlds, c->motions, 2 * c->count, &options, NULL, results,
                                           c->statuses);
    if (place != BY_THEMSELVES)
        return graze_worlds_step(context, worlds, c->motions, 2 * c->count, &options, results, c->statuses);
    for (size_t w = 0; w < c->count && status == GRAZE_OK; w++) {
        graze_body_motion two[2] = {c->motions[2 * w], c->motions[2 * w + 1]};
        for (uint32_t i = 0; i < 2; i++) two[i].body = i + 1;
        results[w] = graze_default_articulated_result();
        status = graze_world_step(context, graze_worlds_at(worlds, w), two, 2, &options, &results[w]);
        graze_link_contact *contact = &results[w].contact;
        for (uint32_t *body = &contact->model_a;; body = &contact->model_b) { /* as the bodies of all count */
            if (results[w].has_contact && *body) *body += (uint32_t)(2 * w);
            if (body == &contact->model_b) break;
        }
    }
    return status;
}

/* Counts the results of a place that differ in a bit from those of a call for each world. */
static size_t count_different(const copies *c) {
    size_t different = 0;
    for (size_t w = 0; w < c->count; w++) {
        const graze_articulated_result *a = &c->results[0][w], *b = &c->results[1][w];
        different += a->verdict != b->verdict || memcmp(&a->toi, &b->toi, sizeof a->toi) != 0 ||
                     memcmp(&a->toi_upper, &b->toi_upper, sizeof a->toi) != 0 ||
                     memcmp(&a->contact, &b->contact, sizeof a->contact) != 0;
    }
    return different;
}

static bool add_row(const bench_settings *settings, bench_table *table, copies *c, graze_context *context,
                    const graze_worlds *worlds, copies_place place, io_error *error) {
    static const char *const names[] = {"CPU, a call for each", "CPU, one call", "GPU, uploaded", "GPU, on the device"};
    bench_times times = {.count = 0};
    size_t hits = 0;
    double budget = settings->time_budget > 0 ? settings->time_budget : 2;
    for (bool warm = false; bench_times_more(&times, settings->repeat ? settings->repeat : 20, budget); warm = true) {
        if (bench_stopped(settings)) return true;
        double begin = bench_seconds();
        graze_status status = ask(c, context, worlds, place, c->results[place != BY_THEMSELVES]);
        double spent = bench_seconds() - begin;
        if (status != GRAZE_OK) return bench_call_failed(context, names[place], status, error);
        if (warm) bench_times_add(&times, spent);
    }
    for (size_t w = 0; w < c->count; w++) hits += c->results[0][w].verdict == GRAZE_HIT;
    bench_cell *row = bench_add_row(table);
    row[0] = bench_count(c->count);
    row[1] = bench_count(2 * CLOTH_X * CLOTH_Y + 8 * BALL * BALL + 2 * FLOOR * FLOOR);
    row[2] = bench_text("%s", names[place]);
    row[3] = bench_count(hits);
    row[4] = bench_number(1e3 * bench_times_least(&times));
    row[5] = bench_number(1e3 * bench_times_median(&times));
    row[6] = bench_number(1e6 * bench_times_least(&times) / (double)c->count);
    if (place != BY_THEMSELVES) row[7] = bench_count(count_different(c));
    return true;
}

static bool measure_cpu(const bench_settings *settings, bench_table *table, copies *c, graze_context *context,
                        io_error *error) {
    graze_worlds *worlds = NULL;
    graze_status status = graze_worlds_create(context, c->bodies, c->world_of, 2 * c->count + 1, NULL, &worlds);
    bool good = status == GRAZE_OK || bench_call_failed(context, "many worlds", status, error);
    good = good && add_row(settings, table, c, context, worlds, BY_THEMSELVES, error) &&
           add_row(settings, table, c, context, worlds, ON_CPU, error);
    graze_worlds_release(worlds);
    return good;
}

static bool measure_gpu(const bench_settings *settings, bench_table *table, copies *c, io_error *error) {
    graze_context_options options = graze_default_context_options();
    graze_worlds *worlds = NULL;
    options.threads = (uint32_t)settings->threads;
    options.backend = GRAZE_BACKEND_CUDA;
    graze_context *context = bench_context_from(settings, options, error);
    if (!context) return false;
    graze_status status = graze_worlds_create(context, c->bodies, c->world_of, 2 * c->count + 1, NULL, &worlds);
    bool good = status == GRAZE_OK || bench_call_failed(context, "many worlds", status, error);
    good = good && add_row(settings, table, c, context, worlds, UPLOADED, error);
    int number = settings->device ? (int)settings->device - 1 : 0;
    if (good && bench_device_open(&c->device, number)) {
        for (int k = 0; k < 2; k++)
            c->there[k] = bench_device_copy(&c->device, c->x[k], VERTICES * c->count * sizeof *c->x[k]);
        move(c, (const double(*)[3])(uintptr_t)c->there[0], (const double(*)[3])(uintptr_t)c->there[1]);
        if (c->there[0] && c->there[1]) good = add_row(settings, table, c, context, worlds, ON_DEVICE, error);
    }
    graze_worlds_release(worlds);
    graze_context_destroy(context);
    return good;
}

bool worlds_copies(const bench_settings *settings, bench_report *report, io_error *error) {
    bench_add_heading(report, "Many worlds in one call");
    bench_table *table =
        bench_add_table(report, "worlds-copies", "Many worlds in one call",
                        "In each a cloth of 600 triangles falls onto a ball of 392, above a floor that "
                        "is in all worlds. Wall time with a kept context.",
                        columns, sizeof columns / sizeof *columns);
    graze_context *context = bench_context(settings, settings->threads, 0, error);
    if (!context) return false;
    bench_progress(settings, "many worlds", 0.7);
    copies *c = make(context, settings->quick ? 64 : 4096, settings->seed);
    bool good = measure_cpu(settings, table, c, context, error);
    if (good && graze_backend_available(GRAZE_BACKEND_CUDA) && !bench_stopped(settings))
        good = measure_gpu(settings, table, c, error);
    discard(c, context);
    graze_context_destroy(context);
    return good;
}
