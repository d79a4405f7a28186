/* Whole steps on the device: windows that grow until the first contact lies inside, or all pairs at once. */
#ifndef GZ_CUDA_STEP_CUH
#define GZ_CUDA_STEP_CUH

#include "cuda/graph.cuh"
#include "cuda/narrow.cuh"
#include "cuda/scene/scene.cuh"
#include "cuda/stages.cuh"

#include "graze/step.h"
#include "numerics/kept.h"

struct gz_device_narrow {
    gz_device_array<gz_open_pair> open, late;
    gz_device_array<gz_device_hit> hits;
    gz_device_array<graze_result> results;
    gz_device_array<unsigned long long> codes;
    gz_device_array<uint32_t> places;
    gz_device_array<unsigned char> sort_bytes;
    gz_device_array<graze_pair_result> sorted;
    gz_device_array<gz_step_state> state;
    gz_pinned_array<gz_pass_input> host_input;
    gz_pinned_array<gz_step_state> host_state;
    gz_pinned_array<gz_device_ask> host_asks;
    gz_pinned_array<gz_vertex_ends> late_rows, ask_rows; /* vertices of pairs that the host answers, four each */
    gz_pinned_array<graze_pair_result> host_first;       /* the earliest of all */
    gz_pinned_array<unsigned char> part[2];              /* of the list of pairs, on its way to the host */
    cudaEvent_t part_there[2] = {};
    gz_pinned_array<gz_device_hit> more_hits; /* that the host found */
    gz_pinned_array<graze_result> more_results;
    gz_pass_graph graphs[3][3]; /* [earliest, all, of a list][gz_pass_start] */
    gz_pass_graph sort_graph;
    cudaEvent_t done = nullptr; /* a pass is, and not what was begun behind it */
    bool sorting = false;       /* the results of the pass that was begun last */
    uint32_t sort_room = 0;     /* codes and places that are sorted: about what the last step needed */

    /* batches: so many packets at a time, that their pairs fit into the lists */
    size_t limit = 0;              /* bytes that the lists keep to; 0: they grow as they have to */
    uint32_t batch = UINT32_MAX;   /* packets */
    uint32_t batch_of = 0;         /* of so many */
    bool batch_lists = false;      /* for a request of lists */
    uint32_t batch_end = 0;        /* where the last pass ended */
    unsigned long long before = 0; /* hits of earlier passes, which stay in their lists */

    /* ending a pass in its middle */
    gz_device_array<uint32_t> stop;
    cudaStream_t aside = nullptr;
    bool stopped = false;

    gz_device_array<graze_pair> list; /* the caller's */
    gz_pinned_array<graze_pair> host_list;

    gz_stage_clock clock;
};

/* Runs what launch() launches: as a graph, unless events lie between the kernels. */
template <class F>
bool gz_run_or_time(gz_device_scene &s, gz_device_narrow &n, gz_pass_graph &graph,
                    const std::vector<unsigned char> &key, gz_device_error &error, const F &launch) {
    if (!n.clock.on) return gz_run_graph(s.stream, graph, key, error, launch);
    launch();
    return !error.failed();
}

/* A request, and what follows from it; positions have been uploaded. */
struct gz_device_request {
    const gz_backend_request *given;
    gz_certified_call call; /* for the kernels */
    bool lists;             /* candidates, near pairs or how far each vertex may go, and no answers: pairs.cuh */
    bool looks;             /* at pairs in float first: far.cuh */
    size_t asked;           /* pairs of earlier passes that the host answers */
    gz_kept_step kept;      /* part 0: no pair keeps a part of its start distance */

    bool all() const { return given->all != 0; }         /* every pair with its result, else the earliest */
    bool only() const { return given->only != 0; }       /* of pairs that the caller lists: listed.cuh */
    bool rows() const { return given->rows[0] != NULL; } /* the host is told the positions of pairs that it answers */
    bool keep() const { return given->keep_pairs != 0; } /* the list of pairs stays on the device */
    bool has(int kind) const { return given->kinds >> kind & 1u; }
    size_t limit() const { return given->memory_limit; } /* bytes for lists of pairs; 0: none */
};

/* Parts of a pass that are there already. */
enum gz_pass_start {
    GZ_START_POSITIONS, /* positions, which are new */
    GZ_START_ENDS,      /* they have been read, but the window is new */
    GZ_START_TREE,      /* the tree */
};

/* One pass: pairs whose boxes over [0, window] meet, of some packets with all from there on. */
struct gz_device_pass {
    double window;
    unsigned long long best; /* bits of the least toi that is known */
    gz_pass_start start;
    uint32_t first; /* packet */
};

/* The number of packets: of the tree, or of a caller's list. */
uint32_t gz_pass_packets(const gz_device_scene &s, const gz_device_request &request);

/* Begins a pass, and waits for nothing. It ends before packet batch_end. */
bool gz_pass_begin(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request,
                   const gz_device_pass &pass, gz_device_error &error);

/* Waits for it. False, without an error, when a list was too short: it is longer now, or the batch smaller, and the
   pass to be begun again; or when it was stopped. What it found is in host_state: without `all`, late pairs that nobody
   has looked at. */
bool gz_pass_end(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, gz_device_error &error);

/* The vertices of the pair that stuck_code says, one at least, as the first of late_rows. */
bool gz_pass_tell_stuck(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request,
                        gz_device_error &error);

/* Finishes late pairs on the device: then host_state has hits, and host_asks the pairs that need exact arithmetic; with
   `rows` ask_rows has their vertices, then those of first_code. False as before. */
bool gz_pass_finish(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, gz_device_error &error);

/* For passes of another kind: what the kernels see of a step; the state of a pass as it begins; waiting for it, while
   somebody may end it; an error unless all of its walk was done. */
gz_device_step gz_step_of(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request);
bool gz_pass_open(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, const gz_device_pass &pass,
                  gz_device_error &error);
bool gz_pass_wait(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, gz_device_error &error);
bool gz_walk_ended(gz_device_scene &s, const gz_device_narrow &n, gz_device_error &error);

void gz_device_narrow_release(gz_device_narrow &n);

#endif
