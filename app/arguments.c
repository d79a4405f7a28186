/* Options of a subcommand from a table: parsing, --help, errors. */
#include "app/complete.h"
#include "app/outputs.h"

#include "io/text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* One line of printable text, whatever names and words are in it. */
static void print_line(const char *format, va_list arguments) {
    char line[2000];
    vsnprintf(line, sizeof line, format, arguments);
    io_make_printable(line);
    fprintf(stderr, "graze: %s\n", line);
}

void app_fail(const char *format, ...) {
    fflush(stdout);
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
    exit(APP_FAILED);
}

void app_notice(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
}

void app_fail_status(graze_status status, const graze_context *context, const char *what) {
    graze_error error;
    if (context && graze_context_last_error(context, &error) == GRAZE_OK && error.status == status && error.message[0])
        app_fail("%s: %s", what, error.message);
    app_fail("%s: %s", what, graze_status_name(status));
}

void *app_allocate(size_t count, size_t size) {
    void *block = calloc(count ? count : 1, size ? size : 1);
    if (!block) app_fail("out of memory");
    return block;
}

/* Columns of the terminal that help is printed on; 0 where it is none: there each option has one line. */
static int terminal_columns(void) {
    struct winsize size = {0};
    if (!isatty(STDOUT_FILENO)) return 0;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40 ? size.ws_col : 80;
}

/* The rest of a line that begins in `column`, broken between words where it would pass the last of `columns`. */
static void print_broken(const char *text, int column, int columns) {
    for (int at = column; *text;) {
        int length = (int)strcspn(text + 1, " ") + 1; /* a word, and the blank before it */
        if (columns && at > column && at + length > columns) {
            printf("\n%*s", column, "");
            text++, length--, at = column;
        }
        printf("%.*s", length, text);
        at += length;
        text += length;
    }
    putchar('\n');
}

static void print_help(const app_usage *usage) {
    printf("usage: graze %s %s\n\n%s\n\noptions:\n", usage->command, usage->synopsis, usage->description);
    int width = (int)strlen("--help"), columns = terminal_columns();
    for (const app_option *o = usage->options; o->name; o++) {
        int w = (int)strlen(o->name) + (o->argument ? 1 + (int)strlen(o->argument) : 0);
        if (w > width) width = w;
    }
    for (const app_option *o = usage->options; o->name; o++) {
        char left[64];
        snprintf(left, sizeof left, "%s%s%s", o->name, o->argument ? " " : "", o->argument ? o->argument : "");
        printf("  %-*s  ", width, left);
        print_broken(o->help, width + 4, columns);
    }
    printf("  %-*s  %s\n", width, "--help", "this text");
    if (usage->epilogue) printf("\n%s\n", usage->epilogue);
}

static double parse_number(const char *command, const char *name, const char *text) {
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (end == text || *end) app_fail("%s: %s: '%s' is not a number", command, name, text);
    if (!isfinite(value)) app_fail("%s: %s: '%s' is not finite", command, name, text);
    return value;
}

static uint64_t parse_count(const char *command, const char *name, const char *text) {
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (end == text || *text == '-' || errno) app_fail("%s: %s: '%s' is not a count", command, name, text);
    int shift = 0;
    if (*end == 'K' || *end == 'k') shift = 10;
    if (*end == 'M' || *end == 'm') shift = 20;
    if (*end == 'G' || *end == 'g') shift = 30;
    if (shift) end++;
    if (*end || (shift && value >> (64 - shift))) app_fail("%s: %s: '%s' is not a count", command, name, text);
    return (uint64_t)value << shift;
}

static void add_text(const char *command, const char *name, app_texts *list, const char *text) {
    if (list->count == APP_MOST_TEXTS) app_fail("%s: %s: at most %d times", command, name, (int)APP_MOST_TEXTS);
    list->texts[list->count++] = text;
}

static void take_value(const app_usage *usage, const app_option *option, const char *text) {
    switch (option->type) {
    case APP_FLAG: *(bool *)option->value = true; break;
    case APP_TEXT: *(const char **)option->value = text; break;
    case APP_LIST: add_text(usage->command, option->name, option->value, text); break;
    case APP_NUMBER: *(double *)option->value = parse_number(usage->command, option->name, text); break;
    case APP_COUNT: *(uint64_t *)option->value = parse_count(usage->command, option->name, text); break;
    }
}

static _Noreturn void fail_on_unknown(const app_usage *usage, const char *word, size_t length) {
    app_guess guess = {word, length, NULL, 0};
    for (const app_option *o = usage->options; o->name; o++) app_guess_try(&guess, o->name);
    app_guess_try(&guess, "--help");
    if (guess.name)
        app_fail("%s: unknown option '%.*s': did you mean %s?", usage->command, (int)length, word, guess.name);
    app_fail("%s: unknown option '%.*s'; `graze %s --help` lists them", usage->command, (int)length, word,
             usage->command);
}

int app_parse(const app_usage *usage, int argc, char **argv, const char **operands) {
    int count = 0;
    bool only_operands = false;
    if (argc >= 3 && strcmp(argv[1], "--complete") == 0) {
        if (app_complete(usage, argc > 3 ? argv[argc - 2] : NULL, argv[argc - 1])) exit(app_finish(APP_OK));
        return 0;
    }
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (only_operands || word[0] != '-' || !word[1]) {
            operands[count++] = word;
            continue;
        }
        if (strcmp(word, "--") == 0) {
            only_operands = true;
            continue;
        }
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            print_help(usage);
            exit(app_finish(APP_OK));
        }
        const char *equals = strchr(word, '=');
        size_t length = equals ? (size_t)(equals - word) : strlen(word);
        const app_option *option = usage->options;
        while (option->name && (strlen(option->name) != length || strncmp(option->name, word, length) != 0)) option++;
        if (!option->name) fail_on_unknown(usage, word, length);
        if (option->type == APP_FLAG) {
            if (equals) app_fail("%s: %s takes no value", usage->command, option->name);
            take_value(usage, option, NULL);
        } else if (equals) {
            take_value(usage, option, equals + 1);
        } else {
            if (i + 1 >= argc) app_fail("%s: %s needs a value (%s)", usage->command, option->name, option->argument);
            take_value(usage, option, argv[++i]);
        }
    }
    return count;
}
