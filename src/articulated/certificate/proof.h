/* A proof that two links stay apart, as text that a checker follows: docs/certificates.md has its letters. */
#ifndef GZ_ARTICULATED_CERTIFICATE_PROOF_H
#define GZ_ARTICULATED_CERTIFICATE_PROOF_H

#include "articulated/node_pairs.h"

typedef struct gz_proof {
    char *text;
    size_t size, room;
} gz_proof;

/* Proves that links a and b of the scene are farther apart than `contact` all through [0, t_max], in `most` tests or
   fewer. NONE: `proof` is it; else why there is none. */
graze_reason gz_prove_apart(gz_frames *frames, uint32_t a, uint32_t b, double contact, double t_max, uint64_t most,
                            gz_proof *proof);

void gz_proof_release(graze_context *context, gz_proof *proof);

#endif
