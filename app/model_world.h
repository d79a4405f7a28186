/* A world of models, with the pairs that a table of links says. */
#ifndef GRAZE_APP_MODEL_WORLD_H
#define GRAZE_APP_MODEL_WORLD_H

#include "graze/world.h"

/* `link_pairs` as in graze_articulated_options; NULL: all pairs. */
graze_status app_model_world(graze_context *context, const graze_model *const *models, size_t count,
                             const uint8_t *link_pairs, graze_world **world);

#endif
