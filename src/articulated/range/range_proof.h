/* The search over cells: proof that two links are apart over a range, as text that a checker follows:
 * docs/certificates.md has its letters.
 */
#ifndef GZ_ARTICULATED_RANGE_RANGE_PROOF_H
#define GZ_ARTICULATED_RANGE_RANGE_PROOF_H

#include "graze/range.h"

#include "articulated/certificate/proof.h"
#include "articulated/range/view.h"

/* Extent and limits of a search. */
typedef struct gz_range_search {
    const double *lower, *upper; /* of the variables between the links */
    uint64_t max_cells;
    double least_share; /* a cell this small is given up, not cut */
    bool text;          /* the proof is written down */
    /* Asked where the links seem to touch in the middle of a cell; true: they do, and the search is at its end. */
    bool (*touches)(void *user, const double *middle);
    void *user;
} gz_range_search;

typedef struct gz_range_proof {
    gz_proof proof;
    uint64_t cells;
    double open;    /* share of the range that is given up */
    double largest; /* of the largest cell among it, and that cell */
    double lower[GZ_MOST_VARIABLES], upper[GZ_MOST_VARIABLES];
    bool touched;
    bool cancelled;
    bool failed; /* no memory */
} gz_range_proof;

void gz_range_prove(graze_context *context, const gz_range_links *links, const gz_range_search *search,
                    gz_range_proof *proof);

#endif
