/* Words for completion in a shell, one a line, behind a tab what it means; and a guess at what a wrong word was to be.
 */
#include "app/complete.h"

#include "io/nearest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_GUESS = 31 };

static const app_option *option_of(const app_usage *usage, const char *word, size_t length) {
    for (const app_option *o = usage->options; o->name; o++)
        if (strlen(o->name) == length && strncmp(o->name, word, length) == 0) return o;
    return NULL;
}

static void print_options(const app_usage *usage) {
    for (const app_option *o = usage->options; o->name; o++) printf("%s\t%s\n", o->name, o->help);
    printf("--help\tthis text\n");
}

/* "vf|ee": a word each. Words in capitals stand for something else. */
static void print_choices(const char *argument) {
    while (*argument) {
        size_t length = strcspn(argument, "|");
        if (islower((unsigned char)*argument)) printf("%.*s\n", (int)length, argument);
        argument += length + (argument[length] == '|');
    }
}

static void print_methods(void) {
    const graze_method_info *info;
    for (int m = 1; (info = graze_method_get((graze_method)m)) != NULL; m++)
        if (info->available) printf("%s\t%s\n", info->name, info->summary);
}

static void print_broad_phases(void) {
    for (int b = 0; graze_broad_name((graze_broad)b); b++)
        if (graze_broad_available((graze_broad)b)) printf("%s\n", graze_broad_name((graze_broad)b));
}

static bool ask_for_list(const app_usage *usage) {
    const app_option *list = option_of(usage, "--list", strlen("--list"));
    if (list) *(bool *)list->value = true;
    return list != NULL;
}

/* False where the command's own list has the answer. */
static bool print_values(const app_usage *usage, const app_option *option) {
    if (strncmp(option->name, "--method", strlen("--method")) == 0)
        print_methods();
    else if (strcmp(option->name, "--broad") == 0)
        print_broad_phases();
    else if (strcmp(option->argument, "NAME") == 0)
        return !ask_for_list(usage);
    else
        print_choices(option->argument);
    return true;
}

bool app_complete(const app_usage *usage, const char *previous, const char *word) {
    size_t length = strcspn(word, "=");
    const app_option *option = NULL;
    if (word[0] == '-' && !word[length]) {
        print_options(usage);
        return true;
    }
    if (word[0] == '-')
        option = option_of(usage, word, length);
    else if (previous)
        option = option_of(usage, previous, strlen(previous));
    if (option && option->argument) return print_values(usage, option);
    bool takes_a_name = strncmp(usage->synopsis, "NAME", 4) == 0 || strncmp(usage->synopsis, "[SUITE]", 7) == 0;
    return !(takes_a_name && ask_for_list(usage));
}

void app_guess_try(app_guess *guess, const char *name) {
    size_t length = strlen(name);
    if (guess->length > LONGEST_GUESS || length > LONGEST_GUESS) return;
    size_t errors = io_letters_distance(guess->word, guess->length, name, length);
    if (errors > 2 || 2 * errors >= length || (guess->name && errors >= guess->errors)) return;
    guess->name = name;
    guess->errors = errors;
}
