/* Broad phases: whatever the way, the pairs are those of two plain loops. */
#include "soup.h"

#include "broad/boxes.h"
#include "broad/few.h"
#include "broad/rough.h"
#include "broad/sort.h"
#include "kernels/kernels.h"

#include <gmp.h>

/* ---- boxes ---- */

static const double hard_values[] = {0,      -0.0,      1,        -1,        0.1,     1e-3,
                                     3,      1e7 + 0.3, -1e7 / 3, 1e40,      -1e45,   1e-300,
                                     5e-324, -5e-324,   1e-320,   0x1p-1022, 0x1p159, 0x1p-537,
                                     1e308,  -1.7e308,  0x1p-53,  1.0 / 3,   2.5,     0x1.fffffffffffffp0};
#define HARD_VALUES (sizeof hard_values / sizeof *hard_values)

static double hard_value(test_random *random) {
    if (test_random_below(random, 3)) return test_random_between(random, -2, 2);
    return hard_values[test_random_below(random, HARD_VALUES)];
}

TEST(sums_are_rounded_as_the_processor_rounds_outward) {
    test_random random = {2};
    for (int i = 0; i < 200000; i++) {
        volatile double a = hard_value(&random), b = fabs(hard_value(&random));
        fesetround(FE_UPWARD);
        volatile double up = a + b;
        fesetround(FE_DOWNWARD);
        volatile double down = a - b;
        fesetround(FE_TONEAREST);
        /* where the nearest value overflows, infinity is outward as well */
        if (isfinite(a + b) && up <= DBL_MAX) CHECK_MSG(gz_add_up(a, b) == up, "%a + %a", a, b);
        if (isfinite(a - b) && down >= -DBL_MAX) CHECK_MSG(gz_sub_down(a, b) == down, "%a - %a", a, b);
        CHECK(gz_add_up(a, b) >= a && gz_sub_down(a, b) <= a);
    }
}

/* x(t) in rationals. */
static void exact_point(mpq_t x, double x0, double x1, double t) {
    mpq_t p, q;
    mpq_inits(p, q, NULL);
    mpq_set_d(q, t);
    mpq_set_ui(p, 1, 1);
    mpq_sub(p, p, q);
    mpq_set_d(x, x0);
    mpq_mul(x, x, p);
    mpq_set_d(p, x1);
    mpq_mul(p, p, q);
    mpq_add(x, x, p);
    mpq_clears(p, q, NULL);
}

static int compare(mpq_t x, double d) {
    mpq_t q;
    mpq_init(q);
    mpq_set_d(q, d);
    int sign = mpq_cmp(x, q);
    mpq_clear(q);
    return sign;
}

TEST(the_position_at_t_max_is_enclosed_and_the_enclosure_is_tight) {
    test_random random = {3};
    static const double times[] = {0.5, 0.25, 0.1, 1e-9, 0x1p-1074, 0x1.fffffffffffffp-1, 1.0 / 3, 0.75, 1e-300, 1};
    mpq_t x;
    mpq_init(x);
    for (int i = 0; i < 100000; i++) {
        double x0 = hard_value(&random), x1 = hard_value(&random);
        double t = test_random_below(&random, 2) ? times[test_random_below(&random, 10)]
                                                 : test_random_between(&random, 1e-6, 1);
        double lo, hi;
        gz_point_at(x0, x1, t, &lo, &hi);
        exact_point(x, x0, x1, t);
        CHECK_MSG(compare(x, lo) >= 0 && compare(x, hi) <= 0, "%a %a %a", x0, x1, t);
        /* tight: one step wider than its neighbors at most, unless the ends cancel or lie at the ends of the range */
        double size = fmax(fabs(x0), fabs(x1));
        if (size > 1e300 || size < 1e-200 || fabs(lo) < 0x1p-40 * size || lo == hi) continue;
        double up = nextafter(nextafter(lo, INFINITY), INFINITY);
        double down = nextafter(nextafter(hi, -INFINITY), -INFINITY);
        CHECK_MSG(compare(x, up) < 0 && compare(x, down) > 0, "%a %a %a", x0, x1, t);
    }
    mpq_clear(x);
}

TEST(sum_and_tail_of_a_position_err_by_no_more_than_their_slack) {
    test_random random = {4};
    mpq_t x, part;
    mpq_inits(x, part, NULL);
    for (int i = 0; i < 100000; i++) {
        double x0 = hard_value(&random), x1 = hard_value(&random), t = test_random_unit(&random);
        if (fabs(x0) > 0x1p1000 || fabs(x1) > 0x1p1000 || t == 0) continue;
        gz_point_sum at = gz_point_sum_at(x0, x1, t);
        exact_point(x, x0, x1, t);
        mpq_set_d(part, at.sum);
        mpq_sub(x, x, part);
        mpq_set_d(part, at.tail);
        mpq_sub(x, x, part);
        mpq_abs(x, x);
        CHECK_MSG(compare(x, at.slack) <= 0, "%a %a %a", x0, x1, t);
    }
    mpq_clears(x, part, NULL);
}

static void window_boxes(const gz_box_input *in, double t, gz_box *boxes) {
    for (uint32_t v = 0; v < in->mesh->vertex_count; v++)
        gz_window_box(gz_box_position(in, in->x0, v), gz_box_position(in, in->x1, v), t, gz_vertex_grow(in, v),
                      &boxes[v]);
}

TEST(boxes_of_a_window_hold_the_exact_way_grown_as_asked) {
    enum { COUNT = 2000 };
    static double x0[COUNT][3], x1[COUNT][3];
    static gz_box boxes[COUNT];
    test_random random = {5};
    graze_mesh mesh = graze_default_mesh();
    mesh.vertex_count = COUNT;
    mpq_t x, d;
    mpq_inits(x, d, NULL);
    for (int round = 0; round < 8; round++) {
        double t = round == 7 ? 0x1p-1074 : test_random_unit(&random), size = round % 3 ? 1 : 0x1p-1070;
        double grow = round < 4 ? 0 : size * test_random_unit(&random);
        for (int i = 0; i < COUNT; i++)
            for (int c = 0; c < 3; c++) {
                do x0[i][c] = size * hard_value(&random);
                while (!(fabs(x0[i][c]) <= GRAZE_MAX_COORDINATE));
                do x1[i][c] = size * hard_value(&random);
                while (!(fabs(x1[i][c]) <= GRAZE_MAX_COORDINATE));
            }
        gz_box_input input = {
            .mesh = &mesh, .x0 = (const char *)x0, .x1 = (const char *)x1, .stride = 24, .grow = grow, .t_max = 1};
        window_boxes(&input, t, boxes);
        mpq_set_d(d, grow);
        for (int i = 0; i < COUNT; i++)
            for (int c = 0; c < 3; c++)
                for (int end = 0; end < 2; end++) {
                    exact_point(x, x0[i][c], x1[i][c], end ? t : 0);
                    mpq_add(x, x, d);
                    CHECK_MSG(compare(x, boxes[i].hi[c]) <= 0, "%a %a %a", x0[i][c], x1[i][c], t);
                    mpq_sub(x, x, d), mpq_sub(x, x, d);
                    CHECK_MSG(compare(x, boxes[i].lo[c]) >= 0, "%a %a %a", x0[i][c], x1[i][c], t);
                }
    }
    mpq_clears(x, d, NULL);
}

/* A window for every lane and a few more, some of them thick. */
TEST(boxes_in_float_of_a_window_are_those_in_double_on_every_instruction_set) {
    enum { COUNT = 37 };
    double x0[COUNT][3], x1[COUNT][3], radii[COUNT];
    gz_box boxes[COUNT];
    gz_rough expected[COUNT], rough[COUNT];
    test_random random = {7};
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < COUNT; i++) {
            radii[i] = test_random_below(&random, 2) ? 0 : test_random_unit(&random);
            for (int c = 0; c < 3; c++) {
                x0[i][c] = ldexp(test_random_between(&random, -1, 1), (int)test_random_below(&random, 30));
                x1[i][c] = test_random_below(&random, 4) ? x0[i][c] + test_random_unit(&random) : x0[i][c];
            }
        }
        graze_mesh mesh = graze_default_mesh();
        mesh.vertex_count = COUNT;
        mesh.thickness = round % 3 ? NULL : radii;
        gz_box_input input = {.mesh = &mesh,
                              .x0 = (const char *)x0,
                              .x1 = (const char *)x1,
                              .stride = 24,
                              .grow = round % 2 ? 0.125 : 0,
                              .t_max = 1};
        double t = test_random_unit(&random);
        window_boxes(&input, t, boxes);
        for (int isa = GRAZE_ISA_SCALAR; isa <= GRAZE_ISA_WASM; isa++) {
            if (!graze_isa_available((graze_isa)isa)) continue;
            graze_context *context = test_context(1, (graze_isa)isa);
            gz_view view = gz_view_of_vertices(&input);
            gz_rough_boxes(context, &view, boxes, COUNT, expected);
            gz_rough_windows(context, &(gz_windows_job){.view = view, .input = &input, .t = t, .rough = rough});
            CHECK(memcmp(rough, expected, sizeof rough) == 0);
            graze_context_destroy(context);
        }
    }
}

/* Two vertices that rest apart by about what counts as contact along x: whether their boxes meet. */
typedef struct gap_case {
    double x[2], separation, radii[2];
} gap_case;

static gap_case make_gap(test_random *random) {
    static const double sizes[] = {0x1p-1074, 0x1p-1072, 0x1p-1060, 0x1p-60, 1, 0x1p100};
    double size = sizes[test_random_below(random, 6)];
    bool tiny = size < 0x1p-1000, thick = test_random_below(random, 2);
    gap_case g = {{0}};
    double *parts[] = {&g.x[0], &g.separation, &g.radii[0], &g.radii[1]};
    for (int i = 0; i < (thick ? 4 : 2); i++)
        *parts[i] = tiny ? size * test_random_below(random, 8) : size * test_random_unit(random);
    if (test_random_below(random, 2)) g.x[0] *= 0x1p8;
    g.x[1] = g.x[0] + g.separation + g.radii[0] + g.radii[1];
    for (uint32_t i = test_random_below(random, 4); i; i--) g.x[1] = nextafter(g.x[1], INFINITY);
    for (uint32_t i = test_random_below(random, 4); i; i--) g.x[1] = nextafter(g.x[1], -INFINITY);
    return g;
}

/* x1 − x0 − separation − radii, exactly. */
static void exact_gap(mpq_t gap, const gap_case *g) {
    const double less[] = {g->x[0], g->separation, g->radii[0], g->radii[1]};
    mpq_t part;
    mpq_init(part);
    mpq_set_d(gap, g->x[1]);
    for (int i = 0; i < 4; i++) {
        mpq_set_d(part, less[i]);
        mpq_sub(gap, gap, part);
    }
    mpq_clear(part);
}

static bool boxes_meet(graze_context *context, const gap_case *g, bool window) {
    double x[2][3] = {{g->x[0], 0, 0}, {g->x[1], 0, 0}};
    graze_mesh mesh = graze_default_mesh();
    mesh.vertex_count = 2;
    mesh.thickness = g->radii;
    gz_box_input input = {.mesh = &mesh,
                          .x0 = (const char *)x,
                          .x1 = (const char *)x,
                          .stride = 24,
                          .grow = gz_half_up(g->separation),
                          .t_max = 1};
    gz_box boxes[2];
    if (window)
        window_boxes(&input, 0.75, boxes);
    else
        gz_vertex_boxes(context, &input, boxes);
    return gz_boxes_meet(&boxes[0], &boxes[1]);
}

TEST(two_boxes_meet_when_they_are_within_separation_and_radii_and_not_far_beyond) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {6};
    size_t within = 0, beyond = 0;
    mpq_t gap;
    mpq_init(gap);
    for (int i = 0; i < 100000; i++) {
        gap_case g = make_gap(&random);
        exact_gap(gap, &g);
        bool touch = g.x[1] >= g.x[0] && mpq_sgn(gap) <= 0;
        within += touch;
        for (int window = 0; window < 2 && touch; window++)
            CHECK_MSG(boxes_meet(context, &g, window), "%a %a %a %a %a", g.x[0], g.x[1], g.separation, g.radii[0],
                      g.radii[1]);
        /* a whole separation for each box would let gaps of twice as much pass */
        gap_case farther = g;
        farther.x[1] += 0x1p-20 * (fabs(g.x[0]) + g.separation + g.radii[0] + g.radii[1]) + 0x1p-1060;
        beyond += !touch;
        for (int window = 0; window < 2; window++)
            CHECK_MSG(!boxes_meet(context, &farther, window), "%a %a %a %a %a", farther.x[0], farther.x[1],
                      g.separation, g.radii[0], g.radii[1]);
    }
    CHECK(within > 20000 && beyond > 20000);
    mpq_clear(gap);
    graze_context_destroy(context);
}

TEST(with_no_separation_and_the_whole_step_boxes_are_the_hull_of_the_ends_bit_for_bit) {
    static soup s;
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    for (int style = 0; style < SOUP_STYLES; style++) {
        soup_make(&s, context, (soup_style)style, 60, 4);
        static gz_box vertices[3 * SOUP_MAX], faces[SOUP_MAX];
        gz_box_input input = {
            .mesh = &s.mesh, .x0 = (const char *)s.x0, .x1 = (const char *)s.x1, .stride = 24, .grow = 0, .t_max = 1};
        gz_vertex_boxes(context, &input, vertices);
        gz_face_boxes(context, &s.mesh, vertices, faces);
        for (uint32_t f = 0; f < s.mesh.face_count; f++) {
            plain_box box = plain_hull(&s, s.faces[f], 3, 0);
            for (int c = 0; c < 3; c++) CHECK(faces[f].lo[c] == box.lo[c] && faces[f].hi[c] == box.hi[c]);
        }
        graze_mesh_release(context, &s.mesh);
    }
    graze_context_destroy(context);
}

/* ---- sort ---- */

TEST(the_sort_is_stable_and_does_not_depend_on_threads) {
    enum { COUNT = 50000 };
    gz_keyed *items = malloc(COUNT * sizeof *items), *other = malloc(COUNT * sizeof *other);
    for (uint32_t threads = 1; threads <= 4; threads++) {
        graze_context *context = test_context(threads, GRAZE_ISA_AUTO);
        for (int bits = 0; bits <= 64; bits += 16) {
            for (size_t count = 3; count <= COUNT; count *= 11) {
                test_random random = {5};
                uint64_t mask = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
                for (uint32_t i = 0; i < count; i++) items[i] = (gz_keyed){test_random_bits(&random) & mask, i};
                void *scratch = malloc(gz_sort_scratch(context, count));
                gz_keyed *sorted = gz_sort(context, items, other, count, bits, scratch);
                for (size_t i = 1; i < count; i++)
                    CHECK(sorted[i - 1].key < sorted[i].key ||
                          (sorted[i - 1].key == sorted[i].key && sorted[i - 1].id < sorted[i].id));
                free(scratch);
            }
        }
        graze_context_destroy(context);
    }
    free(items);
    free(other);
}

/* Spread evenly, in some lumps, or all in one: each has its way. */
static uint64_t packed_key(test_random *random, int style, int bits) {
    uint64_t key = test_random_bits(random), mask = ((uint64_t)1 << bits) - 1;
    if (style == 1) key = key % 7 * 0x1234567 + key % 5;
    if (style == 2) key &= 63;
    return key & mask;
}

TEST(the_sort_of_packed_items_is_stable_and_does_not_depend_on_threads) {
    enum { COUNT = 40000 };
    uint64_t *items = malloc(COUNT * sizeof *items), *other = malloc(COUNT * sizeof *other);
    for (uint32_t threads = 1; threads <= 5; threads++) {
        graze_context *context = test_context(threads, GRAZE_ISA_AUTO);
        for (int style = 0; style < 3; style++)
            for (int bits = 3; bits <= 30; bits += 9)
                for (size_t count = 3; count <= COUNT; count *= 11) {
                    test_random random = {7};
                    for (uint32_t i = 0; i < count; i++) items[i] = packed_key(&random, style, bits) << 32 | i;
                    void *scratch = malloc(gz_sort_scratch(context, count));
                    const uint64_t *sorted = gz_sort_packed(context, items, other, count, bits, scratch);
                    uint64_t ids = 0;
                    for (size_t i = 0; i < count; i++) {
                        CHECK(i == 0 || sorted[i - 1] < sorted[i]); /* equal keys in their order: that of the ids */
                        ids += (uint32_t)sorted[i];
                    }
                    CHECK(ids == count * (count - 1) / 2);
                    free(scratch);
                }
        graze_context_destroy(context);
    }
    free(items);
    free(other);
}

TEST(double_keys_order_as_doubles_do) {
    test_random random = {6};
    for (int i = 0; i < 100000; i++) {
        double a = hard_value(&random), b = hard_value(&random);
        if (a < b) CHECK(gz_double_key(a) < gz_double_key(b));
        if (a > b) CHECK(gz_double_key(a) > gz_double_key(b));
    }
}

/* ---- candidates ---- */

TEST(every_broad_phase_of_the_cpu_is_in_the_table) {
    for (int broad = 0; graze_broad_name((graze_broad)broad); broad++)
        if (broad != GRAZE_BROAD_CGAL) /* the build's choice */
            CHECK_MSG(graze_broad_available((graze_broad)broad) == (broad != GRAZE_BROAD_LBVH), "%s",
                      graze_broad_name((graze_broad)broad));
    graze_broad found = GRAZE_BROAD_AUTO;
    CHECK(graze_broad_find("kdtree", &found) && found == GRAZE_BROAD_KDTREE);
    CHECK(!graze_broad_find("none such", &found) && found == GRAZE_BROAD_KDTREE);
    CHECK(!graze_broad_available((graze_broad)99) && !graze_broad_name((graze_broad)99));
}

static void compare_lists(const plain_list *expected, const graze_pair *pairs, size_t count, const char *what) {
    CHECK_MSG(count == expected->count, "%s: %zu pairs, expected %zu", what, count, expected->count);
    if (count != expected->count) return;
    for (size_t i = 0; i < count; i++)
        if (plain_order(&pairs[i], &expected->pairs[i])) {
            CHECK_MSG(false, "%s: pair %zu is (%d, %u, %u), expected (%d, %u, %u)", what, i, (int)pairs[i].kind,
                      pairs[i].a, pairs[i].b, (int)expected->pairs[i].kind, expected->pairs[i].a, expected->pairs[i].b);
            return;
        }
}

static void check_candidates(const soup *s, graze_context *context, graze_broad broad, double d, size_t memory,
                             const plain_list *expected) {
    graze_options narrow = graze_default_options();
    narrow.min_separation = d;
    graze_step_options options = graze_default_step_options();
    options.narrow = &narrow;
    options.broad = broad;
    options.memory_limit = memory;
    graze_pair *pairs;
    size_t count;
    graze_status status = graze_candidates(context, &s->mesh, (const double(*)[3])s->x0, (const double(*)[3])s->x1,
                                           &options, &pairs, &count);
    CHECK_MSG(status == GRAZE_OK, "%s: %s", graze_broad_name(broad), graze_status_name(status));
    compare_lists(expected, pairs, count, graze_broad_name(broad));
    graze_pairs_release(context, pairs, count);
}

static double soup_separation(soup_style style, int level) {
    static const double of[] = {0, 1e-3, 0.1};
    double scale = style == SOUP_HUGE ? 1e40 : style == SOUP_TINY ? 0x1p-1060 : style == SOUP_OFFSET ? 1e-7 : 1;
    return of[level] * scale;
}

TEST(every_broad_phase_finds_the_pairs_of_two_plain_loops) {
    static soup s;
    for (int style = 0; style < SOUP_STYLES; style++)
        for (int level = 0; level < 3; level++) {
            uint32_t count = style == SOUP_SAME || style == SOUP_DEGENERATE ? 40 : 150;
            graze_context *maker = test_context(1, GRAZE_ISA_AUTO);
            soup_make(&s, maker, (soup_style)style, count, 7 + (uint64_t)level);
            double d = soup_separation((soup_style)style, level);
            plain_list expected = plain_candidates(&s, d);
            CHECK(expected.count > 0);
            for (int broad = 0; graze_broad_name((graze_broad)broad); broad++)
                for (uint32_t threads = 1; threads <= 8 && graze_broad_available((graze_broad)broad);
                     threads += 1 + threads / 2) {
                    graze_context *context = test_context(threads, GRAZE_ISA_AUTO);
                    check_candidates(&s, context, (graze_broad)broad, d, 0, &expected);
                    check_candidates(&s, context, (graze_broad)broad, d, 1, &expected); /* kept buffers, tiny blocks */
                    graze_context_destroy(context);
                }
            free(expected.pairs);
            graze_mesh_release(maker, &s.mesh);
            graze_context_destroy(maker);
        }
}

TEST(every_instruction_set_finds_the_same_pairs) {
    static soup s;
    graze_context *maker = test_context(1, GRAZE_ISA_AUTO);
    for (int style = 0; style < SOUP_STYLES; style++) {
        soup_make(&s, maker, (soup_style)style, 50, 11);
        plain_list expected = plain_candidates(&s, 0);
        for (int isa = GRAZE_ISA_SCALAR; isa <= GRAZE_ISA_WASM; isa++) {
            if (!graze_isa_available((graze_isa)isa)) continue;
            graze_context *context = test_context(2, (graze_isa)isa);
            for (int broad = 0; graze_broad_name((graze_broad)broad); broad++)
                if (graze_broad_available((graze_broad)broad))
                    check_candidates(&s, context, (graze_broad)broad, 0, 0, &expected);
            graze_context_destroy(context);
        }
        free(expected.pairs);
        graze_mesh_release(maker, &s.mesh);
    }
    graze_context_destroy(maker);
}

TEST(what_is_kept_from_the_last_call_does_not_change_the_pairs) {
    static soup s;
    graze_context *maker = test_context(1, GRAZE_ISA_AUTO);
    for (int broad = 0; graze_broad_name((graze_broad)broad); broad++) {
        if (!graze_broad_available((graze_broad)broad)) continue;
        graze_context *context = test_context(2, GRAZE_ISA_AUTO);
        for (uint64_t call = 0; call < 6; call++) {
            /* a little motion, another mesh of the same size, one of another size */
            soup_make(&s, maker, SOUP_UNIFORM, call == 5 ? 70 : 90, call < 3 ? 12 : 12 + call);
            test_random random = {call};
            for (uint32_t v = 0; v < s.mesh.vertex_count; v++) s.x0[v][0] += test_random_between(&random, -0.01, 0.01);
            plain_list expected = plain_candidates(&s, 0);
            check_candidates(&s, context, (graze_broad)broad, 0, 0, &expected);
            free(expected.pairs);
            graze_mesh_release(maker, &s.mesh);
        }
        graze_context_destroy(context);
    }
    graze_context_destroy(maker);
}

/* More leaf blocks than a traversal's lists hold, and every lane of them meets: the lists must have room for a block
   that arrives when they are almost full. */
/* ---- some triangles, by themselves ---- */

enum { FEW_ROWS = 16 };

/* The number of times that each pair was given. */
typedef struct few_pairs {
    int times[FEW_ROWS][FEW_ROWS];
} few_pairs;

static bool note_few(void *state, uint32_t worker, graze_kind kind, const uint32_t (*pairs)[2], size_t count) {
    few_pairs *found = state;
    (void)worker, (void)kind;
    for (size_t i = 0; i < count; i++) found->times[pairs[i][0]][pairs[i][1]]++;
    return true;
}

static few_pairs find_few(gz_few_kernel *find, const graze_mesh *mesh, graze_kind kind, const gz_box *boxes) {
    few_pairs found = {{{0}}};
    uint32_t room[4][2];
    gz_traversal traversal = {.mesh = mesh, .kind = kind, .sink = note_few, .sink_state = &found};
    gz_emitter emitter = {.traversal = &traversal, .pairs = room, .room = 4};
    find(boxes, &emitter);
    return found;
}

static gz_box hull_of(const gz_box *boxes, const uint32_t *ids, uint32_t count) {
    gz_box hull = boxes[ids[0]];
    for (uint32_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++) {
            hull.lo[c] = fmin(hull.lo[c], boxes[ids[i]].lo[c]);
            hull.hi[c] = fmax(hull.hi[c], boxes[ids[i]].hi[c]);
        }
    return hull;
}

static bool boxes_touch(const gz_box *a, const gz_box *b) {
    bool touch = true;
    for (int c = 0; c < 3; c++) touch &= a->lo[c] <= b->hi[c] && b->lo[c] <= a->hi[c];
    return touch;
}

/* Once, where boxes touch and no vertex is shared; else never. Returns how many pairs there are. */
static int check_few(const few_pairs *found, const graze_mesh *mesh, graze_kind kind, const gz_box *boxes) {
    bool edges = kind == GRAZE_EE;
    uint32_t rows = edges ? mesh->edge_count : mesh->vertex_count,
             columns = edges ? mesh->edge_count : mesh->face_count;
    int pairs = 0;
    for (uint32_t a = 0; a < rows; a++)
        for (uint32_t b = edges ? a + 1 : 0; b < columns; b++) {
            const uint32_t *of_a = edges ? mesh->edges[a] : &a, *of_b = edges ? mesh->edges[b] : mesh->faces[b];
            gz_box box_a = hull_of(boxes, of_a, edges ? 2 : 1), box_b = hull_of(boxes, of_b, edges ? 2 : 3);
            bool wanted = boxes_touch(&box_a, &box_b);
            for (int i = 0; i < (edges ? 2 : 1); i++)
                for (int k = 0; k < (edges ? 2 : 3); k++) wanted &= of_a[i] != of_b[k];
            CHECK_MSG(found->times[a][b] == wanted, "%s %u %u: %d times", graze_kind_name(kind), a, b,
                      found->times[a][b]);
            pairs += wanted;
        }
    return pairs;
}

TEST(the_pairs_of_some_triangles_are_those_of_two_plain_loops_with_and_without_lanes) {
    test_random random = {31};
    int fewest = 0;
    for (int i = 0; i < 3000; i++) {
        graze_context *context = test_context(1, (graze_isa)(i % 2 ? GRAZE_ISA_AUTO : GRAZE_ISA_SCALAR));
        uint32_t vertices = 5 + (uint32_t)test_random_below(&random, 4), faces[3][3];
        uint32_t count = 2 + (uint32_t)test_random_below(&random, 2);
        gz_box boxes[9];
        for (uint32_t f = 0; f < count; f++) {
            faces[f][0] = (uint32_t)test_random_below(&random, vertices - 2);
            faces[f][1] = faces[f][0] + 1, faces[f][2] = faces[f][0] + 2;
        }
        for (uint32_t v = 0; v < vertices; v++)
            for (int c = 0; c < 3; c++) {
                boxes[v].lo[c] = test_random_between(&random, -1, 1);
                boxes[v].hi[c] = boxes[v].lo[c] + (i % 3 ? 0.2 : 2.5); /* in every third all meet */
            }
        graze_mesh mesh = graze_default_mesh();
        CHECK(graze_mesh_from_faces(context, vertices, (const uint32_t(*)[3])faces, count, &mesh) == GRAZE_OK);
        for (int kind = GRAZE_VF; kind <= GRAZE_EE; kind++) {
            few_pairs found = find_few(context->kernels->few, &mesh, (graze_kind)kind, boxes);
            check_few(&found, &mesh, (graze_kind)kind, boxes);
            if (!gz_is_fewest(&mesh)) continue;
            found = find_few(gz_fewest_find, &mesh, (graze_kind)kind, boxes);
            fewest += check_few(&found, &mesh, (graze_kind)kind, boxes);
        }
        graze_mesh_release(context, &mesh);
        graze_context_destroy(context);
    }
    CHECK_MSG(fewest > 5000, "only %d pairs", fewest);
}

TEST(boxes_that_all_meet_are_all_found) {
    enum { TRIANGLES = 500, VERTICES = 3 * TRIANGLES };
    static uint32_t faces[TRIANGLES][3];
    static double x[VERTICES][3];
    for (uint32_t i = 0; i < VERTICES; i++) {
        faces[i / 3][i % 3] = i;
        for (int c = 0; c < 3; c++) x[i][c] = c == (int)(i % 3) ? 1 : 0;
    }
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    graze_mesh mesh = graze_default_mesh();
    CHECK(graze_mesh_from_faces(context, VERTICES, (const uint32_t(*)[3])faces, TRIANGLES, &mesh) == GRAZE_OK);
    for (int broad = 0; broad <= GRAZE_BROAD_LBVH; broad++) {
        if (!graze_broad_available((graze_broad)broad)) continue;
        graze_step_options options = graze_default_step_options();
        options.broad = (graze_broad)broad;
        graze_pair *pairs;
        size_t count;
        CHECK(graze_candidates(context, &mesh, (const double(*)[3])x, (const double(*)[3])x, &options, &pairs,
                               &count) == GRAZE_OK);
        /* every vertex with the other triangles; every two edges but those of one triangle. All edges of a kind have
           one box, and the three boxes touch each other. A vertex is in the box of every triangle. */
        size_t vf = (size_t)VERTICES * (TRIANGLES - 1), ee = (size_t)VERTICES * (VERTICES - 1) / 2 - VERTICES;
        CHECK_MSG(count == vf + ee, "%s: %zu pairs, not %zu", graze_broad_name((graze_broad)broad), count, vf + ee);
        graze_pairs_release(context, pairs, count);
    }
    graze_mesh_release(context, &mesh);
    graze_context_destroy(context);
}

TEST(coordinates_at_the_end_of_the_range_are_no_trouble) {
    static soup s;
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 60, 16);
    for (uint32_t v = 0; v < s.mesh.vertex_count; v++)
        for (int c = 0; c < 3; c++) {
            s.x0[v][c] *= 0x1.8p1023 / 1.1;
            s.x1[v][c] *= 0x1.8p1023 / 1.1;
        }
    graze_options narrow = graze_default_options();
    narrow.method = GRAZE_METHOD_ORACLE; /* takes every finite double */
    graze_step_options options = graze_default_step_options();
    options.narrow = &narrow;
    plain_list expected = plain_candidates(&s, 0);
    for (int broad = 0; graze_broad_name((graze_broad)broad); broad++) {
        if (!graze_broad_available((graze_broad)broad)) continue;
        options.broad = (graze_broad)broad;
        graze_pair *pairs;
        size_t count;
        CHECK(graze_candidates(context, &s.mesh, (const double(*)[3])s.x0, (const double(*)[3])s.x1, &options, &pairs,
                               &count) == GRAZE_OK);
        compare_lists(&expected, pairs, count, graze_broad_name((graze_broad)broad));
        graze_pairs_release(context, pairs, count);
    }
    free(expected.pairs);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

static int odd_sums_only(void *user, graze_kind kind, uint32_t a, uint32_t b) {
    (void)user;
    return (a + 3 * b + (uint32_t)kind) % 2;
}

TEST(groups_and_filters_exclude_the_same_pairs_in_every_broad_phase) {
    static soup s;
    static const uint8_t ring[9] = {1, 1, 0, 1, 0, 1, 0, 1, 1};
    graze_context *context = test_context(3, GRAZE_ISA_AUTO);
    for (int rule = 1; rule < 8; rule++) {
        soup_make(&s, context, SOUP_CLUSTERED, 90, 13);
        s.mesh.groups = s.groups;
        s.mesh.group_count = 3;
        s.mesh.skip_same_group = rule & 1;
        if (rule & 2) s.mesh.group_pairs = ring;
        if (rule & 4) s.mesh.filter = odd_sums_only;
        plain_list expected = plain_candidates(&s, 0);
        CHECK(expected.count > 0);
        for (int broad = 0; graze_broad_name((graze_broad)broad); broad++)
            if (graze_broad_available((graze_broad)broad))
                check_candidates(&s, context, (graze_broad)broad, 0, 0, &expected);
        free(expected.pairs);
        graze_mesh_release(context, &s.mesh);
    }
    graze_context_destroy(context);
}

static int count_calls(void *user, graze_kind kind, uint32_t a, uint32_t b) {
    unsigned char *seen = user; /* EE only */
    if (kind == GRAZE_EE) seen[(size_t)a * 3 * SOUP_MAX + b]++;
    return kind == GRAZE_EE;
}

TEST(the_filter_is_asked_at_most_once_for_a_pair_and_never_about_neighbours) {
    static soup s;
    static unsigned char seen[(size_t)3 * SOUP_MAX * 3 * SOUP_MAX];
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_DEGENERATE, 60, 14);
    for (int broad = 0; graze_broad_name((graze_broad)broad); broad++) {
        if (!graze_broad_available((graze_broad)broad)) continue;
        memset(seen, 0, sizeof seen);
        s.mesh.filter = count_calls;
        s.mesh.filter_user = seen;
        graze_step_options options = graze_default_step_options();
        options.broad = (graze_broad)broad;
        graze_pair *pairs;
        size_t count, calls = 0;
        CHECK(graze_candidates(context, &s.mesh, (const double(*)[3])s.x0, (const double(*)[3])s.x1, &options, &pairs,
                               &count) == GRAZE_OK);
        for (size_t i = 0; i < sizeof seen; i++) {
            CHECK(seen[i] <= 1);
            calls += seen[i];
        }
        CHECK(calls == count);
        graze_pairs_release(context, pairs, count);
    }
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

static int garbage(void *user, graze_kind kind, uint32_t a, uint32_t b) {
    (void)user, (void)kind, (void)a;
    return b % 7 == 3 ? 42 : 1;
}

TEST(a_filter_that_returns_garbage_is_an_error) {
    static soup s;
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_CLUSTERED, 60, 15);
    s.mesh.filter = garbage;
    graze_pair *pairs = NULL;
    size_t count = 1;
    CHECK(graze_candidates(context, &s.mesh, (const double(*)[3])s.x0, (const double(*)[3])s.x1, NULL, &pairs,
                           &count) == GRAZE_ERR_CALLBACK);
    CHECK(pairs == NULL && count == 0);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
