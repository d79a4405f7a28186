/* De Boor's algorithm as a blossom: each Bézier value is a mean of means of control points. */
#include "articulated/world/spline.h"

#include "numerics/error_bounds.h"

#include <math.h>
#include <stdbool.h>

double gz_spline_begin(const graze_path *path) { return path->knots[path->degree]; }
double gz_spline_end(const graze_path *path) { return path->knots[path->count]; }

static const char *knots_fault(const graze_path *path) {
    size_t same = 1, degree = path->degree, last = path->count + degree;
    for (size_t i = 0; i <= last; i++) {
        if (!(fabs(path->knots[i]) <= GRAZE_MAX_COORDINATE)) return "a knot is not finite or out of range";
        if (i && path->knots[i] < path->knots[i - 1]) return "knots must not decrease";
    }
    if (!(gz_spline_begin(path) < gz_spline_end(path))) return "it ends when it begins";
    for (size_t i = 1; i <= last; i++) {
        same = path->knots[i] == path->knots[i - 1] ? same + 1 : 1;
        bool inside = path->knots[i] > gz_spline_begin(path) && path->knots[i] < gz_spline_end(path);
        if (inside && same > degree) return "it leaps: a knot inside is repeated more often than its degree";
    }
    return NULL;
}

const char *gz_spline_fault(const graze_path *path) {
    if (path->degree < 1 || path->degree > GRAZE_MAX_DEGREE) return "its degree is not 1 to 7";
    if (path->count <= path->degree) return "it has no more control points than its degree";
    if (!path->knots || !path->control) return "it has no knots or no control points";
    return knots_fault(path);
}

size_t gz_spline_span(const graze_path *path, double begin) {
    size_t low = path->degree, high = path->count; /* knots[low] ≤ begin < knots[high] */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (path->knots[middle] <= begin)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The blossom of the span at `degree` arguments, all of them within it: `begins` times `begin`, else `end`. */
static double blossom(const graze_path *path, size_t span, const double *points, size_t begins, double begin,
                      double end) {
    size_t degree = path->degree;
    double d[GRAZE_MAX_DEGREE + 1];
    for (size_t i = 0; i <= degree; i++) d[i] = points[i];
    for (size_t level = 1; level <= degree; level++) {
        double u = level <= begins ? begin : end;
        for (size_t j = degree; j >= level; j--) {
            double from = path->knots[j + span - degree], to = path->knots[j + 1 + span - level];
            double part = (u - from) / (to - from);
            d[j] = (1 - part) * d[j - 1] + part * d[j];
        }
    }
    return d[degree];
}

double gz_spline_piece(const graze_path *path, size_t span, size_t index, size_t values, double begin, double end,
                       double *bezier) {
    size_t degree = path->degree;
    double points[GRAZE_MAX_DEGREE + 1], most = 0;
    for (size_t i = 0; i <= degree; i++) {
        points[i] = path->control[(span - degree + i) * values + index];
        most = fabs(points[i]) <= most ? most : fabs(points[i]); /* NaN stays */
    }
    for (size_t i = 0; i <= degree; i++) bezier[i] = blossom(path, span, points, degree - i, begin, end);
    return most * GZ_SPLINE_ERROR + GZ_TAYLOR_TINY;
}

double gz_spline_seconds(const double ends[2], double t, double way) {
    double off = GZ_PLAN_TIME * (fabs(ends[0]) + fabs(ends[1])) + GZ_TAYLOR_TINY;
    double at = ends[0] + t * (ends[1] - ends[0]) + way * off;
    return fmin(fmax(at, ends[0]), ends[1]);
}
