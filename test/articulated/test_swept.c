/* Swept volumes against sampling: no point of the link is ever in a cell that is outside, and every cell that is said
   to be touched is. */
#include "bodies.h"

#include "failing.h"

#include <math.h>

typedef struct point {
    double c[3];
} point;

/* A box on two hinges, about z and then about y, one away from the other; everything here is plain arithmetic. */
typedef struct arm {
    graze_context *context;
    test_box box;
    graze_link_mesh mesh;
    graze_link links[2];
    graze_model *model;
    double from[2], to[2], padding;
    graze_motion motion;
} arm;

static void open_arm(arm *a, graze_context *context, test_random *random, double padding) {
    *a = (arm){.context = context, .padding = padding};
    a->box = test_box_of(test_random_between(random, 0.05, 0.4), test_random_between(random, 0.05, 0.2), 0.1);
    a->mesh = test_mesh_of(&a->box);
    a->links[0] = test_link(-1, GRAZE_JOINT_REVOLUTE, test_frame(0.1, -0.2, 0.3), NULL);
    a->links[1] = test_link(0, GRAZE_JOINT_REVOLUTE, test_frame(0.7, 0, 0), &a->mesh);
    a->links[1].axis[1] = 1;
    a->links[1].axis[2] = 0;
    a->links[1].padding = padding;
    CHECK(graze_model_create(context, a->links, 2, &a->model) == GRAZE_OK);
    for (int k = 0; k < 2; k++) {
        a->from[k] = test_random_between(random, -2, 2);
        a->to[k] = a->from[k] + test_random_between(random, -1.5, 1.5);
    }
    a->motion = test_motion(a->from, a->to);
}

static graze_swept_result sweep(const arm *a, double size, uint64_t most) {
    graze_swept_options options = graze_default_swept_options();
    graze_swept_result r = graze_default_swept_result();
    options.size = size;
    options.max_cells = most;
    graze_status status = graze_model_swept(a->context, a->model, 1, &a->motion, 1, &options, &r);
    CHECK_MSG(status == GRAZE_OK, "%s", graze_status_name(status));
    return r;
}

/* A point of the box's frame at time t, in the world. */
static point place(const arm *a, point x, double t) {
    double z = a->from[0] + t * (a->to[0] - a->from[0]), y = a->from[1] + t * (a->to[1] - a->from[1]);
    point p = {{cos(y) * x.c[0] + sin(y) * x.c[2] + 0.7, x.c[1], -sin(y) * x.c[0] + cos(y) * x.c[2]}};
    return (point){{cos(z) * p.c[0] - sin(z) * p.c[1] + 0.1, sin(z) * p.c[0] + cos(z) * p.c[1] - 0.2, p.c[2] + 0.3}};
}

/* Not closer than `edge` to the cell's surface. */
static bool is_in(const graze_swept_cell *cell, point p, double edge) {
    for (int c = 0; c < 3; c++)
        if (!(fabs(p.c[c] - cell->center[c]) < cell->half - edge)) return false;
    return true;
}

/* ---- cells fill their root ---- */

TEST(cells_fill_the_root) {
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    test_random random = {80};
    arm a;
    open_arm(&a, context, &random, 0);
    graze_swept_result r = sweep(&a, 0.07, 0);
    double volume = 0, least = INFINITY;
    for (size_t i = 0; i < r.cell_count; i++) {
        const graze_swept_cell *cell = &r.cells[i];
        volume += 8 * cell->half * cell->half * cell->half;
        least = fmin(least, cell->half);
        for (int c = 0; c < 3; c++) CHECK(fabs(cell->center[c] - r.root_center[c]) + cell->half <= r.root_half);
        CHECK(cell->state == GRAZE_CELL_OUTSIDE || cell->half == 0x1p-5);
    }
    CHECK(volume == 8 * r.root_half * r.root_half * r.root_half && least == 0x1p-5 && r.whole); /* cells of 1/16 */
    CHECK(r.counts[0] + r.counts[1] + r.counts[2] == r.cell_count && r.counts[1] > 100);
    graze_swept_release(context, &r);
    graze_model_destroy(context, a.model);
    graze_context_destroy(context);
}

/* ---- outside ---- */

/* A point of the box, or within the padding of one. */
static point some_point(const arm *a, test_random *random, bool inside) {
    point x;
    int side = (int)test_random_below(random, 3);
    for (int c = 0; c < 3; c++) {
        double most = a->box.vertices[7][c];
        x.c[c] = !inside && c == side ? (test_random_below(random, 2) ? most : -most)
                                      : test_random_between(random, -most, most);
    }
    double out[3], length = 0;
    for (int c = 0; c < 3; c++) {
        out[c] = test_random_between(random, -1, 1);
        length += out[c] * out[c];
    }
    for (int c = 0; c < 3; c++) x.c[c] += a->padding * (1 - 1e-9) * test_random_unit(random) * out[c] / sqrt(length);
    return x;
}

static void check_outside(const arm *a, const graze_swept_result *r, test_random *random, int samples) {
    for (int k = 0; k < samples; k++) {
        point p = place(a, some_point(a, random, k % 2), test_random_unit(random));
        for (size_t i = 0; i < r->cell_count; i++) {
            if (r->cells[i].state != GRAZE_CELL_OUTSIDE || !is_in(&r->cells[i], p, 1e-12)) continue;
            CHECK_MSG(false, "(%.17g, %.17g, %.17g) is in a cell that is outside", p.c[0], p.c[1], p.c[2]);
        }
    }
}

TEST(no_sampled_point_is_in_a_cell_that_is_outside) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {81};
    for (int n = 0; n < 6; n++) {
        arm a;
        open_arm(&a, context, &random, n % 2 ? 0.06 : 0);
        graze_swept_result r = sweep(&a, n < 3 ? 0.07 : 0.14, 0);
        check_outside(&a, &r, &random, 4000);
        graze_swept_release(context, &r);
        graze_model_destroy(context, a.model);
    }
    graze_context_destroy(context);
}

/* ---- touched ---- */

static double clamped(double x, double most) { return x < -most ? -most : x > most ? most : x; }

/* From the box, grown by nothing, to the cell at time t: two convex bodies, by projecting onto one and the other. */
static double distance_at(const arm *a, const graze_swept_cell *cell, double t) {
    point p = {{cell->center[0], cell->center[1], cell->center[2]}};
    double z = a->from[0] + t * (a->to[0] - a->from[0]), y = a->from[1] + t * (a->to[1] - a->from[1]), length = 0;
    for (int k = 0; k < 300; k++) {
        point q = {{p.c[0] - 0.1, p.c[1] + 0.2, p.c[2] - 0.3}};
        point u = {{cos(z) * q.c[0] + sin(z) * q.c[1] - 0.7, -sin(z) * q.c[0] + cos(z) * q.c[1], q.c[2]}};
        point x = {{cos(y) * u.c[0] - sin(y) * u.c[2], u.c[1], sin(y) * u.c[0] + cos(y) * u.c[2]}};
        for (int c = 0; c < 3; c++) x.c[c] = clamped(x.c[c], a->box.vertices[7][c]);
        point on_box = place(a, x, t);
        length = 0;
        for (int c = 0; c < 3; c++) {
            p.c[c] = cell->center[c] + clamped(on_box.c[c] - cell->center[c], cell->half);
            length += (p.c[c] - on_box.c[c]) * (p.c[c] - on_box.c[c]);
        }
        if (length == 0) break;
    }
    return sqrt(length);
}

/* Over all time: where a coarse look finds it least, then finer ones. */
static double least_distance(const arm *a, const graze_swept_cell *cell) {
    double best = INFINITY, at = 0, step = 1.0 / 200;
    for (int k = 0; k <= 200; k++) {
        double d = distance_at(a, cell, k * step);
        if (d < best) best = d, at = k * step;
    }
    for (; step > 1e-10 && best > 0; step *= 0.5)
        for (int side = -1; side <= 1; side += 2) {
            double t = fmax(0, fmin(1, at + side * step)), d = distance_at(a, cell, t);
            if (d < best) best = d, at = t;
        }
    return best;
}

TEST(cells_that_are_touched_are) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {82};
    long touched = 0, undecided = 0;
    for (int n = 0; n < 4; n++) {
        arm a;
        open_arm(&a, context, &random, n % 2 ? 0.06 : 0);
        graze_swept_result r = sweep(&a, 0.14, 0);
        for (size_t i = 0; i < r.cell_count; i++) {
            undecided += r.cells[i].state == GRAZE_CELL_UNDECIDED;
            if (r.cells[i].state != GRAZE_CELL_TOUCHED) continue;
            touched++;
            double away = least_distance(&a, &r.cells[i]);
            CHECK_MSG(away <= a.padding + 1e-6, "a cell %g away is touched", away);
        }
        graze_swept_release(context, &r);
        graze_model_destroy(context, a.model);
    }
    printf("  %ld touched, %ld undecided\n", touched, undecided);
    CHECK(touched > 300 && undecided < touched);
    graze_context_destroy(context);
}

/* A cube that stands: its own cells, and none beside it, are known to the last one. */
TEST(a_box_that_stands_fills_itself) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_box box = test_box_of(0.45, 0.45, 0.45);
    graze_model *model = test_body(context, GRAZE_JOINT_FIXED, test_frame(0, 0, 0), &box);
    graze_swept_options options = graze_default_swept_options();
    graze_swept_result r = graze_default_swept_result();
    graze_motion motion = graze_default_motion();
    options.size = 0.125;
    CHECK(graze_model_swept(context, model, 0, &motion, 1, &options, &r) == GRAZE_OK);
    size_t inside = 0;
    for (size_t i = 0; i < r.cell_count; i++) {
        double far = 0;
        for (int c = 0; c < 3; c++) far = fmax(far, fabs(r.cells[i].center[c]) - r.cells[i].half);
        CHECK(r.cells[i].state == (far <= 0.45 ? GRAZE_CELL_TOUCHED : GRAZE_CELL_OUTSIDE));
        inside += r.cells[i].state == GRAZE_CELL_TOUCHED;
    }
    CHECK_MSG(inside > 100 && r.counts[2] == 0, "%zu", inside);
    graze_swept_release(context, &r);
    graze_model_destroy(context, model);
    graze_context_destroy(context);
}

/* ---- bits, limits, errors ---- */

TEST(bits_do_not_depend_on_threads_or_instruction_sets) {
    test_random random = {83};
    graze_context *one = test_context(1, GRAZE_ISA_SCALAR), *more = test_context(3, GRAZE_ISA_AUTO);
    arm a;
    open_arm(&a, one, &random, 0.02);
    graze_swept_result first = sweep(&a, 0.07, 0);
    a.context = more;
    graze_swept_result second = sweep(&a, 0.07, 0);
    CHECK(first.cell_count == second.cell_count);
    CHECK(memcmp(first.cells, second.cells, first.cell_count * sizeof *first.cells) == 0);
    graze_swept_release(more, &second);
    graze_swept_release(one, &first);
    graze_model_destroy(one, a.model);
    graze_context_destroy(more);
    graze_context_destroy(one);
}

TEST(a_limit_leaves_larger_cells_undecided) {
    test_random random = {84};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    arm a;
    open_arm(&a, context, &random, 0);
    graze_swept_result r = sweep(&a, 0.01, 1000);
    CHECK(!r.whole && r.counts[2] > 0 && r.cell_count < 40000);
    check_outside(&a, &r, &random, 300);
    graze_swept_release(context, &r);
    graze_model_destroy(context, a.model);
    graze_context_destroy(context);
}

/* Ends a call when it has been asked so many times. */
static int end_after(void *user) {
    long *left = user;
    return (*left)-- <= 0;
}

TEST(a_cancelled_call_leaves_larger_cells_undecided) {
    long left;
    graze_context_options opened = graze_default_context_options();
    graze_context *context;
    opened.threads = 1;
    opened.cancel = end_after;
    opened.cancel_user = &left;
    CHECK(graze_context_create(&opened, &context) == GRAZE_OK);
    for (int n = 0; n < 14; n++) {
        test_random random = {86};
        arm a;
        left = LONG_MAX;
        open_arm(&a, context, &random, 0);
        left = 1L << n;
        graze_swept_result r = sweep(&a, 0.01, 0);
        double volume = 0;
        for (size_t i = 0; i < r.cell_count; i++) volume += 8 * pow(r.cells[i].half, 3);
        CHECK(!r.whole && r.counts[2] > 0 && volume == 8 * pow(r.root_half, 3));
        CHECK(n < 10 || r.counts[0] + r.counts[1] > 100);
        check_outside(&a, &r, &random, 100);
        graze_swept_release(context, &r);
        graze_model_destroy(context, a.model);
    }
    graze_context_destroy(context);
}

TEST(swept_volumes_refuse_bad_arguments) {
    test_random random = {85};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    arm a;
    open_arm(&a, context, &random, 0);
    graze_swept_options options = graze_default_swept_options();
    graze_swept_result r = graze_default_swept_result();
    options.size = 0.1;
    CHECK(graze_model_swept(context, a.model, 1, &a.motion, 1, &options, NULL) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_model_swept(NULL, a.model, 1, &a.motion, 1, &options, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_model_swept(context, NULL, 1, &a.motion, 1, &options, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_model_swept(context, a.model, 1, NULL, 1, &options, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_model_swept(context, a.model, 1, &a.motion, 0, &options, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_model_swept(context, a.model, 1, &a.motion, 1, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_model_swept(context, a.model, 0, &a.motion, 1, &options, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_model_swept(context, a.model, 2, &a.motion, 1, &options, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    static const double sizes[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        options.size = sizes[i];
        CHECK(graze_model_swept(context, a.model, 1, &a.motion, 1, &options, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    }
    options.size = 1e-15;
    CHECK(graze_model_swept(context, a.model, 1, &a.motion, 1, &options, &r) == GRAZE_ERR_OUT_OF_RANGE);
    options.size = 0.1;
    a.to[0] = NAN;
    CHECK(graze_model_swept(context, a.model, 1, &a.motion, 1, &options, &r) == GRAZE_ERR_NOT_FINITE);
    CHECK(r.cells == NULL && r.cell_count == 0);
    graze_model_destroy(context, a.model);
    graze_context_destroy(context);
}

TEST(swept_volumes_survive_failure_of_every_allocation) {
    for (long allowed = 0; allowed < 100000; allowed = allowed < 40 ? allowed + 1 : allowed * 2) {
        test_random random = {86};
        failing f = {.left = LONG_MAX};
        graze_context *context = failing_context(&f, 0);
        CHECK(context);
        arm a;
        open_arm(&a, context, &random, 0);
        graze_swept_options options = graze_default_swept_options();
        graze_swept_result r = graze_default_swept_result();
        options.size = 0.3;
        f.left = allowed;
        graze_status status = graze_model_swept(context, a.model, 1, &a.motion, 1, &options, &r);
        f.left = LONG_MAX;
        CHECK(status == GRAZE_OK || (status == GRAZE_ERR_OUT_OF_MEMORY && r.cells == NULL));
        graze_swept_release(context, &r);
        graze_model_destroy(context, a.model);
        graze_context_destroy(context);
        CHECK(f.held == 0);
        if (status == GRAZE_OK) return;
    }
    CHECK(!"it succeeds with enough memory");
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
