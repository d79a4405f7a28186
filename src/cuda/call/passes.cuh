/* The passes of a call, as the host drives them. */
#ifndef GZ_CUDA_CALL_PASSES_CUH
#define GZ_CUDA_CALL_PASSES_CUH

#include "cuda/call/backend.cuh"

bool gz_load_mesh(gz_cuda_step &c);
bool gz_load_positions(gz_cuda_step &c);

/* True if so many bytes are where the device can read and write them; if not, the call has failed. */
bool gz_check_on_device(gz_cuda_step &c, const char *name, const void *x, size_t size);

/* Begins a pass and waits for it, with longer lists or fewer packets where they were too short. While the device works
   the host looks whether the mesh is what it took it for. */
bool gz_run_pass(gz_cuda_step &c, gz_device_pass pass);

/* True if the pass that was run had the last of the packets. */
bool gz_is_last(gz_cuda_step &c);

/* Tells the host where the vertices of a pair are. */
void gz_fill_rows(gz_cuda_step &c, const graze_pair &pair, const gz_vertex_ends *rows);

/* The pairs that the device leaves to the host; with `all` behind those of earlier passes. */
void gz_list_asks(gz_cuda_step &c);

#endif
