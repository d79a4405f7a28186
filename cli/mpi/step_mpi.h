/* graze step --mpi: one step over the ranks that mpirun started. */
#ifndef GRAZE_CLI_STEP_MPI_H
#define GRAZE_CLI_STEP_MPI_H

#include "app/step_run.h"

typedef void cli_print_step(const app_step_settings *settings, const app_frames *frames,
                            const app_step_outcome *outcome);

typedef struct cli_mpi_step {
    const app_step_settings *settings;
    const char *path_a, *path_b;
    const char *thickness, *pairs_out; /* NULL: none */
    cli_print_step *print;             /* called on rank 0 */
} cli_mpi_step;

/* True if something touches, or has to stop. Where a rank fails rank 0 says why, and all of them exit 2. */
bool cli_step_over_ranks(const cli_mpi_step *asked, graze_verdict *verdict);

#endif
