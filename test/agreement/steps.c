/* Whole steps of a few triangles of such sizes, against all pairs by the oracle. */
#include "agreement/judge.h"

#include "same_bits.h"

#define MOST_FACES 3
#define MOST_PAIRS 64

typedef struct scene {
    graze_mesh mesh;
    uint32_t faces[MOST_FACES][3];
    double x0[3 * MOST_FACES][3], x1[3 * MOST_FACES][3], thickness[3 * MOST_FACES];
    double separation, t_max;
    double whole; /* separation and both radii: exact */
    graze_pair pairs[MOST_PAIRS];
    graze_result truth[MOST_PAIRS];
    size_t count;
} scene;

/* ---- making one ---- */

/* A corner beside another, with a size and a motion of its own. */
static void add_beside(test_random *random, scene *s, uint32_t vertex, uint32_t beside, int exponent) {
    double away[3], motion[3];
    draw_vector(random, draw_size(random), away);
    draw_vector(random, draw_size(random), motion);
    bool still = test_random_below(random, 2);
    for (int c = 0; c < 3; c++) {
        s->x0[vertex][c] = s->x0[beside][c] + ldexp(away[c], exponent);
        s->x1[vertex][c] = s->x1[beside][c] + ldexp(away[c] + (still ? 0 : motion[c]), exponent);
    }
}

/* A face, and a triangle whose first corner comes close to it; a third one near the origin, too. */
static void draw_positions(test_random *random, scene *s, uint32_t face_count, drawn *d) {
    int exponent = draw_exponent(random);
    if (exponent > 150) exponent = 150;
    draw_pair(random, GRAZE_VF, exponent, d);
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t vertex = k == 0 ? 3 : k - 1;
        memcpy(s->x0[vertex], d->query.x0[k], sizeof s->x0[vertex]);
        memcpy(s->x1[vertex], d->query.x1[k], sizeof s->x1[vertex]);
    }
    add_beside(random, s, 4, 3, exponent);
    add_beside(random, s, 5, 3, exponent);
    for (uint32_t v = 6; v < 3 * face_count; v++) add_beside(random, s, v, v == 6 ? 0 : 6, exponent);
}

static void set_thickness(test_random *random, scene *s, double whole) {
    s->whole = s->separation = whole;
    if (test_random_below(random, 3) || whole < 0x1p-1000) return;
    s->separation = whole / 2; /* and a quarter for each of the two: no rounding */
    for (uint32_t v = 0; v < s->mesh.vertex_count; v++) s->thickness[v] = whole / 4;
    s->mesh.thickness = s->thickness;
}

static bool make_scene(judge *j, test_random *random, scene *s) {
    drawn d;
    uint32_t face_count = 2 + (uint32_t)test_random_below(random, MOST_FACES - 1);
    memset(s, 0, sizeof *s);
    draw_positions(random, s, face_count, &d);
    for (uint32_t f = 0; f < face_count; f++)
        for (uint32_t k = 0; k < 3; k++) s->faces[f][k] = 3 * f + k;
    s->mesh = graze_default_mesh();
    graze_status status =
        graze_mesh_from_faces(j->context, 3 * face_count, (const uint32_t(*)[3])s->faces, face_count, &s->mesh);
    if (status != GRAZE_OK) judge_fails(j, &j->found.refused, &d, "mesh: %s", graze_status_name(status));
    s->t_max = d.t_max;
    set_thickness(random, s, d.separation);
    return status == GRAZE_OK;
}

/* ---- the truth ---- */

static void list_pairs(scene *s) {
    for (uint32_t v = 0; v < s->mesh.vertex_count; v++)
        for (uint32_t f = 0; f < s->mesh.face_count; f++)
            if (v / 3 != f) s->pairs[s->count++] = (graze_pair){GRAZE_VF, v, f};
    for (uint32_t a = 0; a < s->mesh.edge_count; a++)
        for (uint32_t b = a + 1; b < s->mesh.edge_count; b++)
            if (s->mesh.edges[a][0] / 3 != s->mesh.edges[b][0] / 3) s->pairs[s->count++] = (graze_pair){GRAZE_EE, a, b};
}

/* The pair on the way from x0 to x1, with the whole separation and no radii. */
static drawn pair_of(const scene *s, size_t i, const double (*x1)[3], double t_max) {
    drawn d = {.kind = s->pairs[i].kind, .separation = s->whole, .t_max = t_max};
    graze_pair_query(&s->mesh, (const double(*)[3])s->x0, x1, 0, s->pairs[i], &d.query);
    return d;
}

static bool find_truths(judge *j, scene *s) {
    for (size_t i = 0; i < s->count; i++) {
        drawn d = pair_of(s, i, (const double(*)[3])s->x1, s->t_max);
        if (!judge_truth_unless_apart(j, &d, &s->truth[i])) return false;
    }
    return true;
}

/* The first contact; `count` where there is none. Ties: as a step reports them, in the order of the list. */
static size_t first_of(const scene *s) {
    size_t first = s->count;
    for (size_t i = 0; i < s->count; i++)
        if (s->truth[i].verdict == GRAZE_HIT && (first == s->count || s->truth[i].toi < s->truth[first].toi)) first = i;
    return first;
}

/* ---- the answers ---- */

static bool run_step(judge *j, graze_context *context, scene *s, graze_method method, graze_step_mode mode,
                     graze_broad broad, graze_step_result *result) {
    graze_options narrow = graze_default_options();
    narrow.method = method;
    narrow.min_separation = s->separation;
    narrow.t_max = s->t_max;
    graze_step_options options = graze_default_step_options();
    options.narrow = &narrow;
    options.mode = mode;
    options.broad = broad;
    *result = graze_default_step_result();
    graze_status status =
        graze_step(context, &s->mesh, (const double(*)[3])s->x0, (const double(*)[3])s->x1, &options, result);
    drawn d = pair_of(s, 0, (const double(*)[3])s->x1, s->t_max);
    if (status != GRAZE_OK) judge_fails(j, &j->found.refused, &d, "step: %s", graze_status_name(status));
    return status == GRAZE_OK;
}

/* As if the step was an answer about its first contact. */
static void judge_earliest(judge *j, scene *s, graze_method method) {
    graze_step_result step;
    if (!run_step(j, j->context, s, method, GRAZE_STEP_EARLIEST, GRAZE_BROAD_AUTO, &step)) return;
    size_t first = first_of(s);
    drawn d = pair_of(s, first < s->count ? first : 0, (const double(*)[3])s->x1, s->t_max);
    graze_result none = {.verdict = GRAZE_CLEAR, .toi = s->t_max, .toi_upper = INFINITY};
    const graze_result *truth = first < s->count ? &s->truth[first] : &none;
    graze_result answer = {.verdict = step.verdict, .toi = step.toi, .toi_upper = step.toi_upper};
    answer.proven = step.toi_upper <= 1;
    if (method == GRAZE_METHOD_EXACT) {
        judge_exact(j, &d, &answer, truth);
        return;
    }
    judge_answer(j, &d, "step", &answer, truth);
    j->found.hits += step.verdict == GRAZE_HIT;
    j->found.clear += step.verdict == GRAZE_CLEAR;
    j->found.unresolved += step.verdict == GRAZE_UNRESOLVED;
}

static const graze_result *listed(const graze_step_result *step, graze_pair pair) {
    static const graze_result clear = {.verdict = GRAZE_CLEAR, .toi_upper = INFINITY};
    for (size_t i = 0; i < step->pair_count; i++) {
        const graze_pair *other = &step->pairs[i].pair;
        if (other->kind == pair.kind && other->a == pair.a && other->b == pair.b) return &step->pairs[i].result;
    }
    return &clear;
}

static void judge_all(judge *j, scene *s) {
    graze_step_result step;
    if (!run_step(j, j->context, s, GRAZE_METHOD_EXACT, GRAZE_STEP_ALL, GRAZE_BROAD_AUTO, &step)) return;
    for (size_t i = 0; i < s->count; i++) {
        drawn d = pair_of(s, i, (const double(*)[3])s->x1, s->t_max);
        graze_result answer = *listed(&step, s->pairs[i]);
        if (answer.verdict == GRAZE_CLEAR) answer.toi = s->t_max;
        judge_exact(j, &d, &answer, &s->truth[i]);
    }
    graze_step_release(j->context, &step);
}

/* From x0 to what graze_step_to writes nothing touches, by the oracle. */
static void judge_step_to(judge *j, scene *s) {
    double x[3 * MOST_FACES][3];
    graze_options narrow = graze_default_options();
    narrow.min_separation = s->separation;
    narrow.t_max = s->t_max;
    graze_step_options options = graze_default_step_options();
    options.narrow = &narrow;
    graze_step_result step = graze_default_step_result();
    graze_status status =
        graze_step_to(j->context, &s->mesh, (const double(*)[3])s->x0, (const double(*)[3])s->x1, &options, x, &step);
    drawn d = pair_of(s, 0, (const double(*)[3])s->x1, s->t_max);
    if (status != GRAZE_OK) judge_fails(j, &j->found.refused, &d, "step_to: %s", graze_status_name(status));
    if (status != GRAZE_OK || step.alpha == 0) return;
    for (size_t i = 0; i < s->count; i++) {
        graze_result truth;
        d = pair_of(s, i, (const double(*)[3])x, 1);
        if (judge_truth_unless_apart(j, &d, &truth) && truth.verdict == GRAZE_HIT)
            judge_fails(j, &j->found.missed, &d, "step_to, alpha %.17g, touches at %.17g", step.alpha, truth.toi);
    }
}

/* The pair as the step sees it. */
static drawn thick_pair_of(const scene *s, size_t i) {
    drawn d = pair_of(s, i, (const double(*)[3])s->x1, s->t_max);
    d.separation = s->separation;
    d.thick = s->mesh.thickness != NULL;
    for (int k = 0; k < 4; k++) d.radii[k] = s->thickness[0]; /* all are the same */
    return d;
}

/* ---- bits ---- */

static bool same_step(const graze_step_result *a, const graze_step_result *b) {
    bool same = a->verdict == b->verdict && a->reason == b->reason && memcmp(&a->toi, &b->toi, sizeof a->toi) == 0 &&
                memcmp(&a->toi_upper, &b->toi_upper, sizeof a->toi) == 0 && a->has_pair == b->has_pair &&
                (!a->has_pair || same_bits(&a->limiting, &b->limiting)) && a->pair_count == b->pair_count;
    for (size_t i = 0; same && i < a->pair_count; i++) same = same_bits(&a->pairs[i], &b->pairs[i]);
    return same;
}

/* The other contexts, and every broad phase on one of them. */
static void judge_bits(judge *j, scene *s, graze_step_mode mode) {
    static const graze_broad broads[] = {GRAZE_BROAD_BRUTE, GRAZE_BROAD_BVH, GRAZE_BROAD_SAP, GRAZE_BROAD_GRID,
                                         GRAZE_BROAD_HASH};
    graze_step_result first;
    if (!run_step(j, j->context, s, GRAZE_METHOD_CERTIFIED, mode, GRAZE_BROAD_AUTO, &first)) return;
    drawn d = pair_of(s, 0, (const double(*)[3])s->x1, s->t_max);
    for (size_t k = 0; k < j->other_count + sizeof broads / sizeof *broads; k++) {
        bool other = k < j->other_count;
        graze_broad broad = other ? GRAZE_BROAD_AUTO : broads[k - j->other_count];
        graze_context *context = other ? j->others[k] : j->context;
        graze_step_result step;
        if (!context || !graze_broad_available(broad)) continue;
        if (!run_step(j, context, s, GRAZE_METHOD_CERTIFIED, mode, broad, &step)) continue;
        if (!same_step(&first, &step))
            judge_fails(j, &j->found.disagreements, &d, "step: other bits, context %zu, %s", k,
                        graze_broad_name(broad));
        graze_step_release(context, &step);
    }
    graze_step_release(j->context, &first);
}

/* Of some pairs: what a certificate of the step would hold. */
static void judge_certificates(judge *j, scene *s) {
    for (size_t i = (size_t)(j->index % 8); i < s->count; i += 8) {
        drawn d = thick_pair_of(s, i);
        graze_result certified;
        if (judge_ask(&d, GRAZE_METHOD_CERTIFIED, &certified) == GRAZE_OK) judge_certificate(j, &d, &certified);
    }
}

void judge_step(judge *j, test_random *random) {
    scene s;
    if (make_scene(j, random, &s)) {
        list_pairs(&s);
        if (find_truths(j, &s)) {
            judge_earliest(j, &s, GRAZE_METHOD_CERTIFIED);
            judge_earliest(j, &s, GRAZE_METHOD_EXACT);
            judge_all(j, &s);
            judge_step_to(j, &s);
            judge_certificates(j, &s);
            if (j->other_count) {
                judge_bits(j, &s, GRAZE_STEP_EARLIEST);
                judge_bits(j, &s, GRAZE_STEP_ALL);
            }
        }
    }
    s.mesh.thickness = NULL;
    graze_mesh_release(j->context, &s.mesh);
}
