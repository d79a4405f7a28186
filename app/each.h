/* Many items on many threads, each by itself: for what is not one call of the library. */
#ifndef GRAZE_APP_EACH_H
#define GRAZE_APP_EACH_H

#include "graze/base.h"

#include <stdbool.h>

/* Item i, on the worker of that number; anything but GRAZE_OK ends the loop. */
typedef graze_status app_item(void *user, size_t worker, size_t i);

typedef struct app_loop {
    size_t count;
    size_t threads; /* workers, at least 1 */
    size_t chunk;   /* items that a worker takes at once, at least 1 */
    app_item *item;
    bool (*stopped)(void *user); /* NULL, or looked at between chunks: true ends the loop */
    void *user;
} app_loop;

/* Returns the first item that failed, with its status, or SIZE_MAX. Which one that is does not depend on the threads:
   chunks are begun in order, and one that is begun is finished. */
size_t app_each(const app_loop *loop, graze_status *status);

#endif
