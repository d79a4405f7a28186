/* Sums of potentials over a list, a block at a time, on all threads: each evaluates some of the terms, and then adds to
   the rows of some of the vertices, in the order of the list. */
#include "potential/barrier.h"

#include "base/context.h"
#include "base/least.h"
#include "base/overlap.h"
#include "base/sizes.h"
#include "kernels/kernels.h"
#include "mesh/mesh.h"
#include "numerics/kind.h"
#include "potential/csr.h"

#include <math.h>
#include <string.h>

#define BLOCK_BYTES ((size_t)1 << 20) /* of terms that are held at a time: they fit the second-level cache */

/* A list of contacts or of frictions. */
typedef struct sums_job {
    graze_context *context;
    const graze_contact *contacts; /* NULL: */
    const graze_friction *frictions;
    size_t count;
    const char *x0, *x;
    uint32_t vertex_count;
    graze_potential_options options;
    graze_order order;
    size_t first; /* of the block */
    char *terms;
    size_t term_bytes; /* the Hessian, the last and largest part, is there where it is asked for */
} sums_job;

static graze_term *term_at(const sums_job *job, size_t i) {
    return (graze_term *)(void *)(job->terms + i * job->term_bytes);
}

static const uint32_t *vertices_of(const sums_job *job, size_t i) {
    return job->contacts ? job->contacts[i].vertices : job->frictions[i].vertices;
}
static graze_kind kind_of(const sums_job *job, size_t i) {
    return job->contacts ? job->contacts[i].kind : job->frictions[i].kind;
}

static void gather(const sums_job *job, const char *from, size_t i, double (*x)[3]) {
    const uint32_t *vertices = vertices_of(job, i);
    for (int k = 0; k < gz_kind_rows(kind_of(job, i)); k++)
        memcpy(x[k], from + job->options.stride * vertices[k], sizeof x[k]);
}

/* ---- terms ---- */

static void evaluate_friction(const sums_job *job, size_t i, graze_term *term) {
    double x[4][3], x0[4][3];
    gather(job, job->x, i, x);
    gather(job, job->x0, i, x0);
    gz_friction_term(&job->frictions[i], (const double(*)[3])x0, (const double(*)[3])x, &job->options, job->order,
                     term);
}

static void evaluate_contact(const sums_job *job, size_t i, const gz_gap_block *gaps, size_t k, graze_term *term) {
    const graze_contact *contact = &job->contacts[i];
    double x[4][3];
    gz_gap gap;
    bool told = gaps && gaps->told[k];
    if (!told || contact->kind == GRAZE_EE) gather(job, job->x, i, x); /* else nobody reads it */
    if (told) {
        bool near = gz_gap_take(contact->kind, gaps, k, job->options.distance + contact->offset, &gap);
        gz_contact_term_of(contact, (const double(*)[3])x, near ? &gap : NULL, &job->options, job->order, term);
    } else {
        gz_contact_term(contact, (const double(*)[3])x, &job->options, job->order, term);
    }
}

/* Contacts of one kind at the head of `count`; how many they are. */
static size_t evaluate_block(const sums_job *job, size_t first, size_t count) {
    const graze_contact *contacts = job->contacts + job->first + first;
    uint32_t ids[GZ_GAP_BLOCK][4];
    gz_gap_block gaps;
    size_t n = 0;
    for (; n < count && n < GZ_GAP_BLOCK && contacts[n].kind == contacts->kind; n++) {
        memcpy(ids[n], contacts[n].vertices, sizeof ids[n]);
        if (contacts->kind == GRAZE_PE) ids[n][3] = ids[n][0];
    }
    bool lanes = contacts->kind != GRAZE_PP;
    gz_gap_job block = {contacts->kind, job->x, job->options.stride, (const uint32_t(*)[4])ids, n};
    if (lanes) job->context->kernels->contact_gaps(&block, &gaps);
    for (size_t k = 0; k < n; k++)
        evaluate_contact(job, job->first + first + k, lanes ? &gaps : NULL, k, term_at(job, first + k));
    return n;
}

static void evaluate_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const sums_job *job = state;
    while (job->contacts && begin < end) begin += evaluate_block(job, begin, end - begin);
    for (; begin < end; begin++) evaluate_friction(job, job->first + begin, term_at(job, begin));
}

/* ---- adding ---- */

/* One block, and who adds to which rows: the sum of an entry is the work of one part, whatever their number. */
typedef struct adding {
    const sums_job *job;
    size_t count;
    graze_potential_sums *sums;
    uint32_t parts;
    gz_least missing; /* the first term that the matrix has no room for */
} adding;

/* Neighbors in memory go together, that two threads rarely write to one cache line; eights are spread by their product
   with the golden section. */
static bool is_of_part(uint32_t vertex, uint32_t part, uint32_t parts) {
    return ((uint64_t)(vertex / 8 * 2654435769u) * parts) >> 32 == part;
}

static void add_gradient(const graze_term *term, int corner, double gradient[3]) {
    for (int c = 0; c < 3; c++) gradient[c] += term->gradient[3 * corner + c];
}

static void add_product(const graze_term *term, int corner, const uint32_t *vertices, const double (*vector)[3],
                        double product[3]) {
    for (int c = 0; c < 3; c++) {
        double sum = 0;
        for (int j = 0; j < term->rows; j++) sum += term->hessian[3 * corner + c][j] * vector[vertices[j / 3]][j % 3];
        product[c] += sum;
    }
}

static bool add_hessian(const graze_term *term, int corner, const uint32_t *vertices, graze_csr *csr) {
    for (int j = 0; j < term->rows / 3; j++) {
        size_t block;
        if (!gz_csr_find(csr, vertices[corner], vertices[j], &block)) return false;
        gz_csr_add(csr, vertices[corner], block, &term->hessian[3 * corner][3 * j], GZ_TERM);
    }
    return true;
}

/* The rows of one corner; false where the matrix lacks them. */
static bool add_corner(const adding *all, const graze_term *term, int corner, const uint32_t *vertices) {
    graze_potential_sums *sums = all->sums;
    uint32_t vertex = vertices[corner];
    if (sums->gradient) add_gradient(term, corner, sums->gradient[vertex]);
    if (sums->product) add_product(term, corner, vertices, sums->vector, sums->product[vertex]);
    return !sums->hessian || add_hessian(term, corner, vertices, sums->hessian);
}

static void add_part(adding *all, uint32_t part) {
    for (size_t i = 0; i < all->count; i++) {
        const graze_term *term = term_at(all->job, i);
        const uint32_t *vertices = vertices_of(all->job, all->job->first + i);
        for (int corner = 0; corner < term->rows / 3; corner++)
            if (is_of_part(vertices[corner], part, all->parts) && !add_corner(all, term, corner, vertices))
                gz_least_lower_to(&all->missing, all->job->first + i);
    }
}

/* Gradients alone: an item takes as long as saying whose part its corners are, so one thread adds all. */
static void add_gradients(const sums_job *job, size_t count, double (*gradient)[3]) {
    for (size_t i = 0; i < count; i++) {
        const graze_term *term = term_at(job, i);
        const uint32_t *vertices = vertices_of(job, job->first + i);
        for (int corner = 0; corner < term->rows / 3; corner++) add_gradient(term, corner, gradient[vertices[corner]]);
    }
}

static void add_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    for (size_t part = begin; part < end; part++) add_part(state, (uint32_t)part);
}

static graze_status add_block(const sums_job *job, size_t count, graze_potential_sums *sums) {
    adding all = {.job = job, .count = count, .sums = sums, .parts = job->context->threads};
    atomic_init(&all.missing, UINT64_MAX);
    for (size_t i = 0; i < count; i++) sums->value += term_at(job, i)->value;
    if (job->order == GRAZE_ORDER_VALUE) return GRAZE_OK;
    if (job->order == GRAZE_ORDER_GRADIENT) {
        add_gradients(job, count, sums->gradient);
        return GRAZE_OK;
    }
    gz_parallel(job->context, all.parts, 1, add_range, &all);
    uint64_t missing = atomic_load(&all.missing);
    if (missing == UINT64_MAX) return GRAZE_OK;
    return gz_fail(job->context, GRAZE_ERR_INVALID_ARGUMENT, missing, "contact %zu: the pattern of the matrix lacks it",
                   (size_t)missing);
}

static graze_status sum_blocks(sums_job *job, graze_potential_sums *sums) {
    graze_status status = GRAZE_OK;
    if (job->count == 0) return GRAZE_OK;
    job->term_bytes = job->order >= GRAZE_ORDER_HESSIAN ? sizeof(graze_term) : offsetof(graze_term, hessian);
    size_t most = BLOCK_BYTES / job->term_bytes, room = job->count < most ? job->count : most;
    job->terms = gz_allocate_array(job->context, room, job->term_bytes);
    if (!job->terms) return GRAZE_ERR_OUT_OF_MEMORY;
    for (job->first = 0; job->first < job->count && status == GRAZE_OK; job->first += room) {
        size_t count = job->count - job->first < room ? job->count - job->first : room;
        gz_parallel(job->context, count, GZ_GAP_BLOCK, evaluate_range, job);
        status = add_block(job, count, sums);
    }
    gz_release(job->context, job->terms, room * job->term_bytes);
    return status;
}

/* ---- checking ---- */

static graze_status check_items(const sums_job *job) {
    for (size_t i = 0; i < job->count; i++) {
        bool right = (unsigned)kind_of(job, i) <= GRAZE_PP;
        if (right && job->contacts)
            right = job->contacts[i].offset >= 0 && job->contacts[i].offset <= GRAZE_MAX_COORDINATE &&
                    job->contacts[i].parallel >= 0;
        if (!right)
            return gz_fail(job->context, GRAZE_ERR_INVALID_ARGUMENT, i, "contact %zu: a kind, offset or scale is wrong",
                           i);
        for (int k = 0; k < gz_kind_rows(kind_of(job, i)); k++)
            if (vertices_of(job, i)[k] >= job->vertex_count)
                return gz_fail(job->context, GRAZE_ERR_BAD_INDEX, i, "contact %zu: vertex %u of %u", i,
                               vertices_of(job, i)[k], job->vertex_count);
    }
    return GRAZE_OK;
}

static graze_status check_positions(const sums_job *job, const char *name, const char *x) {
    if (!x && job->vertex_count)
        return gz_fail(job->context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "%s is NULL", name);
    return gz_positions_check(job->context, name, x, job->options.stride, job->vertex_count, 0);
}

static graze_status check_apart(const sums_job *job, const char *name, const void *written,
                                const graze_potential_sums *sums) {
    size_t bytes = job->vertex_count * sizeof(double[3]);
    const void *read[] = {job->x, job->x0, sums->vector};
    const char *names[] = {"x", "x0", "vector"};
    graze_status status = GRAZE_OK;
    for (int i = 0; i < 3 && status == GRAZE_OK; i++) {
        size_t stride = i < 2 ? job->options.stride : sizeof(double[3]);
        status = gz_apart_check(job->context, name, gz_bytes_at(written, bytes), names[i],
                                (gz_pieces){read[i], job->vertex_count, sizeof(double[3]), stride});
    }
    return status;
}

static graze_status check_sums(const sums_job *job, const graze_potential_sums *sums) {
    graze_context *context = job->context;
    if (!sums->vector != !sums->product)
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "vector and product go together");
    if (sums->hessian && sums->hessian->rows != 3 * (size_t)job->vertex_count)
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "a matrix of %zu rows for %u vertices",
                       sums->hessian->rows, job->vertex_count);
    graze_status status = check_apart(job, "gradient", sums->gradient, sums);
    return status == GRAZE_OK ? check_apart(job, "product", sums->product, sums) : status;
}

static graze_status check(const sums_job *job, const graze_potential_sums *sums) {
    size_t stride = job->options.stride;
    if (stride % sizeof(double) || stride < sizeof(double[3]))
        return gz_fail(job->context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX,
                       "stride %zu: it must be a multiple of 8 and at least 24", stride);
    graze_status status = check_positions(job, "x", job->x);
    if (status == GRAZE_OK && job->frictions) status = check_positions(job, "x0", job->x0);
    if (status == GRAZE_OK) status = check_items(job);
    return status == GRAZE_OK ? check_sums(job, sums) : status;
}

/* ---- the public face ---- */

static const graze_potential_sums closed = {.struct_size = sizeof closed};

void graze_init_potential_sums(graze_potential_sums *sums, size_t size) {
    gz_sized_init(sums, size, &closed, sizeof closed);
}

static void begin(const sums_job *job, graze_potential_sums *sums) {
    if (sums->add) return;
    sums->value = 0;
    if (sums->gradient) memset(sums->gradient, 0, job->vertex_count * sizeof *sums->gradient);
    if (sums->product) memset(sums->product, 0, job->vertex_count * sizeof *sums->product);
    if (sums->hessian && sums->hessian->count)
        memset(sums->hessian->values, 0, sums->hessian->count * sizeof *sums->hessian->values);
}

static graze_status run(sums_job *job, const graze_potential_options *options, graze_potential_sums *sums) {
    graze_status status = gz_potential_options_read(job->context, options, &job->options);
    if (job->options.stride == 0) job->options.stride = sizeof(double[3]);
    if (status == GRAZE_OK) status = check(job, sums);
    if (status != GRAZE_OK) return status;
    bool hessian = sums->product || sums->hessian;
    job->order = hessian          ? sums->projected ? GRAZE_ORDER_PROJECTED : GRAZE_ORDER_HESSIAN
                 : sums->gradient ? GRAZE_ORDER_GRADIENT
                                  : GRAZE_ORDER_VALUE;
    begin(job, sums);
    return sum_blocks(job, sums);
}

static graze_status sum(sums_job *job, const graze_potential_options *options, graze_potential_sums *given) {
    gz_fp_environment env;
    graze_potential_sums sums = closed;
    if (!given ||
        gz_sized_check(NULL, "potential sums", given, GZ_SIZE_UP_TO(graze_potential_sums, hessian)) != GRAZE_OK)
        return GRAZE_ERR_INVALID_ARGUMENT;
    graze_status status = gz_sized_read(NULL, "potential sums", &sums, sizeof sums, sizeof sums, given);
    given->value = 0;
    if (status != GRAZE_OK || !job->context) return GRAZE_ERR_INVALID_ARGUMENT;
    status = gz_context_enter(job->context, &env);
    if (status != GRAZE_OK) return status;
    status = run(job, options, &sums);
    if (status == GRAZE_OK) given->value = sums.value;
    return gz_context_leave(job->context, &env, status);
}

graze_status graze_contact_sums(graze_context *context, const graze_contact *contacts, size_t count,
                                const double (*x)[3], uint32_t vertex_count, const graze_potential_options *options,
                                graze_potential_sums *sums) {
    static const graze_contact none;
    if (count && !contacts) return GRAZE_ERR_INVALID_ARGUMENT;
    sums_job job = {.context = context,
                    .contacts = contacts ? contacts : &none,
                    .count = count,
                    .x = (const char *)x,
                    .vertex_count = vertex_count};
    return sum(&job, options, sums);
}

graze_status graze_friction_sums(graze_context *context, const graze_friction *frictions, size_t count,
                                 const double (*x0)[3], const double (*x)[3], uint32_t vertex_count,
                                 const graze_potential_options *options, graze_potential_sums *sums) {
    static const graze_friction none;
    if (count && !frictions) return GRAZE_ERR_INVALID_ARGUMENT;
    sums_job job = {.context = context,
                    .frictions = frictions ? frictions : &none,
                    .count = count,
                    .x0 = (const char *)x0,
                    .x = (const char *)x,
                    .vertex_count = vertex_count};
    return sum(&job, options, sums);
}
