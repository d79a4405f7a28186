/* A second reader of certificates, for tests of the first: a JSON library reads the text, as other people's programs
   would, and graze_truth tells whether what it says is so. */
#ifndef GRAZE_TEST_VERIFY_SECOND_READER_H
#define GRAZE_TEST_VERIFY_SECOND_READER_H

#include <stdbool.h>
#include <stddef.h>

/* True if the text can be read and every claim of every pair is true, whichever of two equal names a reader believes.
   If not, `why` says what is wrong. The proofs are not looked at. */
bool second_reader_confirms(const char *text, size_t size, char why[200]);

#endif
