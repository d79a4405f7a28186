#include "cuda/near.cuh"

#include "cuda/at_rest.cuh"

#include "pair/near.h"

namespace {

template <graze_kind kind>
__device__ gz_nearness nearness(const gz_device_step &s, const double *radii, uint32_t a, uint32_t b) {
    gz_pair_at_rest pair;
    gz_read_at_rest(s, radii, kind, a, b, &pair);
    double size = gz_size_at_rest(kind, pair.rows);
    return gz_nearness_of(gz_distance_at_rest(kind, pair.rows), size, s.call.separation, pair.most);
}

template <graze_kind kind>
__global__ void __launch_bounds__(128)
    list_near(const __grid_constant__ gz_device_step s, const double *radii, gz_device_list<uint2> pairs,
              gz_device_list<unsigned long long> near, gz_device_list<gz_device_hit> doubtful) {
    unsigned long long total = pairs.size();
    unsigned step = gridDim.x * blockDim.x, lane = threadIdx.x % 32;
    for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i - lane < total; i += step) {
        uint2 pair = make_uint2(0, 0);
        gz_nearness told = GZ_APART;
        if (i < total) {
            pair = pairs.items[i];
            told = nearness<kind>(s, radii, pair.x, pair.y);
        }
        unsigned long long code = s.coder.code(kind, pair.x, pair.y), at = gz_list_place(near, told == GZ_NEAR);
        if (told == GZ_NEAR) near.put(at, code);
        if (told == GZ_NEAR_OR_NOT) doubtful.put(doubtful.take(1), gz_device_hit{0, code});
    }
}

template <graze_kind kind>
__device__ void tell_pair(const gz_device_step &s, const double *radii, graze_pair pair, graze_proximity_pair *out) {
    gz_pair_at_rest read;
    gz_read_at_rest(s, radii, kind, pair.a, pair.b, &read);
    pair.kind = kind; /* a constant, as it is for the functions that follow */
    gz_measure(kind, read.rows, &out->distance);
    gz_near_tell(pair, read.ids, s.call.separation, read.most, out);
}

__global__ void __launch_bounds__(128)
    tell_near(const __grid_constant__ gz_device_step s, const double *radii, const unsigned long long *codes,
              size_t count, graze_proximity_pair *told) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= count) return;
    graze_pair pair = {(graze_kind)s.coder.kind(codes[i]), s.coder.a(codes[i]), s.coder.b(codes[i])};
    graze_proximity_pair out;
    switch (pair.kind) {
    case GRAZE_VF: tell_pair<GRAZE_VF>(s, radii, pair, &out); break;
    case GRAZE_EE: tell_pair<GRAZE_EE>(s, radii, pair, &out); break;
    case GRAZE_PE: tell_pair<GRAZE_PE>(s, radii, pair, &out); break;
    case GRAZE_PP: tell_pair<GRAZE_PP>(s, radii, pair, &out); break;
    }
    told[i] = out;
}

const double *radii_of(const gz_device_scene &s, const gz_device_pairs &p) {
    return s.has_thickness ? p.radii.items : NULL;
}

} // namespace

void gz_list_near(gz_device_scene &s, gz_device_pairs &p, const gz_device_step &step, graze_kind kind,
                  gz_device_list<uint2> pairs, gz_device_list<unsigned long long> near,
                  gz_device_list<gz_device_hit> doubtful) {
    auto kernel = kind == GRAZE_VF   ? list_near<GRAZE_VF>
                  : kind == GRAZE_EE ? list_near<GRAZE_EE>
                  : kind == GRAZE_PE ? list_near<GRAZE_PE>
                                     : list_near<GRAZE_PP>;
    kernel<<<8 * s.processors, 128, 0, s.stream>>>(step, radii_of(s, p), pairs, near, doubtful);
}

bool gz_tell_near(gz_device_scene &s, gz_device_pairs &p, const gz_device_step &step, gz_device_error &error) {
    if (!p.near.reserve(p.count, error)) return false;
    tell_near<<<gz_blocks_for(p.count, 128), 128, 0, s.stream>>>(step, radii_of(s, p), p.codes.items + p.codes.room / 2,
                                                                 p.count, p.near.items);
    return error.note(cudaGetLastError(), "results");
}
