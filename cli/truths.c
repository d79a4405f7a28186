#include "cli/truths.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct run {
    const cli_truth_job *job;
    graze_kind kind;
    const graze_query *queries;
    size_t count;
    cli_truth *answers;
    graze_status *statuses; /* of each query: which one failed first must not depend on the threads */
    atomic_size_t next;
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

static graze_status answer_one(const run *r, size_t i) {
    cli_truth *answer = &r->answers[i];
    *answer = (cli_truth){.lower = NAN, .upper = NAN};
    graze_truth *truth;
    double start = cli_seconds();
    graze_status status = graze_truth_find(NULL, r->kind, &r->queries[i], &r->job->options, &truth);
    if (status != GRAZE_OK) return status;
    answer->hit = graze_truth_hit(truth);
    if (answer->hit) graze_truth_bracket(truth, &answer->lower, &answer->upper);
    answer->seconds = cli_seconds() - start;
    if (answer->hit && r->job->polynomials) {
        answer->polynomial = polynomial_text(truth);
        if (!answer->polynomial) status = GRAZE_ERR_OUT_OF_MEMORY;
    }
    graze_truth_destroy(NULL, truth);
    return status;
}

static void *work(void *state) {
    run *r = state;
    for (;;) {
        size_t i = atomic_fetch_add(&r->next, 1);
        if (i >= r->count) return NULL;
        r->statuses[i] = answer_one(r, i);
    }
}

void cli_find_truths(const cli_truth_job *job, const char *what, graze_kind kind, const graze_query *queries,
                     size_t count, cli_truth *answers, cli_progress *progress) {
    uint64_t threads = job->threads;
    if (threads == 0) {
        graze_context *context = cli_context(0);
        threads = graze_context_threads(context);
        graze_context_destroy(context);
    }
    if (threads > count) threads = count ? count : 1;
    enum { CHUNK = 1 << 14 }; /* between two looks at the progress bar */
    uint64_t done = progress ? progress->done : 0;
    pthread_t *others = cli_allocate((size_t)threads, sizeof *others);
    graze_status *statuses = cli_allocate(count, sizeof *statuses);
    for (size_t begin = 0; begin < count; begin += CHUNK) {
        run r = {
            .job = job, .kind = kind, .queries = queries + begin, .answers = answers + begin, .statuses = statuses};
        r.count = count - begin < CHUNK ? count - begin : CHUNK;
        size_t started = 0;
        while (started + 1 < threads && pthread_create(&others[started], NULL, work, &r) == 0) started++;
        work(&r);
        for (size_t i = 0; i < started; i++) pthread_join(others[i], NULL);
        for (size_t i = 0; i < r.count; i++)
            if (statuses[i] != GRAZE_OK) cli_fail("%s: query %zu: %s", what, begin + i, graze_status_name(statuses[i]));
        if (progress) cli_progress_update(progress, done + begin + r.count);
    }
    free(statuses);
    free(others);
}

void cli_free_truths(cli_truth *answers, size_t count) {
    for (size_t i = 0; i < count; i++) free(answers[i].polynomial);
    free(answers);
}
