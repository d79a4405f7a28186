/* One map of coordinates to float: minus an origin, times a power of two, rounded. See broad/rough.h. */
#ifndef GZ_NUMERICS_VIEW_H
#define GZ_NUMERICS_VIEW_H

typedef struct gz_view {
    double origin[3], scale;
} gz_view;

#endif
