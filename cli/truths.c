#include "cli/truths.h"

#include "app/each.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct run {
    const cli_truth_job *job;
    graze_kind kind;
    const graze_query *queries;
    cli_truth *answers;
} run;

/* The polynomial as a JSON array of decimal strings, constant term first. */
static char *polynomial_text(const graze_truth *truth) {
    int degree = graze_truth_degree(truth);
    size_t size = 3;
    for (int k = 0; k <= degree; k++) size += graze_truth_coefficient(truth, k, NULL, 0) + 3;
    char *text = malloc(size);
    if (!text) return NULL;
    size_t used = 0;
    text[used++] = '[';
    for (int k = 0; k <= degree; k++) {
        if (k) text[used++] = ',';
        text[used++] = '"';
        used += graze_truth_coefficient(truth, k, text + used, size - used);
        text[used++] = '"';
    }
    text[used++] = ']';
    text[used] = '\0';
    return text;
}

static graze_status answer_one(void *user, size_t worker, size_t i) {
    (void)worker;
    const run *r = user;
    cli_truth *answer = &r->answers[i];
    *answer = (cli_truth){.lower = NAN, .upper = NAN};
    graze_truth *truth;
    double start = app_seconds();
    graze_status status = graze_truth_find(NULL, r->kind, &r->queries[i], &r->job->options, &truth);
    if (status != GRAZE_OK) return status;
    answer->hit = graze_truth_hit(truth);
    if (answer->hit) graze_truth_bracket(truth, &answer->lower, &answer->upper);
    answer->seconds = app_seconds() - start;
    if (answer->hit && r->job->polynomials) {
        answer->polynomial = polynomial_text(truth);
        if (!answer->polynomial) status = GRAZE_ERR_OUT_OF_MEMORY;
    }
    graze_truth_destroy(NULL, truth);
    return status;
}

void cli_find_truths(const cli_truth_job *job, const char *what, graze_kind kind, const graze_query *queries,
                     size_t count, cli_truth *answers, app_progress *progress) {
    enum { CHUNK = 1 << 14 }; /* between two looks at the progress bar */
    uint64_t done = progress ? progress->done : 0, threads = app_threads(job->threads);
    for (size_t begin = 0; begin < count; begin += CHUNK) {
        run r = {.job = job, .kind = kind, .queries = queries + begin, .answers = answers + begin};
        app_loop loop = {.count = count - begin < CHUNK ? count - begin : CHUNK,
                         .threads = (size_t)threads,
                         .chunk = 1,
                         .item = answer_one,
                         .user = &r};
        graze_status status;
        size_t failed = app_each(&loop, &status);
        if (failed != SIZE_MAX) app_fail("%s: query %zu: %s", what, begin + failed, graze_status_name(status));
        if (progress) app_progress_update(progress, done + begin + loop.count);
    }
}

void cli_free_truths(cli_truth *answers, size_t count) {
    for (size_t i = 0; i < count; i++) free(answers[i].polynomial);
    free(answers);
}
