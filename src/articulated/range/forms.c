#include "articulated/range/forms.h"

#include <string.h>

void gz_forms_identity(gz_forms *forms, int variables) {
    memset(forms, 0, sizeof *forms);
    forms->variables = variables;
    for (int i = 0; i < 3; i++) forms->c0[i][i] = forms->size[i][i] = 1;
}

/* A joint's models cut to first order: s² lies in [0, 1], s³ in [−1, 1]. */
typedef struct flat_joint {
    double c0[3][4], c1[3][4], size[3][4], r[3][4];
} flat_joint;

static void flatten(const gz_frame_model *joint, double error, flat_joint *flat) {
    double offset = 0;
    for (int i = 0; i < 3; i++) offset += joint->n[i][3] + joint->r[i][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            gz_taylor f = gz_frame_entry(joint, i, j);
            flat->c0[i][j] = f.c[0] + 0.5 * f.c[2];
            flat->c1[i][j] = f.c[1];
            flat->size[i][j] = (fabs(flat->c0[i][j]) + fabs(flat->c1[i][j])) * GZ_TAYLOR_UP;
            flat->r[i][j] = (f.r + 0.5 * fabs(f.c[2]) + fabs(f.c[3]) + GZ_TAYLOR_SLACK * f.n + error * (1 + offset)) *
                                GZ_TAYLOR_UP +
                            GZ_TAYLOR_TINY;
        }
}

/* Coefficients of entry i, j. */
static void multiply(const gz_forms *p, const flat_joint *q, int variable, int i, int j, gz_forms *out) {
    double c0 = j == 3 ? p->c0[i][3] : 0, turned = 0, spread = 0;
    for (int l = 0; l < 3; l++) {
        c0 += p->c0[i][l] * q->c0[l][j];
        turned += p->c0[i][l] * q->c1[l][j];
    }
    for (int v = 0; v < p->variables; v++) {
        double c = j == 3 ? p->c[v][i][3] : 0;
        for (int l = 0; l < 3; l++) c += p->c[v][i][l] * q->c0[l][j];
        if (v == variable) c += turned;
        out->c[v][i][j] = c;
        spread += fabs(c);
    }
    out->c0[i][j] = c0;
    out->spread[i][j] = spread * GZ_TAYLOR_UP;
    out->size[i][j] = (fabs(c0) + spread) * GZ_TAYLOR_UP;
}

/* Bound on what entry i, j leaves out: products of two ξ, remainders, rounding. */
static double left_out(const gz_forms *p, const flat_joint *q, int i, int j) {
    double r = j == 3 ? p->r[i][3] : 0, sizes = j == 3 ? p->size[i][3] : 0;
    for (int l = 0; l < 3; l++) {
        r += p->spread[i][l] * fabs(q->c1[l][j]);
        r += p->r[i][l] * (q->size[l][j] + q->r[l][j]) + p->size[i][l] * q->r[l][j];
        sizes += p->size[i][l] * q->size[l][j];
    }
    return (r + GZ_TAYLOR_SLACK * sizes) * GZ_TAYLOR_UP + GZ_TAYLOR_TINY;
}

void gz_forms_append(const gz_forms *p, const gz_frame_model *joint, int variable, double error, gz_forms *out) {
    flat_joint q;
    flatten(joint, error, &q);
    out->variables = p->variables;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            multiply(p, &q, variable, i, j, out);
            out->r[i][j] = left_out(p, &q, i, j);
        }
}

void gz_forms_along(const gz_forms *forms, const double n[3], gz_form_line *line) {
    memset(line, 0, sizeof *line);
    memcpy(line->n, n, sizeof line->n);
    line->length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) * GZ_TAYLOR_UP + GZ_LENGTH_TINY;
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 3; i++) {
            line->c0[j] += n[i] * forms->c0[i][j];
            line->size[j] += fabs(n[i]) * forms->size[i][j];
            line->r[j] += fabs(n[i]) * forms->r[i][j];
            for (int v = 0; v < forms->variables; v++) line->c[v][j] += n[i] * forms->c[v][i][j];
        }
}

double gz_line_box(const gz_form_line *line, int variables, const double center[3], const double half[3], double *out) {
    double middle = line->c0[3], wide = 0, error = line->r[3], sizes = line->size[3];
    for (int j = 0; j < 3; j++) {
        middle += line->c0[j] * center[j];
        wide += line->size[j] * half[j];
        error += line->r[j] * (fabs(center[j]) + half[j]);
        sizes += line->size[j] * (fabs(center[j]) + half[j]);
    }
    for (int v = 0; v < variables; v++) {
        const double *c = line->c[v];
        wide += fabs(c[3] + (c[0] * center[0] + c[1] * center[1] + c[2] * center[2]));
    }
    *out = (wide + error + GZ_PROJECTION_SLACK * sizes) * GZ_TAYLOR_UP + GZ_TAYLOR_TINY;
    return middle;
}
