/* Common parts of certificates of paths, plans and ranges: models, pairs that are left out, proofs of all others. */
#ifndef GZ_ARTICULATED_CERTIFICATE_WRITER_H
#define GZ_ARTICULATED_CERTIFICATE_WRITER_H

#include "articulated/certificate/proof.h"
#include "articulated/certificate/text.h"

typedef struct gz_pair_proof {
    uint32_t a, b;
    double contact; /* separation and paddings, rounded up */
    graze_reason reason;
    gz_proof proof;
} gz_pair_proof;

typedef struct gz_writer {
    gz_scene scene;
    gz_frames *frames; /* one for each worker */
    graze_articulated_options options;
    gz_pair_proof *pairs;
    size_t pair_count, pair_room;
    gz_text text;
} gz_writer;

/* Certificates have one padding for each link: links of several radii are refused. */
graze_status gz_writer_check(graze_context *context, const graze_model *const *models, size_t count);
graze_status gz_writer_open(gz_writer *to, graze_context *context, const graze_model *const *models, size_t count);
void gz_writer_close(gz_writer *to, graze_context *context);

void gz_text_models(gz_text *text, const graze_model *const *models, size_t count);
/* [a,b] */
void gz_text_pair(gz_text *text, uint32_t a, uint32_t b);

/* Writes which pairs the mask leaves out, and lists all others. */
graze_status gz_writer_skip(gz_writer *to);
/* Proves all pairs apart on one motion; *reason: why one of them is not. */
graze_status gz_writer_prove(gz_writer *to, gz_motions motions, graze_reason *reason);
void gz_writer_put_proofs(gz_writer *to);
/* OK, or that the callback refused the text. */
graze_status gz_writer_end(gz_writer *to, graze_status status);

#endif
