/* A world of models, with the pairs that a table of links says. */
#ifndef GRAZE_APP_MODEL_WORLD_H
#define GRAZE_APP_MODEL_WORLD_H

#include "graze/world.h"

/* `link_pairs` as in graze_articulated_options; NULL: all pairs. `more` bodies come after the models, and are tested
   against all of them. */
graze_status app_model_world(graze_context *context, const graze_model *const *models, size_t count,
                             const uint8_t *link_pairs, const graze_body *more, size_t more_count, graze_world **world);

#endif
