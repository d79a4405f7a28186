/* Positions and pairs in the memory of a device, and several contexts at once: the bits of the CPU. Skipped, with the
   reason, where there is no device. */
#include "bits.h"
#include "driver.h"

#include <pthread.h>
#include <time.h>

#define STRIDE 5 /* numbers from one position to the next */

/* A soup with its positions on the device too, apart by STRIDE numbers. */
typedef struct placed {
    soup s;
    double rows[2][3 * SOUP_MAX][STRIDE];
    device_address x[2];
} placed;

static void place(const driver *d, placed *p) {
    size_t count = p->s.mesh.vertex_count, size = count * sizeof p->rows[0][0];
    memset(p->rows, 0xff, sizeof p->rows); /* what lies between is no number */
    for (size_t v = 0; v < count; v++) {
        memcpy(p->rows[0][v], p->s.x0[v], sizeof p->s.x0[v]);
        memcpy(p->rows[1][v], p->s.x1[v], sizeof p->s.x1[v]);
    }
    for (int end = 0; end < 2; end++) {
        p->x[end] = driver_array(d, size);
        CHECK(d->to_device(p->x[end], p->rows[end], size) == 0);
    }
}

static void take_away(const driver *d, placed *p) {
    for (int end = 0; end < 2; end++) CHECK(d->release(p->x[end]) == 0);
}

static double part; /* of its start distance that each pair keeps */

static graze_step_options device_options(graze_step_mode mode, const graze_options *narrow) {
    graze_step_options options = graze_default_step_options();
    options.mode = mode;
    options.narrow = narrow;
    options.relative_separation = part;
    options.stride = STRIDE * sizeof(double);
    options.positions_in = GRAZE_MEMORY_DEVICE;
    return options;
}

static const double (*at_device(device_address x))[3] { return (const double(*)[3])(uintptr_t)x; }

/* The CPU with the host's positions against the device with its own, its pairs left there in mode ALL. */
static void compare(const driver *d, graze_context *context, const placed *p, graze_step_mode mode,
                    const graze_options *narrow, const char *what) {
    graze_step_result here = graze_default_step_result(), there = graze_default_step_result();
    graze_step_options options = graze_default_step_options();
    options.mode = mode;
    options.narrow = narrow;
    options.relative_separation = part;
    options.backend = GRAZE_BACKEND_CPU;
    uint32_t count = p->s.mesh.vertex_count;
    double *times = calloc(2 * (size_t)count, sizeof *times);
    options.vertex_toi = times;
    CHECK(graze_step(context, &p->s.mesh, POSITIONS(&p->s), &options, &here) == GRAZE_OK);
    options = device_options(mode, narrow);
    /* times of the vertices: left there, or brought here */
    device_address left = mode == GRAZE_STEP_VERTICES && narrow ? driver_array(d, count * sizeof *times) : 0;
    options.vertex_toi = left ? (double *)(uintptr_t)left : times + count;
    options.pairs_in = mode == GRAZE_STEP_ALL || left ? GRAZE_MEMORY_DEVICE : GRAZE_MEMORY_HOST;
    graze_status status = graze_step(context, &p->s.mesh, at_device(p->x[0]), at_device(p->x[1]), &options, &there);
    graze_error error;
    graze_context_last_error(context, &error);
    CHECK_MSG(status == GRAZE_OK, "%s: %s", what, error.message);
    graze_pair_result *pairs = calloc(there.pair_count + 1, sizeof *pairs);
    CHECK(!there.pairs && there.backend == GRAZE_BACKEND_CUDA);
    if (there.pair_count)
        CHECK(d->to_host(pairs, (device_address)(uintptr_t)there.device_pairs, there.pair_count * sizeof *pairs) == 0);
    check_same(&here, here.pairs, &there, pairs, what);
    if (left) CHECK(d->to_host(times + count, left, count * sizeof *times) == 0 && d->release(left) == 0);
    CHECK_MSG(memcmp(times, times + count, count * sizeof *times) == 0, "%s: times of the vertices", what);
    free(times);
    free(pairs);
    graze_step_release(context, &here);
    graze_step_release(context, &there);
}

/* Candidates from positions of the device, left there or brought here. */
static void compare_candidates(const driver *d, graze_context *context, const placed *p, const graze_options *narrow,
                               const char *what) {
    graze_step_options options = graze_default_step_options();
    graze_pair *here, *there;
    size_t count[2];
    options.narrow = narrow;
    options.backend = GRAZE_BACKEND_CPU;
    CHECK(graze_candidates(context, &p->s.mesh, POSITIONS(&p->s), &options, &here, &count[0]) == GRAZE_OK);
    for (int left = 0; left < 2; left++) {
        options = device_options(GRAZE_STEP_EARLIEST, narrow);
        options.pairs_in = left ? GRAZE_MEMORY_DEVICE : GRAZE_MEMORY_HOST;
        CHECK(graze_candidates(context, &p->s.mesh, at_device(p->x[0]), at_device(p->x[1]), &options, &there,
                               &count[1]) == GRAZE_OK);
        graze_pair *copy = calloc(count[1] + 1, sizeof *copy);
        if (left && count[1])
            CHECK(d->to_host(copy, (device_address)(uintptr_t)there, count[1] * sizeof *copy) == 0);
        else if (count[1])
            memcpy(copy, there, count[1] * sizeof *copy);
        CHECK_MSG(count[0] == count[1] && (!count[0] || memcmp(here, copy, count[0] * sizeof *here) == 0),
                  "%s: %zu and %zu candidates", what, count[0], count[1]);
        free(copy);
        graze_pairs_release(context, there, count[1]); /* of a list that is the device's: nothing */
    }
    graze_pairs_release(context, here, count[0]);
}

TEST(positions_on_the_device_have_the_bits_of_the_cpu) {
    driver d;
    if (!have_device() || !driver_open(&d)) return;
    static placed p;
    static double thickness[3 * SOUP_MAX];
    for (int v = 0; v < 3 * SOUP_MAX; v++) thickness[v] = 1e-3 * (v % 7);
    graze_context *context = test_context(4, GRAZE_ISA_AUTO);
    for (int style = 0; style < SOUP_STYLES; style++)
        for (uint32_t count = 10; count <= most_triangles(); count = count * 3 + 11) {
            soup_make(&p.s, context, (soup_style)style, count, count);
            place(&d, &p);
            for (int way = 0; way < 3; way++) {
                graze_options narrow = graze_default_options();
                narrow.min_separation = way == 1 ? 0.01 : 0;
                p.s.mesh.thickness = way == 2 ? thickness : NULL;
                char what[80];
                snprintf(what, sizeof what, "style %d, %u triangles, way %d", style, count, way);
                compare(&d, context, &p, GRAZE_STEP_EARLIEST, &narrow, what);
                compare(&d, context, &p, GRAZE_STEP_VERTICES, &narrow, what);
                compare(&d, context, &p, GRAZE_STEP_ALL, &narrow, what);
                compare_candidates(&d, context, &p, &narrow, what);
                part = way == 2 ? 0 : 0.1 * (style + 1);
                if (part > 0) compare(&d, context, &p, GRAZE_STEP_EARLIEST, &narrow, what);
                if (part > 0) compare(&d, context, &p, GRAZE_STEP_ALL, &narrow, what);
                part = 0;
            }
            take_away(&d, &p);
            graze_mesh_release(context, &p.s.mesh);
        }
    graze_context_destroy(context);
}

TEST(positions_that_are_wrong_or_elsewhere_are_refused) {
    driver d;
    if (!have_device() || !driver_open(&d)) return;
    static placed p;
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    soup_make(&p.s, context, SOUP_UNIFORM, 50, 1);
    graze_step_options options = device_options(GRAZE_STEP_EARLIEST, NULL);
    graze_step_result r = graze_default_step_result();
    graze_error error;
    p.s.x1[17][1] = NAN;
    place(&d, &p);
    CHECK(graze_step(context, &p.s.mesh, at_device(p.x[0]), at_device(p.x[1]), &options, &r) == GRAZE_ERR_NOT_FINITE);
    graze_context_last_error(context, &error);
    CHECK(error.index == 17 && r.verdict == GRAZE_UNRESOLVED && r.toi == 0);
    CHECK(graze_step(context, &p.s.mesh, at_device(p.x[0]), (const double(*)[3])(void *)p.rows[1], &options, &r) ==
          GRAZE_ERR_INVALID_ARGUMENT);
    graze_context_last_error(context, &error);
    CHECK_MSG(strstr(error.message, "x1 is not in the memory of device 0") != NULL, "%s", error.message);
    options = graze_default_step_options();
    options.mode = GRAZE_STEP_VERTICES;
    options.pairs_in = GRAZE_MEMORY_DEVICE;
    options.vertex_toi = p.rows[0][0];
    CHECK(graze_step(context, &p.s.mesh, POSITIONS(&p.s), &options, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    graze_context_last_error(context, &error);
    CHECK_MSG(strstr(error.message, "vertex_toi is not in the memory of device 0") != NULL, "%s", error.message);
    take_away(&d, &p);
    graze_mesh_release(context, &p.s.mesh);
    graze_context_destroy(context);
}

static void sleep_a_while(void *user) {
    (void)user;
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
}

/* Positions arrive late, in a stream that has been held up: without waiting for it the step would see those before. */
TEST(positions_are_read_after_what_is_in_the_stream) {
    driver d;
    if (!have_device() || !driver_open(&d)) return;
    static placed p, far;
    void *stream;
    CHECK(d.make_stream(&stream, 1) == 0);
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    soup_make(&p.s, context, SOUP_UNIFORM, 200, 1);
    place(&d, &p);
    far = p;
    for (uint32_t v = 0; v < p.s.mesh.vertex_count; v++) memcpy(far.rows[1][v], p.s.x0[v], sizeof p.s.x0[v]);
    size_t size = p.s.mesh.vertex_count * sizeof p.rows[1][0];
    graze_step_options options = device_options(GRAZE_STEP_EARLIEST, NULL);
    options.stream = stream;
    graze_step_result r[2];
    for (int moved = 0; moved < 2; moved++) {
        r[moved] = graze_default_step_result();
        CHECK(d.call_later(stream, sleep_a_while, NULL) == 0);
        CHECK(d.to_device_later(p.x[1], moved ? p.rows[1] : far.rows[1], size, stream) == 0);
        CHECK(graze_step(context, &p.s.mesh, at_device(p.x[0]), at_device(p.x[1]), &options, &r[moved]) == GRAZE_OK);
    }
    options = graze_default_step_options();
    options.backend = GRAZE_BACKEND_CPU;
    graze_step_result here = graze_default_step_result();
    CHECK(graze_step(context, &p.s.mesh, POSITIONS(&p.s), &options, &here) == GRAZE_OK);
    CHECK(here.verdict == GRAZE_HIT && r[1].verdict == GRAZE_HIT && r[1].toi == here.toi && r[0].toi != here.toi);
    take_away(&d, &p);
    graze_mesh_release(context, &p.s.mesh);
    graze_context_destroy(context);
}

/* A scene, a context and a thread of its own. */
static void *steps_of_one(void *user) {
    placed *p = user;
    driver d;
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    if (!driver_open(&d)) return NULL;
    soup_make(&p->s, context, SOUP_UNIFORM, most_triangles(), (uint64_t)(uintptr_t)user % 97);
    place(&d, p);
    static const graze_step_mode modes[] = {GRAZE_STEP_EARLIEST, GRAZE_STEP_ALL, GRAZE_STEP_VERTICES};
    for (int i = 0; i < 60 / (int)one_in(); i++) {
        compare(&d, context, p, modes[i % 3], NULL, "at once");
        if (i % 3 == 0) compare_candidates(&d, context, p, NULL, "at once");
    }
    take_away(&d, p);
    graze_mesh_release(context, &p->s.mesh);
    graze_context_destroy(context);
    return NULL;
}

TEST(contexts_that_use_one_device_at_once_have_the_bits_of_the_cpu) {
    if (!have_device()) return;
    static placed scenes[6];
    pthread_t threads[6];
    for (int i = 0; i < 6; i++) CHECK(pthread_create(&threads[i], NULL, steps_of_one, &scenes[i]) == 0);
    for (int i = 0; i < 6; i++) pthread_join(threads[i], NULL);
}

TEST(a_device_that_does_not_exist_is_refused_by_its_number) {
    if (!have_device()) return;
    static soup s;
    graze_context_options wanted = graze_default_context_options();
    wanted.device = 99;
    graze_context *context;
    CHECK(graze_context_create(&wanted, &context) == GRAZE_OK);
    soup_make(&s, context, SOUP_UNIFORM, 20, 1);
    graze_step_options options = graze_default_step_options();
    options.backend = GRAZE_BACKEND_CUDA;
    graze_step_result r = graze_default_step_result();
    graze_error error;
    CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &r) == GRAZE_ERR_UNSUPPORTED);
    graze_context_last_error(context, &error);
    CHECK_MSG(strstr(error.message, "device 99 does not exist") != NULL, "%s", error.message);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
