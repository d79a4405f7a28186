/// The mesh of a step: triangles, edges and points over one array of vertices, and rules for which pairs are tested.
#ifndef GRAZE_MESH_H
#define GRAZE_MESH_H

#include "graze/query.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns 1 to test the pair, 0 to skip it; any other value ends the step with GRAZE_ERR_CALLBACK. Called by several
/// threads at once, in any order, at most once a pair; ids as in graze_pair.
typedef int graze_pair_filter(void *user, graze_kind kind, uint32_t a, uint32_t b);

/// Topology, borrowed from the caller: every pointer must stay valid during a call.
///
/// The lists must be complete, or contacts would be missed: list every side of a face as an edge, every edge without a
/// face as a codimensional edge, and every vertex without an edge as a codimensional point. graze_mesh_from_parts makes
/// complete lists. Calls that search for pairs refuse an incomplete mesh (GRAZE_ERR_INVALID_ARGUMENT; the last error
/// names the first face, edge or vertex). They check once, and again if a hash of the lists changes. Extra entries are
/// allowed. A mesh without vertices is valid: nothing touches.
///
/// A step tests vertices with faces (VF), edges with edges (EE), and codimensional points with codimensional edges (PE)
/// and with each other (PP). Pairs that share a vertex are skipped.
typedef struct graze_mesh {
    size_t struct_size;
    uint32_t vertex_count;
    uint32_t edge_count;
    uint32_t face_count;
    const uint32_t (*edges)[2]; ///< all edges: sides of faces and codimensional edges
    const uint32_t (*faces)[3];
    uint32_t codim_edge_count;
    uint32_t codim_point_count;
    const uint32_t *codim_edges;  ///< ids of the edges that belong to no face
    const uint32_t *codim_points; ///< ids of the vertices that belong to no edge

    const uint32_t *groups;     ///< NULL, or a group for each vertex; all vertices of a primitive have one group
    uint32_t group_count;       ///< groups are < group_count
    int skip_same_group;        ///< nonzero: pairs within one group are skipped
    const uint8_t *group_pairs; ///< NULL, or group_count × group_count bytes, symmetric: 0 where two groups never touch

    graze_pair_filter *filter; ///< NULL, or a filter. Modes EARLIEST and ANY call it only for pairs that come close
    void *filter_user;

    /// NULL, or a radius ≥ 0 for each vertex: a primitive is the hull of the balls around its vertices, as in
    /// graze_ccd_thick. Methods other than `certified` and `exact` use the largest radius of each primitive, and report
    /// contacts early if its radii differ.
    const double *thickness;
    void *owned; ///< memory from graze_mesh_from_faces, _from_parts or _join; NULL in a mesh made by hand
} graze_mesh;

/// An empty mesh.
GRAZE_DEFAULTS(graze_mesh, graze_default_mesh, graze_init_mesh)

/// Derives the edges of a triangle mesh: the unique pairs i < j, sorted by j, then by i. `faces` is borrowed. Vertices
/// without a face are tested only against faces.
/// @param mesh  from graze_default_mesh(). On any status but GRAZE_OK it is empty. Release it by graze_mesh_release
///              with the same context.
GRAZE_API graze_status graze_mesh_from_faces(graze_context *context, uint32_t vertex_count, const uint32_t (*faces)[3],
                                             uint32_t face_count, graze_mesh *mesh);

/// Derives all lists from faces, edges and points. `edges` are free edges in any order and direction; sides of faces
/// and repeats among them do no harm. The mesh gets all edges, sides of faces included, as unique pairs i < j, sorted
/// by j, then by i. Points that belong to an edge are dropped. If `points` is NULL, every vertex without an edge is a
/// point; otherwise such vertices are tested only against faces unless they are listed. `faces` is borrowed; edges and
/// points are copied. Otherwise as graze_mesh_from_faces.
GRAZE_API graze_status graze_mesh_from_parts(graze_context *context, uint32_t vertex_count, const uint32_t (*faces)[3],
                                             uint32_t face_count, const uint32_t (*edges)[2], uint32_t edge_count,
                                             const uint32_t *points, uint32_t point_count, graze_mesh *mesh);

/// Joins two meshes, to search the pairs of one with the other. Vertices, edges and faces of `b` follow those of `a`.
/// `a` is group 0, `b` is group 1, and skip_same_group is set. Thickness is kept; a mesh without it gets 0. All lists
/// are copied, so `a` and `b` may be released. Groups of `a` and `b` are dropped, since they concern pairs within one
/// mesh; set new groups to search such pairs too. A mesh with a filter is refused (GRAZE_ERR_UNSUPPORTED), since its
/// ids would change: set a filter on the joined mesh. Both must be complete. Otherwise as graze_mesh_from_faces.
GRAZE_API graze_status graze_mesh_join(graze_context *context, const graze_mesh *a, const graze_mesh *b,
                                       graze_mesh *mesh);

GRAZE_API void graze_mesh_release(graze_context *context, graze_mesh *mesh);

#ifdef __cplusplus
}
#endif
#endif
