#include "agreement/judge.h"

#define PIECES 8 /* of the step, at most: each with a direction of its own */

/* Points of B less points of A, at both ends of the step. Between two times each lies on the straight line between its
   own at them, and every way from A to B is a convex combination of them. */
typedef struct differences {
    double w[2][4][3];
    double size[4][3]; /* |at one end| + |at the other| */
    int count;
} differences;

/* At both ends of a piece. */
typedef struct piece {
    double w[2][4][3];
} piece;

static void take_differences(const drawn *d, differences *all) {
    int in_a = draw_rows_of_a(d->kind), rows = draw_rows(d->kind);
    all->count = 0;
    for (int i = 0; i < in_a; i++)
        for (int j = in_a; j < rows; j++, all->count++)
            for (int c = 0; c < 3; c++) {
                double w0 = d->query.x0[j][c] - d->query.x0[i][c], w1 = d->query.x1[j][c] - d->query.x1[i][c];
                all->w[0][all->count][c] = w0;
                all->w[1][all->count][c] = w1;
                all->size[all->count][c] = fabs(w0) + fabs(w1);
            }
}

static void take_piece(const differences *all, int from, int to, piece *p) {
    const int at[2] = {from, to};
    for (int end = 0; end < 2; end++)
        for (int k = 0; k < all->count; k++)
            for (int c = 0; c < 3; c++)
                p->w[end][k][c] = ((PIECES - at[end]) * all->w[0][k][c] + at[end] * all->w[1][k][c]) / PIECES;
}

/* The largest component becomes 1; false where there is none. */
static bool scale(double n[3]) {
    double most = fmax(fabs(n[0]), fmax(fabs(n[1]), fabs(n[2])));
    if (!(most >= 0x1p-900 && most <= 0x1p900)) return false;
    for (int c = 0; c < 3; c++) n[c] /= most;
    return true;
}

/* ⟨n, w⟩ > d·‖n‖ for all of them. Differences, their means, products and sums take ten roundings at most, each below
   2⁻⁵³ of the sizes of both ends, and what underflows is off by 2⁻¹⁰⁷⁵. The margin is hundreds of times that. */
static bool parts(const differences *all, const piece *p, double separation, const double n[3]) {
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), least = separation * length * (1 + 0x1p-40);
    for (int k = 0; k < all->count; k++) {
        double size = 0;
        for (int c = 0; c < 3; c++) size += fabs(n[c]) * all->size[k][c];
        double need = least + 0x1p-40 * size + 0x1p-1000;
        if (!(size < 0x1p1000)) return false;
        for (int end = 0; end < 2; end++) {
            const double *w = p->w[end][k];
            if (!(n[0] * w[0] + n[1] * w[1] + n[2] * w[2] > need)) return false;
        }
    }
    return true;
}

/* The mean of all differences: of the first end, of the other, or of both. */
static bool parted_by_mean(const differences *all, const piece *p, double separation, bool first, bool last) {
    double n[3] = {0, 0, 0};
    for (int k = 0; k < all->count; k++)
        for (int c = 0; c < 3; c++) n[c] += (first ? p->w[0][k][c] : 0) + (last ? p->w[1][k][c] : 0);
    return scale(n) && parts(all, p, separation, n);
}

/* What is at right angles to two edges, half-way: the normal of a face, or what two lines have in common. */
static bool parted_by_normal(const differences *all, const piece *p, double separation) {
    const int corner[3] = {0, all->count == 4 ? 2 : 1, all->count == 4 ? 1 : 2};
    double mid[3][3], e[2][3], n[3];
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++) mid[k][c] = p->w[0][corner[k]][c] + p->w[1][corner[k]][c];
    for (int c = 0; c < 3; c++) e[0][c] = mid[1][c] - mid[0][c], e[1][c] = mid[2][c] - mid[0][c];
    for (int c = 0; c < 3; c++) {
        int a = (c + 1) % 3, b = (c + 2) % 3;
        n[c] = e[0][a] * e[1][b] - e[0][b] * e[1][a];
    }
    if (!scale(n)) return false;
    double side = n[0] * mid[0][0] + n[1] * mid[0][1] + n[2] * mid[0][2];
    for (int c = 0; c < 3 && side < 0; c++) n[c] = -n[c];
    return parts(all, p, separation, n);
}

/* In eighths of the step. */
static bool is_apart_between(const differences *all, double separation, int from, int to) {
    piece p;
    take_piece(all, from, to, &p);
    if (parted_by_mean(all, &p, separation, true, true)) return true;
    if (all->count >= 3 && parted_by_normal(all, &p, separation)) return true;
    if (parted_by_mean(all, &p, separation, true, false) || parted_by_mean(all, &p, separation, false, true))
        return true;
    int middle = (from + to) / 2;
    return to - from > 1 && is_apart_between(all, separation, from, middle) &&
           is_apart_between(all, separation, middle, to);
}

bool judge_is_apart(const drawn *d) {
    differences all;
    if (d->thick) return false;
    take_differences(d, &all);
    return is_apart_between(&all, d->separation, 0, PIECES);
}
