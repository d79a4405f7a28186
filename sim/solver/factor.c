#include "sim/solver/factor.h"

#include "app/app.h"

#include <cholmod.h>
#include <stdlib.h>
#include <string.h>

struct sim_factor {
    cholmod_common common;
    cholmod_sparse *pattern; /* what `symbolic` was made for */
    cholmod_factor *symbolic;
};

/* Present if the BLAS is OpenBLAS, and if CHOLMOD was built with OpenMP. */
extern void openblas_set_num_threads(int count) __attribute__((weak));
extern void omp_set_max_active_levels(int levels) __attribute__((weak));

/* Blocks are small: more threads wait for each other, and the bits would depend on their number. */
static void use_one_thread(void) {
    if (openblas_set_num_threads) openblas_set_num_threads(1);
    if (omp_set_max_active_levels) omp_set_max_active_levels(0);
}

sim_factor *sim_factor_new(void) {
    sim_factor *factor = app_allocate(1, sizeof *factor);
    use_one_thread();
    cholmod_start(&factor->common);
    factor->common.supernodal = CHOLMOD_AUTO;
    factor->common.final_ll = 1;
    factor->common.print = 0;
    factor->common.quick_return_if_not_posdef = 1;
    return factor;
}

static void forget_pattern(sim_factor *factor) {
    cholmod_free_sparse(&factor->pattern, &factor->common);
    cholmod_free_factor(&factor->symbolic, &factor->common);
}

void sim_factor_free(sim_factor *factor) {
    if (!factor) return;
    forget_pattern(factor);
    cholmod_finish(&factor->common);
    free(factor);
}

static cholmod_sparse *assemble(sim_factor *factor, size_t n, const sim_triplets *a) {
    cholmod_triplet triplet = {.nrow = n,
                               .ncol = n,
                               .nzmax = a->count,
                               .nnz = a->count,
                               .i = a->row,
                               .j = a->column,
                               .x = a->value,
                               .stype = -1,
                               .itype = CHOLMOD_INT,
                               .xtype = CHOLMOD_REAL,
                               .dtype = CHOLMOD_DOUBLE};
    return cholmod_triplet_to_sparse(&triplet, a->count, &factor->common);
}

static bool same_pattern(const cholmod_sparse *a, const cholmod_sparse *b) {
    if (!b || a->ncol != b->ncol || memcmp(a->p, b->p, (a->ncol + 1) * sizeof(int)) != 0) return false;
    return memcmp(a->i, b->i, (size_t)((const int *)a->p)[a->ncol] * sizeof(int)) == 0;
}

/* The order of elimination depends on the pattern alone, and is kept while that stays. */
static void analyse(sim_factor *factor, cholmod_sparse *a) {
    if (same_pattern(a, factor->pattern)) return;
    forget_pattern(factor);
    factor->pattern = cholmod_copy_sparse(a, &factor->common);
    factor->symbolic = cholmod_analyze(a, &factor->common);
    if (!factor->pattern || !factor->symbolic) app_fail("sim: out of memory in the linear solver");
}

bool sim_factor_solve(sim_factor *factor, size_t n, const sim_triplets *a, const double *b, double *x) {
    cholmod_common *common = &factor->common;
    cholmod_sparse *matrix = assemble(factor, n, a);
    if (!matrix) app_fail("sim: out of memory in the linear solver");
    analyse(factor, matrix);
    bool good = cholmod_factorize(matrix, factor->symbolic, common) && common->status == CHOLMOD_OK;
    cholmod_free_sparse(&matrix, common);
    if (!good && common->status != CHOLMOD_NOT_POSDEF) app_fail("sim: the linear solver failed");
    if (!good) return false;
    cholmod_dense right = {.nrow = n, .ncol = 1, .nzmax = n, .d = n, .xtype = CHOLMOD_REAL, .dtype = CHOLMOD_DOUBLE};
    memcpy(&right.x, &b, sizeof right.x); /* it is not written to */
    cholmod_dense *solution = cholmod_solve(CHOLMOD_A, factor->symbolic, &right, common);
    if (!solution) app_fail("sim: out of memory in the linear solver");
    memcpy(x, solution->x, n * sizeof *x);
    cholmod_free_dense(&solution, common);
    return true;
}
