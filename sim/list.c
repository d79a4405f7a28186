#include "sim/list.h"

#include "app/app.h"

#include <stdlib.h>

void *sim_grow(void *items, size_t count, size_t *room, size_t size) {
    if (count < *room) return items;
    *room = *room ? 2 * *room : 64;
    void *more = *room <= (size_t)-1 / size ? realloc(items, *room * size) : NULL;
    if (!more) app_fail("sim: out of memory");
    return more;
}
