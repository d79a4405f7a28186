/* The code of the device is loaded when a device is opened. Left to itself each kernel is loaded by its first launch,
   in the middle of a step, and one that finds no memory then is never launched again, however much there is later. */
#ifndef GZ_CUDA_CODE_CUH
#define GZ_CUDA_CODE_CUH

struct gz_device_error;

/* The code of one source file, found by one of its kernels. */
struct gz_code {
    const void *kernel;
    const gz_code *next;

    explicit gz_code(const void *kernel);
};

/* Loads that of all files. */
bool gz_code_load(gz_device_error &error);

static __global__ void gz_kernel_of_file() {}
static const gz_code gz_code_of_file((const void *)gz_kernel_of_file);

#endif
