/* Passes that answer no pair: the list of candidates, and how far each vertex may go on its own. */
#ifndef GZ_CUDA_PAIRS_CUH
#define GZ_CUDA_PAIRS_CUH

#include "cuda/compare.cuh"
#include "cuda/compare_ti.cuh"
#include "cuda/step.cuh"

struct gz_device_pairs {
    gz_device_array<unsigned long long> codes; /* twice the room: sorted into the second half */
    gz_device_array<unsigned char> sort_bytes;
    gz_device_array<graze_pair> listed;
    gz_device_array<unsigned long long> limits; /* bits of the vertices' times */
    gz_pinned_array<graze_pair> host_listed;
    gz_pinned_array<double> host_limits;
    size_t count = 0;                     /* of host_listed */
    graze_broad broad = GRAZE_BROAD_AUTO; /* of candidates; AUTO: the tree that steps have */
    gz_device_compare compare;
    double ti_tolerance = 0; /* not 0: the candidates are not listed, but searched by Tight Inclusion */
    gz_device_ti ti;
    gz_ti_found ti_found = {};
};

/* As gz_pass_begin and gz_pass_end: begins a pass over [0, t_max], and waits for it. `stops` is what the vertices are
   asked for; else it is the list of candidates. */
bool gz_pairs_begin(gz_device_scene &s, gz_device_narrow &n, gz_device_pairs &p, const gz_device_request &request,
                    bool stops, gz_device_error &error);
/* False, without an error, when a list was too short. Then host_listed has the candidates, sorted, or the pairs that
   are left to the host with the one that stops a vertex first; host_limits has the times of the vertices. */
bool gz_pairs_end(gz_device_scene &s, gz_device_narrow &n, gz_device_pairs &p, const gz_device_request &request,
                  bool stops, gz_device_error &error);

void gz_pairs_release(gz_device_pairs &p);

#endif
