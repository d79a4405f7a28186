#include "cli/robots/plan_paths.h"

#include "app/model_world.h"
#include "cli/robots/link_contact.h"

#include <stdlib.h>

graze_world *cli_world_of(graze_context *context, const cli_model_file *file) {
    const graze_model **models = cli_models_of(file);
    graze_world *world;
    graze_status status = app_model_world(context, models, file->read.count, file->link_pairs, NULL, 0, &world);
    free(models);
    if (status != GRAZE_OK) cli_fail_models(context, file, status);
    return world;
}

/* A path that stands, for a model that the plan does not move: both of its control points are one pose. */
static graze_path standing(const cli_model_file *file, size_t model, const graze_path *beside, double knots[4],
                           double **control) {
    size_t values = file->read.trees[model].values;
    const double *pose = file->read.motions[model].poses;
    graze_path path = graze_default_path();
    *control = app_allocate(2 * values, sizeof **control);
    for (size_t i = 0; i < 2 * values; i++) (*control)[i] = pose[i % values];
    knots[0] = knots[1] = beside->knots[beside->degree];
    knots[2] = knots[3] = beside->knots[beside->count];
    path.body = (uint32_t)model;
    path.count = 2;
    path.knots = knots;
    path.control = *control;
    return path;
}

cli_plan_paths cli_plan_paths_of(const cli_model_file *file, const robot_plan *plan) {
    size_t models = file->read.count;
    cli_plan_paths made = {.models = models};
    made.paths = app_allocate(models, sizeof *made.paths);
    made.control = app_allocate(models, sizeof *made.control);
    made.knots = app_allocate(models, sizeof *made.knots);
    for (size_t m = 0; m < models; m++) {
        if (m == plan->path.body)
            made.paths[made.count++] = plan->path;
        else if (file->read.trees[m].values)
            made.paths[made.count++] = standing(file, m, &plan->path, made.knots[m], &made.control[m]);
    }
    return made;
}

void cli_free_plan_paths(cli_plan_paths *paths) {
    for (size_t m = 0; m < paths->models; m++) free(paths->control[m]);
    free(paths->control);
    free(paths->knots);
    free(paths->paths);
}
