/* test/bits.txt, as the build makes a text of it. */
#ifndef GRAZE_TEST_EXPECTED_BITS_H
#define GRAZE_TEST_EXPECTED_BITS_H

extern const char expected_bits[];

#endif
