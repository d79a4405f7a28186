/* `certified` keeps its word: a hit that is not proven is a pair that comes within separation + tolerance, by exact
   arithmetic. Pairs that pass each other closely, in every region of every kind.

   GRAZE_NEAR_MISSES=100000 in the environment makes that many of each family. */
#include "check.h"

#include "narrow/method.h"

/* ---- pairs that pass at a given gap ---- */

typedef enum motion { SLOWLY = 0, TOGETHER, FREELY, MOTIONS } motion;

/* The place of the closest points: inside a face (or two edges), on an edge (and a corner), at two corners. */
typedef enum region { INSIDE = 0, EDGE, CORNER } region;

typedef struct family {
    const char *name;
    graze_kind kind;
    region region;
} family;

static const family families[] = {
    {"vertex over a face", GRAZE_VF, INSIDE},  {"vertex beside an edge of a face", GRAZE_VF, EDGE},
    {"vertex at a corner", GRAZE_VF, CORNER},  {"edge over an edge", GRAZE_EE, INSIDE},
    {"end beside an edge", GRAZE_EE, EDGE},    {"end at an end", GRAZE_EE, CORNER},
    {"point beside an edge", GRAZE_PE, EDGE},  {"point at an end", GRAZE_PE, CORNER},
    {"point beside a point", GRAZE_PP, CORNER}};
#define FAMILIES (sizeof families / sizeof families[0])

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(const double a[3], const double b[3], double n[3]) {
    for (int c = 0; c < 3; c++) n[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
}

static void random_vector(test_random *random, double size, double x[3]) {
    bool lattice = test_random_below(random, 4) == 0;
    for (int c = 0; c < 3; c++)
        x[c] =
            lattice ? size * ((double)test_random_below(random, 7) - 3) / 4 : test_random_between(random, -size, size);
}

static void add_to(double x[3], double factor, const double y[3]) {
    for (int c = 0; c < 3; c++) x[c] += factor * y[c];
}

static void normalise(double x[3]) {
    double length = sqrt(dot(x, x));
    for (int c = 0; c < 3; c++) x[c] /= length;
}

/* x without its part along e */
static void orthogonal_to(const double e[3], double x[3]) {
    double square = dot(e, e);
    if (square > 0) add_to(x, -dot(e, x) / square, e);
}

/* A segment through the origin, or from it; in half of the cases exactly. */
static void segment_at_origin(test_random *random, region where, double p[3], double q[3]) {
    double e[3], s = where == CORNER ? 0 : test_random_below(random, 2) ? 0.5 : test_random_unit(random);
    random_vector(random, 1 + (double)test_random_below(random, 6), e);
    for (int c = 0; c < 3; c++) p[c] = -s * e[c], q[c] = (1 - s) * e[c];
}

/* The rows of a pair that touches at the origin, `n` the direction in which a then moves away from b. */
static void touch_at_origin(test_random *random, const family *f, double x[4][3], double n[3]) {
    int b = f->kind == GRAZE_EE ? 2 : 1;
    double e[3], other[3];
    memset(x, 0, 4 * sizeof x[0]);
    random_vector(random, 1, n);
    segment_at_origin(random, f->region, x[b], x[b + 1]);
    for (int c = 0; c < 3; c++) e[c] = x[b + 1][c] - x[b][c];
    if (f->kind == GRAZE_PP) {
        memset(x[1], 0, sizeof x[1]);
        return;
    }
    if (f->region != CORNER) orthogonal_to(e, n);
    if (f->region == CORNER && dot(n, e) > 0) /* the segment leads away from a */
        for (int c = 0; c < 3; c++) n[c] = -n[c];
    if (f->kind == GRAZE_VF) {
        random_vector(random, 2, x[3]);
        if (f->region == INSIDE) { /* the segment halves the face */
            for (int c = 0; c < 3; c++) x[2][c] = x[2][c] * 2 - x[3][c];
            cross(e, x[3], n);
        } else if (dot(n, x[3]) > 0) {
            for (int c = 0; c < 3; c++) x[3][c] = -x[3][c];
        }
    }
    if (f->kind == GRAZE_EE) {
        segment_at_origin(random, f->region == INSIDE ? INSIDE : CORNER, x[0], x[1]);
        for (int c = 0; c < 3; c++) other[c] = x[1][c] - x[0][c];
        if (f->region == INSIDE)
            cross(e, other, n);
        else if (dot(n, other) < 0)
            for (int c = 0; c < 3; c++) x[1][c] = -x[1][c];
    }
}

/* Velocities such that a and b do not come closer along n at the origin, at first order. */
static void move(test_random *random, motion how, double gap, int rows, const double n[3], double v[4][3]) {
    double size = how == FREELY ? 1 : ldexp(gap, (int)test_random_below(random, 10)), common[3];
    random_vector(random, how == TOGETHER ? 8 : 0, common);
    for (int i = 0; i < rows; i++) {
        random_vector(random, size, v[i]);
        if (how != TOGETHER || test_random_below(random, 2)) orthogonal_to(n, v[i]);
        add_to(v[i], 1, common);
    }
}

typedef struct near_miss {
    graze_query query;
    double separation;
} near_miss;

/* The gap is 2^-20 … 2^-45 of the size, beyond the separation. */
static near_miss make_near_miss(test_random *random, const family *f, motion how) {
    near_miss made = {{{{0}}}, 0};
    double x[4][3], v[4][3] = {{0}}, n[3];
    int rows = gz_kind_rows(f->kind), of_a = f->kind == GRAZE_EE ? 2 : 1;
    do touch_at_origin(random, f, x, n);
    while (!(dot(n, n) > 0x1p-20));
    normalise(n);
    double gap = ldexp(test_random_between(random, 1, 2), -20 - (int)test_random_below(random, 26));
    if (test_random_below(random, 3) == 0) made.separation = ldexp(1, -(int)test_random_below(random, 20));
    for (int i = 0; i < of_a; i++) add_to(x[i], gap + made.separation, n);
    move(random, how, gap, rows, n, v);
    double t = test_random_below(random, 2) ? 0.5 : test_random_unit(random);
    for (int i = 0; i < rows; i++)
        for (int c = 0; c < 3; c++) {
            made.query.x0[i][c] = x[i][c] - t * v[i][c];
            made.query.x1[i][c] = x[i][c] + (1 - t) * v[i][c];
        }
    return made;
}

static void narrow_query(const graze_query *query, graze_query_f32 *narrow, graze_query *wide) {
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            wide->x0[i][c] = narrow->x0[i][c] = (float)query->x0[i][c];
            wide->x1[i][c] = narrow->x1[i][c] = (float)query->x1[i][c];
        }
}

/* ---- what is promised ---- */

/* The largest |component| of any difference at either end. */
static double size_of(graze_kind kind, const graze_query *query) {
    int rows = gz_kind_rows(kind), of_a = kind == GRAZE_EE ? 2 : 1;
    double size = 0;
    for (int i = 0; i < of_a; i++)
        for (int j = of_a; j < rows; j++)
            for (int c = 0; c < 3; c++) {
                size = fmax(size, fabs(query->x0[j][c] - query->x0[i][c]));
                size = fmax(size, fabs(query->x1[j][c] - query->x1[i][c]));
            }
    return size;
}

static bool comes_within(graze_kind kind, const graze_query *query, double distance, double t_max) {
    graze_options options = graze_default_options();
    options.method = GRAZE_METHOD_ORACLE;
    options.min_separation = distance;
    options.t_max = t_max;
    graze_result truth;
    CHECK_QUERY(graze_ccd(kind, query, &options, &truth) == GRAZE_OK, kind, query);
    return truth.verdict == GRAZE_HIT;
}

/* `result` is what `certified` says of the query with these options. */
static void check_promise(graze_kind kind, const graze_query *query, const graze_options *options,
                          const graze_result *result, const char *name) {
    if (result->proven) CHECK_QUERY(result->toi_upper <= options->t_max, kind, query);
    if (result->verdict == GRAZE_CLEAR || result->proven) return;
    double size = size_of(kind, query), tolerance = options->tolerance > 0 ? options->tolerance : size * 0x1p-40;
    double bound = nextafter(options->min_separation + tolerance, INFINITY);
    bool kept = result->verdict == GRAZE_HIT && comes_within(kind, query, bound, options->t_max);
    CHECK_QUERY(kept, kind, query);
    if (!kept)
        printf("      %s, size %g, separation %a, tolerance %g, t_max %a, verdict %d, reason %d, toi %a\n", name, size,
               options->min_separation, tolerance, options->t_max, (int)result->verdict, (int)result->reason,
               result->toi);
}

static graze_options options_for(double separation, double tolerance, double t_max) {
    graze_options options = graze_default_options();
    options.method = GRAZE_METHOD_CERTIFIED;
    options.min_separation = separation;
    options.tolerance = tolerance;
    options.t_max = t_max;
    return options;
}

static int near_misses_each(void) {
    const char *wanted = getenv("GRAZE_NEAR_MISSES");
    int count = wanted ? atoi(wanted) : 0;
    return count > 0 ? count : 2000;
}

TEST(an_unproven_hit_comes_within_the_tolerance) {
    static const double tolerances[] = {0, 1e-30, 1e-9};
    test_random random = {31};
    size_t clear = 0, all = 0;
    for (size_t f = 0; f < FAMILIES; f++)
        for (int how = 0; how < MOTIONS; how++)
            for (int i = 0; i < near_misses_each(); i++) {
                near_miss made = make_near_miss(&random, &families[f], (motion)how);
                graze_kind kind = families[f].kind;
                double t_max = test_random_below(&random, 4) ? 1 : 1 - test_random_unit(&random);
                for (int k = 0; k < 3; k++) {
                    graze_options options = options_for(made.separation, tolerances[k], t_max);
                    graze_result result;
                    CHECK(graze_ccd(kind, &made.query, &options, &result) == GRAZE_OK);
                    check_promise(kind, &made.query, &options, &result, families[f].name);
                    clear += result.verdict == GRAZE_CLEAR;
                    all++;
                }
            }
    CHECK_MSG(clear * 2 > all, "%zu of %zu are clear", clear, all);
}

TEST(an_unproven_hit_in_float_comes_within_the_tolerance) {
    test_random random = {32};
    for (size_t f = 0; f < FAMILIES; f++)
        for (int how = 0; how < MOTIONS; how++)
            for (int i = 0; i < near_misses_each() / 4; i++) {
                near_miss made = make_near_miss(&random, &families[f], (motion)how);
                graze_query_f32 narrow;
                graze_query wide;
                narrow_query(&made.query, &narrow, &wide);
                for (int k = 0; k < 2; k++) {
                    graze_options options = options_for(made.separation, k ? 1e-30 : 0, 1);
                    graze_result result;
                    CHECK(graze_ccd_f32(families[f].kind, &narrow, &options, &result) == GRAZE_OK);
                    check_promise(families[f].kind, &wide, &options, &result, families[f].name);
                }
            }
}

TEST(a_near_miss_is_clear_only_where_it_misses) {
    test_random random = {33};
    for (size_t f = 0; f < FAMILIES; f++)
        for (int how = 0; how < MOTIONS; how++)
            for (int i = 0; i < near_misses_each() / 4; i++) {
                near_miss made = make_near_miss(&random, &families[f], (motion)how);
                graze_options options = options_for(made.separation, 0, 1);
                graze_result result;
                CHECK(graze_ccd(families[f].kind, &made.query, &options, &result) == GRAZE_OK);
                if (result.verdict == GRAZE_CLEAR)
                    CHECK_QUERY(!comes_within(families[f].kind, &made.query, made.separation, 1), families[f].kind,
                                &made.query);
            }
}

/* A thin face, or two edges that are nearly parallel: rounding leaves the time of their contact uncertain. */
static graze_query thin_contact(test_random *random, graze_kind kind) {
    double x[4][3], v[4][3], thin = ldexp(1, -(int)test_random_below(random, 24)), u = test_random_unit(random);
    for (int i = 0; i < 4; i++) random_vector(random, 1, x[i]), random_vector(random, 1, v[i]);
    int last = kind == GRAZE_VF ? 3 : 1, from = kind == GRAZE_VF ? 1 : 0;
    for (int c = 0; c < 3; c++) { /* row `last` moves towards the line of the other edge */
        double along = kind == GRAZE_VF ? x[2][c] - x[1][c] : x[3][c] - x[2][c];
        x[last][c] = x[from][c] + u * along + thin * x[last][c];
        if (kind == GRAZE_VF)
            x[0][c] = x[1][c] + 0.5 * (x[2][c] - x[1][c]) + 0.25 * (x[3][c] - x[1][c]);
        else
            x[2][c] = x[0][c] + 0.5 * (x[1][c] - x[0][c]) - 0.5 * along, x[3][c] = x[2][c] + along;
    }
    graze_query query = {{{0}}};
    double t = test_random_unit(random);
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++)
            query.x0[i][c] = x[i][c] - t * v[i][c], query.x1[i][c] = x[i][c] + (1 - t) * v[i][c];
    return query;
}

TEST(a_bracket_that_t_max_cuts_is_a_hit_only_within_the_tolerance) {
    test_random random = {34};
    size_t cut = 0;
    for (int i = 0; i < 20 * near_misses_each(); i++) {
        graze_kind kind = i & 1 ? GRAZE_EE : GRAZE_VF;
        graze_query query = thin_contact(&random, kind);
        graze_options options = options_for(test_random_below(&random, 2) ? 0 : 0x1p-10, i & 2 ? 1e-30 : 0, 1);
        graze_result whole, part;
        CHECK(graze_ccd(kind, &query, &options, &whole) == GRAZE_OK);
        double t_max = whole.toi + test_random_unit(&random) * (whole.toi_upper - whole.toi);
        if (!whole.proven || !(whole.toi < t_max && t_max < whole.toi_upper)) continue;
        options.t_max = t_max;
        CHECK(graze_ccd(kind, &query, &options, &part) == GRAZE_OK);
        CHECK_QUERY(part.verdict == GRAZE_HIT && part.toi == whole.toi, kind, &query);
        check_promise(kind, &query, &options, &part, "thin");
        cut++;
    }
    CHECK_MSG(cut > 1000, "%zu", cut);
}

/* A vertex that slides along an edge of a face, and a point along an edge, 2^-30 of the size away. */
TEST(sliding_along_an_edge_is_no_contact) {
    static const graze_query along_a_face = {
        .x0 = {{-0.04999999910557281, -0.1000000004472136, -0.15}, {-0.1, -0.2, -0.3}, {0.1, 0.2, 0.3}, {-0.2, 0.1, 0}},
        .x1 = {{0.050000000894427195, 0.0999999995527864, 0.15}, {-0.1, -0.2, -0.3}, {0.1, 0.2, 0.3}, {-0.2, 0.1, 0}}};
    static const graze_query along_an_edge = {
        .x0 = {{0.04999999910557281, 0.1000000004472136, 0.3}, {-0.1, -0.2, -0.6}, {0.1, 0.2, 0.6}},
        .x1 = {{-0.050000000894427195, -0.0999999995527864, -0.3}, {-0.1, -0.2, -0.6}, {0.1, 0.2, 0.6}}};
    for (int k = 0; k < 2; k++) {
        graze_options options = options_for(0, k ? 1e-30 : 0, 1);
        graze_result result;
        CHECK(graze_ccd(GRAZE_VF, &along_a_face, &options, &result) == GRAZE_OK);
        CHECK(result.verdict == GRAZE_CLEAR);
        CHECK(graze_ccd(GRAZE_PE, &along_an_edge, &options, &result) == GRAZE_OK);
        CHECK(result.verdict == GRAZE_CLEAR);
    }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
