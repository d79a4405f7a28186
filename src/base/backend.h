/* Back ends: whole steps and large batches on another device, by a library of their own that is loaded at run time.
   This header is all that the two sides share: plain data and functions in a table, which the library exports as
   GZ_BACKEND_SYMBOL. */
#ifndef GZ_BASE_BACKEND_H
#define GZ_BASE_BACKEND_H

#include "graze/proximity.h"

#include "base/question.h"

#define GZ_BACKEND_VERSION 13u
#define GZ_BACKEND_SYMBOL "gz_backend_exported"

/* A pair that is left to the host: one that needs exact arithmetic, or one of a few that are not worth a kernel. */
typedef struct gz_backend_ask {
    graze_pair pair;
    double free; /* proven: no contact before it */
} gz_backend_ask;

typedef void gz_backend_body(void *state, size_t begin, size_t end, uint32_t worker);

/* Services of the host to a back end in the middle of a step; each takes `host`. A status other than GRAZE_OK ends the
   step: the back end returns it. */
typedef struct gz_backend_host {
    /* Looks into the lists of the mesh. To be called before they are used, unless they are those of an earlier step. */
    graze_status (*check_mesh)(void *host);
    /* Says what is wrong with a position; to be called when one is beyond `largest` or not a number. */
    graze_status (*check_positions)(void *host);
    /* Answers those that may be the earliest, and may bring them into another order. The least toi that it knows of:
       INFINITY for none. */
    double (*answer)(void *host, gz_backend_ask *asks, size_t count);
    /* Answers all of them. */
    void (*answer_all)(void *host, const gz_backend_ask *asks, size_t count, graze_result *results);
    /* True once the call is to end: what is not done then counts as cancelled. Only where `may_end` is set. */
    int (*cancelled)(void *host);
    /* Runs body(state, begin, end, worker) over chunks of [0, count) on the threads of the context. */
    void (*parallel)(void *host, size_t count, size_t chunk, gz_backend_body *body, void *state);
    /* Room for the list of pairs; NULL: there is no memory, and the step returns GRAZE_ERR_OUT_OF_MEMORY. The block
       often is that of an earlier step, and may be remembered until `forget` is called for it. */
    graze_pair_result *(*room)(void *host, size_t count);
    /* Room for the list of candidates; NULL as before. */
    graze_pair *(*list_room)(void *host, size_t count);
    /* With `stops`: the host looks at some pairs itself. */
    void (*take_stops)(void *host, const graze_pair *pairs, size_t count);
    /* The limits that those pairs set on each vertex. */
    const double *(*stops)(void *host);
    /* With `near`: moves pairs that are near to the front, and returns their number; SIZE_MAX: there was no memory to
       tell, and the call is GRAZE_ERR_OUT_OF_MEMORY. */
    size_t (*decide)(void *host, gz_backend_ask *asks, size_t count);
    /* Room for the list of near pairs; NULL as before, and remembered as a block of `room`. */
    graze_proximity_pair *(*near_room)(void *host, size_t count);
} gz_backend_host;

typedef enum gz_piece_place {
    GZ_PIECE_STAYS, /* in the host's memory, and as they are in every step of this mesh */
    GZ_PIECE_ON_HOST,
    GZ_PIECE_ON_DEVICE,
} gz_piece_place;

/* Vertices of a joined mesh, one after another, and where their positions are. */
typedef struct gz_backend_piece {
    const char *x0, *x1;
    size_t stride;
    uint32_t first, count;
    gz_piece_place place;
} gz_backend_piece;

/* A mesh that joins many worlds, one after another, whose parts never meet; groups are those of each world, counted
   from 0 in each. */
typedef struct gz_backend_worlds {
    uint64_t serial; /* of the mesh, which never changes, and of nothing else in this process; not 0 */
    uint32_t count;
    const uint32_t *first;          /* vertex of each world, and behind the last */
    const gz_backend_piece *pieces; /* of all vertices, in their order */
    size_t piece_count;
} gz_backend_worlds;

/* A step as a back end sees it: options and counts have been checked, lists and positions have not. */
typedef struct gz_backend_request {
    const graze_mesh *mesh;
    const char *x0, *x1; /* in the host's memory, or with `rows` in the device's */
    size_t stride;
    /* NULL, or where the host looks for positions at both ends, 24 bytes apart: a vertex has to be there before a pair
       that has it is given to `answer` or `take_stops`, is `best`, or is among those of `answer_all`, and all of them
       before `check_positions`. */
    double (*rows[2])[3];
    void *stream;                    /* with `rows`: positions are read after what is in it */
    int keep_pairs;                  /* with `all`, `candidates` or `near`: the list of pairs stays on the device */
    size_t memory_limit;             /* bytes for lists of pairs; 0: none */
    double largest;                  /* coordinate that is allowed */
    const gz_backend_worlds *worlds; /* with `all` and `rows`: positions are those of its pieces; else NULL */
    int all;                         /* every pair that is not clear, with its result; else the earliest */
    int candidates;                  /* in place of that only the pairs whose boxes meet */
    int broad;                       /* of those, for comparison: a graze_broad; GRAZE_BROAD_AUTO: its own */
    double ti_tolerance; /* not 0, with `candidates`: no list, but the earliest time of an interval-parallel ti */
    int stops;           /* or how far each vertex may go on its own */
    double *times;       /* with `stops`: NULL, or where that goes, in the device's memory, after what is in `stream` */
    int only;            /* the earliest is that of a list of pairs, which have not been checked */
    const graze_pair *list;
    size_t list_count;
    int near; /* the pairs within question.separation of each other at x0, which x1 is, too */
    const double
        *radii;     /* with `near`: NULL, or what each vertex adds to that; mesh->thickness is what boxes grow by */
    int exact;      /* method `exact`, else `certified` */
    unsigned kinds; /* bit (1u << kind) for each that is looked for */
    gz_question question;
    double kept_part; /* of its start distance that each pair keeps where that is more than question.separation */
    int kept_windows; /* with kept_part: a part of the step may be looked at alone: numerics.md, section 3 */
    double grow;      /* of each vertex' box, beside its thickness: numerics.md, section 3 */
    int looks;        /* pairs that are plainly apart may be left out: numerics.md, section 4.14 */
    int by_stage;     /* times each stage by itself, which makes the whole slower */
    int may_end;      /* there is a deadline, or somebody who may cancel */
    gz_backend_host functions;
    void *host;
} gz_backend_request;

/* The parts of a step that are timed where the host asks for it. */
typedef enum gz_stage {
    GZ_STAGE_UPLOAD,
    GZ_STAGE_ORDER,
    GZ_STAGE_BOXES,
    GZ_STAGE_TREE,
    GZ_STAGE_TRAVERSAL,
    GZ_STAGE_PROBES, /* the first of each pair */
    GZ_STAGE_NARROW, /* and all that follow */
    GZ_STAGE_SORT,   /* of the pairs that are found */
    GZ_STAGE_DOWNLOAD,
    GZ_STAGES,
} gz_stage;

typedef struct gz_stages {
    double ms[GZ_STAGES], megabytes[GZ_STAGES]; /* megabytes: what has to be read and written, each once */
    uint32_t launches[GZ_STAGES];
    double bus, memory, launch; /* GB/s and GB/s of a long copy, µs for one of many empty kernels */
} gz_stages;

/* Findings of the back end, beside what it gave to `answer`. */
typedef struct gz_backend_answer {
    int cancelled;
    int has_best; /* the earliest pair of those that it answered; ties as in graze_step_result */
    graze_pair best;
    double best_toi;
    /* with `all`: */
    const graze_pair_result
        *pairs;              /* with keep_pairs: its own, and there until its next call; else they are in `room` */
    size_t pair_count;       /* that are not clear, sorted */
    graze_pair_result first; /* the earliest of them, if there are any */
    uint64_t candidates[4], hits[4];
    const graze_pair
        *listed; /* with `candidates` and keep_pairs those, sorted: its own, as `pairs`; else in list_room */
    size_t listed_count;
    int has_bad;                      /* with `only`: a pair of the list is none, and nothing was answered */
    const graze_proximity_pair *near; /* with `near` and keep_pairs those, sorted: its own, as `pairs`; else in
                                         near_room */
    size_t near_count;
    uint64_t ti_checks; /* with `ti_tolerance`: intervals; the time is best_toi where has_best is set */
    /* with `stops`: how far the pairs let each vertex go that the host did not take; the one that stops one first it
       has taken, too. Its own, and there until its next call */
    const double *limits;
    double ms_boxes, ms_broad, ms_narrow;
    gz_stages stages;  /* with `by_stage` */
    uint32_t passes;   /* over parts of the pairs, or windows, those done again included */
    char message[160]; /* with a status that the host did not give */
} gz_backend_answer;

/* ---- batches of queries ---- */

/* A back end's code for each query: the checks it took, if it is clear; else one of these bits. */
#define GZ_BATCH_RESULT 0x80000000u /* the other bits say which of the results is its own */
#define GZ_BATCH_ASK 0x40000000u    /* it is left to the host */

/* Services of the host to a back end in the middle of a batch; each takes `host`. */
typedef struct gz_batch_host {
    /* Writes the queries [begin, end) one after another, as graze_query or graze_query_f32. By several threads. */
    void (*gather)(void *host, size_t begin, size_t end, void *to);
    /* Takes what was found of the queries [begin, begin + count), which come in order. */
    void (*take)(void *host, size_t begin, size_t count, const uint32_t *codes, const graze_result *results);
    int (*cancelled)(void *host);
    void (*parallel)(void *host, size_t count, size_t chunk, gz_backend_body *body, void *state);
} gz_batch_host;

/* Queries of one kind: options have been checked, coordinates have not. */
typedef struct gz_batch_request {
    graze_kind kind;
    int floats; /* they are graze_query_f32 */
    int exact;  /* method `exact`, else `certified` */
    size_t count;
    const void *queries; /* all of them, one after another; NULL where they lie elsewhere */
    gz_question question;
    double largest;      /* coordinate that is allowed */
    size_t memory_limit; /* bytes that it may hold for them, of the device's memory and of the host's; 0: no limit */
    gz_batch_host functions;
    void *host;
} gz_batch_request;

typedef struct gz_batch_answer {
    size_t done;       /* queries that were taken: fewer than all when the call was cancelled, or one is bad */
    size_t bad;        /* the first query with a coordinate that is not allowed; SIZE_MAX: none */
    char message[160]; /* with GRAZE_ERR_DEVICE */
} gz_batch_answer;

typedef struct gz_backend_table {
    uint32_t version;
    /* of the structs that it was compiled with */
    uint32_t request_size, answer_size, result_size, near_size, batch_request_size, batch_answer_size;
    /* NULL with the reason in `message` where there is no such device; −1: the thread's own */
    void *(*open)(int device, char *message, size_t size);
    void (*close)(void *device);
    /* A block that `room` gave is about to go back to the allocator. By any thread. */
    void (*forget)(void *device, const void *block);
    graze_status (*step)(void *device, const gz_backend_request *request, gz_backend_answer *answer);
    graze_status (*batch)(void *device, const gz_batch_request *request, gz_batch_answer *answer);
} gz_backend_table;

#endif
