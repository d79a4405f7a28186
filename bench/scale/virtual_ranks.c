#define _GNU_SOURCE

#include "bench/scale/virtual_ranks.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STACK ((size_t)1 << 20)

/* Data that a rank shows the others while all of them are in one call. */
typedef struct shown {
    const void *bytes;
    const size_t *sizes;
    uint64_t word;
} shown;

typedef struct world {
    uint32_t count;
    pthread_barrier_t barrier;
    shown *board;
    virtual_rank *run;
    void *user;
} world;

typedef struct member {
    world *world;
    uint32_t rank;
} member;

static _Thread_local member *current;

static void wait_for_all(const member *me) { pthread_barrier_wait(&me->world->barrier); }

static shown *show(const member *me, shown mine) {
    me->world->board[me->rank] = mine;
    wait_for_all(me);
    return me->world->board;
}

static void *open_rank(int32_t comm, char *message, size_t size) {
    (void)comm;
    if (!current) snprintf(message, size, "this thread is no rank");
    return current;
}

static bool start(int32_t *world_comm, char *message, size_t size) {
    (void)message;
    (void)size;
    *world_comm = 0;
    return true;
}

static bool finish(void) { return true; }
static uint32_t rank_of(void *me) { return ((member *)me)->rank; }
static uint32_t count_of(void *me) { return ((member *)me)->world->count; }

static bool greatest(void *state, uint64_t *value) {
    const member *me = state;
    const shown *board = show(me, (shown){.word = *value});
    for (uint32_t r = 0; r < me->world->count; r++)
        if (board[r].word > *value) *value = board[r].word;
    wait_for_all(me);
    return true;
}

static bool broadcast(void *state, uint32_t root, void *bytes, size_t size) {
    const member *me = state;
    const shown *board = show(me, (shown){.bytes = bytes});
    if (me->rank != root) memcpy(bytes, board[root].bytes, size);
    wait_for_all(me);
    return true;
}

static bool gather(void *state, const void *mine, size_t size, void *all) {
    const member *me = state;
    const shown *board = show(me, (shown){.bytes = mine});
    for (uint32_t r = 0; r < me->world->count; r++) memcpy((char *)all + r * size, board[r].bytes, size);
    wait_for_all(me);
    return true;
}

static bool words(void *state, const uint64_t *sent, uint64_t *received, uint32_t count) {
    const member *me = state;
    const shown *board = show(me, (shown){.bytes = sent});
    for (uint32_t r = 0; r < me->world->count; r++)
        memcpy(received + r * count, (const uint64_t *)board[r].bytes + me->rank * count, count * sizeof *received);
    wait_for_all(me);
    return true;
}

static bool exchange(void *state, const char *sent, const size_t *sent_sizes, char *received,
                     const size_t *received_sizes) {
    const member *me = state;
    const shown *board = show(me, (shown){.bytes = sent, .sizes = sent_sizes});
    for (uint32_t r = 0; r < me->world->count; r++) {
        size_t before = 0;
        if (!received_sizes[r]) continue;
        for (uint32_t k = 0; k < me->rank; k++) before += board[r].sizes[k];
        memcpy(received, (const char *)board[r].bytes + before, received_sizes[r]);
        received += received_sizes[r];
    }
    wait_for_all(me);
    return true;
}

static bool write_at(void *state, const char *path, uint64_t offset, const void *bytes, size_t size, uint64_t total) {
    const member *me = state;
    FILE *file = me->rank == 0 ? fopen(path, "wb") : NULL;
    (void)total;
    if (file) fclose(file);
    wait_for_all(me);
    file = fopen(path, "rb+");
    bool good = file && !fseek(file, (long)offset, SEEK_SET) && fwrite(bytes, 1, size, file) == size;
    if (file) fclose(file);
    wait_for_all(me);
    return good;
}

const gz_transport virtual_transport = {
    .version = GZ_TRANSPORT_VERSION,
    .size = sizeof(gz_transport),
    .start = start,
    .finish = finish,
    .open = open_rank,
    .rank = rank_of,
    .count = count_of,
    .greatest = greatest,
    .broadcast = broadcast,
    .gather = gather,
    .words = words,
    .exchange = exchange,
    .write = write_at,
};

static void *run_member(void *state) {
    current = state;
    current->world->run(current->world->user, current->rank);
    current = NULL;
    return NULL;
}

bool virtual_ranks_run(uint32_t count, virtual_rank *run, void *user) {
    world all = {.count = count, .run = run, .user = user};
    all.board = calloc(count, sizeof *all.board);
    member *members = calloc(count, sizeof *members);
    pthread_t *threads = calloc(count, sizeof *threads);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    pthread_barrier_init(&all.barrier, NULL, count);
    bool good = all.board && members && threads;
    for (uint32_t r = 0; good && r < count; r++) {
        members[r] = (member){&all, r};
        if (pthread_create(&threads[r], &attributes, run_member, &members[r])) {
            fprintf(stderr, "rank %u of %u cannot be started\n", r, count);
            abort(); /* the others wait for it */
        }
    }
    for (uint32_t r = 0; good && r < count; r++) pthread_join(threads[r], NULL);
    pthread_barrier_destroy(&all.barrier);
    pthread_attr_destroy(&attributes);
    free(all.board);
    free(members);
    free(threads);
    return good;
}
