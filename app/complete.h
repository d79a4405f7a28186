/* Completion of command lines, and guesses at words that were mistyped. */
#ifndef GRAZE_APP_COMPLETE_H
#define GRAZE_APP_COMPLETE_H

#include "app/app.h"

/* Prints what may stand in the place of `word`, which `previous` (NULL: nothing) stands before, for
   `graze COMMAND --complete [PREVIOUS] WORD`. Where that is a name of the command's --list it sets that option and
   returns false: the command prints its list. */
bool app_complete(const app_usage *usage, const char *previous, const char *word);

/* The name that is nearest to a word; none where all are more than two typing errors away, or half of the name. */
typedef struct app_guess {
    const char *word;
    size_t length;
    const char *name; /* NULL: none */
    size_t errors;
} app_guess;

void app_guess_try(app_guess *guess, const char *name);

#endif
