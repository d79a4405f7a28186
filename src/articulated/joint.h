/* Motion of one link in its parent's frame during a call, and Taylor models of it over a window of time. */
#ifndef GZ_ARTICULATED_JOINT_H
#define GZ_ARTICULATED_JOINT_H

#include "articulated/model.h"
#include "motion/rotvec.h"
#include "motion/screw.h"

/* The rotation `turn` by θ(t) and the translation `shift`, in the parent's frame; θ and shift are
   polynomials in t. */
typedef struct gz_joint_motion {
    gz_turn turn;
    double matrix_error; /* of each of their entries */
    int degree;          /* of θ and shift: at most 3, or that of the motion */
    double angle[GRAZE_MAX_DEGREE + 1], angle_error;
    double shift[3][GRAZE_MAX_DEGREE + 1], shift_error;
    bool screws; /* the translation is that of `screw`, in the parent's frame, added to `shift` */
    gz_screw screw;
    bool rotvecs; /* the rotation is that of `rotvec` after turn.fixed; the angle is 0 */
    gz_rotvec rotvec;
    bool fixed;        /* a fixed joint: turn.fixed and the start of the translation are all there is */
    bool turns, moves; /* else the angle, the translation is constant */
    bool identity;     /* the frame is exactly its parent's, throughout */
    /* for the motion bound, all rounded up: */
    double spin;    /* |θ′|, or that of the rotation vector: no rotation is faster */
    double speed;   /* |translation′| */
    double reach;   /* |translation| */
    double line[3]; /* translation′ where that is constant; else 0 and `speed` alone counts */
    bool straight;
} gz_joint_motion;

/* A window that holds [begin, end], and is a hair wider; a single time is itself. */
gz_window gz_window_of(double begin, double end);
/* Place of time t in the window, from −1 to 1. */
double gz_window_place(gz_window window, double t);

/* The motion of link `index` of a model. What is wrong with a value is a status, and *why says it in words. */
graze_status gz_joint_prepare(const gz_link *link, uint32_t index, const graze_motion *motion, gz_joint_motion *joint,
                              const char **why);

/* The frame of the link in its parent's over the window. `intervals`: models of order 0. */
void gz_joint_frame(const gz_kernels *kernels, const gz_joint_motion *joint, gz_window window, bool intervals,
                    gz_frame_model *frame);

#endif
