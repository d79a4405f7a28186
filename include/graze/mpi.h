/// One step of a mesh that is spread over the ranks of an MPI communicator.
///
/// Answers are bit-identical to those of one process, for any number of ranks and however the mesh is spread. This
/// header needs no MPI header: a communicator is passed by its Fortran handle. The calls are in libgraze. At run time
/// they load libgraze_mpi_openmpi.so or libgraze_mpi_mpich.so from the folder of libgraze.so (or of the program that
/// contains it), from the system's search path, or from the path in the environment variable GRAZE_MPI_LIBRARY. Without
/// such a library they return GRAZE_ERR_UNSUPPORTED, and the last error says why.
///
/// Every call except graze_mpi_start and the releases is collective: all ranks of the communicator make it, with the
/// same options. If one rank fails (memory, bad input), all ranks return its status and message. The launcher must
/// notice a killed rank. `context` must not be NULL or in use: such a call does not take part, and the other ranks
/// wait.
#ifndef GRAZE_MPI_H
#define GRAZE_MPI_H

#include "graze/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/// MPI_Comm_c2f(comm) in C, comm.py2f() in mpi4py. It is duplicated on first use, so messages of the caller and of
/// graze stay apart.
typedef int32_t graze_mpi_comm;

/// One rank's part of the mesh, borrowed for the call. Ids are 64-bit and global. Faces, edges and points of any rank
/// may name vertices of any other. Parts need not be connected, and may be empty.
///
/// Several ranks may bring the same vertex, face, edge or point. Copies of a vertex must agree in every bit of x0, x1,
/// group and thickness (otherwise GRAZE_ERR_INVALID_ARGUMENT; the error names the vertex).
typedef struct graze_mpi_part {
    size_t struct_size;
    size_t vertex_count, face_count, edge_count, point_count;
    const uint64_t *vertex_ids; ///< ids of the rows of x0 and x1, in any order, without repeats
    const uint64_t (*faces)[3]; ///< ids of the corners
    const uint64_t *face_ids;   ///< NULL on all ranks: faces are numbered rank after rank, and none is brought twice
    const uint64_t (*edges)[2]; ///< free edges; sides of faces and repeats among them do no harm
    const uint64_t *points;     ///< vertices that are points; those that belong to an edge are dropped

    const uint32_t *groups; ///< as in graze_mesh, here and below; the same fields are set on all ranks
    uint32_t group_count;
    int skip_same_group;
    const uint8_t *group_pairs;
    const double *thickness;
} graze_mpi_part;

/// graze_pair with global ids. Edges are numbered as by graze_mesh_from_parts of the whole mesh: all edges as pairs of
/// ids i < j, sorted by j, then by i.
typedef struct graze_mpi_pair {
    graze_kind kind;
    uint64_t a, b;
} graze_mpi_pair;

typedef struct graze_mpi_pair_result {
    graze_mpi_pair pair;
    uint64_t vertices[4]; ///< in the order of a query's rows; 0 where the kind has none
    graze_result result;
} graze_mpi_pair_result;

/// Result of a step, equal on all ranks unless a field says otherwise.
typedef struct graze_mpi_result {
    size_t struct_size;
    graze_verdict verdict; ///< here and below as in graze_step_result
    graze_reason reason;
    double toi;
    double toi_upper;
    int32_t has_pair;
    graze_mpi_pair_result limiting;
    uint64_t candidates[4];
    uint64_t hits[4];
    /// mode ALL: this rank's range of the list, which is sorted by kind, a, b over all ranks. Owned:
    /// graze_mpi_step_release
    graze_mpi_pair_result *pairs;
    size_t pair_count;
    uint64_t pair_first; ///< place of pairs[0] in the whole list
    uint64_t pair_total; ///< length of the whole list
    uint32_t rank, ranks;
    uint64_t vertex_total, edge_total, face_total; ///< of the whole mesh
    uint64_t codim_edge_total, point_total;
    uint64_t messages, bytes;       ///< sent by this rank to single ranks in this call
    uint64_t collectives, gathered; ///< calls with all ranks, and bytes that this rank received by them
    uint64_t crossing;              ///< vertices, edges and faces that other ranks sent here to be tested
    double imbalance;               ///< longest search time of a rank over the mean of all; 1: all took equally long
    double ms_deal;                 ///< wall time of this rank: bringing the mesh to the ranks that search it
    double ms_search;               ///< searching
    double ms_exchange;             ///< finding out what crosses, and sending it
    double ms_total;
} graze_mpi_result;

/// An empty part.
GRAZE_DEFAULTS(graze_mpi_part, graze_default_mpi_part, graze_init_mpi_part)
/// UNRESOLVED with toi 0.
GRAZE_DEFAULTS(graze_mpi_result, graze_default_mpi_result, graze_init_mpi_result)

/// For programs that do not call MPI themselves: initializes MPI if necessary, and gives the handle of MPI_COMM_WORLD.
/// graze_mpi_finish finalizes what graze_mpi_start initialized. Call each at most once in a process.
GRAZE_API graze_status graze_mpi_start(graze_context *context, graze_mpi_comm *world);
GRAZE_API graze_status graze_mpi_finish(graze_context *context);

/// This rank's number and how many there are. Either may be NULL.
GRAZE_API graze_status graze_mpi_ranks(graze_context *context, graze_mpi_comm comm, uint32_t *rank, uint32_t *ranks);

/// For failures in the caller's code before a step: if one rank brings a status other than GRAZE_OK, all ranks return
/// it, and its message becomes the last error of all ranks. `message` may be NULL.
GRAZE_API graze_status graze_mpi_agree(graze_context *context, graze_mpi_comm comm, graze_status status,
                                       const char *message);

/// graze_step on the union of the parts of all ranks.
///
/// The mesh is redistributed along a space-filling curve, so the shape of the parts does not matter. If the lists of
/// all parts are those of the last call on this context, only positions travel. Where several
/// communicators take turns, take a context for each. Each rank searches its piece on its context's threads or GPU; a
/// pair that crosses pieces is tested by one of the two ranks.
///
/// Methods `certified`, `exact` and `oracle`; other methods, device memory, and relative_separation are
/// GRAZE_ERR_UNSUPPORTED. Mode ANY: the verdict agrees with one process; which contact is named depends on the ranks.
/// Cancel or deadline on one rank makes the answer of all ranks UNRESOLVED, reason CANCELLED.
///
/// @param x0, x1   positions of the part's vertices, with the stride of the options
/// @param options  NULL for graze_default_step_options(); in mode VERTICES vertex_toi receives the times of the part's
///                 vertices
/// @param result   from graze_default_mpi_result(); on any status but GRAZE_OK it is { GRAZE_UNRESOLVED, toi = 0 }
GRAZE_API graze_status graze_mpi_step(graze_context *context, graze_mpi_comm comm, const graze_mpi_part *part,
                                      const double (*x0)[3], const double (*x1)[3], const graze_step_options *options,
                                      graze_mpi_result *result);
GRAZE_API void graze_mpi_step_release(graze_context *context, graze_mpi_result *result);

/// graze_candidates on that mesh: this rank's range of the sorted list. `first` is the place of pairs[0] in the whole
/// list; it may be NULL. Release by graze_mpi_pairs_release.
GRAZE_API graze_status graze_mpi_candidates(graze_context *context, graze_mpi_comm comm, const graze_mpi_part *part,
                                            const double (*x0)[3], const double (*x1)[3],
                                            const graze_step_options *options, graze_mpi_pair **pairs, size_t *count,
                                            uint64_t *first);
GRAZE_API void graze_mpi_pairs_release(graze_context *context, graze_mpi_pair *pairs, size_t count);

/// Counts the pairs of faces that intersect at x: the length of the list of graze_static_intersections on that mesh.
GRAZE_API graze_status graze_mpi_static_intersections(graze_context *context, graze_mpi_comm comm,
                                                      const graze_mpi_part *part, const double (*x)[3],
                                                      const graze_step_options *options, uint64_t *count);

/// Writes a file of all ranks' bytes, one rank after the other, by MPI-IO: a list in its global order. The file is
/// written as PATH.graze-part and renamed when all ranks are done; only a job that is killed leaves that name behind.
/// PATH may name a regular file or nothing yet.
GRAZE_API graze_status graze_mpi_write(graze_context *context, graze_mpi_comm comm, const char *path, const void *bytes,
                                       size_t size);

#ifdef __cplusplus
}
#endif
#endif
