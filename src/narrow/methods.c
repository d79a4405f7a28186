/* The table of methods. A new one is a file of its own that defines a gz_method, and a line here. */
#include "narrow/method.h"

#include <string.h>

extern const gz_method gz_method_oracle;
extern const gz_method gz_method_certified;
extern const gz_method gz_method_exact;
extern const gz_method gz_method_ti;

/* Known by name, not in this build. */
#define GZ_ABSENT(id, text, line)                                                                                      \
    &(const gz_method) {                                                                                               \
        .info = {.method = id, .name = text, .summary = line }                                                         \
    }

/* clang-format off: one line for each */
static const gz_method *const methods[] = {
    [GRAZE_METHOD_CERTIFIED] = &gz_method_certified,
    [GRAZE_METHOD_EXACT] = &gz_method_exact,
    [GRAZE_METHOD_ORACLE] = &gz_method_oracle,
    [GRAZE_METHOD_TI] = &gz_method_ti,
    [GRAZE_METHOD_IRF] = GZ_ABSENT(GRAZE_METHOD_IRF, "irf", "multivariate interval root finder"),
    [GRAZE_METHOD_UIRF] = GZ_ABSENT(GRAZE_METHOD_UIRF, "uirf", "univariate interval root finder"),
    [GRAZE_METHOD_FPRF] = GZ_ABSENT(GRAZE_METHOD_FPRF, "fprf", "floating-point cubic root finder; misses contacts"),
    [GRAZE_METHOD_MSRF] = GZ_ABSENT(GRAZE_METHOD_MSRF, "msrf", "minimum-separation root finder; misses contacts"),
    [GRAZE_METHOD_RP] = GZ_ABSENT(GRAZE_METHOD_RP, "rp", "root parity in floating point; misses even counts"),
    [GRAZE_METHOD_RRP] = GZ_ABSENT(GRAZE_METHOD_RRP, "rrp", "root parity in rationals; misses even counts"),
    [GRAZE_METHOD_BSC] = GZ_ABSENT(GRAZE_METHOD_BSC, "bsc", "Bernstein sign classification"),
    [GRAZE_METHOD_TCCD] = GZ_ABSENT(GRAZE_METHOD_TCCD, "tccd", "TightCCD: fast, many false alarms"),
    [GRAZE_METHOD_ACCD] = GZ_ABSENT(GRAZE_METHOD_ACCD, "accd", "additive advancement; not conservative in floats"),
    [GRAZE_METHOD_SAFE] = GZ_ABSENT(GRAZE_METHOD_SAFE, "safe", "failure-proof cubic"),
    [GRAZE_METHOD_PROVOT] = GZ_ABSENT(GRAZE_METHOD_PROVOT, "provot", "the basic cubic test; misses contacts"),
};
/* clang-format on */

#define GZ_DEFAULT_METHOD GRAZE_METHOD_TI
#define METHOD_COUNT (sizeof methods / sizeof *methods)

const gz_method *gz_method_get(graze_method method) {
    if (method == GRAZE_METHOD_DEFAULT) method = GZ_DEFAULT_METHOD;
    return (unsigned)method < METHOD_COUNT ? methods[method] : NULL;
}

const graze_method_info *graze_method_get(graze_method method) {
    const gz_method *found = gz_method_get(method);
    return found ? &found->info : NULL;
}

const graze_method_info *graze_method_find(const char *name) {
    if (!name) return NULL;
    for (size_t i = 1; i < METHOD_COUNT; i++)
        if (strcmp(methods[i]->info.name, name) == 0) return &methods[i]->info;
    return NULL;
}
