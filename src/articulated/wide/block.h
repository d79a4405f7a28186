/* The tree of a link's triangles as a wide one: eight nodes side by side, three levels below the one they are of. */
#ifndef GZ_ARTICULATED_WIDE_BLOCK_H
#define GZ_ARTICULATED_WIDE_BLOCK_H

#include <stdint.h>

enum { GZ_BLOCK_NODES = 8, GZ_BLOCK_LEVELS = 3 };

/* Places from `count` on repeat the first node. */
typedef struct gz_face_block {
    double center[3][GZ_BLOCK_NODES], half[3][GZ_BLOCK_NODES];
    uint32_t node[GZ_BLOCK_NODES], count;
} gz_face_block;

#endif
