#include "cuda/list_room.cuh"

#include <algorithm>

/* Calls f(list, how many it should have room for to begin with, how many the last pass had) for each of those that hold
   pairs on their way: what real scenes need, in units of an element. */
template <class F>
static void for_lists(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, const F &f) {
    static const gz_step_state nothing = {};
    const gz_step_state &seen = n.host_state.items ? *n.host_state.items : nothing;
    size_t elements = s.element_count;
    f(s.element_pairs, request.only() ? 0 : 16 * elements, seen.element_pairs);
    for (int kind = 0; kind < 4; kind++)
        if (request.has(kind)) f(s.pairs[kind], 8 * elements, seen.pairs[kind]);
    f(n.open, request.lists ? 0 : 2 * elements, seen.open);
    f(n.late, request.lists ? 0 : elements, seen.late);
}

#define LEAST_ROOM 4096u        /* of a list */
#define LEAST_ROOM_LIMITED 256u /* as much as one step of a warp finds */

/* Under a limit each list gets its part of it, and a pass as many packets as that goes round for. */
bool gz_lists_reserve(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request,
                      gz_device_error &error) {
    double wanted = 0, held = 0;
    for_lists(s, n, request, [&](auto &list, size_t room, unsigned long long) {
        wanted += (double)room * sizeof *list.items;
        held += (double)list.bytes();
    });
    double part = request.limit() ? std::min(1.0, (double)request.limit() / wanted) : 1;
    uint32_t packets = gz_pass_packets(s, request);
    bool changed = n.limit != request.limit() || n.batch_of != packets || n.batch_lists != request.lists;
    if (changed) n.batch = request.limit() ? (uint32_t)std::max(1.0, part * packets) : UINT32_MAX;
    for_lists(s, n, request, [&](auto &list, size_t room, unsigned long long) {
        if (changed && request.limit() && held > (double)request.limit()) list.release();
        list.reserve((size_t)(part * (double)room) + (request.limit() ? LEAST_ROOM_LIMITED : LEAST_ROOM), error);
    });
    n.limit = request.limit();
    n.batch_of = packets;
    n.batch_lists = request.lists;
    return !error.failed();
}

/* Pairs that the host answers, and what it has to know of them, in its memory. */
static bool reserve_asks(gz_device_narrow &n, const gz_device_request &request, size_t room, gz_device_error &error) {
    return n.host_asks.reserve(room, error) &&
           (!request.rows() || n.ask_rows.reserve(4 * (n.host_asks.room + 1), error));
}

/* Starting sizes, or what the last step needed. */
bool gz_pass_reserve(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request,
                     gz_device_error &error) {
    size_t elements = s.element_count;
    bool good = gz_device_scene_reserve(s, error) && n.host_state.reserve(1, error) &&
                gz_lists_reserve(s, n, request, error) &&
                n.hits.reserve_keeping(elements + LEAST_ROOM, n.before, s.stream, error) &&
                n.state.reserve_zero(1, s.stream, error) && n.host_input.reserve(1, error) &&
                reserve_asks(n, request, LEAST_ROOM, error) && n.stop.reserve_zero(1, s.stream, error);
    if (good && request.looks) good = s.far.reserve(s.vertex_count, error);
    if (good && request.rows()) good = n.late_rows.reserve(4 * GZ_FEW_LATE, error);
    if (good && request.all()) good = n.results.reserve_keeping(n.hits.room, n.before, s.stream, error);
    return good;
}

/* True if the device has the memory for lists that hold what the last pass found. */
static bool is_too_much(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request) {
    size_t free = 0, total = 0;
    double wanted = 0, held = 0;
    for_lists(s, n, request, [&](auto &list, size_t, unsigned long long count) {
        held += (double)list.bytes();
        wanted += std::max((double)list.bytes(), 1.25 * (double)count * sizeof *list.items);
    });
    return wanted - held > 1e8 && cudaMemGetInfo(&free, &total) == cudaSuccess && wanted > 0.9 * ((double)free + held);
}

bool gz_lists_grow(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, gz_device_error &error) {
    const gz_pass_input &input = *n.host_input.items;
    uint32_t packets = input.packets[1] - input.packets[0];
    double fullest = 0;
    for_lists(s, n, request, [&](auto &list, size_t, unsigned long long count) {
        fullest = std::max(fullest, (double)count / (double)list.room);
    });
    bool again = fullest > 1, limited = n.limit || n.batch != UINT32_MAX;
    if (again && !limited) limited = is_too_much(s, n, request);
    if (again && limited && packets > 1)
        n.batch = (uint32_t)std::max(1.0, 0.8 * packets / fullest);
    else if (again)
        for_lists(s, n, request, [&](auto &list, size_t, unsigned long long count) {
            if (count > list.room) list.reserve((size_t)(count + count / 4), error);
        });
    else if (limited && fullest < 0.5)
        n.batch = (uint32_t)std::min(4.0 * packets, std::min(0.8 * packets / (fullest + 1e-3), (double)n.batch_of));
    return again;
}

/* As gz_lists_grow, but for what is found, too. */
bool gz_pass_grow(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, gz_device_error &error) {
    const gz_step_state &seen = *n.host_state.items;
    bool again = gz_lists_grow(s, n, request, error);
    size_t hits = (size_t)(seen.hits + request.asked + seen.asks); /* some of which the host finds to be hits */
    again |= hits > n.hits.room || seen.asks > n.host_asks.room;
    if (hits > n.hits.room) n.hits.reserve_keeping(hits + hits / 4, n.before, s.stream, error);
    if (seen.asks > n.host_asks.room) reserve_asks(n, request, (size_t)(seen.asks + seen.asks / 4), error);
    if (request.all()) n.results.reserve_keeping(n.hits.room, n.before, s.stream, error);
    return again;
}
