/* The table of broad phases. */
#include "broad/broad.h"

#include <string.h>

static const char *const names[] = {
    [GRAZE_BROAD_AUTO] = "auto",   [GRAZE_BROAD_BRUTE] = "brute", [GRAZE_BROAD_SAP] = "sap",
    [GRAZE_BROAD_ISAP] = "isap",   [GRAZE_BROAD_GRID] = "grid",   [GRAZE_BROAD_GSAP] = "gsap",
    [GRAZE_BROAD_HASH] = "hash",   [GRAZE_BROAD_BVH] = "bvh",     [GRAZE_BROAD_KDTREE] = "kdtree",
    [GRAZE_BROAD_TRACY] = "tracy", [GRAZE_BROAD_STQ] = "stq",     [GRAZE_BROAD_CGAL] = "cgal",
    [GRAZE_BROAD_LBVH] = "lbvh",
};
#define BROAD_COUNT (sizeof names / sizeof *names)

const char *graze_broad_name(graze_broad broad) { return (unsigned)broad < BROAD_COUNT ? names[broad] : NULL; }

int graze_broad_find(const char *name, graze_broad *broad) {
    for (size_t i = 0; name && broad && i < BROAD_COUNT; i++)
        if (strcmp(names[i], name) == 0) {
            *broad = (graze_broad)i;
            return 1;
        }
    return 0;
}

int graze_broad_available(graze_broad broad) {
    (void)broad;
    return 0;
}

const char *graze_backend_name(graze_backend backend) {
    switch (backend) {
    case GRAZE_BACKEND_AUTO: return "auto";
    case GRAZE_BACKEND_CPU: return "cpu";
    case GRAZE_BACKEND_CUDA: return "cuda";
    }
    return NULL;
}

int graze_backend_available(graze_backend backend) {
    return backend == GRAZE_BACKEND_AUTO || backend == GRAZE_BACKEND_CPU;
}
