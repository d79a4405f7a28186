/* The one thing that is asked of CGAL, as plain C: its side is C++. */
#ifndef GZ_COMPARED_BROAD_CGAL_BOXES_H
#define GZ_COMPARED_BROAD_CGAL_BOXES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Takes the places of two boxes that meet, of `a` first. False ends the search. */
typedef bool gz_cgal_visit(void *state, uint32_t a, uint32_t b);

/* Boxes are six doubles, lowest corner first. `b` NULL: pairs within `a`. False: memory ran out. */
bool gz_cgal_search(const double (*a)[6], uint32_t a_count, const double (*b)[6], uint32_t b_count,
                    gz_cgal_visit *visit, void *state);

#ifdef __cplusplus
}
#endif
#endif
