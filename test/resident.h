/* The memory that this process holds: for tests that nothing is left behind. */
#ifndef GRAZE_TEST_RESIDENT_H
#define GRAZE_TEST_RESIDENT_H

#include <stdio.h>

/* Pages; 0 where the system does not tell. */
static inline long resident_pages(void) {
    long all = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &all, &resident) != 2) resident = 0;
    if (file) fclose(file);
    return resident;
}

#endif
