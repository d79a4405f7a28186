/* A device that is not there, that is lost in the middle of a call, or that has no memory left: by name an error with a
   closed result, left to graze the answer of the CPU. Each test is a process of its own, because a device that is lost
   stays so. Skipped, with the reason, where there is no device. */
#include "bits.h"
#include "driver.h"

#include "base/backend_load.h"

#include <sys/wait.h>
#include <unistd.h>

/* ---- a process of its own ---- */

static void in_child(test_function *body) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        body();
        fflush(stdout);
        _exit(test_outcome());
    }
    int status = 0;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    bool skipped = WIFEXITED(status) && WEXITSTATUS(status) == 77;
    if (skipped) test_skip("see above");
    CHECK_MSG(skipped || (WIFEXITED(status) && WEXITSTATUS(status) == 0), "status %d", status);
}

/* ---- a scene whose lists take megabytes: two sheets that pass through each other ---- */

#define MOST_SIDE 100
#define MOST_ROWS (MOST_SIDE + 1)

static uint32_t side(void) { return one_in() > 1 ? 30 : MOST_SIDE; }

typedef struct sheets {
    uint32_t faces[4 * MOST_SIDE * MOST_SIDE][3];
    double x0[2 * MOST_ROWS * MOST_ROWS][3], x1[2 * MOST_ROWS * MOST_ROWS][3], times[2 * MOST_ROWS * MOST_ROWS];
    graze_mesh mesh;
    graze_step_result result[GRAZE_STEP_ALL + 1]; /* of the CPU */
} sheets;

static void make_sheets(sheets *s, graze_context *context) {
    test_random random = {5};
    const uint32_t cells = side(), rows = cells + 1;
    uint32_t faces = 0;
    for (uint32_t v = 0; v < 2 * rows * rows; v++) {
        uint32_t at = v % (rows * rows), upper = v / (rows * rows);
        double height = test_random_between(&random, 0, 0.01) + upper * 0.02;
        double x[3] = {at / rows / (double)cells, height, at % rows / (double)cells};
        memcpy(s->x0[v], x, sizeof x);
        x[1] += upper ? -0.05 : 0.05;
        memcpy(s->x1[v], x, sizeof x);
        if (at / rows == cells || at % rows == cells) continue;
        uint32_t quad[2][3] = {{v, v + 1, v + rows}, {v + 1, v + rows + 1, v + rows}};
        memcpy(s->faces[faces], quad, sizeof quad);
        faces += 2;
    }
    s->mesh = graze_default_mesh();
    CHECK(graze_mesh_from_faces(context, 2 * rows * rows, (const uint32_t(*)[3])s->faces, faces, &s->mesh) == GRAZE_OK);
}

static graze_status step(graze_context *context, sheets *s, graze_backend backend, int mode, graze_step_result *r) {
    graze_step_options options = graze_default_step_options();
    options.backend = backend;
    options.mode = (graze_step_mode)mode;
    options.vertex_toi = s->times;
    *r = graze_default_step_result();
    return graze_step(context, &s->mesh, POSITIONS(s), &options, r);
}

/* The answers of the CPU. */
static void answer_here(sheets *s) {
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    make_sheets(s, context);
    for (int mode = 0; mode <= GRAZE_STEP_ALL; mode++) {
        CHECK(step(context, s, GRAZE_BACKEND_CPU, mode, &s->result[mode]) == GRAZE_OK);
        CHECK(s->result[mode].verdict != GRAZE_CLEAR);
    }
    /* the list of mode ALL and the mesh are kept until the process ends, and with them the context */
}

/* ---- what a context says, and what happens when it asks whether to go on ---- */

typedef struct heard {
    char open[300], failed[300];
    void (*happens)(void *user); /* at the question that is left when `until` are asked */
    void *user;
    int until;
} heard;

static void hear(void *user, graze_log_level level, const char *line) {
    heard *h = user;
    (void)level;
    if (strncmp(line, "back end cuda: ", 15) == 0)
        snprintf(strstr(line, "on the CPU") ? h->failed : h->open, sizeof h->open, "%s", line);
}

static int question(void *user) {
    heard *h = user;
    if (h->happens && h->until-- == 0) h->happens(h->user);
    return 0;
}

static graze_context *hearing_context(heard *h) {
    graze_context_options options = graze_default_context_options();
    graze_context *context = NULL;
    options.threads = 2;
    options.log = hear;
    options.log_user = options.cancel_user = h;
    options.cancel = question;
    CHECK(graze_context_create(&options, &context) == GRAZE_OK);
    return context;
}

/* A step left to graze, in a context for which a device has long paid, has the bits of the CPU wherever it ran. */
static void check_left_to_us(graze_context *context, sheets *s, int mode, const char *what) {
    graze_step_result r;
    gz_backend_kept(context)->spent = 1e9;
    CHECK(step(context, s, GRAZE_BACKEND_AUTO, mode, &r) == GRAZE_OK);
    if (mode != GRAZE_STEP_ANY) check_same(&s->result[mode], s->result[mode].pairs, &r, r.pairs, what);
    graze_step_release(context, &r);
}

/* By name: all of it, or nothing. Whether it failed. */
static bool check_by_name(graze_context *context, sheets *s, int mode, const char *what) {
    graze_step_result r;
    graze_error error;
    graze_status status = step(context, s, GRAZE_BACKEND_CUDA, mode, &r);
    graze_context_last_error(context, &error);
    if (status == GRAZE_OK) {
        if (mode != GRAZE_STEP_ANY) check_same(&s->result[mode], s->result[mode].pairs, &r, r.pairs, what);
        CHECK(r.backend == GRAZE_BACKEND_CUDA);
        graze_step_release(context, &r);
        return false;
    }
    CHECK_MSG(status == GRAZE_ERR_DEVICE || status == GRAZE_ERR_UNSUPPORTED, "%s: %s", what, error.message);
    CHECK(strncmp(error.message, "back end cuda: ", 15) == 0);
    CHECK(r.verdict == GRAZE_UNRESOLVED && r.toi == 0 && !r.has_pair && !r.pairs && !r.pair_count);
    for (uint32_t v = 0; mode == GRAZE_STEP_VERTICES && v < s->mesh.vertex_count; v++)
        CHECK(s->times[v] == 0 || status == GRAZE_ERR_UNSUPPORTED);
    return true;
}

/* ---- not there ---- */

static void ask_without_a_device(void) {
    static sheets s;
    heard h = {0};
    setenv("CUDA_VISIBLE_DEVICES", "", 1);
    answer_here(&s);
    CHECK(!graze_backend_available(GRAZE_BACKEND_CUDA));
    graze_context *context = hearing_context(&h);
    for (int mode = 0; mode <= GRAZE_STEP_ALL; mode++) CHECK(check_by_name(context, &s, mode, "no device"));
    if (strstr(h.open, "cannot open")) test_skip("%s", h.open);
    if (strstr(h.open, "cannot open")) return;
    CHECK_MSG(strncmp(h.open, "back end cuda: no CUDA device: ", 31) == 0, "'%s'", h.open);
    graze_context_destroy(context);
    h = (heard){0};
    context = hearing_context(&h);
    for (int mode = 0; mode <= GRAZE_STEP_ALL; mode++) check_left_to_us(context, &s, mode, "no device");
    CHECK_MSG(strncmp(h.open, "back end cuda: no CUDA device: ", 31) == 0, "'%s'", h.open);
    graze_step_result r;
    CHECK(step(context, &s, GRAZE_BACKEND_AUTO, GRAZE_STEP_EARLIEST, &r) == GRAZE_OK && r.backend == GRAZE_BACKEND_CPU);
    graze_context_destroy(context);
}

TEST(without_a_device_or_a_driver_a_step_is_refused_by_name_and_done_on_the_cpu_else) {
    in_child(ask_without_a_device);
}

/* ---- lost ---- */

/* A kernel that traps: all of the process' work on the device is lost, for good. */
static void lose_device(void *user) {
    static const char trap[] = ".version 6.4\n.target sm_75\n.address_size 64\n.visible .entry lost() { trap; }\n";
    const driver *d = user;
    void *module = NULL, *function = NULL;
    CHECK(d->use(d->context) == 0 && d->load(&module, trap) == 0 && d->find(&function, module, "lost") == 0);
    CHECK(d->launch(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL) == 0);
    CHECK(d->wait() != 0);
}

/* By how many pages the process grows in a hundred steps. */
static long lost_growth(graze_context *context, sheets *s) {
    long before = resident_pages();
    for (int i = 0; i < 100; i++) CHECK(check_by_name(context, s, GRAZE_STEP_EARLIEST, "lost for good"));
    return resident_pages() - before;
}

/* In a mode, at a question: at first on the device, and from then on nothing is. A step whose answer had come before
   may still be whole. */
static void lose_in_mode(int mode, int at, bool by_name) {
    static sheets s;
    static driver d;
    if (!have_device() || !driver_open(&d)) return;
    answer_here(&s);
    heard h = {.user = &d};
    graze_context *context = hearing_context(&h);
    CHECK(!check_by_name(context, &s, mode, "before it is lost"));
    h.until = at;
    h.happens = lose_device;
    if (by_name)
        CHECK(check_by_name(context, &s, mode, "lost") || at > 0);
    else
        check_left_to_us(context, &s, mode, "lost");
    CHECK_MSG(h.until < 0, "the device was not lost: %d more questions", h.until);
    for (int next = 0; next <= GRAZE_STEP_ALL; next++) {
        CHECK(check_by_name(context, &s, next, "after it was lost"));
        check_left_to_us(context, &s, next, "after it was lost");
    }
    CHECK_MSG(strstr(h.failed, "; the step is done on the CPU") != NULL, "'%s'", h.failed);
    long growth = lost_growth(context, &s);
    for (int i = 0; i < 2 && growth >= 512; i++) growth = lost_growth(context, &s); /* what leaks does so every time */
    CHECK_MSG(growth < 512, "%ld pages in 100 steps", growth);
    graze_step_options options = graze_default_step_options();
    graze_pair *pairs;
    size_t count;
    options.backend = GRAZE_BACKEND_CUDA;
    CHECK(graze_candidates(context, &s.mesh, POSITIONS(&s), &options, &pairs, &count) == GRAZE_ERR_DEVICE && !pairs);
    options.backend = GRAZE_BACKEND_AUTO;
    gz_backend_kept(context)->spent = 1e9;
    CHECK(graze_candidates(context, &s.mesh, POSITIONS(&s), &options, &pairs, &count) == GRAZE_OK && count > 1000);
    graze_pairs_release(context, pairs, count);
    graze_context_destroy(context);
    CHECK(!graze_backend_available(GRAZE_BACKEND_CUDA));
}

static void lose_in_earliest(void) { lose_in_mode(GRAZE_STEP_EARLIEST, 1, true); }
static void lose_in_vertices(void) { lose_in_mode(GRAZE_STEP_VERTICES, 1, false); }
static void lose_in_all(void) { lose_in_mode(GRAZE_STEP_ALL, 1, false); }
static void lose_before_all(void) { lose_in_mode(GRAZE_STEP_ALL, 0, true); }

TEST(a_device_that_is_lost_in_the_middle_is_an_error_by_name_and_a_step_on_the_cpu_else) {
    in_child(lose_in_earliest);
    in_child(lose_in_vertices);
    in_child(lose_in_all);
    in_child(lose_before_all);
}

/* ---- no memory ---- */

#define BLOCKS 64

/* All memory of the device but so much. */
typedef struct hoard {
    driver d;
    device_address blocks[BLOCKS];
    int count;
    size_t leave;
} hoard;

static void take_memory(void *user) {
    hoard *all = user;
    size_t available = 0, total = 0, size;
    CHECK(all->d.use(all->d.context) == 0 && all->d.memory(&available, &total) == 0);
    for (size = available; size >= (size_t)2 << 20 && all->count < BLOCKS; size /= 2) {
        size_t left = 0;
        CHECK(all->d.memory(&left, &total) == 0);
        while (left > all->leave + size && all->count < BLOCKS &&
               all->d.allocate(&all->blocks[all->count], size) == 0) {
            all->count++;
            CHECK(all->d.memory(&left, &total) == 0);
        }
    }
}

static void give_memory_back(hoard *all) {
    while (all->count) CHECK(all->d.release(all->blocks[--all->count]) == 0);
}

/* A context that has to find its memory while there is little, from the start or from a question on; then there is
   enough, and it goes on as if nothing had been. */
static bool step_in_little(sheets *s, hoard *all, int mode, bool later) {
    heard h = {.user = all};
    graze_context *context = hearing_context(&h);
    char what[100];
    snprintf(what, sizeof what, "mode %d, %zu MB left%s", mode, all->leave >> 20, later ? " in the middle" : "");
    if (later) h.happens = take_memory;
    if (!later) take_memory(all);
    bool failed = check_by_name(context, s, mode, what);
    check_left_to_us(context, s, mode, what);
    h.happens = NULL;
    give_memory_back(all);
    bool again = gz_backend_kept(context)->device && check_by_name(context, s, mode, what);
    graze_error error;
    graze_context_last_error(context, &error);
    CHECK_MSG(!again, "%s, and with memory again: %s", what, error.message);
    graze_context_destroy(context);
    return failed;
}

static void step_with_little_memory(void) {
    static const size_t megabytes[] = {0, 8, 24, 48, 96, 160, 256};
    static sheets s;
    static hoard all, most = {.leave = (size_t)4 << 30}; /* stacks of all threads that fit take a gigabyte */
    if (!have_device() || !driver_open(&all.d)) return;
    answer_here(&s);
    heard h = {0};
    graze_context *context = hearing_context(&h); /* then all code is loaded, and the stacks of threads are there */
    for (int mode = 0; mode <= GRAZE_STEP_ALL; mode++) CHECK(!check_by_name(context, &s, mode, "all memory"));
    graze_context_destroy(context);
    most.d = all.d;
    take_memory(&most);
    int failed = 0, whole = 0;
    unsigned turn = 0;
    for (size_t i = 0; i < sizeof megabytes / sizeof *megabytes; i++)
        for (int mode = 0; mode <= GRAZE_STEP_ALL; mode++)
            for (int later = 0; later < 2; later++) {
                if (mode == GRAZE_STEP_ANY || left_out(&turn)) continue;
                all.leave = megabytes[i] << 20;
                if (step_in_little(&s, &all, mode, later))
                    failed++;
                else
                    whole++;
            }
    printf("      %d steps failed, %d were whole\n", failed, whole);
    CHECK(failed > 5 / (int)one_in() && whole > 5 / (int)one_in());
    give_memory_back(&most);
}

TEST(a_device_without_memory_is_an_error_by_name_and_a_step_on_the_cpu_else) { in_child(step_with_little_memory); }

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
