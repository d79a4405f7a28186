#include "world/straight.h"

#include "step/step.h"

static graze_step_mode mode_of(graze_articulated_mode mode) {
    return mode == GRAZE_ARTICULATED_ALL   ? GRAZE_STEP_ALL
           : mode == GRAZE_ARTICULATED_ANY ? GRAZE_STEP_ANY
                                           : GRAZE_STEP_EARLIEST;
}

static bool add(const gz_movers *movers, const graze_pair_result *pair, gz_contacts *found) {
    gz_near_pair near = gz_near_of_straight(&movers->world->units, pair->pair);
    return gz_contacts_add(found, movers, &near, &pair->result);
}

static graze_status take(const gz_movers *movers, const graze_step_result *result, gz_contacts *found) {
    bool room = true;
    if (movers->options.mode != GRAZE_ARTICULATED_ALL)
        room = !result->has_pair || add(movers, &result->limiting, found);
    for (size_t i = 0; i < result->pair_count && room; i++) room = add(movers, &result->pairs[i], found);
    return room ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
}

graze_status gz_straight_step(gz_movers *movers, gz_contacts *found, graze_step_result *result) {
    const graze_articulated_options *given = &movers->options;
    const graze_mesh *mesh = &movers->world->units.joined;
    graze_options narrow = graze_default_options();
    graze_step_options options = graze_default_step_options();
    const double(*x)[3] = (const double(*)[3])movers->straight;
    if (!movers->world->units.straight) return GRAZE_OK;
    narrow.min_separation = given->min_separation;
    narrow.t_max = given->t_max;
    narrow.tolerance = given->tolerance;
    options.narrow = &narrow;
    options.mode = mode_of(given->mode);
    graze_status status = gz_step_run(movers->context, mesh, x, x + mesh->vertex_count, &options, result);
    if (status != GRAZE_OK) return status;
    status = take(movers, result, found);
    graze_step_release(movers->context, result);
    return status;
}
