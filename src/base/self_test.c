#include "base/self_test.h"

_Atomic unsigned gz_self_tested[GZ_ISAS];

bool gz_self_test(graze_isa isa) {
    unsigned known = atomic_load_explicit(&gz_self_tested[isa], memory_order_relaxed);
    if (known != GZ_NOT_TESTED) return known == GZ_SOUND;
    gz_fp_environment env;
    if (!gz_fp_enter(&env)) return false;
    known = gz_self_test_run(isa) ? GZ_SOUND : GZ_UNSOUND;
    gz_fp_leave(&env);
    atomic_store_explicit(&gz_self_tested[isa], known, memory_order_relaxed);
    return known == GZ_SOUND;
}
