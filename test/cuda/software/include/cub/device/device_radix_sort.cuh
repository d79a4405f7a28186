/* Sorting as the library CUB offers it. */
#ifndef GRAZE_SOFTWARE_DEVICE_RADIX_SORT_CUH
#define GRAZE_SOFTWARE_DEVICE_RADIX_SORT_CUH

#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

namespace cub {

class DeviceRadixSort {
    /* Places of the keys in the order of their bits [begin, end): equal ones stay in theirs. */
    template <class K> static std::vector<size_t> order(const K *keys, size_t count, int begin, int end) {
        std::vector<size_t> places(count);
        const unsigned bits = (unsigned)(end - begin);
        const K mask = bits >= 8 * sizeof(K) ? ~(K)0 : (K)(((K)1 << bits) - 1);
        for (size_t i = 0; i < count; i++) places[i] = i;
        std::stable_sort(places.begin(), places.end(),
                         [&](size_t a, size_t b) { return (keys[a] >> begin & mask) < (keys[b] >> begin & mask); });
        return places;
    }

  public:
    /* Without room: how much it takes, which it then writes to, as that of CUB does. */
    template <class K, class V>
    static cudaError_t SortPairs(void *room, size_t &bytes, const K *keys, K *sorted, const V *values, V *with,
                                 size_t count, int begin, int end, cudaStream_t stream = nullptr) {
        const size_t needed = 256 + count * sizeof(K);
        if (!room) return bytes = needed, cudaSuccess;
        if (bytes < needed) return cudaErrorInvalidValue;
        return software::launch_function(
            [=] {
                std::memset(room, 0xa5, needed);
                std::vector<size_t> places = order(keys, count, begin, end);
                for (size_t i = 0; i < count; i++) {
                    sorted[i] = keys[places[i]];
                    if (values) with[i] = values[places[i]];
                }
            },
            stream);
    }
    template <class K>
    static cudaError_t SortKeys(void *room, size_t &bytes, const K *keys, K *sorted, size_t count, int begin, int end,
                                cudaStream_t stream = nullptr) {
        return SortPairs(room, bytes, keys, sorted, (const char *)nullptr, (char *)nullptr, count, begin, end, stream);
    }
};

} // namespace cub

#endif
