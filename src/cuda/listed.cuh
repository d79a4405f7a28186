/* A caller's list of pairs in place of a search: brought to the device, checked there, and dealt out by kind. */
#ifndef GZ_CUDA_LISTED_CUH
#define GZ_CUDA_LISTED_CUH

#include "cuda/step.cuh"

/* The list, on its way to the device. */
bool gz_upload_list(gz_device_scene &s, gz_device_narrow &n, const gz_backend_request *request, gz_device_error &error);

/* Fills the lists of pairs with those of a pass, but for VF and EE that are plainly apart where request.looks is set;
   state->bad_pair is set where one is none. */
void gz_deal_list(gz_device_scene &s, const gz_device_request &request, gz_step_state *state, const uint32_t *stop);

#endif
