/* Stand-ins for the methods that are kept for comparison, in a build without them: the library refuses their names
   before a device is asked. */
#ifndef GZ_CUDA_COMPARED_ABSENT_CUH
#define GZ_CUDA_COMPARED_ABSENT_CUH

#include "cuda/scene/scene.cuh"

struct gz_device_compare {};
struct gz_device_ti {};
struct gz_ti_found {
    double toi;
    uint64_t checks;
};

inline bool gz_compare_stq(gz_device_scene &, gz_device_compare &, const gz_device_step &, graze_kind,
                           gz_device_list<unsigned long long>, gz_device_error &error) {
    return error.note(cudaErrorNotSupported, "compared methods");
}
inline bool gz_compare_lbvh(gz_device_scene &s, gz_device_compare &c, const gz_device_step &step, graze_kind kind,
                            gz_device_list<unsigned long long> listed, gz_device_error &error) {
    return gz_compare_stq(s, c, step, kind, listed, error);
}
inline bool gz_compare_ti(gz_device_scene &, gz_device_ti &, const gz_device_step &, const unsigned long long *, size_t,
                          double, gz_ti_found *, gz_device_error &error) {
    return error.note(cudaErrorNotSupported, "compared methods");
}
inline void gz_compare_release(gz_device_compare &) {}
inline void gz_ti_release(gz_device_ti &) {}

#endif
