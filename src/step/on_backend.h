/* A step on a back end: chosen, run, and completed with what exact arithmetic has to answer. */
#ifndef GZ_STEP_ON_BACKEND_H
#define GZ_STEP_ON_BACKEND_H

#include "base/backend_load.h"
#include "step/list.h"

/* Sets *backend to where the step is to run; NULL: on the CPU. GRAZE_ERR_UNSUPPORTED where a back end was asked for by
   name and cannot answer. */
graze_status gz_step_choose_backend(const gz_step_call *call, gz_backend **backend);

/* The same for lists of candidates, by a broad phase that is there for comparison or by its own (AUTO). */
graze_status gz_step_choose_lists(const gz_step_call *call, graze_broad broad, gz_backend **backend);

/* Whether a step that a back end cannot answer, or fails at, is an error. */
bool gz_step_backend_by_name(const gz_step_call *call);

/* Sets has_pair and limiting, in mode ALL pairs, hits and candidates, in mode VERTICES vertex_toi. `cancelled` is
   set when pairs were left out. On any status but GRAZE_OK `result` may own pairs. The lists of the mesh and the
   positions need not have been checked: those that are not as they have to be end the step. */
graze_status gz_step_on_backend(gz_step_call *call, gz_backend *backend, graze_step_result *result, bool *cancelled);

/* The candidates of a step in place of its answer, by the broad phase that steps have there (AUTO) or by one that is
   there for comparison: STQ or LBVH. */
graze_status gz_candidates_on_backend(gz_step_call *call, gz_backend *backend, graze_broad broad, gz_pair_list *list);

/* For comparison: the earliest time that an interval-parallel Tight Inclusion gives on the device, by the tolerance of
   the options (0: 1e-6), and the intervals that it looked at. Vertices and faces, edges and edges; t_max where there is
   no contact. Enters the context. */
graze_status gz_step_ti_on_backend(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                                   const double (*x1)[3], const graze_step_options *options, double *toi,
                                   uint64_t *checks);

/* For benchmarks: a step on the device, launched stage by stage, which makes the whole slower. Says what each stage
   took and moves; its answer is not told. Enters the context. */
graze_status gz_step_by_stage(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                              const double (*x1)[3], const graze_step_options *options, gz_stages *stages);

/* Tells the choice what a step took on the CPU. */
void gz_step_took(const gz_step_call *call, double seconds);

#endif
