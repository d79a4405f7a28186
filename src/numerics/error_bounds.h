/* The constants that "clear" rests on. Each is derived in docs/numerics.md and tested against exact rationals. */
#ifndef GZ_NUMERICS_ERROR_BOUNDS_H
#define GZ_NUMERICS_ERROR_BOUNDS_H

/* ---- Tight Inclusion (docs/numerics.md, section 2) ----
   On each axis a corner of the inclusion box errs by less than constant · max(x, 1)³, x the largest |coordinate| of the
   pair on that axis; with a separation d, x is also at least d and the bound covers the comparison with it.
   They are the paper's (5) and (8): 56, 60, 64 and 68 times 2⁻⁵³. */
#define GZ_TI_FILTER_EE 0x1.cp-48
#define GZ_TI_FILTER_VF 0x1.ep-48
#define GZ_TI_FILTER_EE_SEPARATION 0x1p-47
#define GZ_TI_FILTER_VF_SEPARATION 0x1.1p-47

/* ---- swept boxes (section 3) ----
   the tail of x(t) = (1−t)·x0 + t·x1 errs by at most the first times max(|x0|, |x1|), and the second */
#define GZ_POINT_SLACK 0x1p-98
#define GZ_POINT_TINY 0x1p-1060
/* a product that is not below this has an error that is a double */
#define GZ_EXACT_PRODUCT 0x1p-900
/* x0 + t·(x1 − x0) errs by at most 4u·(|x0| + |x1|) + 2⁻¹⁰⁷⁴, growing by d by at most u times the sum; 7u of d are what
   the narrow phase may round separation and radii up by */
#define GZ_WINDOW_SLACK 0x1p-50
#define GZ_WINDOW_TINY 0x1p-1070

/* ---- directional certificates (docs/numerics.md, section 4); u = 2^-53 ---- */

/* |fl(<n,w>) - <n,b-a>| <= GZ_DOT_SLACK * sum + GZ_DOT_TINY, where w = fl(b-a) and sum = fl(sum |n_c| M_c), M_c >=
   |w_c|. It also covers the roundings of adding this slack to a threshold. 8u */
#define GZ_DOT_SLACK 0x1p-50
/* products that underflow, in the dot products, in their bound and in the threshold */
#define GZ_DOT_TINY 0x1p-1060
/* ||n|| <= sqrt(fl(<n,n>) + GZ_NORM_TINY), and d * ||n|| <= fl(d * that) * GZ_NORM_UP + GZ_DOT_TINY / 4. 1 + 8u */
#define GZ_NORM_UP (1 + 0x1p-50)
#define GZ_NORM_TINY 0x1p-1060
/* d + r_i + r_j <= fl(fl(d + r_i) + r_j) * this, rounded; 1 + 4u */
#define GZ_REACH_UP (1 + 0x1p-51)
/* a root of a linear piece, from rounded ends, times this is before (after) the exact root; 1 -+ 8u */
#define GZ_ROOT_DOWN (1 - 0x1p-50)
#define GZ_ROOT_UP (1 + 0x1p-50)
/* less than this, a time is not trusted to have a relative error */
#define GZ_ROOT_TINY 0x1p-1000
/* the same as GZ_DOT_SLACK for a control value, on any part of [0, 1], of a cubic path along n (section 4.13); 16u */
#define GZ_CURVE_SLACK 0x1p-49
/* not bounds, but choices that only directions depend on */
#define GZ_LEAST_DIVISOR 0x1p-1000
#define GZ_CLOSE_RATIO 0x1p16

/* the same for float32, u = 2^-24 */
#define GZ_DOT_SLACK_F32 0x1p-21f
#define GZ_DOT_TINY_F32 0x1p-140f
#define GZ_NORM_UP_F32 (1 + 0x1p-21f)
#define GZ_NORM_TINY_F32 0x1p-140f
#define GZ_ROOT_DOWN_F32 (1 - 0x1p-21f)
#define GZ_ROOT_UP_F32 (1 + 0x1p-21f)
#define GZ_ROOT_TINY_F32 0x1p-100f
/* a component of a difference that is narrowed from double to float counts as at least this in the slack */
#define GZ_NARROW_TINY 0x1p-100f
/* with positions narrowed to float, each off by at most u times the largest coordinate, a difference along n errs by at
   most this times that coordinate and the sum of |n_c|; 64u */
#define GZ_FAR_SLACK 0x1p-18f
/* of |x0| + |x1|, what the position at the end of a window errs by, in roundings of float; 2^-26 · 2^-24 = 8u of double
 */
#define GZ_FAR_OFFSET 0x1p-26
/* the largest coordinate with which no product of that look overflows: less than 2^10 times its third power */
#define GZ_FAR_LARGEST 0x1p36f
/* two edges in place of which the diagonals of their boxes are taken: the gap of twice the edges along n is less than
   that of twice the diagonals by at most the first times the widest box of a vertex and the second times the largest
   coordinate, both times the sum of |n_c| (section 4.15); 128u */
#define GZ_BESIDE_WIDTH 4.0
#define GZ_BESIDE_SLACK 0x1p-17f
#define GZ_LEAST_DIVISOR_F32 0x1p-100f
#define GZ_CLOSE_RATIO_F32 0x1p10f

/* ---- the volume polynomial f (sections 4.4 and 4.5); the pair is scaled so that no difference exceeds 1 ---- */

/* error of a Bernstein coefficient of f on any [t, 1] or [t, b], over m1 * m2 * mq; 256u */
#define GZ_VOLUME_SLACK 0x1p-45
#define GZ_VOLUME_TINY 0x1p-900
/* error of separation * |N|, N = e1 x e2 bounded by its Bernstein coefficients, over separation * m1 * m2; 128u */
#define GZ_NORMAL_SLACK 0x1p-46
/* relative error of a step of the clipped control polygon, as GZ_ROOT_DOWN but more operations; 1 - 32u */
#define GZ_CLIP_DOWN (1 - 0x1p-48)
/* the sum of two times, times this, is not after the exact sum; 1 - 2u */
#define GZ_TIME_DOWN (1 - 0x1p-52)
/* error of an inside condition at t over its product of four sizes; 2048u, and its change over [t, t+h] over h and the
   same product */
#define GZ_INSIDE_SLACK 0x1p-42
#define GZ_INSIDE_RATE 160.0
/* not a bound, but a choice: a bracket wider than this is not worth a proof */
#define GZ_INSIDE_SPAN 0x1p-12

/* |f''| is at most this times m1 * m2 * mq */
#define GZ_VOLUME_CURVE 160.0
/* with a = m1 * m2 and x = a / |N|: |N|' errs by at most this times a (1 + 16 x), and |N|'' is at most that times
   a (1 + 25 x) while N turns little */
#define GZ_TURN_SLACK 0x1p-44
#define GZ_TURN_CURVE 32.0
/* a shorter N has no relative error that |N|' could rest on: its squares underflow */
#define GZ_NORMAL_LEAST 0x1p-500
/* N in double-double, for x below the first, needs the two slacks below times the second */
#define GZ_THIN_MAX 32.0
#define GZ_THIN_FACTOR 64.0
/* error of f evaluated in double-double, over m1 * m2 * mq */
#define GZ_VOLUME_SLACK_DD 0x1p-88
/* error of <n, w(t)> in double-double over the sum of |n_c|, for differences of at most 1 */
#define GZ_DOT_SLACK_DD 0x1p-94
/* error of a square, or of a squared distance of at most 3, in double-double */
#define GZ_SQUARE_SLACK_DD 0x1p-90

/* ---- integers seen through doubles (section 5) ---- */

/* error of a polynomial of degree 8 at a root, over the sum of its |terms|, and what is cut off or underflows; 64u */
#define GZ_POLY_SLACK 0x1p-47
#define GZ_POLY_TINY 0x1p-990
/* the same for degree 1; 8u */
#define GZ_LINE_SLACK 0x1p-50
/* numbers that carry their error: the rounding of a sum or product over its size, that of the error itself, underflow
 */
#define GZ_CARRIED_ROUND 0x1p-52
#define GZ_CARRIED_UP (1 + 0x1p-49)
#define GZ_CARRIED_TINY 0x1p-1060
/* a quotient of two of them, from its ends; 1 -+ 8u */
#define GZ_ENCLOSE_DOWN (1 - 0x1p-50)
#define GZ_ENCLOSE_UP (1 + 0x1p-50)
#define GZ_ENCLOSE_TINY 0x1p-1074
/* the same for integers cut to 53 bits; 1 -+ 16u */
#define GZ_CUT_DOWN (1 - 0x1p-49)
#define GZ_CUT_UP (1 + 0x1p-49)

/* ---- whole steps (section 3) ---- */

/* error of <(q - o) x (r - o), x - o> over the sum of the |products| that it is made of; 32u */
#define GZ_SIDE_SLACK 0x1p-48
#define GZ_SIDE_TINY 0x1p-900
/* a computed distance of closest points, less this times the size of the pair, is at most the exact one; 64u */
#define GZ_CLOSEST_SLACK 0x1p-47
#define GZ_CLOSEST_TINY 0x1p-1072
/* with relative_separation: the length of a motion over its largest part along an axis, the square root of 3; twice the
   automatic tolerance of a pair, over the distance of a vertex from any other; and the roundings of the most that a
   pair which stops in a window has to keep, 1 + 2^13 u */
#define GZ_KEPT_DIAGONAL 1.7320508075688774
#define GZ_KEPT_TOLERANCE 0x1p-38
#define GZ_KEPT_UP (1 + 0x1p-40)
#define GZ_KEPT_TINY 0x1p-1060
/* what a distance changes by at most when no coordinate moves by more than 1: 2 sqrt(3) and more, exactly a product */
#define GZ_NEAR_MOVES 4.0
/* not a bound, but a choice: the part of the gap that the planes of mode vertices leave */
#define GZ_PLANES_SHARE 0x1p-40

/* ---- distance of two points of the primitives (section 4.6), for a proven hit with a separation ---- */

/* relative to the squared size of the pair, which is scaled to at most 1 */
#define GZ_DISTANCE_SLACK 0x1p-44
/* radii, and the separation, at a point of each primitive are at least the computed ones less this; 128u */
#define GZ_REACH_SLACK 0x1p-46

/* ---- articulated motion (section 9) ---- */

/* sine and cosine of an angle up to 2^20, absolute; 8u */
#define GZ_SINE_ERROR 0x1p-50
/* a sum or product of Taylor models errs by at most this times the product of their sizes; 32u */
#define GZ_TAYLOR_SLACK 0x1p-48
/* computed bounds of remainders and sizes, times this, are bounds; 1 + 32u */
#define GZ_TAYLOR_UP (1 + 0x1p-48)
/* products that underflow, in one operation on Taylor models */
#define GZ_TAYLOR_TINY 0x1p-1000
/* value of a joint at any time, over its size; 32u */
#define GZ_PATH_ERROR 0x1p-48
/* Bézier values of a piece of a spline, over the largest of its control points; 128u */
#define GZ_SPLINE_ERROR 0x1p-46
/* a time of a plan in seconds, over the sum of both ends of its piece; 8u */
#define GZ_PLAN_TIME 0x1p-50
/* translation along an axis that is normalized and turned, over the size of its value; 128u */
#define GZ_SHIFT_ERROR 0x1p-46
/* entries of origin * axis matrices; 256u */
#define GZ_JOINT_ERROR 0x1p-45
/* the same with a start rotation and a shorter turn from rotation vectors, over 1 + their lengths; 1024u */
#define GZ_TURN_ERROR 0x1p-43
/* sin x / x of an angle up to 2^20, absolute; 32u */
#define GZ_SINC_ERROR 0x1p-48
/* the origin of a link on a screw, over the length of its way, 1 + the lengths of the rotation vectors, and the square
   of its stretch; 512u */
#define GZ_SCREW_ERROR 0x1p-44
/* coefficient k of cos r, sin r / r and (1 - cos r) / r^2 (m = 0, 1, 2) in powers of r^2 - s, over max(1, r) to the
   power 1 - m - k; 128u */
#define GZ_ROTVEC_ERROR 0x1p-46
/* the fourth derivatives of these by r^2, over 4!: 1/8!, 1/9!, 1/10! for every r, rounded up, */
#define GZ_ROTVEC_COSINE 0x1.a01a01a01a01bp-16
#define GZ_ROTVEC_SINE 0x1.71de3a556c734p-19
#define GZ_ROTVEC_REST 0x1.27e4fb7789f5dp-22
/* and times r^3 and r^4: 1/1015, 1/1152 */
#define GZ_ROTVEC_FAR_COSINE 0x1.02451b7ddb2d3p-10
#define GZ_ROTVEC_FAR_SINE 0x1.c71c71c71c71dp-11
/* a point of one link along a direction, at any time of a window, over the sizes that make it up; 64u */
#define GZ_PROJECTION_SLACK 0x1p-47
/* a determinant of three differences of points that are known to within m, of size L: 64 L^2 (m + u L) */
#define GZ_CROSSING_SLACK 64.0
/* products of it that underflow */
#define GZ_CROSSING_TINY 0x1p-1000
/* |n| of a vector that was divided by its length, times a rounded product; 2^-40 where 8u would do */
#define GZ_UNIT_UP (1 + 0x1p-40)
/* a time of 2^-6 and more from a quotient, and its sum with a time up to 1; 2^-40 where 2^-46 would do */
#define GZ_WAIT_DOWN (1 - 0x1p-40)
/* the length of a vector from below; 1 - 32u, and what squares that underflow are rounded up by */
#define GZ_LENGTH_DOWN (1 - 0x1p-48)
#define GZ_LENGTH_TINY 0x1p-530
/* control positions of a vertex over a window of a world, over the sizes that make them up (section 12); 16u */
#define GZ_CONTROL_SLACK 0x1p-49
/* separation + padding + padding from below, as GZ_REACH_UP from above; 1 - 8u */
#define GZ_REACH_DOWN (1 - 0x1p-50)
/* a vertex along an axis of a tilted box, and a direction along its three axes, of the link's size; 2^-44 */
#define GZ_TILTED_SLACK 0x1p-44
/* |center| + half of an interval; 2^-40 where 2u would do */
#define GZ_EXTENT_UP (1 + 0x1p-40)
/* a prism of 96 sides around a cylinder, whose corners are rounded; 2^-40 where 128u would do */
#define GZ_PRISM_UP (1 + 0x1p-40)
/* the least radius of a cylinder, where products do not underflow */
#define GZ_PRISM_LEAST 0x1p-900
/* a box of the tree of what never moves, over |center| + half + growth; 32u */
#define GZ_STILL_SLACK 0x1p-48

#endif
