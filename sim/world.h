/* Everything that is simulated: vertices with mass, what holds them together, what of them may touch. */
#ifndef GRAZE_SIM_WORLD_H
#define GRAZE_SIM_WORLD_H

#include "graze/graze.h"

#include "sim/energy/elastic.h"
#include "sim/list.h"

typedef struct sim_vector {
    double c[3];
} sim_vector;
typedef struct sim_face {
    uint32_t v[3];
} sim_face;
typedef struct sim_edge {
    uint32_t v[2];
} sim_edge;

/* Motion of vertices: turned about `centre` by `spin` (axis × radians a second) and shifted by `velocity`, from their
   place at rest; at `until` they stop. */
typedef struct sim_motion {
    double velocity[3], spin[3], centre[3], until;
    bool centred; /* the center is the middle of what is moved, and found when that is known */
} sim_motion;

typedef enum sim_role {
    SIM_FREE,
    SIM_FIXED,
    SIM_MOVED, /* by a motion that the scene gives */
} sim_role;

typedef struct sim_body {
    char name[64];
} sim_body;

typedef struct sim_settings {
    double time_step, gravity[3];
    double attraction; /* acceleration towards the origin, per distance */
    double reach;      /* distance from which on the barrier is felt */
    double friction;   /* coefficient */
    double slip;       /* speed up to which friction sticks */
    double tolerance;  /* speed below which a Newton step counts as none */
    uint32_t max_iterations;
} sim_settings;

typedef struct sim_world {
    sim_settings settings;
    size_t count;   /* of vertices */
    size_t outside; /* those that may touch come first */
    double (*x)[3], (*v)[3], (*rest)[3];
    double *mass;
    sim_role *role;
    uint32_t *body, *motion; /* of a vertex; the motion is read for SIM_MOVED only */
    double time;
    double diagonal; /* of the box around what is free at the start */

    SIM_LIST(sim_body) bodies;
    SIM_LIST(sim_motion) motions;
    SIM_LIST(sim_element) elements;
    SIM_LIST(sim_hinge) hinges;
    SIM_LIST(sim_string) strings;
    SIM_LIST(sim_face) faces;
    SIM_LIST(sim_edge) edges; /* those of no face */

    graze_mesh mesh;  /* what may touch: everything outside, but no obstacle with another */
    graze_mesh solid; /* for the check of a state: the faces, and free edges as faces of no area */
    sim_face *solid_faces;
    uint8_t *body_pairs; /* 0 where two bodies never touch */
} sim_world;

/* Room for `more` vertices behind those there are: free, at rest at the origin, without mass. Returns the first. */
uint32_t sim_world_add(sim_world *world, size_t more);

/* When all bodies are in: brings the vertices that may touch to the front, and makes `mesh` and `solid`. Ends the
   program when memory runs out. */
void sim_world_close(sim_world *world, graze_context *context);
void sim_world_free(sim_world *world, graze_context *context);

/* The place that its motion takes a vertex to by `time`. */
void sim_world_target(const sim_world *world, uint32_t vertex, double time, double out[3]);

/* Pairs of faces and free edges that intersect at x, decided exactly; the first of them in words. */
size_t sim_world_intersections(const sim_world *world, graze_context *context, double (*x)[3], char *first,
                               size_t room);

/* Kinetic energy, and the elastic energy at x. */
double sim_world_kinetic(const sim_world *world);
double sim_world_elastic(const sim_world *world);

/* The positions of `n` ≤ 4 vertices. */
static inline void sim_gather(double (*x)[3], const uint32_t *vertex, int n, double out[4][3]) {
    for (int a = 0; a < n; a++)
        for (int c = 0; c < 3; c++) out[a][c] = x[vertex[a]][c];
}

#endif
