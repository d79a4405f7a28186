/* Everything with triangles in a world that has bodies other than models: a body of its own mesh, or a link. Ids of
   primitives are counted through all units in their order, as in a mesh that joins them. */
#ifndef GZ_ARTICULATED_WORLD_UNITS_H
#define GZ_ARTICULATED_WORLD_UNITS_H

#include "graze/world.h"

#include "articulated/scene.h"
#include "articulated/world/face_parts.h"

typedef enum gz_unit_kind {
    GZ_UNIT_STILL, /* a static body, or a link that no joint moves */
    GZ_UNIT_STRAIGHT,
    GZ_UNIT_AFFINE,
    GZ_UNIT_RIGID,
    GZ_UNIT_LINK, /* a link that a joint moves */
    GZ_UNIT_CUBIC,
} gz_unit_kind;

/* Numbers of primitives before a unit, or of all. */
typedef struct gz_offsets {
    uint32_t vertices, edges, faces;
} gz_offsets;

typedef struct gz_unit {
    gz_unit_kind kind;
    uint32_t body, link;
    uint32_t place; /* of the link in the scene */
    graze_mesh mesh;
    const double (*rest)[3]; /* positions in the unit's frame, in the world where it is still; NULL: with the motion */
    double (*placed)[3];     /* NULL, or the same, owned */
    /* of a unit with a frame all of which is of faces: its tree and what its faces own; else NULL */
    const gz_face_node *nodes;
    const gz_face_part *parts;
    gz_face_part *own_parts; /* NULL, or the same, owned */
    const double *columns;   /* its positions, columns.h */
    double size;             /* of one with a frame: gz_points_size of its rest */
    double *own_columns;
    double padding;
    gz_offsets joined, straight; /* its first primitives; `straight`: among the units that move straight */
} gz_unit;

typedef struct gz_units {
    graze_context *context;
    gz_unit *list;
    size_t count, room;
    bool straight, curved; /* some units move straight, some do not */
    graze_mesh joined;     /* those that move straight as one mesh, with its groups */
    uint8_t *group_pairs;
    double *thickness; /* paddings of its vertices; NULL: all are 0 */
} gz_units;

static inline bool gz_unit_is_straight(const gz_unit *unit) { return unit->kind <= GZ_UNIT_AFFINE; }
/* Its own primitives may touch each other. */
static inline bool gz_unit_deforms(const gz_unit *unit) {
    return unit->kind == GZ_UNIT_STRAIGHT || unit->kind == GZ_UNIT_CUBIC;
}
/* Its shape stays, and its frame moves. */
static inline bool gz_unit_has_frame(const gz_unit *unit) {
    return unit->kind == GZ_UNIT_RIGID || unit->kind == GZ_UNIT_LINK;
}

struct graze_world;

/* The units of a world whose still links and rules are made. */
graze_status gz_units_make(graze_context *context, const struct graze_world *world, gz_units *units);
void gz_units_release(gz_units *units);

/* All units, or those that move straight, as one mesh with a group for each and a table of the groups that may touch.
   Both are the caller's to release, whatever the status. */
graze_status gz_units_join(graze_context *context, const struct graze_world *world, const gz_units *units, bool all,
                           graze_mesh *joined, uint8_t **table);

/* The separation that two units, or the parts of one, keep, which is that of the call before; −1: they are not tested.
 */
double gz_units_separation(const struct graze_world *world, const gz_unit *a, const gz_unit *b, double separation);

/* The largest separation that a rule asks for. */
double gz_units_margin(const struct graze_world *world);

#endif
