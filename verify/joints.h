/* Links on joints: their frames over a window of time, as enclosures of the exact motion that the values define. */
#ifndef GRAZE_VERIFY_JOINTS_H
#define GRAZE_VERIFY_JOINTS_H

#include "verify/rotations.h"
#include "verify/spline.h"

typedef enum joint_kind {
    JOINT_FIXED,
    JOINT_REVOLUTE,
    JOINT_PRISMATIC,
    JOINT_SPHERICAL,
    JOINT_PLANAR,
    JOINT_FREE
} joint_kind;

/* A link as the file has it. Lengths are in the file's unit. */
typedef struct path_link {
    int parent; /* of all links; -1: the world */
    int body;   /* the first link that fixed joints hold this one to */
    joint_kind joint;
    double position[3], rotation[4], axis[3], padding;
    size_t first_value; /* of its model */
} path_link;

size_t joint_values(joint_kind kind);

/* Motion of one model on a path. */
typedef struct path_motion {
    bool cubic;
    const double *values;     /* from, then to; cubic: four for each value */
    const double (*turns)[3]; /* NULL, or one for each link; NaN: none */
    const bool *screws;       /* NULL, or for each link whether it moves by a screw */
    const spline *path;       /* NULL, or the spline of which this is the piece from `begin` to `end` */
    double begin, end;
} path_motion;

/* A frame: rotation row by row, then position. */
typedef struct frame {
    enclosure m[3][4];
} frame;

void frame_init(frame *f);
void frame_clear(frame *f);

/* Motion of a link in its parent's frame: rotation fixed + cos(angle) cosine + sin(angle) sine, position `shift`; the
   angle and the position are polynomials in time. A screw adds S·swing + Q·turned to the position: with the angle θ
   that it turns by S = sin(θt)/θ and Q = (1 - cos θt)/θ. */
typedef struct joint_motion {
    bool turns, screws;
    enclosure axis[3]; /* that it turns about, in the joint's frame */
    enclosure fixed[9], cosine[9], sine[9];
    enclosure angle[SPLINE_TERMS], shift[3][SPLINE_TERMS];
    enclosure swing[3], turned[3];
} joint_motion;

void joint_init(joint_motion *joint);
void joint_clear(joint_motion *joint);

/* The motion of a link whose first value is value `first` of `count` in its model, and which is link `index` of it.
   Lengths are divided by 2^exponent. False: the values say no motion, and `reason` says why. */
bool joint_set(joint_motion *joint, const path_link *link, const path_motion *motion, size_t first, size_t count,
               size_t index, int exponent, char reason[VERIFY_TEXT]);

/* Frame of the link at the times that `time` encloses. */
void joint_frame(const joint_motion *joint, const enclosure *time, frame *f);

/* a after b: the result is neither. */
void frame_compose(frame *f, const frame *a, const frame *b);
/* a as it is seen from b. */
void frame_seen_from(frame *f, const frame *a, const frame *b);

#endif
