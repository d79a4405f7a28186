/* The search for the first contact of a pair on cubic curves. */
#ifndef GZ_NARROW_CURVE_SEARCH_H
#define GZ_NARROW_CURVE_SEARCH_H

#include "graze/curve.h"

#include "narrow/method.h"

/* Answers one query; `result` comes filled by gz_result_unresolved. */
void gz_curve_solve(const gz_narrow_call *call, const graze_curve_query *query, graze_result *result);

#endif
