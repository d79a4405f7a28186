#include "world/controls.h"

#include "narrow/curve_pair.h"

static const double *position(const gz_mover *mover, int k, uint32_t v) {
    return (const double *)(const void *)(mover->x[k] + mover->stride * v);
}

/* One coordinate that moves straight. */
static double straight(double x0, double x1, gz_span span, double q[4]) {
    if (x0 == x1) {
        q[0] = q[1] = q[2] = q[3] = x0;
        return 0;
    }
    q[0] = (1 - span.begin) * x0 + span.begin * x1;
    q[3] = (1 - span.end) * x0 + span.end * x1;
    q[1] = (2 * q[0] + q[3]) / 3;
    q[2] = (q[0] + 2 * q[3]) / 3;
    return GZ_CONTROL_SLACK * fmax(fabs(x0), fabs(x1)) + GZ_TAYLOR_TINY;
}

/* One coordinate of a curve. All of it is exact. */
static double cubic(const double c[4], gz_span span, double q[4]) {
    if (span.begin == 0 && span.end == 1) {
        for (int k = 0; k < 4; k++) q[k] = c[k];
        return 0;
    }
    gz_curve_part(c, span.begin, span.end, q);
    return GZ_CONTROL_SLACK * fmax(fmax(fabs(c[0]), fabs(c[1])), fmax(fabs(c[2]), fabs(c[3]))) + GZ_TAYLOR_TINY;
}

/* One coordinate of a point in a frame: a cubic in s from −1 to 1, then its Bernstein coefficients. */
static double turned(const gz_frame_model *frame, int i, const double x[3], double q[4]) {
    double c[4], size = frame->n[i][3], rest = frame->r[i][3];
    for (int k = 0; k < 4; k++) {
        const double *row = frame->c[k][i];
        c[k] = row[3] + (row[0] * x[0] + row[1] * x[1] + row[2] * x[2]);
    }
    for (int j = 0; j < 3; j++) {
        size += frame->n[i][j] * fabs(x[j]);
        rest += frame->r[i][j] * fabs(x[j]);
    }
    q[0] = (c[0] + c[2]) - (c[1] + c[3]);
    q[1] = (c[0] - c[2] / 3) - (c[1] / 3 - c[3]);
    q[2] = (c[0] - c[2] / 3) + (c[1] / 3 - c[3]);
    q[3] = (c[0] + c[2]) + (c[1] + c[3]);
    return rest + GZ_CONTROL_SLACK * size + GZ_TAYLOR_TINY;
}

double gz_controls(const gz_mover *mover, const gz_frame_model *frame, gz_span span, uint32_t vertex, double q[4][3]) {
    double off[3];
    for (int i = 0; i < 3; i++) {
        double c[4], p[4];
        if (frame) {
            off[i] = turned(frame, i, mover->unit->rest[vertex], p);
        } else if (mover->unit->kind == GZ_UNIT_CUBIC) {
            for (int k = 0; k < 4; k++) c[k] = position(mover, k, vertex)[i];
            off[i] = cubic(c, span, p);
        } else {
            off[i] = straight(position(mover, 0, vertex)[i], position(mover, 3, vertex)[i], span, p);
        }
        for (int k = 0; k < 4; k++) q[k][i] = p[k];
    }
    double length = gz_length(off);
    return length > 0 ? length * GZ_TAYLOR_UP + GZ_TAYLOR_TINY : 0;
}

/* ---- boxes ---- */

static void grow_to(double lo, double hi, double grow, int c, gz_box *box) {
    box->lo[c] = grow > 0 ? gz_sub_down(lo, grow) : lo;
    box->hi[c] = grow > 0 ? gz_add_up(hi, grow) : hi;
}

void gz_frame_spread(const gz_frame_model *frame, double spread[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            gz_taylor entry = gz_frame_entry(frame, i, j);
            spread[i][j] = gz_taylor_most(&entry);
        }
}

gz_box gz_box_in_frame(const gz_mover *mover, const double center[3], const double half[3], double grow) {
    gz_box box;
    for (int i = 0; i < 3; i++) {
        double q[4], off = turned(&mover->frame, i, center, q);
        const double *spread = mover->spread[i];
        double around = (off + (spread[0] * half[0] + spread[1] * half[1] + spread[2] * half[2])) * GZ_TAYLOR_UP;
        grow_to(fmin(fmin(q[0], q[1]), fmin(q[2], q[3])), fmax(fmax(q[0], q[1]), fmax(q[2], q[3])),
                gz_add_up(grow, around), i, &box);
    }
    return box;
}

gz_box gz_box_of_vertex(const gz_mover *mover, gz_span span, uint32_t vertex, double grow) {
    double q[4][3];
    bool has_frame = gz_unit_has_frame(mover->unit);
    double off = gz_controls(mover, has_frame ? &mover->frame : NULL, span, vertex, q);
    gz_box box;
    for (int c = 0; c < 3; c++)
        grow_to(fmin(fmin(q[0][c], q[1][c]), fmin(q[2][c], q[3][c])),
                fmax(fmax(q[0][c], q[1][c]), fmax(q[2][c], q[3][c])), gz_add_up(grow, off), c, &box);
    return box;
}
