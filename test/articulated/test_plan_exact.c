/* Plans of every degree against subdivision in intervals of 256 bits: boxes on two joints beside a box that stands. */
#include "articulated/big_span.h"
#include "articulated/bodies.h"

#include "graze/plan.h"

/* ---- the scene ---- */

enum { JOINTS = 2, MOST_COUNT = 14, MOST_KNOTS = MOST_COUNT + GRAZE_MAX_DEGREE + 1 };

typedef struct scene {
    double half[JOINTS + 1][3]; /* of the boxes; the last one stands */
    double origin[JOINTS + 1][3];
    int axis[JOINTS];
    bool slides[JOINTS];
    double knots[MOST_KNOTS], control[MOST_COUNT * JOINTS];
    graze_path path;
} scene;

static void make_path(test_random *random, uint32_t degree, scene *s) {
    s->path = graze_default_path();
    s->path.degree = degree;
    s->path.count = degree + 1 + (size_t)test_random_below(random, 6);
    double time = test_random_between(random, -3, 3);
    size_t run = 1;
    for (size_t i = 0; i <= s->path.count + degree; i++) {
        bool again = i && i != s->path.count && run < degree && test_random_below(random, 3) == 0;
        run = again ? run + 1 : 1;
        if (!again) time += test_random_unit(random) + 0.01;
        s->knots[i] = time;
    }
    for (size_t i = 0; i < s->path.count * JOINTS; i++) s->control[i] = test_random_between(random, -2.5, 2.5);
    s->path.knots = s->knots;
    s->path.control = s->control;
}

static void make_scene(test_random *random, uint32_t degree, scene *s) {
    for (int i = 0; i <= JOINTS; i++)
        for (int c = 0; c < 3; c++) {
            s->half[i][c] = test_random_between(random, 0.05, 0.5);
            s->origin[i][c] = i == 0 ? 0 : test_random_between(random, -1, 1);
        }
    s->origin[JOINTS][test_random_below(random, 3)] += 0.6;
    for (int j = 0; j < JOINTS; j++) {
        s->axis[j] = (int)test_random_below(random, 3);
        s->slides[j] = test_random_below(random, 4) == 0;
    }
    make_path(random, degree, s);
}

static graze_world *make_world(graze_context *context, const scene *s) {
    test_box boxes[JOINTS + 1];
    graze_link_mesh meshes[JOINTS + 1];
    graze_link links[JOINTS];
    for (int i = 0; i <= JOINTS; i++) {
        boxes[i] = test_box_of(s->half[i][0], s->half[i][1], s->half[i][2]);
        meshes[i] = test_mesh_of(&boxes[i]);
        if (i == JOINTS) break;
        links[i] = test_link(i - 1, s->slides[i] ? GRAZE_JOINT_PRISMATIC : GRAZE_JOINT_REVOLUTE,
                             test_frame(s->origin[i][0], s->origin[i][1], s->origin[i][2]), &meshes[i]);
        for (int c = 0; c < 3; c++) links[i].axis[c] = c == s->axis[i];
    }
    graze_model *model;
    CHECK(graze_model_create(context, links, JOINTS, &model) == GRAZE_OK);
    graze_body bodies[2] = {graze_default_body(), graze_default_body()};
    bodies[0].model = model;
    bodies[1].kind = GRAZE_BODY_STATIC;
    bodies[1].meshes = &meshes[JOINTS];
    bodies[1].mesh_count = 1;
    bodies[1].origin = test_frame(s->origin[JOINTS][0], s->origin[JOINTS][1], s->origin[JOINTS][2]);
    graze_world *world;
    CHECK(graze_world_create(context, bodies, 2, NULL, &world) == GRAZE_OK);
    graze_model_destroy(context, model);
    return world;
}

/* ---- splines ---- */

/* Bézier values of a piece between two knots, by blossoms; they outlive real_reset(). */
typedef struct piece {
    mpfr_t low[JOINTS][GRAZE_MAX_DEGREE + 1], high[JOINTS][GRAZE_MAX_DEGREE + 1];
} piece;

static span blossom(const scene *s, size_t at, int joint, size_t begins) {
    size_t degree = s->path.degree;
    span d[GRAZE_MAX_DEGREE + 1];
    for (size_t i = 0; i <= degree; i++) d[i] = span_of(s->control[(at - degree + i) * JOINTS + (size_t)joint]);
    for (size_t level = 1; level <= degree; level++)
        for (size_t j = degree; j >= level; j--) {
            span from = span_of(s->knots[j + at - degree]), to = span_of(s->knots[j + 1 + at - level]);
            span u = span_sub(span_of(s->knots[level <= begins ? at : at + 1]), from);
            d[j] = span_between(d[j - 1], d[j], span_div(u, span_sub(to, from)));
        }
    return d[degree];
}

static void read_piece(const scene *s, size_t at, piece *p) {
    real_reset();
    for (int j = 0; j < JOINTS; j++)
        for (size_t k = 0; k <= s->path.degree; k++) {
            span b = blossom(s, at, j, s->path.degree - k);
            mpfr_set(p->low[j][k], b.low, MPFR_RNDD);
            mpfr_set(p->high[j][k], b.high, MPFR_RNDU);
        }
}

/* All values of a joint in a part of a piece: the hull of the part's Bézier values. */
static span value_in(const scene *s, piece *p, int joint, double from, double to) {
    size_t degree = s->path.degree;
    span b[GRAZE_MAX_DEGREE + 1], part[GRAZE_MAX_DEGREE + 1], end = span_of(to), u;
    for (size_t k = 0; k <= degree; k++) b[k] = (span){p->low[joint][k], p->high[joint][k]};
    for (size_t level = 0; level <= degree; level++) {
        part[level] = b[0];
        for (size_t k = 0; k + level < degree; k++) b[k] = span_between(b[k], b[k + 1], end);
    }
    if (from == to) return part[degree];
    u = span_div(span_of(from), end);
    span hull = part[degree];
    for (size_t level = degree; level > 0; level--) {
        for (size_t k = 0; k < level; k++) part[k] = span_between(part[k], part[k + 1], u);
        hull = span_hull(hull, part[level - 1]);
    }
    return hull;
}

/* ---- boxes ---- */

typedef struct span_frame {
    span r[3][3], t[3];
} span_frame;

static span_frame below(const span_frame *up, const scene *s, int joint, span value) {
    int a = s->axis[joint], b = (a + 1) % 3, c = (a + 2) % 3;
    span local[3][3], shift[3];
    span_frame frame;
    for (int i = 0; i < 9; i++) local[i / 3][i % 3] = span_of(i % 4 == 0);
    for (int i = 0; i < 3; i++) shift[i] = span_of(s->origin[joint][i]);
    if (s->slides[joint]) {
        shift[a] = span_add(shift[a], value);
    } else {
        local[b][b] = local[c][c] = span_wave(value, true);
        local[c][b] = span_wave(value, false);
        local[b][c] = span_minus(local[c][b]);
    }
    for (int i = 0; i < 3; i++) {
        frame.t[i] = up->t[i];
        for (int k = 0; k < 3; k++) {
            frame.t[i] = span_add(frame.t[i], span_mul(up->r[i][k], shift[k]));
            frame.r[i][k] = span_of(0);
            for (int m = 0; m < 3; m++) frame.r[i][k] = span_add(frame.r[i][k], span_mul(up->r[i][m], local[m][k]));
        }
    }
    return frame;
}

typedef enum relation { APART, CROSSING, UNKNOWN } relation;

/* |way| against the sum of both boxes' reaches along an axis. */
static relation compare(span way, span reach) {
    way = span_size(way);
    if (mpfr_cmp(way.low, reach.high) > 0) return APART;
    return mpfr_cmp(way.high, reach.low) < 0 ? CROSSING : UNKNOWN;
}

/* The axes of both boxes, then products of two: parallel ones say nothing. CROSSING: they do at all times. */
static relation relate(const scene *s, const span_frame *f, int link) {
    const double *a = s->half[link], *b = s->half[JOINTS];
    span size[3][3], way[3], along;
    bool all = true;
    for (int i = 0; i < 9; i++) size[i / 3][i % 3] = span_size(f->r[i / 3][i % 3]);
    for (int i = 0; i < 3; i++) way[i] = span_sub(f->t[i], span_of(s->origin[JOINTS][i]));
    for (int axis = 0; axis < 15; axis++) {
        int i = axis % 3, j = axis < 6 ? i : (axis - 6) / 3, i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3,
            j2 = (j + 2) % 3;
        span reach = span_of(axis < 3 ? b[i] : axis < 6 ? a[i] : 0);
        along = axis < 3 ? way[i] : span_of(0);
        for (int k = 0; axis < 6 && k < 3; k++) {
            reach =
                span_add(reach, axis < 3 ? span_mul(span_of(a[k]), size[i][k]) : span_mul(span_of(b[k]), size[k][i]));
            if (axis >= 3) along = span_add(along, span_mul(way[k], f->r[k][i]));
        }
        if (axis >= 6) {
            along = span_sub(span_mul(way[i2], f->r[i1][j]), span_mul(way[i1], f->r[i2][j]));
            reach = span_add(span_add(span_mul(span_of(a[j1]), size[i][j2]), span_mul(span_of(a[j2]), size[i][j1])),
                             span_add(span_mul(span_of(b[i1]), size[i2][j]), span_mul(span_of(b[i2]), size[i1][j])));
        }
        relation r = compare(along, reach);
        if (r == APART) return APART;
        bool parallel = axis >= 6 && mpfr_cmp_d(reach.high, 0x1p-90) < 0;
        all = all && (r == CROSSING || parallel);
    }
    return all ? CROSSING : UNKNOWN;
}

/* Both links against the box that stands. */
static relation look(const scene *s, piece *p, double from, double to) {
    real_reset();
    span_frame f = {0};
    for (int i = 0; i < 9; i++) f.r[i / 3][i % 3] = span_of(i % 4 == 0);
    for (int i = 0; i < 3; i++) f.t[i] = span_of(0);
    relation all = APART;
    for (int j = 0; j < JOINTS; j++) {
        f = below(&f, s, j, value_in(s, p, j, from, to));
        relation r = relate(s, &f, j);
        if (r == CROSSING || (r == UNKNOWN && all == APART)) all = r;
    }
    return all;
}

/* ---- the first contact ---- */

/* No contact before `low`, one at `high`; INFINITY: none. Parts of piece `at`. */
typedef struct truth {
    size_t low_at, high_at;
    double low, high;
    int looks;
} truth;

enum { MOST_LOOKS = 6000 };

static void search(const scene *s, piece *p, size_t at, double from, double to, truth *found) {
    if (isfinite(found->high) || ++found->looks > MOST_LOOKS) return;
    if (look(s, p, from, to) == APART) return;
    double middle = from + 0.5 * (to - from);
    if (to - from > 0x1p-32) {
        search(s, p, at, from, middle, found);
        search(s, p, at, middle, to, found);
        return;
    }
    if (isinf(found->low)) found->low = from, found->low_at = at;
    if (look(s, p, middle, middle) == CROSSING) found->high = middle, found->high_at = at;
}

static truth first_contact(const scene *s, piece *p) {
    truth found = {.low = INFINITY, .high = INFINITY};
    for (size_t at = s->path.degree; at < s->path.count; at++) {
        if (!(s->knots[at] < s->knots[at + 1])) continue;
        read_piece(s, at, p);
        search(s, p, at, 0, 1, &found);
    }
    return found;
}

/* Seconds of a part of a piece, exactly. */
static real seconds(const scene *s, size_t at, double part) {
    real from = real_of(s->knots[at]), to = real_of(s->knots[at + 1]);
    return real_add(from, real_mul(real_of(part), real_sub(to, from)));
}

typedef struct tally {
    int hits, clear, long_ones, wide;
} tally;

static void judge(const scene *s, piece *p, const graze_plan_result *r, int number, tally *t) {
    truth found = first_contact(s, p);
    bool hit = r->verdict == GRAZE_HIT;
    if (found.low == 0 && found.low_at == s->path.degree) return; /* it starts in contact, or inside */
    t->long_ones += found.looks > MOST_LOOKS;
    CHECK_MSG(r->verdict != GRAZE_UNRESOLVED, "case %d", number);
    real_reset();
    if (isfinite(found.high)) {
        CHECK_MSG(hit, "case %d: a contact at %.17g of piece %zu, but clear", number, found.high, found.high_at);
        CHECK_MSG(mpfr_cmp_d(seconds(s, found.high_at, found.high), r->time) >= 0, "case %d: late, %.17g", number,
                  r->time);
    }
    if (found.looks > MOST_LOOKS) return;
    CHECK_MSG(!hit || isfinite(found.low) || !r->contact.proven, "case %d: free, but a contact is proven", number);
    if (hit && isfinite(found.low)) {
        real low = seconds(s, found.low_at, found.low);
        CHECK_MSG(mpfr_cmp_d(low, r->time_upper) <= 0, "case %d: proven at %.17g, before it can be", number,
                  r->time_upper);
        t->wide += mpfr_cmp_d(real_sub(low, real_of(1e-6)), r->time) > 0;
    }
    t->hits += hit;
    t->clear += !hit;
}

TEST(plans_of_every_degree_are_never_late_in_256_bits) {
    const char *given = getenv("GRAZE_PLANS");
    int count = given ? atoi(given) : 300;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {20261118};
    tally t = {0};
    piece p;
    for (int j = 0; j < JOINTS; j++)
        for (int k = 0; k <= GRAZE_MAX_DEGREE; k++) mpfr_inits2(REAL_BITS, p.low[j][k], p.high[j][k], (mpfr_ptr)0);
    for (int n = 0; n < count; n++) {
        scene s;
        make_scene(&random, n % 3 == 0 ? 7 : 1 + (uint32_t)n % 7, &s);
        graze_world *world = make_world(context, &s);
        graze_plan_result r = graze_default_plan_result();
        CHECK(graze_world_plan(context, world, &s.path, 1, NULL, &r) == GRAZE_OK);
        judge(&s, &p, &r, n, &t);
        graze_world_release(world);
    }
    printf("  %d hit, %d clear, %d too long for 256 bits, %d of the hits more than a microsecond early\n", t.hits,
           t.clear, t.long_ones, t.wide);
    CHECK(t.hits > count / 8 && t.clear > count / 4 && t.long_ones < count / 10 && t.wide <= count / 20);
    for (int j = 0; j < JOINTS; j++)
        for (int k = 0; k <= GRAZE_MAX_DEGREE; k++) mpfr_clears(p.low[j][k], p.high[j][k], (mpfr_ptr)0);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
