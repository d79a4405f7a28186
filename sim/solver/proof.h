/* A certificate of one time step: every move that Newton's method made in it, pair by pair, for `graze verify`.
 *
 * The straight way from one frame to the next is not what was taken: the moves are, and each of them is proven. */
#ifndef GRAZE_SIM_SOLVER_PROOF_H
#define GRAZE_SIM_SOLVER_PROOF_H

#include "sim/world.h"

#include "app/certificate.h"

typedef struct sim_proof {
    app_certificate file;
    const sim_world *world;
    graze_context *context;
    const char *scene;
    size_t moves;
} sim_proof;

/* The file appears at the end. All of these end the program when something fails. */
void sim_proof_begin(sim_proof *proof, const char *path, const char *scene, const sim_world *world,
                     graze_context *context);
void sim_proof_move(sim_proof *proof, double (*x0)[3], double (*x1)[3]);
void sim_proof_end(sim_proof *proof);

#endif
