/* Contexts, names, progress and JSON for all subcommands. */
#include "app/app.h"
#include "app/complete.h"
#include "app/folders.h"
#include "app/outputs.h"
#include "io/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct {
    int32_t device;
    graze_log *log;
} settings = {.device = -1};

static void print_log(void *user, graze_log_level level, const char *line) {
    (void)user;
    (void)level;
    app_notice("%s", line);
}

void app_context_settings(uint64_t device, bool verbose) {
    if (device != APP_ANY_DEVICE && device > INT32_MAX) app_fail("--device: counted from 0, below 2^31");
    settings.device = device == APP_ANY_DEVICE ? -1 : (int32_t)device;
    settings.log = verbose ? print_log : NULL;
}

static int is_stopped(void *user) {
    (void)user;
    return app_is_stopped();
}

static graze_context *make_context(uint64_t threads, double seconds, graze_cancel *cancel) {
    const char *isa = getenv("GRAZE_ISA");
    if (isa && *isa && strcmp(isa, "auto") != 0 && strcmp(isa, graze_isa_name(graze_isa_in_use())) != 0)
        app_fail(
            "GRAZE_ISA=%s: not an instruction set that this build and machine have (scalar, avx2, avx512, neon, wasm)",
            isa);
    if (threads > 1024) app_fail("--threads: at most 1024");
    graze_context_options options = graze_default_context_options();
    options.threads = (uint32_t)threads;
    options.device = settings.device;
    options.log = settings.log;
    options.deadline_seconds = seconds;
    options.cancel = cancel;
    graze_context *context;
    graze_status status = graze_context_create(&options, &context);
    if (status != GRAZE_OK) app_fail_status(status, NULL, "context");
    return context;
}

/* Not cancelled: a list that is resumed would keep the answer of a call that was cut short. */
graze_context *app_context(uint64_t threads) { return make_context(threads, 0, NULL); }

graze_context *app_context_within(uint64_t threads, double seconds) {
    return make_context(threads, seconds, is_stopped);
}

uint64_t app_threads(uint64_t threads) { return threads ? threads : graze_pool_threads(); }

void app_fail_choice(const char *what, const char *name, const char *choices) {
    app_guess guess = {name, strlen(name), NULL, 0};
    char *words = app_text("%s", choices), *rest = NULL;
    for (char *word = strtok_r(words, ", ", &rest); word; word = strtok_r(NULL, ", ", &rest))
        app_guess_try(&guess, word);
    const char *before = guess.name ? " (did you mean " : "", *after = guess.name ? "?)" : "";
    app_fail("%s '%s' does not exist%s%s%s; there are: %s", what, name, before, guess.name ? guess.name : "", after,
             choices);
}

graze_method app_method(const char *name) {
    if (!name) return GRAZE_METHOD_DEFAULT;
    const graze_method_info *info = graze_method_find(name);
    if (info && info->available) return info->method;
    char list[400] = "";
    for (int i = 1; graze_method_get((graze_method)i); i++) {
        const graze_method_info *other = graze_method_get((graze_method)i);
        if (!other->available) continue;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", other->name);
    }
    if (info) app_fail("method '%s' is not in this build; there are: %s", name, list);
    app_fail_choice("method", name, list);
}

graze_broad app_broad(const char *name) {
    graze_broad broad = GRAZE_BROAD_AUTO;
    if (!name) return broad;
    bool known = graze_broad_find(name, &broad);
    if (known && graze_broad_available(broad)) return broad;
    char list[400] = "";
    for (int i = 0; i <= GRAZE_BROAD_LBVH; i++) {
        if (!graze_broad_available((graze_broad)i)) continue;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", graze_broad_name((graze_broad)i));
    }
    if (known) app_fail("broad phase '%s' is not in this build; there are: %s", name, list);
    app_fail_choice("broad phase", name, list);
}

graze_backend app_backend(const char *name) {
    graze_backend backend = GRAZE_BACKEND_AUTO;
    if (!name || graze_backend_find(name, &backend)) return backend;
    app_fail_choice("back end", name, "auto, cpu, cuda");
}

/* ---- progress ---- */

double app_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void app_progress_begin(app_progress *progress, const char *label, uint64_t total) {
    *progress =
        (app_progress){.label = label, .total = total, .started = app_seconds(), .shown = isatty(STDERR_FILENO)};
}

void app_progress_update(app_progress *progress, uint64_t done) {
    progress->done = done;
    if (!progress->shown || progress->total == 0) return;
    double now = app_seconds();
    if (now - progress->drawn < 0.1) return;
    progress->drawn = now;
    enum { WIDTH = 32 };
    double part = (double)done / (double)progress->total;
    if (part > 1) part = 1;
    int filled = (int)(part * WIDTH);
    double spent = now - progress->started;
    fprintf(stderr, "\r%-12.40s [", progress->label);
    for (int i = 0; i < WIDTH; i++) fputc(i < filled ? '#' : '.', stderr);
    fprintf(stderr, "] %3.0f %%", 100 * part);
    if (part > 0.01) fprintf(stderr, "  %.0f s left  ", spent / part - spent);
    fflush(stderr);
}

void app_progress_end(app_progress *progress) {
    if (progress->shown && progress->drawn > 0) fprintf(stderr, "\r%79s\r", "");
    progress->shown = false;
}

/* ---- JSON ---- */

cJSON *app_json_double(double x) {
    if (!isfinite(x)) return cJSON_CreateNull();
    char text[40];
    snprintf(text, sizeof text, "%.17g", x);
    for (int digits = 15; digits < 17;
         digits++) { /* fewer than 15 are never needed: zeros at the end are not printed */
        char shorter[40];
        snprintf(shorter, sizeof shorter, "%.*g", digits, x);
        if (strtod(shorter, NULL) == x) {
            memcpy(text, shorter, sizeof text);
            break;
        }
    }
    return cJSON_CreateRaw(text);
}

cJSON *app_json_count(uint64_t x) {
    if (x == GRAZE_NOT_COUNTED) return cJSON_CreateNull();
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)x);
    return cJSON_CreateRaw(text);
}

cJSON *app_json_text(const char *text) {
    char *valid = io_valid_text(text);
    cJSON *item = valid ? cJSON_CreateString(valid) : NULL;
    free(valid);
    if (!item) app_fail("out of memory");
    return item;
}

char *app_quoted(const char *text) {
    cJSON *item = app_json_text(text);
    char *quoted = cJSON_PrintUnformatted(item);
    cJSON_Delete(item);
    if (!quoted) app_fail("out of memory");
    return quoted;
}

const char *app_plural(uint64_t count) { return count == 1 ? "" : "s"; }

char *app_shown(const char *text, size_t width) {
    const char *tail = strlen(text) > width ? io_path_tail(text, width - 1) : text;
    char *shown = app_allocate(strlen(tail) + 4, 1);
    sprintf(shown, "%s%s", tail == text ? "" : "…", tail);
    io_make_printable(shown);
    return shown;
}

void app_print_json(cJSON *object) {
    char *text = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);
    if (!text) app_fail("out of memory");
    puts(text);
    free(text);
}
