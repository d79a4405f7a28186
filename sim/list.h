/* Lists that grow. */
#ifndef GRAZE_SIM_LIST_H
#define GRAZE_SIM_LIST_H

#include <stddef.h>

#define SIM_LIST(type)                                                                                                 \
    struct {                                                                                                           \
        type *items;                                                                                                   \
        size_t count, room;                                                                                            \
    }

/* Room for one more; ends the program without memory. */
void *sim_grow(void *items, size_t count, size_t *room, size_t size);

#define SIM_PUSH(list, ...)                                                                                            \
    ((list)->items = sim_grow((list)->items, (list)->count, &(list)->room, sizeof *(list)->items),                     \
     (list)->items[(list)->count++] = (__VA_ARGS__))

#endif
