/* Queries by the fronts of other libraries: they never miss, their times are never late, and a step that they allow
   does not land on contact. */
#include "graze/compat/ipc_toolkit/narrow_phase.hpp"
#include "graze/compat/tight_inclusion.hpp"
#include "scene.hpp"

namespace {

using ticcd::Array3;
using ticcd::Vector3;
using vectors = std::array<Vector3, 8>; // four at the start, four at the end

vectors vectors_of(const graze_query &query) {
    vectors made;
    for (int i = 0; i < 8; i++) {
        const auto &row = i < 4 ? query.x0[i] : query.x1[i - 4];
        made[static_cast<std::size_t>(i)] = Vector3(row[0], row[1], row[2]);
    }
    return made;
}

struct answer {
    bool hit;
    double toi, output_tolerance;
};

answer tight_inclusion(graze_kind kind, const vectors &x, double ms, double tolerance, double t_max, long max_itr) {
    answer made{false, -1, -1};
    const Array3 err = Array3::Constant(-1);
    const auto function = kind == GRAZE_VF ? ticcd::vertexFaceCCD : ticcd::edgeEdgeCCD;
    made.hit = function(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], err, ms, made.toi, tolerance, t_max, max_itr,
                        made.output_tolerance, false, ticcd::CCDRootFindingMethod::BREADTH_FIRST_SEARCH);
    return made;
}

/// Random, on a coarse lattice so that contacts are degenerate, or far from the origin.
std::vector<graze_query> queries_of(int style, std::size_t count) {
    std::vector<graze_query> queries = random_queries(count, 11 + static_cast<uint64_t>(style));
    for (graze_query &query : queries)
        for (auto *x : {&query.x0, &query.x1})
            for (auto &row : *x)
                for (double &number : row)
                    number = style == 1 ? std::floor(3 * number) : style == 2 ? number + 1000 : number;
    return queries;
}

graze::truth truth_of(graze_kind kind, const graze_query &query, double separation) {
    graze::truth_options options;
    options.min_separation = separation;
    return {kind, query, options};
}

graze_query at_rest(const graze_query &query, double t) {
    graze_query rest = query;
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++)
            rest.x0[i][c] = rest.x1[i][c] = query.x0[i][c] + t * (query.x1[i][c] - query.x0[i][c]);
    return rest;
}

/// The toolkit's call of a kind.
bool ask(const ipc::NarrowPhaseCCD &ccd, graze_kind kind, const graze_query &query, double &toi, double min_distance) {
    const vectors x = vectors_of(query);
    if (kind == GRAZE_PP) return ccd.point_point_ccd(x[0], x[1], x[4], x[5], toi, min_distance);
    if (kind == GRAZE_PE) return ccd.point_edge_ccd(x[0], x[1], x[2], x[4], x[5], x[6], toi, min_distance);
    if (kind == GRAZE_VF)
        return ccd.point_triangle_ccd(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], toi, min_distance);
    return ccd.edge_edge_ccd(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], toi, min_distance);
}

} // namespace

TEST(tight_inclusion_functions_never_miss_and_toi_is_never_late) {
    long hits = 0, clear = 0, alarms = 0;
    for (int style = 0; style < 3; style++)
        for (const graze_kind kind : {GRAZE_VF, GRAZE_EE})
            for (const graze_query &query : queries_of(style, 300))
                for (const double ms : {0.0, 0.01}) {
                    const answer got = tight_inclusion(kind, vectors_of(query), ms, 1e-6, 1, 1000000);
                    const graze::truth truth = truth_of(kind, query, ms);
                    CHECK_QUERY(got.hit || !truth.hit(), kind, &query);
                    CHECK_QUERY(got.hit == (got.toi <= 1), kind, &query);
                    CHECK(got.output_tolerance == 1e-6);
                    if (truth.hit()) CHECK_QUERY(truth.compare(got.toi) <= 0, kind, &query);
                    // an alarm comes at least within the tolerance
                    if (got.hit && !truth.hit()) CHECK_QUERY(truth_of(kind, query, ms + 1e-6).hit(), kind, &query);
                    hits += truth.hit(), clear += !got.hit, alarms += got.hit && !truth.hit();
                }
    CHECK_MSG(hits > 300 && clear > 300 && alarms < 20, "%ld hits, %ld clear, %ld alarms", hits, clear, alarms);
}

TEST(tight_inclusion_functions_keep_to_t_max_and_to_their_limit) {
    long reached = 0;
    for (const graze_query &query : queries_of(0, 500)) {
        const graze::truth truth = truth_of(GRAZE_EE, query, 0);
        const answer half = tight_inclusion(GRAZE_EE, vectors_of(query), 0, 1e-6, 0.5, -1);
        if (truth.hit() && truth.compare(0.5) >= 0) CHECK_QUERY(half.hit && half.toi <= 0.5, GRAZE_EE, &query);
        if (!truth.hit() || truth.compare(0.51) < 0) CHECK_QUERY(!half.hit && std::isinf(half.toi), GRAZE_EE, &query);
        const answer hurried = tight_inclusion(GRAZE_EE, vectors_of(query), 0, 1e-6, 1, 1);
        if (truth.hit()) CHECK_QUERY(hurried.hit && truth.compare(hurried.toi) <= 0, GRAZE_EE, &query);
        reached += std::isinf(hurried.output_tolerance);
    }
    CHECK(reached > 20);
}

TEST(tight_inclusion_functions_take_bad_input_as_a_collision_at_once) {
    graze_query query = queries_of(0, 1)[0];
    query.x1[2][0] = NAN;
    const answer got = tight_inclusion(GRAZE_VF, vectors_of(query), 0, 1e-6, 1, -1);
    CHECK(got.hit && got.toi == 0);
    query.x1[2][0] = 0;
    CHECK(tight_inclusion(GRAZE_VF, vectors_of(query), -1, 1e-6, 1, -1).hit);
}

TEST(tight_inclusion_tolerances_bound_the_motion) {
    test_random random = {3};
    for (const graze_query &query : queries_of(0, 300))
        for (const graze_kind kind : {GRAZE_VF, GRAZE_EE}) {
            const vectors x = vectors_of(query);
            const auto function =
                kind == GRAZE_VF ? ticcd::compute_vertex_face_tolerances : ticcd::compute_edge_edge_tolerances;
            const double delta = 1e-3;
            const Array3 step = function(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], delta);
            const auto difference = [&](const Array3 &at) -> Vector3 {
                std::array<Vector3, 4> p;
                for (std::size_t i = 0; i < 4; i++) p[i] = (1 - at[0]) * x[i] + at[0] * x[i + 4];
                if (kind == GRAZE_EE) return p[0] + at[1] * (p[1] - p[0]) - p[2] - at[2] * (p[3] - p[2]);
                return p[0] - p[1] - at[1] * (p[2] - p[1]) - at[2] * (p[3] - p[1]);
            };
            CHECK(step.minCoeff() > 0 && step.maxCoeff() <= 1);
            Array3 from;
            for (int i = 0; i < 3; i++) from[i] = (1 - step[i]) * test_random_unit(&random);
            const Array3 to = from + step;
            CHECK_QUERY((difference(to) - difference(from)).lpNorm<Eigen::Infinity>() <= delta * (1 + 1e-9), kind,
                        &query);
        }
    const Vector3 zero = Vector3::Zero();
    CHECK((ticcd::compute_edge_edge_tolerances(zero, zero, zero, zero, zero, zero, zero, zero) == 1).all());
    CHECK((ticcd::get_numerical_error({zero}, true, false) < 0).all());
}

TEST(the_toolkits_narrow_phase_never_misses_and_a_step_never_lands_on_contact) {
    long hits = 0, clear = 0;
    for (const graze_method method : {GRAZE_METHOD_CERTIFIED, GRAZE_METHOD_EXACT}) {
        const graze::ipc_ccd ccd(method);
        for (int style = 0; style < 3; style++)
            for (const graze_kind kind : {GRAZE_VF, GRAZE_EE, GRAZE_PE, GRAZE_PP})
                for (const graze_query &query : queries_of(style, 100))
                    for (const double min_distance : {0.0, 1e-3}) {
                        double toi = -1;
                        const bool hit = ask(ccd, kind, query, toi, min_distance);
                        const graze::truth truth = truth_of(kind, query, min_distance);
                        CHECK_QUERY(hit || !truth.hit(), kind, &query);
                        CHECK_QUERY(hit == (toi <= 1), kind, &query);
                        hits += hit, clear += !hit;
                        if (!hit) continue;
                        if (truth_of(kind, at_rest(query, 0), min_distance).hit()) {
                            CHECK_QUERY(toi == 0, kind, &query);
                            continue;
                        }
                        CHECK_QUERY(toi > 0, kind, &query);
                        // there, rounded to doubles, the pair is still farther apart
                        CHECK_QUERY(!truth_of(kind, at_rest(query, toi), min_distance).hit(), kind, &query);
                        if (truth.hit()) CHECK_QUERY(truth.compare(toi) < 0, kind, &query);
                    }
    }
    CHECK_MSG(hits > 300 && clear > 300, "%ld hits, %ld clear", hits, clear);
}

TEST(the_toolkits_narrow_phase_goes_on_from_a_small_gap) {
    // a vertex above a triangle, again and again: each step is allowed a part of the way, none is lost
    graze_query query = {{{0.2, 0.2, 1e-3}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                         {{0.2, 0.2, -1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    const graze::ipc_ccd ccd;
    for (int step = 0; step < 200 && query.x0[0][2] > 1e-12; step++) {
        double toi = 0;
        const double before = query.x0[0][2];
        CHECK(ask(ccd, GRAZE_VF, query, toi, 0) && toi > 0);
        query.x0[0][2] += toi * (query.x1[0][2] - query.x0[0][2]);
        CHECK(query.x0[0][2] > 0 && query.x0[0][2] < before);
    }
    CHECK_MSG(query.x0[0][2] <= 1e-12, "stopped at %g", query.x0[0][2]);
}

TEST(the_toolkits_narrow_phase_keeps_a_gap_where_there_is_no_contact) {
    // it ends 5e-5 above the triangle: free of contact, but nearer than a fifth of the way and the largest gap
    const graze_query query = {{{0.2, 0.2, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                               {{0.2, 0.2, 5e-5}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    graze::ipc_ccd ccd;
    double toi = -1;
    CHECK(ask(ccd, GRAZE_VF, query, toi, 0) && 1 - toi * (1 - 5e-5) >= 1e-4 * (1 - 1e-9));
    ccd.largest_gap = 1e-5;
    CHECK(!ask(ccd, GRAZE_VF, query, toi, 0));
    // so fast that the gap leaves next to no step: 0.8 of the way to contact, at 1e-7
    graze_query fast = query;
    fast.x1[0][2] = 1 - 1e7;
    CHECK(ask(ccd, GRAZE_VF, fast, toi, 0) && toi > 0.79e-7 && toi <= 0.8e-7);
}

TEST(method_and_limits_of_the_toolkits_narrow_phase_are_kept) {
    graze::ipc_ccd usual, hurried, boxes(GRAZE_METHOD_TI), rough(GRAZE_METHOD_TI); // boxes end at the tolerance
    hurried.max_checks = 1;
    rough.tolerance = 0.1;
    long hits[2] = {0, 0}, other = 0, earlier = 0;
    for (const graze_query &query : queries_of(0, 500)) {
        double toi[4];
        hits[0] += ask(usual, GRAZE_EE, query, toi[0], 0);
        hits[1] += ask(hurried, GRAZE_EE, query, toi[1], 0);
        ask(boxes, GRAZE_EE, query, toi[2], 0), ask(rough, GRAZE_EE, query, toi[3], 0);
        CHECK_QUERY(toi[1] <= toi[0] && toi[3] <= toi[2], GRAZE_EE, &query);
        other += toi[2] != toi[0], earlier += toi[3] < toi[2];
    }
    CHECK_MSG(hits[1] > hits[0] && other > 10 && earlier > 10, "%ld hits, %ld in a hurry, %ld other, %ld earlier",
              hits[0], hits[1], other, earlier);
}

TEST(the_toolkits_narrow_phase_takes_the_plane_and_bad_input) {
    const graze::ipc_ccd ccd;
    const Eigen::Vector2d p0(0, 1), p1(0, -1), e0(-1, 0), e1(1, 0);
    double toi = -1;
    CHECK(ccd.point_edge_ccd(p0, e0, e1, p1, e0, e1, toi) && toi > 0.4 && toi < 0.5);
    CHECK(!ccd.point_edge_ccd(p0, e0, e1, p0, e0, e1, toi) && std::isinf(toi));
    CHECK(ccd.point_point_ccd(p0, p0, p0, p1, toi) && toi == 0);
    const Eigen::Vector2d nowhere(NAN, 0);
    CHECK(ccd.point_point_ccd(p0, p1, p0, nowhere, toi) && toi == 0);
    CHECK(ccd.point_point_ccd(p0, p1, p0, p1, toi, 0, 1.5) && toi == 0);
}

TEST(rescaling_is_that_of_the_base_class_where_it_has_one) {
    struct newer {
        double conservative_rescaling;
    };
    CHECK(std::is_empty_v<graze::detail::own_rescaling<newer>>);
    graze::ipc_ccd ccd(GRAZE_METHOD_CERTIFIED, 0.5);
    ccd.largest_gap = 1e9; // half of the start distance is kept
    const Eigen::Vector3d a0(0, 0, 1), a1(0, 0, -1), b(0, 0, 0);
    double toi = -1;
    CHECK(ccd.point_point_ccd(a0, b, a1, b, toi) && toi <= 0.25 && toi > 0.2499);
    ccd.conservative_rescaling = 0.75;
    CHECK(ccd.point_point_ccd(a0, b, a1, b, toi) && toi <= 0.375 && toi > 0.3749);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
