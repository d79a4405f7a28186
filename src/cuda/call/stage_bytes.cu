#include "cuda/call/stage_bytes.cuh"

/* Bytes that each stage has to read and write, each thing once, and the number of its kernels. */
static void count_bytes(gz_cuda_step &c, gz_stages &stages) {
    const gz_device_scene &s = c.scene();
    const gz_step_state &seen = c.seen();
    double vertices = s.vertex_count, elements = s.element_count, packets = 0, pairs = 0;
    double ends = vertices * sizeof(gz_vertex_ends), boxes = vertices * sizeof(gz_device_box);
    double far = c.request.looks ? vertices * sizeof(gz_far_vertex) : 0;
    uint32_t kinds = 0;
    for (int level = 0; level < s.tree.levels; level++) packets += s.tree.packets[level] * (double)sizeof(gz_packet);
    for (int kind = 0; kind < 4; kind++) pairs += (double)seen.pairs[kind], kinds += c.request.has(kind);
    double hits = c.request.all() ? (double)seen.hits : 0;
    double listed = (2 * (double)seen.element_pairs + pairs) * sizeof(uint2);
    const double bytes[GZ_STAGES] = {vertices * 2 * sizeof(double[3]),
                                     elements * (2 * sizeof(gz_element) + 4 * sizeof(uint32_t)),
                                     vertices * 2 * sizeof(double[3]) + ends + boxes + far,
                                     elements * sizeof(gz_element) + boxes + packets,
                                     packets + elements * sizeof(gz_element) + boxes + far + listed,
                                     pairs * sizeof(uint2) + ends + (double)seen.open * sizeof(gz_open_pair),
                                     ((double)seen.open + 2 * (double)seen.late) * sizeof(gz_open_pair) +
                                         hits * sizeof(graze_result),
                                     hits * (sizeof(gz_device_hit) + sizeof(graze_result) + sizeof(graze_pair_result)),
                                     sizeof(gz_step_state) + hits * sizeof(graze_pair_result)};
    const uint32_t launches[GZ_STAGES] = {
        2, 4, 2, (uint32_t)s.tree.levels / 3, 2, kinds, c.request.all() ? 2u : 1u, hits > 0 ? 6u : 0u, 1};
    for (int stage = 0; stage < GZ_STAGES; stage++) {
        stages.megabytes[stage] = 1e-6 * bytes[stage];
        stages.launches[stage] = launches[stage];
    }
}

bool gz_read_stages(gz_cuda_step &c) {
    gz_stage_clock &clock = c.narrow().clock;
    gz_stages &stages = c.answer->stages;
    if (!clock.on) return true;
    count_bytes(c, stages);
    bool good = clock.read(&stages, c.error) && clock.measure(&stages, c.scene().stream, c.error);
    clock.begin(false);
    return good;
}
