/* A step on a back end: chosen, run, and completed with what exact arithmetic has to answer. */
#ifndef GZ_STEP_ON_BACKEND_H
#define GZ_STEP_ON_BACKEND_H

#include "base/backend_load.h"
#include "step/list.h"
#include "step/vertices.h"

/* Sets *backend to where the step is to run; NULL: on the CPU. GRAZE_ERR_UNSUPPORTED where a back end was asked for by
   name and cannot answer. */
graze_status gz_step_choose_backend(const gz_step_call *call, gz_backend **backend);

/* As gz_step_choose_backend, but for lists of candidates, by a broad phase that is there for comparison or by the back
   end's own (AUTO). */
graze_status gz_step_choose_lists(const gz_step_call *call, graze_broad broad, gz_backend **backend);

/* As gz_step_choose_backend, but for the earliest of a list of `count` pairs. */
graze_status gz_step_choose_listed(const gz_step_call *call, size_t count, gz_backend **backend);

/* True if a step that a back end cannot answer, or fails at, is an error. */
bool gz_step_backend_by_name(const gz_step_call *call);

/* Sets has_pair and limiting, in mode ALL pairs, hits and candidates, in mode VERTICES vertex_toi. `cancelled` is
   set when pairs were left out. On any status but GRAZE_OK `result` may own pairs. The lists of the mesh and the
   positions need not have been checked: those that are not as they have to be end the step. */
graze_status gz_step_on_backend(gz_step_call *call, gz_backend *backend, graze_step_result *result, bool *cancelled);

/* As gz_step_on_backend in mode ALL, for a mesh that joins many worlds; positions, which are on the device by the
   options, are where the pieces say. Those that are wrong are in call->positions then. */
graze_status gz_worlds_on_backend(gz_step_call *call, gz_backend *backend, const gz_backend_worlds *worlds,
                                  graze_step_result *result, bool *cancelled);

/* The candidates of a step in place of its answer, by the broad phase that steps have there (AUTO) or by one that is
   there for comparison: STQ or LBVH. */
graze_status gz_candidates_on_backend(gz_step_call *call, gz_backend *backend, graze_broad broad, gz_pair_list *list);

/* The earliest of a list of pairs, which need not have been checked, as gz_step_on_backend; calls are prepared for all
   kinds. `bad` is set where one of them is none: then nothing was answered. */
graze_status gz_listed_on_backend(gz_step_call *call, gz_backend *backend, const graze_pair *pairs, size_t count,
                                  graze_step_result *result, bool *bad, bool *cancelled);

/* ---- for calls of other kinds ---- */

/* A call under way, for what the back end asks of the host. */
typedef struct gz_hosted {
    gz_step_call *call;
    bool whole; /* the lists of the mesh have to be complete for a search of all pairs */
    graze_step_result *result;
    gz_counts counts;
    double follow;            /* just after the least toi so far */
    gz_vertices_job vertices; /* of mode VERTICES */
    gz_pair_list *list;       /* of candidates */
} gz_hosted;

/* The request, from all that the call's options say. */
gz_backend_request gz_hosted_request(gz_hosted *h);

/* Has the request answered, and says what went wrong. */
graze_status gz_hosted_ask(gz_step_call *call, const gz_backend *backend, gz_backend_request *request,
                           gz_backend_answer *answer);

/* ---- for comparison and for benchmarks ---- */

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
