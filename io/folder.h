/* Lists of files: what a folder holds, in an order that does not depend on the machine. */
#ifndef GRAZE_IO_FOLDER_H
#define GRAZE_IO_FOLDER_H

#include "io/error.h"

#include <stdint.h>

typedef struct io_paths {
    char **paths;
    size_t count, capacity;
} io_paths;

bool io_is_folder(const char *path);

/* Adds a copy of `path`. */
bool io_add_path(io_paths *list, const char *path, io_error *error);
void io_free_paths(io_paths *list);

/* Adds the files of a folder whose names end in `suffix` (NULL: all), sorted by name; with `deep` also those of the
   folders below it, each folder once even where links lead to it again. Hidden files are left out. */
bool io_list_folder(const char *folder, const char *suffix, bool deep, io_paths *list, io_error *error);

/* Looks at a folder and then at those below it, in the order of their names and each once, unless it sets *deeper to
   false. False ends the walk. */
typedef bool io_visit(void *user, const char *folder, bool *deeper, io_error *error);
bool io_walk_folders(const char *folder, io_visit *visit, void *user, io_error *error);

/* "folder/name" or "folder/name/more"; NULL without memory. Free it. */
char *io_join_path(const char *folder, const char *name);

/* Text after the last slash, without regard to slashes at the end: "a/b/" gives "b" (length in `length`). */
const char *io_base_name(const char *path, size_t *length);

/* Kind of the queries in a file, by its path: 0 for vf, 1 for ee, by the parent folder vertex-face or edge-edge, else
   by a stem that ends in vf or ee; −1: neither tells. */
int io_query_kind_of(const char *path);

/* The last number in the name before its extension: 92 of "cloth_ball92.ply". False when there is none. */
bool io_step_of(const char *path, uint64_t *step);

/* Frames of a moving mesh in the order of their steps. */
typedef struct io_frame {
    char *path;
    uint64_t step;
} io_frame;

typedef struct io_frames {
    io_frame *frames;
    size_t count;
} io_frames;

/* The meshes in `folder`/frames, or in `folder` itself where that does not exist. Two frames of one step are an error,
   and so is a mesh without a number. */
bool io_list_frames(const char *folder, io_frames *frames, io_error *error);
/* As io_list_frames, but for a list of files. When some have no number they keep their order and count from 0. */
bool io_order_frames(const char *const *paths, size_t count, io_frames *frames, io_error *error);
void io_free_frames(io_frames *frames);

#endif
