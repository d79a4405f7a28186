/* Launches: translate.cmake makes software::launch("kernel", SOFTWARE_KERNEL(kernel), blocks, threads, shared,
   stream)(arguments) of them. What the library sorts with comes here, too. */
#ifndef GRAZE_SOFTWARE_LAUNCH_CUH
#define GRAZE_SOFTWARE_LAUNCH_CUH

#include <functional>
#include <tuple>

namespace software {

/* A kernel with its arguments, as one of its threads runs it. */
typedef std::function<void()> thread_function;

SOFTWARE_API void launch_threads(const char *name, unsigned blocks, unsigned threads, cudaStream_t stream,
                                 const thread_function &thread);
/* A function that the device runs in the order of its stream. */
SOFTWARE_API cudaError_t launch_function(const std::function<void()> &function, cudaStream_t stream);

template <class Kernel> struct prepared {
    const char *name;
    Kernel kernel;
    unsigned blocks, threads;
    cudaStream_t stream;

    /* Each thread has arguments of its own. */
    template <class... Arguments> void operator()(const Arguments &...arguments) const {
        std::tuple<Arguments...> values(arguments...);
        auto run = [kernel = kernel, values] { std::apply(kernel, values); };
        launch_threads(name, blocks, threads, stream, run);
    }
};

template <class Kernel>
prepared<Kernel> launch(const char *name, const Kernel &kernel, unsigned blocks, unsigned threads, size_t,
                        cudaStream_t stream) {
    return {name, kernel, blocks, threads, stream};
}

} // namespace software

/* A kernel whose types may follow from its arguments. */
#define SOFTWARE_KERNEL(...) [=](const auto &...arguments) { __VA_ARGS__(arguments...); }

#endif
