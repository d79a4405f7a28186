/* First contact of a moving point and a moving segment in the plane: boxes of time and place that
   are thrown away or split. main asks graze about the same motion. */
#include <graze/graze.h>

#include <math.h>
#include <stdio.h>

typedef struct path {
    double x0[2], x1[2]; /* on a straight line from x0 to x1 */
} path;

typedef struct search {
    path point, a, b; /* a and b are the ends of the segment */
    double delta, earliest;
    int checks, most;
} search;

static double at(const path *p, double t, int c) { return (1 - t) * p->x0[c] + t * p->x1[c]; }

/* F(t, s), one coordinate: from the place s on the segment to the point. */
static double gap(const search *q, double t, double s, int c) {
    double a = at(&q->a, t, c);
    return at(&q->point, t, c) - (a + s * (at(&q->b, t, c) - a));
}

/* 0 is a proof: F is linear in t and in s, and stays inside of the box around its corner values. */
static int may_touch(const search *q, double t0, double t1, double s0, double s1) {
    const double grown = 0x1p-48 * 9; /* times the largest coordinate: more than all roundings are */
    for (int c = 0; c < 2; c++) {
        double v[4] = {gap(q, t0, s0, c), gap(q, t0, s1, c), gap(q, t1, s0, c), gap(q, t1, s1, c)};
        double low = fmin(fmin(v[0], v[1]), fmin(v[2], v[3])), high = fmax(fmax(v[0], v[1]), fmax(v[2], v[3]));
        if (low > grown || high < -grown) return 0;
    }
    return 1;
}

/* Lowers q->earliest to the beginning of every small box that is left, the earlier half first. Where
   the checks run out a box counts as small: that is early, and never late. */
static void look(search *q, double t0, double t1, double s0, double s1) {
    if (t0 >= q->earliest) return;
    if (q->checks >= q->most) {
        q->earliest = t0;
        return;
    }
    q->checks++;
    if (!may_touch(q, t0, t1, s0, s1)) return;
    double t = (t0 + t1) / 2, s = (s0 + s1) / 2;
    if (fmax(t1 - t0, s1 - s0) < q->delta) {
        q->earliest = t0;
    } else if (t1 - t0 >= s1 - s0) {
        look(q, t0, t, s0, s1);
        look(q, t, t1, s0, s1);
    } else {
        look(q, t0, t1, s0, s);
        look(q, t0, t1, s, s1);
    }
}

int main(void) {
    const double deltas[3] = {0x1p-6, 0x1p-14, 0x1p-14};
    const int most[3] = {100000, 100000, 12};
    for (int i = 0; i < 3; i++) {
        search q = {{{1, 3}, {9, 4}}, {{6, 1}, {4, 1}}, {{6, 6}, {4, 6}}, deltas[i], INFINITY, 0, most[i]};
        look(&q, 0, 1, 0, 1);
        printf("delta %f, at most %d checks: nothing before t = %.5f, %d checks\n", q.delta, q.most,
               fmin(q.earliest, 1), q.checks);
    }
    graze_query query = {{{1, 3, 0}, {6, 1, 0}, {6, 6, 0}}, {{9, 4, 0}, {4, 1, 0}, {4, 6, 0}}};
    graze_result found;
    if (graze_ccd(GRAZE_PE, &query, NULL, &found) != GRAZE_OK) return 1;
    printf("graze: %s, nothing before t = %.5f\n", graze_verdict_name(found.verdict), found.toi);
    return 0;
}
