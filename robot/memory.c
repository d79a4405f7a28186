#include "robot/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *robot_allocate(size_t count, size_t size) { return calloc(count ? count : 1, size); }

void *robot_grown(void *array, size_t *room, size_t count, size_t size) {
    char *items = array;
    if (count == *room) {
        size_t larger = *room + *room / 2 + 8;
        items = larger > SIZE_MAX / size ? NULL : realloc(array, larger * size);
        if (!items) return NULL;
        *room = larger;
    }
    memset(items + count * size, 0, size);
    return items;
}

char *robot_copy_text(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

char *robot_path_beside(const char *base, const char *name) {
    const char *slash = strrchr(base, '/');
    size_t folder = name[0] != '/' && slash ? (size_t)(slash - base) + 1 : 0, size = strlen(name) + 1;
    char *path = malloc(folder + size);
    if (!path) return NULL;
    memcpy(path, base, folder);
    memcpy(path + folder, name, size);
    return path;
}
