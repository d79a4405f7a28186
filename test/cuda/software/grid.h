/* A launch as it runs: blocks of threads, some of them at a time, in an order that is drawn. */
#ifndef GRAZE_SOFTWARE_GRID_H
#define GRAZE_SOFTWARE_GRID_H

#include <cuda_runtime.h>

#include <cstdarg>
#include <memory>

namespace software {

/* What the environment says: GRAZE_SOFTWARE_SEED draws orders, 0 for none; GRAZE_SOFTWARE_PROCESSORS. */
struct settings {
    uint64_t seed;
    unsigned processors;
};
const settings &settings_of_device();

/* Drawn by the seed: an integer in [0, count), 0 with no seed. */
uint64_t draw(uint64_t count);

/* What no kernel or host may do: says so, and ends the process. */
[[noreturn]] void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

struct running_grid;
struct grid_deleter {
    void operator()(running_grid *grid) const;
};
typedef std::unique_ptr<running_grid, grid_deleter> grid;

grid grid_begin(const char *name, unsigned blocks, unsigned threads, const thread_function &thread);
/* Lets threads run, about as often as *budget says, which it takes off; true once all are done. */
bool grid_run(running_grid &g, size_t *budget);

} // namespace software

#endif
