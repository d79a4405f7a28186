/* What kernels find on a device: words of the language, vectors, and operations that threads do alone or together. */
#ifndef GRAZE_SOFTWARE_DEVICE_CUH
#define GRAZE_SOFTWARE_DEVICE_CUH

#include <climits>
#include <cmath>
#include <cstdint>
#include <cstring>

#define __CUDA_ARCH__ 900
#define __global__
#define __device__
#define __host__
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(bytes) alignas(bytes)

/* ---- vectors ---- */

struct alignas(8) uint2 {
    unsigned x, y;
};
struct alignas(16) double2 {
    double x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline double2 make_double2(double x, double y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

/* ---- who a thread is ---- */

struct software_index {
    unsigned x, y, z;
};
/* of the thread that runs: set whenever another one goes on */
extern SOFTWARE_API software_index threadIdx, blockIdx, blockDim, gridDim;

namespace software {

/* ---- what threads do together ---- */

enum operation { SYNC, BALLOT, ANY, SHUFFLE, SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_XOR, SUM, LEAST, MOST, ACTIVE, BARRIER };

/* Waits for the lanes in `mask`, and returns what the operation gives this one. */
SOFTWARE_API uint64_t meet(operation what, unsigned mask, uint64_t value, int argument, int line);
/* Lets other threads go on: for a while, or perhaps, at a place where a device may. */
SOFTWARE_API void pause();
SOFTWARE_API void maybe_pause();
/* Memory of the block for one variable: the same for each of its threads. */
SOFTWARE_API void *shared(const void *variable, size_t size, size_t alignment);

template <class T> T exchange(operation what, unsigned mask, T value, int argument, int line) {
    static_assert(sizeof(T) <= sizeof(uint64_t), "two words at most");
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    bits = meet(what, mask, bits, argument, line);
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

template <class To, class From> To same_bits(From from) {
    static_assert(sizeof(To) == sizeof(From), "of one size");
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}

template <class T> struct itself { typedef T type; };

} // namespace software

#define SOFTWARE_LINE int line = __builtin_LINE()

/* `dimensions` of an array of `type` in shared memory: see translate.cmake. */
#define SOFTWARE_SHARED(type, name, dimensions)                                                                        \
    typedef type name##_type dimensions;                                                                               \
    static const char name##_place = 0;                                                                                \
    name##_type &name = *(name##_type *)software::shared(&name##_place, sizeof(name##_type), alignof(name##_type))

inline void __syncthreads(SOFTWARE_LINE) { software::meet(software::BARRIER, ~0u, 0, 0, line); }
inline void __syncwarp(unsigned mask = ~0u, SOFTWARE_LINE) { software::meet(software::SYNC, mask, 0, 0, line); }
inline unsigned __ballot_sync(unsigned mask, bool is, SOFTWARE_LINE) {
    return (unsigned)software::meet(software::BALLOT, mask, is, 0, line);
}
inline int __any_sync(unsigned mask, bool is, SOFTWARE_LINE) {
    return (int)software::meet(software::ANY, mask, is, 0, line);
}
/* Told apart by where in the code it is: in a function of its own it would be one place for all who call that. */
inline __attribute__((always_inline)) unsigned __activemask(SOFTWARE_LINE) {
    return (unsigned)software::meet(software::ACTIVE, ~0u, 0, 0, line);
}
template <class T> T __shfl_sync(unsigned mask, T value, int lane, SOFTWARE_LINE) {
    return software::exchange(software::SHUFFLE, mask, value, lane, line);
}
template <class T> T __shfl_up_sync(unsigned mask, T value, unsigned apart, SOFTWARE_LINE) {
    return software::exchange(software::SHUFFLE_UP, mask, value, (int)apart, line);
}
template <class T> T __shfl_down_sync(unsigned mask, T value, unsigned apart, SOFTWARE_LINE) {
    return software::exchange(software::SHUFFLE_DOWN, mask, value, (int)apart, line);
}
template <class T> T __shfl_xor_sync(unsigned mask, T value, int apart, SOFTWARE_LINE) {
    return software::exchange(software::SHUFFLE_XOR, mask, value, apart, line);
}
inline unsigned __reduce_add_sync(unsigned mask, unsigned value, SOFTWARE_LINE) {
    return (unsigned)software::meet(software::SUM, mask, value, 0, line);
}
inline int __reduce_min_sync(unsigned mask, int value, SOFTWARE_LINE) {
    return (int)software::meet(software::LEAST, mask, (uint64_t)value, 0, line);
}
inline int __reduce_max_sync(unsigned mask, int value, SOFTWARE_LINE) {
    return (int)software::meet(software::MOST, mask, (uint64_t)value, 0, line);
}

/* ---- what a thread does to memory that others see ---- */

template <class T> T software_change(T *at, T to) {
    T before = *at;
    *at = to;
    software::maybe_pause();
    return before;
}
template <class T> T atomicAdd(T *at, typename software::itself<T>::type x) { return software_change(at, T(*at + x)); }
template <class T> T atomicSub(T *at, typename software::itself<T>::type x) { return software_change(at, T(*at - x)); }
template <class T> T atomicExch(T *at, typename software::itself<T>::type x) { return software_change(at, x); }
template <class T> T atomicMin(T *at, typename software::itself<T>::type x) {
    return software_change(at, x < *at ? x : *at);
}
template <class T> T atomicMax(T *at, typename software::itself<T>::type x) {
    return software_change(at, x > *at ? x : *at);
}
inline void __threadfence() { software::maybe_pause(); }
inline void __nanosleep(unsigned) { software::pause(); }

/* ---- numbers ---- */

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
inline long long __double_as_longlong(double x) { return software::same_bits<long long>(x); }
inline double __longlong_as_double(long long x) { return software::same_bits<double>(x); }
inline int __float_as_int(float x) { return software::same_bits<int>(x); }
inline float __int_as_float(int x) { return software::same_bits<float>(x); }
inline float __double2float_ru(double x) {
    float nearest = (float)x;
    return (double)nearest < x ? std::nextafterf(nearest, INFINITY) : nearest;
}
/* Off by up to two ulps, as that of a device may be. */
inline float __fdividef(float a, float b) {
    float exact = a / b;
    if (!(std::fabs(exact) > 1e-30f && std::fabs(exact) < 1e30f)) return exact;
    unsigned mix = (unsigned)(__float_as_int(a) * 0x9e3779b1u ^ __float_as_int(b) * 0x85ebca6bu);
    return __int_as_float(__float_as_int(exact) + (int)((mix >> 13) % 5) - 2);
}
inline double norm3d(double x, double y, double z) { return std::sqrt(x * x + y * y + z * z); }

inline int min(int a, int b) { return a < b ? a : b; }
inline int max(int a, int b) { return a > b ? a : b; }
inline unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
inline unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
inline unsigned long long min(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
inline unsigned long long max(unsigned long long a, unsigned long long b) { return a > b ? a : b; }

#endif
