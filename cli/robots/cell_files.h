/* Cells of a swept volume as files that other tools read. Errors of writing are found when the stream is closed. */
#ifndef GRAZE_CLI_ROBOTS_CELL_FILES_H
#define GRAZE_CLI_ROBOTS_CELL_FILES_H

#include "graze/swept.h"

#include <stdbool.h>
#include <stdio.h>

/* The surface of all that is not outside, squares of cells with a color: red where one is touched, yellow where it is
   undecided. False: more than 2^30 of them. */
bool cli_write_cells_ply(FILE *out, const graze_swept_cell *cells, size_t count);
/* Arrays for NumPy: center (n, 3), side (n), state (n). False: more than 2^26 cells. */
bool cli_write_cells_npz(FILE *out, const graze_swept_cell *cells, size_t count);

#endif
