/* Shared by readers of certificates about links: names in their order, lists, models and the pairs left out. */
#ifndef GRAZE_VERIFY_READING_H
#define GRAZE_VERIFY_READING_H

#include "verify/path_scene.h"
#include "verify/scan.h"

/* Room for one more item in *array, whose items have this size. */
bool scene_grow(scanner *in, void *array, size_t *room, size_t count, size_t size);

/* The name that must come next, with what is before it. */
bool scene_field(scanner *in, const char *name, bool first);
bool scene_whole(scanner *in, const char *what, double least, double most, double *x);

/* [ item, item, … ] */
typedef bool scene_item(scanner *in, path_scene *scene, void *state);
bool scene_list(scanner *in, path_scene *scene, const char *what, scene_item *read, void *state);

/* Two links in brackets. */
bool scene_read_links(scanner *in, const path_scene *scene, path_pair *pair);

/* Models and the pairs that are left out; then all other pairs are listed. */
bool scene_read_models(scanner *in, path_scene *scene);

#endif
