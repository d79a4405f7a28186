/* Everything that steps choose for speed, forced on and off in all combinations: the bits of the answers stay. */
#include "same_bits.h"
#include "soup.h"

#include "base/force.h"

#include <stdatomic.h>

static signed char forced[GZ_CHOICES];   /* 1 always, -1 never, 0 as the code chooses */
static atomic_ulong made[GZ_CHOICES][2]; /* how often each way was taken */

bool gz_choose(gz_choice choice, bool chosen) {
    bool way = forced[choice] ? forced[choice] > 0 : chosen;
    atomic_fetch_add(&made[choice][way], 1);
    return way;
}

#define POSITIONS(s) (const double(*)[3])(s)->x0, (const double(*)[3])(s)->x1
#define COMBINATIONS (1u << GZ_CHOICES)

static void force_nothing(void) { memset(forced, 0, sizeof forced); }

static void force(unsigned bits) {
    for (int i = 0; i < GZ_CHOICES; i++) forced[i] = bits >> i & 1u ? 1 : -1;
}

/* Each on, off, or left to the code. */
static void force_some(test_random *random) {
    for (int i = 0; i < GZ_CHOICES; i++) forced[i] = (signed char)((int)test_random_below(random, 3) - 1);
}

static void print_forced(void) {
    printf("      forced:");
    for (int i = 0; i < GZ_CHOICES; i++) printf(" %d", forced[i]);
    printf("\n");
}

/* ---- answers ---- */

static bool same_double(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

/* Which contact ends mode ANY may differ, that there is one may not. */
static bool same_step(const graze_step_result *a, const graze_step_result *b, graze_step_mode mode) {
    bool same = a->verdict == b->verdict && same_double(a->toi, b->toi);
    if (mode == GRAZE_STEP_ANY && a->verdict == GRAZE_HIT) return same;
    same = same && same_double(a->toi_upper, b->toi_upper) && a->has_pair == b->has_pair;
    same = same && (!a->has_pair || same_bits(&a->limiting, &b->limiting)) && a->pair_count == b->pair_count;
    for (size_t i = 0; same && i < a->pair_count; i++) same = same_bits(&a->pairs[i], &b->pairs[i]);
    return same;
}

typedef struct question {
    const soup *s;
    graze_options narrow;
    double part; /* relative_separation */
    graze_step_mode mode;
    graze_context *contexts[2]; /* of one thread, and of three */
    graze_step_result expected; /* with nothing forced */
} question;

static void ask(const question *q, graze_context *context, graze_step_result *result) {
    graze_step_options options = graze_default_step_options();
    options.narrow = &q->narrow;
    options.mode = q->mode;
    options.relative_separation = q->part;
    *result = graze_default_step_result();
    CHECK(graze_step(context, &q->s->mesh, POSITIONS(q->s), &options, result) == GRAZE_OK);
}

static void compare(const question *q, int thread) {
    graze_step_result result;
    ask(q, q->contexts[thread], &result);
    bool same = same_step(&result, &q->expected, q->mode);
    CHECK_MSG(same, "mode %d: toi %a, unforced %a", q->mode, result.toi, q->expected.toi);
    if (!same) print_forced();
    graze_step_release(q->contexts[thread], &result);
}

/* The answer of a context that keeps nothing from earlier steps. */
static void expect(question *q) {
    force_nothing();
    graze_context *fresh = test_context(1, GRAZE_ISA_AUTO);
    graze_step_result result;
    ask(q, fresh, &result);
    q->expected = result;
    if (result.pair_count) {
        size_t bytes = result.pair_count * sizeof *result.pairs;
        q->expected.pairs = malloc(bytes);
        memcpy(q->expected.pairs, result.pairs, bytes);
    }
    graze_step_release(fresh, &result);
    graze_context_destroy(fresh);
}

static question open_question(const soup *s, graze_step_mode mode, double separation) {
    question q = {.s = s, .narrow = graze_default_options(), .mode = mode};
    q.narrow.min_separation = separation;
    q.contexts[0] = test_context(1, GRAZE_ISA_AUTO);
    q.contexts[1] = test_context(3, GRAZE_ISA_AUTO);
    return q;
}

static void close_question(question *q) {
    if (q->expected.pair_count) free(q->expected.pairs);
    for (int i = 0; i < 2; i++) graze_context_destroy(q->contexts[i]);
    force_nothing();
}

/* ---- scenes ---- */

/* Two rough sheets of n × n cells, one above the other; every vertex goes towards the other sheet at a speed of its
   own, so that pairs touch one after the other. `gap` is small: edges are nearly still, and many lie beside each other.
 */
static void make_sheets(soup *s, graze_context *context, uint32_t n, double gap, uint64_t seed) {
    test_random random = {seed};
    uint32_t vertices = 0, faces = 0;
    for (int upper = 0; upper < 2; upper++)
        for (uint32_t k = 0; k < (n + 1) * (n + 1); k++, vertices++) {
            double *x0 = s->x0[vertices], *x1 = s->x1[vertices], rough = 0.3 * gap * test_random_unit(&random);
            x0[0] = (double)(k % (n + 1)) + test_random_between(&random, -0.3, 0.3);
            x0[1] = (double)(k / (n + 1)) + test_random_between(&random, -0.3, 0.3);
            x0[2] = upper ? gap + rough : -rough;
            for (int c = 0; c < 2; c++) x1[c] = x0[c] + test_random_between(&random, -gap, gap);
            x1[2] = x0[2] + (upper ? -1.5 : 1.5) * gap * test_random_unit(&random);
        }
    for (uint32_t sheet = 0; sheet < 2; sheet++)
        for (uint32_t k = 0; k < n * n; k++) {
            uint32_t corner = sheet * (n + 1) * (n + 1) + k / n * (n + 1) + k % n;
            memcpy(s->faces[faces++], (uint32_t[3]){corner, corner + 1, corner + n + 1}, sizeof s->faces[0]);
            memcpy(s->faces[faces++], (uint32_t[3]){corner + 1, corner + n + 2, corner + n + 1}, sizeof s->faces[0]);
        }
    s->mesh = graze_default_mesh();
    CHECK(graze_mesh_from_faces(context, vertices, (const uint32_t(*)[3])s->faces, faces, &s->mesh) == GRAZE_OK);
}

static void force_all_combinations(soup *s, graze_context *context, double separation) {
    question q = open_question(s, GRAZE_STEP_EARLIEST, separation);
    expect(&q);
    CHECK_MSG(q.expected.toi > 0 && q.expected.toi < 1, "toi %g: nothing depends on a choice", q.expected.toi);
    for (unsigned bits = 0; bits < COMBINATIONS; bits++) {
        force(bits);
        compare(&q, 0);
    }
    close_question(&q);
    graze_mesh_release(context, &s->mesh);
}

TEST(every_combination_of_choices_leaves_the_earliest_contact) {
    static soup s;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    make_sheets(&s, context, 1, 1, 5);
    force_all_combinations(&s, context, 0);
    make_sheets(&s, context, 4, 1, 6);
    force_all_combinations(&s, context, 0);
    make_sheets(&s, context, 7, 0x1p-8, 8);
    force_all_combinations(&s, context, 0x1p-14);
    graze_context_destroy(context);
}

static void draw_scene(soup *s, graze_context *context, uint64_t i) {
    static const uint32_t counts[] = {4, 12, 40}, cells[] = {1, 4, 9};
    if (i % 4) {
        make_sheets(s, context, cells[i % 3], i % 2 ? 1 : 0x1p-7, 400 + i);
        return;
    }
    soup_make(s, context, (soup_style)(i / 4 % SOUP_STYLES), counts[i % 3], 300 + i);
    s->mesh.codim_point_count = s->mesh.codim_edge_count = 0; /* meshes of few primitives have none */
}

TEST(random_combinations_of_choices_change_no_bit_in_any_mode) {
    static soup s;
    static const graze_step_mode modes[] = {GRAZE_STEP_EARLIEST, GRAZE_STEP_EARLIEST, GRAZE_STEP_ANY, GRAZE_STEP_ALL};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {12};
    size_t on_the_way = 0, clear = 0;
    for (uint64_t i = 0; i < 240; i++) {
        draw_scene(&s, context, i);
        question q = open_question(&s, modes[i / 5 % 4], i % 7 ? 0 : 0x1p-12);
        if (i % 3 == 1) q.part = i % 2 ? 0.3 : 0.97;
        if (i % 15 == 0) q.narrow.method = GRAZE_METHOD_EXACT; /* on the small ones: it takes long for many contacts */
        expect(&q);
        on_the_way += q.expected.toi > 0 && q.expected.toi < 1;
        clear += q.expected.verdict == GRAZE_CLEAR;
        for (int k = 0; k < 40; k++) {
            force_some(&random);
            compare(&q, k % 2);
        }
        close_question(&q);
        graze_mesh_release(context, &s.mesh);
    }
    CHECK_MSG(on_the_way > 100 && clear > 10, "%zu touch on the way, %zu are clear", on_the_way, clear);
    graze_context_destroy(context);
}

/* A test of the tests above: each choice was made, and both ways. */
TEST(every_choice_has_been_made_both_ways) {
    if (atomic_load(&made[GZ_CHOICE_FEW][0]) == 0) {
        test_skip("the other tests have not run");
        return;
    }
    for (int i = 0; i < GZ_CHOICES; i++)
        CHECK_MSG(atomic_load(&made[i][0]) > 100 && atomic_load(&made[i][1]) > 100, "choice %d: %lu never, %lu always",
                  i, atomic_load(&made[i][0]), atomic_load(&made[i][1]));
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
