#include "app/model_world.h"

#include "app/app.h"

#include <stdlib.h>

typedef struct pair_table {
    const uint8_t *pairs;
    size_t links, *first; /* of each model */
    size_t models;
} pair_table;

static graze_pair_rule ask_table(void *user, uint32_t body_a, uint32_t link_a, uint32_t body_b, uint32_t link_b,
                                 double *separation) {
    const pair_table *table = user;
    (void)separation;
    if (!table->pairs || body_a >= table->models || body_b >= table->models) return GRAZE_PAIR_TEST;
    size_t a = table->first[body_a] + link_a, b = table->first[body_b] + link_b;
    return table->pairs[a * table->links + b] ? GRAZE_PAIR_TEST : GRAZE_PAIR_SKIP;
}

graze_status app_model_world(graze_context *context, const graze_model *const *models, size_t count,
                             const uint8_t *link_pairs, const graze_body *more, size_t more_count,
                             graze_world **world) {
    graze_body *bodies = app_allocate(count + more_count, sizeof *bodies);
    pair_table table = {link_pairs, 0, app_allocate(count, sizeof *table.first), count};
    for (size_t i = 0; i < more_count; i++) bodies[count + i] = more[i];
    for (size_t m = 0; m < count; m++) {
        bodies[m] = graze_default_body();
        bodies[m].model = models[m];
        table.first[m] = table.links;
        table.links += graze_model_links(models[m]);
    }
    graze_world_options options = graze_default_world_options();
    options.filter = ask_table;
    options.filter_user = &table;
    graze_status status = graze_world_create(context, bodies, count + more_count, &options, world);
    free(bodies);
    free(table.first);
    return status;
}
