/* graze, the program: finds the subcommand and runs it. */
#include "app/complete.h"
#include "app/outputs.h"
#include "cli/commands.h"

#include <stdio.h>
#include <string.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

static const cli_command commands[] = {
    {"query", "runs a method on queries and scores it", cmd_query},
    {"bench", "tables of speed and correctness", cmd_bench},
    {"truth", "exact verdicts and times of impact of queries", cmd_truth},
    {"step", "the first contact between two frames of a mesh", cmd_step},
    {"sequence", "every step of a folder of frames", cmd_sequence},
    {"check", "what intersects in one state", cmd_check},
    {"articulate", "the first contact of links on joints: robots, rigid bodies", cmd_articulate},
    {"dataset", "scores both phases on a scene with ground truth", cmd_dataset},
    {"merge", "joins the parts of a run on a farm", cmd_merge},
    {"sim", "simulates elastic bodies and cloth without interpenetration", cmd_sim},
    {"scene", "writes a generated scene as PLY frames", cmd_scene},
    {"handcraft", "writes degenerate and near-degenerate queries with exact truth", cmd_handcraft},
    {"verify", "checks certificates in exact arithmetic", cmd_verify},
    {"view", "writes a page that shows a step, a sequence, queries or a certificate", cmd_view},
    {"info", "version, instruction sets, methods, limits", cmd_info},
    {"demo", NULL, cmd_demo}, /* only for ./dev demo */
};
#define COMMAND_COUNT (sizeof commands / sizeof *commands)

static void print_help(void) {
    printf(
        "usage: graze COMMAND …\n\n"
        "Continuous collision detection: whether, when and where moving triangle meshes first touch.\n\ncommands:\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (commands[i].summary) printf("  %-10s  %s\n", commands[i].name, commands[i].summary);
    printf("\n`graze help COMMAND`, or `graze COMMAND --help`, explains each. Exit status: 0 done, 2 could not; with "
           "--exit-code 1 for a hit,\n"
           "3 for unresolved.\n");
}

static void print_names(void) {
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (commands[i].summary) printf("%s\t%s\n", commands[i].name, commands[i].summary);
    printf("help\texplains a command\n");
}

/* Memory that a step or a list gave back serves the next one: asking the kernel again for every page takes a third of a
   small step's time. */
static void keep_freed_memory(void) {
#if defined(__GLIBC__)
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

static bool is_help(const char *word) {
    return strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int run_command(int argc, char **argv) {
    app_guess guess = {argv[0], strlen(argv[0]), NULL, 0};
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(argv[0], commands[i].name) == 0) return commands[i].run(argc, argv);
        if (commands[i].summary) app_guess_try(&guess, commands[i].name);
    }
    app_guess_try(&guess, "help");
    if (strcmp(argv[0], "version") == 0) guess.name = "--version";
    if (guess.name) app_fail("unknown command '%s': did you mean %s?", argv[0], guess.name);
    app_fail("unknown command '%s'; `graze --help` lists them", argv[0]);
}

int main(int argc, char **argv) {
    app_guard_outputs();
    keep_freed_memory();
    int status = APP_OK;
    if (argc < 2) {
        print_help();
        status = APP_FAILED;
    } else if (strcmp(argv[1], "help") == 0 && argc > 2 && !is_help(argv[2])) {
        char option[] = "--help", *asked[] = {argv[2], option, NULL};
        status = run_command(2, asked);
    } else if (is_help(argv[1])) {
        print_help();
    } else if (strcmp(argv[1], "--version") == 0) {
        printf("graze %s\n", graze_version());
    } else if (strcmp(argv[1], "--complete") == 0) {
        print_names();
    } else {
        status = run_command(argc - 1, argv + 1);
    }
    return app_finish(status); /* a full disk or a closed stream must not look like success */
}
