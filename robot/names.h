/* Indices by name, found in constant time. Names are borrowed. */
#ifndef GRAZE_ROBOT_NAMES_H
#define GRAZE_ROBOT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct robot_name {
    const char *name; /* NULL: free */
    size_t length;
    uint32_t index;
} robot_name;

typedef struct robot_names {
    robot_name *slots;
    size_t count, room; /* a power of two, or 0 */
} robot_names;

typedef enum robot_naming {
    ROBOT_NAMED,
    ROBOT_NAMED_TWICE, /* the first stays */
    ROBOT_NO_MEMORY,
} robot_naming;

robot_naming robot_name_add(robot_names *names, const char *name, uint32_t index);
/* −1 where there is none. */
int64_t robot_name_find(const robot_names *names, const char *name);
int64_t robot_name_find_part(const robot_names *names, const char *name, size_t length);
void robot_names_free(robot_names *names);

#endif
