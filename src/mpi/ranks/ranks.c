#include "mpi/ranks/ranks.h"

#include <string.h>

static graze_status broken(gz_ranks *ranks) {
    return gz_fail(ranks->context, GRAZE_ERR_DEVICE, UINT64_MAX, "an exchange over MPI failed");
}

graze_status gz_ranks_open(graze_context *context, const gz_transport *transport, void *handle, graze_status mine,
                           gz_hold *hold, gz_ranks *ranks) {
    *ranks = (gz_ranks){.context = context, .transport = transport, .handle = handle};
    ranks->rank = transport->rank(handle);
    ranks->count = transport->count(handle);
    ranks->words = gz_hold_get(hold, 4 * (size_t)ranks->count, sizeof *ranks->words);
    for (int i = 0; i < 2; i++) ranks->sizes[i] = gz_hold_get(hold, ranks->count, sizeof *ranks->sizes[i]);
    bool all = ranks->words && ranks->sizes[0] && ranks->sizes[1];
    return gz_ranks_agree(ranks, mine == GRAZE_OK && !all ? GRAZE_ERR_OUT_OF_MEMORY : mine);
}

/* The failure of rank `from` becomes that of all. */
static graze_status take_error(gz_ranks *ranks, uint32_t from, graze_status status) {
    graze_error error = ranks->context->error;
    bool told = ranks->rank == from && error.status == status && error.message[0];
    if (ranks->rank == from && !told) {
        gz_fail(ranks->context, status, UINT64_MAX, "%s", graze_status_name(status));
        error = ranks->context->error;
    }
    if (!ranks->transport->broadcast(ranks->handle, from, &error, sizeof error)) return broken(ranks);
    if (ranks->rank != from) gz_fail(ranks->context, status, error.index, "rank %u: %.180s", from, error.message);
    return status;
}

graze_status gz_ranks_agree(gz_ranks *ranks, graze_status mine) {
    ranks->collectives++;
    uint64_t worst = mine == GRAZE_OK ? 0 : (uint64_t)mine << 32 | (UINT32_MAX - ranks->rank);
    if (!ranks->transport->greatest(ranks->handle, &worst)) return broken(ranks);
    return worst ? take_error(ranks, UINT32_MAX - (uint32_t)worst, (graze_status)(worst >> 32)) : GRAZE_OK;
}

graze_status gz_ranks_gather(gz_ranks *ranks, graze_status mine, const void *item, size_t size, void *all) {
    graze_status status = gz_ranks_agree(ranks, mine);
    if (status != GRAZE_OK) return status;
    ranks->collectives++;
    ranks->gathered += size * (ranks->count - 1);
    return ranks->transport->gather(ranks->handle, item, size, all) ? GRAZE_OK : broken(ranks);
}

size_t gz_ranks_sum(const gz_ranks *ranks, const size_t *counts) {
    size_t sum = 0;
    for (uint32_t i = 0; i < ranks->count; i++) sum += counts[i];
    return sum;
}

static graze_status move(gz_ranks *ranks, const void *items, const size_t *counts, size_t size, void *received,
                         const size_t *received_counts) {
    for (uint32_t i = 0; i < ranks->count; i++) {
        ranks->sizes[0][i] = counts[i] * size;
        ranks->sizes[1][i] = received_counts[i] * size;
        if (i == ranks->rank || !counts[i]) continue;
        ranks->messages++;
        ranks->bytes += counts[i] * size;
    }
    bool moved = ranks->transport->exchange(ranks->handle, items, ranks->sizes[0], received, ranks->sizes[1]);
    return moved ? GRAZE_OK : broken(ranks);
}

graze_status gz_ranks_pass(gz_ranks *ranks, graze_status mine, const void *items, const size_t *counts, size_t size,
                           void *received, const size_t *received_counts) {
    graze_status status = gz_ranks_agree(ranks, mine);
    return status == GRAZE_OK ? move(ranks, items, counts, size, received, received_counts) : status;
}

graze_status gz_ranks_exchange(gz_ranks *ranks, graze_status mine, gz_hold *hold, const void *items,
                               const size_t *counts, size_t size, void **received, size_t *received_counts) {
    graze_status status = gz_ranks_agree(ranks, mine);
    if (status != GRAZE_OK) return status;
    ranks->collectives++;
    ranks->gathered += sizeof(uint64_t) * (ranks->count - 1);
    uint64_t *sent = ranks->words, *got = sent + ranks->count;
    for (uint32_t i = 0; i < ranks->count; i++) sent[i] = counts[i];
    if (!ranks->transport->words(ranks->handle, sent, got, 1)) return broken(ranks);
    for (uint32_t i = 0; i < ranks->count; i++) received_counts[i] = (size_t)got[i];
    *received = gz_hold_get(hold, gz_ranks_sum(ranks, received_counts), size);
    return gz_ranks_pass(ranks, *received ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY, items, counts, size, *received,
                         received_counts);
}
