/* Back ends: whole steps on another device, by a library of their own that is loaded at run time. This header is all
   that the two sides share: plain data and functions in a table, which the library exports as GZ_BACKEND_SYMBOL. */
#ifndef GZ_STEP_BACKEND_H
#define GZ_STEP_BACKEND_H

#include "graze/step.h"

#define GZ_BACKEND_VERSION 1u
#define GZ_BACKEND_SYMBOL "gz_backend_exported"

/* A step as a back end sees it: everything has been checked. */
typedef struct gz_backend_request {
    const graze_mesh *mesh;
    const char *x0, *x1; /* in the host's memory */
    size_t stride;
    int all;        /* every pair that is not clear, with its result; else the earliest */
    int exact;      /* method `exact`, else `certified` */
    unsigned kinds; /* bit (1u << kind) for each that is looked for */
    double separation, t_max, tolerance;
    double grow; /* of each vertex' box, beside its thickness: numerics.md, section 3 */
    uint64_t max_checks;
    /* true once the call is to end: what is not done then counts as cancelled */
    int (*cancelled)(void *state);
    void *cancel_state;
} gz_backend_request;

/* What it found. Lists are its own, and stay until its next call. */
typedef struct gz_backend_answer {
    int cancelled;
    int has_best; /* the earliest pair of those that it answered; ties as in graze_step_result */
    graze_pair best;
    double best_toi;
    const graze_pair *asks; /* pairs that need exact arithmetic: the host answers them, as a whole */
    size_t ask_count;
    const graze_pair_result *pairs; /* with `all`: those that it answered and that are not clear, sorted */
    size_t pair_count;
    uint64_t candidates[4]; /* with `all` */
    double ms_boxes, ms_broad, ms_narrow;
    char message[160]; /* with any status but GRAZE_OK */
} gz_backend_answer;

typedef struct gz_backend_table {
    uint32_t version;
    uint32_t request_size, answer_size, result_size; /* of the structs that it was compiled with */
    /* NULL with the reason in `message` where there is no such device; −1: any */
    void *(*open)(int device, char *message, size_t size);
    void (*close)(void *device);
    graze_status (*step)(void *device, const gz_backend_request *request, gz_backend_answer *answer);
} gz_backend_table;

#endif
