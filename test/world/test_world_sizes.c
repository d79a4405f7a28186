/* Two bodies of any motion whose sizes, places, ways, turns, paddings and separation are drawn independently of each
   other, over many powers of two, at any scale. One is put where both touch at a time that is drawn. The judge computes
   where they are in reals of 256 bits. GRAZE_WORLD_PAIRS says how many are drawn. */
#include "articulated/big_real.h"
#include "graze/world_to.h"

enum { DEFAULT_PAIRS = 600, SAMPLES = 12, MOST_FACES = 6, MOST_CORNERS = 3 * MOST_FACES };

typedef enum motion_kind { STATIC, STRAIGHT, AFFINE, TURN, SCREW, ROTVEC, CUBIC, KINDS } motion_kind;

typedef struct body {
    motion_kind kind;
    uint32_t faces, chosen; /* faces share no corners; chosen: the first corner of the one that touches */
    double rest[MOST_CORNERS][3],
        x[4][MOST_CORNERS][3]; /* x: control positions; x[0] and x[3] of one that moves straight */
    double size, padding;
    graze_body_motion motion;
} body;

typedef struct scene {
    body of[2];
    double scale;             /* of everything but the turns */
    double separation, reach; /* reach: within which both touch */
    double at;                /* when they do */
} scene;

/* ---- where a corner is ---- */

static real between(double a, double b, real t) {
    return real_add(real_mul(real_sub(real_of(1), t), real_of(a)), real_mul(t, real_of(b)));
}

static void turned(const body *b, real_quaternion by, uint32_t v, real out[3]) {
    real r[3][3], x[3];
    real_matrix(by, r);
    for (int c = 0; c < 3; c++) x[c] = real_of(b->rest[v][c]);
    for (int c = 0; c < 3; c++) out[c] = real_dot(r[c], x);
}

static real_quaternion quaternion_of(const double q[4]) {
    return (real_quaternion){real_of(q[0]), {real_of(q[1]), real_of(q[2]), real_of(q[3])}};
}

static void pose_at(const body *b, uint32_t v, real t, real out[3]) {
    const graze_body_motion *m = &b->motion;
    const double *from = m->pose0.position, *to = m->pose1.position;
    real origin[3];
    for (int c = 0; c < 3; c++) origin[c] = between(from[c], to[c], t);
    if (b->kind == ROTVEC) {
        real3 r = real_between(m->rotvec0, m->rotvec1, t);
        turned(b, real_exponential(r), v, out);
    } else {
        real_quaternion start = quaternion_of(m->pose0.rotation);
        real3 turn = real_logarithm(real_product(quaternion_of(m->pose1.rotation), real_conjugate(start)));
        turned(b, real_product(real_exponential(real_scaled(t, turn)), start), v, out);
        if (b->kind == SCREW) real_screw(from, to, 3, turn, t, origin);
    }
    for (int c = 0; c < 3; c++) out[c] = real_add(out[c], origin[c]);
}

static void corner_at(const body *b, uint32_t v, real t, real out[3]) {
    if (b->kind >= TURN && b->kind <= ROTVEC) {
        pose_at(b, v, t, out);
        return;
    }
    for (int c = 0; c < 3; c++) {
        real p[4];
        out[c] = between(b->x[0][v][c], b->x[3][v][c], t);
        if (b->kind != CUBIC) continue;
        for (int k = 0; k < 4; k++) p[k] = real_of(b->x[k][v][c]);
        for (int level = 3; level > 0; level--)
            for (int k = 0; k < level; k++) p[k] = real_add(p[k], real_mul(t, real_sub(p[k + 1], p[k])));
        out[c] = p[0];
    }
}

/* The point of a body with these weights. */
static void point_at(const body *b, const double weights[3], real t, real out[3]) {
    real corner[3];
    for (int c = 0; c < 3; c++) out[c] = real_of(0);
    for (uint32_t v = 0; v < 3; v++) {
        if (weights[v] == 0) continue;
        corner_at(b, b->chosen + v, t, corner);
        for (int c = 0; c < 3; c++) out[c] = real_add(out[c], real_mul(real_of(weights[v]), corner[c]));
    }
}

static real squared_distance(const scene *s, const double weights[2][3], double t) {
    real x[2][3], d[3];
    for (int i = 0; i < 2; i++) point_at(&s->of[i], weights[i], real_of(t), x[i]);
    for (int c = 0; c < 3; c++) d[c] = real_sub(x[1][c], x[0][c]);
    return real_dot(d, d);
}

static bool within(const scene *s, const double weights[2][3], double t, double reach) {
    real_reset();
    real far = real_of(reach);
    return mpfr_cmp(squared_distance(s, weights, t), real_mul(far, far)) <= 0;
}

/* ---- faces that cross ---- */

typedef struct corners {
    real3 x[3];
} corners;

static corners corners_at(const body *b, double t) {
    corners k;
    for (uint32_t v = 0; v < 3; v++) corner_at(b, b->chosen + v, real_of(t), k.x[v].c);
    return k;
}

static real3 minus(real3 a, real3 b) {
    return (real3){{real_sub(a.c[0], b.c[0]), real_sub(a.c[1], b.c[1]), real_sub(a.c[2], b.c[2])}};
}

/* Sign of the volume of four points; sums of 256 bits have the sign of the exact ones unless they all but cancel. */
static int side(real3 a, real3 b, real3 c, real3 p) {
    real3 e = minus(b, a), f = minus(c, a), w = minus(p, a), n = real_cross(e.c, f.c);
    real volume = real_dot(n.c, w.c);
    real size = real_root(real_mul(real_dot(n.c, n.c), real_dot(w.c, w.c)));
    mpfr_abs(size, size, MPFR_RNDN);
    mpfr_mul_2si(size, size, -120, MPFR_RNDN);
    if (mpfr_cmpabs(volume, size) <= 0) return 0;
    return mpfr_sgn(volume);
}

static bool pierces(real3 p, real3 q, const corners *f) {
    int a = side(f->x[0], f->x[1], f->x[2], p), b = side(f->x[0], f->x[1], f->x[2], q);
    if (a * b >= 0) return false;
    int s = side(p, q, f->x[0], f->x[1]), t = side(p, q, f->x[1], f->x[2]), u = side(p, q, f->x[2], f->x[0]);
    return s != 0 && s == t && t == u;
}

static bool cross_at(const scene *s, double t) {
    real_reset();
    corners k[2] = {corners_at(&s->of[0], t), corners_at(&s->of[1], t)};
    for (int i = 0; i < 2; i++)
        for (int e = 0; e < 3; e++)
            if (pierces(k[i].x[e], k[i].x[(e + 1) % 3], &k[1 - i])) return true;
    return false;
}

/* ---- drawing ---- */

static double about(test_random *random, double most) { return test_random_between(random, -most, most); }

/* A size: most within a few powers of two of 1, some far from it, some zero. */
static double any_size(test_random *random, int wide) {
    switch (test_random_below(random, 8)) {
    case 0: return 0;
    case 1: return ldexp(test_random_between(random, 0.5, 1), (int)test_random_below(random, 2 * wide) - wide);
    case 2: return ldexp(1, (int)test_random_below(random, 16) - 8);
    default: return test_random_between(random, 0.25, 2);
    }
}

static double some_size(test_random *random, int wide) {
    double size;
    do size = any_size(random, wide);
    while (size == 0);
    return size;
}

static void any_vector(test_random *random, double size, double x[3]) {
    for (int c = 0; c < 3; c++) x[c] = about(random, size);
}

/* The angle of a turn: any, small, none, near half a circle. */
static double any_angle(test_random *random) {
    switch (test_random_below(random, 6)) {
    case 0: return 0;
    case 1: return ldexp(1, -(int)test_random_below(random, 60));
    case 2: return 3.141592653589793 - ldexp(1, -(int)test_random_below(random, 26));
    default: return test_random_between(random, 0, 3);
    }
}

static void turn_pose(test_random *random, graze_body_motion *m) {
    double axis[3], *from = m->pose0.rotation, *to = m->pose1.rotation, length, angle = any_angle(random);
    do {
        any_vector(random, 1, axis);
        length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    } while (length < 0.1);
    do
        for (int c = 0; c < 4; c++) from[c] = about(random, 1);
    while (fabs(from[0]) < 0.05);
    double w = cos(angle / 2), s = sin(angle / 2) / length;
    const double v[3] = {s * axis[0], s * axis[1], s * axis[2]};
    to[0] = w * from[0] - (v[0] * from[1] + v[1] * from[2] + v[2] * from[3]);
    for (int c = 0; c < 3; c++)
        to[1 + c] = w * from[1 + c] + from[0] * v[c] + v[(c + 1) % 3] * from[1 + (c + 2) % 3] -
                    v[(c + 2) % 3] * from[1 + (c + 1) % 3];
    double scale = ldexp(1, (int)test_random_below(random, 40) - 20);
    for (int c = 0; c < 4; c++) to[c] = angle == 0 ? from[c] : scale * to[c];
}

static void turn_vector(test_random *random, graze_body_motion *m) {
    double start = test_random_below(random, 4) ? 3 : ldexp(1, (int)test_random_below(random, 14));
    double way = any_angle(random) * (test_random_below(random, 6) ? 1 : 8);
    any_vector(random, start, m->rotvec0);
    if (test_random_below(random, 5) == 0) memset(m->rotvec0, 0, sizeof m->rotvec0);
    for (int c = 0; c < 3; c++) m->rotvec1[c] = m->rotvec0[c] + about(random, way);
}

static void draw_body(test_random *random, int wide, double scale, uint32_t index, body *b) {
    double from[3], to[3], middle[3], way = any_size(random, wide);
    memset(b, 0, sizeof *b);
    b->kind = (motion_kind)test_random_below(random, KINDS);
    b->motion = graze_default_body_motion();
    b->motion.body = index;
    b->size = scale * some_size(random, wide);
    b->padding = test_random_below(random, 4) ? 0 : scale * any_size(random, wide);
    any_vector(random, scale * any_size(random, wide), from);
    for (int c = 0; c < 3; c++) to[c] = from[c] + scale * about(random, way);
    any_vector(random, test_random_below(random, 2) ? 0 : scale * any_size(random, wide), middle);
    b->faces = 1 + (uint32_t)test_random_below(random, MOST_FACES);
    b->chosen = 3 * (uint32_t)test_random_below(random, b->faces);
    double size = b->size;
    for (uint32_t v = 0; v < 3 * b->faces; v++) {
        if (v && v % 3 == 0) { /* another face */
            size = scale * some_size(random, wide);
            b->size = fmax(b->size, size);
            double off[3];
            any_vector(random, scale * any_size(random, wide), off);
            for (int c = 0; c < 3; c++) middle[c] += off[c];
        }
        for (int c = 0; c < 3; c++) {
            b->rest[v][c] = middle[c] + about(random, size);
            for (int k = 0; k < 4; k++)
                b->x[k][v][c] = b->rest[v][c] + (b->kind == STATIC ? from[c] : (from[c] * (3 - k) + to[c] * k) / 3) +
                                (b->kind == CUBIC && k % 3 ? about(random, scale * way) : 0);
        }
    }
    memcpy(b->motion.pose0.position, from, sizeof from);
    memcpy(b->motion.pose1.position, to, sizeof to);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            b->motion.matrix0[i][j] = j == 3 ? from[i] : (i == j) + about(random, 0.5);
            b->motion.matrix1[i][j] = j == 3 ? to[i] : (i == j) + about(random, 0.5);
        }
    turn_pose(random, &b->motion);
    if (b->kind == ROTVEC) turn_vector(random, &b->motion);
    b->motion.path = b->kind == SCREW ? GRAZE_PATH_SCREW : b->kind == ROTVEC ? GRAZE_PATH_ROTVEC : GRAZE_PATH_TURN;
}

static void put_affine(body *b) {
    for (uint32_t v = 0; b->kind == AFFINE && v < 3 * b->faces; v++)
        for (int i = 0; i < 3; i++) {
            const double *m = b->motion.matrix0[i], *n = b->motion.matrix1[i], *x = b->rest[v];
            b->x[0][v][i] = m[0] * x[0] + m[1] * x[1] + m[2] * x[2] + m[3];
            b->x[3][v][i] = n[0] * x[0] + n[1] * x[1] + n[2] * x[2] + n[3];
        }
}

static void shift(body *b, const double by[3]) {
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 4; k++)
            for (uint32_t v = 0; v < 3 * b->faces; v++) b->x[k][v][c] += by[c];
        b->motion.pose0.position[c] += by[c];
        b->motion.pose1.position[c] += by[c];
        b->motion.matrix0[c][3] += by[c];
        b->motion.matrix1[c][3] += by[c];
    }
    put_affine(b);
}

static void any_weights(test_random *random, bool inside, double w[3]) {
    double u = test_random_unit(random), v = test_random_unit(random);
    if (u + v > 1) u = 1 - u, v = 1 - v;
    if (!inside && test_random_below(random, 3) == 0) u = 0;
    if (!inside && test_random_below(random, 6) == 0) u = v = 0;
    w[0] = 1 - u - v;
    w[1] = u;
    w[2] = v;
}

/* Moves the second body so that points with these weights are `apart` from each other then. */
static void bring_together(test_random *random, scene *s, const double weights[2][3], double apart) {
    double by[3], n[3], length;
    real x[2][3];
    do {
        any_vector(random, 1, n);
        length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    } while (length < 0.1 || length > 1);
    for (int round = 0; round < 2; round++) {
        real_reset();
        for (int i = 0; i < 2; i++) point_at(&s->of[i], weights[i], real_of(s->at), x[i]);
        for (int c = 0; c < 3; c++)
            by[c] = mpfr_get_d(real_add(real_sub(x[0][c], x[1][c]), real_of(apart * n[c] / length)), MPFR_RNDN);
        shift(&s->of[1], by);
    }
}

static void draw_scene(test_random *random, scene *s, double weights[2][3]) {
    static const int scales[] = {0, 0, 0, 0, -30, 30, 110, -500, -960};
    int wide = test_random_below(random, 2) ? 6 : 30;
    double scale = s->scale = ldexp(1, scales[test_random_below(random, sizeof scales / sizeof *scales)]);
    for (uint32_t i = 0; i < 2; i++) draw_body(random, wide, scale, i, &s->of[i]);
    if (s->of[0].kind == STATIC && s->of[1].kind == STATIC) s->of[0].kind = ROTVEC;
    if (s->of[0].kind == ROTVEC) s->of[0].motion.path = GRAZE_PATH_ROTVEC;
    for (int i = 0; i < 2; i++) put_affine(&s->of[i]);
    s->separation = test_random_below(random, 2) ? 0 : 0.1 * scale * any_size(random, wide);
    s->reach = s->separation + s->of[0].padding + s->of[1].padding;
    s->at = test_random_below(random, 4) ? test_random_unit(random) : ldexp(test_random_unit(random), -8);
    for (int i = 0; i < 2; i++) any_weights(random, s->reach == 0, weights[i]);
    bring_together(random, s, (const double(*)[3])weights, 0.9 * s->reach * test_random_unit(random));
}

/* ---- asking ---- */

/* The world, and the motions of what moves in it. */
typedef struct asked {
    graze_world *world;
    graze_body_motion motions[2];
    size_t count;
    graze_articulated_options options;
} asked;

static asked open_world(graze_context *context, const scene *s, const graze_mesh *meshes) {
    static const graze_body_kind kinds[] = {GRAZE_BODY_STATIC, GRAZE_BODY_STRAIGHT, GRAZE_BODY_AFFINE, GRAZE_BODY_RIGID,
                                            GRAZE_BODY_RIGID,  GRAZE_BODY_RIGID,    GRAZE_BODY_CUBIC};
    asked a = {.options = graze_default_articulated_options()};
    graze_body bodies[2];
    a.options.min_separation = s->separation;
    for (int i = 0; i < 2; i++) {
        const body *b = &s->of[i];
        bodies[i] = graze_default_body();
        bodies[i].kind = kinds[b->kind];
        bodies[i].mesh = &meshes[b->faces - 1];
        bodies[i].rest = b->kind == STATIC ? b->x[0] : b->rest;
        bodies[i].padding = b->padding;
        graze_body_motion motion = b->motion;
        motion.x0 = b->x[0];
        motion.x1 = b->x[3];
        for (int k = 0; k < 4; k++) motion.control[k] = b->x[k];
        if (b->kind != STATIC) a.motions[a.count++] = motion;
    }
    CHECK(graze_world_create(context, bodies, 2, NULL, &a.world) == GRAZE_OK);
    return a;
}

static graze_articulated_result step(graze_context *context, const asked *a, const graze_body_motion *motions) {
    graze_articulated_result result = graze_default_articulated_result();
    graze_status status = graze_world_step(context, a->world, motions, a->count, &a->options, &result);
    graze_error error;
    graze_context_last_error(context, &error);
    CHECK_MSG(status == GRAZE_OK, "%s", error.message);
    return result;
}

static graze_articulated_result ask(graze_context *context, const scene *s, const graze_mesh *meshes) {
    asked a = open_world(context, s, meshes);
    graze_articulated_result result = step(context, &a, a.motions);
    graze_world_release(a.world);
    return result;
}

/* ---- steps that are taken ---- */

/* It stands where it went. */
static graze_body_motion at_its_end(graze_body_motion m) {
    m.x0 = m.x1;
    for (int k = 0; k < 3; k++) m.control[k] = m.control[3];
    memcpy(m.matrix0, m.matrix1, sizeof m.matrix0);
    m.pose0 = m.pose1;
    memcpy(m.rotvec0, m.rotvec1, sizeof m.rotvec0);
    return m;
}

/* The part that is taken; it is clear, and the next step starts free. */
static double take_step(graze_context *context, const scene *s, const graze_mesh *meshes, size_t i) {
    asked a = open_world(context, s, meshes);
    graze_world_moved moved = graze_default_world_moved();
    graze_articulated_result result = graze_default_articulated_result();
    graze_body_motion next[2];
    CHECK(graze_world_step_to(context, a.world, a.motions, a.count, &a.options, &moved, &result) == GRAZE_OK);
    CHECK_MSG(moved.alpha == 1 ? result.toi == 1 : moved.alpha <= result.toi, "pair %zu: %g of %g", i, moved.alpha,
              result.toi);
    CHECK_MSG(moved.alpha > 0 || result.toi == 0, "pair %zu: nothing of %g", i, result.toi);
    if (moved.alpha > 0) {
        CHECK_MSG(step(context, &a, moved.motions).verdict == GRAZE_CLEAR, "pair %zu: %g", i, moved.alpha);
        for (size_t k = 0; k < a.count; k++) next[k] = at_its_end(moved.motions[k]);
        CHECK_MSG(step(context, &a, next).verdict == GRAZE_CLEAR, "pair %zu, kinds %d %d: the next step after %.17g", i,
                  s->of[0].kind, s->of[1].kind, moved.alpha);
    }
    graze_world_moved_release(context, &moved);
    graze_world_release(a.world);
    return moved.alpha;
}

/* ---- judging ---- */

typedef struct tally {
    size_t clear, hit, unproven, unresolved, unresolved_tiny, at_start;
} tally;

/* They are apart before toi, and not beyond the time that was drawn. */
static void check_never_late(const scene *s, const double weights[2][3], const graze_articulated_result *r, size_t i) {
    bool apart = !cross_at(s, 0);
    if (!apart) return;
    bool touch = s->reach > 0 ? within(s, weights, s->at, s->reach) : cross_at(s, s->at);
    CHECK_MSG(!touch || r->toi <= s->at, "pair %zu, kinds %d %d: touch at %.17g, verdict %d, toi %.17g, reach %g", i,
              s->of[0].kind, s->of[1].kind, s->at, r->verdict, r->toi, s->reach);
    for (int k = 0; k < SAMPLES && s->reach == 0 && r->toi > 0; k++) {
        double t = r->toi * (k + 0.5) / SAMPLES;
        CHECK_MSG(!cross_at(s, t), "pair %zu, kinds %d %d: cross at %.17g, toi %.17g", i, s->of[0].kind, s->of[1].kind,
                  t, r->toi);
    }
    for (int k = 0; k < SAMPLES && s->reach > 0 && r->toi > 0; k++) {
        double t = r->toi * (k + 0.5) / SAMPLES;
        CHECK_MSG(!within(s, weights, t, s->reach * (1 - 1e-12)), "pair %zu: within at %.17g, toi %.17g", i, t, r->toi);
    }
}

/* Corners of the primitives of a contact, and their weights. */
typedef struct touching {
    int count[2], body[2];
    uint32_t corners[2][3];
    double weights[2][3];
} touching;

static touching touching_of(const scene *s, const graze_link_contact *c, const graze_mesh *meshes) {
    touching t = {.body = {(int)c->model_a, (int)c->model_b}};
    const graze_mesh *a = &meshes[s->of[c->model_a].faces - 1], *b = &meshes[s->of[c->model_b].faces - 1];
    if (c->pair.kind == GRAZE_VF) {
        t.count[0] = 1, t.count[1] = 3;
        t.corners[0][0] = c->pair.a;
        t.weights[0][0] = 1;
        memcpy(t.corners[1], b->faces[c->pair.b], sizeof t.corners[1]);
        t.weights[1][0] = 1 - c->u - c->v, t.weights[1][1] = c->u, t.weights[1][2] = c->v;
        return t;
    }
    t.count[0] = t.count[1] = 2;
    memcpy(t.corners[0], a->edges[c->pair.a], 8);
    memcpy(t.corners[1], b->edges[c->pair.b], 8);
    t.weights[0][0] = 1 - c->u, t.weights[0][1] = c->u;
    t.weights[1][0] = 1 - c->v, t.weights[1][1] = c->v;
    return t;
}

static double gap_of(const scene *s, const touching *w, double t) {
    real x[2][3], corner[3], d[3];
    real_reset();
    for (int i = 0; i < 2; i++) {
        for (int c = 0; c < 3; c++) x[i][c] = real_of(0);
        for (int k = 0; k < w->count[i]; k++) {
            corner_at(&s->of[w->body[i]], w->corners[i][k], real_of(t), corner);
            for (int c = 0; c < 3; c++) x[i][c] = real_add(x[i][c], real_mul(real_of(w->weights[i][k]), corner[c]));
        }
    }
    for (int c = 0; c < 3; c++) d[c] = real_sub(x[1][c], x[0][c]);
    return mpfr_get_d(real_root(real_dot(d, d)), MPFR_RNDU);
}

static double extent(const body *b) {
    double most = 0;
    for (uint32_t v = 0; v < 3 * b->faces; v++)
        for (int c = 0; c < 3; c++) most = fmax(most, fmax(fabs(b->rest[v][c]), fabs(b->x[0][v][c])));
    for (int c = 0; c < 3; c++)
        most = fmax(most, fmax(fabs(b->motion.pose0.position[c]), fabs(b->motion.pose1.position[c])));
    return most;
}

/* An unproven hit is within the tolerance at toi. */
static void check_hit(const scene *s, const graze_articulated_result *r, const graze_mesh *meshes, size_t i) {
    if (r->verdict != GRAZE_HIT || r->contact.proven) return;
    double away = fmax(extent(&s->of[0]), extent(&s->of[1]));
    touching w = touching_of(s, &r->contact, meshes);
    double reach = s->separation + s->of[w.body[0]].padding + s->of[w.body[1]].padding;
    double tolerance = 2 * away * 0x1p-30, gap = gap_of(s, &w, r->toi);
    CHECK_MSG(gap <= (reach + tolerance) * (1 + 1e-9),
              "pair %zu, kinds %d %d: unproven, toi %.17g, gap %g, reach %g, tolerance %g", i, s->of[0].kind,
              s->of[1].kind, r->toi, gap, reach, tolerance);
}

static size_t asked_for(size_t otherwise) {
    const char *given = getenv("GRAZE_WORLD_PAIRS");
    return given && atol(given) > 0 ? (size_t)atol(given) : otherwise;
}

static test_random random_of(size_t i) {
    const char *seed = getenv("GRAZE_SEED");
    return (test_random){(seed ? strtoull(seed, NULL, 10) : 7) * 1000003 + i};
}

/* Of 1, 2, … faces that share no corners; they borrow the list. */
static void make_meshes(graze_context *context, uint32_t faces[MOST_FACES][3], graze_mesh meshes[MOST_FACES]) {
    for (uint32_t k = 0; k < MOST_CORNERS; k++) faces[k / 3][k % 3] = k;
    for (uint32_t k = 0; k < MOST_FACES; k++) {
        meshes[k] = graze_default_mesh();
        CHECK(graze_mesh_from_faces(context, 3 * (k + 1), (const uint32_t(*)[3])faces, k + 1, &meshes[k]) == GRAZE_OK);
    }
}

static void release_meshes(graze_context *context, graze_mesh meshes[MOST_FACES]) {
    for (uint32_t k = 0; k < MOST_FACES; k++) graze_mesh_release(context, &meshes[k]);
}

TEST(bodies_of_all_sizes_and_motions_are_never_late) {
    size_t count = asked_for(DEFAULT_PAIRS);
    uint32_t faces[MOST_FACES][3];
    graze_mesh meshes[MOST_FACES];
    graze_context *contexts[2] = {test_context(1, GRAZE_ISA_AUTO), test_context(2, GRAZE_ISA_SCALAR)};
    make_meshes(contexts[0], faces, meshes);
    tally sum = {0};
    for (size_t i = 0; i < count; i++) {
        test_random random = random_of(i);
        scene s;
        double weights[2][3];
        memset(&s, 0, sizeof s);
        draw_scene(&random, &s, weights);
        graze_articulated_result r = ask(contexts[0], &s, meshes), other = i % 8 ? r : ask(contexts[1], &s, meshes);
        CHECK_MSG(memcmp(&r.contact, &other.contact, sizeof r.contact) == 0 && r.toi == other.toi &&
                      r.verdict == other.verdict && r.checks == other.checks,
                  "pair %zu: bits", i);
        sum.clear += r.verdict == GRAZE_CLEAR;
        sum.hit += r.verdict == GRAZE_HIT;
        sum.unproven += r.verdict == GRAZE_HIT && !r.contact.proven;
        sum.unresolved += r.verdict == GRAZE_UNRESOLVED && s.scale > 0x1p-400;
        sum.unresolved_tiny += r.verdict == GRAZE_UNRESOLVED && !(s.scale > 0x1p-400);
        sum.at_start += r.verdict == GRAZE_HIT && r.toi == 0;
        check_never_late(&s, (const double(*)[3])weights, &r, i);
        check_hit(&s, &r, meshes, i);
    }
    printf("      %zu pairs: %zu clear, %zu hit (%zu unproven, %zu at the start), %zu and %zu tiny ones unresolved\n",
           count, sum.clear, sum.hit, sum.unproven, sum.at_start, sum.unresolved, sum.unresolved_tiny);
    CHECK(sum.clear * 100 > count && sum.hit * 2 > count && sum.at_start * 2 < sum.hit);
    CHECK(sum.unresolved * 200 <= count);
    release_meshes(contexts[0], meshes);
    for (int k = 0; k < 2; k++) graze_context_destroy(contexts[k]);
}

TEST(steps_of_all_sizes_that_are_taken_lead_to_where_the_next_one_starts_free) {
    size_t count = asked_for(DEFAULT_PAIRS), parts = 0;
    uint32_t faces[MOST_FACES][3];
    graze_mesh meshes[MOST_FACES];
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    make_meshes(context, faces, meshes);
    for (size_t i = 0; i < count; i++) {
        test_random random = random_of(i);
        scene s;
        double weights[2][3];
        memset(&s, 0, sizeof s);
        draw_scene(&random, &s, weights);
        parts += take_step(context, &s, meshes, i) > 0;
    }
    CHECK(parts * 3 > count);
    release_meshes(context, meshes);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
