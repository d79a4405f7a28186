/* Shared by the programs: arguments, errors, progress, JSON numbers. */
#ifndef GRAZE_APP_APP_H
#define GRAZE_APP_APP_H

#include "graze/graze.h"

#include "io/error.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { APP_OK = 0, APP_FOUND = 1, APP_FAILED = 2, APP_UNRESOLVED = 3 };

/* ---- arguments ---- */

typedef enum app_type {
    APP_FLAG,   /* bool */
    APP_TEXT,   /* const char * */
    APP_NUMBER, /* double, finite */
    APP_COUNT,  /* uint64_t; K, M, G (1024) may follow */
    APP_LIST,   /* app_texts: may be given several times */
} app_type;

enum { APP_MOST_TEXTS = 64 };
typedef struct app_texts {
    const char *texts[APP_MOST_TEXTS];
    size_t count;
} app_texts;

typedef struct app_option {
    const char *name; /* "--threads" */
    app_type type;
    void *value;          /* keeps what it holds unless the option is given */
    const char *argument; /* "N"; NULL for a flag */
    const char *help;
} app_option;

typedef struct app_usage {
    const char *command;       /* "query" */
    const char *synopsis;      /* "FILE.csv… [options]" */
    const char *description;   /* lines of text for --help */
    const app_option *options; /* ends with a zeroed entry; --help is added */
    const char *epilogue;      /* examples; may be NULL */
} app_usage;

/* Reads options and collects the rest in order into `operands` (argc places). `-` and `--` as usual.
   Returns the number of operands; ends the program on --help (0) and on a bad option (2). The first word may be
   --complete, for shells (app/complete.h). */
int app_parse(const app_usage *usage, int argc, char **argv, const char **operands);

/* One line on stderr, "graze: …", and exit 2. */
_Noreturn void app_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* As app_fail, but for a failed call: uses the context's last error where it has one. */
_Noreturn void app_fail_status(graze_status status, const graze_context *context, const char *what);
/* "WHAT 'NAME' does not exist (did you mean NEAREST?); there are: CHOICES". The choices are separated by ", ". */
_Noreturn void app_fail_choice(const char *what, const char *name, const char *choices);
/* A notice on stderr that does not end the program. */
void app_notice(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Memory or exit 2. */
void *app_allocate(size_t count, size_t size);

/* A context for `threads` (0: as many as the program may use). Exits 2 when GRAZE_ISA names what cannot run here. */
graze_context *app_context(uint64_t threads);
/* As app_context, with a deadline for each call; 0: none. After app_catch_stop() a stop of the program ends these
   calls, too. */
graze_context *app_context_within(uint64_t threads, double seconds);

#define APP_ANY_DEVICE UINT64_MAX
/* All contexts from now on use that GPU, and with `verbose` say on stderr what they do. */
void app_context_settings(uint64_t device, bool verbose);

/* The number of threads that app_context uses for `threads`. */
uint64_t app_threads(uint64_t threads);

/* The method of that name, which must be in this build; else exit 2 with the list of those that are. */
graze_method app_method(const char *name);
graze_broad app_broad(const char *name);
graze_backend app_backend(const char *name);

/* ---- progress: a bar on stderr when that is a terminal, nothing otherwise ---- */

typedef struct app_progress {
    const char *label;
    uint64_t total, done;
    double started, drawn;
    bool shown;
} app_progress;

void app_progress_begin(app_progress *progress, const char *label, uint64_t total);
void app_progress_update(app_progress *progress, uint64_t done);
void app_progress_end(app_progress *progress);

/* ---- time and JSON ---- */

double app_seconds(void);

/* A number that reads back to the same double; null for NaN and infinities. */
cJSON *app_json_double(double x);
/* A count up to 2^64 without loss; null for GRAZE_NOT_COUNTED. */
cJSON *app_json_count(uint64_t x);
/* A text from outside, made valid UTF-8; exits 2 without memory. */
cJSON *app_json_text(const char *text);
/* As app_json_text, but as JSON with its quotes, for what is written by hand. Free it. */
char *app_quoted(const char *text);
/* A name for the terminal: printable, and where it is longer than `width` bytes its end behind an ellipsis. Free it. */
char *app_shown(const char *text, size_t width);
/* Ending of a noun behind a number. */
const char *app_plural(uint64_t count);
/* Prints one object and a newline to stdout, then frees it. */
void app_print_json(cJSON *object);

#endif
