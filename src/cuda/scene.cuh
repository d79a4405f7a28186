/* A mesh and its motion on the device: uploaded, ordered, boxed, and walked for pairs of primitives. */
#ifndef GZ_CUDA_SCENE_CUH
#define GZ_CUDA_SCENE_CUH

#include "cuda/expand.cuh"
#include "cuda/order.cuh"

/* Counters of one pass, on the device and copied to the host. */
struct gz_pass_counts {
    unsigned long long element_pairs;
    unsigned long long pairs[4]; /* by graze_kind */
    uint32_t next_packet, next_left, left, unused;
};

struct gz_device_scene {
    cudaStream_t stream = nullptr;
    int processors = 1;

    /* topology */
    /* the lists as the host had them: what stays on the device is told by comparing, not by a hash */
    std::vector<uint32_t> known_faces, known_edges, known_codim_edges, known_codim_points;
    bool resident = false;
    uint32_t vertex_count = 0, edge_count = 0, face_count = 0, element_count = 0;
    gz_device_groups groups = {};
    gz_device_array<uint32_t> faces, edges, vertex_groups;
    gz_device_array<uint8_t> group_pairs;
    gz_device_array<double> thickness;
    bool has_groups = false, has_thickness = false;
    gz_device_array<gz_element> elements, sorted;

    /* positions */
    gz_device_array<double> x0, x1;
    gz_device_array<gz_vertex_ends> ends;
    gz_device_array<gz_vertex_box> boxes;
    gz_device_view view = {{0, 0, 0}, 1};

    /* order and tree */
    bool ordered = false;
    gz_device_array<uint32_t> keys, ids;
    gz_device_array<unsigned char> sort_bytes;
    gz_device_array<gz_extent> extent;
    gz_device_array<gz_packet> packets;
    gz_device_array<gz_float_box> tops;
    gz_device_tree tree = {};

    /* lists */
    gz_device_array<uint2> element_pairs, walks_left, pairs[4];
    gz_pinned_array<gz_extent> host_extent;
};

/* Loads the mesh, unless it is there. */
bool gz_scene_load_mesh(gz_device_scene &s, const graze_mesh *mesh, gz_device_error &error);

/* Positions of the host; `stride` in bytes. */
bool gz_scene_upload(gz_device_scene &s, const char *x0, const char *x1, size_t stride, gz_device_error &error);

/* Positions that are on the device already, 24 bytes each. */
bool gz_scene_pack(gz_device_scene &s, const double *x0, const double *x1, gz_device_error &error);

bool gz_scene_order(gz_device_scene &s, gz_device_error &error);

/* Boxes over [0, w], each grown by `grow` and its thickness, and the tree over them. */
bool gz_scene_boxes(gz_device_scene &s, double w, double grow, gz_device_error &error);

/* Fills the lists with the pairs of packets first … end − 1 against all from their own on. `counts`, on the device, is
   zero before. Nothing is waited for. */
bool gz_scene_walk(gz_device_scene &s, uint32_t first, uint32_t end, unsigned kinds, gz_pass_counts *counts,
                   gz_device_error &error);

void gz_scene_release(gz_device_scene &s);

#endif
