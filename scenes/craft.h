/* Building blocks of handcrafted queries. Everything here is exact: small integers, halves, quarters and eighths. */
#ifndef GRAZE_SCENES_CRAFT_H
#define GRAZE_SCENES_CRAFT_H

#include "scenes/handcraft.h"
#include "scenes/random.h"

#include <stdbool.h>

/* Place where two primitives meet: inside both; a point of one on the border of the other; corner on corner. */
typedef enum craft_feature { CRAFT_INSIDE = 0, CRAFT_EDGE, CRAFT_CORNER, CRAFT_ANYWHERE } craft_feature;

/* Four moving points: where they are at one time, and their velocities. */
typedef struct craft {
    graze_kind kind;
    double value;   /* of the family's parameter */
    uint64_t index; /* of the query in its family */
    scene_random random;
    double time; /* a multiple of 1/8 in [0, 1] */
    double at[4][3], velocity[4][3];
    graze_query *query;
} craft;

typedef handcraft_promise craft_maker(craft *c);

int64_t craft_integer(craft *c, int64_t low, int64_t high);
/* low, low + 1/8, … high */
double craft_eighth(craft *c, double low, double high);
void craft_vector(craft *c, int64_t range, double x[3]);

/* Random integer positions and velocities in [−16, 16], at a random time; the primitives are not degenerate then. */
void craft_points(craft *c);
/* Moves the vertex (edge b) so that the primitives touch at `time` in the given feature. */
void craft_join(craft *c, craft_feature feature);
/* As craft_join, but with given parameters, as in graze_result. */
void craft_join_at(craft *c, double u, double v);
/* Gives one velocity to all points. */
void craft_move_together(craft *c);
/* e1 × e2 at `time`: normal of the face, or of both edges. */
void craft_normal(const craft *c, double n[3]);

/* Writes the query from positions and velocities. */
void craft_finish(craft *c);

/* The query under a random invertible integer matrix (entries up to 2): contacts, their times and multiplicities stay.
 */
void craft_mix(craft *c);
void craft_scale(craft *c, const double factor[3]);
void craft_offset(craft *c, const double offset[3]);
/* x moved by a number of doubles up or down */
double craft_ulps(double x, int64_t count);

double craft_dot(const double a[3], const double b[3]);
void craft_cross(const double a[3], const double b[3], double out[3]);
void craft_minus(const double a[3], const double b[3], double out[3]);

/* ---- the constructions, listed in handcraft.c ---- */

craft_maker craft_inside, craft_on_edge, craft_corner, craft_points_only;
craft_maker craft_touch_start, craft_touch_end, craft_graze, craft_near_contact, craft_near_miss;
craft_maker craft_near_graze, craft_nudged;
craft_maker craft_coplanar, craft_collinear, craft_degenerate_always, craft_degenerate_once, craft_hourglass;
craft_maker craft_inflection, craft_many_roots, craft_identical, craft_static, craft_sliding;
craft_maker craft_scaled, craft_far, craft_wide, craft_subnormal, craft_lattice, craft_random, craft_rounded;
craft_maker craft_short_edges, craft_needles, craft_tiny_apart;

#endif
