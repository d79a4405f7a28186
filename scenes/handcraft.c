/* The table of families. */
#include "scenes/handcraft.h"

#include "scenes/craft.h"

#include <string.h>

static const double times[] = {0, 0.25, 0.5, 0.75, 1};
static const double inner_times[] = {0.25, 0.5, 0.75};
static const double places[] = {CRAFT_INSIDE, CRAFT_EDGE, CRAFT_CORNER};
static const double ulps[] = {1, -1, 2, -2, 4, -4, 8, -8, 16, -16, 64, -64, 256, -256, 1024, -1024};
static const double gaps[] = {20, 25, 30, 35, 40, 45};
static const double one_ulp[] = {1, -1};
static const double touching[] = {1, 0};
static const double variants[] = {0, 1, 2};
static const double heights[] = {0.1, 0.125, 0.25, 0.5, 0.75};
static const double mixed[] = {0, 1};
static const double roots[] = {2, 3};
static const double coinciding[] = {2, 3, 4};
static const double tiny[] = {-50, -100, -300, -600, -1000};
static const double huge[] = {20, 50, 100, 150};
static const double spreads[] = {100, 280, 600, 1100};
static const double offsets[] = {10, 20, 30, 40};
static const double last_places[] = {-1074, -1060, -1030};
static const double ranges[] = {1, 2, 3, 4, 8};
static const double motions[] = {1, 0.125, 0x1p-20};
static const double short_edges[] = {40, 300, 540, 560, 700, 1000};
static const double needles[] = {100, 400, 540, 600, 800};
static const double apart[] = {40, 200, 270, 300, 434, 500};

enum {
    INSIDE,
    ON_EDGE,
    CORNER,
    POINTS_ONLY,
    TOUCH_START,
    TOUCH_END,
    GRAZE,
    NEAR_CONTACT,
    NEAR_MISS,
    NEAR_GRAZE,
    NUDGED,
    COPLANAR,
    COLLINEAR,
    DEGENERATE_ALWAYS,
    DEGENERATE_ONCE,
    HOURGLASS,
    INFLECTION,
    MANY_ROOTS,
    IDENTICAL,
    STATIC,
    SLIDING,
    SCALED,
    WIDE,
    FAR,
    SUBNORMAL,
    LATTICE,
    RANDOM,
    ROUNDED,
    SHORT_EDGES,
    NEEDLES,
    TINY_APART
};

static craft_maker *const makers[] = {
    [INSIDE] = craft_inside,
    [ON_EDGE] = craft_on_edge,
    [CORNER] = craft_corner,
    [POINTS_ONLY] = craft_points_only,
    [TOUCH_START] = craft_touch_start,
    [TOUCH_END] = craft_touch_end,
    [GRAZE] = craft_graze,
    [NEAR_CONTACT] = craft_near_contact,
    [NEAR_MISS] = craft_near_miss,
    [NEAR_GRAZE] = craft_near_graze,
    [NUDGED] = craft_nudged,
    [COPLANAR] = craft_coplanar,
    [COLLINEAR] = craft_collinear,
    [DEGENERATE_ALWAYS] = craft_degenerate_always,
    [DEGENERATE_ONCE] = craft_degenerate_once,
    [HOURGLASS] = craft_hourglass,
    [INFLECTION] = craft_inflection,
    [MANY_ROOTS] = craft_many_roots,
    [IDENTICAL] = craft_identical,
    [STATIC] = craft_static,
    [SLIDING] = craft_sliding,
    [SCALED] = craft_scaled,
    [WIDE] = craft_wide,
    [FAR] = craft_far,
    [SUBNORMAL] = craft_subnormal,
    [LATTICE] = craft_lattice,
    [RANDOM] = craft_random,
    [ROUNDED] = craft_rounded,
    [SHORT_EDGES] = craft_short_edges,
    [NEEDLES] = craft_needles,
    [TINY_APART] = craft_tiny_apart,
};

#define VALUES(list) list, sizeof list / sizeof *list
static const handcraft_family families[] = {
    {"inside", "time", "contact inside the face, or inside both edges", VALUES(times), INSIDE},
    {"point-edge", "time", "contact on an edge of the face, or of an end of one edge inside the other", VALUES(times),
     ON_EDGE},
    {"vertex-vertex", "time", "contact on a corner of the face, or of two ends", VALUES(times), CORNER},
    {"point-point", "time", "both primitives are points and meet", VALUES(times), POINTS_ONLY},
    {"touch-start", "place", "touches at t = 0 and leaves: inside 0, edge 1, corner 2", VALUES(places), TOUCH_START},
    {"touch-end", "place", "touches at t = 1 and not before: inside 0, edge 1, corner 2", VALUES(places), TOUCH_END},
    {"graze", "time", "a double root: touches and parts on the same side", VALUES(inner_times), GRAZE},
    {"near-contact", "ulps", "ends some doubles past a contact (positive) or short of it", VALUES(ulps), NEAR_CONTACT},
    {"near-miss", "exponent", "a vertex or end slides along an edge, 2 to the minus that away", VALUES(gaps),
     NEAR_MISS},
    {"near-graze", "ulps", "a double root moved by some doubles", VALUES(ulps), NEAR_GRAZE},
    {"nudged", "ulps", "an exact contact with one coordinate moved to the next double", VALUES(one_ulp), NUDGED},
    {"coplanar", "touches", "all motion in one plane, f = 0 for all t", VALUES(touching), COPLANAR},
    {"collinear", "touches", "all motion on one line", VALUES(touching), COLLINEAR},
    {"degenerate-always", "variant", "a face or edge without extent for all t", VALUES(variants), DEGENERATE_ALWAYS},
    {"degenerate-once", "variant", "a face or edge that collapses, or edges parallel, at one time", VALUES(variants),
     DEGENERATE_ONCE},
    {"hourglass", "height", "two corners change places on the way", VALUES(heights), HOURGLASS},
    {"inflection", "mixed", "a cubic with an inflection point in the step", VALUES(mixed), INFLECTION},
    {"many-roots", "roots", "2 or 3 contact times", VALUES(roots), MANY_ROOTS},
    {"identical", "points", "2, 3 or 4 points are the same for all t", VALUES(coinciding), IDENTICAL},
    {"static", "touches", "nothing moves", VALUES(touching), STATIC},
    {"sliding", "variant", "parallel motion: in line 0, side by side 1, meeting at one time 2", VALUES(variants),
     SLIDING},
    {"tiny", "exponent", "exact contacts times a small power of two", VALUES(tiny), SCALED},
    {"huge", "exponent", "exact contacts times a large power of two", VALUES(huge), SCALED},
    {"wide", "bits", "exact contacts with axes of very different units", VALUES(spreads), WIDE},
    {"far", "exponent", "exact contacts far from the origin", VALUES(offsets), FAR},
    {"subnormal", "exponent", "exact contacts with a last place that small", VALUES(last_places), SUBNORMAL},
    {"lattice", "range", "random small integers: degenerate in every way", VALUES(ranges), LATTICE},
    {"random", "motion", "random doubles of all bits", VALUES(motions), RANDOM},
    {"rounded", "time", "contacts in general position, computed with rounding", VALUES(times), ROUNDED},
    {"short-edges", "exponent", "one edge of 2 to the minus that, others of 1; touches within 0.5", VALUES(short_edges),
     SHORT_EDGES, HANDCRAFT_SEPARATION},
    {"needles", "exponent", "two short edges with a product of 2 to the minus that; touches within 0.5",
     VALUES(needles), NEEDLES, HANDCRAFT_SEPARATION},
    {"tiny-apart", "exponent", "two primitives of 2 to the minus that, far apart; touches within 0.5", VALUES(apart),
     TINY_APART, HANDCRAFT_SEPARATION},
};
#define FAMILY_COUNT (sizeof families / sizeof *families)

const handcraft_family *handcraft_get(size_t index) { return index < FAMILY_COUNT ? &families[index] : NULL; }

const handcraft_family *handcraft_find(const char *name) {
    for (size_t i = 0; i < FAMILY_COUNT; i++)
        if (strcmp(name, families[i].name) == 0) return &families[i];
    return NULL;
}

handcraft_promise handcraft_make(const handcraft_family *family, graze_kind kind, uint64_t seed, uint64_t index,
                                 graze_query *query) {
    /* the name, not the place in the table, so that new families change no old query */
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char *at = family->name; *at; at++) hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
    craft c = {.kind = kind,
               .value = family->values[index % family->value_count],
               .index = index,
               .random = {hash ^ (kind == GRAZE_EE ? 0x5851f42d4c957f2du : 0)},
               .query = query};
    c.random.state ^= scene_random_bits(&(scene_random){seed});
    c.random.state ^= scene_random_bits(&(scene_random){index});
    *query = (graze_query){0};
    return makers[family->maker](&c);
}

size_t handcraft_generate(const char *family, graze_kind kind, uint64_t seed, graze_query *out, size_t count) {
    const handcraft_family *found = handcraft_find(family);
    if (!found || (kind != GRAZE_VF && kind != GRAZE_EE)) return 0;
    for (size_t i = 0; i < count; i++) handcraft_make(found, kind, seed, i, &out[i]);
    return count;
}
