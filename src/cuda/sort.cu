/* In a unit of its own: the templates of a library take a while to compile. */
#include "cuda/sort.cuh"

#include <cub/device/device_radix_sort.cuh>

/* Bytes of scratch that a sort takes. */
template <class K> static bool measure(uint32_t count, int bits, size_t *bytes, gz_device_error &error) {
    K *keys = NULL;
    uint32_t *ids = NULL;
    *bytes = 0;
    return error.note(cub::DeviceRadixSort::SortPairs(NULL, *bytes, keys, keys, ids, ids, count, 0, bits), "sorting");
}

bool gz_device_sort_open(gz_device_error &error) {
    size_t bytes;
    return measure<uint32_t>(1, 32, &bytes, error);
}

template <class K>
static bool reserve(gz_device_array<unsigned char> &scratch, uint32_t count, int bits, size_t *bytes,
                    gz_device_error &error) {
    return measure<K>(count, bits, bytes, error) && scratch.reserve(*bytes, error);
}

bool gz_device_sort_reserve(gz_device_array<unsigned char> &scratch, uint32_t count, int bits, gz_device_error &error) {
    size_t bytes;
    return reserve<unsigned long long>(scratch, count, bits, &bytes, error);
}

template <class K>
static bool sort(gz_device_array<unsigned char> &scratch, K *keys, uint32_t *ids, uint32_t count, int bits,
                 cudaStream_t stream, gz_device_error &error) {
    size_t bytes; /* the library would tell an error of the kernels before it as its own */
    return error.note(cudaGetLastError(), "what is sorted") && reserve<K>(scratch, count, bits, &bytes, error) &&
           error.note(cub::DeviceRadixSort::SortPairs(scratch.items, bytes, keys, keys + count, ids, ids + count, count,
                                                      0, bits, stream),
                      "sorting");
}

bool gz_device_sort(gz_device_array<unsigned char> &scratch, uint32_t *keys, uint32_t *ids, uint32_t count, int bits,
                    cudaStream_t stream, gz_device_error &error) {
    return sort(scratch, keys, ids, count, bits, stream, error);
}

bool gz_device_sort(gz_device_array<unsigned char> &scratch, unsigned long long *keys, uint32_t *ids, uint32_t count,
                    int bits, cudaStream_t stream, gz_device_error &error) {
    return sort(scratch, keys, ids, count, bits, stream, error);
}

bool gz_device_sort_keys(gz_device_array<unsigned char> &scratch, const unsigned long long *keys,
                         unsigned long long *sorted, size_t count, int bits, cudaStream_t stream,
                         gz_device_error &error) {
    size_t bytes = 0;
    cub::DeviceRadixSort::SortKeys(NULL, bytes, keys, sorted, count, 0, bits, stream);
    return scratch.reserve(bytes, error) &&
           error.note(cub::DeviceRadixSort::SortKeys(scratch.items, bytes, keys, sorted, count, 0, bits, stream),
                      "sorting");
}
