/* A call on a whole mesh: its arguments, read and checked. */
#ifndef GZ_STEP_CALL_H
#define GZ_STEP_CALL_H

#include "graze/step.h"

#include "base/overlap.h"
#include "base/sizes.h"
#include "broad/broad.h"
#include "narrow/method.h"

typedef struct gz_step_call {
    graze_context *context;
    gz_workspace *workspace; /* kept in the context */
    const graze_mesh *mesh;  /* &given_mesh */
    graze_mesh given_mesh;   /* the caller's, with every field that it lacks */
    gz_positions positions;
    graze_step_options options; /* every default filled in; `narrow` is not read after the check */
    graze_options narrow;
    gz_question question; /* without the method's defaults, which are in `calls` */
    bool at_start;        /* t_max = 0 was asked for: x1 is x0, and t_max is 1 */
    const gz_method *method;
    gz_narrow_call calls[GZ_KINDS]; /* for the kinds that the mesh has pairs of */
    const gz_box *vertices;
    gz_tree_source *trees; /* &source, where the broad phase wants it */
    gz_tree_source source;
    gz_set sets[GZ_KINDS + 1][2]; /* without boxes where the broad phase makes them from the vertices' */
    size_t room;                  /* pairs in a block */
    /* kept_reach.h: the longest way of a vertex along an axis, and the farthest that one is from the first */
    double kept_motion, kept_span;
} gz_step_call;

/* The caller's options, NULL for none, with every field that they lack; none is checked. */
graze_status gz_step_options_read(graze_context *context, const graze_step_options *given, graze_step_options *options);

/* GRAZE_ERR_UNSUPPORTED where the options speak of a device's memory. */
graze_status gz_step_on_host(graze_context *context, const graze_step_options *options);

/* Fills in the default of a stride, or says what is wrong with it for so many positions. */
graze_status gz_stride_read(graze_context *context, size_t *stride, uint32_t vertex_count);

/* Reads and checks what takes a time that does not grow with the mesh; then what is in its lists, with `whole` also
   that they are complete for a search of all pairs; then the positions. For back ends, which check in another order. */
graze_status gz_step_read(graze_context *context, const graze_mesh *mesh, const double (*x0)[3], const double (*x1)[3],
                          const graze_step_options *options, gz_step_call *call);
graze_status gz_step_check_mesh(gz_step_call *call, bool whole);
graze_status gz_step_check_positions(gz_step_call *call);

/* All of that but the method. On any status but GRAZE_OK the call is not to be used. */
graze_status gz_step_open(graze_context *context, const graze_mesh *mesh, const double (*x0)[3], const double (*x1)[3],
                          const graze_step_options *options, gz_step_call *call);

/* As gz_step_open, but for a search of all pairs, for which the lists of the mesh have to be complete. */
graze_status gz_step_open_whole(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                                const double (*x1)[3], const graze_step_options *options, gz_step_call *call);

/* Checks the method and prepares it for every kind that the mesh has pairs of. */
graze_status gz_step_open_narrow(gz_step_call *call);

/* True if method, mode and mesh go with relative_separation. */
graze_status gz_step_relative_check(const gz_step_call *call);

/* True if `x`, positions that the call writes, are none that it reads. */
graze_status gz_step_check_target(const gz_step_call *call, const char *name, const double (*x)[3]);
/* As gz_step_check_target, but for a number for each vertex, for the times of mode VERTICES, and for results of a list
   of pairs. */
graze_status gz_step_check_numbers(const gz_step_call *call, const char *name, const double *numbers);
graze_status gz_step_check_times(const gz_step_call *call);
graze_status gz_step_check_results(const gz_step_call *call, gz_pieces results, const graze_pair *pairs, size_t count);

/* True if pairs of this kind are looked for, and the mesh can have such; GZ_FF included. */
bool gz_step_has_kind(const gz_step_call *call, graze_kind kind);

#endif
