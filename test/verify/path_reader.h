/* A second reader of certificates of paths: a JSON library reads the text, as other people's programs would, and the
   library is asked whether links touch. */
#ifndef GRAZE_TEST_VERIFY_PATH_READER_H
#define GRAZE_TEST_VERIFY_PATH_READER_H

#include "graze/articulated.h"

#include <stdbool.h>

/* True if two links provably touch on one of the paths. The proofs are not looked at. A text that cannot be read, or
   that says no motion, shows nothing. */
bool path_reader_finds_contact(graze_context *context, const char *text);

#endif
