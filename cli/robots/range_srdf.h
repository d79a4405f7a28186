/* The SRDF of a range: the pairs of links that need no check, and why. */
#ifndef GRAZE_CLI_ROBOTS_RANGE_SRDF_H
#define GRAZE_CLI_ROBOTS_RANGE_SRDF_H

#include "graze/range.h"

#include "cli/made_models.h"
#include "io/output.h"

/* Pairs within the first model that moves. What touches, and pairs of which nothing is proven, are not listed. */
void cli_write_range_srdf(const cli_model_file *file, const graze_range_result *r, io_output *srdf);

#endif
