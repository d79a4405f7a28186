#include "numerics/kind.h"

#include "base/names.h"

static const char *const names[GZ_KINDS] = {"vf", "ee", "pe", "pp"};

const char *graze_kind_name(graze_kind kind) { return gz_name_of(names, GZ_KINDS, (int)kind); }

int graze_kind_find(const char *name, graze_kind *kind) {
    int found = gz_name_find(names, GZ_KINDS, name);
    if (found < 0 || !kind) return 0;
    *kind = (graze_kind)found;
    return 1;
}
