/* Kernels that are launched again and again with the same arguments, as one graph. */
#ifndef GZ_CUDA_GRAPH_CUH
#define GZ_CUDA_GRAPH_CUH

#include "cuda/device.cuh"

#include <vector>

/* The kernels of a pass as one graph: launching it costs the host a fifth of launching them. It holds addresses and
   sizes, which the key has too: when one of them has changed it is made anew. */
struct gz_pass_graph {
    cudaGraphExec_t made = nullptr;
    std::vector<unsigned char> key;
};

inline void gz_add_to_key(std::vector<unsigned char> &key, const void *bytes, size_t size) {
    const unsigned char *from = (const unsigned char *)bytes;
    key.insert(key.end(), from, from + size);
}

template <class A> void gz_add_array(std::vector<unsigned char> &key, const A &array) {
    gz_add_to_key(key, &array.items, sizeof array.items);
    gz_add_to_key(key, &array.room, sizeof array.room);
}

inline void gz_drop_graph(gz_pass_graph &graph) {
    if (graph.made) cudaGraphExecDestroy(graph.made);
    graph.made = nullptr;
}

template <class F>
bool gz_make_graph(cudaStream_t stream, gz_pass_graph &graph, gz_device_error &error, const F &launch) {
    cudaGraph_t captured = nullptr;
    gz_drop_graph(graph);
    if (!error.note(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "graph")) return false;
    launch();
    error.note(cudaStreamEndCapture(stream, &captured), "graph");
    if (!error.failed()) error.note(cudaGraphInstantiate(&graph.made, captured, 0), "graph");
    if (captured) cudaGraphDestroy(captured);
    if (error.failed()) graph.made = nullptr;
    return !error.failed();
}

/* Runs what launch() launches, as a graph. */
template <class F>
bool gz_run_graph(cudaStream_t stream, gz_pass_graph &graph, const std::vector<unsigned char> &key,
                  gz_device_error &error, const F &launch) {
    if (!graph.made || key != graph.key) {
        if (!gz_make_graph(stream, graph, error, launch)) return false;
        graph.key = key;
    }
    return error.note(cudaGraphLaunch(graph.made, stream), "step");
}

#endif
