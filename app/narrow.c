#include "app/narrow.h"

#include <string.h>

graze_options app_narrow_options(const char *command, const app_narrow *narrow) {
    if (!(narrow->separation >= 0))
        app_fail("%s: --separation %g: it must not be negative", command, narrow->separation);
    if (!(narrow->tolerance >= 0)) app_fail("%s: --tolerance %g: it must not be negative", command, narrow->tolerance);
    if (!(narrow->t_max > 0 && narrow->t_max <= 1))
        app_fail("%s: --t-max %g: it must lie in (0, 1]", command, narrow->t_max);
    if (narrow->separation > GRAZE_MAX_COORDINATE || narrow->tolerance > GRAZE_MAX_COORDINATE)
        app_fail("%s: --separation and --tolerance: at most 2^160", command);
    graze_options options = graze_default_options();
    options.method = app_method(narrow->method ? narrow->method : graze_method_get(GRAZE_METHOD_DEFAULT)->name);
    options.min_separation = narrow->separation;
    options.tolerance = narrow->tolerance;
    options.t_max = narrow->t_max;
    options.max_checks = narrow->max_checks;
    /* a batch of no queries: the library says what a method cannot do, before any file is read */
    graze_context *context = app_context(1);
    graze_status status = graze_ccd_batch(context, GRAZE_VF, NULL, 0, &options, NULL);
    if (status != GRAZE_OK) app_fail_status(status, context, command);
    graze_context_destroy(context);
    return options;
}

double app_tolerance_in_force(const graze_options *options) {
    return options->tolerance > 0 ? options->tolerance : graze_method_get(options->method)->default_tolerance;
}

bool app_verdict_read(const cJSON *item, graze_verdict *verdict) {
    for (int i = GRAZE_UNRESOLVED; cJSON_IsString(item) && i <= GRAZE_HIT; i++)
        if (strcmp(item->valuestring, graze_verdict_name((graze_verdict)i)) == 0) {
            *verdict = (graze_verdict)i;
            return true;
        }
    return false;
}

int app_verdict_status(bool exit_code, bool hit, bool unresolved) {
    return !exit_code ? APP_OK : hit ? APP_FOUND : unresolved ? APP_UNRESOLVED : APP_OK;
}
