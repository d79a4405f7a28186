/* Declarations that the parts of the WebAssembly module share. */
#ifndef GRAZE_WEB_MODULE_H
#define GRAZE_WEB_MODULE_H

#include "graze/graze.h"

#include <stdbool.h>

#define EXPORT(name) __attribute__((export_name(name)))

enum {
    MODULE_OPTIONS = 5, /* method, separation, t_max, tolerance, max_checks */
    MODULE_RESULT = 14, /* verdict, reason, proven, toi, toi_upper, u, v, point, normal, checks */
};

graze_context *module_context(void);
graze_options module_options(const double given[MODULE_OPTIONS]);
void module_put_result(const graze_result *from, double to[MODULE_RESULT]);

/* Keep the message for the script; both return false, module_ok unless the status is GRAZE_OK. */
bool module_fail(const char *message);
bool module_ok(graze_status status, const graze_context *context);

#endif
