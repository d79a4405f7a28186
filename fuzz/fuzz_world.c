/* Worlds of bodies of every motion, drawn from bytes. Judges: dense sampling of the same motions, brute force over all
   pairs, every instruction set. */
#include "fuzz/numbers.h"

#include "world/mixed_judge.h"

/* Half a circle has no shorter way, and such poses are refused. */
static bool is_refused(const mixed_world *world) {
    graze_context *context = fuzz_context(GRAZE_ISA_SCALAR);
    graze_world *made = NULL;
    graze_articulated_result result = graze_default_articulated_result();
    fuzz_require(graze_world_create(context, world->given, world->count, NULL, &made) == GRAZE_OK);
    graze_status status = graze_world_step(context, made, world->motions, world->count, NULL, &result);
    graze_world_release(made);
    fuzz_require(status == GRAZE_OK || status == GRAZE_ERR_INVALID_ARGUMENT);
    if (status != GRAZE_OK) fuzz_require(result.verdict == GRAZE_UNRESOLVED && result.toi == 0);
    return status != GRAZE_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static mixed_world world;
    graze_context *contexts[FUZZ_ISAS];
    int count = 0;
    verdicts tally = {0};
    test_random random = {1};
    for (graze_isa isa = GRAZE_ISA_SCALAR; isa < (graze_isa)FUZZ_ISAS; isa++)
        if (fuzz_context(isa)) contexts[count++] = fuzz_context(isa);
    test_random_feed(data, size);
    mixed_make(&random, contexts[0], MIXED_KINDS, &world);
    test_random_feed(NULL, 0);
    if (!is_refused(&world)) check_world(&world, contexts, count, 0, &tally);
    mixed_release(&world);
    fuzz_end();
    return 0;
}
