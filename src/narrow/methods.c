/* The table of methods. A new one is a file of its own that defines a gz_method, and a line here. Those that are kept
   for comparison are built with GRAZE_COMPARED. */
#include "narrow/method.h"

#include <string.h>

extern const gz_method gz_method_certified;
extern const gz_method gz_method_exact;
extern const gz_method gz_method_oracle;
#if GRAZE_COMPARED
extern const gz_method gz_method_ti;
extern const gz_method gz_method_irf;
extern const gz_method gz_method_uirf;
extern const gz_method gz_method_fprf;
extern const gz_method gz_method_msrf;
extern const gz_method gz_method_rp;
extern const gz_method gz_method_rrp;
extern const gz_method gz_method_bsc;
extern const gz_method gz_method_tccd;
extern const gz_method gz_method_accd;
extern const gz_method gz_method_safe;
extern const gz_method gz_method_provot;
#else
/* The product alone: names are known, and a call that asks for one says that it is not in this build. */
#define ABSENT(value, text)                                                                                            \
    static const gz_method gz_method_##text = {                                                                        \
        .info = {.method = GRAZE_METHOD_##value, .name = #text, .summary = "not in this build"}}
ABSENT(TI, ti);
ABSENT(IRF, irf);
ABSENT(UIRF, uirf);
ABSENT(FPRF, fprf);
ABSENT(MSRF, msrf);
ABSENT(RP, rp);
ABSENT(RRP, rrp);
ABSENT(BSC, bsc);
ABSENT(TCCD, tccd);
ABSENT(ACCD, accd);
ABSENT(SAFE, safe);
ABSENT(PROVOT, provot);
#endif

/* clang-format off: one line for each */
static const gz_method *const methods[] = {
    [GRAZE_METHOD_CERTIFIED] = &gz_method_certified,
    [GRAZE_METHOD_EXACT] = &gz_method_exact,
    [GRAZE_METHOD_ORACLE] = &gz_method_oracle,
    [GRAZE_METHOD_TI] = &gz_method_ti,
    [GRAZE_METHOD_IRF] = &gz_method_irf,
    [GRAZE_METHOD_UIRF] = &gz_method_uirf,
    [GRAZE_METHOD_FPRF] = &gz_method_fprf,
    [GRAZE_METHOD_MSRF] = &gz_method_msrf,
    [GRAZE_METHOD_RP] = &gz_method_rp,
    [GRAZE_METHOD_RRP] = &gz_method_rrp,
    [GRAZE_METHOD_BSC] = &gz_method_bsc,
    [GRAZE_METHOD_TCCD] = &gz_method_tccd,
    [GRAZE_METHOD_ACCD] = &gz_method_accd,
    [GRAZE_METHOD_SAFE] = &gz_method_safe,
    [GRAZE_METHOD_PROVOT] = &gz_method_provot,
};
/* clang-format on */

#define GZ_DEFAULT_METHOD GRAZE_METHOD_CERTIFIED
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
