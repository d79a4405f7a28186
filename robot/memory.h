/* Memory of the readers: errors in place of an end of the program. */
#ifndef GRAZE_ROBOT_MEMORY_H
#define GRAZE_ROBOT_MEMORY_H

#include <stddef.h>

/* Zeroed; never NULL for 0 items. NULL without memory. */
void *robot_allocate(size_t count, size_t size);
/* The array, perhaps elsewhere, with room for one more item, which is zeroed. NULL without memory: it is as it was. */
void *robot_grown(void *array, size_t *room, size_t count, size_t size);
/* NULL without memory. Free it. */
char *robot_copy_text(const char *text);
/* The path of `name`, seen from the folder of the file `base`. NULL without memory. Free it. */
char *robot_path_beside(const char *base, const char *name);

#endif
