/* Pairs as scenes have them: edges, gaps and motions of about one size. They are answered in batches, by lanes. A pair
   that a direction parts with room to spare is clear, the oracle judges the others; half a million a second on a core,
   so that 10^9 of them can be asked. */
#include "agreement/judge.h"

enum { BLOCK = 256 };

typedef struct block {
    graze_kind kind;
    graze_query queries[BLOCK];
    graze_result truth[BLOCK], answers[BLOCK];
    graze_options options;
} block;

static void draw_point(test_random *random, bool lattice, double size, double x[3]) {
    for (int c = 0; c < 3; c++) {
        double s = test_random_between(random, -size, size);
        x[c] = lattice ? nearbyint(8 * s) / 8 : s;
    }
}

/* Where the pair is at `time`, moved by a gap that is 0, some roundings, or of any size. */
static void draw_gap(test_random *random, double size, double gap[3]) {
    static const int depths[] = {0, 0, 10, 50};
    double scale = ldexp(size, -depths[test_random_below(random, 4)]);
    for (int c = 0; c < 3; c++) gap[c] = test_random_below(random, 3) ? test_random_between(random, -scale, scale) : 0;
}

/* Four points and their motions; one in eight is made to come close at a time. */
static void draw_query(test_random *random, graze_kind kind, graze_query *query) {
    bool lattice = test_random_below(random, 8) == 0, close = test_random_below(random, 8) == 0;
    double at[4][3], motion[4][3], gap[3];
    double speed = ldexp(1, -(int)test_random_below(random, 8)), time = test_random_unit(random);
    double u = test_random_unit(random), v = test_random_unit(random);
    for (int i = 0; i < 4; i++) {
        draw_point(random, lattice, 1, at[i]);
        draw_point(random, lattice, speed, motion[i]);
    }
    draw_gap(random, 0.5, gap);
    if (lattice) time = nearbyint(8 * time) / 8, u = nearbyint(8 * u) / 8, v = nearbyint(8 * v) / 8;
    if (kind == GRAZE_VF && u + v > 1) u = 1 - u, v = 1 - v;
    for (int c = 0; close && c < 3; c++) {
        if (kind == GRAZE_VF)
            at[0][c] = at[1][c] + u * (at[2][c] - at[1][c]) + v * (at[3][c] - at[1][c]) + gap[c];
        else
            at[3][c] = at[2][c] + (at[0][c] + u * (at[1][c] - at[0][c]) + gap[c] - at[2][c]) * (1 + v);
    }
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            query->x0[i][c] = at[i][c] - time * motion[i][c];
            query->x1[i][c] = at[i][c] + (1 - time) * motion[i][c];
        }
}

static void draw_block(test_random *random, block *b) {
    b->kind = test_random_below(random, 2) ? GRAZE_EE : GRAZE_VF;
    b->options = graze_default_options();
    if (test_random_below(random, 16) == 0) /* exact arithmetic takes ten times as long for these */
        b->options.min_separation = ldexp(1, -(int)test_random_below(random, 30) - 3);
    if (test_random_below(random, 4) == 0) b->options.t_max = 0.75;
    for (int i = 0; i < BLOCK; i++) draw_query(random, b->kind, &b->queries[i]);
}

static drawn query_of(const block *b, int i) {
    return (drawn){
        .kind = b->kind, .query = b->queries[i], .separation = b->options.min_separation, .t_max = b->options.t_max};
}

static bool ask(judge *j, block *b, graze_method method, const graze_query *queries, size_t count,
                graze_result *results) {
    b->options.method = method;
    graze_status status = graze_ccd_batch(j->context, b->kind, queries, count, &b->options, results);
    drawn d = query_of(b, 0);
    if (status != GRAZE_OK) judge_fails(j, &j->found.refused, &d, "batch: %s", graze_status_name(status));
    return status == GRAZE_OK;
}

/* One of them in eight blocks also has its certificate checked. */
static void judge_certified(judge *j, block *b) {
    for (int i = 0; i < BLOCK; i++) {
        drawn d = query_of(b, i);
        judge_answer(j, &d, "certified", &b->answers[i], &b->truth[i]);
        j->found.hits += b->answers[i].verdict == GRAZE_HIT;
        j->found.clear += b->answers[i].verdict == GRAZE_CLEAR;
        j->found.unresolved += b->answers[i].verdict == GRAZE_UNRESOLVED;
    }
    drawn first = query_of(b, 0);
    graze_result single;
    if (j->index % 8 == 0 && judge_ask(&first, GRAZE_METHOD_CERTIFIED, &single) == GRAZE_OK)
        judge_certificate(j, &first, &single);
}

/* What is parted by a direction, and the oracle's answers on the others; of all in one block of 64. */
static bool find_truths(judge *j, block *b) {
    static _Thread_local graze_query asked[BLOCK];
    static _Thread_local graze_result answers[BLOCK];
    bool apart[BLOCK];
    size_t count = 0;
    for (int i = 0; i < BLOCK; i++) {
        drawn d = query_of(b, i);
        apart[i] = judge_is_apart(&d);
        j->found.plain += apart[i];
        if (!apart[i] || j->index % 64 == 0) asked[count++] = b->queries[i];
    }
    if (!ask(j, b, GRAZE_METHOD_ORACLE, asked, count, answers)) return false;
    j->found.pairs += BLOCK;
    count = 0;
    for (int i = 0; i < BLOCK; i++) {
        graze_result *truth = &b->truth[i];
        drawn d = query_of(b, i);
        *truth = (graze_result){.verdict = GRAZE_CLEAR, .toi = d.t_max, .toi_upper = INFINITY};
        if (!apart[i] || j->index % 64 == 0) *truth = answers[count++];
        j->found.contacts += truth->verdict == GRAZE_HIT;
        if (truth->verdict == GRAZE_UNRESOLVED) judge_fails(j, &j->found.refused, &d, "the oracle says nothing");
        if (apart[i] && truth->verdict == GRAZE_HIT)
            judge_fails(j, &j->found.refused, &d, "apart by a direction, and touches");
    }
    return true;
}

void judge_ordinary(judge *j, test_random *random) {
    static _Thread_local block b;
    draw_block(random, &b);
    if (!find_truths(j, &b)) return;
    if (ask(j, &b, GRAZE_METHOD_CERTIFIED, b.queries, BLOCK, b.answers)) judge_certified(j, &b);
    if (!ask(j, &b, GRAZE_METHOD_EXACT, b.queries, BLOCK, b.answers)) return;
    for (int i = 0; i < BLOCK; i++) {
        drawn d = query_of(&b, i);
        judge_exact(j, &d, &b.answers[i], &b.truth[i]);
    }
}
