/* The frames of two links over a cell of joint values, seen from the lowest link that carries both. */
#ifndef GRAZE_VERIFY_RANGE_JOINTS_H
#define GRAZE_VERIFY_RANGE_JOINTS_H

#include "verify/forms.h"
#include "verify/ranges/range_scene.h"

#define MOST_HALVINGS 60 /* of a value */

/* Sets what each joint is made of, the same for all cells: what a value of 0, and a value of 1, moves it to. */
bool range_joints_set(const range_scene *scene, joint_motion *joints, char reason[VERIFY_TEXT]);

/* Part number `place` of 2^halvings of the range of a value. */
typedef struct range_part {
    size_t value;
    int halvings;
    unsigned long place;
} range_part;

/* The values between two links that others do not give, each of them a variable from 1 on. */
typedef struct range_cell {
    range_part parts[FORM_TERMS - 1];
    int count;
    const double *pose; /* NULL, or the values of a single pose in place of the parts */
} range_cell;

/* False: more values than there is room for. */
bool range_cell_open(const range_scene *scene, path_pair pair, range_cell *cell);

typedef struct range_frames {
    form_frame of[2], spare[2];
} range_frames;

void range_frames_init(range_frames *frames);
void range_frames_clear(range_frames *frames);
void range_frames_set(const range_scene *scene, const joint_motion *joints, path_pair pair, const range_cell *cell,
                      range_frames *frames);

#endif
