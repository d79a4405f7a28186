/* Articulated models: the public face. */
#include "graze/articulated.h"

#include "base/context.h"
#include "base/sizes.h"

void graze_init_articulated_options(graze_articulated_options *options, size_t size) {
    gz_sized_init(options, size, &(graze_articulated_options){.t_max = 1}, sizeof *options);
}

void graze_init_articulated_result(graze_articulated_result *result, size_t size) {
    gz_sized_init(result, size, &(graze_articulated_result){0}, sizeof *result);
}

graze_status graze_model_create(graze_context *context, const graze_link *links, size_t count, graze_model **model) {
    (void)links;
    (void)count;
    if (!model) return GRAZE_ERR_INVALID_ARGUMENT;
    *model = NULL;
    return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "articulated models are not in this build");
}

void graze_model_destroy(graze_context *context, graze_model *model) {
    (void)context;
    (void)model;
}

size_t graze_model_values(const graze_model *model) {
    (void)model;
    return 0;
}

graze_status graze_articulated_step(graze_context *context, const graze_model *const *models, size_t count,
                                    const double *const *q0, const double *const *q1,
                                    const graze_articulated_options *options, graze_articulated_result *result) {
    (void)models;
    (void)count;
    (void)q0;
    (void)q1;
    (void)options;
    if (!result) return GRAZE_ERR_INVALID_ARGUMENT;
    graze_status status =
        gz_sized_check(context, "articulated result", result, GZ_SIZE_UP_TO(graze_articulated_result, normal));
    if (status != GRAZE_OK) return status;
    gz_sized_write(result, &(graze_articulated_result){0}, sizeof *result);
    return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "articulated models are not in this build");
}
