/* A back end for test_backend: answers every step with the pair that its state counts, and says what was done with it.
   FAKE_VERSION and FAKE_DEVICE in the environment spoil it. */
#include "step/backend.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct fake {
    int device;
    uint32_t steps;
} fake;

static bool open_fake(int device, void **state, char *reason, size_t room) {
    if (getenv("FAKE_DEVICE") && device >= atoi(getenv("FAKE_DEVICE"))) {
        snprintf(reason, room, "there is no device %d", device);
        return false;
    }
    fake *made = malloc(sizeof *made);
    *made = (fake){.device = device};
    *state = made;
    return true;
}

static void close_fake(void *state) { free(state); }

/* Mode ALL is what it does not do. */
static graze_status step_fake(void *state, const gz_step_call *call, const gz_backend_host *host,
                              graze_step_result *result) {
    fake *mine = state;
    if (call->options.mode == GRAZE_STEP_ALL)
        return host->fail(call->context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "fake: not in mode all");
    const uint32_t pairs[1][2] = {{3, 0}};
    host->answer(call, GRAZE_VF, pairs, 1, &result->limiting.result);
    result->limiting.pair = (graze_pair){GRAZE_VF, 3, 0};
    result->has_pair = 1;
    result->verdict = result->limiting.result.verdict;
    result->toi = result->limiting.result.toi;
    result->hits[0] = ++mine->steps;
    result->hits[1] = (uint64_t)mine->device;
    return GRAZE_OK;
}

static gz_backend table = {GZ_BACKEND_VERSION, sizeof(gz_step_call), "fake", open_fake, close_fake, step_fake};

__attribute__((visibility("default"))) const gz_backend *graze_backend_table(void);
const gz_backend *graze_backend_table(void) {
    table.version = getenv("FAKE_VERSION") ? GZ_BACKEND_VERSION + 1 : GZ_BACKEND_VERSION;
    return &table;
}
