/* Many pairs in one call: every candidate of a scene. */
#include "bench/narrow/measure.h"

#include "bench/narrow/methods.h"

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
    double budget, deadline; /* seconds for a call, and when that under way ends */
    uint64_t oracle_calls;   /* of the last piece, asked once */
    size_t done;             /* pairs of the last piece that were answered before the deadline */
    io_error *error;
} caller;

/* Pairs in one call: enough that what a call costs besides its pairs does not show, few enough that the results stay
   in a cache. */
enum { PIECE = 1 << 15 };

static uint64_t oracle_calls(const graze_context *context) {
    graze_stats stats = graze_default_stats();
    return graze_context_stats(context, &stats) == GRAZE_OK ? stats.oracle_calls : 0;
}

/* The call runs on this thread alone, so that its processor time is what it takes on a machine that does nothing else.
 */

/* Processor seconds that a call for these pairs takes, the least of `repeat`; negative after an error or a stop. */
static double ask_piece(caller *c, const graze_pair *pairs, size_t count, uint64_t repeat) {
    double least = INFINITY;
    for (uint64_t r = 0; r < repeat; r++) {
        graze_context_reset_stats(c->context);
        c->deadline = bench_seconds() + c->budget;
        bench_cost cost;
        const char *fault = bench_ccd_pairs(c->settings, c->context, c->scene, pairs, count, &c->options, c->deadline,
                                            c->results, &cost);
        if (fault) {
            graze_error what = {.message = ""};
            if (!bench_method_brought(c->settings, (int)c->options.narrow->method))
                graze_context_last_error(c->context, &what);
            io_fail(c->error, c->scene->name, 0, "%s: %s",
                    bench_method(c->settings, (int)c->options.narrow->method)->name,
                    what.message[0] ? what.message : fault);
            return -1;
        }
        if (bench_stopped(c->settings)) return -1;
        if (cost.cpu < least) least = cost.cpu;
    }
    c->oracle_calls = oracle_calls(c->context);
    c->done = 0;
    for (size_t i = 0; i < count; i++)
        c->done += c->results[i].verdict != GRAZE_UNRESOLVED || c->results[i].reason != GRAZE_REASON_CANCELLED;
    return least;
}

/* Plan by which a list is cut up. */
typedef struct plan {
    bool whole;          /* the budget suffices for all pairs, `repeat` times */
    size_t piece, parts; /* pairs in a call, and calls */
    uint64_t repeat;
} plan;

/* Guesses what a pair costs from a few of them, and a call besides its pairs. False after an error or a stop. */
static bool make_plan(caller *c, double budget, const graze_pair *pairs, size_t count, plan *p) {
    enum { MOST_PARTS = 64, LARGEST_PROBE = 4096 };
    double call = ask_piece(c, pairs, 1, 2), guess = call, spent = call;
    if (call < 0) return false;
    for (size_t probe = 16, k = 1; probe <= LARGEST_PROBE && probe <= count && spent < budget / 8; probe *= 4, k++) {
        size_t at = (size_t)(fmod(0.618 * (double)k, 1) * (double)(count - probe));
        double seconds = ask_piece(c, pairs + at, probe, 1);
        if (seconds < 0) return false;
        if (c->done) guess = fmax(seconds - call, 0.1 * seconds) / (double)c->done;
        spent += seconds;
    }
    double whole = guess * (double)count;
    *p = (plan){.whole = whole <= budget, .piece = PIECE, .parts = (count + PIECE - 1) / PIECE, .repeat = 1};
    while (p->whole && p->repeat < c->repeat && whole * (double)(p->repeat + 1) < budget) p->repeat++;
    if (p->whole) return true;
    /* small parts are better spread, but a call must not cost more than a twentieth of its pairs */
    double piece = fmax(budget / (MOST_PARTS * guess), 20 * call / guess);
    p->piece = piece < 1 ? 1 : piece > PIECE ? PIECE : (size_t)piece;
    if (p->piece > count) p->piece = count;
    double parts = ceil(budget / (guess * (double)p->piece));
    size_t most = count / p->piece;
    p->parts = parts < (double)most ? (size_t)parts : most;
    return true;
}

/* Asks for a list of pairs, evenly spread parts of it where the budget does not suffice. `truth` (of the list) and
   `batch` are for the list of all pairs: NULL otherwise. Returns mean seconds a pair; NaN where nothing was timed. */
static double ask_list(caller *c, double budget, const graze_pair *pairs, size_t count, const unsigned char *truth,
                       bench_batch *batch) {
    plan p;
    if (count == 0 || !make_plan(c, budget, pairs, count, &p)) return NAN;
    double total = 0, start = bench_seconds();
    size_t covered = 0;
    uint64_t hash = BENCH_HASH_START;
    for (size_t part = 0; part < p.parts; part++) {
        /* parts of the whole in its order; else in an order whose beginning is spread over the list as well */
        double spread = fmod(0.6180339887498949 * (double)part, 1);
        size_t slot = (size_t)(spread * (double)(count / p.piece));
        size_t at = p.piece * (p.whole ? part : slot), here = count - at < p.piece ? count - at : p.piece;
        if (part > 0 && bench_seconds() - start > 2 * budget) break; /* the guess was too low */
        double seconds = ask_piece(c, pairs + at, here, p.repeat);
        if (seconds < 0) break;
        total += seconds;
        if (batch) batch->oracle_calls += c->oracle_calls;
        for (size_t i = 0; batch && i < here; i++) {
            const graze_result *result = &c->results[i];
            if (result->verdict == GRAZE_UNRESOLVED && result->reason == GRAZE_REASON_CANCELLED) continue;
            bool touches = result->verdict != GRAZE_CLEAR;
            batch->unresolved += result->verdict == GRAZE_UNRESOLVED;
            batch->false_positives += touches && !truth[at + i];
            batch->false_negatives += !touches && truth[at + i];
            hash = bench_hash(hash, result->verdict, result->toi);
        }
        covered += c->done;
        if (c->done < here) break; /* the deadline came */
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
                .budget = effort.budget,
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
