/* Answers do not depend on who asks: a single call, a batch of any length, a list of pairs of a mesh, with and without
   a context, on every instruction set. Coordinates and separations down to subnormal numbers, whose exact arithmetic
   needs more memory than a call without a context has. */
#include "check.h"
#include "same_bits.h"
#include "scaled_pairs.h"

enum { COUNT = 150 };

typedef struct questions {
    graze_kind kind;
    graze_options options;
    graze_query queries[COUNT];
    double radii[COUNT][4]; /* read with `thick` */
    bool thick;
} questions;

/* Small integers that meet often, some coordinates a few units beside them or subnormal. */
static void draw_integers(test_random *random, graze_query *query) {
    double *x = query->x0[0], *y = query->x1[0];
    for (int k = 0; k < 12; k++) {
        x[k] = (double)test_random_below(random, 7) - 3, y[k] = (double)test_random_below(random, 7) - 3;
        double *changed = test_random_bits(random) & 1 ? &x[k] : &y[k];
        switch (test_random_below(random, 8)) {
        case 0: *changed = ldexp((double)test_random_below(random, 9) - 4, -1074); break;
        case 1: *changed = nextafter(*changed, INFINITY); break;
        case 2: *changed *= 1 + 0x1p-51; break;
        default: break;
        }
    }
}

static double draw_separation(test_random *random) {
    switch (test_random_below(random, 4)) {
    case 0: return 0x1p-1074 * (double)(1 + test_random_below(random, 9));
    case 1: return test_random_unit(random);
    default: return ldexp(test_random_between(random, 1, 2), -(int)test_random_below(random, 60));
    }
}

static void draw_questions(test_random *random, int round, questions *q) {
    q->kind = (graze_kind)(round % 4);
    q->options = graze_default_options();
    q->options.method = round / 4 % 2 ? GRAZE_METHOD_EXACT : GRAZE_METHOD_CERTIFIED;
    q->options.min_separation = round / 8 % 3 ? draw_separation(random) : 0;
    if (test_random_below(random, 3) == 0) q->options.t_max = 0.5 + 0.5 * test_random_unit(random);
    q->thick = round % 5 == 4;
    bool scaled = round / 8 % 2;
    scaled_range near_one = {-2, 2, 500};
    for (int i = 0; i < COUNT; i++) {
        scaled_pair pair;
        scaled_draw(random, q->kind, i & 1 ? near_one : scaled_doubles, &pair);
        q->queries[i] = pair.query;
        if (!scaled) draw_integers(random, &q->queries[i]);
        for (int row = 0; row < 4; row++) q->radii[i][row] = ldexp(test_random_unit(random), -20 * row - 3);
    }
}

/* ---- ways to ask ---- */

static void ask_singly(const questions *q, graze_result *results) {
    for (int i = 0; i < COUNT; i++)
        CHECK((q->thick ? graze_ccd_thick(q->kind, &q->queries[i], q->radii[i], &q->options, &results[i])
                        : graze_ccd(q->kind, &q->queries[i], &q->options, &results[i])) == GRAZE_OK);
}

static void ask_in_batches(graze_context *context, const questions *q, size_t each, graze_result *results) {
    for (size_t i = 0; i < COUNT; i += each)
        CHECK(graze_ccd_batch(context, q->kind, q->queries + i, each < COUNT - i ? each : COUNT - i, &q->options,
                              results + i) == GRAZE_OK);
}

/* Every query has four vertices, two edges and a face of its own. */
typedef struct parts {
    double x0[4 * COUNT][3], x1[4 * COUNT][3], radii[4 * COUNT];
    uint32_t edges[2 * COUNT][2], faces[COUNT][3];
    graze_pair pairs[COUNT];
} parts;

static void make_parts(const questions *q, parts *p) {
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t first = 4 * i;
        for (uint32_t row = 0; row < 4; row++) {
            memcpy(p->x0[first + row], q->queries[i].x0[row], sizeof p->x0[0]);
            memcpy(p->x1[first + row], q->queries[i].x1[row], sizeof p->x1[0]);
            p->radii[first + row] = q->radii[i][row];
        }
        bool edges = q->kind == GRAZE_EE;
        p->edges[2 * i][0] = first + (edges ? 0 : 1), p->edges[2 * i][1] = first + (edges ? 1 : 2);
        p->edges[2 * i + 1][0] = first + 2, p->edges[2 * i + 1][1] = first + 3;
        for (uint32_t k = 0; k < 3; k++) p->faces[i][k] = first + 1 + k;
        uint32_t a = edges ? 2 * i : first;
        uint32_t b = edges ? 2 * i + 1 : q->kind == GRAZE_VF ? i : q->kind == GRAZE_PE ? 2 * i : first + 1;
        p->pairs[i] = (graze_pair){q->kind, a, b};
    }
}

static void ask_for_pairs(graze_context *context, const questions *q, graze_result *results) {
    static parts p;
    make_parts(q, &p);
    graze_mesh mesh = graze_default_mesh();
    mesh.vertex_count = 4 * COUNT, mesh.edge_count = 2 * COUNT, mesh.face_count = COUNT;
    mesh.edges = (const uint32_t(*)[2])p.edges, mesh.faces = (const uint32_t(*)[3])p.faces;
    mesh.thickness = q->thick ? p.radii : NULL;
    graze_step_options options = graze_default_step_options();
    options.narrow = &q->options;
    CHECK(graze_ccd_pairs(context, &mesh, (const double(*)[3])p.x0, (const double(*)[3])p.x1, p.pairs, COUNT, &options,
                          results) == GRAZE_OK);
}

/* ---- what they say ---- */

/* Bits must be equal; but a call without memory for an answer may be unresolved, with a time that is safe. */
static bool agrees(const graze_result *alone, const graze_result *answer) {
    if (same_result(alone, answer)) return true;
    return alone->verdict == GRAZE_UNRESOLVED && alone->reason == GRAZE_REASON_MEMORY && alone->toi <= answer->toi;
}

static size_t compare(const questions *q, const graze_result *alone, const graze_result *answers, bool memory) {
    size_t without = 0;
    for (int i = 0; i < COUNT; i++) {
        bool same = memory ? agrees(&alone[i], &answers[i]) : same_result(&alone[i], &answers[i]);
        CHECK_QUERY(same, q->kind, &q->queries[i]);
        without += alone[i].verdict == GRAZE_UNRESOLVED && alone[i].reason == GRAZE_REASON_MEMORY;
    }
    return without;
}

static void ask_all(const questions *q, graze_isa isa, const graze_result *alone) {
    static graze_result answers[COUNT], pairs[COUNT];
    graze_context *context = test_context(2, isa);
    if (!context) return;
    ask_for_pairs(context, q, pairs);
    compare(q, alone, pairs, true);
    for (size_t each = 1; each <= COUNT && !q->thick; each = each * 7 + 2) {
        ask_in_batches(context, q, each, answers);
        compare(q, pairs, answers, false);
    }
    graze_context_destroy(context);
}

TEST(answers_have_the_same_bits_alone_in_batches_and_in_pairs_with_and_without_a_context) {
    static questions q;
    static graze_result alone[COUNT], batch[COUNT];
    test_random random = {1};
    size_t without = 0, all = 0, hits = 0;
    for (int round = 0; round < 48; round++) {
        draw_questions(&random, round, &q);
        ask_singly(&q, alone);
        if (!q.thick) ask_in_batches(NULL, &q, COUNT, batch);
        if (!q.thick) compare(&q, alone, batch, false);
        for (int i = 0; i < COUNT; i++) hits += alone[i].verdict == GRAZE_HIT;
        all += COUNT;
        without += compare(&q, alone, alone, false);
        for (int isa = GRAZE_ISA_SCALAR; isa <= GRAZE_ISA_WASM; isa++)
            if (graze_isa_available((graze_isa)isa)) ask_all(&q, (graze_isa)isa, alone);
    }
    printf("    %zu queries, %zu hits, %zu without memory for an answer\n", all, hits, without);
    CHECK(hits > all / 8 && without < all / 20);
}

/* A pair that a call without a context once answered by a wider bracket than a batch. */
TEST(a_bracket_that_double_double_does_not_narrow_has_the_same_bits_with_a_context) {
    graze_query query = {
        {{-1, -2, 1}, {1, -1, -0x0.0000000000003p-1022}, {2, -2, -2}, {0x1.8000000000001p+2, 3, 0x1.0000000000003p+2}},
        {{1, 2, -1}, {-1, 1, 6}, {-2, 2, 2}, {0, -3, 2}}};
    graze_options options = graze_default_options();
    options.min_separation = 0x1.12e0be826d695p-30;
    graze_result alone, answer;
    graze_context *context = test_context(1, GRAZE_ISA_SCALAR);
    CHECK(graze_ccd(GRAZE_VF, &query, &options, &alone) == GRAZE_OK);
    CHECK(graze_ccd_batch(context, GRAZE_VF, &query, 1, &options, &answer) == GRAZE_OK);
    CHECK(alone.verdict == GRAZE_HIT && alone.proven && same_result(&alone, &answer));
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
