/* Trees of values that know their line, built from any text: a reader of another format makes one, and its values are
   checked as those of JSON are. Members of a container are added between open and close. */
#ifndef GRAZE_IO_JSON_BUILD_H
#define GRAZE_IO_JSON_BUILD_H

#include "io/json_reader.h"

enum { IO_JSON_DEEPEST = 64 };

typedef struct io_json_nodes {
    io_json *items;
    size_t count, room;
} io_json_nodes;

typedef struct io_json_build {
    io_json_file *file;
    size_t depth;             /* of containers that are open: the caller refuses more than IO_JSON_DEEPEST */
    io_json_nodes done, open; /* members of containers that are closed, and of those that are not */
} io_json_build;

/* Begins, with room for `size` bytes of texts. False: out of memory, and there is nothing to end. */
bool io_json_start(io_json_build *build, const char *name, size_t size, io_error *error);
size_t io_json_open(io_json_build *build);
bool io_json_add(io_json_build *build, const io_json *node);
/* The members since `mark` are those of `node`. */
bool io_json_close(io_json_build *build, size_t mark, io_json_kind kind, io_json *node);
/* The tree is whole. False where a key is there twice. */
bool io_json_finish(io_json_build *build, const io_json *root);
/* Always, after a start: what is not `good` is freed. */
void io_json_end(io_json_build *build, bool good);

#endif
