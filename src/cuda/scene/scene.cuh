/* A mesh and its motion on the device: uploaded, ordered, boxed, and walked for pairs of primitives. */
#ifndef GZ_CUDA_SCENE_SCENE_CUH
#define GZ_CUDA_SCENE_SCENE_CUH

#include "cuda/narrow.cuh"
#include "cuda/scene/tree.cuh"

#include "base/backend.h"
#include "numerics/kept.h"

#include <vector>

/* The largest and the least coordinate of x0, as integers that order as floats do. */
struct gz_extent {
    int lo[3], hi[3];
};

/* As gz_backend_piece, for a kernel. */
struct gz_piece {
    const char *x0, *x1;
    unsigned long long stride;
    uint32_t first, count;
};

struct gz_device_groups {
    const uint8_t *pairs; /* NULL, or count × count */
    uint32_t count;
    bool skip_same;
    bool worlds; /* a vertex has the number of its world times `count`, plus its group */
};

struct gz_device_scene {
    cudaStream_t stream = nullptr;
    int processors = 1;

    /* topology */
    /* the lists as the host had them: what stays on the device is told by comparing, not by a hash */
    std::vector<uint32_t> known_faces, known_edges, known_codim_edges, known_codim_points, known_groups;
    std::vector<uint8_t> known_group_pairs;
    std::vector<double> known_thickness;
    uint32_t known_group_count = 0;
    int32_t known_skip_same = 0;
    bool resident = false;
    uint64_t serial = 0; /* of the mesh, where it joins many worlds */
    uint32_t world_count = 0;
    bool whole = false; /* its lists are known to be complete for a search of all pairs */
    uint32_t vertex_count = 0, edge_count = 0, face_count = 0, element_count = 0;
    gz_device_groups groups = {};
    gz_device_array<uint32_t> faces, edges, vertex_groups;
    gz_device_array<uint8_t> group_pairs;
    gz_device_array<double> thickness;
    bool has_groups = false, has_thickness = false;
    gz_device_array<gz_element> elements, sorted;

    /* positions */
    gz_device_array<double> x0, x1; /* those that were uploaded */
    gz_pinned_array<double> staged;
    bool used = false; /* some have been uploaded */
    gz_device_positions positions = {};
    cudaEvent_t given = nullptr; /* the caller's stream has come to the call */
    gz_pinned_array<double2> host_motion;
    gz_device_array<gz_vertex_ends> ends;
    gz_device_array<gz_device_box> boxes;
    gz_device_array<gz_far_vertex> far; /* for a first look at pairs */
    gz_view view = {{0, 0, 0}, 1};

    /* order and tree */
    bool ordered = false;
    gz_device_array<uint32_t> keys, ids;
    gz_device_array<unsigned char> sort_bytes;
    gz_device_array<gz_extent> extent;
    gz_device_array<gz_packet> packets;
    gz_device_array<gz_float_box> tops;
    gz_device_tree tree = {};

    /* many worlds */
    bool gathered = false; /* positions that stay with the mesh are there */
    gz_device_array<unsigned long long> world_keys;
    gz_device_array<uint32_t> world_ends,
        walk_ends; /* elements of each world end there; a packet meets none from there */
    gz_pinned_array<gz_piece> host_pieces;
    gz_device_array<gz_piece> pieces;

    /* lists */
    gz_device_array<uint2> element_pairs, pairs[4];
    gz_device_array<unsigned long long> walks_left;
    bool walks_clean = false;
    gz_pinned_array<gz_extent> host_extent;
};

/* True if a mesh of this size is there, and checked for what is asked; and whether it is this one, which takes a look
 * at all of its lists, by all threads. */
bool gz_device_scene_may_have(const gz_device_scene &s, const gz_backend_request *request);
bool gz_device_scene_has(const gz_device_scene &s, const gz_backend_request *request);

bool gz_device_scene_load_mesh(gz_device_scene &s, const gz_backend_request *request, gz_device_error &error);

/* Positions of a step: the host's, in pages of any kind. With `once`, nothing but the next boxes reads them: then they
   may stay where they are. */
bool gz_device_scene_upload(gz_device_scene &s, const gz_backend_request *request, bool once, gz_device_error &error);

/* Positions that are on the device already: taken as they are, after what is in the caller's stream. */
bool gz_device_scene_take(gz_device_scene &s, const gz_backend_request *request, gz_device_error &error);

/* Positions of a mesh that joins many worlds: those that stay with the mesh, once; the others from where they are. */
bool gz_device_scene_gather(gz_device_scene &s, const gz_backend_request *request, gz_device_error &error);

/* Makes what follows wait for what is in that stream. */
bool gz_device_scene_wait_for(gz_device_scene &s, void *stream, gz_device_error &error);

/* All of them, in the host's memory. */
bool gz_device_scene_download(gz_device_scene &s, double (*const rows[2])[3], gz_device_error &error);

/* Sets motion and span of the step. Waits for it. */
bool gz_device_scene_motion(gz_device_scene &s, gz_kept_step *step, gz_device_error &error);

/* Ratio of the length of edges to how far they move, of some of them. May be NaN. */
double gz_device_scene_edges_to_motion(gz_device_scene &s, gz_device_error &error);

/* Sorts the elements by where they are, and chooses the view. */
bool gz_device_scene_order(gz_device_scene &s, gz_device_error &error);

/* Room for what follows, which then allocates nothing and waits for nothing. */
bool gz_device_scene_reserve(gz_device_scene &s, gz_device_error &error);

/* Ends and boxes of the vertices, by state->input; with `pack` from x0 and x1, else from the ends as they are. With
   `looks` also s.far, which has room for it. */
void gz_device_scene_boxes(gz_device_scene &s, bool pack, gz_step_state *state, bool looks = false);

/* The tree over them. */
void gz_device_scene_tree(gz_device_scene &s);

/* The number of warps that walk. */
uint32_t gz_device_scene_walkers(const gz_device_scene &s);

/* Fills the lists with the pairs that meet. The counts of `state` are zero before; `stop` as in gz_device_step. With
   `count`, for tight boxes, candidates are counted, but for those pairs that GZ_DOUBTFUL is set in; with
   `looks` those of the others that are plainly apart, by s.far, are left out. */
void gz_device_scene_walk(gz_device_scene &s, unsigned kinds, gz_step_state *state, const uint32_t *stop,
                          bool count = false, bool looks = false);

/* Codes with as many bits as its ids need. */
gz_pair_coder gz_device_scene_coder(const gz_device_scene &s);

void gz_device_scene_release(gz_device_scene &s);

#endif
