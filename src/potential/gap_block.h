/* Input and findings of the kernel of gaps. */
#ifndef GZ_POTENTIAL_GAP_BLOCK_H
#define GZ_POTENTIAL_GAP_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "graze/query.h"

#define GZ_GAP_BLOCK 64

/* Contacts of one kind, any but PP, by their vertices; the fourth of PE is the first again. */
typedef struct gz_gap_job {
    graze_kind kind;
    const char *x;
    size_t stride;
    const uint32_t (*ids)[4];
    size_t count;
} gz_gap_job;

/* The gaps of such contacts, field by field. */
typedef struct gz_gap_block {
    unsigned char told[GZ_GAP_BLOCK]; /* 0: the contact is left to plain code, and the others say nothing */
    double least[GZ_GAP_BLOCK];       /* the features are no nearer than this */
    double square[2][GZ_GAP_BLOCK];
    double vector[3][GZ_GAP_BLOCK];
    double weight[4][GZ_GAP_BLOCK];
    double motion[2][3][GZ_GAP_BLOCK];
    double part[GZ_GAP_BLOCK]; /* of the first motion, which the second is freed of */
} gz_gap_block;

#endif
