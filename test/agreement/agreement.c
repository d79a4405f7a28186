/* Queries whose edges, offsets, motions and separations have sizes of their own, against exact arithmetic and the
 * checker of certificates. Prints one line of JSON; exit 1 when anything is missed, late, wrongly proven or rejected.
 *
 *     test_agreement --count 20000 --seed 1              a sample
 *     test_agreement --only step --seed 1 --from 77 --count 1   one case again, as a failure prints it
 *     test_agreement --count 10000000 --shard 3/16       every sixteenth case of ten million, from the third on
 *     test_agreement --count 100000000 --seconds 200     as many as there is time for
 *
 * A case is a function of subject, seed and number alone: neither threads nor shards change one. For a machine without
 * a compiler or GMP: cc -O2 -static -ffp-contract=off -Itest -Iinclude -I. test/agreement/[a-z]*.c test/check.c
 * build/libgraze.a build/verify/libgraze_verify.a -lgmp -lpthread -lm */
#include "agreement/judge.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

typedef void judge_case(judge *j, test_random *random);

static const struct subject {
    const char *name;
    judge_case *run;
    unsigned share; /* of 16 cases */
} subjects[] = {
    {"pair", judge_pair, 7}, {"thick", judge_thick, 3},       {"curve", judge_curve, 2},   {"plane", judge_plane, 2},
    {"step", judge_step, 1}, {"ordinary", judge_ordinary, 1}, {"scales", judge_scales, 0}, /* by --only */
};
#define SUBJECTS (sizeof subjects / sizeof *subjects)

typedef struct run {
    uint64_t seed, from, count, shard, shards;
    uint64_t seconds; /* 0: as long as it takes */
    double began;
    unsigned threads;
    const struct subject *only;
    atomic_uint_least64_t next;
    pthread_mutex_t lock;
    tally found;
} run;

static const struct subject *subject_of(const run *r, uint64_t index) {
    if (r->only) return r->only;
    unsigned place = (unsigned)(index % 16), s = 0;
    while (place >= subjects[s].share) place -= subjects[s++].share;
    return &subjects[s];
}

static void run_case(const run *r, judge *j, uint64_t index) {
    const struct subject *subject = subject_of(r, index);
    test_random random = {r->seed * 0x9e3779b97f4a7c15u};
    random.state = test_random_bits(&random) ^ index * 0xd1342543de82ef95u;
    j->seed = r->seed;
    j->index = index;
    j->subject = subject->name;
    j->found.cases++;
    subject->run(j, &random);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool is_time_left(const run *r) { return r->seconds == 0 || now() - r->began < (double)r->seconds; }

static graze_context *context_of_one_thread(void) {
    graze_context_options options = graze_default_context_options();
    graze_context *context = NULL;
    options.threads = 1;
    if (graze_context_create(&options, &context) != GRAZE_OK) abort();
    return context;
}

static void *run_thread(void *state) {
    enum { CHUNK = 64 };
    run *r = state;
    judge *j = calloc(1, sizeof *j);
    if (!j) abort();
    j->context = context_of_one_thread();
    for (uint64_t begin; is_time_left(r) && (begin = atomic_fetch_add(&r->next, CHUNK)) < r->count;)
        for (uint64_t i = begin; i < begin + CHUNK && i < r->count; i++)
            if ((r->from + i) % r->shards == r->shard) run_case(r, j, r->from + i);
    pthread_mutex_lock(&r->lock);
    tally_add(&r->found, &j->found);
    pthread_mutex_unlock(&r->lock);
    graze_context_destroy(j->context);
    free(j);
    return NULL;
}

static void run_all(run *r) {
    pthread_t threads[256];
    for (unsigned i = 0; i < r->threads; i++)
        if (pthread_create(&threads[i], NULL, run_thread, r) != 0) abort();
    for (unsigned i = 0; i < r->threads; i++) pthread_join(threads[i], NULL);
}

/* ---- arguments and report ---- */

static int usage(const char *what) {
    fprintf(stderr,
            "test_agreement: %s\nusage: test_agreement [--count N] [--seed K] [--from I] [--seconds S] [--threads T] "
            "[--shard I/N]\n"
            "       [--only pair|thick|curve|plane|step|ordinary|scales]\n",
            what);
    return 2;
}

static bool read_count(const char *text, uint64_t *value) {
    char *end;
    *value = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0';
}

static bool read_shard(const char *text, run *r) {
    char first[32];
    const char *slash = strchr(text, '/');
    if (!slash || slash - text >= (long)sizeof first) return false;
    memcpy(first, text, (size_t)(slash - text));
    first[slash - text] = '\0';
    return read_count(first, &r->shard) && read_count(slash + 1, &r->shards) && r->shard < r->shards;
}

static bool read_only(const char *text, run *r) {
    for (size_t i = 0; i < SUBJECTS; i++)
        if (strcmp(subjects[i].name, text) == 0) r->only = &subjects[i];
    return r->only != NULL;
}

static bool read_option(const char *name, const char *value, run *r) {
    uint64_t threads = r->threads;
    bool good = strcmp(name, "--count") == 0     ? read_count(value, &r->count)
                : strcmp(name, "--seed") == 0    ? read_count(value, &r->seed)
                : strcmp(name, "--from") == 0    ? read_count(value, &r->from)
                : strcmp(name, "--seconds") == 0 ? read_count(value, &r->seconds)
                : strcmp(name, "--threads") == 0 ? read_count(value, &threads)
                : strcmp(name, "--shard") == 0   ? read_shard(value, r)
                : strcmp(name, "--only") == 0    ? read_only(value, r)
                                                 : false;
    r->threads = (unsigned)threads;
    return good && threads >= 1 && threads <= 256;
}

static void print_report(const run *r, double seconds) {
    const tally *f = &r->found;
#define FIELD(name) printf(",\"%s\":%llu", #name, (unsigned long long)f->name)
    printf("{\"seed\":%llu,\"seconds\":%.1f", (unsigned long long)r->seed, seconds);
    FIELD(cases), FIELD(pairs), FIELD(plain), FIELD(flattened), FIELD(subnormal), FIELD(contacts), FIELD(hits),
        FIELD(clear);
    FIELD(unresolved), FIELD(certificates), FIELD(missed), FIELD(late), FIELD(wrong_proofs), FIELD(disagreements);
    FIELD(rejected), FIELD(refused), FIELD(exact_unresolved);
    printf("}\n");
}

int main(int argc, char **argv) {
    run r = {.seed = 1, .count = 20000, .shards = 1, .threads = 1, .lock = PTHREAD_MUTEX_INITIALIZER};
    for (int i = 1; i < argc; i += 2)
        if (i + 1 == argc || !read_option(argv[i], argv[i + 1], &r)) return usage(argv[i]);
    r.began = now();
    run_all(&r);
    print_report(&r, now() - r.began);
    bool tells = r.found.cases < 1000 || (r.found.contacts > 100 && r.found.clear > 100);
    if (!tells) fprintf(stderr, "test_agreement: hardly anything touches, or everything: this shows nothing\n");
    return tally_failures(&r.found) || !tells ? 1 : 0;
}
