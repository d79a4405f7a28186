/* Exports of the WebAssembly module: libgraze and the readers behind plain arguments, so that the script around it
   needs to know no C structure. Numbers go as arrays of doubles; texts and arrays are owned by the module. */
#include "web/module/module.h"

#include <stdlib.h>
#include <string.h>

static char last_error[600];
static graze_status last_status;

EXPORT("error") const char *module_error(void) { return last_error; }

EXPORT("error_is_of_arguments") bool module_error_is_of_arguments(void) {
    return last_status == GRAZE_ERR_INVALID_ARGUMENT || last_status == GRAZE_ERR_NOT_FINITE ||
           last_status == GRAZE_ERR_OUT_OF_RANGE || last_status == GRAZE_ERR_BAD_INDEX ||
           last_status == GRAZE_ERR_UNSUPPORTED;
}

EXPORT("allocate") void *module_allocate(size_t size) { return malloc(size ? size : 1); }

EXPORT("release") void module_release(void *block) { free(block); }

EXPORT("version") const char *module_version(void) { return graze_version(); }

EXPORT("isa") const char *module_isa(void) { return graze_isa_name(graze_isa_in_use()); }

bool module_fail(const char *message) {
    last_status = GRAZE_OK;
    strncpy(last_error, message, sizeof last_error - 1);
    return false;
}

bool module_ok(graze_status status, const graze_context *context) {
    graze_error error;
    if (status == GRAZE_OK) return true;
    bool told = context && graze_context_last_error(context, &error) == GRAZE_OK && error.message[0];
    module_fail(told ? error.message : graze_status_name(status));
    last_status = status;
    return false;
}

/* Made once and never given back: calls come one at a time. */
graze_context *module_context(void) {
    static graze_context *context;
    if (!context) module_ok(graze_context_create(NULL, &context), NULL);
    return context;
}

graze_options module_options(const double given[MODULE_OPTIONS]) {
    graze_options options = graze_default_options();
    options.method = (graze_method)given[0];
    options.min_separation = given[1];
    options.t_max = given[2];
    options.tolerance = given[3];
    options.max_checks = (uint64_t)given[4];
    return options;
}

void module_put_result(const graze_result *from, double to[MODULE_RESULT]) {
    const double fields[MODULE_RESULT] = {
        from->verdict,   from->reason,         from->proven,   from->toi,      from->toi_upper, from->u,
        from->v,         from->point[0],       from->point[1], from->point[2], from->normal[0], from->normal[1],
        from->normal[2], (double)from->checks,
    };
    memcpy(to, fields, sizeof fields);
}
