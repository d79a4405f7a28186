#include "sim/solver/proof.h"

#include "sim/energy/term.h"

#include "app/app.h"

#include <string.h>

void sim_proof_begin(sim_proof *proof, const char *path, const char *scene, const sim_world *world,
                     graze_context *context) {
    *proof = (sim_proof){.world = world, .context = context, .scene = scene};
    graze_options options = graze_default_options();
    options.method = GRAZE_METHOD_CERTIFIED;
    app_certificate_open(&proof->file, path, &options, false);
}

void sim_proof_move(sim_proof *proof, double (*x0)[3], double (*x1)[3]) {
    const graze_mesh *mesh = &proof->world->mesh;
    graze_pair *pairs;
    size_t count;
    graze_status status =
        graze_candidates(proof->context, mesh, (const double(*)[3])x0, (const double(*)[3])x1, NULL, &pairs, &count);
    if (status != GRAZE_OK) app_fail_status(status, proof->context, "sim: --certificates");
    for (size_t i = 0; i < count; i++) {
        graze_query query;
        graze_result result;
        status = graze_pair_query(mesh, (const double(*)[3])x0, (const double(*)[3])x1, 0, pairs[i], &query);
        if (status == GRAZE_OK) status = graze_ccd(pairs[i].kind, &query, &proof->file.options, &result);
        if (status != GRAZE_OK) app_fail_status(status, NULL, "sim: --certificates");
        app_certificate_query(&proof->file, proof->scene, proof->moves, pairs[i].kind, &query, &result);
    }
    graze_pairs_release(proof->context, pairs, count);
    proof->moves++;
}

void sim_proof_end(sim_proof *proof) { app_certificate_close(&proof->file); }
