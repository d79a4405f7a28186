/* Lists of JSON lines that grow and can be continued (--out, --lines, --shard-out; --resume).
 *
 * A line ends in "check", a hash of the bytes before it: one that was changed or cut is not believed. Old lines stay
 * where they stand as long as they are kept in order; the first line that is new, or kept in another place, starts the
 * file anew behind them. Nothing is written before.
 *
 * The list of a shard has one more line in front, which says what it is a shard of, and one behind, with the number of
 * its lines and the hash of all bytes before: docs/farm.md. */
#ifndef GRAZE_CLI_LINES_H
#define GRAZE_CLI_LINES_H

#include "app/outputs.h"

#include "io/sha256.h"

typedef struct cli_lines {
    const char *option, *path; /* path NULL: nothing is written */
    io_output output;          /* not open until something is written */
    size_t lead;               /* bytes of a shard's first line; 0: no shard */
    io_sha256 hash;            /* of a shard, up to here */
    size_t written;            /* lines, kept or put, without the first */
    char *old;                 /* what an earlier run left, up to its last whole line, or a shard's first line */
    size_t *ends;              /* of the old lines: the byte of each newline */
    size_t count;              /* of old lines */
    size_t kept;               /* of them, from the first on, that stay in place */
    size_t again;              /* that did not agree … */
    size_t first;              /* … and the first of these */
} cli_lines;

/* `option` is how the command line names the list. Exits 2 when the old lines cannot be read. `path` may be NULL. */
cli_lines cli_open_lines(const char *option, const char *path, bool resume, bool json);
/* A shard's list, behind the object `first` without its "check". Exits 2 also where an earlier run began otherwise. */
cli_lines cli_open_shard_lines(const char *path, const char *first, bool resume);
/* True if a line, without its newline, ends in the "check" of what stands before. */
bool cli_line_is_whole(const char *text, size_t length);
/* Old line i, to be deleted; NULL where it is no JSON object or not as it was written. */
cJSON *cli_old_line(const cli_lines *lines, size_t i);
/* True if its "input" is this. */
bool cli_line_has_input(const cJSON *line, const char *input);
/* True if it has times, or with --no-times none. */
bool cli_line_has_its_times(const cJSON *line, bool no_times);
/* Exits 2 where the line (NULL: any) is that of another file or query. */
void cli_check_place(const cli_lines *lines, size_t i, const cJSON *line, const char *file, size_t index);
/* Exits 2 where lines are left from `next` on: there are no queries for them. */
void cli_check_rest(const cli_lines *lines, size_t next);
/* Old line i is the next line. */
void cli_keep_line(cli_lines *lines, size_t i);
/* Old line i does not agree with what was read, and is made again. */
void cli_drop_line(cli_lines *lines, size_t i);
/* A JSON object is the next line, without its "check". */
void cli_put_line(cli_lines *lines, const char *object);
/* Brings all lines that were put to disk. */
void cli_flush_lines(cli_lines *lines);
/* The file takes its place, and a notice says which lines were made again; or it stays to be continued. */
void cli_close_lines(cli_lines *lines);
void cli_abandon_lines(cli_lines *lines);

#endif
