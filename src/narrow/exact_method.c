/* `exact`: what `certified` proves stands; its brackets are narrowed to adjacent doubles, and exact arithmetic decides
   the few pairs that are left. */
#include "narrow/certified.h"

const gz_method gz_method_exact = {
    .info = {.method = GRAZE_METHOD_EXACT,
             .name = "exact",
             .summary = "certificates, then exact arithmetic for the few left",
             .available = 1,
             .conservative = 1,
             .exact = 1,
             .gives_toi = 1,
             .default_max_checks = GZ_CERTIFIED_MAX_CHECKS,
             .kinds = 1u << GRAZE_VF | 1u << GRAZE_EE | 1u << GRAZE_PE | 1u << GRAZE_PP},
    GZ_CERTIFIED_SOLVERS,
};
