#include "app/sim_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *app_sim_program(void) {
    enum { ROOM = 4096 };
    static const char name[] = "/graze-sim";
    char *path = calloc(1, ROOM + sizeof name);
    ssize_t length = path ? readlink("/proc/self/exe", path, ROOM - 1) : 0;
    char *slash = length > 0 ? strrchr(path, '/') : NULL;
    if (slash) memcpy(slash, name, sizeof name);
    if (slash && access(path, X_OK) == 0) return path;
    free(path);
    return NULL;
}
