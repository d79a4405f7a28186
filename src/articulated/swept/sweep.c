/* Cubes against a link; docs/numerics.md, section 9.14. */
#include "articulated/swept/sweep.h"

#include "numerics/closest.h"

#include <math.h>

static void set_middle(const gz_sweep *sweep, gz_sweep_window *window, gz_frames *frames, uint32_t link, double t) {
    gz_frames_window(frames, t, t);
    window->middle = *gz_frames_world(frames, link);
    window->error = gz_position_error(&window->middle, sweep->extent);
}

void gz_sweep_set(const gz_sweep *sweep, gz_sweep_window *window, gz_frames *frames, uint32_t link, double begin,
                  double end) {
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    window->begins = false;
    gz_frames_window(frames, begin, end);
    window->frame = *gz_frames_world(frames, link);
    for (int i = 0; i < GZ_SWEEP_AXES; i++) {
        double own[3];
        for (int c = 0; c < 3; c++) own[c] = window->frame.c[0][c][i % 3];
        gz_project(&window->frame, sweep->extent, sweep->reach, i < 3 ? axes[i] : own, sweep->link->padding,
                   &window->along[i]);
    }
    set_middle(sweep, window, frames, link, 0.5 * (begin + end));
}

void gz_sweep_set_start(const gz_sweep *sweep, gz_sweep_window *window, gz_frames *frames, uint32_t link) {
    window->begins = true;
    set_middle(sweep, window, frames, link, 0);
}

/* ---- apart ---- */

/* An interval along p against that of the cube; roundings are in the margin. */
static bool is_clear_of(const gz_projection *p, double middle, double half, const gz_cube *cube) {
    double at = p->n[0] * cube->center[0] + p->n[1] * cube->center[1] + p->n[2] * cube->center[2];
    double width = (fabs(p->n[0]) + fabs(p->n[1]) + fabs(p->n[2])) * cube->half;
    return fabs(middle - at) > half + width + (p->margin + p->reach);
}

bool gz_sweep_apart(const gz_sweep *sweep, const gz_sweep_window *window, const gz_face_node *node,
                    const gz_cube *cube) {
    (void)sweep;
    for (int i = 0; i < GZ_SWEEP_AXES; i++) {
        double half, sweeps, middle = gz_node_interval(&window->along[i], node, &half, &sweeps);
        if (is_clear_of(&window->along[i], middle, half, cube)) return true;
    }
    return false;
}

/* The hull of the intervals of its corners. */
static bool corners_apart(const gz_sweep *sweep, const gz_projection *p, uint32_t face, const gz_cube *cube) {
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < 3; k++) {
        const double *x = sweep->link->vertices[sweep->link->faces[face][k]];
        gz_face_node corner = {.center = {x[0], x[1], x[2]}};
        double half, sweeps, middle = gz_node_interval(p, &corner, &half, &sweeps);
        low = fmin(low, middle - half);
        high = fmax(high, middle + half);
    }
    return is_clear_of(p, 0.5 * (low + high), 0.5 * (high - low), cube);
}

bool gz_sweep_face_apart(const gz_sweep *sweep, const gz_sweep_window *window, uint32_t face, const gz_cube *cube) {
    for (int i = 0; i < GZ_SWEEP_AXES; i++)
        if (corners_apart(sweep, &window->along[i], face, cube)) return true;
    gz_triangle f = gz_triangle_of(sweep->link, face);
    gz_vec3 normal = gz_vec3_cross(gz_vec3_sub(f.x[1], f.x[0]), gz_vec3_sub(f.x[2], f.x[0]));
    double n[3], most = 0;
    for (int c = 0; c < 3; c++) {
        const double *row = window->frame.c[0][c];
        n[c] = row[0] * normal.c[0] + row[1] * normal.c[1] + row[2] * normal.c[2];
        most = fmax(most, fabs(n[c]));
    }
    if (!(most > 0) || !isfinite(most)) return false;
    for (int c = 0; c < 3; c++) n[c] /= most;
    gz_projection p;
    gz_project(&window->frame, sweep->extent, sweep->reach, n, sweep->link->padding, &p);
    return corners_apart(sweep, &p, face, cube);
}

/* ---- together ---- */

bool gz_sweep_touches(const gz_sweep *sweep, const gz_sweep_window *window, uint32_t face, const gz_cube *cube) {
    gz_triangle f = gz_triangle_at(&window->middle, sweep->link, face, 0);
    gz_vec3 center = gz_vec3_of(cube->center), rows[4] = {center, f.x[0], f.x[1], f.x[2]};
    gz_closest closest = gz_closest_points(GRAZE_VF, rows);
    double size = 0, out[3];
    for (int c = 0; c < 3; c++) size += sweep->reach[c] + sweep->extent[c];
    double error = window->error + GZ_CLOSEST_SLACK * size;
    for (int c = 0; c < 3; c++) out[c] = fmax(0, fabs(closest.vector.c[c]) + error - cube->half);
    double away = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]) * GZ_TAYLOR_UP;
    return isfinite(closest.squared) && away <= gz_face_padding(sweep->link, face);
}

/* The middle of the cube, seen from the link, and how far that may be off along each axis. */
static gz_vec3 seen_from_link(const gz_sweep_window *start, const gz_cube *cube, double *error) {
    const gz_frame_model *m = &start->middle;
    gz_vec3 at = {{0, 0, 0}};
    double off = 0, size = 0;
    for (int i = 0; i < 3; i++) {
        double away = cube->center[i] - m->c[0][i][3];
        size += fabs(cube->center[i]) + fabs(m->c[0][i][3]);
        off += m->r[i][3];
        for (int j = 0; j < 3; j++) {
            at.c[j] += m->c[0][i][j] * away;
            off += m->r[i][j] * (fabs(away) + m->r[i][3]);
        }
    }
    *error = (2 * off + GZ_PROJECTION_SLACK * size) * GZ_TAYLOR_UP + GZ_TAYLOR_TINY;
    return at;
}

gz_inside gz_sweep_inside(const gz_sweep *sweep, const gz_sweep_window *start, const gz_cube *cube) {
    uint64_t checks = 0;
    double error;
    gz_vec3 at = seen_from_link(start, cube, &error);
    return gz_point_inside(at, error, sweep->link, &checks);
}
