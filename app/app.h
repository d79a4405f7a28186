/* What the subcommands share: arguments, errors, progress, JSON numbers. One file for each subcommand, cmd_NAME.c. */
#ifndef GRAZE_APP_APP_H
#define GRAZE_APP_APP_H

#include "graze/graze.h"

#include "io/error.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLI_OK = 0, CLI_FOUND = 1, CLI_FAILED = 2, CLI_UNRESOLVED = 3 };

/* ---- commands ---- */

typedef int cli_run(int argc, char **argv); /* argv[0] is the command's name; returns the exit status */

typedef struct cli_command {
    const char *name, *summary;
    cli_run *run;
} cli_command;

/* ---- arguments ---- */

typedef enum cli_type {
    CLI_FLAG,   /* bool */
    CLI_TEXT,   /* const char * */
    CLI_NUMBER, /* double, finite */
    CLI_COUNT,  /* uint64_t; K, M, G (1024) may follow */
    CLI_LIST,   /* cli_texts: may be given several times */
} cli_type;

enum { CLI_MOST_TEXTS = 64 };
typedef struct cli_texts {
    const char *texts[CLI_MOST_TEXTS];
    size_t count;
} cli_texts;

typedef struct cli_option {
    const char *name; /* "--threads" */
    cli_type type;
    void *value;          /* keeps what it holds unless the option is given */
    const char *argument; /* "N"; NULL for a flag */
    const char *help;
} cli_option;

typedef struct cli_usage {
    const char *command;       /* "query" */
    const char *synopsis;      /* "FILE.csv… [options]" */
    const char *description;   /* lines of text for --help */
    const cli_option *options; /* ends with a zeroed entry; --help is added */
    const char *epilogue;      /* examples; may be NULL */
} cli_usage;

/* Reads options and collects the rest in order into `operands` (argc places). `-` and `--` as usual.
   Returns the number of operands; ends the program on --help (0) and on a bad option (2). The first word may be
   --complete, for shells (app/complete.h). */
int cli_parse(const cli_usage *usage, int argc, char **argv, const char **operands);

/* One line on stderr, "graze: …", and exit 2. */
_Noreturn void cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same for a failed call: uses the context's last error where it has one. */
_Noreturn void cli_fail_status(graze_status status, const graze_context *context, const char *what);
/* A notice on stderr that does not end the program. */
void cli_notice(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Memory or exit 2. */
void *cli_allocate(size_t count, size_t size);

/* A context for `threads` (0: as many as the program may use). Exits 2 when GRAZE_ISA names what cannot run here. */
graze_context *cli_context(uint64_t threads);

#define CLI_ANY_DEVICE UINT64_MAX
/* All contexts from now on use that GPU, and with `verbose` say on stderr what they do. */
void cli_context_settings(uint64_t device, bool verbose);

/* What `threads` means there. */
uint64_t cli_threads(uint64_t threads);

/* The method of that name, which must be in this build; else exit 2 with the list of those that are. */
graze_method cli_method(const char *name);
graze_broad cli_broad(const char *name);
graze_backend cli_backend(const char *name);

/* ---- progress: a bar on stderr when that is a terminal, nothing otherwise ---- */

typedef struct cli_progress {
    const char *label;
    uint64_t total, done;
    double started, drawn;
    bool shown;
} cli_progress;

void cli_progress_begin(cli_progress *progress, const char *label, uint64_t total);
void cli_progress_update(cli_progress *progress, uint64_t done);
void cli_progress_end(cli_progress *progress);

/* ---- time and JSON ---- */

double cli_seconds(void);

/* A number that reads back to the same double; null for NaN and infinities. */
cJSON *cli_json_double(double x);
/* A count up to 2^64 without loss; null for GRAZE_NOT_COUNTED. */
cJSON *cli_json_count(uint64_t x);
/* A text from outside, made valid UTF-8; exits 2 without memory. */
cJSON *cli_json_text(const char *text);
/* The same as JSON with its quotes, for what is written by hand. Free it. */
char *cli_quoted(const char *text);
/* A name for the terminal: printable, and where it is longer than `width` bytes its end behind an ellipsis. Free it. */
char *cli_shown(const char *text, size_t width);
/* What a noun ends in behind a number. */
const char *cli_plural(uint64_t count);
/* Prints one object and a newline to stdout, then frees it. */
void cli_print_json(cJSON *object);

/* ---- the subcommands ---- */

cli_run cmd_articulate;
cli_run cmd_bench;
cli_run cmd_check;
cli_run cmd_dataset;
cli_run cmd_demo;
cli_run cmd_handcraft;
cli_run cmd_info;
cli_run cmd_merge;
cli_run cmd_query;
cli_run cmd_scene;
cli_run cmd_sequence;
cli_run cmd_sim;
cli_run cmd_step;
cli_run cmd_truth;
cli_run cmd_verify;
cli_run cmd_view;

#endif
