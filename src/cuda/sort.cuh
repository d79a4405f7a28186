/* Sorting on the device. */
#ifndef GZ_CUDA_SORT_CUH
#define GZ_CUDA_SORT_CUH

#include "cuda/device.cuh"

/* To be called when the device is opened: the library asks it once what it is, and keeps the answer for good, an error
   for want of memory too. */
bool gz_device_sort_open(gz_device_error &error);

/* Sorts `count` keys by their low `bits` bits, and ids with them. Both arrays have twice the room, and what is sorted
   is in their second halves. */
bool gz_device_sort(gz_device_array<unsigned char> &scratch, uint32_t *keys, uint32_t *ids, uint32_t count, int bits,
                    cudaStream_t stream, gz_device_error &error);
bool gz_device_sort(gz_device_array<unsigned char> &scratch, unsigned long long *keys, uint32_t *ids, uint32_t count,
                    int bits, cudaStream_t stream, gz_device_error &error);

/* Room for the second of these: then it allocates nothing. */
bool gz_device_sort_reserve(gz_device_array<unsigned char> &scratch, uint32_t count, int bits, gz_device_error &error);

/* As gz_device_sort, but without ids, and to `sorted`. */
bool gz_device_sort_keys(gz_device_array<unsigned char> &scratch, const unsigned long long *keys,
                         unsigned long long *sorted, size_t count, int bits, cudaStream_t stream,
                         gz_device_error &error);

#endif
