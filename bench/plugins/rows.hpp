/* A query as eight vectors of Eigen: four at the start, four at the end. */
#ifndef GRAZE_BENCH_PLUGINS_ROWS_HPP
#define GRAZE_BENCH_PLUGINS_ROWS_HPP

#include <graze/plugin.h>

#include <Eigen/Core>

struct vectors {
    Eigen::Vector3d x[8];

    explicit vectors(const graze_query &query) {
        for (int i = 0; i < 4; i++) {
            x[i] = Eigen::Map<const Eigen::Vector3d>(query.x0[i]);
            x[i + 4] = Eigen::Map<const Eigen::Vector3d>(query.x1[i]);
        }
    }
};

/* The function takes eight vectors. */
template <class Function> bool with_rows(const graze_query &query, const Function &function) {
    const vectors v(query);
    return function(v.x[0], v.x[1], v.x[2], v.x[3], v.x[4], v.x[5], v.x[6], v.x[7]);
}

/* A toi beyond 1 differs in meaning between these codes; a hit has one within. */
inline graze_status answer(bool hit, double toi, graze_result *result) {
    result->verdict = hit ? GRAZE_HIT : GRAZE_CLEAR;
    result->toi = !hit || toi > 1 ? 1 : toi;
    return GRAZE_OK;
}

#endif
