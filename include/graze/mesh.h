/// Mesh that moves in a step: triangles, edges and points over one array of vertices, and which pairs may touch.
#ifndef GRAZE_MESH_H
#define GRAZE_MESH_H

#include "graze/query.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns 1 to test the pair, 0 to skip it; anything else ends the step with GRAZE_ERR_CALLBACK. Called by several
/// threads at once, in any order, at most once for a pair; ids as in graze_pair.
typedef int graze_pair_filter(void *user, graze_kind kind, uint32_t a, uint32_t b);

/// Topology, borrowed from the caller: every pointer must stay valid during a call.
///
/// The lists must be complete, or contacts would be missed: every side of a face is listed as an edge, every edge
/// without a face as a codimensional edge, every vertex without an edge as a codimensional point. graze_mesh_from_parts
/// makes complete lists. Calls that search for pairs refuse an incomplete mesh (GRAZE_ERR_INVALID_ARGUMENT; the last
/// error names the first face, edge or vertex). They check once, and again when a hash of the lists has changed. Extra
/// entries are allowed. A mesh without vertices is fine: nothing touches.
///
/// A step tests vertices with faces (VF), edges with edges (EE), and codimensional points with codimensional edges (PE)
/// and with each other (PP). Pairs that share a vertex are skipped.
typedef struct graze_mesh {
    size_t struct_size;
    uint32_t vertex_count;
    uint32_t edge_count;
    uint32_t face_count;
    const uint32_t (*edges)[2]; ///< all edges, those of faces and codimensional ones
    const uint32_t (*faces)[3];
    uint32_t codim_edge_count;
    uint32_t codim_point_count;
    const uint32_t *codim_edges;  ///< ids of the edges that belong to no face
    const uint32_t *codim_points; ///< ids of the vertices that belong to no edge

    const uint32_t *groups;     ///< NULL, or a group for each vertex; all vertices of a primitive have one group
    uint32_t group_count;       ///< groups are < group_count
    int skip_same_group;        ///< nonzero: pairs within one group are skipped
    const uint8_t *group_pairs; ///< NULL, or group_count × group_count bytes, symmetric: 0 where two groups never touch

    graze_pair_filter *filter; ///< NULL, or a filter; modes EARLIEST and ANY call it only for pairs that come close
    void *filter_user;

    /// NULL, or a radius ≥ 0 for each vertex: a primitive is the hull of the balls around its vertices, as in
    /// graze_ccd_thick. Other methods than `certified` and `exact` use the largest radius of each primitive, and report
    /// contacts early where radii differ.
    const double *thickness;
    void *owned; ///< what graze_mesh_from_faces, _from_parts or _join allocated; NULL in a mesh made by hand
} graze_mesh;

/// An empty mesh.
GRAZE_DEFAULTS(graze_mesh, graze_default_mesh, graze_init_mesh)

/// Derives the edges of a triangle mesh: the unique pairs i < j, sorted by j, then by i. `faces` is borrowed. Vertices
/// in no face are tested against faces alone.
/// @param mesh  from graze_default_mesh(). On any status but GRAZE_OK it is empty. Release it by graze_mesh_release
/// with the same context.
GRAZE_API graze_status graze_mesh_from_faces(graze_context *context, uint32_t vertex_count, const uint32_t (*faces)[3],
                                             uint32_t face_count, graze_mesh *mesh);

/// Derives all lists from faces, edges and points. `edges` are free ones in any order and direction; sides of faces
/// among them, and repeats, do no harm. The mesh has all edges, those of faces too, as unique pairs i < j, sorted by j,
/// then by i. A point that is in an edge is dropped. `points` NULL: every vertex that is in no edge is a point; else
/// other vertices are tested against faces alone. `faces` is borrowed, edges and points are copied. Else as
/// graze_mesh_from_faces.
GRAZE_API graze_status graze_mesh_from_parts(graze_context *context, uint32_t vertex_count, const uint32_t (*faces)[3],
                                             uint32_t face_count, const uint32_t (*edges)[2], uint32_t edge_count,
                                             const uint32_t *points, uint32_t point_count, graze_mesh *mesh);

/// Two meshes as one, to search the pairs of one with the other: vertices, edges and faces of `b` follow those of `a`
/// and have the ids after them, `a` is group 0 and `b` group 1, and skip_same_group is set. Thickness is kept, 0 for a
/// mesh without. All lists are copied, so `a` and `b` may be released. Their own groups are dropped, as they concern
/// pairs within one of them; set other groups to search such pairs, too. A mesh with a filter is refused
/// (GRAZE_ERR_UNSUPPORTED), as its ids would change: set a filter on the joined mesh. Both must be complete. Otherwise
/// as graze_mesh_from_faces.
GRAZE_API graze_status graze_mesh_join(graze_context *context, const graze_mesh *a, const graze_mesh *b,
                                       graze_mesh *mesh);

GRAZE_API void graze_mesh_release(graze_context *context, graze_mesh *mesh);

#ifdef __cplusplus
}
#endif
#endif
