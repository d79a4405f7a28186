/* The probe of the directional certificates for double and for float, by the v_… names of lanes.h: see probe_body.h.
   Both as double from here on. */
#ifndef GZ_PAIR_PROBE_H
#define GZ_PAIR_PROBE_H

#include "numerics/error_bounds.h"
#include "numerics/kind.h"
#include "numerics/lanes.h"

#define v_vec V(vec)
#define vec_add V(vec_add)
#define vec_sub V(vec_sub)
#define vec_scale V(vec_scale)
#define vec_dot V(vec_dot)
#define vec_cross V(vec_cross)
#define vec_select V(vec_select)
#define vec_abs V(vec_abs)
#define vec_max_abs V(vec_max_abs)
#define vec_store V(vec_store)
#define v_ratio01 V(ratio01)
#define vec_along V(vec_along)
#define triangle_direction V(triangle_direction)
#define segments_direction V(segments_direction)
#define segment_direction V(segment_direction)
#define probe_direction V(probe_direction)
#define probe_at V(probe_at)
#define probe_size V(probe_size)
#define probe_slack V(probe_slack)
#define probe_norm V(probe_norm)
#define probe_last_of V(probe_last_of)
#define probe_last V(probe_last)
#define probe_advance V(probe_advance)
#define probe_advance_thick V(probe_advance_thick)

#include "numerics/as_float.h"

#include "pair/probe_body.h"

#include "numerics/as_double.h"

#include "pair/probe_body.h"

#endif
