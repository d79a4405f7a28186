/* Root parity in floating point: signs by interval arithmetic where that can tell, else by exact expansions, and in
   integers where an expansion would underflow or grow long. Misses even numbers of roots. */
#include "compared/narrow/root_parity.h"
#include "compared/numerics/expansions.h"
#include "exact/arena.h"

/* A corner has 2 components, a minor at most 16, a determinant 3·2·2·16 = 192. */
#define DET_ROOM 192
/* Longest product of two determinants that is worked out as an expansion. */
#define PRODUCT_ROOM 1024

/* The least exponent of a bit of a coordinate: six of them multiplied stay above 2^-1074. */
#define LEAST_BIT 0x1p-179

typedef struct expansion2 {
    int count;
    double c[2];
} expansion2;

typedef struct det_expansion {
    int count;
    double c[DET_ROOM];
} det_expansion;

typedef struct floats {
    graze_kind kind;
    const graze_query *query;
    double t_max;
    gz_interval3 corner[8];
    expansion2 exact[8][3];
    bool expand; /* the expansions are exact */
    gz_arena *arena;
    gz_parity_exact integers;
    bool loaded; /* `integers` is */
} floats;

static gz_parity_exact *integers(floats *f) {
    if (!f->loaded) gz_parity_exact_load(&f->integers, f->arena, f->kind, f->query, f->t_max);
    f->loaded = true;
    return &f->integers;
}

/* True if x is a multiple of LEAST_BIT. */
static bool is_coarse(double x) { return fabs(x) >= 0x1p-126 || x == 0 || fmod(x, LEAST_BIT) == 0; }

static void load(floats *f) {
    int half = gz_corner_half(f->kind);
    f->expand = f->t_max == 1; /* at other times a corner is not the difference of two doubles */
    gz_interval_motion motion;
    gz_interval_motion_of(f->query->x0, f->query->x1, &motion);
    for (int k = 0; k < half; k++) {
        gz_corner rows = gz_corner_rows(f->kind, k);
        for (int end = 0; end < 2; end++)
            for (int c = 0; c < 3; c++) {
                const double *from = end ? f->query->x1[rows.from] : f->query->x0[rows.from];
                const double *to = end ? f->query->x1[rows.to] : f->query->x0[rows.to];
                expansion2 *e = &f->exact[k + end * half][c];
                gz_dd two = dd_two_sum(to[c], -from[c]);
                double sum = two.hi, rest = two.lo;
                e->count = rest != 0 ? 2 : 1;
                e->c[0] = rest != 0 ? rest : sum;
                e->c[1] = sum;
                /* one end of the interval is exact where the difference is */
                f->corner[k + end * half].c[c] =
                    (gz_interval){rest < 0 ? gz_next_down(sum) : sum, rest > 0 ? gz_next_up(sum) : sum};
                f->expand = f->expand && is_coarse(from[c]) && is_coarse(to[c]);
            }
        if (f->t_max == 1) continue;
        gz_interval t = gz_interval_point(f->t_max);
        gz_interval3 to = gz_interval_at(&motion, rows.to, t), from = gz_interval_at(&motion, rows.from, t);
        f->corner[k + half] = gz_interval3_sub(&to, &from);
    }
}

static gz_interval det_interval(const floats *f, int a, int b, int c) {
    gz_interval3 n = gz_interval3_cross(&f->corner[a], &f->corner[b]);
    return gz_interval3_dot(&n, &f->corner[c]);
}

static void weight_intervals(const floats *f, const int patch[4], gz_interval w[4]) {
    for (int i = 0; i < 4; i++) {
        int rest[3];
        for (int k = 0, n = 0; k < 4; k++)
            if (k != i) rest[n++] = patch[k];
        w[i] = det_interval(f, rest[0], rest[1], rest[2]);
        if (i % 2) w[i] = (gz_interval){-w[i].hi, -w[i].lo};
    }
}

/* (A × B)[component], at most 16 components */
static int cross_expansion(const expansion2 a[3], const expansion2 b[3], int component, double h[16]) {
    int j = (component + 1) % 3, k = (component + 2) % 3;
    double first[8], second[8], scaled[4], scratch[8];
    int n = gz_expansion_mul(a[j].c, a[j].count, b[k].c, b[k].count, scaled, scratch, first);
    int m = gz_expansion_mul(a[k].c, a[k].count, b[j].c, b[j].count, scaled, scratch, second);
    return gz_expansion_add(first, n, -1, second, m, h);
}

static int det_of(const expansion2 a[3], const expansion2 b[3], const expansion2 c[3], double h[DET_ROOM]) {
    double minor[16], term[64], scaled[32], scratch[DET_ROOM];
    int count = 0;
    for (int i = 0; i < 3; i++) {
        int n = cross_expansion(a, b, i, minor);
        int m = gz_expansion_mul(minor, n, c[i].c, c[i].count, scaled, scratch, term);
        if (i == 0) {
            memcpy(h, term, (size_t)m * sizeof *h);
            count = m;
        } else {
            count = gz_expansion_add(h, count, 1, term, m, scratch);
            memcpy(h, scratch, (size_t)count * sizeof *h);
        }
    }
    return count;
}

static void weight_expansions(const floats *f, const int patch[4], det_expansion w[4]) {
    for (int i = 0; i < 4; i++) {
        int rest[3];
        for (int k = 0, n = 0; k < 4; k++)
            if (k != i) rest[n++] = patch[k];
        w[i].count = det_of(f->exact[rest[0]], f->exact[rest[1]], f->exact[rest[2]], w[i].c);
        if (i % 2)
            for (int k = 0; k < w[i].count; k++) w[i].c[k] = -w[i].c[k];
    }
}

static int det(void *self, int a, int b, int c) {
    floats *f = self;
    int sign = gz_interval_sign(det_interval(f, a, b, c));
    if (sign) return sign;
    if (!f->expand) return gz_parity_exact_signs.det(integers(f), a, b, c);
    double h[DET_ROOM];
    return gz_expansion_sign(h, det_of(f->exact[a], f->exact[b], f->exact[c], h));
}

static int volume(void *self, const int patch[4]) {
    floats *f = self;
    gz_interval v[4];
    weight_intervals(f, patch, v);
    int sign = gz_interval_sign(gz_interval_add(gz_interval_add(v[0], v[1]), gz_interval_add(v[2], v[3])));
    if (sign) return sign;
    if (!f->expand) return gz_parity_exact_signs.volume(integers(f), patch);
    det_expansion w[4];
    weight_expansions(f, patch, w);
    double first[2 * DET_ROOM], second[2 * DET_ROOM], sum[4 * DET_ROOM];
    int n = gz_expansion_add(w[0].c, w[0].count, 1, w[1].c, w[1].count, first);
    int m = gz_expansion_add(w[2].c, w[2].count, 1, w[3].c, w[3].count, second);
    return gz_expansion_sign(sum, gz_expansion_add(first, n, 1, second, m, sum));
}

static int saddle(void *self, const int patch[4]) {
    floats *f = self;
    gz_interval v[4];
    weight_intervals(f, patch, v);
    int sign = gz_interval_sign(gz_interval_sub(gz_interval_mul(v[0], v[2]), gz_interval_mul(v[1], v[3])));
    if (sign) return sign;
    if (!f->expand) return gz_parity_exact_signs.saddle(integers(f), patch);
    det_expansion w[4];
    weight_expansions(f, patch, w);
    if (2 * w[0].count * w[2].count > PRODUCT_ROOM || 2 * w[1].count * w[3].count > PRODUCT_ROOM)
        return gz_parity_exact_signs.saddle(integers(f), patch);
    double first[PRODUCT_ROOM], second[PRODUCT_ROOM], scratch[2 * PRODUCT_ROOM], scaled[2 * DET_ROOM];
    int n = gz_expansion_mul(w[0].c, w[0].count, w[2].c, w[2].count, scaled, scratch, first);
    int m = gz_expansion_mul(w[1].c, w[1].count, w[3].c, w[3].count, scaled, scratch, second);
    return gz_expansion_sign(scratch, gz_expansion_add(first, n, -1, second, m, scratch));
}

static int ray(void *self, const int direction[3], int a, int b) {
    floats *f = self;
    gz_interval3 n = gz_interval3_cross(&f->corner[a], &f->corner[b]), r;
    expansion2 exact[3];
    for (int c = 0; c < 3; c++) {
        r.c[c] = gz_interval_point(direction[c]);
        exact[c] = (expansion2){1, {direction[c], 0}};
    }
    int sign = gz_interval_sign(gz_interval3_dot(&n, &r));
    if (sign) return sign;
    if (!f->expand) return gz_parity_exact_signs.ray(integers(f), direction, a, b);
    double h[DET_ROOM];
    return gz_expansion_sign(h, det_of(f->exact[a], f->exact[b], exact, h));
}

static int cross(void *self, int component, int a, int b) {
    floats *f = self;
    if (!f->expand) return gz_parity_exact_signs.cross(integers(f), component, a, b);
    double h[16];
    return gz_expansion_sign(h, cross_expansion(f->exact[a], f->exact[b], component, h));
}

static bool planar_contact(void *self, int from, int to) {
    return gz_parity_exact_signs.planar_contact(integers(self), from, to);
}

static const gz_parity_signs float_signs = {det, volume, saddle, ray, cross, planar_contact};

typedef struct question {
    const gz_narrow_call *call;
    const graze_query *query;
    bool contact, integers;
} question;

static void decide(void *state, gz_arena *arena) {
    question *q = state;
    floats f;
    f.kind = q->call->kind, f.query = q->query, f.t_max = q->call->question.t_max, f.arena = arena, f.loaded = false;
    load(&f);
    q->contact = gz_parity_contact(f.kind, &float_signs, &f);
    q->integers = f.loaded;
}

static void solve(const gz_narrow_call *call, const graze_query *query, graze_result *result) {
    question q = {.call = call, .query = query};
    bool decided = gz_parity_box_is_clear(call->kind, query) ||
                   gz_with_arena((gz_arena_home){.context = call->context, .worker = call->worker}, decide, &q);
    result->checks = 1;
    call->counts->checks++;
    call->counts->oracle_calls += q.integers;
    if (decided)
        gz_parity_result(q.contact, call->question.t_max, result);
    else
        result->reason = GRAZE_REASON_MEMORY;
}

const gz_method gz_method_rp = {
    .info = {.method = GRAZE_METHOD_RP,
             .name = "rp",
             .summary = "root parity in floating point; misses even counts",
             .available = 1,
             .kinds = 1u << GRAZE_VF | 1u << GRAZE_EE},
    .solve = solve,
    .no_separation = 1,
};
