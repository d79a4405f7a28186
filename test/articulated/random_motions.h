/* Random motions of small models, and their judge: distances of 256 bits. */
#ifndef GRAZE_TEST_RANDOM_MOTIONS_H
#define GRAZE_TEST_RANDOM_MOTIONS_H

#include "articulated/big_distance.h"
#include "articulated/bodies.h"

#include "articulated/triangles.h"

enum { MOST_LINKS = 4, MOST_FACES = 3, MOST_VALUES = 6 * MOST_LINKS };

#define BRACKET 0x1p-30
#define CIRCLE 6.283185307179586

/* ---- a motion ---- */

typedef struct moving {
    uint64_t seed;
    graze_link links[MOST_LINKS];
    graze_link_mesh meshes[MOST_LINKS];
    double vertices[MOST_LINKS][3 * MOST_FACES][3];
    uint32_t faces[MOST_FACES][3];
    size_t count, first[MOST_LINKS];
    double from[MOST_VALUES], to[MOST_VALUES], turns[MOST_LINKS][3], bezier[MOST_VALUES * (GRAZE_MAX_DEGREE + 1)];
    size_t values;
    bool curved; /* every fourth */
    uint8_t screws[MOST_LINKS], rotvecs[MOST_LINKS];
    graze_motion motion;
    graze_model *model;
    graze_articulated_options options;
} moving;

static double spread(test_random *random, double size) { return test_random_between(random, -size, size); }

static void make_link(moving *m, test_random *random, size_t i, double turn) {
    static const int values[] = {0, 1, 1, 3, 3, 6};
    static const graze_joint_kind scalar[] = {GRAZE_JOINT_FIXED, GRAZE_JOINT_REVOLUTE, GRAZE_JOINT_PRISMATIC,
                                              GRAZE_JOINT_PLANAR};
    graze_joint_kind joint = (graze_joint_kind)test_random_below(random, 6);
    if (m->curved) joint = scalar[test_random_below(random, 4)];
    int32_t parent = test_random_below(random, 2) ? -1 : (int32_t)test_random_below(random, i + 1) - 1;
    graze_link *link = &m->links[i];
    uint32_t triangles = 1 + (uint32_t)test_random_below(random, MOST_FACES);
    double size = ldexp(1, -(int)test_random_below(random, 3));
    m->meshes[i] = graze_default_link_mesh();
    m->meshes[i].vertex_count = 3 * triangles;
    m->meshes[i].face_count = triangles;
    m->meshes[i].vertices = (const double(*)[3])m->vertices[i];
    m->meshes[i].faces = (const uint32_t(*)[3])m->faces;
    *link = test_link(parent, joint, test_frame(spread(random, 0.8), spread(random, 0.8), spread(random, 0.8)),
                      &m->meshes[i]);
    if (test_random_below(random, 8) == 0) link->padding = 0.02;
    for (int k = 0; k < 4; k++) link->origin.rotation[k] = spread(random, 1.5);
    for (int c = 0; c < 3; c++) {
        link->axis[c] = spread(random, 1.5);
        m->turns[i][c] = spread(random, turn / sqrt(3));
        for (uint32_t v = 0; v < 3 * triangles; v++) m->vertices[i][v][c] = spread(random, size);
    }
    m->screws[i] = (joint == GRAZE_JOINT_PLANAR || joint == GRAZE_JOINT_FREE) && test_random_below(random, 2);
    bool turns = joint == GRAZE_JOINT_SPHERICAL || joint == GRAZE_JOINT_FREE;
    m->rotvecs[i] = turns && !m->screws[i] && (m->seed + i) % 2;
    if (m->rotvecs[i]) m->turns[i][0] = NAN;
    m->first[i] = i ? m->first[i - 1] + (size_t)values[m->links[i - 1].joint] : 0;
    for (int k = 0; k < values[joint]; k++) {
        double *from = &m->from[m->first[i] + (size_t)k], *to = &m->to[m->first[i] + (size_t)k];
        bool angle = joint == GRAZE_JOINT_REVOLUTE || (joint == GRAZE_JOINT_PLANAR && k == 2) ||
                     (m->rotvecs[i] && k >= values[joint] - 3);
        *from = spread(random, 1.5);
        *to = *from + spread(random, angle ? turn : 1.5);
    }
    m->values = m->first[i] + (size_t)values[joint];
}

/* From the same values to the same, by any way. */
static void bend(moving *m, test_random *random) {
    size_t degree = 1 + (size_t)test_random_below(random, GRAZE_MAX_DEGREE);
    for (size_t v = 0; v < m->values; v++) {
        double *b = m->bezier + v * (degree + 1), way = m->to[v] - m->from[v];
        for (size_t k = 0; k <= degree; k++)
            b[k] = m->from[v] + (double)k / (double)degree * way + (k % degree ? spread(random, fabs(way)) : 0);
    }
    m->motion.bezier = m->bezier;
    m->motion.degree = (uint32_t)degree;
    m->motion.screws = NULL;
    memset(m->screws, 0, sizeof m->screws);
}

static graze_status make_motion(moving *m, graze_context *context, uint64_t seed) {
    test_random random = {seed};
    memset(m, 0, sizeof *m);
    m->seed = seed;
    m->curved = seed % 4 == 0;
    for (uint32_t f = 0; f < MOST_FACES; f++)
        for (uint32_t k = 0; k < 3; k++) m->faces[f][k] = 3 * f + k;
    test_random_bits(&random);
    m->count = 2 + (size_t)test_random_below(&random, MOST_LINKS - 1);
    double turn = ldexp(10 * CIRCLE, -(int)test_random_below(&random, 7)); /* from ten circles down to one radian */
    for (size_t i = 0; i < m->count; i++) make_link(m, &random, i, turn);
    m->motion = test_screw(m->from, m->to, m->screws);
    m->motion.turns = (const double(*)[3])m->turns;
    m->motion.rotvecs = m->rotvecs;
    if (m->curved) bend(m, &random);
    m->options = graze_default_articulated_options();
    if (test_random_below(&random, 4) == 0) m->options.min_separation = 0.01;
    if (test_random_below(&random, 4) == 0) m->options.tolerance = 1e-6;
    return graze_model_create(context, m->links, m->count, &m->model);
}

/* ---- where its triangles are ---- */

static real_triangle exact_triangle(const moving *m, size_t link, uint32_t face, double t) {
    real_triangle at;
    for (uint32_t k = 0; k < 3; k++) {
        real3 p = real3_of(m->vertices[link][3 * face + k]);
        for (int32_t i = (int32_t)link; i >= 0; i = m->links[i].parent) {
            real3 q;
            real_joint(&m->links[i], (size_t)i, m->first[i], &m->motion, real_of(t), p.c, q.c);
            p = q;
        }
        at.x[k] = p;
    }
    return at;
}

/* A frame in doubles, to find where to look: nothing is judged by it. */
typedef struct plain_frame {
    double r[3][3], t[3];
} plain_frame;

/* Frames of all links at time t, rounded from real numbers. */
static void plain_frames(const moving *m, double t, plain_frame *frames) {
    static const double corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (size_t i = 0; i < m->count; i++) {
        plain_frame local, *out = &frames[i];
        for (int k = 0; k < 4; k++) {
            real3 p = real3_of(corners[k]), q;
            real_joint(&m->links[i], i, m->first[i], &m->motion, real_of(t), p.c, q.c);
            for (int c = 0; c < 3; c++) {
                double x = mpfr_get_d(q.c[c], MPFR_RNDN);
                if (k == 0)
                    local.t[c] = x;
                else
                    local.r[c][k - 1] = x - local.t[c];
            }
        }
        *out = local;
        if (m->links[i].parent < 0) continue;
        const plain_frame *above = &frames[m->links[i].parent];
        for (int r = 0; r < 3; r++) {
            const double *row = above->r[r];
            out->t[r] = above->t[r] + row[0] * local.t[0] + row[1] * local.t[1] + row[2] * local.t[2];
            for (int c = 0; c < 3; c++)
                out->r[r][c] = row[0] * local.r[0][c] + row[1] * local.r[1][c] + row[2] * local.r[2][c];
        }
    }
}

static gz_triangle plain_triangle(const moving *m, const plain_frame *frame, size_t link, uint32_t face) {
    gz_triangle at;
    for (uint32_t k = 0; k < 3; k++) {
        const double *x = m->vertices[link][3 * face + k];
        for (int c = 0; c < 3; c++)
            at.x[k].c[c] = frame->t[c] + frame->r[c][0] * x[0] + frame->r[c][1] * x[1] + frame->r[c][2] * x[2];
    }
    return at;
}

/* ---- the judge ---- */

/* A joint that can move lies between the links, and not only the one that connects them. */
static bool is_pair(const moving *m, size_t a, size_t b) {
    if (m->links[b].parent == (int32_t)a) return false;
    bool moves = false;
    int32_t i = (int32_t)a, j = (int32_t)b;
    while (i != j) {
        int32_t *later = i > j ? &i : &j;
        moves = moves || m->links[*later].joint != GRAZE_JOINT_FIXED;
        *later = m->links[*later].parent;
    }
    return moves;
}

static double contact_of(const moving *m, size_t a, size_t b) {
    return m->options.min_separation + m->links[a].padding + m->links[b].padding;
}

/* The exact distance of two links at t, less what counts as contact, is at most `more` (a hair aside). */
static bool are_within(const moving *m, size_t a, size_t b, double t, double more) {
    double reach = contact_of(m, a, b) + more;
    for (uint32_t i = 0; i < m->meshes[a].face_count; i++)
        for (uint32_t j = 0; j < m->meshes[b].face_count; j++) {
            real_reset();
            real_triangle x = exact_triangle(m, a, i, t), y = exact_triangle(m, b, j, t);
            real distance = real_root(real_squared_distance(&x, &y));
            if (mpfr_cmp_d(distance, reach) <= 0) return true;
        }
    return false;
}

/* The gap of two links at t by plain doubles; negative where triangles cross. */
static double plain_gap(const moving *m, const plain_frame *frames, size_t a, size_t b) {
    double gap = INFINITY;
    for (uint32_t i = 0; i < m->meshes[a].face_count; i++)
        for (uint32_t j = 0; j < m->meshes[b].face_count; j++) {
            gz_triangle x = plain_triangle(m, &frames[a], a, i), y = plain_triangle(m, &frames[b], b, j);
            if (gz_triangles_cross(&x, &y, 0)) return -1;
            gap = fmin(gap, sqrt(gz_gap_of_faces(&x, &y).squared) - contact_of(m, a, b));
        }
    return gap;
}

/* True if any pair is surely in contact at t; *least: the smallest gap. */
static bool touches_at(const moving *m, double t, double *least) {
    plain_frame frames[MOST_LINKS];
    real_reset();
    plain_frames(m, t, frames);
    *least = INFINITY;
    for (size_t a = 0; a < m->count; a++)
        for (size_t b = a + 1; b < m->count; b++) {
            if (!is_pair(m, a, b)) continue;
            double gap = plain_gap(m, frames, a, b);
            if (gap <= 0 && are_within(m, a, b, t, -1e-15)) return true;
            if (gap <= 0 && contact_of(m, a, b) == 0 && are_within(m, a, b, t, 0)) return true;
            *least = fmin(*least, fmax(gap, 0));
        }
    return false;
}

/* The distance that any point moves in one unit of time, roughly. */
static double speed_of(const moving *m) {
    double most = 0;
    for (size_t i = 0; i < m->count; i++) {
        const double *t = m->turns[i];
        double turn = m->links[i].joint == GRAZE_JOINT_REVOLUTE ? fabs(m->to[m->first[i]] - m->from[m->first[i]])
                      : m->links[i].joint == GRAZE_JOINT_PLANAR
                          ? fabs(m->to[m->first[i] + 2] - m->from[m->first[i] + 2])
                          : sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
        most += 3 * (turn + 1);
    }
    return m->curved ? 3 * most : most;
}

/* A time before `end` at which something touches, looked for where gaps are small; INFINITY: none was found. */
static double contact_before(const moving *m, double end, int most) {
    double speed = speed_of(m), least;
    for (int k = 2; k <= 46; k += 4) {
        double t = end * (1 - ldexp(1, -k));
        if (touches_at(m, t, &least)) return t;
    }
    double t = 0;
    for (int i = 0; i < most && t < end; i++) {
        if (touches_at(m, t, &least)) return t;
        t += fmax(least / speed, end / most);
    }
    return INFINITY;
}

static bool judge_hit(const moving *m, const graze_link_contact *c) {
    size_t a = c->link_a < c->link_b ? c->link_a : c->link_b, b = c->link_a < c->link_b ? c->link_b : c->link_a;
    double size = 0, tolerance = m->options.tolerance;
    for (size_t v = 0; v < 9; v++)
        for (int k = 0; k < 3; k++) size = fmax(size, fmax(fabs(m->vertices[a][v][k]), fabs(m->vertices[b][v][k])));
    if (!(tolerance > 0)) tolerance = 0x1p-30 * size;
    if (!is_pair(m, a, b)) return false;
    if (!c->proven) return are_within(m, a, b, c->toi, tolerance * (1 + 1e-12));
    return c->toi_upper - c->toi <= BRACKET && are_within(m, a, b, c->toi_upper, 0);
}

/* A screw that turns by almost whole circles is known to fewer digits than the tolerance asks for, and so is a
   polynomial of a high degree over many of them. */
static bool is_coarse(const moving *m) {
    if (m->curved && m->motion.degree > 3) return true;
    for (size_t i = 0; i < m->count; i++)
        if (m->screws[i]) return true;
    return false;
}

typedef struct tally {
    long motions, clear, proven, within, unresolved, bad;
    long stuck; /* of the unresolved: those that are known to all digits */
} tally;

static void judge(tally *t, const moving *m, const graze_articulated_result *r, graze_verdict any, int samples) {
    const char *wrong = NULL;
    double early = contact_before(m, r->toi, samples);
    if (early < r->toi) wrong = "late";
    if (r->verdict == GRAZE_HIT && !judge_hit(m, &r->contact)) wrong = "a hit that is none, or a wide bracket";
    if ((any == GRAZE_CLEAR) != (r->verdict == GRAZE_CLEAR) && any != GRAZE_UNRESOLVED &&
        r->verdict != GRAZE_UNRESOLVED)
        wrong = "modes differ";
    t->motions++;
    t->clear += r->verdict == GRAZE_CLEAR;
    t->unresolved += r->verdict == GRAZE_UNRESOLVED;
    t->stuck += r->verdict == GRAZE_UNRESOLVED && !is_coarse(m);
    t->proven += r->verdict == GRAZE_HIT && r->contact.proven;
    t->within += r->verdict == GRAZE_HIT && !r->contact.proven;
    if (!wrong) return;
    t->bad++;
    CHECK_MSG(!wrong, "seed %llu: %s (%s): verdict %d, mode any %d, toi %.17g to %.17g, contact at %.17g",
              (unsigned long long)m->seed, wrong, graze_reason_name(r->reason), (int)r->verdict, (int)any, r->toi,
              r->toi_upper, early);
}

#endif
