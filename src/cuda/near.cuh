/* Pairs within a distance of each other at x0. */
#ifndef GZ_CUDA_NEAR_CUH
#define GZ_CUDA_NEAR_CUH

#include "cuda/pairs.cuh"

/* Lists the pairs that are near, by code, and those that doubles cannot tell, as hits without a time. */
void gz_list_near(gz_device_scene &s, gz_device_pairs &p, const gz_device_step &step, graze_kind kind,
                  gz_device_list<uint2> pairs, gz_device_list<unsigned long long> near,
                  gz_device_list<gz_device_hit> doubtful);

/* All that is told of the pairs whose codes are in order, to p.near; waits for nothing. */
bool gz_tell_near(gz_device_scene &s, gz_device_pairs &p, const gz_device_step &step, gz_device_error &error);

#endif
