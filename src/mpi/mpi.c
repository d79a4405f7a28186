/* The doors of steps over ranks. */
#include "graze/mpi.h"

#include "base/sizes.h"
#include "mpi/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const graze_mpi_result closed = {.struct_size = sizeof closed, .toi_upper = INFINITY, .imbalance = 1};

void graze_init_mpi_result(graze_mpi_result *result, size_t size) {
    gz_sized_init(result, size, &closed, sizeof closed);
}

graze_status graze_mpi_start(graze_context *context, graze_mpi_comm *world) {
    gz_fp_environment env;
    gz_mpi_kept *kept;
    const gz_transport *transport;
    char reason[160] = "";
    if (!context || !world) return GRAZE_ERR_INVALID_ARGUMENT;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    status = gz_mpi_open(context, &transport, &kept);
    if (status == GRAZE_OK && !transport->start(world, reason, sizeof reason))
        status = gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "MPI: %s", reason);
    return gz_context_leave(context, &env, status);
}

graze_status graze_mpi_finish(graze_context *context) {
    gz_fp_environment env;
    gz_mpi_kept *kept;
    const gz_transport *transport;
    if (!context) return GRAZE_ERR_INVALID_ARGUMENT;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    status = gz_mpi_open(context, &transport, &kept);
    if (status == GRAZE_OK && !transport->finish())
        status = gz_fail(context, GRAZE_ERR_DEVICE, UINT64_MAX, "MPI_Finalize failed");
    return gz_context_leave(context, &env, status);
}

graze_status graze_mpi_ranks(graze_context *context, graze_mpi_comm comm, uint32_t *rank, uint32_t *count) {
    gz_fp_environment env;
    gz_mpi_kept *kept;
    gz_hold hold;
    gz_ranks ranks = {0};
    if (!context) return GRAZE_ERR_INVALID_ARGUMENT;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    status = gz_mpi_open_ranks(context, comm, &hold, &kept, &ranks);
    if (rank) *rank = ranks.rank;
    if (count) *count = ranks.count;
    gz_hold_free(&hold);
    return gz_context_leave(context, &env, status);
}

graze_status graze_mpi_agree(graze_context *context, graze_mpi_comm comm, graze_status mine, const char *message) {
    gz_fp_environment env;
    gz_mpi_kept *kept;
    gz_hold hold;
    gz_ranks ranks;
    if (!context) return GRAZE_ERR_INVALID_ARGUMENT;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    status = gz_mpi_open_ranks(context, comm, &hold, &kept, &ranks);
    if (status == GRAZE_OK && mine != GRAZE_OK && message) gz_fail(context, mine, UINT64_MAX, "%.190s", message);
    if (status == GRAZE_OK) status = gz_ranks_agree(&ranks, mine);
    gz_hold_free(&hold);
    return gz_context_leave(context, &env, status);
}

static graze_status step(graze_context *context, graze_mpi_comm comm, const gz_asked *asked, graze_status mine,
                         graze_mpi_result *found) {
    gz_mpi_kept *kept;
    gz_hold hold;
    gz_ranks ranks;
    graze_status status = gz_mpi_open_ranks(context, comm, &hold, &kept, &ranks);
    if (status == GRAZE_OK) status = gz_mpi_run(&ranks, mine, asked, &kept->dealt, found);
    gz_hold_free(&hold);
    return status;
}

graze_status graze_mpi_step(graze_context *context, graze_mpi_comm comm, const graze_mpi_part *part,
                            const double (*x0)[3], const double (*x1)[3], const graze_step_options *options,
                            graze_mpi_result *result) {
    gz_fp_environment env;
    gz_asked asked;
    graze_mpi_result found = closed;
    if (!context || !result) return GRAZE_ERR_INVALID_ARGUMENT;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    bool sized = gz_sized_check(context, "result", result, GZ_SIZE_UP_TO(graze_mpi_result, ms_total)) == GRAZE_OK;
    if (sized) gz_sized_write(result, &closed, sizeof closed);
    graze_status mine = gz_asked_read(context, part, x0, x1, options, &asked);
    status = step(context, comm, &asked, sized ? mine : GRAZE_ERR_INVALID_ARGUMENT, &found);
    if (status == GRAZE_OK) gz_sized_write(result, &found, sizeof found);
    return gz_context_leave(context, &env, status);
}

void graze_mpi_step_release(graze_context *context, graze_mpi_result *result) {
    if (!result || result->struct_size < GZ_SIZE_UP_TO(graze_mpi_result, pair_count)) return;
    gz_release(context, result->pairs, result->pair_count * sizeof *result->pairs);
    result->pairs = NULL;
    result->pair_count = 0;
}

static graze_status list(graze_context *context, graze_mpi_comm comm, const gz_asked *asked, graze_status mine,
                         graze_mpi_pair **pairs, size_t *count, uint64_t *first) {
    gz_mpi_kept *kept;
    gz_hold hold;
    gz_ranks ranks;
    graze_status status = gz_mpi_open_ranks(context, comm, &hold, &kept, &ranks);
    if (status == GRAZE_OK) status = gz_mpi_list(&ranks, mine, asked, &kept->dealt, pairs, count, first);
    gz_hold_free(&hold);
    return status;
}

graze_status graze_mpi_candidates(graze_context *context, graze_mpi_comm comm, const graze_mpi_part *part,
                                  const double (*x0)[3], const double (*x1)[3], const graze_step_options *options,
                                  graze_mpi_pair **pairs, size_t *count, uint64_t *first) {
    gz_fp_environment env;
    gz_asked asked;
    uint64_t begin = 0;
    if (pairs) *pairs = NULL;
    if (count) *count = 0;
    if (first) *first = 0;
    if (!context || !pairs || !count) return GRAZE_ERR_INVALID_ARGUMENT;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    graze_status mine = gz_asked_read(context, part, x0, x1, options, &asked);
    status = list(context, comm, &asked, mine, pairs, count, &begin);
    if (first) *first = begin;
    return gz_context_leave(context, &env, status);
}

void graze_mpi_pairs_release(graze_context *context, graze_mpi_pair *pairs, size_t count) {
    gz_release(context, pairs, count * sizeof *pairs);
}

graze_status graze_mpi_static_intersections(graze_context *context, graze_mpi_comm comm, const graze_mpi_part *part,
                                            const double (*x)[3], const graze_step_options *options, uint64_t *count) {
    gz_fp_environment env;
    gz_asked asked;
    gz_mpi_kept *kept;
    gz_hold hold;
    gz_ranks ranks;
    if (count) *count = 0;
    if (!context || !count) return GRAZE_ERR_INVALID_ARGUMENT;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    graze_status mine = gz_asked_read(context, part, x, x, options, &asked);
    status = gz_mpi_open_ranks(context, comm, &hold, &kept, &ranks);
    if (status == GRAZE_OK) status = gz_mpi_intersections(&ranks, mine, &asked, &kept->dealt, count);
    gz_hold_free(&hold);
    return gz_context_leave(context, &env, status);
}
