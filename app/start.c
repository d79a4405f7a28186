#include "app/start.h"

uint64_t cli_find_intersections(graze_context *context, const cli_frames *frames, io_intersection **list) {
    size_t count;
    graze_status status =
        io_find_intersections(context, &frames->mesh, (const double(*)[3])frames->a.positions, list, &count);
    if (status != GRAZE_OK) cli_fail_frames(status, context, frames);
    return count;
}
