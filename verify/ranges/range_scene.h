/* A certificate of ranges as it was read: links, the range of every joint value, and what is claimed of each pair. */
#ifndef GRAZE_VERIFY_RANGE_SCENE_H
#define GRAZE_VERIFY_RANGE_SCENE_H

#include "verify/path_scene.h"

typedef struct range_value {
    double lower, upper;
    long follows; /* -1, or another value: multiplier·that + offset */
    double multiplier, offset;
} range_value;

typedef enum range_claim_kind { RANGE_CLEAR, RANGE_TOUCH, RANGE_OPEN } range_claim_kind;

typedef struct range_claim {
    range_claim_kind kind;
    path_text proof; /* of what is clear; begin NULL: there is none */
    double open;     /* share that is not proven */
    double *pose;    /* of a touch: of all values, NaN where they follow another */
    bool inside;     /* a part of one link is in the other; else: */
    bool overlaps;   /* the middle of face faces[0] of link number `side` is in the other; else: */
    int side;
    uint32_t faces[2];
    bool placed; /* `at` are points of the two faces, by u and v */
    double at[4];
} range_claim;

typedef struct range_scene {
    path_scene base;
    range_value *values; /* of all models */
    size_t value_count;
    size_t *first_value; /* of each link, among all */
    range_claim *claims; /* of each pair */
    size_t claim_count;
} range_scene;

/* False: `message` says what is wrong. Free the scene in any case. */
bool range_scene_read(range_scene *scene, const char *text, size_t size, char message[VERIFY_TEXT]);
void range_scene_free(range_scene *scene);

#endif
