/* The table of methods. A new one is a file of its own that defines a gz_method, and a line here. */
#include "narrow/method.h"

#include <string.h>

extern const gz_method gz_method_oracle;

/* Known by name, not in this build. */
#define GZ_ABSENT(id, text, line)                                                                                      \
    {                                                                                                                  \
        .info = {.method = id, .name = text, .summary = line }                                                         \
    }

static const gz_method absent[] = {
    GZ_ABSENT(GRAZE_METHOD_CERTIFIED, "certified", "directional certificates: conservative, three-valued"),
    GZ_ABSENT(GRAZE_METHOD_EXACT, "exact", "certificates, then exact arithmetic for the few left"),
    GZ_ABSENT(GRAZE_METHOD_TI, "ti", "Tight Inclusion"),
    GZ_ABSENT(GRAZE_METHOD_IRF, "irf", "multivariate interval root finder"),
    GZ_ABSENT(GRAZE_METHOD_UIRF, "uirf", "univariate interval root finder"),
    GZ_ABSENT(GRAZE_METHOD_FPRF, "fprf", "floating-point cubic root finder; misses contacts"),
    GZ_ABSENT(GRAZE_METHOD_MSRF, "msrf", "minimum-separation root finder; misses contacts"),
    GZ_ABSENT(GRAZE_METHOD_RP, "rp", "root parity in floating point; misses even counts"),
    GZ_ABSENT(GRAZE_METHOD_RRP, "rrp", "root parity in rationals; misses even counts"),
    GZ_ABSENT(GRAZE_METHOD_BSC, "bsc", "Bernstein sign classification"),
    GZ_ABSENT(GRAZE_METHOD_TCCD, "tccd", "TightCCD: fast, many false alarms"),
    GZ_ABSENT(GRAZE_METHOD_ACCD, "accd", "additive advancement; not conservative in floats"),
    GZ_ABSENT(GRAZE_METHOD_SAFE, "safe", "failure-proof cubic"),
    GZ_ABSENT(GRAZE_METHOD_PROVOT, "provot", "the basic cubic test; misses contacts"),
};

static const gz_method *const methods[] = {
    [GRAZE_METHOD_CERTIFIED] = &absent[0], [GRAZE_METHOD_EXACT] = &absent[1], [GRAZE_METHOD_ORACLE] = &gz_method_oracle,
    [GRAZE_METHOD_TI] = &absent[2],        [GRAZE_METHOD_IRF] = &absent[3],   [GRAZE_METHOD_UIRF] = &absent[4],
    [GRAZE_METHOD_FPRF] = &absent[5],      [GRAZE_METHOD_MSRF] = &absent[6],  [GRAZE_METHOD_RP] = &absent[7],
    [GRAZE_METHOD_RRP] = &absent[8],       [GRAZE_METHOD_BSC] = &absent[9],   [GRAZE_METHOD_TCCD] = &absent[10],
    [GRAZE_METHOD_ACCD] = &absent[11],     [GRAZE_METHOD_SAFE] = &absent[12], [GRAZE_METHOD_PROVOT] = &absent[13],
};

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
