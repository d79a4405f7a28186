/* Random motions of small models, with turns of up to ten circles, straight and as polynomials up to degree 7, against
   distances of 256 bits: no answer is late, a hit that is not proven is within the tolerance, and a proven one has a
   narrow bracket with a contact at its end.

   usage: test_articulated_motions [SEED COUNT [PROCESSES]]: motions from that seed on; without: the sample of a test.
 */
#include "articulated/random_motions.h"

#include <sys/wait.h>
#include <unistd.h>

enum { SAMPLE = 1200 };

static void try_motion(tally *t, graze_context *context, uint64_t seed, int samples) {
    moving m;
    CHECK(make_motion(&m, context, seed) == GRAZE_OK);
    graze_articulated_result r = graze_default_articulated_result(), any = graze_default_articulated_result();
    graze_status status =
        graze_articulated_step(context, (const graze_model *const *)&m.model, 1, &m.motion, &m.options, &r);
    CHECK_MSG(status == GRAZE_OK || status == GRAZE_ERR_INVALID_ARGUMENT, "seed %llu: %s", (unsigned long long)seed,
              graze_status_name(status));
    if (status == GRAZE_OK) { /* else a screw that turns by whole circles */
        m.options.mode = GRAZE_ARTICULATED_ANY;
        CHECK(graze_articulated_step(context, (const graze_model *const *)&m.model, 1, &m.motion, &m.options, &any) ==
              GRAZE_OK);
        judge(t, &m, &r, any.verdict, samples);
    }
    graze_model_destroy(context, m.model);
}

static tally try_motions(uint64_t first, uint64_t count, uint64_t step, int samples) {
    tally t = {0};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    for (uint64_t i = 0; i < count; i += step) try_motion(&t, context, first + i, samples);
    graze_context_destroy(context);
    CHECK_MSG(t.stuck <= 2 + t.motions / 500, "%ld of %ld motions unresolved, though known well", t.stuck, t.motions);
    printf("  seeds %llu …: %ld motions, %ld clear, %ld proven, %ld within the tolerance, %ld unresolved, %ld wrong\n",
           (unsigned long long)first, t.motions, t.clear, t.proven, t.within, t.unresolved, t.bad);
    return t;
}

TEST(answers_of_motions_up_to_ten_circles_are_as_promised) {
    tally t = try_motions(1, SAMPLE, 1, 12);
    CHECK(t.clear > SAMPLE / 20 && t.proven > SAMPLE / 4);
    CHECK(t.unresolved <= SAMPLE / 30);
}

/* One of several processes, each with every n-th motion. */
static int run_shard(uint64_t first, uint64_t count, uint64_t index, uint64_t processes) {
    tally t = index < count ? try_motions(first + index, count - index, processes, 40) : (tally){0};
    fflush(stdout);
    return t.bad > 0;
}

static int run_many(uint64_t first, uint64_t count, uint64_t processes) {
    int failed = 0, status;
    for (uint64_t i = 0; i < processes; i++) {
        pid_t child = fork();
        if (child == 0) _exit(run_shard(first, count, i, processes));
        failed += child < 0;
    }
    while (wait(&status) > 0) failed += status != 0;
    printf("%llu motions: %s\n", (unsigned long long)count, failed ? "FAILED" : "as promised");
    return failed ? 1 : 0;
}

int main(int argc, char **argv) {
    if (argc >= 3 && strspn(argv[1], "0123456789") == strlen(argv[1]))
        return run_many(strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10),
                        argc > 3 ? strtoull(argv[3], NULL, 10) : 1);
    return RUN_TESTS(argc, argv);
}
