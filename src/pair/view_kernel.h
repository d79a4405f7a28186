/* Coordinates in a view before they are rounded to float, one to a lane. */
#include "numerics/error_bounds.h"
#include "numerics/lanes.h"
#include "numerics/view.h"

static GZ_INLINE d_real in_view(const gz_view *view, int c, d_real x) {
    return d_mul(d_sub(x, d_set1(view->origin[c])), d_set1(view->scale));
}

/* A bound of |x| in the view at t = 0 and t = 1, and of what the end of a window is off by: docs/numerics.md,
   section 4.14. */
static GZ_INLINE d_real far_size(const gz_view *view, int c, d_real from, d_real a, d_real b) {
    d_real offset = d_mul(d_add(d_abs(a), d_abs(b)), d_set1(view->scale * GZ_FAR_OFFSET));
    return d_add(d_max(d_abs(from), d_abs(in_view(view, c, b))), offset);
}
