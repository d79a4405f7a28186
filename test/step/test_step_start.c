/* Steps whose first contact is at the very start: no pair can be earlier, and ties decide. */
#include "soup.h"

enum { ROW = 40, SHEET = ROW * ROW, VERTICES = 2 * SHEET, FACES = 4 * (ROW - 1) * (ROW - 1) };

/* Two sheets over each other; vertices are numbered in an order of their own. */
typedef struct sheets {
    double x0[VERTICES][3], x1[VERTICES][3];
    uint32_t faces[FACES][3], number[VERTICES];
    graze_mesh mesh;
} sheets;

static void shuffle(uint32_t number[VERTICES], test_random *random) {
    for (uint32_t i = 0; i < VERTICES; i++) number[i] = i;
    for (uint32_t i = VERTICES - 1; i > 0; i--) {
        uint32_t k = test_random_below(random, i + 1), other = number[k];
        number[k] = number[i];
        number[i] = other;
    }
}

/* Distances grow from `gap` at one end of the sheets by `slope` to the other. */
static void make_sheets(sheets *s, graze_context *context, double gap, double slope, uint64_t seed) {
    test_random random = {seed};
    shuffle(s->number, &random);
    for (uint32_t i = 0; i < VERTICES; i++) {
        uint32_t v = s->number[i], column = i % SHEET % ROW, row = i % SHEET / ROW;
        double height = i < SHEET ? 0 : gap + slope * (ROW - 1 - column);
        double x[3] = {column, row, height};
        for (int c = 0; c < 3; c++) {
            s->x0[v][c] = x[c] + 0x1p-6 * test_random_between(&random, -1, 1);
            s->x1[v][c] = s->x0[v][c] - (c == 2 && i >= SHEET);
        }
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < VERTICES; i++) {
        if (i % ROW == ROW - 1 || i % SHEET / ROW == ROW - 1) continue;
        uint32_t quad[4] = {s->number[i], s->number[i + 1], s->number[i + ROW], s->number[i + ROW + 1]};
        memcpy(s->faces[count++], (uint32_t[3]){quad[0], quad[1], quad[2]}, sizeof *s->faces);
        memcpy(s->faces[count++], (uint32_t[3]){quad[1], quad[3], quad[2]}, sizeof *s->faces);
    }
    CHECK(count == FACES);
    s->mesh = graze_default_mesh();
    CHECK(graze_mesh_from_faces(context, VERTICES, (const uint32_t(*)[3])s->faces, FACES, &s->mesh) == GRAZE_OK);
}

static graze_step_result step(graze_context *context, const sheets *s, double separation, unsigned kinds,
                              graze_broad broad) {
    graze_options narrow = graze_default_options();
    narrow.min_separation = separation;
    graze_step_options options = graze_default_step_options();
    options.narrow = &narrow;
    options.kinds = kinds;
    options.broad = broad;
    graze_step_result r = graze_default_step_result();
    CHECK(graze_step(context, &s->mesh, (const double(*)[3])s->x0, (const double(*)[3])s->x1, &options, &r) ==
          GRAZE_OK);
    return r;
}

static uint64_t queries(graze_context *context) {
    graze_stats stats = graze_default_stats();
    CHECK(graze_context_stats(context, &stats) == GRAZE_OK);
    graze_context_reset_stats(context);
    return stats.queries;
}

static void check_same(const graze_step_result *r, const graze_step_result *expected) {
    CHECK(r->toi == expected->toi && r->verdict == expected->verdict && r->has_pair && expected->has_pair);
    CHECK_MSG(memcmp(&r->limiting.pair, &expected->limiting.pair, sizeof r->limiting.pair) == 0,
              "(%d, %u, %u), expected (%d, %u, %u)", (int)r->limiting.pair.kind, r->limiting.pair.a, r->limiting.pair.b,
              (int)expected->limiting.pair.kind, expected->limiting.pair.a, expected->limiting.pair.b);
}

/* Every pair of every kind, the pairs of a few edges only, and none but the last: by the plain loop. */
TEST(a_step_that_touches_at_the_start_names_the_first_pair_in_the_order_of_ties) {
    static sheets s;
    static const double slopes[] = {0, 0.125, 4};
    static const unsigned kinds[] = {0, 1u << GRAZE_VF, 1u << GRAZE_EE};
    graze_context *maker = test_context(2, GRAZE_ISA_AUTO);
    for (uint64_t seed = 1; seed <= 9; seed++) {
        make_sheets(&s, maker, 0.25, slopes[seed % 3], seed);
        unsigned mask = kinds[seed / 3 % 3];
        graze_step_result expected = step(maker, &s, 0.5, mask, GRAZE_BROAD_SAP);
        CHECK(expected.toi == 0 && expected.verdict == GRAZE_HIT);
        for (uint32_t threads = 1; threads <= 4; threads += 3) {
            graze_context *context = test_context(threads, threads == 1 ? GRAZE_ISA_SCALAR : GRAZE_ISA_AUTO);
            for (int call = 0; call < 3; call++) { /* with what the last one kept */
                graze_step_result r = step(context, &s, 0.5, mask, GRAZE_BROAD_AUTO);
                check_same(&r, &expected);
            }
            graze_context_destroy(context);
        }
        graze_mesh_release(maker, &s.mesh);
    }
    graze_context_destroy(maker);
}

TEST(once_a_pair_touches_at_the_start_pairs_after_it_are_not_asked) {
    static sheets s;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    make_sheets(&s, context, 0.25, 0, 10);
    step(context, &s, 0.5, 0, GRAZE_BROAD_SAP);
    uint64_t all = queries(context);
    step(context, &s, 0.5, 0, GRAZE_BROAD_AUTO);
    uint64_t fresh = queries(context);
    step(context, &s, 0.5, 0, GRAZE_BROAD_AUTO);
    uint64_t kept = queries(context);
    CHECK_MSG(fresh * 20 < all && kept * 100 < all, "%llu of %llu pairs, then %llu", (unsigned long long)fresh,
              (unsigned long long)all, (unsigned long long)kept);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
