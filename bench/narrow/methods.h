/* The methods that are measured: those of the build, and those that the user brought, a plugin or answers in a file.
   They are counted from 1, those of the build by graze_method, what was brought after them. */
#ifndef GRAZE_BENCH_NARROW_METHODS_H
#define GRAZE_BENCH_NARROW_METHODS_H

#include "bench/data/data.h"
#include "graze/plugin.h"

typedef struct bench_given bench_given;

/* A method that the user brought. */
typedef struct bench_brought {
    graze_method_info info;          /* `method` is its number */
    char *name, *path;               /* its own, and that of the file that it came in */
    const graze_plugin_info *plugin; /* or NULL: */
    bench_given *given;              /* its answers */
    void *library;
} bench_brought;

/* Loads a plugin as the next method; false with one line in the error. */
bool bench_bring_plugin(bench_settings *settings, const char *path, io_error *error);
/* "NAME=FILE.jsonl", the lines that `graze query --out` writes. */
bool bench_bring_answers(bench_settings *settings, const char *text, io_error *error);
void bench_release_brought(bench_settings *settings);

/* Facts about method m; NULL past the last one. */
const graze_method_info *bench_method(const bench_settings *settings, int m);
/* Its number by name; 0 when there is none. */
int bench_method_find(const bench_settings *settings, const char *name);
/* NULL for a method of the build. */
const bench_brought *bench_method_brought(const bench_settings *settings, int m);
/* True if it can be asked anything, or only has answers. */
bool bench_method_answers_calls(const bench_settings *settings, int m);
bool bench_method_answers_kind(const bench_settings *settings, int m, graze_kind kind);

/* graze_ccd by any method that answers calls: options->method is its number. NULL, or what was wrong. */
const char *bench_ccd(const bench_settings *settings, graze_kind kind, const graze_query *query,
                      const graze_options *options, graze_result *result);

/* Time that a call took, in seconds. */
typedef struct bench_cost {
    double wall, cpu; /* cpu: of the thread that called */
} bench_cost;

/* graze_ccd_pairs by any of them, on the context's threads; pairs that the deadline (bench_seconds) leaves out are
   unresolved and cancelled. A plugin answers in a child process. NULL, or what was wrong: good until the next call. */
const char *bench_ccd_pairs(const bench_settings *settings, graze_context *context, const bench_scene *scene,
                            const graze_pair *pairs, size_t count, const graze_step_options *options, double deadline,
                            graze_result *results, bench_cost *cost);

/* Time limit of a plugin whose work ought to end after `budget` seconds. */
double bench_plugin_limit(double budget);

/* The answer that a file gives to a query of another file; false where it has none. */
bool bench_given_find(const bench_given *given, const char *path, uint64_t index, graze_result *result);

#endif
