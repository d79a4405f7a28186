/* graze bench: runs the benchmark suites. */
#include "cli/cli.h"

#include "bench/bench.h"

#include <stdlib.h>
#include <string.h>

typedef struct suite {
    const char *name;
    int (*run)(const bench_options *options);
} suite;

static const suite suites[] = {
    {"safe", bench_safe},
};
#define SUITE_COUNT (sizeof suites / sizeof *suites)

/* A bar for each part. */
static void show_progress(void *user, const char *part, uint64_t done, uint64_t total) {
    cli_progress *progress = user;
    if (progress->label != part || progress->done > done) cli_progress_begin(progress, part, total);
    cli_progress_update(progress, done);
    if (done == total) cli_progress_end(progress);
}

int cmd_bench(int argc, char **argv) {
    cli_progress progress = {0};
    bench_options bench = {.progress = show_progress, .progress_user = &progress};
    const cli_option options[] = {
        {"--data", CLI_TEXT, &bench.data, "DIR", "folder of the public datasets: its scenes are measured too"},
        {"--out", CLI_TEXT, &bench.out, "DIR", "existing folder for CSV and JSON files"},
        {"--quick", CLI_FLAG, &bench.quick, NULL, "a hundredth of the work"},
        {"--cases", CLI_COUNT, &bench.cases, "N", "synthetic cases (safe: 10000000)"},
        {"--json", CLI_FLAG, &bench.json, NULL, "one JSON object on stdout"},
        {"--threads", CLI_COUNT, &bench.threads, "N", "threads for the exact truth (0: all cores)"},
        {0},
    };
    const cli_usage usage = {"bench", "[safe|all] [options]",
                             "Runs a benchmark suite (default: all). Speed is measured together with correctness, in\n"
                             "one run: missed contacts and false alarms are counted against exact truth.",
                             options, NULL};
    const char **operands = cli_allocate((size_t)argc, sizeof *operands);
    int count = cli_parse(&usage, argc, argv, operands);
    const char *name = count ? operands[0] : "all";
    free(operands);
    if (count > 1) cli_fail("bench: one suite at a time");
    int status = CLI_OK;
    bool found = false;
    for (size_t i = 0; i < SUITE_COUNT; i++)
        if (strcmp(name, "all") == 0 || strcmp(name, suites[i].name) == 0) {
            found = true;
            int outcome = suites[i].run(&bench);
            if (outcome != 0) status = outcome;
        }
    if (!found) cli_fail("bench: there is no suite '%s'; there are: safe, all", name);
    return status;
}
