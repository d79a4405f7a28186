/* On which side of a plane a point lies, exactly. */
#ifndef GZ_EXACT_ORIENTATION_H
#define GZ_EXACT_ORIENTATION_H

#include "base/context.h"

/* The sign of ⟨d − a, (b − a) × (c − a)⟩; false without memory. Coordinates are at most GRAZE_MAX_COORDINATE. */
bool gz_orientation(graze_context *context, const double a[3], const double b[3], const double c[3], const double d[3],
                    int *sign);

#endif
