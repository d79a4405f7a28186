#include "broad/boxes.h"

#define GZ_BOX_CHUNK 16384 /* about 50 µs: less is not worth waking another thread */

/* fl(a + b) and what rounding took from it: a + b = sum + error exactly (Knuth), unless the sum overflows. */
typedef struct exact_sum {
    double sum, error;
} exact_sum;

static exact_sum add(double a, double b) {
    double sum = a + b;
    double part = sum - a;
    return (exact_sum){sum, (a - (sum - part)) + (b - part)};
}

double gz_add_up(double a, double b) {
    exact_sum s = add(a, b);
    return s.error > 0 ? nextafter(s.sum, INFINITY) : s.sum;
}

double gz_sub_down(double a, double b) {
    exact_sum s = add(a, -b);
    return s.error < 0 ? nextafter(s.sum, -INFINITY) : s.sum;
}

/* x(t) = (1−t)·x0 + t·x1 is the exact sum of p + q and a tail of rounding errors. The tail is at most 8u·(|x0| + |x1|)
   and is summed with an error far below the last place of p + q; `slack` bounds it. */
void gz_point_at(double x0, double x1, double t, double *lo, double *hi) {
    double least = x0 < x1 ? x0 : x1, most = x0 < x1 ? x1 : x0;
    *lo = least;
    *hi = most;
    if (t == 1) {
        *lo = *hi = x1;
        return;
    }
    if (least == most) return;
    double size = fmax(fabs(x0), fabs(x1));
    /* beyond, an intermediate may overflow: the whole segment is a valid answer */
    if (size > 0x1p1000) return;
    exact_sum rest = add(1, -t);
    double p = rest.sum * x0, q = t * x1, r = rest.error * x0;
    exact_sum main = add(p, q);
    double tails[4] = {fma(rest.sum, x0, -p), fma(t, x1, -q), r, fma(rest.error, x0, -r)};
    double tail = main.error;
    int exact = (x0 == 0 || fabs(p) >= 0x1p-900) && (x1 == 0 || fabs(q) >= 0x1p-900) &&
                (x0 == 0 || rest.error == 0 || fabs(r) >= 0x1p-900);
    for (int i = 0; i < 4; i++) {
        exact_sum next = add(tail, tails[i]);
        tail = next.sum;
        exact &= next.error == 0;
    }
    double slack = exact ? 0 : 0x1p-98 * size + 0x1p-1060;
    double below = gz_sub_down(main.sum, gz_add_up(-tail, slack));
    double above = gz_add_up(main.sum, gz_add_up(tail, slack));
    /* x(t) lies on the segment whatever the rounding */
    if (below > least) *lo = below;
    if (above < most) *hi = above;
}

typedef struct box_job {
    const gz_box_input *input;
    const graze_mesh *mesh;
    const gz_box *vertices;
    gz_box *boxes;
    double t;
} box_job;

void gz_vertex_box(const gz_box_input *in, uint32_t v, gz_box *box) {
    const double *a = (const double *)(const void *)(in->x0 + in->stride * v);
    const double *b = (const double *)(const void *)(in->x1 + in->stride * v);
    double grow = in->separation;
    if (in->mesh->thickness) grow = gz_add_up(grow, in->mesh->thickness[v]);
    for (int c = 0; c < 3; c++) {
        double lo = b[c], hi = b[c];
        if (in->t_max != 1) gz_point_at(a[c], b[c], in->t_max, &lo, &hi);
        if (a[c] < lo) lo = a[c];
        if (a[c] > hi) hi = a[c];
        if (grow > 0) {
            lo = gz_sub_down(lo, grow);
            hi = gz_add_up(hi, grow);
        }
        box->lo[c] = lo;
        box->hi[c] = hi;
    }
}

static void vertex_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const box_job *job = state;
    for (size_t v = begin; v < end; v++) gz_vertex_box(job->input, (uint32_t)v, &job->boxes[v]);
}

/* x0 + t·(x1 − x0) errs by at most 4u·(|x0| + |x1|) + 2⁻¹⁰⁷⁴, growing by d by at most u times the sum; 7u of d are what
   the narrow phase may round separation and radii up by. */
#define WINDOW_SLACK 0x1p-50
#define WINDOW_TINY 0x1p-1070

static void window_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const box_job *job = state;
    const gz_box_input *in = job->input;
    double t = job->t;
    for (size_t v = begin; v < end; v++) {
        const double *a = (const double *)(const void *)(in->x0 + in->stride * v);
        const double *b = (const double *)(const void *)(in->x1 + in->stride * v);
        double grow = in->separation;
        if (in->mesh->thickness) grow = gz_add_up(grow, in->mesh->thickness[v]);
        for (int c = 0; c < 3; c++) {
            double least = a[c] < b[c] ? a[c] : b[c], most = a[c] < b[c] ? b[c] : a[c];
            double slack = (fabs(a[c]) + fabs(b[c])) * WINDOW_SLACK + WINDOW_TINY;
            double x = a[c] + t * (b[c] - a[c]), below = x - slack, above = x + slack;
            /* x(t) is on the way from a to b, whatever the rounding */
            double lo = below > least ? below : least, hi = above < most ? above : most;
            if (a[c] < lo) lo = a[c];
            if (a[c] > hi) hi = a[c];
            double wider = grow > 0 ? grow + (fabs(a[c]) + fabs(b[c]) + 2 * grow) * WINDOW_SLACK : 0;
            job->boxes[v].lo[c] = lo - wider;
            job->boxes[v].hi[c] = hi + wider;
        }
    }
}

void gz_window_boxes(graze_context *context, const gz_box_input *input, double t, gz_box *boxes) {
    box_job job = {.input = input, .boxes = boxes, .t = t};
    gz_parallel(context, input->mesh->vertex_count, GZ_BOX_CHUNK, window_range, &job);
}

static void edge_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const box_job *job = state;
    for (size_t e = begin; e < end; e++) {
        gz_box box = job->vertices[job->mesh->edges[e][0]];
        gz_box_join(&box, &job->vertices[job->mesh->edges[e][1]]);
        job->boxes[e] = box;
    }
}

static void face_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const box_job *job = state;
    for (size_t f = begin; f < end; f++) {
        const uint32_t *corner = job->mesh->faces[f];
        gz_box box = job->vertices[corner[0]];
        gz_box_join(&box, &job->vertices[corner[1]]);
        gz_box_join(&box, &job->vertices[corner[2]]);
        job->boxes[f] = box;
    }
}

void gz_vertex_boxes(graze_context *context, const gz_box_input *input, gz_box *boxes) {
    box_job job = {.input = input, .boxes = boxes};
    gz_parallel(context, input->mesh->vertex_count, GZ_BOX_CHUNK, vertex_range, &job);
}

void gz_edge_boxes(graze_context *context, const graze_mesh *mesh, const gz_box *vertices, gz_box *boxes) {
    box_job job = {.mesh = mesh, .vertices = vertices, .boxes = boxes};
    gz_parallel(context, mesh->edge_count, GZ_BOX_CHUNK, edge_range, &job);
}

void gz_face_boxes(graze_context *context, const graze_mesh *mesh, const gz_box *vertices, gz_box *boxes) {
    box_job job = {.mesh = mesh, .vertices = vertices, .boxes = boxes};
    gz_parallel(context, mesh->face_count, GZ_BOX_CHUNK, face_range, &job);
}
