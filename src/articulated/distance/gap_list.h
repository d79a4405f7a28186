/* The closest pairs of links of a search whose models stand still. */
#ifndef GZ_ARTICULATED_DISTANCE_GAP_LIST_H
#define GZ_ARTICULATED_DISTANCE_GAP_LIST_H

#include "articulated/distance/link_gap.h"
#include "articulated/search.h"

typedef struct gz_listed_gap {
    uint32_t first, second; /* the links, in the order of answers */
    gz_link_pair pair;      /* in that of the search */
    gz_link_gap gap;
} gz_listed_gap;

/* Closed, it is all zeros but for its context. */
typedef struct gz_gap_list {
    gz_search *search;
    size_t most;   /* 0: no limit */
    double within; /* what is not closer is not listed */
    double lower;  /* of what is not listed */
    gz_listed_gap *gaps;
    size_t count, room;
} gz_gap_list;

/* At time t. Close the list in any case. */
graze_status gz_gap_list_find(gz_gap_list *list, gz_search *search, double t, size_t most, double within);
void gz_gap_list_close(gz_gap_list *list);

/* Closest points of a listed pair, of the first and of the second link, in the world. */
typedef struct gz_world_points {
    gz_vec3 a, b;
} gz_world_points;
gz_world_points gz_points_in_world(gz_frames *frames, const gz_listed_gap *gap);

#endif
