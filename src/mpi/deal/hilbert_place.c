#include "mpi/deal/hilbert_place.h"

#define BITS 21

/* The cell of a coordinate; anything that is no number in range goes to an end. */
static uint32_t cell_of(double x, double origin, double scale) {
    double at = (x - origin) * scale;
    return at >= 0 ? at < (1 << BITS) - 1 ? (uint32_t)at : (1u << BITS) - 1 : 0;
}

/* From the highest bit down each cube is turned so that the curve enters where it left the one before: where a bit is
   set the lower bits of the first axis are mirrored, else they change places with those of that axis. */
static void turn(uint32_t cell[3]) {
    for (uint32_t bit = 1u << (BITS - 1); bit > 1; bit >>= 1) {
        uint32_t lower = bit - 1;
        for (int axis = 0; axis < 3; axis++) {
            if (cell[axis] & bit) {
                cell[0] ^= lower;
            } else {
                uint32_t swap = (cell[0] ^ cell[axis]) & lower;
                cell[0] ^= swap;
                cell[axis] ^= swap;
            }
        }
    }
}

/* Gray code to number, over the bits of the three axes together. */
static void count_up(uint32_t cell[3]) {
    uint32_t flips = 0;
    cell[1] ^= cell[0];
    cell[2] ^= cell[1];
    for (uint32_t bit = 1u << (BITS - 1); bit > 1; bit >>= 1)
        if (cell[2] & bit) flips ^= bit - 1;
    for (int axis = 0; axis < 3; axis++) cell[axis] ^= flips;
}

uint64_t gz_fine_hilbert_place(const double x[3], const double origin[3], double scale) {
    uint32_t cell[3];
    uint64_t place = 0;
    for (int c = 0; c < 3; c++) cell[c] = cell_of(x[c], origin[c], scale);
    turn(cell);
    count_up(cell);
    for (int bit = BITS - 1; bit >= 0; bit--)
        for (int axis = 0; axis < 3; axis++) place = place << 1 | (cell[axis] >> bit & 1u);
    return place;
}
