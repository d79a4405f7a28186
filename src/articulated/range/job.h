/* A call about ranges from the inside: what pairs, samples, cells and certificates share. */
#ifndef GZ_ARTICULATED_RANGE_JOB_H
#define GZ_ARTICULATED_RANGE_JOB_H

#include "graze/range.h"

#include "articulated/range/range_proof.h"
#include "articulated/search.h"

enum { GZ_RANGE_POSES = 3 }; /* of each pair: a pose, and the ends of a cell */

/* State of one worker. */
typedef struct gz_range_worker {
    gz_search search; /* that says whether a pose touches */
    uint8_t *table;   /* its pairs of links: one at a time */
    graze_motion *motions;
    double *ends[2];
    graze_status status;
} gz_range_worker;

typedef struct gz_range_job {
    graze_context *context;
    const graze_model *const *models;
    size_t count, values;
    graze_range_options options;
    graze_joint_range *ranges;
    size_t *first_value; /* of each model */
    double *stand;       /* all values in the middle of their ranges */
    gz_scene scene;
    graze_range_pair *pairs;
    double *poses;
    size_t pair_count;
    gz_range_worker *workers;
    graze_write *write; /* NULL, or who takes the certificate */
    void *user;
    gz_range_proof *proofs; /* of the pairs, where there is one */
} gz_range_job;

double gz_range_middle(const graze_joint_range *range);
/* Sets the values that follow others. */
void gz_range_follow(const gz_range_job *job, double *values);

/* Settles all pairs as far as they can be. */
graze_status gz_range_settle(gz_range_job *job);

/* The pair of links a and b of the scene. False with more joints between them than there is room for. */
bool gz_range_links_find(const gz_range_job *job, gz_range_worker *worker, uint32_t a, uint32_t b,
                         gz_range_links *links);

/* True if two links touch at a pose of all models, or one is inside the other, as a search of its own says: HIT is
   proven. */
graze_verdict gz_range_ask(const gz_range_job *job, gz_range_worker *worker, const gz_range_links *links,
                           const double *values);

/* Writes all pairs, which are settled as far as they are, with their proofs. */
graze_status gz_range_write(gz_range_job *job);

#endif
