/* If a primitive turns while it approaches, the direction of the closest points loses ground from its first moment,
   and the steps shrink by a constant ratio. The direction of a little later serves on both sides of its own moment: two
   plain steps tell the ratio, and with it how much time is left and how far ahead to look. */
#ifndef GZ_PAIR_LOOK_AHEAD_H
#define GZ_PAIR_LOOK_AHEAD_H

#include "base/platform.h"

typedef struct gz_look_ahead {
    double ahead;  /* for the next direction; 0: plain */
    double before; /* the last plain move */
    double left;   /* about the time until contact */
    double reach;  /* part of it to look ahead */
} gz_look_ahead;

static GZ_PAIR_FN inline void gz_look_on(gz_look_ahead *look, double moved) {
    if (look->ahead == 0) {
        double ratio = look->before > 0 ? moved / look->before : 1;
        look->before = moved;
        if (!(ratio > 0x1p-4 && ratio < 0.96875)) return;
        double turn = ratio / (1 - ratio); /* speed of turning over speed of approach */
        look->left = moved * turn;
        look->reach = 0.875 * (turn > 1 ? 1 / turn : 1);
    } else {
        look->left -= moved;
        if (!(moved > 0)) look->left = 0;
    }
    look->ahead = look->left > 0x1p-46 ? look->left * look->reach : 0;
    if (look->ahead == 0) look->before = 0;
}

#endif
