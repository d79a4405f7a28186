/* The distance of two links that stand still: branch and bound over their trees. */
#ifndef GZ_ARTICULATED_DISTANCE_LINK_GAP_H
#define GZ_ARTICULATED_DISTANCE_LINK_GAP_H

#include "articulated/touch.h"

/* Two links at a single time. The exact distance, less what counts as contact and at least 0, is from lower to upper.
 */
typedef struct gz_link_gap {
    double lower, upper;
    gz_faces faces;
    gz_face_gap closest; /* of these, in the frame of b */
    bool apart;          /* proven of these, along the direction between their closest points */
} gz_link_gap;

/* `frames` are those of a single time. Links that are not closer than `reach` may have no more than a lower bound,
   which is at least that: upper is INFINITY then. */
gz_link_gap gz_links_gap(gz_frames *frames, const gz_link_pair *pair, double reach);

/* Takes two faces; false ends the search. */
typedef bool gz_face_visit(void *user, gz_faces faces);

/* Calls `visit` for all faces that are not proven to be `reach` or more apart beyond contact, some perhaps twice. n: a
   direction, in the frame of b, along which the links may be apart. */
void gz_faces_within(gz_frames *frames, const gz_link_pair *pair, double reach, gz_vec3 n, gz_face_visit *visit,
                     void *user);

#endif
