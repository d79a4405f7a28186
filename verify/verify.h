/* A checker of certificates: believes nothing, computes in integers, and shares no code with what wrote them. The
   format and why it is a proof: docs/certificates.md. */
#ifndef GRAZE_VERIFY_VERIFY_H
#define GRAZE_VERIFY_VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum verify_kind { VERIFY_VF, VERIFY_EE, VERIFY_PE, VERIFY_PP } verify_kind;
typedef enum verify_verdict { VERIFY_CLEAR, VERIFY_HIT, VERIFY_UNRESOLVED } verify_verdict;

/* Proof that a piece of time is free. */
typedef enum verify_proof {
    VERIFY_DIRECTION, /* along n every point of B is ahead of every point of A by more than the separation */
    VERIFY_VOLUME,    /* the point is farther than that from the plane of the face, or the lines from each other */
    VERIFY_DECIDED,   /* nothing in the file: the checker decides by itself */
} verify_proof;

typedef struct verify_piece {
    verify_proof proof;
    double n[3];
    double t0, t1;
} verify_piece;

/* Proof that the pair touches in [toi, toi_upper]. */
typedef enum verify_contact {
    VERIFY_NO_CONTACT,      /* none is claimed */
    VERIFY_CROSSING,        /* the volume changes its sign, and the contact is strictly inside both primitives */
    VERIFY_TOUCHING,        /* they touch at toi_upper */
    VERIFY_CONTACT_DECIDED, /* nothing in the file: the checker decides by itself */
    VERIFY_WITNESS          /* two points, by their parameters, that are close enough at toi_upper */
} verify_contact;

/* One pair, its answer and its proof. */
typedef struct verify_pair {
    verify_kind kind;
    double x0[4][3], x1[4][3]; /* finite; vf: vertex, face; ee: a0 a1 b0 b1; pe: point, edge; pp: a, b */
    double radii[4];           /* of the rows; finite, >= 0 */
    double separation;         /* finite, >= 0 */
    double t_max;              /* in (0, 1] */
    verify_verdict verdict;
    double toi;       /* in [0, 1] */
    double toi_upper; /* in [0, 1], or INFINITY where none is claimed */
    verify_piece *free;
    size_t free_count;
    verify_contact contact;
    double at[2]; /* of a witness: u and v */
} verify_pair;

#define VERIFY_TEXT 200

/* The most that deciding may cost a pair, in products of machine words: so much for the pair, and so much more for each
   piece. Beyond it what is not decided yet counts as not proven. What the library writes needs a sixteenth of it or
   less. */
#define VERIFY_WORK_PAIR 0x1p26
#define VERIFY_WORK_PIECE 0x1p22

/* True if the proof holds. If not, `reason` says what is wrong. */
bool verify_check(const verify_pair *pair, char reason[VERIFY_TEXT]);

/* The simplest proof that a contact in [toi, toi_upper] has; VERIFY_NO_CONTACT when none is found. Sets pair->at for a
   witness. */
verify_contact verify_find_contact(verify_pair *pair);

/* Two states of a mesh. Indices name vertices, and coordinates are finite. */
typedef struct verify_mesh {
    size_t vertex_count, face_count, edge_count;
    const double (*x0)[3], (*x1)[3];
    const uint32_t (*faces)[3];
    const uint32_t (*edges)[2]; /* those that are listed beside the faces */
} verify_mesh;

/* Content of a file. */
typedef struct verify_report {
    uint64_t pairs, clear, hits, proven, unresolved; /* proven: hits with a proven contact */
    uint64_t pieces[3];                              /* by verify_proof */
    uint64_t contacts[5];                            /* by verify_contact */
    uint64_t rejected;                               /* pairs whose proof does not hold */
    uint64_t first;                                  /* the first of them, and what is wrong with it */
    char name[VERIFY_TEXT], reason[VERIFY_TEXT];
    bool of_step;            /* format 3: it names a mesh and how many candidates it has */
    char mesh[65];           /* its hash, 64 hexadecimal digits; the caller compares */
    uint64_t missing, twice; /* with a mesh: candidates that are not listed, and those that are once more */
} verify_report;

/* Checks a whole file, with `mesh` (else NULL) also that every candidate of that step is listed once, with its
   coordinates. False when it is not a certificate: `message` says why and where. The NUL-terminated text is
   read only; the report does not depend on the number of threads. */
bool verify_text(const char *text, size_t size, unsigned threads, const verify_mesh *mesh, verify_report *report,
                 char message[VERIFY_TEXT]);

/* ---- paths of links on joints ---- */

/* Most work for a file, where a test of two nodes along a direction is 1 and a joint in a window of time 32: some ten
   minutes of one core. */
#define VERIFY_WORK_PATHS 0x1p27

typedef struct verify_path_report {
    uint64_t paths, links, triangles;
    uint64_t pairs, skipped; /* of links on every path: those that are proven, and those that the file leaves out */
    double separation, t_max;
    bool of_plan; /* paths are the pieces of one plan, from `begin` to `end` in seconds */
    double begin, end;
    uint64_t windows, directions; /* of all proofs */
    uint64_t rejected;            /* proofs that do not hold */
    uint64_t first;               /* the first of them, path after path, and what is wrong with it */
    char name[VERIFY_TEXT], reason[VERIFY_TEXT];
} verify_path_report;

/* True if a text begins as a certificate of paths or of a plan does. */
bool verify_is_path_text(const char *text, size_t size);

/* As verify_text, but for certificates of paths or of a plan. `most_work` is what the check may take: a file beyond it
   is not checked, and `message` says how much it would take. */
bool verify_path_text(const char *text, size_t size, unsigned threads, double most_work, verify_path_report *report,
                      char message[VERIFY_TEXT]);

/* ---- ranges of joint values ---- */

typedef struct verify_range_report {
    uint64_t links, triangles, values;
    uint64_t pairs, skipped; /* of links: those that something is said of, and those that the file leaves out */
    uint64_t clear, touch, open;
    double most_open; /* the largest share that a pair leaves open */
    double separation;
    uint64_t cells, directions; /* of all proofs */
    uint64_t rejected;          /* pairs whose proof or pose does not hold */
    uint64_t first;             /* the first of them, and what is wrong with it */
    char name[VERIFY_TEXT], reason[VERIFY_TEXT];
} verify_range_report;

bool verify_is_range_text(const char *text, size_t size);

/* As verify_path_text, but for certificates of ranges. */
bool verify_range_text(const char *text, size_t size, unsigned threads, double most_work, verify_range_report *report,
                       char message[VERIFY_TEXT]);

#endif
