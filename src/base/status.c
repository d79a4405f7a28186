#include "graze/base.h"

#include "base/names.h"
#include "base/platform.h"

#include <string.h>

#define TEXT_OF(x) #x
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *graze_version(void) { return VERSION_TEXT(GRAZE_VERSION_MAJOR, GRAZE_VERSION_MINOR, GRAZE_VERSION_PATCH); }

const char *graze_status_name(graze_status status) {
    switch (status) {
    case GRAZE_OK: return "ok";
    case GRAZE_ERR_INVALID_ARGUMENT: return "invalid argument";
    case GRAZE_ERR_NOT_FINITE: return "not finite";
    case GRAZE_ERR_OUT_OF_RANGE: return "out of range";
    case GRAZE_ERR_BAD_INDEX: return "bad index";
    case GRAZE_ERR_OUT_OF_MEMORY: return "out of memory";
    case GRAZE_ERR_UNSUPPORTED: return "unsupported";
    case GRAZE_ERR_FP_ENVIRONMENT: return "floating-point environment";
    case GRAZE_ERR_CALLBACK: return "callback";
    case GRAZE_ERR_BUSY: return "busy";
    case GRAZE_ERR_DEVICE: return "device";
    case GRAZE_ERR_CANCELLED: return "cancelled";
    }
    return "unknown";
}

const char *graze_verdict_name(graze_verdict verdict) {
    switch (verdict) {
    case GRAZE_UNRESOLVED: return "unresolved";
    case GRAZE_CLEAR: return "clear";
    case GRAZE_HIT: return "hit";
    }
    return "unknown";
}

const char *graze_reason_name(graze_reason reason) {
    switch (reason) {
    case GRAZE_REASON_NONE: return "none";
    case GRAZE_REASON_BUDGET: return "budget";
    case GRAZE_REASON_MEMORY: return "memory";
    case GRAZE_REASON_CANCELLED: return "cancelled";
    case GRAZE_REASON_PRECISION: return "precision";
    case GRAZE_REASON_STOPPED: return "stopped";
    }
    return "unknown";
}

const char *gz_name_of(const char *const *names, size_t count, int value) {
    return (unsigned)value < count ? names[value] : NULL;
}

int gz_name_find(const char *const *names, size_t count, const char *name) {
    for (size_t i = 0; name && i < count; i++)
        if (strcmp(names[i], name) == 0) return (int)i;
    return -1;
}
