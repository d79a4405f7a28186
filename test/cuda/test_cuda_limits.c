/* Limits on the CUDA back end: memory, checks, deadline and cancelling. The bits of the CPU, or a closed result.
   Skipped, with the reason, where there is no device. */
#include "bits.h"

#include <limits.h>
#include <stdatomic.h>

/* The report of a context on its last step on the device. */
typedef struct heard {
    unsigned passes;
    atomic_int calls, most; /* of the cancel callback; from `most` on it cancels */
} heard;

static void hear(void *user, graze_log_level level, const char *line) {
    heard *h = user;
    const char *found = strstr(line, "back end cuda, ");
    (void)level;
    if (found) sscanf(found, "back end cuda, %u passes", &h->passes);
}

static int cancel(void *user) {
    heard *h = user;
    return atomic_fetch_add(&h->calls, 1) >= h->most;
}

static graze_context *hearing_context(heard *h, bool cancelled) {
    graze_context_options options = graze_default_context_options();
    graze_context *context = NULL;
    options.threads = 4;
    options.log = hear;
    options.log_user = h;
    if (cancelled) options.cancel = cancel, options.cancel_user = h;
    CHECK(graze_context_create(&options, &context) == GRAZE_OK);
    return context;
}

static double times[2][3 * SOUP_MAX]; /* of mode VERTICES: on the device, on the CPU */

static graze_status step(graze_context *context, const soup *s, const graze_step_options *options,
                         graze_backend backend, graze_step_result *result) {
    graze_step_options asked = *options;
    asked.backend = backend;
    asked.memory_limit = backend == GRAZE_BACKEND_CPU ? 0 : options->memory_limit;
    asked.vertex_toi = times[backend == GRAZE_BACKEND_CPU];
    *result = graze_default_step_result();
    return graze_step(context, &s->mesh, POSITIONS(s), &asked, result);
}

static void compare(graze_context *context, const soup *s, const graze_step_options *options, const char *what) {
    graze_step_result here, there;
    CHECK(step(context, s, options, GRAZE_BACKEND_CPU, &here) == GRAZE_OK);
    CHECK_MSG(step(context, s, options, GRAZE_BACKEND_CUDA, &there) == GRAZE_OK, "%s", what);
    check_same(&here, here.pairs, &there, there.pairs, what);
    if (options->mode == GRAZE_STEP_VERTICES)
        CHECK_MSG(memcmp(times[0], times[1], s->mesh.vertex_count * sizeof(double)) == 0, "%s: times", what);
    graze_step_release(context, &here);
    graze_step_release(context, &there);
}

static void compare_candidates(graze_context *context, const soup *s, size_t limit, const char *what) {
    graze_pair *pairs[2];
    size_t count[2];
    for (int i = 0; i < 2; i++) {
        graze_step_options options = graze_default_step_options();
        options.backend = i ? GRAZE_BACKEND_CUDA : GRAZE_BACKEND_CPU;
        options.memory_limit = i ? limit : 0;
        CHECK(graze_candidates(context, &s->mesh, POSITIONS(s), &options, &pairs[i], &count[i]) == GRAZE_OK);
    }
    CHECK_MSG(count[0] == count[1] && (!count[0] || memcmp(pairs[0], pairs[1], count[0] * sizeof *pairs[0]) == 0),
              "%s: %zu and %zu candidates", what, count[0], count[1]);
    for (int i = 0; i < 2; i++) graze_pairs_release(context, pairs[i], count[i]);
}

/* In turn, so that lists shrink and grow from step to step. */
TEST(any_memory_limit_gives_the_bits_of_none) {
    if (!have_device()) return;
    static const size_t limits[] = {1, 0, 1 << 14, 1 << 12, 1 << 17, (size_t)1 << 31};
    static soup s;
    static double thickness[3 * SOUP_MAX];
    for (int v = 0; v < 3 * SOUP_MAX; v++) thickness[v] = 1e-3 * (v % 7);
    heard h = {0};
    graze_context *context = hearing_context(&h, false);
    unsigned least = UINT_MAX; /* passes of a mode in the style that takes most, by the smallest limit */
    unsigned most[GRAZE_STEP_ALL + 1] = {0}, turn = 0;
    for (int style = 0; style <= SOUP_STYLES; style++) {
        bool thick = style == SOUP_STYLES;
        soup_make(&s, context, thick ? SOUP_UNIFORM : (soup_style)style, most_triangles(), 3);
        s.mesh.thickness = thick ? thickness : NULL;
        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
            for (int mode = 0; mode <= GRAZE_STEP_ALL; mode++) {
                if (mode == GRAZE_STEP_ANY || left_out(&turn)) continue;
                graze_step_options options = graze_default_step_options();
                options.mode = (graze_step_mode)mode;
                options.memory_limit = limits[i];
                char what[80];
                snprintf(what, sizeof what, "style %d, mode %d, limit %zu", style, mode, limits[i]);
                compare(context, &s, &options, what);
                if (limits[i] == 1 && h.passes > most[mode]) most[mode] = h.passes;
                compare_candidates(context, &s, limits[i], what);
            }
        graze_mesh_release(context, &s.mesh);
    }
    for (int mode = 0; mode <= GRAZE_STEP_ALL; mode++)
        if (mode != GRAZE_STEP_ANY && most[mode] < least) least = most[mode];
    CHECK_MSG(least > 8, "%u passes at most", least);
    graze_context_destroy(context);
}

/* ---- many passes ---- */

/* Cells along a side: four million triangles, or some thousand. */
static uint32_t sheet_cells(void) { return one_in() > 1 ? 30 : 1000; }

/* Two rough sheets that go through each other. */
typedef struct sheets {
    double (*x0)[3], (*x1)[3];
    uint32_t (*faces)[3];
    graze_mesh mesh;
} sheets;

static void make_sheets(sheets *s, graze_context *context) {
    const uint32_t cells = sheet_cells(), corners = cells + 1, count = 2 * corners * corners;
    test_random random = {4};
    uint32_t face = 0;
    s->x0 = malloc(count * sizeof *s->x0), s->x1 = malloc(count * sizeof *s->x1);
    s->faces = malloc(4 * cells * cells * sizeof *s->faces);
    for (uint32_t v = 0; v < count; v++) {
        uint32_t sheet = v / (corners * corners), i = v / corners % corners, j = v % corners;
        double at[3] = {i + 0.5 * sheet, j, sheet}, motion[3] = {0, 0, sheet ? -0.3 : 0.3};
        for (int c = 0; c < 3; c++) {
            s->x0[v][c] = at[c] + 0.4 * (test_random_unit(&random) - 0.5);
            s->x1[v][c] = s->x0[v][c] + motion[c] + 0.3 * (test_random_unit(&random) - 0.5);
        }
        if (i == cells || j == cells) continue;
        memcpy(s->faces[face++], (uint32_t[3]){v, v + 1, v + corners}, sizeof *s->faces);
        memcpy(s->faces[face++], (uint32_t[3]){v + 1, v + corners + 1, v + corners}, sizeof *s->faces);
    }
    s->mesh = graze_default_mesh();
    CHECK(graze_mesh_from_faces(context, count, (const uint32_t(*)[3])s->faces, face, &s->mesh) == GRAZE_OK);
}

static void free_sheets(sheets *s, graze_context *context) {
    graze_mesh_release(context, &s->mesh);
    free(s->x0), free(s->x1), free(s->faces);
}

/* In a pass over a few packets nearly all warps wait for what others have left: what is given to them while the
   counters are busy must not be forgotten. */
TEST(what_warps_give_to_others_is_never_lost) {
    if (!have_device()) return;
    static sheets s;
    heard h = {0};
    graze_context *context = hearing_context(&h, false);
    graze_step_options options = graze_default_step_options();
    graze_step_result whole = graze_default_step_result();
    const uint32_t cells = sheet_cells();
    make_sheets(&s, context);
    options.backend = GRAZE_BACKEND_CUDA;
    options.mode = GRAZE_STEP_ALL;
    CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &whole) == GRAZE_OK);
    for (int i = 0; i < 30 / (int)one_in(); i++) {
        graze_step_result r = graze_default_step_result();
        options.memory_limit = (i % 2 ? 4 : 8) * (size_t)cells * cells;
        CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &r) == GRAZE_OK);
        CHECK_MSG(h.passes > (one_in() > 1 ? 30 : 100), "%u passes", h.passes);
        check_same(&whole, whole.pairs, &r, r.pairs, "in many passes");
        graze_step_release(context, &r);
    }
    graze_step_release(context, &whole);
    free_sheets(&s, context);
    graze_context_destroy(context);
}

TEST(any_number_of_checks_gives_the_bits_of_the_cpu) {
    if (!have_device()) return;
    static const uint64_t checks[] = {1, 2, 3, 5, 6, 10, 40};
    static soup s;
    graze_context *context = test_context(4, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, most_triangles(), 2);
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        for (int all = 0; all < 2; all++) {
            graze_options narrow = graze_default_options();
            narrow.max_checks = checks[i];
            graze_step_options options = graze_default_step_options();
            options.narrow = &narrow;
            options.mode = all ? GRAZE_STEP_ALL : GRAZE_STEP_EARLIEST;
            compare(context, &s, &options, "few checks");
        }
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

static void check_closed(const graze_step_result *r) {
    CHECK(r->verdict == GRAZE_UNRESOLVED && r->reason == GRAZE_REASON_CANCELLED && r->toi == 0 && !r->has_pair);
    CHECK(!r->pairs && r->pair_count == 0 && r->candidates[0] == GRAZE_NOT_COUNTED);
}

/* At whichever question the call is cancelled: it is closed, or whole; and the next one is whole. */
TEST(a_step_that_is_cancelled_anywhere_is_closed_and_the_next_one_whole) {
    if (!have_device()) return;
    static soup s;
    heard h = {0};
    graze_context *context = hearing_context(&h, true);
    soup_make(&s, context, SOUP_SAME, most_triangles(), 2);
    static const graze_step_mode modes[] = {GRAZE_STEP_EARLIEST, GRAZE_STEP_ANY, GRAZE_STEP_VERTICES, GRAZE_STEP_ALL};
    int closed = 0;
    unsigned turn = 0;
    for (int m = 0; m < 4; m++)
        for (int question = 0; question < 40; question++) {
            if (left_out(&turn)) continue;
            graze_step_options options = graze_default_step_options();
            options.mode = modes[m];
            options.memory_limit = question % 2 ? 1 << 12 : 0;
            graze_step_result r;
            h.calls = 0;
            h.most = question;
            CHECK(step(context, &s, &options, GRAZE_BACKEND_CUDA, &r) == GRAZE_OK);
            bool ended = h.calls > question;
            if (ended) check_closed(&r);
            for (uint32_t v = 0; ended && modes[m] == GRAZE_STEP_VERTICES && v < s.mesh.vertex_count; v++)
                CHECK(times[0][v] == 0); /* nobody moves */
            closed += ended;
            graze_step_release(context, &r);
            h.most = INT_MAX;
            if (modes[m] != GRAZE_STEP_ANY) compare(context, &s, &options, "after a step that was cancelled");
        }
    CHECK_MSG(closed > 40 / (int)one_in(), "only %d of 160 steps were asked about often enough", closed);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

TEST(a_step_past_its_deadline_is_closed) {
    if (!have_device()) return;
    static soup s;
    graze_context_options wanted = graze_default_context_options();
    wanted.deadline_seconds = 1e-9;
    graze_context *context;
    CHECK(graze_context_create(&wanted, &context) == GRAZE_OK);
    soup_make(&s, context, SOUP_UNIFORM, 100, 2);
    for (int mode = 0; mode <= GRAZE_STEP_ALL; mode++) {
        graze_step_options options = graze_default_step_options();
        options.mode = (graze_step_mode)mode;
        graze_step_result r;
        CHECK(step(context, &s, &options, GRAZE_BACKEND_CUDA, &r) == GRAZE_OK);
        check_closed(&r);
    }
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
