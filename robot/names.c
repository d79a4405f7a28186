#include "robot/names.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash(const char *name, size_t length) {
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)name[i]) * 1099511628211u;
    return h ^ h >> 32;
}

/* The slot of the name, or the free one where it belongs. */
static robot_name *slot_of(const robot_names *names, const char *name, size_t length) {
    size_t mask = names->room - 1, at = (size_t)hash(name, length) & mask;
    for (;; at = (at + 1) & mask) {
        robot_name *slot = &names->slots[at];
        if (!slot->name || (slot->length == length && memcmp(slot->name, name, length) == 0)) return slot;
    }
}

static bool make_room(robot_names *names) {
    if (2 * (names->count + 1) <= names->room) return true;
    robot_names larger = {.room = names->room ? 2 * names->room : 16, .count = names->count};
    larger.slots = calloc(larger.room, sizeof *larger.slots);
    if (!larger.slots) return false;
    for (size_t i = 0; i < names->room; i++)
        if (names->slots[i].name) *slot_of(&larger, names->slots[i].name, names->slots[i].length) = names->slots[i];
    free(names->slots);
    *names = larger;
    return true;
}

robot_naming robot_name_add(robot_names *names, const char *name, uint32_t index) {
    if (!make_room(names)) return ROBOT_NO_MEMORY;
    size_t length = strlen(name);
    robot_name *slot = slot_of(names, name, length);
    if (slot->name) return ROBOT_NAMED_TWICE;
    *slot = (robot_name){name, length, index};
    names->count++;
    return ROBOT_NAMED;
}

int64_t robot_name_find_part(const robot_names *names, const char *name, size_t length) {
    if (names->room == 0) return -1;
    const robot_name *slot = slot_of(names, name, length);
    return slot->name ? (int64_t)slot->index : -1;
}

int64_t robot_name_find(const robot_names *names, const char *name) {
    return robot_name_find_part(names, name, strlen(name));
}

void robot_names_free(robot_names *names) {
    free(names->slots);
    *names = (robot_names){0};
}
