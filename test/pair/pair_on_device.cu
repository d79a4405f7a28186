/* Compiled, not run: all of one pair, from the first probe in float to its answer, is code for a device. */
#include "pair/pair_unit.h"

/* asks[i] is set where pair i needs exact arithmetic: the host answers it again. */
__global__ void answer_pairs(gz_certified_call call, gz_lane_source source, uint32_t count, graze_result *results,
                             bool *asks) {
    uint32_t pair = blockIdx.x * blockDim.x + threadIdx.x;
    if (pair < count) asks[pair] = !gz_certified_pair(&call, &source, pair, call.t_max, &results[pair]);
}
