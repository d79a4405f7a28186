#include "broad/rough.h"
#include "pair/view_kernel.h"

/* One coordinate of some vertices, one to a lane. */
typedef struct window_lanes {
    d_real lo, hi, from, to;
} window_lanes;

/* As gz_window_box, by the same operations, seen in the view; and the ends of the window. */
static GZ_INLINE window_lanes window_of(const gz_windows_job *job, int c, d_real a, d_real b, d_real grow) {
    d_real size = d_add(d_abs(a), d_abs(b)), slack_of = d_set1(GZ_WINDOW_SLACK);
    d_real slack = d_add(d_mul(size, slack_of), d_set1(GZ_WINDOW_TINY));
    d_real x = d_add(a, d_mul(d_set1(job->t), d_sub(b, a)));
    d_real lo = d_min(a, d_max(d_sub(x, slack), d_min(a, b)));
    d_real hi = d_max(a, d_min(d_add(x, slack), d_max(a, b)));
    d_real more = d_add(grow, d_mul(d_add(size, d_mul(d_set1(2), grow)), slack_of));
    more = d_select(d_lt(d_set1(0), grow), more, d_set1(0));
    return (window_lanes){in_view(&job->view, c, d_sub(lo, more)), in_view(&job->view, c, d_add(hi, more)),
                          in_view(&job->view, c, a), in_view(&job->view, c, x)};
}

static GZ_INLINE d_real grow_lanes(const gz_box_input *in, const size_t *vertices) {
    double grow[d_width];
    for (int lane = 0; lane < d_width; lane++) grow[lane] = gz_vertex_grow(in, vertices[lane]);
    return d_load(grow);
}

static GZ_INLINE double largest_lane(d_real x) {
    double lanes[d_width], largest;
    d_store(lanes, x);
    largest = lanes[0];
    for (int lane = 1; lane < d_width; lane++) largest = lanes[lane] > largest ? lanes[lane] : largest;
    return largest;
}

static void windows_kernel(const gz_windows_job *job, size_t begin, size_t end, gz_window_sizes *sizes) {
    const gz_box_input *in = job->input;
    d_real most = d_set1(sizes->largest), widest = d_set1(sizes->widest), grow = d_set1(in->grow);
    for (size_t first = begin; first < end; first += d_width) {
        const double *p0[d_width], *p1[d_width];
        size_t vertices[d_width], used = end - first < d_width ? end - first : d_width;
        d_real x0[3], x1[3];
        double lanes[4][3][d_width];
        for (size_t lane = 0; lane < d_width; lane++) { /* empty lanes repeat the last vertex */
            vertices[lane] = first + (lane < used ? lane : used - 1);
            p0[lane] = gz_box_position(in, in->x0, vertices[lane]);
            p1[lane] = gz_box_position(in, in->x1, vertices[lane]);
        }
        d_load3(p0, &x0[0], &x0[1], &x0[2]);
        d_load3(p1, &x1[0], &x1[1], &x1[2]);
        if (in->mesh->thickness) grow = grow_lanes(in, vertices);
        for (int c = 0; c < 3; c++) {
            window_lanes w = window_of(job, c, x0[c], x1[c], grow);
            most = d_max(far_size(&job->view, c, w.from, x0[c], x1[c]), most);
            widest = d_max(d_sub(w.hi, w.lo), widest);
            d_store(lanes[0][c], w.lo);
            d_store(lanes[1][c], w.hi);
            d_store(lanes[2][c], w.from);
            d_store(lanes[3][c], w.to);
        }
        for (size_t lane = 0; lane < used; lane++) {
            float *box = job->rough ? job->rough[first + lane].side : NULL;
            float *ends = job->ends ? job->ends[first + lane] : NULL;
            for (int c = 0; box && c < 3; c++)
                box[c] = (float)lanes[0][c][lane], box[4 + c] = -(float)lanes[1][c][lane];
            if (box) box[3] = box[7] = 0;
            if (!ends) continue;
            for (int c = 0; c < 3; c++) ends[c] = (float)lanes[2][c][lane], ends[4 + c] = (float)lanes[3][c][lane];
            ends[3] = ends[7] = 0;
        }
    }
    sizes->largest = largest_lane(most);
    sizes->widest = largest_lane(widest);
}
