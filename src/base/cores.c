/* The number of threads worth having. */
#include "base/pool.h"
#include "base/system.h"

#include <stdlib.h>

/* A number from 1 on that a variable of the environment begins with ("4", "4,2"); 0 when it has none. */
static uint32_t number_from(const char *variable) {
    const char *text = getenv(variable);
    long value = text ? strtol(text, NULL, 10) : 0;
    if (value <= 0) return 0;
    return value < (long)GZ_MOST_THREADS ? (uint32_t)value : GZ_MOST_THREADS;
}

uint32_t gz_cores(void) {
    long cores = gz_system_cores();
    return cores < (long)GZ_MOST_THREADS ? (uint32_t)cores : GZ_MOST_THREADS;
}

uint32_t gz_threads_asked(void) {
    uint32_t asked = number_from("GRAZE_NUM_THREADS");
    return asked ? asked : number_from("OMP_NUM_THREADS");
}

uint32_t graze_pool_threads(void) {
    uint32_t asked = gz_threads_asked();
    return asked ? asked : gz_cores();
}
