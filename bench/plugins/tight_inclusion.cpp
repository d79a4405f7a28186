/* Tight-Inclusion's own code beside graze: its tolerance and limit as its authors suggest them, unless others are asked
   for. */
#include "rows.hpp"

#include <tight_inclusion/ccd.hpp>

namespace {

graze_status ccd(graze_kind kind, const graze_query *query, const graze_options *options, graze_result *result) {
    const ticcd::Array3 err = ticcd::Array3::Constant(-1);
    const double tolerance = options->tolerance > 0 ? options->tolerance : 1e-6;
    const long max_itr = options->max_checks ? static_cast<long>(options->max_checks) : 1000000;
    double toi = 0, output_tolerance = 0;
    const bool hit = with_rows(*query, [&](const auto &...x) {
        return kind == GRAZE_VF ? ticcd::vertexFaceCCD(x..., err, options->min_separation, toi, tolerance, 1, max_itr,
                                                       output_tolerance)
                                : ticcd::edgeEdgeCCD(x..., err, options->min_separation, toi, tolerance, 1, max_itr,
                                                     output_tolerance);
    });
    return answer(hit, toi, result);
}

} // namespace

const graze_plugin_info graze_plugin = {GRAZE_PLUGIN_VERSION,
                                        "tight-inclusion",
                                        "Tight-Inclusion, the library itself",
                                        /*conservative*/ 1,
                                        /*exact*/ 0,
                                        /*gives_toi*/ 1,
                                        /*takes_separation*/ 1,
                                        GRAZE_PLUGIN_VF | GRAZE_PLUGIN_EE,
                                        ccd};
