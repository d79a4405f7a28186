/* A file of all ranks' bytes. */
#include "graze/mpi.h"

#include "base/system.h"
#include "mpi/load.h"
#include "mpi/ranks/spread.h"

#include <stdio.h>
#include <string.h>

#define MOST 4096u
#define PART ".graze-part" /* a name of ours alone: a caller's own PATH.part is left as it is */

static graze_status write_parts(gz_ranks *ranks, graze_status mine, gz_hold *hold, const char *part, const void *bytes,
                                size_t size) {
    uint64_t first, total;
    graze_status status = gz_spread_first(ranks, mine, hold, size, &first, &total);
    if (status != GRAZE_OK) return status;
    bool written = ranks->transport->write(ranks->handle, part, first, bytes, size, total);
    if (!written) mine = gz_fail(ranks->context, GRAZE_ERR_DEVICE, UINT64_MAX, "%.120s: MPI-IO cannot write it", part);
    return gz_ranks_agree(ranks, mine);
}

static graze_status rename_it(gz_ranks *ranks, const char *part, const char *path) {
    graze_status mine = GRAZE_OK;
    if (ranks->rank == 0 && rename(part, path))
        mine = gz_fail(ranks->context, GRAZE_ERR_DEVICE, UINT64_MAX, "%.120s: cannot be renamed to it", path);
    return gz_ranks_agree(ranks, mine);
}

/* The part's name, or why there is none. */
static graze_status name_part(graze_context *context, const char *path, const void *bytes, size_t size, char *part) {
    int length = path && *path ? snprintf(part, MOST, "%s" PART, path) : -1;
    if (length < 0 || (size_t)length >= MOST || (size && !bytes))
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "no path, one that is too long, or no bytes");
    if (!gz_system_is_file(path)) /* nothing else gives its place to another */
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "%.150s: is no regular file", path);
    return GRAZE_OK;
}

static graze_status write_file(graze_context *context, graze_mpi_comm comm, const char *path, const void *bytes,
                               size_t size) {
    char part[MOST] = "";
    gz_mpi_kept *kept;
    gz_hold hold;
    gz_ranks ranks;
    graze_status status = gz_mpi_open_ranks(context, comm, &hold, &kept, &ranks);
    if (status == GRAZE_OK) status = gz_ranks_agree(&ranks, name_part(context, path, bytes, size, part));
    if (status == GRAZE_OK) {
        status = write_parts(&ranks, GRAZE_OK, &hold, part, bytes, size);
        if (status == GRAZE_OK) status = rename_it(&ranks, part, path);
        if (status != GRAZE_OK && ranks.rank == 0) remove(part);
    }
    gz_hold_free(&hold);
    return status;
}

graze_status graze_mpi_write(graze_context *context, graze_mpi_comm comm, const char *path, const void *bytes,
                             size_t size) {
    gz_fp_environment env;
    if (!context) return GRAZE_ERR_INVALID_ARGUMENT;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    return gz_context_leave(context, &env, write_file(context, comm, path, bytes, size));
}
