/* Findings of a pass: brought into order, and to the host. */
#ifndef GZ_CUDA_RESULTS_CUH
#define GZ_CUDA_RESULTS_CUH

#include "cuda/step.cuh"

/* The first of the hits with the least toi. */
void gz_find_first(gz_device_scene &s, gz_device_narrow &n);

/* The state of a pass, on its way to host_state. */
void gz_fetch_state(gz_device_scene &s, gz_device_narrow &n, gz_device_error &error);

/* Begins to sort what the pass before it finds, of which there is room for sort_room. */
bool gz_pass_begin_sort(gz_device_scene &s, gz_device_narrow &n, gz_device_error &error);

/* With `all`: begins to bring what the device found into order, and waits for nothing. */
bool gz_pass_sort(gz_device_scene &s, gz_device_narrow &n, gz_device_error &error);

/* Then adds `more`, which are in more_hits and more_results, in their order, and waits. host_state says more about what
   the device found, and host_first is the earliest of that. All of them are copied to `to`, straight where its pages
   are `locked`; where it is NULL they stay in `sorted`. */
bool gz_pass_fetch(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, size_t more,
                   graze_pair_result *to, bool locked, gz_device_error &error);

/* Memory of the device on its way to any pages of the host. */
bool gz_fetch_parts(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, const void *from,
                    size_t bytes, void *to, gz_device_error &error);

#endif
