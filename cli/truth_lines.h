/* The lines of `graze truth --out`, and how a cut-off file of them is continued. */
#ifndef GRAZE_CLI_TRUTH_LINES_H
#define GRAZE_CLI_TRUTH_LINES_H

#include "app/outputs.h"
#include "cli/truths.h"

#include <stdio.h>

/* Lines in the order of files and queries. Whole lines that are there already are read, not made again; half a line at
   the end is dropped. Nothing is changed before the first new line is written; until all are there they are in
   `path`.part. */
typedef struct cli_truth_lines {
    const char *path; /* NULL: nothing is written */
    io_output output; /* not open until the first new line */
    char *old;        /* what was there, up to the last whole line */
    size_t old_size, at;
    size_t line, line_start; /* number and begin of the line last taken */
} cli_truth_lines;

/* Exits 2 when the old file cannot be read. */
cli_truth_lines cli_open_truth_lines(const char *path, bool resume, bool json);
/* Whether an old line is left. */
bool cli_more_old_lines(const cli_truth_lines *lines);
/* Takes the next old line and returns whether it says hit. Exits 2 when it is not that of this file and index. */
bool cli_take_old_line(cli_truth_lines *lines, const char *file, size_t index);
/* Exits 2 when the line last taken is not what this answer gives. */
void cli_check_old_line(const cli_truth_lines *lines, const char *file, size_t index, const cli_truth *answer);
void cli_put_truth_lines(cli_truth_lines *lines, const char *file, size_t first, const cli_truth *answers,
                         size_t count);
/* Exits 2 when lines are left over that belong to no query, or when writing failed. */
void cli_close_truth_lines(cli_truth_lines *lines);

#endif
