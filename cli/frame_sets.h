/* The frames of a sequence: one set of numbered files, and others that move or rest beside it. */
#ifndef GRAZE_CLI_FRAME_SETS_H
#define GRAZE_CLI_FRAME_SETS_H

#include "app/app.h"

#include "io/folder.h"
#include "io/sha256.h"

typedef struct cli_frame_sets {
    io_frames *sets; /* the first is the sequence itself */
    size_t count;
} cli_frame_sets;

/* `operands`: a folder, or two files or more. `with`: for each set a file, which rests, or a folder or a pattern whose
   files have the numbers of the sequence. `range`: "A:B", numbers of the first and last frame, either of which may be
   left out; NULL: all. Exits 2 when there are no two frames. */
cli_frame_sets cli_find_frame_sets(const char **operands, int count, const app_texts *with, const char *range);
void cli_free_frame_sets(cli_frame_sets *sets);

/* The files of frame `i` of the sequence, one for each set; false with the error set where one lacks that number. */
bool cli_frame_paths(const cli_frame_sets *sets, size_t i, const char **paths, io_error *error);

/* Names of all files, the bytes of those that rest, and samples of those that move (app_hash_file_sample): all shards
   of a run have to find the same. One that cannot be read counts by its name. */
void cli_hash_frame_sets(io_sha256 *hash, const cli_frame_sets *sets);
/* The bytes of frame i, in all sets that move. One that cannot be read is told when its steps are taken. */
void cli_hash_frame(io_sha256 *hash, const cli_frame_sets *sets, size_t i);

#endif
