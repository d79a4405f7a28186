/* The suite `agreement`: random and handcrafted queries, millions of them, against the oracle. `certified` must not
 * miss and its times must hold, in double and in float; `exact` must agree to the last bit. */
#include "bench/suite.h"
#include "scenes/handcraft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 8192
#define FULL_CASES 10000000
#define QUICK_CASES 100000

static uint64_t next_bits(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double unit(uint64_t *state) { return (double)(next_bits(state) >> 11) * 0x1p-53; }
static double both(uint64_t *state) { return 2 * unit(state) - 1; }
static int below(uint64_t *state, int n) { return (int)(next_bits(state) % (uint64_t)n); }

/* ---- families: each changes a query whose coordinates are uniform in [−1, 1] ---- */

static void plain(graze_query *q, uint64_t *state) { (void)q, (void)state; }

/* small integers: degenerate again and again */
static void lattice(graze_query *q, uint64_t *state) {
    int size = 3 + below(state, 6);
    double *x = &q->x0[0][0];
    for (int i = 0; i < 24; i++) x[i] = below(state, size) - size / 2;
}

static void nudged_lattice(graze_query *q, uint64_t *state) {
    lattice(q, state);
    for (int k = 0; k < 3; k++) {
        double *x = &(&q->x0[0][0])[below(state, 24)];
        *x = nextafter(*x, 100 * both(state));
    }
}

static void slow(graze_query *q, uint64_t *state) {
    for (int i = 0; i < 12; i++) (&q->x1[0][0])[i] = (&q->x0[0][0])[i] + 1e-3 * both(state);
}

static void far_away(graze_query *q, uint64_t *state) {
    double offset = ldexp(1, below(state, 34));
    for (int i = 0; i < 24; i++) (&q->x0[0][0])[i] += offset;
}

static void all_sizes(graze_query *q, uint64_t *state) {
    for (int i = 0; i < 24; i++) (&q->x0[0][0])[i] = ldexp((&q->x0[0][0])[i], below(state, 60) - 30);
}

static void flat(graze_query *q, uint64_t *state) {
    int c = below(state, 3);
    double thickness = ldexp(1, -below(state, 50));
    for (int i = 0; i < 4; i++) q->x0[i][c] *= thickness, q->x1[i][c] *= thickness;
}

static void one_moves(graze_query *q, uint64_t *state) {
    int k = below(state, 4);
    for (int i = 0; i < 4; i++)
        if (i != k) memcpy(q->x1[i], q->x0[i], sizeof q->x1[i]);
}

static void together(graze_query *q, uint64_t *state) {
    double v[3] = {both(state), both(state), both(state)};
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) q->x1[i][c] = q->x0[i][c] + v[c] + ldexp(both(state), -below(state, 40));
}

/* the first point is aimed at the others' mean half-way: contacts inside, up to rounding */
static void aimed(graze_query *q, uint64_t *state) {
    (void)state;
    for (int c = 0; c < 3; c++) {
        double target = 0;
        for (int i = 1; i < 4; i++) target += (i == 1 ? 0.25 : 0.125) * (q->x0[i][c] + q->x1[i][c]);
        q->x1[0][c] = 2 * target - q->x0[0][c];
    }
}

static void tiny(graze_query *q, uint64_t *state) {
    for (int i = 0; i < 24; i++) (&q->x0[0][0])[i] = ldexp((&q->x0[0][0])[i], -1000 - below(state, 74));
}

static const struct family {
    const char *name;
    void (*shape)(graze_query *query, uint64_t *state); /* NULL: handcrafted, VF and EE only */
    bool separated; /* handcrafted: only what has a separation of its own, and with that one */
} families[] = {
    {"uniform", plain},
    {"lattice", lattice},
    {"lattice, nudged by an ulp", nudged_lattice},
    {"slow", slow},
    {"far away", far_away},
    {"all sizes", all_sizes},
    {"flat", flat},
    {"one point moves", one_moves},
    {"together", together},
    {"aimed", aimed},
    {"subnormal", tiny},
    {"handcrafted", NULL},
    {"handcrafted, with a separation", NULL, .separated = true},
};
#define FAMILIES (sizeof families / sizeof *families)

/* The index-th of the handcrafted families, of those with a separation alone or of all, and again from the first. */
static const handcraft_family *handcrafted(bool separated, uint64_t *index) {
    const handcraft_family *list[64], *family;
    size_t count = 0;
    for (size_t i = 0; count < 64 && (family = handcraft_get(i)); i++)
        if (!separated || family->separation > 0) list[count++] = family;
    family = list[*index % count];
    *index /= count;
    return family;
}

static void make_queries(const struct family *family, graze_kind kind, uint64_t seed, uint64_t first, size_t count,
                         graze_query *queries) {
    for (size_t i = 0; i < count; i++) {
        uint64_t index = first + i, state = seed * 0x9e3779b97f4a7c15u + index * 0xd1342543de82ef95u + (uint64_t)kind;
        if (family->shape) {
            for (int k = 0; k < 24; k++) (&queries[i].x0[0][0])[k] = both(&state);
            family->shape(&queries[i], &state);
        } else {
            const handcraft_family *made = handcrafted(family->separated, &index);
            handcraft_make(made, kind, seed, index, &queries[i]);
        }
    }
}

/* ---- what is counted ---- */

typedef struct tally {
    uint64_t queries, contacts, undecided;
    uint64_t missed, late, wrong_proofs, alarms, unresolved; /* certified */
    uint64_t disagreements;                                  /* exact */
    uint64_t float_queries, float_missed, float_late;
} tally;

typedef struct block {
    graze_query queries[BLOCK];
    graze_query_f32 floats[BLOCK];
    graze_result truth[BLOCK], certified[BLOCK], exact[BLOCK];
} block;

static bool answer(graze_context *context, graze_kind kind, graze_method method, const graze_options *base,
                   const graze_query *queries, size_t count, graze_result *results, io_error *error) {
    graze_options options = *base;
    options.method = method;
    graze_status status = graze_ccd_batch(context, kind, queries, count, &options, results);
    if (status == GRAZE_OK) return true;
    graze_error why;
    graze_context_last_error(context, &why);
    return io_fail(error, "bench agreement", 0, "%s", why.message);
}

static void count_double(const block *b, size_t count, tally *found) {
    for (size_t i = 0; i < count; i++) {
        const graze_result *truth = &b->truth[i], *certified = &b->certified[i], *exact = &b->exact[i];
        found->queries++;
        if (truth->verdict == GRAZE_UNRESOLVED) { /* out of memory, or stopped */
            found->undecided++;
            continue;
        }
        bool hit = truth->verdict == GRAZE_HIT;
        found->contacts += hit;
        found->missed += hit && certified->verdict == GRAZE_CLEAR;
        found->late += hit && certified->toi > truth->toi;
        found->wrong_proofs += certified->proven && (!hit || certified->toi_upper < truth->toi);
        found->alarms += !hit && certified->verdict != GRAZE_CLEAR;
        found->unresolved += certified->verdict == GRAZE_UNRESOLVED;
        found->disagreements += exact->verdict != truth->verdict ||
                                (hit && (exact->toi != truth->toi || exact->toi_upper != truth->toi_upper));
    }
}

static bool run_block(graze_context *context, graze_kind kind, const graze_options *options, block *b, size_t count,
                      tally *found, io_error *error) {
    if (!answer(context, kind, GRAZE_METHOD_ORACLE, options, b->queries, count, b->truth, error) ||
        !answer(context, kind, GRAZE_METHOD_CERTIFIED, options, b->queries, count, b->certified, error) ||
        !answer(context, kind, GRAZE_METHOD_EXACT, options, b->queries, count, b->exact, error))
        return false;
    count_double(b, count, found);

    /* the same queries rounded to float, which then are the queries */
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 24; k++) {
            float x = (float)(&b->queries[i].x0[0][0])[k];
            if (!isfinite(x)) x = 0;
            (&b->floats[i].x0[0][0])[k] = x;
            (&b->queries[i].x0[0][0])[k] = (double)x;
        }
    if (!answer(context, kind, GRAZE_METHOD_ORACLE, options, b->queries, count, b->truth, error)) return false;
    graze_options certified = *options;
    certified.method = GRAZE_METHOD_CERTIFIED;
    graze_status status = graze_ccd_batch_f32(context, kind, b->floats, count, &certified, b->certified);
    if (status == GRAZE_ERR_UNSUPPORTED) return true;
    if (status != GRAZE_OK) return io_fail(error, "bench agreement", 0, "float: %s", graze_status_name(status));
    for (size_t i = 0; i < count; i++) {
        bool hit = b->truth[i].verdict == GRAZE_HIT;
        found->float_queries++;
        found->float_missed += hit && b->certified[i].verdict == GRAZE_CLEAR;
        found->float_late += hit && b->certified[i].toi > b->truth[i].toi;
    }
    return true;
}

static const bench_column columns[] = {
    {"family", "queries", NULL},
    {"kind", "kind", NULL},
    {"queries", "number", NULL},
    {"contacts", "contacts", NULL},
    {"undecided", "without truth", NULL},
    {"certified_missed", "certified: missed", NULL},
    {"certified_late", "late", NULL},
    {"certified_wrong_proofs", "wrong proofs", NULL},
    {"certified_alarms", "false alarms", NULL},
    {"certified_unresolved", "unresolved", NULL},
    {"exact_disagreements", "exact: disagrees", NULL},
    {"float_queries", "in float", NULL},
    {"float_missed", "float: missed", NULL},
    {"float_late", "float: late", NULL},
};

static void add_row(bench_table *table, const char *family, const char *kind, const tally *t) {
    bench_cell *cell = bench_add_row(table);
    *cell++ = bench_text("%s", family);
    *cell++ = bench_text("%s", kind);
    const uint64_t counts[] = {t->queries,       t->contacts,      t->undecided,    t->missed,
                               t->late,          t->wrong_proofs,  t->alarms,       t->unresolved,
                               t->disagreements, t->float_queries, t->float_missed, t->float_late};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) *cell++ = bench_count(counts[i]);
}

bool bench_agreement(const bench_settings *settings, bench_report *report, io_error *error) {
    graze_context *context = bench_context(settings, settings->threads, 0, error);
    if (!context) return false;
    uint64_t cases = settings->cases ? settings->cases : settings->quick ? QUICK_CASES : FULL_CASES;
    static const struct {
        double separation, t_max;
    } variants[4] = {{0, 1}, {0, 1}, {1e-3, 1}, {0, 0.625}}; /* of the quarters of a block */
    uint64_t each = cases / (FAMILIES * 4) + 1, done = 0;
    bench_add_heading(report, "Agreement");
    bench_table *table = bench_add_table(
        report, "agreement", "Against exact truth",
        "A quarter of the queries has a separation of 1e-3, a quarter ends at t = 0.625. Handcrafted ones with a "
        "separation of their own have that.",
        columns, sizeof columns / sizeof *columns);
    block *b = bench_allocate(1, sizeof *b);
    tally all = {0};
    bool good = true;
    for (size_t f = 0; f < FAMILIES && good && !report->interrupted; f++)
        for (int kind = GRAZE_VF; kind <= GRAZE_PP && good && !report->interrupted; kind++) {
            if (!families[f].shape && kind > GRAZE_EE) continue;
            tally found = {0};
            for (uint64_t first = 0; first < each && good; first += BLOCK) {
                if (bench_stopped(settings)) {
                    report->interrupted = true;
                    break;
                }
                size_t count = each - first < BLOCK ? (size_t)(each - first) : BLOCK;
                make_queries(&families[f], (graze_kind)kind, settings->seed, first, count, b->queries);
                for (size_t quarter = 0; quarter < 4 && good; quarter++) {
                    size_t from = count * quarter / 4, to = count * (quarter + 1) / 4;
                    graze_options options = graze_default_options();
                    options.min_separation =
                        families[f].separated ? HANDCRAFT_SEPARATION : variants[quarter].separation;
                    options.t_max = variants[quarter].t_max;
                    /* a block is worked on at its beginning, which is done with by now */
                    memmove(b->queries, b->queries + from, (to - from) * sizeof *b->queries);
                    good = run_block(context, (graze_kind)kind, &options, b, to - from, &found, error);
                }
                done += count;
                bench_progress(settings, "agreement", (double)done / (double)(each * FAMILIES * 4));
            }
            add_row(table, families[f].name, graze_kind_name((graze_kind)kind), &found);
            for (size_t i = 0; i < sizeof all / sizeof(uint64_t); i++)
                ((uint64_t *)&all)[i] += ((const uint64_t *)&found)[i];
        }
    add_row(table, "all", "all", &all);
    free(b);
    graze_context_destroy(context);
    return good;
}
