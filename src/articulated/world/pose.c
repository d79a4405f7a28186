/* Poses by the search over time. */
#include "articulated/world/pose.h"

graze_status gz_search_pose(gz_search *search, const graze_motion *motions) { return gz_search_run(search, motions); }
