#include "mpi/ranks/route.h"

#include <string.h>

bool gz_route_open(const gz_ranks *ranks, gz_hold *hold, gz_route *route) {
    *route = (gz_route){0};
    route->from_counts = gz_hold_zeros(hold, ranks->count, sizeof *route->from_counts);
    route->to_counts = gz_hold_zeros(hold, ranks->count, sizeof *route->to_counts);
    return route->from_counts && route->to_counts;
}

graze_status gz_route_return(gz_ranks *ranks, graze_status mine, gz_hold *hold, const gz_route *route, const void *rows,
                             size_t size, void **received) {
    char *sent = mine == GRAZE_OK ? gz_hold_get(hold, route->received, size) : NULL;
    *received = mine == GRAZE_OK ? gz_hold_get(hold, route->sent, size) : NULL;
    for (size_t i = 0; sent && i < route->received; i++)
        memcpy(sent + i * size, (const char *)rows + route->to[i] * size, size);
    if (mine == GRAZE_OK && !(sent && *received)) mine = GRAZE_ERR_OUT_OF_MEMORY;
    graze_status status = gz_ranks_pass(ranks, mine, sent, route->to_counts, size, *received, route->from_counts);
    gz_hold_drop(hold, sent);
    return status;
}
