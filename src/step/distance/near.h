/* A search for the pairs within a distance of each other. */
#ifndef GZ_STEP_NEAR_H
#define GZ_STEP_NEAR_H

#include "graze/proximity.h"

#include "step/float_look.h"
#include "step/on_backend.h"

/* The search's own call. Its mesh may have other radii than the caller's: those that boxes have to grow by. */
typedef struct gz_near_call {
    gz_step_call call;   /* first: tests of pairs are given this */
    const double *radii; /* the caller's; NULL without thickness */
    bool looks;          /* on the CPU: there is a look in float before anything else */
    gz_far_job far;
} gz_near_call;

/* Decides exactly whether a pair is near. False when there is no memory to tell. */
bool gz_near_decide(const gz_near_call *near, uint32_t worker, graze_kind kind, const uint32_t ids[4], bool *wanted);

/* For each vertex the least distance of the pairs that have it, less their offset; nothing where `to` is NULL. */
graze_status gz_near_of_vertices(const gz_near_call *near, const graze_proximity_result *found, double *to);

/* The list by a back end. The lists of the mesh and the positions need not have been checked. */
graze_status gz_near_on_backend(gz_near_call *near, gz_backend *backend, graze_proximity_result *result);

#endif
