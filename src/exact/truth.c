/* Exact truth: the public face of the decision procedures. */
#include "graze/exact.h"

#include "base/context.h"
#include "base/sizes.h"
#include "exact/count.h"
#include "exact/solve.h"

#include <math.h>
#include <string.h>

struct graze_truth {
    size_t bytes; /* of this block, text and all */
    int hit, degree, contact_count, on_boundary;
    double lower, upper, u[2], v[2];
    size_t start[GZ_DEGREE + 2]; /* where coefficient k's digits begin in `text`; each ends with a NUL */
    char text[];
};

static const graze_truth_options option_defaults = {.t_max = 1};

void graze_init_truth_options(graze_truth_options *options, size_t size) {
    gz_sized_init(options, size, &option_defaults, sizeof option_defaults);
}

typedef struct finding {
    graze_context *context;
    const gz_exact_question *question;
    graze_truth *truth;
} finding;

/* Fills a block of its own with what is asked for later; the block comes last, after all that may use up the arena. */
static void use(void *state, gz_pair *pair, gz_root_search *search) {
    finding *find = state;
    gz_arena *arena = pair->arena;
    graze_truth found = {.degree = -1, .lower = NAN, .upper = NAN, .u = {NAN, NAN}, .v = {NAN, NAN}};
    gz_poly p = {.degree = -1};
    size_t text = 0;
    if (search->hit) {
        gz_root *first = &search->first;
        gz_root_bracket(arena, first);
        found.hit = 1;
        found.lower = first->below;
        found.upper = first->above;
        gz_solution_parameters(search, found.u, found.v);
        gz_root_polynomial(arena, first, &p);
        found.degree = p.degree;
        for (int k = 0; k <= p.degree; k++) text += gz_int_decimal_size(p.c[k]);
        found.contact_count = -1;
        found.on_boundary = 1;
        if (find->question->separation == 0) {
            gz_contact_count count = gz_count_contacts(pair, find->question->t_max);
            found.contact_count = count.times;
            found.on_boundary = count.boundary;
        }
    }
    char *digits = (char *)gz_arena_take(arena, text / sizeof(uint64_t) + 1);
    size_t length = 0;
    for (int k = 0; k <= p.degree; k++) {
        found.start[k] = length;
        length += gz_int_decimal(arena, p.c[k], digits + length) + 1;
    }
    found.start[p.degree + 1] = length;
    found.bytes = sizeof found + length;
    find->truth = gz_allocate(find->context, found.bytes);
    if (!find->truth) return;
    *find->truth = found;
    memcpy(find->truth->text, digits, length);
}

static graze_status find(graze_context *context, const gz_exact_question *question, graze_truth **truth) {
    finding found = {.context = context, .question = question};
    if (!gz_solve((gz_arena_home){.context = context, .heap = true}, question, use, &found) || !found.truth)
        return gz_fail(context, GRAZE_ERR_OUT_OF_MEMORY, UINT64_MAX, "no memory for the exact decision");
    if (context) gz_add_counts(context, &(gz_counts){.queries = 1, .oracle_calls = 1});
    *truth = found.truth;
    return GRAZE_OK;
}

static graze_status check(graze_context *context, graze_kind kind, const graze_query *query,
                          const graze_truth_options *given, gz_exact_question *question) {
    graze_truth_options options = option_defaults;
    const size_t least = GZ_SIZE_UP_TO(graze_truth_options, t_max);
    graze_status status = GRAZE_OK;
    if (given) status = gz_sized_read(context, "options", &options, sizeof options, least, given);
    if (status == GRAZE_OK) status = gz_range_check(context, options.min_separation, DBL_MAX, options.t_max);
    if (status != GRAZE_OK) return status;
    if ((unsigned)kind > GRAZE_PP)
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "kind %d names none", (int)kind);
    if ((unsigned)options.norm > GRAZE_NORM_MAX)
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "norm %d names none", (int)options.norm);
    int rows = kind == GRAZE_PP ? 2 : kind == GRAZE_PE ? 3 : 4;
    for (int i = 0; i < rows; i++)
        for (int c = 0; c < 3; c++)
            if (!isfinite(query->x0[i][c]) || !isfinite(query->x1[i][c]))
                return gz_fail(context, GRAZE_ERR_NOT_FINITE, UINT64_MAX, "a coordinate is not finite");
    *question = (gz_exact_question){.kind = kind,
                                    .query = query,
                                    .separation = options.min_separation,
                                    .norm = options.norm,
                                    .t_max = options.t_max};
    return GRAZE_OK;
}

graze_status graze_truth_find(graze_context *context, graze_kind kind, const graze_query *query,
                              const graze_truth_options *options, graze_truth **truth) {
    if (!truth) return GRAZE_ERR_INVALID_ARGUMENT;
    *truth = NULL;
    if (!query) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    gz_exact_question question;
    status = check(context, kind, query, options, &question);
    if (status == GRAZE_OK) status = find(context, &question, truth);
    return gz_context_leave(context, &env, status);
}

void graze_truth_destroy(graze_context *context, graze_truth *truth) {
    if (truth) gz_release(context, truth, truth->bytes);
}

int graze_truth_hit(const graze_truth *truth) { return truth && truth->hit; }

static void set(double *to, double value) {
    if (to) *to = value;
}

void graze_truth_bracket(const graze_truth *truth, double *lower, double *upper) {
    set(lower, truth ? truth->lower : NAN);
    set(upper, truth ? truth->upper : NAN);
}

int graze_truth_compare(const graze_truth *truth, double t) {
    /* no double lies strictly between lower and upper */
    if (!graze_truth_hit(truth)) return -1;
    if (truth->lower == truth->upper) return (t > truth->lower) - (t < truth->lower);
    return t <= truth->lower ? -1 : 1;
}

int graze_truth_degree(const graze_truth *truth) { return truth ? truth->degree : -1; }

size_t graze_truth_coefficient(const graze_truth *truth, int k, char *buffer, size_t size) {
    size_t length = 0;
    if (k >= 0 && k <= graze_truth_degree(truth)) length = truth->start[k + 1] - truth->start[k] - 1;
    if (size && buffer) {
        size_t copied = length < size ? length : size - 1;
        if (copied) memcpy(buffer, truth->text + truth->start[k], copied);
        buffer[copied] = '\0';
    }
    return length;
}

int graze_truth_contact_count(const graze_truth *truth) { return truth ? truth->contact_count : 0; }

int graze_truth_on_boundary(const graze_truth *truth) { return truth && truth->on_boundary; }

void graze_truth_parameters(const graze_truth *truth, double u[2], double v[2]) {
    for (int i = 0; i < 2; i++) {
        if (u) u[i] = truth ? truth->u[i] : NAN;
        if (v) v[i] = truth ? truth->v[i] : NAN;
    }
}
