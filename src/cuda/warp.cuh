/* Over the 32 lanes of a warp: devices of kind 8.0 and later have instructions for it, others go by halves. */
#ifndef GZ_CUDA_WARP_CUH
#define GZ_CUDA_WARP_CUH

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800

template <class T, class F> __device__ inline T gz_warp_fold(T x, const F &both) {
    for (int apart = 16; apart; apart /= 2) x = both(x, __shfl_xor_sync(~0u, x, apart));
    return x;
}

__device__ inline unsigned gz_warp_sum(unsigned x) {
    return gz_warp_fold(x, [](unsigned a, unsigned b) { return a + b; });
}
__device__ inline int gz_warp_least(int x) {
    return gz_warp_fold(x, [](int a, int b) { return a < b ? a : b; });
}
__device__ inline int gz_warp_most(int x) {
    return gz_warp_fold(x, [](int a, int b) { return a > b ? a : b; });
}

#else

__device__ inline unsigned gz_warp_sum(unsigned x) { return __reduce_add_sync(~0u, x); }
__device__ inline int gz_warp_least(int x) { return __reduce_min_sync(~0u, x); }
__device__ inline int gz_warp_most(int x) { return __reduce_max_sync(~0u, x); }

#endif

#endif
