/* Which rank a position belongs to: the curve through all positions is cut where each rank gets as many vertices, or as
 * much work. */
#ifndef GZ_MPI_HOMES_H
#define GZ_MPI_HOMES_H

#include "mpi/deal/deal.h"

/* The box of all positions: origin and scale of the curve. */
void gz_homes_frame(const gz_summary *all, uint32_t count, gz_homes *homes);
/* `before` NULL: every vertex weighs the same; else by what is known of the work of its place (worked.h). */
graze_status gz_homes_cut(gz_ranks *ranks, const gz_brought *brought, const gz_summary *all, const gz_homes *before,
                          gz_hold *hold, gz_homes *homes);
/* False when there is no memory. */
bool gz_homes_copy(gz_hold *hold, const gz_homes *homes, gz_homes *copy);
uint32_t gz_home_of(const gz_homes *homes, const double x[3]);

#endif
