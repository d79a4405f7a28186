/* Ranges that are proven clear against poses in intervals of 256 bits: at every pose some axis parts the two boxes, by
   more than separation and paddings. At the poses of contacts none does. */
#include "articulated/big_span.h"
#include "articulated/bodies.h"

#include "graze/range.h"

enum { LINKS = 4 };

typedef struct arm {
    test_box boxes[LINKS];
    graze_link_mesh meshes[LINKS];
    graze_link links[LINKS];
    graze_joint_range ranges[LINKS];
    double separation;
    graze_model *model;
} arm;

static double spread(test_random *random, double size) { return test_random_between(random, -size, size); }

static void make_range(test_random *random, arm *made, int i) {
    double middle = spread(random, 1), half = test_random_below(random, 8) ? test_random_between(random, 0, 0.8) : 0;
    made->ranges[i] = graze_default_joint_range();
    made->ranges[i].lower = middle - half;
    made->ranges[i].upper = middle + half;
    if (i < LINKS - 1 || test_random_below(random, 3)) return;
    made->ranges[i].follows = (int32_t)test_random_below(random, LINKS - 1);
    made->ranges[i].multiplier = spread(random, 1.5);
    made->ranges[i].offset = spread(random, 0.5);
}

/* Every third is of boxes and nothing else, the others have paddings and a separation. */
static void make_arm(graze_context *context, test_random *random, arm *made) {
    bool thick = test_random_below(random, 3) != 0;
    made->separation = thick && test_random_below(random, 2) ? 0.03 : 0;
    for (int i = 0; i < LINKS; i++) {
        made->boxes[i] = test_box_of(test_random_between(random, 0.05, 0.3), test_random_between(random, 0.05, 0.3),
                                     test_random_between(random, 0.05, 0.3));
        made->meshes[i] = test_mesh_of(&made->boxes[i]);
        double reach = i ? 0.7 : 0;
        made->links[i] = test_link(i - 1, test_random_below(random, 3) ? GRAZE_JOINT_REVOLUTE : GRAZE_JOINT_PRISMATIC,
                                   test_frame(spread(random, reach), spread(random, reach), spread(random, reach)),
                                   &made->meshes[i]);
        for (int k = 0; k < 4; k++) made->links[i].origin.rotation[k] = spread(random, 1);
        for (int k = 0; k < 3; k++) made->links[i].axis[k] = spread(random, 1);
        if (thick && test_random_below(random, 2)) made->links[i].padding = test_random_between(random, 0, 0.05);
        make_range(random, made, i);
    }
    CHECK(graze_model_create(context, made->links, LINKS, &made->model) == GRAZE_OK);
}

/* ---- in intervals of 256 bits ---- */

typedef struct span_frame {
    span r[3][3], t[3];
} span_frame;

/* The matrix of a quaternion of any length. */
static void turned(const double q[4], span r[3][3]) {
    span w = span_of(q[0]), v[3] = {span_of(q[1]), span_of(q[2]), span_of(q[3])}, two = span_of(2);
    span ww = span_mul(w, w), vv = span_dot(v, v), n = span_add(ww, vv);
    for (int i = 0; i < 9; i++) {
        int a = i / 3, b = i % 3, c = 3 - a - b;
        span e = span_mul(two, span_mul(v[a], v[b]));
        if (a == b)
            e = span_add(e, span_sub(ww, vv));
        else if (b == (a + 1) % 3)
            e = span_sub(e, span_mul(two, span_mul(w, v[c])));
        else
            e = span_add(e, span_mul(two, span_mul(w, v[c])));
        r[a][b] = span_div(e, n);
    }
}

/* About an axis of any length: cos·I + sin·[k]× + (1 − cos)·k·kᵀ. */
static void turned_about(const span k[3], span angle, span r[3][3]) {
    span sine = span_wave(angle, false), cosine = span_wave(angle, true), rest = span_sub(span_of(1), cosine);
    for (int i = 0; i < 9; i++) {
        int a = i / 3, b = i % 3, c = 3 - a - b;
        r[a][b] = span_mul(rest, span_mul(k[a], k[b]));
        if (a == b)
            r[a][b] = span_add(r[a][b], cosine);
        else if (b == (a + 1) % 3)
            r[a][b] = span_sub(r[a][b], span_mul(sine, k[c]));
        else
            r[a][b] = span_add(r[a][b], span_mul(sine, k[c]));
    }
}

static span_frame product(const span_frame *p, const span_frame *q) {
    span_frame f;
    for (int i = 0; i < 3; i++) {
        f.t[i] = span_add(p->t[i], span_dot(p->r[i], q->t));
        for (int j = 0; j < 3; j++) {
            span column[3] = {q->r[0][j], q->r[1][j], q->r[2][j]};
            f.r[i][j] = span_dot(p->r[i], column);
        }
    }
    return f;
}

static span_frame exact_joint(const arm *a, int link, span value) {
    span_frame f = {{{{0}}}, {span_of(0), span_of(0), span_of(0)}};
    span k[3], length;
    for (int c = 0; c < 3; c++) k[c] = span_of(a->links[link].axis[c]);
    length = span_root(span_dot(k, k));
    for (int c = 0; c < 3; c++) k[c] = span_div(k[c], length);
    bool turns = a->links[link].joint == GRAZE_JOINT_REVOLUTE;
    turned_about(k, turns ? value : span_of(0), f.r);
    for (int c = 0; c < 3 && !turns; c++) f.t[c] = span_mul(value, k[c]);
    return f;
}

/* What a value is in exact numbers: of one that follows, multiplier times the other and offset. */
static span value_of(const arm *a, const double *pose, int i) {
    const graze_joint_range *range = &a->ranges[i];
    if (range->follows < 0) return span_of(pose[i]);
    return span_add(span_mul(span_of(range->multiplier), span_of(pose[range->follows])), span_of(range->offset));
}

static void exact_frames(const arm *a, const double *pose, span_frame *frames) {
    for (int i = 0; i < LINKS; i++) {
        span_frame origin, joint = exact_joint(a, i, value_of(a, pose, i));
        turned(a->links[i].origin.rotation, origin.r);
        for (int c = 0; c < 3; c++) origin.t[c] = span_of(a->links[i].origin.position[c]);
        frames[i] = product(&origin, &joint);
        if (i) frames[i] = product(&frames[i - 1], &frames[i]);
    }
}

typedef struct span_box {
    span x[8][3];
    real axes[3][3]; /* about those of the box: any numbers are a direction */
} span_box;

static void exact_box(const test_box *box, const span_frame *frame, span_box *to) {
    for (int v = 0; v < 8; v++)
        for (int r = 0; r < 3; r++) {
            const double *x = box->vertices[v];
            span at[3] = {span_of(x[0]), span_of(x[1]), span_of(x[2])};
            to->x[v][r] = span_add(frame->t[r], span_dot(frame->r[r], at));
        }
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) to->axes[c][r] = frame->r[r][c].low;
}

static span interval_along(const span_box *box, const span n[3]) {
    span all = span_dot(n, box->x[0]);
    for (int v = 1; v < 8; v++) all = span_hull(all, span_dot(n, box->x[v]));
    return all;
}

/* True for certain. */
static bool parts(const span_box *a, const span_box *b, const real n[3], span reach) {
    span way[3] = {{n[0], n[0]}, {n[1], n[1]}, {n[2], n[2]}};
    span one = interval_along(a, way), other = interval_along(b, way);
    span needed = span_mul(reach, span_root(span_dot(way, way)));
    for (int side = 0; side < 2; side++) {
        span gap = span_sub((span){(side ? one : other).low, (side ? one : other).low},
                            (span){(side ? other : one).high, (side ? other : one).high});
        if (mpfr_cmp(gap.low, needed.high) > 0) return true;
    }
    return false;
}

static real3 across(const real a[3], const real b[3]) {
    real3 n;
    for (int c = 0; c < 3; c++) {
        int i = (c + 1) % 3, j = (c + 2) % 3;
        n.c[c] = real_sub(real_mul(a[i], b[j]), real_mul(a[j], b[i]));
    }
    return n;
}

static bool are_apart(const span_box *a, const span_box *b, span reach, const double along[3]) {
    real3 given = real3_of(along);
    if (parts(a, b, given.c, reach)) return true;
    for (int i = 0; i < 3; i++)
        if (parts(a, b, a->axes[i], reach) || parts(a, b, b->axes[i], reach)) return true;
    for (int i = 0; i < 9; i++)
        if (parts(a, b, across(a->axes[i / 3], b->axes[i % 3]).c, reach)) return true;
    return false;
}

/* ---- poses ---- */

static void draw_pose(test_random *random, const arm *a, double *pose) {
    for (int i = 0; i < LINKS; i++) {
        pose[i] = test_random_between(random, a->ranges[i].lower, a->ranges[i].upper);
        uint64_t end = test_random_below(random, 4);
        if (end < 2) pose[i] = end ? a->ranges[i].upper : a->ranges[i].lower;
    }
}

/* A direction worth trying: that of the closest points, as doubles have it. */
static void direction_between(graze_context *context, const arm *a, const graze_range_pair *pair, const double *pose,
                              double n[3]) {
    uint8_t table[LINKS * LINKS] = {0};
    double values[LINKS];
    for (int i = 0; i < LINKS; i++) {
        const graze_joint_range *range = &a->ranges[i];
        values[i] = range->follows < 0 ? pose[i] : range->multiplier * pose[range->follows] + range->offset;
    }
    table[pair->link_a * LINKS + pair->link_b] = table[pair->link_b * LINKS + pair->link_a] = 1;
    graze_articulated_options options = graze_default_articulated_options();
    graze_link_distance found = graze_default_link_distance();
    graze_motion motion = test_motion(values, values);
    options.link_pairs = table;
    CHECK(graze_articulated_distance(context, (const graze_model *const *)&a->model, 1, &motion, &options, &found) ==
          GRAZE_OK);
    for (int c = 0; c < 3; c++) n[c] = found.point_a[c] - found.point_b[c];
}

static bool free_at(graze_context *context, const arm *a, const graze_range_pair *pair, const double *pose) {
    double along[3] = {0, 0, 0};
    span_frame frames[LINKS];
    span_box one, other;
    real_reset();
    span reach = span_add(span_of(a->separation),
                          span_add(span_of(a->links[pair->link_a].padding), span_of(a->links[pair->link_b].padding)));
    if (mpfr_sgn(reach.high) > 0) direction_between(context, a, pair, pose, along);
    exact_frames(a, pose, frames);
    exact_box(&a->boxes[pair->link_a], &frames[pair->link_a], &one);
    exact_box(&a->boxes[pair->link_b], &frames[pair->link_b], &other);
    return are_apart(&one, &other, reach, along);
}

typedef struct tally {
    uint64_t clear, thick, touch;
} tally;

static void judge(graze_context *context, const arm *a, const graze_range_result *r, test_random *random,
                  uint64_t poses, tally *t) {
    for (size_t i = 0; i < r->pair_count; i++) {
        const graze_range_pair *pair = &r->pairs[i];
        bool thick = a->separation + a->links[pair->link_a].padding + a->links[pair->link_b].padding > 0;
        if (pair->verdict == GRAZE_HIT) {
            CHECK_MSG(!free_at(context, a, pair, pair->pose), "links %u and %u do not touch", pair->link_a,
                      pair->link_b);
            t->touch++;
        }
        for (uint64_t n = 0; n < poses && pair->verdict == GRAZE_CLEAR; n++) {
            double pose[LINKS];
            draw_pose(random, a, pose);
            CHECK_MSG(free_at(context, a, pair, pose), "links %u and %u are not apart at %.17g %.17g %.17g %.17g",
                      pair->link_a, pair->link_b, pose[0], pose[1], pose[2], pose[3]);
            t->clear++;
            t->thick += thick;
        }
    }
}

static uint64_t number_of(const char *name, uint64_t otherwise) {
    return getenv(name) ? strtoull(getenv(name), NULL, 10) : otherwise;
}

TEST(poses_in_clear_ranges_are_free_in_256_bits) {
    uint64_t wanted = number_of("GRAZE_RANGE_POSES", 1500);
    tally t = {0};
    test_random random = {number_of("GRAZE_RANGE_SEED", 20261118)};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    graze_range_options options = graze_default_range_options();
    options.samples = 40;
    options.max_cells = 3000;
    while (t.clear < wanted) {
        arm a;
        make_arm(context, &random, &a);
        options.min_separation = a.separation;
        graze_range_result r = graze_default_range_result();
        CHECK(graze_articulated_range(context, (const graze_model *const *)&a.model, 1, a.ranges, &options, &r) ==
              GRAZE_OK);
        judge(context, &a, &r, &random, 15, &t);
        graze_range_release(context, &r);
        graze_model_destroy(context, a.model);
    }
    printf("  %llu poses are free, %llu of them of thick links; %llu touch\n", (unsigned long long)t.clear,
           (unsigned long long)t.thick, (unsigned long long)t.touch);
    CHECK(t.thick > wanted / 5 && t.touch > wanted / 300);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
