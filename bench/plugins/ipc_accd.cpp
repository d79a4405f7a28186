/* IPC Toolkit's additive CCD beside graze, as it comes: it keeps a tenth of the distance that a pair starts at, and
   calls a pair that comes nearer a hit. */
#include "rows.hpp"

#include <ipc/ccd/additive_ccd.hpp>

namespace {

graze_status ccd(graze_kind kind, const graze_query *query, const graze_options *options, graze_result *result) {
    const ipc::AdditiveCCD method(options->max_checks ? static_cast<long>(options->max_checks)
                                                      : ipc::AdditiveCCD::DEFAULT_MAX_ITERATIONS);
    double toi = 0;
    const bool hit = with_rows(*query, [&](const auto &...x) {
        return kind == GRAZE_VF ? method.point_triangle_ccd(x..., toi, options->min_separation, 1)
                                : method.edge_edge_ccd(x..., toi, options->min_separation, 1);
    });
    return answer(hit, toi, result);
}

} // namespace

const graze_plugin_info graze_plugin = {GRAZE_PLUGIN_VERSION,
                                        "ipc-accd",
                                        "IPC Toolkit's additive CCD, the library itself",
                                        /*conservative*/ 0,
                                        /*exact*/ 0,
                                        /*gives_toi*/ 1,
                                        /*takes_separation*/ 1,
                                        GRAZE_PLUGIN_VF | GRAZE_PLUGIN_EE,
                                        ccd};
