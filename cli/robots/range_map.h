/* `graze articulate --map`: where in the range of two joints links touch, as a picture. */
#ifndef GRAZE_CLI_ROBOTS_RANGE_MAP_H
#define GRAZE_CLI_ROBOTS_RANGE_MAP_H

#include "cli/made_models.h"

typedef struct cli_map_ask {
    const char *path;   /* of the picture */
    const char *joints; /* "A,B", either as MODEL/JOINT */
    uint64_t cells;     /* along each side, rounded up to a power of two */
    double separation;
    uint64_t max_cells; /* parts that each of the smallest cells is cut into for a pair; 0: 64 */
    bool json, no_times;
} cli_map_ask;

void cli_draw_range_map(graze_context *context, const cli_model_file *file, const cli_map_ask *ask);

#endif
