/* Limits on the CUDA back end: memory, checks, deadline and cancelling. The bits of the CPU, or a closed result.
   Skipped, with the reason, where there is no device. */
#include "bits.h"

#include <limits.h>
#include <stdatomic.h>

/* What a context said of its last step on the device. */
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

static graze_status step(graze_context *context, const soup *s, const graze_step_options *options,
                         graze_backend backend, graze_step_result *result) {
    graze_step_options asked = *options;
    asked.backend = backend;
    asked.memory_limit = backend == GRAZE_BACKEND_CPU ? 0 : options->memory_limit;
    *result = graze_default_step_result();
    return graze_step(context, &s->mesh, POSITIONS(s), &asked, result);
}

static void compare(graze_context *context, const soup *s, const graze_step_options *options, const char *what) {
    graze_step_result here, there;
    CHECK(step(context, s, options, GRAZE_BACKEND_CPU, &here) == GRAZE_OK);
    CHECK_MSG(step(context, s, options, GRAZE_BACKEND_CUDA, &there) == GRAZE_OK, "%s", what);
    check_same(&here, here.pairs, &there, there.pairs, what);
    graze_step_release(context, &here);
    graze_step_release(context, &there);
}

/* In turn, so that lists shrink and grow from step to step. */
TEST(any_memory_limit_gives_the_bits_of_none) {
    if (!have_device()) return;
    static const size_t limits[] = {1, 0, 1 << 14, 1 << 12, 1 << 17, (size_t)1 << 31};
    static soup s;
    heard h = {0};
    graze_context *context = hearing_context(&h, false);
    unsigned most = 0;
    for (int style = 0; style < SOUP_STYLES; style++) {
        soup_make(&s, context, (soup_style)style, SOUP_MAX, 3);
        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
            for (int mode = 0; mode <= GRAZE_STEP_ALL; mode++) {
                if (mode == GRAZE_STEP_VERTICES || mode == GRAZE_STEP_ANY) continue;
                graze_step_options options = graze_default_step_options();
                options.mode = (graze_step_mode)mode;
                options.memory_limit = limits[i];
                char what[80];
                snprintf(what, sizeof what, "style %d, mode %d, limit %zu", style, mode, limits[i]);
                compare(context, &s, &options, what);
                if (limits[i] == 1 && h.passes > most) most = h.passes;
            }
        graze_mesh_release(context, &s.mesh);
    }
    CHECK_MSG(most > 8, "%u passes at most", most);
    graze_context_destroy(context);
}

TEST(any_number_of_checks_gives_the_bits_of_the_cpu) {
    if (!have_device()) return;
    static const uint64_t checks[] = {1, 2, 3, 5, 6, 10, 40};
    static soup s;
    graze_context *context = test_context(4, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, SOUP_MAX, 2);
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
    soup_make(&s, context, SOUP_SAME, SOUP_MAX, 2);
    int closed = 0;
    for (int all = 0; all < 2; all++)
        for (int question = 0; question < 40; question++) {
            graze_step_options options = graze_default_step_options();
            options.mode = all ? GRAZE_STEP_ALL : GRAZE_STEP_EARLIEST;
            options.memory_limit = question % 2 ? 1 << 12 : 0;
            graze_step_result r;
            h.calls = 0;
            h.most = question;
            CHECK(step(context, &s, &options, GRAZE_BACKEND_CUDA, &r) == GRAZE_OK);
            bool ended = h.calls > question;
            if (ended) check_closed(&r);
            closed += ended;
            graze_step_release(context, &r);
            h.most = INT_MAX;
            compare(context, &s, &options, "after a step that was cancelled");
        }
    CHECK_MSG(closed > 20, "only %d of 80 steps were asked about often enough", closed);
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
    for (int all = 0; all < 2; all++) {
        graze_step_options options = graze_default_step_options();
        options.mode = all ? GRAZE_STEP_ALL : GRAZE_STEP_EARLIEST;
        graze_step_result r;
        CHECK(step(context, &s, &options, GRAZE_BACKEND_CUDA, &r) == GRAZE_OK);
        check_closed(&r);
    }
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
