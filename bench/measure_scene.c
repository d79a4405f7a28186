/* Many pairs in one call: every candidate of a scene. */
#include "bench/measure.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

typedef struct caller {
    const bench_settings *settings;
    graze_context *context;
    const bench_scene *scene;
    graze_step_options options;
    graze_result *results; /* room for PIECE */
    uint64_t repeat;
    uint64_t oracle_calls; /* of the last piece, asked once */
    io_error *error;
} caller;

/* Pairs in one call: enough that what a call costs besides its pairs does not show, few enough that the results stay
   in a cache. */
enum { PIECE = 1 << 15 };

static uint64_t oracle_calls(const graze_context *context) {
    graze_stats stats = {.struct_size = sizeof stats};
    return graze_context_stats(context, &stats) == GRAZE_OK ? stats.oracle_calls : 0;
}

/* The call runs on this thread alone, so that its processor time is what it takes on a machine that does nothing else.
 */
static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Processor seconds that a call for these pairs takes, the least of `repeat`; negative after an error or a stop. */
static double ask_piece(caller *c, const graze_pair *pairs, size_t count, uint64_t repeat) {
    double least = INFINITY;
    for (uint64_t r = 0; r < repeat; r++) {
        graze_context_reset_stats(c->context);
        double begin = cpu_seconds();
        graze_status status = graze_ccd_pairs(c->context, &c->scene->mesh, (const double(*)[3])c->scene->x0,
                                              (const double(*)[3])c->scene->x1, pairs, count, &c->options, c->results);
        double spent = cpu_seconds() - begin;
        if (status != GRAZE_OK) {
            graze_error what;
            graze_context_last_error(c->context, &what);
            io_fail(c->error, c->scene->name, 0, "%s", what.message[0] ? what.message : graze_status_name(status));
            return -1;
        }
        if (bench_stopped(c->settings)) return -1;
        if (spent < least) least = spent;
    }
    c->oracle_calls = oracle_calls(c->context);
    return least;
}

/* Asks for a list of pairs, evenly spread parts of it where the budget does not suffice. `truth` (of the list) and
   `batch` are for the list of all pairs: NULL otherwise. Returns mean seconds a pair; NaN where nothing was timed. */
static double ask_list(caller *c, double budget, const graze_pair *pairs, size_t count, const unsigned char *truth,
                       bench_batch *batch) {
    enum { PROBE = 256, PARTS = 64 };
    if (count == 0) return NAN;
    /* what a pair costs, roughly, from a few of them */
    double spent = 0;
    size_t probed = 0;
    for (size_t part = 0; part < PARTS && spent < budget / 8; part++) {
        size_t here = count / PARTS < PROBE / PARTS ? count / PARTS + 1 : PROBE / PARTS, at = part * (count / PARTS);
        if (at + here > count) here = count - at;
        double seconds = ask_piece(c, pairs + at, here, 1);
        if (seconds < 0) return NAN;
        spent += seconds;
        probed += here;
    }
    double guess = spent / (double)probed, whole = guess * (double)count;
    size_t piece = PIECE, parts = (count + PIECE - 1) / PIECE;
    uint64_t repeat = 1;
    if (whole > budget) {
        piece = (size_t)(budget / (PARTS * guess));
        if (piece > count / PARTS) piece = count / PARTS;
        piece = piece < 1 ? 1 : piece > PIECE ? PIECE : piece;
        parts = PARTS;
    } else {
        while (repeat < c->repeat && whole * (double)(repeat + 1) < budget) repeat++;
    }
    double total = 0, start = bench_seconds();
    size_t covered = 0, done, here;
    uint64_t hash = BENCH_HASH_START;
    for (size_t part = 0; part < parts; part++) {
        /* parts of the whole in its order; else in an order whose beginning is spread over the list as well */
        size_t at = whole > budget ? (part * 37 % PARTS) * (count / PARTS) : part * piece;
        here = count - at < piece ? count - at : piece;
        if (part > 0 && bench_seconds() - start > 1.5 * budget) break; /* the guess was too low */
        double seconds = ask_piece(c, pairs + at, here, repeat);
        if (seconds < 0) break;
        total += seconds;
        if (batch) batch->oracle_calls += c->oracle_calls;
        done = 0;
        for (size_t i = 0; i < here; i++) {
            const graze_result *result = &c->results[i];
            if (result->verdict == GRAZE_UNRESOLVED && result->reason == GRAZE_REASON_CANCELLED) continue;
            done++;
            if (!batch) continue;
            bool touches = result->verdict != GRAZE_CLEAR;
            batch->unresolved += result->verdict == GRAZE_UNRESOLVED;
            batch->false_positives += touches && !truth[at + i];
            batch->false_negatives += !touches && truth[at + i];
            hash = bench_hash(hash, result->verdict, result->toi);
        }
        covered += done;
        if (done < here) break; /* the deadline came */
    }
    if (batch) {
        batch->covered = covered;
        batch->hash = covered == count ? hash : 0;
    }
    return covered ? total / (double)covered : NAN;
}

bool bench_ask_scene(const bench_settings *settings, const graze_options *options, const bench_scene *scene,
                     bench_effort effort, bench_batch *batch, io_error *error) {
    *batch = (bench_batch){.pairs = scene->pair_count, .us_pair = NAN, .us_clear = NAN, .us_hit = NAN};
    caller c = {.settings = settings,
                .scene = scene,
                .options = graze_default_step_options(),
                .repeat = effort.repeat,
                .error = error};
    c.options.narrow = options;
    c.context = bench_context(settings, 1, effort.budget, error);
    if (!c.context) return false;
    error->message[0] = '\0';
    c.results = bench_allocate(PIECE, sizeof *c.results);
    graze_pair *lists[2] = {bench_allocate(scene->pair_count, sizeof *lists[0]),
                            bench_allocate(scene->pair_count, sizeof *lists[0])};
    size_t counts[2] = {0, 0};
    for (size_t i = 0; i < scene->pair_count; i++) lists[scene->hit[i]][counts[scene->hit[i]]++] = scene->pairs[i];
    batch->us_pair = 1e6 * ask_list(&c, effort.budget, scene->pairs, scene->pair_count, scene->hit, batch);
    batch->us_clear = 1e6 * ask_list(&c, effort.budget / 4, lists[0], counts[0], NULL, NULL);
    batch->us_hit = 1e6 * ask_list(&c, effort.budget / 4, lists[1], counts[1], NULL, NULL);
    graze_context_destroy(c.context);
    free(lists[0]);
    free(lists[1]);
    free(c.results);
    return error->message[0] == '\0';
}
