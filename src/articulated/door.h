/* Common parts of the calls with arrays of models and those with a world: options, one motion, many motions. */
#ifndef GZ_ARTICULATED_DOOR_H
#define GZ_ARTICULATED_DOOR_H

#include "articulated/contact.h"

graze_status gz_articulated_options_read(graze_context *context, const graze_articulated_options *given,
                                         graze_articulated_options *options);
/* The result shares no memory with the values of a motion. */
graze_status gz_motion_apart(graze_context *context, gz_pieces written, const graze_model *model,
                             const graze_motion *motion);

/* Closes a caller's result; false sizes and NULL are GRAZE_ERR_INVALID_ARGUMENT. */
graze_status gz_result_open(graze_articulated_result *result);

/* The search that a context keeps from motion to motion is memory; no answer depends on it. NULL: no memory. */
gz_search *gz_kept_search(graze_context *context);
/* One motion of a search that is open. */
graze_status gz_articulated_solve(gz_search *search, gz_motions motions, graze_articulated_result *result);
/* Puts what a search found into a result with its defaults. */
graze_status gz_articulated_answer(gz_search *search, graze_status status, graze_articulated_result *result);

/* Many motions on the threads of a context: a search for each worker. */
typedef struct gz_paths gz_paths;
struct gz_paths {
    graze_status (*open)(const gz_paths *job, gz_search *search);
    graze_status (*solve)(const gz_paths *job, gz_search *search, size_t path, graze_articulated_result *result);
    graze_articulated_options options;
    size_t paths;
    char *results; /* of the caller's size each */
    size_t stride;
    gz_search *searches;
    graze_status *statuses;
};

/* Closes all results; false sizes and NULL are GRAZE_ERR_INVALID_ARGUMENT. */
graze_status gz_paths_open(gz_paths *job, graze_articulated_result *results, size_t paths);
graze_status gz_paths_run(graze_context *context, gz_paths *job);

#endif
