#include "base/sizes.h"

#include "base/context.h"

#include <stdio.h>
#include <string.h>

/* No struct that is read is that long: a larger struct_size was never set, and what follows is not the caller's. */
#define SIZE_MOST 1048576u

static size_t size_of(const void *sized) {
    size_t size;
    memcpy(&size, sized, sizeof size);
    return size;
}

void gz_sized_init(void *caller, size_t size, const void *defaults, size_t known) {
    if (!caller || size < sizeof size) return;
    memcpy(caller, defaults, size < known ? size : known);
    if (size > known) memset((char *)caller + known, 0, size - known);
    memcpy(caller, &size, sizeof size);
}

static bool all_zero(const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (bytes[i]) return false;
    return true;
}

graze_status gz_sized_check(graze_context *context, const char *what, const void *caller, size_t least) {
    if (size_of(caller) >= least) return GRAZE_OK;
    return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX,
                   "%s: struct_size is %zu, not %zu or more: fill it by the function graze_default_…", what,
                   size_of(caller), least);
}

graze_status gz_sized_read(graze_context *context, const char *what, void *mine, size_t known, size_t least,
                           const void *given) {
    graze_status status = gz_sized_check(context, what, given, least);
    if (status != GRAZE_OK) return status;
    size_t size = size_of(given);
    if (size > SIZE_MOST)
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX,
                       "%s: struct_size is %zu, more than %u: fill it by the function graze_default_…", what, size,
                       SIZE_MOST);
    if (size > known && !all_zero((const char *)given + known, size - known))
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX,
                       "%s: struct_size is %zu, and a field beyond the %zu bytes of version %s is set", what, size,
                       known, graze_version());
    memcpy(mine, given, size < known ? size : known);
    memcpy(mine, &known, sizeof known);
    return GRAZE_OK;
}

/* Names are put together only where something is wrong: motions come by the thousand. */
static graze_status fail_at(graze_context *context, const gz_sized_kind *kind, uint64_t fault, void *mine,
                            const void *given, size_t index) {
    char what[64];
    snprintf(what, sizeof what, "%s %zu", kind->name, index);
    graze_status status = gz_sized_read(context, what, mine, kind->known, kind->least, given);
    if (context) context->error.index = fault;
    return status;
}

graze_status gz_sized_read_at(graze_context *context, const gz_sized_kind *kind, uint64_t fault, void *mine,
                              const void *first, size_t index) {
    size_t stride = size_of(first);
    const char *given = (const char *)first + index * stride;
    if (size_of(given) != stride)
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, fault,
                       "%s %zu: struct_size is %zu, and that of the first is %zu: all elements of an array must have "
                       "the same size",
                       kind->name, index, size_of(given), stride);
    if (gz_sized_read(NULL, kind->name, mine, kind->known, kind->least, given) == GRAZE_OK) return GRAZE_OK;
    return fail_at(context, kind, fault, mine, given, index);
}

void gz_sized_write(void *caller, const void *mine, size_t known) {
    size_t size = size_of(caller);
    memcpy(caller, mine, size < known ? size : known);
    memcpy(caller, &size, sizeof size);
}

graze_status gz_range_check(graze_context *context, double separation, double most, double t_max) {
    if (!(separation >= 0 && separation <= most))
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX,
                       "separation %g: it must be finite, not negative and at most %g", separation, most);
    if (!(t_max > 0 && t_max <= 1))
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "t_max %g: it must lie in (0, 1]", t_max);
    return GRAZE_OK;
}
