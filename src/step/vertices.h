/* Mode VERTICES: how far each vertex may go on its own. */
#ifndef GZ_STEP_VERTICES_H
#define GZ_STEP_VERTICES_H

#include "base/least.h"
#include "step/call.h"

/* Mode VERTICES: fills options.vertex_toi, sets has_pair, limiting and ms_narrow. */
graze_status gz_step_vertices(const gz_step_call *call, graze_step_result *result);

/* As gz_step_vertices, but a back end finds the pairs: the host looks at some of them, and the back end says how far
   the others let each vertex go. */
struct gz_vertices_worker;

typedef struct gz_vertices_job {
    const gz_step_call *call;
    struct gz_vertices_worker *workers;
    gz_least *limits; /* of the vertices */
} gz_vertices_job;

/* Nobody moves until all pairs have been looked at. */
graze_status gz_vertices_begin(const gz_step_call *call, gz_vertices_job *job);

/* Looks at some pairs. */
void gz_vertices_take(gz_vertices_job *job, const graze_pair *pairs, size_t count);

/* The limits that the pairs looked at so far set on each vertex. */
const double *gz_vertices_limits(const gz_vertices_job *job);

/* Fills options.vertex_toi, unless that is in the memory of a device; `limits` is what all other pairs leave the
   vertices; NULL: there are none. Sets has_pair and limiting. */
void gz_vertices_end(gz_vertices_job *job, const double *limits, graze_step_result *result);

#endif
