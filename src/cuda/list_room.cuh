/* Room for the lists of a pass, and more of it where they were too short. */
#ifndef GZ_CUDA_LIST_ROOM_CUH
#define GZ_CUDA_LIST_ROOM_CUH

#include "cuda/step.cuh"

/* For pairs on their way. */
bool gz_lists_reserve(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request,
                      gz_device_error &error);

/* Longer lists or a smaller batch; true where that was needed. */
bool gz_lists_grow(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, gz_device_error &error);

/* As gz_lists_reserve and gz_lists_grow, but for what is found, too. */
bool gz_pass_reserve(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, gz_device_error &error);
bool gz_pass_grow(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, gz_device_error &error);

#endif
