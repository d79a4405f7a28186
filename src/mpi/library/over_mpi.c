/* libgraze_mpi: the table of transport.h over one MPI. Nothing else in graze includes mpi.h. */
#include "mpi/ranks/transport.h"

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(OPEN_MPI)
#define NAME "Open MPI"
#elif defined(MPICH_VERSION)
#define NAME "MPICH"
#else
#error "an MPI that is neither Open MPI nor of MPICH's family: say here how its MPI_Get_library_version begins"
#endif

#define MOST_BYTES ((size_t)1 << 30) /* in one message: counts of MPI are ints */

/* What exchanges need is here beforehand: one that found no memory would leave the other ranks waiting. */
typedef struct ranks {
    MPI_Comm comm;
    int rank, count;
    MPI_Request *requests; /* two for each rank */
    size_t *from, *to;     /* where each rank's bytes begin */
} ranks;

static bool initialized_here;

static bool good(int code) { return code == MPI_SUCCESS; }

/* The MPI that runs is the one that this was compiled with. */
static bool is_ours(char *message, size_t size) {
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(version, &length);
    if (strstr(version, NAME)) return true;
    snprintf(message, size, "the MPI of this process is %.60s, and this library is for " NAME, version);
    return false;
}

static bool start(int32_t *world, char *message, size_t size) {
    int before = 0, after = 0, level;
    if (!is_ours(message, size)) return false;
    MPI_Initialized(&before);
    MPI_Finalized(&after);
    if (after) {
        snprintf(message, size, "MPI is finalized");
        return false;
    }
    if (!before && !good(MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level))) {
        snprintf(message, size, "MPI_Init_thread failed");
        return false;
    }
    initialized_here = initialized_here || !before;
    *world = (int32_t)MPI_Comm_c2f(MPI_COMM_WORLD);
    return true;
}

static bool finish(void) {
    int after = 0;
    MPI_Finalized(&after);
    return !initialized_here || after || good(MPI_Finalize());
}

/* ---- a duplicate, kept with the communicator ---- */

static int key = MPI_KEYVAL_INVALID;

static void release(ranks *made) {
    free(made->requests);
    free(made->from);
    free(made->to);
    free(made);
}

static int forget(MPI_Comm comm, int which, void *value, void *extra) {
    (void)comm;
    (void)which;
    (void)extra;
    ranks *kept = value;
    int code = MPI_Comm_free(&kept->comm);
    release(kept);
    return code;
}

static bool get_room(ranks *made) {
    size_t count = (size_t)made->count;
    made->requests = malloc(2 * count * sizeof *made->requests);
    made->from = malloc(count * sizeof *made->from);
    made->to = malloc(count * sizeof *made->to);
    return made->requests && made->from && made->to;
}

/* Collective: a rank without memory says so to all. */
static ranks *duplicate(MPI_Comm comm) {
    ranks *made = calloc(1, sizeof *made);
    int mine = made != NULL, all = 0;
    if (made) MPI_Comm_rank(comm, &made->rank);
    if (made) MPI_Comm_size(comm, &made->count);
    mine = mine && get_room(made);
    bool fine =
        good(MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm)) && all && good(MPI_Comm_dup(comm, &made->comm));
    if (!fine) {
        if (made) release(made);
        return NULL;
    }
    MPI_Comm_set_errhandler(made->comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_attr(comm, key, made);
    return made;
}

static void *open_ranks(int32_t handle, char *message, size_t size) {
    int before = 0, after = 0, found = 0;
    if (!is_ours(message, size)) return NULL;
    MPI_Initialized(&before);
    MPI_Finalized(&after);
    MPI_Comm comm = before && !after ? MPI_Comm_f2c((MPI_Fint)handle) : MPI_COMM_NULL;
    if (comm == MPI_COMM_NULL) {
        snprintf(message, size, before && !after ? "the communicator is null" : "MPI is not initialized, or finalized");
        return NULL;
    }
    ranks *kept = NULL;
    if (key == MPI_KEYVAL_INVALID) MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key, NULL);
    if (good(MPI_Comm_get_attr(comm, key, &kept, &found)) && found) return kept;
    kept = duplicate(comm);
    if (!kept) snprintf(message, size, "the communicator cannot be duplicated");
    return kept;
}

static uint32_t rank_of(void *state) { return (uint32_t)((ranks *)state)->rank; }
static uint32_t count_of(void *state) { return (uint32_t)((ranks *)state)->count; }

/* ---- exchanges ---- */

static bool greatest(void *state, uint64_t *value) {
    uint64_t mine = *value;
    return good(MPI_Allreduce(&mine, value, 1, MPI_UINT64_T, MPI_MAX, ((ranks *)state)->comm));
}

static bool broadcast(void *state, uint32_t root, void *bytes, size_t size) {
    return good(MPI_Bcast(bytes, (int)size, MPI_BYTE, (int)root, ((ranks *)state)->comm));
}

static bool gather(void *state, const void *mine, size_t size, void *all) {
    return good(MPI_Allgather(mine, (int)size, MPI_BYTE, all, (int)size, MPI_BYTE, ((ranks *)state)->comm));
}

static bool words(void *state, const uint64_t *sent, uint64_t *received, uint32_t count) {
    return good(
        MPI_Alltoall(sent, (int)count, MPI_UINT64_T, received, (int)count, MPI_UINT64_T, ((ranks *)state)->comm));
}

/* Starts the message of one round with another rank, if there is one. */
static bool begin(const ranks *r, int other, bool send, char *bytes, size_t size, size_t round, int *made) {
    size_t at = round * MOST_BYTES;
    if (at >= size) return true;
    int part = (int)(size - at < MOST_BYTES ? size - at : MOST_BYTES);
    MPI_Request *request = &r->requests[(*made)++];
    return good(send ? MPI_Isend(bytes + at, part, MPI_BYTE, other, 0, r->comm, request)
                     : MPI_Irecv(bytes + at, part, MPI_BYTE, other, 0, r->comm, request));
}

/* One message from each rank and one to each, beginning with the next one. */
static bool exchange_round(const ranks *r, const char *sent, const size_t *sent_sizes, char *received,
                           const size_t *received_sizes, size_t round) {
    int made = 0;
    bool fine = true;
    for (int step = 1; fine && step < r->count; step++) {
        int other = (r->rank + r->count - step) % r->count;
        fine = begin(r, other, false, received + r->from[other], received_sizes[other], round, &made);
    }
    for (int step = 1; fine && step < r->count; step++) {
        int other = (r->rank + step) % r->count;
        fine = begin(r, other, true, (char *)sent + r->to[other], sent_sizes[other], round, &made);
    }
    return fine && good(MPI_Waitall(made, r->requests, MPI_STATUSES_IGNORE));
}

/* Only ranks that have something for each other exchange messages, longer ones in several rounds. */
static bool exchange(void *state, const char *sent, const size_t *sent_sizes, char *received,
                     const size_t *received_sizes) {
    const ranks *r = state;
    size_t longest = 0;
    for (int i = 0; i < r->count; i++) {
        r->from[i] = i ? r->from[i - 1] + received_sizes[i - 1] : 0;
        r->to[i] = i ? r->to[i - 1] + sent_sizes[i - 1] : 0;
        if (i == r->rank) continue;
        if (sent_sizes[i] > longest) longest = sent_sizes[i];
        if (received_sizes[i] > longest) longest = received_sizes[i];
    }
    size_t own = sent_sizes[r->rank];
    if (own) memcpy(received + r->from[r->rank], sent + r->to[r->rank], own);
    bool fine = true;
    for (size_t round = 0; fine && round * MOST_BYTES < longest; round++)
        fine = exchange_round(r, sent, sent_sizes, received, received_sizes, round);
    return fine;
}

static bool write_at(void *state, const char *path, uint64_t offset, const void *bytes, size_t size, uint64_t total) {
    const ranks *r = state;
    MPI_File file;
    int mine = good(MPI_File_open(r->comm, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file)), all = 0;
    /* what follows waits for all ranks; a file that some have open stays open, for closing it waits, too */
    if (!good(MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, r->comm)) || !all) return false;
    bool fine = good(MPI_File_set_size(file, (MPI_Offset)total));
    for (size_t at = 0; at < size && fine; at += MOST_BYTES) {
        int part = (int)(size - at < MOST_BYTES ? size - at : MOST_BYTES), written = 0;
        MPI_Status status;
        fine = good(MPI_File_write_at(file, (MPI_Offset)(offset + at), (const char *)bytes + at, part, MPI_BYTE,
                                      &status)) &&
               good(MPI_Get_count(&status, MPI_BYTE, &written)) && written == part;
    }
    fine = good(MPI_File_sync(file)) && fine;
    return good(MPI_File_close(&file)) && fine;
}

__attribute__((visibility("default"))) const gz_transport gz_transport_exported = {
    .version = GZ_TRANSPORT_VERSION,
    .size = sizeof(gz_transport),
    .start = start,
    .finish = finish,
    .open = open_ranks,
    .rank = rank_of,
    .count = count_of,
    .greatest = greatest,
    .broadcast = broadcast,
    .gather = gather,
    .words = words,
    .exchange = exchange,
    .write = write_at,
};
