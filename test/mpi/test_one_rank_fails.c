/* Ranks of a real MPI, of which one alone fails: every rank returns the error, and none waits for ever. Run by mpirun,
   with GRAZE_MPI_LIBRARY naming the library that is built for its MPI. The transport is compiled in once more, with the
   memory of a C library that can run out. */
#include "failing.h"
#include "mpi/spread_mesh.h"

#include "src/mpi/load.h"

#include <mpi.h>

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* The C library's memory as over_mpi.c sees it. */
static failing system_memory = {.left = 1000000};
static long system_requests;

static void *system_allocate(size_t size) {
    system_requests++;
    return failing_allocate(&system_memory, size, 64);
}
static void *system_zeros(size_t count, size_t size) {
    void *block = system_allocate(count * size);
    return block ? memset(block, 0, count * size) : NULL;
}
static void system_release(void *block) {
    if (block) failing_release(&system_memory, block, 0);
}

#define malloc system_allocate
#define calloc system_zeros
#define free system_release
#define gz_transport_exported transport_here
#include "src/mpi/library/over_mpi.c"
#undef malloc
#undef calloc
#undef free

#define FAILS 1 /* the rank that does */
#define SECONDS 60u
#ifdef MPICH_VERSION
#define CLOSENESS 3 /* its ranks wait awake, and two cores for three of them make that slow */
#else
#define CLOSENESS 16
#endif

static int rank, rank_count;
static const char *under_way;

static void waited_too_long(int signal_number) {
    (void)signal_number;
    static const char said[] = "a rank waits for ever\n";
    if (write(2, said, sizeof said - 1) < 0 || write(2, under_way, strlen(under_way)) < 0) _exit(3);
    _exit(3); /* the launcher ends the others */
}

/* The status of rank 0, where all ranks have it. */
static graze_status same_on_all(graze_status mine) {
    int seen[2], sent[2] = {(int)mine, -(int)mine};
    MPI_Allreduce(sent, seen, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK_MSG(seen[0] == -seen[1], "rank %d: %s, others: %s … %s", rank, graze_status_name(mine),
              graze_status_name((graze_status)-seen[1]), graze_status_name((graze_status)seen[0]));
    return (graze_status)seen[0];
}

typedef struct job {
    spread_mesh mesh;
    spread_part part;
    failing memory;
    graze_context *home, *context;
    graze_step_options options;
    graze_mpi_result result;
    double *times;
} job;

static void open_context(job *j) {
    graze_context_options options = graze_default_context_options();
    options.threads = 1;
    options.allocator = (graze_allocator){failing_allocate, failing_release, &j->memory};
    CHECK(graze_context_create(&options, &j->context) == GRAZE_OK);
}

static job *open_job(graze_step_mode mode) {
    job *j = calloc(1, sizeof *j);
    j->memory.left = 1000000;
    j->home = test_context(1, GRAZE_ISA_AUTO);
    spread_make(&j->mesh, j->home, SOUP_CLUSTERED, 40, 3);
    spread_part_make(&j->mesh, (uint32_t)rank, (uint32_t)rank_count, &j->part);
    j->times = calloc(j->part.part.vertex_count + 1, sizeof *j->times);
    j->options = graze_default_step_options();
    j->options.mode = mode;
    j->options.vertex_toi = j->times;
    j->result = graze_default_mpi_result();
    open_context(j);
    return j;
}

static void close_job(job *j) {
    graze_mpi_step_release(j->context, &j->result);
    graze_context_destroy(j->context);
    CHECK(j->memory.held == 0);
    spread_part_free(&j->part);
    spread_free(&j->mesh, j->home);
    graze_context_destroy(j->home);
    free(j->times);
    free(j);
}

static graze_status step(job *j, MPI_Comm comm) {
    graze_mpi_step_release(j->context, &j->result);
    alarm(SECONDS);
    graze_status status =
        graze_mpi_step(j->context, (graze_mpi_comm)MPI_Comm_c2f(comm), &j->part.part, (const double(*)[3])j->part.x0,
                       (const double(*)[3])j->part.x1, &j->options, &j->result);
    status = same_on_all(status);
    alarm(0);
    return status;
}

/* The context of one rank has memory for so many allocations, beginning with what it keeps for MPI. */
TEST(memory_that_one_rank_lacks_is_an_error_on_all) {
    under_way = "memory of a context\n";
    for (int mode = 0; mode <= GRAZE_STEP_ALL; mode++) {
        graze_status status = GRAZE_ERR_OUT_OF_MEMORY;
        long count = 0, failed = 0;
        for (; status != GRAZE_OK && count < 3000; count += 1 + count / CLOSENESS) {
            job *j = open_job((graze_step_mode)mode);
            if (rank == FAILS) j->memory.left = count;
            status = step(j, MPI_COMM_WORLD);
            CHECK(status == GRAZE_OK || status == GRAZE_ERR_OUT_OF_MEMORY);
            CHECK(status == GRAZE_OK || (j->result.verdict == GRAZE_UNRESOLVED && j->result.toi == 0));
            failed += status != GRAZE_OK;
            j->memory.left = 1000000;
            CHECK(step(j, MPI_COMM_WORLD) == GRAZE_OK);
            close_job(j);
        }
        CHECK(status == GRAZE_OK && failed > 10);
    }
}

/* What the library itself needs is there before the first exchange, so that none of them fails for want of it. */
TEST(memory_that_the_library_lacks_on_one_rank_is_an_error_on_all) {
    under_way = "memory of the library\n";
    graze_status status = GRAZE_ERR_OUT_OF_MEMORY;
    int failed = 0;
    for (long count = 0; status != GRAZE_OK && count < 50; count++) {
        gz_mpi_kept *kept;
        MPI_Comm comm;
        job *j = open_job(GRAZE_STEP_ALL);
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        CHECK(gz_mpi_open_with(j->context, &transport_here, &kept) == GRAZE_OK);
        if (rank == FAILS) system_memory.left = count;
        status = step(j, comm);
        failed += status != GRAZE_OK;
        long before = system_requests;
        for (int again = 0; status == GRAZE_OK && again < 2; again++) CHECK(step(j, comm) == GRAZE_OK);
        CHECK(system_requests == before);
        system_memory.left = 1000000;
        close_job(j);
        MPI_Comm_free(&comm);
    }
    CHECK(status == GRAZE_OK && failed > 2 && system_memory.held == 0);
}

TEST(input_that_is_bad_on_one_rank_is_an_error_on_all) {
    under_way = "bad input\n";
    job *j = open_job(GRAZE_STEP_ALL);
    double kept = j->part.x1[0][1];
    uint64_t corner = j->part.faces[0][1];
    CHECK(step(j, MPI_COMM_WORLD) == GRAZE_OK);
    for (int which = 0; which < rank_count; which++) {
        if (rank == which) j->part.x1[0][1] = NAN;
        CHECK(step(j, MPI_COMM_WORLD) == GRAZE_ERR_NOT_FINITE);
        j->part.x1[0][1] = kept;
        if (rank == which) j->part.faces[0][1] = 1u << 30;
        CHECK(step(j, MPI_COMM_WORLD) == GRAZE_ERR_BAD_INDEX);
        j->part.faces[0][1] = corner;
        if (rank == which) j->options.relative_separation = 0.5;
        CHECK(step(j, MPI_COMM_WORLD) == GRAZE_ERR_UNSUPPORTED);
        j->options.relative_separation = 0;
        CHECK(step(j, MPI_COMM_WORLD) == GRAZE_OK);
    }
    close_job(j);
}

/* One rank may not write so far into a file. */
TEST(a_file_that_one_rank_cannot_write_is_an_error_on_all_and_not_there) {
    under_way = "a file\n";
    char path[] = "one_rank_fails.bin", bytes[4096] = "";
    struct rlimit before, less;
    job *j = open_job(GRAZE_STEP_ALL);
    getrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_IGN);
    for (int which = 0; which < rank_count; which++) {
        less = (struct rlimit){(rlim_t)which * sizeof bytes + 100, before.rlim_max};
        if (rank == which) setrlimit(RLIMIT_FSIZE, &less);
        alarm(SECONDS);
        graze_status status =
            graze_mpi_write(j->context, (graze_mpi_comm)MPI_Comm_c2f(MPI_COMM_WORLD), path, bytes, sizeof bytes);
        CHECK(same_on_all(status) == GRAZE_ERR_DEVICE);
        CHECK(access(path, F_OK) != 0);
        setrlimit(RLIMIT_FSIZE, &before);
        alarm(0);
    }
    close_job(j);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
    signal(SIGALRM, waited_too_long);
    int status = rank_count > FAILS ? RUN_TESTS(argc, argv) : 2;
    if (status) MPI_Abort(MPI_COMM_WORLD, status);
    MPI_Finalize();
    return status;
}
