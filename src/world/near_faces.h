/* Faces of two bodies that keep their shape: down both trees, in the frame of the second. */
#ifndef GZ_WORLD_NEAR_FACES_H
#define GZ_WORLD_NEAR_FACES_H

#include "articulated/touch.h"
#include "world/motions.h"

/* Takes two faces that are not proven to stay apart during the span of the round; false: no more. */
typedef bool gz_near_face(void *user, uint32_t a, uint32_t b);

/* What is known of two bodies over the span of a round. */
typedef enum gz_over_span {
    GZ_SPAN_APART,  /* proven apart at once, by one direction or their boxes */
    GZ_SPAN_NEAR,   /* not so */
    GZ_SPAN_COARSE, /* nor that, and the span is so long that one of them moves by a good part of its size */
} gz_over_span;

/* `contact`: the distance that counts. `halves`: they may be GZ_SPAN_COARSE. Faces of GZ_SPAN_NEAR ones are taken;
   `take` NULL: they are not looked for. */
gz_over_span gz_near_faces(const gz_movers *movers, const gz_mover *a, const gz_mover *b, double contact,
                           gz_near_face *take, void *user, bool halves);

#endif
