/* Faces of two bodies that keep their shape: down both trees, in the frame of the second. */
#ifndef GZ_WORLD_NEAR_FACES_H
#define GZ_WORLD_NEAR_FACES_H

#include "articulated/touch.h"
#include "world/motions.h"

/* Takes two faces that are not proven to stay apart during the span of the round; false: no more. */
typedef bool gz_near_face(void *user, uint32_t a, uint32_t b);

/* `contact`: the distance that counts. `coarse`: NULL, or set where no direction tells all of both apart and the span
   is so long that one of them moves by a good part of its size: then nothing is taken. False where the user wanted no
   more. */
bool gz_near_faces(const gz_movers *movers, const gz_mover *a, const gz_mover *b, double contact, gz_near_face *take,
                   void *user, bool *coarse);

#endif
