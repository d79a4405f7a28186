/* A point of an integrator of higher order: it is thrown over a plate, and its path between two states is a cubic given
   by positions and velocities. When does it come down? */
#include <graze/graze.h>

#include <stdio.h>

/* The control points of the cubic with these positions and velocities at its ends; the step has unit length. */
static void hermite(const double p0[3], const double v0[3], const double p1[3], const double v1[3], double x[4][3]) {
    for (int c = 0; c < 3; c++) {
        x[0][c] = p0[c];
        x[1][c] = p0[c] + v0[c] / 3;
        x[2][c] = p1[c] - v1[c] / 3;
        x[3][c] = p1[c];
    }
}

int main(void) {
    const double rest[3] = {0, 0, 0}, plate[3][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    const double p0[3] = {1, 1, 1}, v0[3] = {0, 0, 6}, p1[3] = {1, 1, -3}, v1[3] = {0, 0, -14}; /* z = 1 + 6t − 10t² */
    graze_curve_query query;
    graze_result result;
    hermite(p0, v0, p1, v1, query.x[0]);
    for (int i = 0; i < 3; i++) hermite(plate[i], rest, plate[i], rest, query.x[i + 1]);
    graze_status status = graze_ccd_curve(GRAZE_VF, &query, NULL, &result);
    if (status != GRAZE_OK) {
        fprintf(stderr, "%s\n", graze_status_name(status));
        return 1;
    }
    printf("%s between t = %.17g and %.17g at (%g, %g, %g)\n", graze_verdict_name(result.verdict), result.toi,
           result.toi_upper, result.point[0], result.point[1], result.point[2]);
    /* a straight line from start to end would meet the plate at 1/4 */
    return result.verdict == GRAZE_HIT && result.toi > 0.735 && result.toi_upper < 0.736 ? 0 : 1;
}
