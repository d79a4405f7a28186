#include "app/start.h"

uint64_t app_find_intersections(graze_context *context, const app_frames *frames, io_intersection **list) {
    size_t count;
    graze_status status =
        io_find_intersections(context, &frames->mesh, (const double(*)[3])frames->a.positions, list, &count);
    if (status != GRAZE_OK) app_fail_frames(status, context, frames);
    return count;
}
