/* Obstacles that move as a whole: rigid bodies, each with one unknown of Newton's method, the time of its own motion
   that it has come to. */
#ifndef GRAZE_SIM_SOLVER_OBSTACLES_H
#define GRAZE_SIM_SOLVER_OBSTACLES_H

#include "sim/world.h"

typedef struct sim_obstacle {
    uint32_t body, motion;
    int64_t begin, tick,
        goal;     /* times of its motion, in small parts of a time step: of the step's start, now, its end */
    int64_t next; /* where sim_obstacles_go has put it */
    double way;   /* Newton's, in time steps */
    bool arrived; /* or as good as */
    graze_mesh mesh;
    double (*rest)[3];  /* about the center of its motion */
    uint32_t *vertices; /* of the world; the unknown takes the place of the first one's first */
} sim_obstacle;

#define SIM_NO_OBSTACLE UINT32_MAX

typedef struct sim_obstacles {
    graze_context *context;
    const sim_world *world;
    SIM_LIST(sim_obstacle) list;
    uint32_t *owner;    /* for each vertex of the world: which of them, or SIM_NO_OBSTACLE */
    double (*slope)[3]; /* how far each vertex moves in a time step at its present speed; 0 where it has arrived */
    graze_world *made;  /* body 0: all that yields; then the obstacles */
    graze_mesh mesh;    /* of what yields */
    uint32_t *yielding; /* its vertices in the world */
    double (*x)[3];     /* its positions */
    graze_body_motion *motions;
} sim_obstacles;

/* Without obstacles that move the list is empty. */
void sim_obstacles_begin(sim_obstacles *obstacles, const sim_world *world, graze_context *context);
void sim_obstacles_end(sim_obstacles *obstacles);

/* A step begins, at world->time. */
void sim_obstacles_aim(sim_obstacles *obstacles);
/* Finds the slopes where the world is now. */
void sim_obstacles_look(sim_obstacles *obstacles);

/* A gradient by positions becomes one by the unknowns; their direction becomes one of positions. */
void sim_obstacles_reduce(const sim_obstacles *obstacles, double *gradient);
void sim_obstacles_expand(sim_obstacles *obstacles, double *direction);
/* The next direction is not theirs. */
void sim_obstacles_rest(sim_obstacles *obstacles);

/* Puts them a part of their ways ahead, and no farther than the least factor of their vertices says (NULL: 1). */
void sim_obstacles_go(sim_obstacles *obstacles, double (*x0)[3], const double *factor, double part, double (*out)[3]);
/* They are where they were put last. */
void sim_obstacles_accept(sim_obstacles *obstacles);

/* All of them have all but arrived: `out` is x, but with them where the step takes them. True if their rigid motions
   there are free of what yields; whether it is true or not, they move no more in this step. */
bool sim_obstacles_finish(sim_obstacles *obstacles, double (*x)[3], double (*out)[3]);

#endif
