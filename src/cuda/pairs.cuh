/* Passes that answer no pair: the list of candidates, and how far each vertex may go on its own. */
#ifndef GZ_CUDA_PAIRS_CUH
#define GZ_CUDA_PAIRS_CUH

#include "cuda/step.cuh"

#if GRAZE_COMPARED
#include "cuda/compared/compared.cuh"
#include "cuda/compared/ti.cuh"
#else
#include "cuda/compared/absent.cuh"
#endif

struct gz_device_pairs {
    gz_device_array<unsigned long long> codes; /* twice the room: sorted into the second half */
    gz_device_array<unsigned char> sort_bytes;
    gz_device_array<graze_pair> listed;
    gz_device_array<graze_proximity_pair> near;
    gz_device_array<double> radii; /* of near pairs: what vertices add to the distance */
    gz_pinned_array<unsigned long long> more_codes;
    gz_device_array<unsigned long long> limits, theirs; /* bits of the vertices' times; theirs: by the host's pairs */
    gz_pinned_array<graze_pair> host_listed;
    gz_pinned_array<double> host_limits;
    size_t count = 0;                     /* of codes: candidates of the passes that are over */
    graze_broad broad = GRAZE_BROAD_AUTO; /* of candidates; AUTO: the tree that steps have */
    gz_device_compare compare;
    gz_device_ti ti;
    gz_ti_found ti_found = {};
};

/* As gz_pass_begin and gz_pass_end: begins a pass over [0, t_max], and waits for it. Then `codes` has, behind the first
   `count`, host_state->asks more: candidates, pairs that are near, or with request.given->stops pairs that the host has
   to look at; with `near` n.hits has those that doubles cannot tell. */
bool gz_device_pairs_begin(gz_device_scene &s, gz_device_narrow &n, gz_device_pairs &p,
                           const gz_device_request &request, const gz_device_pass &pass, gz_device_error &error);
bool gz_device_pairs_end(gz_device_scene &s, gz_device_narrow &n, gz_device_pairs &p, const gz_device_request &request,
                         gz_device_error &error);

/* Brings all codes into order, in the second half of `codes`; the second does the same with pairs in `listed`. Neither
   waits for anything. */
bool gz_device_pairs_order(gz_device_scene &s, gz_device_pairs &p, gz_device_error &error);
bool gz_device_pairs_sort(gz_device_scene &s, gz_device_pairs &p, gz_device_error &error);

/* The first `count` of the codes, one at least, as pairs in host_listed; with `rows` their vertices in ask_rows. */
bool gz_device_pairs_fetch(gz_device_scene &s, gz_device_narrow &n, gz_device_pairs &p,
                           const gz_device_request &request, size_t count, bool rows, gz_device_error &error);

/* The times of the vertices, in host_limits. */
bool gz_device_pairs_limits(gz_device_scene &s, gz_device_pairs &p, gz_device_error &error);

/* As gz_device_pairs_limits, but in memory of the device, with the host's times taken in. */
bool gz_device_pairs_leave_limits(gz_device_scene &s, gz_device_pairs &p, const double *host, double *to,
                                  gz_device_error &error);

void gz_device_pairs_release(gz_device_pairs &p);

#endif
