/* The C++ front: the bits of the C calls, arrays of every layout, errors in both ways, callbacks that throw, and what
   is made outlives what made it. */
#include "matrix.hpp"
#include "scene.hpp"

#include <algorithm>
#include <tuple>

namespace {

const graze_kind kinds[] = {GRAZE_VF, GRAZE_EE, GRAZE_PE, GRAZE_PP};

template <class Target> void fill(Target &target, const std::vector<position> &x) {
    for (std::size_t i = 0; i < x.size(); i++)
        for (int c = 0; c < 3; c++) target(static_cast<std::ptrdiff_t>(i), c) = x[i][c];
}

graze_status thrown_status(const std::function<void()> &call) {
    try {
        call();
    } catch (const graze::error &error) {
        return error.status();
    }
    return GRAZE_OK;
}

bool same_lists(const graze::list<graze_pair_result> &a, const graze::list<graze_pair_result> &b) {
    bool same = a.size() == b.size();
    for (std::size_t i = 0; same && i < a.size(); i++)
        same = same_pair(a[i].pair, b[i].pair) && same_result(a[i].result, b[i].result);
    return same;
}

} // namespace

TEST(pairs_have_the_bits_of_the_c_calls) {
    long hits = 0;
    for (const graze_kind kind : kinds)
        for (const graze_query &query : random_queries(200, kind + 1u)) {
            const graze::options options(GRAZE_METHOD_EXACT, kind == GRAZE_PP ? 0.3 : 0.05);
            graze_result expected;
            CHECK(graze_ccd(kind, &query, &options, &expected) == GRAZE_OK);
            CHECK(same_result(graze::ccd(kind, query, options), expected));
            CHECK(same_result(graze::ccd(kind, graze::make_query(kind, query.x0, query.x1), options), expected));
            hits += expected.verdict == GRAZE_HIT;

            const std::array<double, 4> radii = {0.1, 0.2, 0.1, 0.05};
            CHECK(graze_ccd_thick(kind, &query, radii.data(), &options, &expected) == GRAZE_OK);
            CHECK(same_result(graze::ccd_thick(kind, query, radii, options), expected));

            graze_curve_query curve;
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    for (int c = 0; c < 3; c++) curve.x[i][j][c] = (j < 2 ? query.x0 : query.x1)[i][c];
            CHECK(graze_ccd_curve(kind, &curve, NULL, &expected) == GRAZE_OK);
            CHECK(same_result(graze::ccd(kind, curve), expected));

            graze_distance_result distance;
            CHECK(graze_distance(kind, query.x0, &distance) == GRAZE_OK);
            CHECK(graze::distance(kind, query.x0).value == distance.value);
        }
    CHECK(hits > 100);
}

TEST(floats_and_the_plane_have_the_bits_of_the_c_calls) {
    const graze::options options(GRAZE_METHOD_CERTIFIED, 0.1);
    long differ = 0;
    for (const graze_query &query : random_queries(200, 21)) {
        graze_query_f32 floats;
        graze_query_2d plane;
        for (int row = 0; row < 4; row++)
            for (int c = 0; c < 3; c++) {
                floats.x0[row][c] = static_cast<float>(query.x0[row][c]);
                floats.x1[row][c] = static_cast<float>(query.x1[row][c]);
                if (row < 3 && c < 2) plane.x0[row][c] = query.x0[row][c], plane.x1[row][c] = query.x1[row][c];
            }
        graze_result expected, without;
        CHECK(graze_ccd_f32(GRAZE_EE, &floats, &options, &expected) == GRAZE_OK);
        CHECK(graze_ccd_f32(GRAZE_EE, &floats, NULL, &without) == GRAZE_OK);
        CHECK(same_result(graze::ccd(GRAZE_EE, floats, options), expected));
        differ += !same_result(expected, without);
        CHECK(graze_ccd_2d(GRAZE_PE, &plane, &options, &expected) == GRAZE_OK);
        CHECK(graze_ccd_2d(GRAZE_PE, &plane, NULL, &without) == GRAZE_OK);
        CHECK(same_result(graze::ccd(GRAZE_PE, plane, options), expected));
        differ += !same_result(expected, without);
    }
    CHECK(differ > 100);
}

TEST(a_query_has_the_rows_of_its_kind) {
    std::error_code code;
    const std::vector<position> two = {{0, 0, 1}, {0, 0, 0}}, three = {{0, 0, 1}, {-1, 0, 0}, {1, 0, 0}};
    const graze_query pp = graze::make_query(GRAZE_PP, two, two), pe = graze::make_query(GRAZE_PE, three, three);
    CHECK(pp.x0[0][2] == 1 && pe.x1[2][0] == 1 && pe.x0[3][0] == 0);
    const graze_query closed = graze::make_query(GRAZE_EE, three, three, code);
    CHECK(code && thrown_status([&] { graze::ccd(GRAZE_EE, closed); }) == GRAZE_ERR_NOT_FINITE);
    CHECK(graze::distance(GRAZE_PP, two).value == 1 && graze::distance(GRAZE_PE, three).value == 1);
}

TEST(certificates_hold_the_whole_proof) {
    std::size_t longest = 0;
    for (const graze_query &query : random_queries(2000, 5)) {
        const graze::certificate made = graze::ccd_certificate(GRAZE_EE, query);
        longest = made.entries.size() > longest ? made.entries.size() : longest;
        CHECK(same_result(made.result, graze::ccd(GRAZE_EE, query)) || made.result.verdict == GRAZE_HIT);
        if (made.result.verdict != GRAZE_CLEAR) continue;
        double until = 0;
        for (const graze_certificate_entry &entry : made.entries) {
            CHECK(entry.t0 == until);
            until = entry.t1;
        }
        CHECK(until == 1);
        graze::options half(GRAZE_METHOD_CERTIFIED);
        half.t_max = 0.5;
        const graze::certificate shorter = graze::ccd_certificate(GRAZE_EE, query, half);
        CHECK(shorter.result.verdict == GRAZE_CLEAR && shorter.entries.back().t1 == 0.5);
    }
    CHECK_MSG(longest > 16, "%zu entries at most: the buffer never had to grow", longest);
}

TEST(truth_brackets_the_root_of_its_polynomial) {
    const graze_query query = {{{0.25, 0.25, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                               {{0.25, 0.25, -2}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    const graze::truth truth(GRAZE_VF, query);
    CHECK(truth.hit());
    const auto [lower, upper] = truth.bracket(); // 1/3 is no double
    CHECK(lower < upper && truth.compare(lower) < 0 && truth.compare(upper) > 0 && std::nextafter(lower, 1) == upper);
    const std::vector<std::string> line = {"-1", "3"}; // 3 t − 1
    CHECK(truth.polynomial() == line);
    CHECK(truth.contact_count() == 1 && !truth.on_boundary());
    graze_query corner = query;
    for (auto *x : {&corner.x0, &corner.x1}) (*x)[0][0] = 0, (*x)[0][1] = 0.5; // at f0 + 0 (f1 − f0) + ½ (f2 − f0)
    const graze::truth at_edge(GRAZE_VF, corner);
    const graze::truth::enclosures where = at_edge.parameters();
    CHECK(at_edge.on_boundary() && where.u[0] <= 0 && where.u[1] >= 0 && where.u[1] < 0.1);
    CHECK(where.v[0] <= 0.5 && where.v[1] >= 0.5 && where.v[0] > 0.4 && where.v[1] < 0.6);
    graze::truth_options early;
    early.t_max = 0.25;
    CHECK(!graze::truth(GRAZE_VF, query, early).hit() && graze::truth(GRAZE_VF, query, early).polynomial().empty());
}

TEST(batches_read_every_layout_with_one_answer) {
    graze::context context;
    const std::size_t count = 300;
    const std::vector<graze_query> queries = random_queries(count, 3);
    std::vector<position> x0, x1;
    for (const graze_query &query : queries)
        for (int row = 0; row < 4; row++) {
            x0.push_back({query.x0[row][0], query.x0[row][1], query.x0[row][2]});
            x1.push_back({query.x1[row][0], query.x1[row][1], query.x1[row][2]});
        }
    plain_matrix<double, true> down0(4 * count, 3, 2), down1(4 * count, 3, 2);
    plain_matrix<double, false> across0(4 * count, 3, 1), across1(4 * count, 3, 1);
    fill(down0, x0), fill(down1, x1), fill(across0, x0), fill(across1, x1);
    std::vector<graze_result> expected(count);
    CHECK(graze_ccd_batch(context.get(), GRAZE_VF, queries.data(), count, NULL, expected.data()) == GRAZE_OK);
    const std::vector<graze_result> answers[] = {
        graze::ccd_batch(context, GRAZE_VF, queries), graze::ccd_batch(context, GRAZE_VF, graze::query_arrays(x0, x1)),
        graze::ccd_batch(context, GRAZE_VF, graze::query_arrays(down0, down1)),
        graze::ccd_batch(context, GRAZE_VF, graze::query_arrays(across0, across1))};
    for (const auto &answer : answers)
        for (std::size_t i = 0; i < count; i++) CHECK_QUERY(same_result(answer[i], expected[i]), GRAZE_VF, &queries[i]);
    const graze::options near(GRAZE_METHOD_EXACT, 0.1);
    const auto of_queries = graze::ccd_batch(context, GRAZE_VF, queries, near);
    const auto of_arrays = graze::ccd_batch(context, GRAZE_VF, graze::query_arrays(x0, x1), near);
    for (std::size_t i = 0; i < count; i++) {
        const graze_result one = graze::ccd(GRAZE_VF, queries[i], near);
        CHECK_QUERY(same_result(of_queries[i], one) && same_result(of_arrays[i], one), GRAZE_VF, &queries[i]);
    }
    fill(down1, x1);
    plain_matrix<double, true> tight1(4 * count, 3), two_columns(4 * count, 2);
    fill(tight1, x1);
    const auto unlike = graze::ccd_batch(context, GRAZE_VF, graze::query_arrays(down0, tight1));
    for (std::size_t i = 0; i < count; i++) CHECK(same_result(unlike[i], expected[i]));
    std::error_code code;
    CHECK(graze::ccd_batch(context, GRAZE_VF, graze::query_arrays(two_columns, two_columns), {}, code).empty() && code);
    std::vector<graze_result> short_of_one(count - 1);
    graze::ccd_batch(context, GRAZE_VF, queries, short_of_one, {}, code);
    CHECK(code && short_of_one[0].verdict == GRAZE_UNRESOLVED);
    x0.pop_back();
    CHECK(graze::ccd_batch(context, GRAZE_VF, graze::query_arrays(x0, x1), {}, code).empty() && code);
}

TEST(steps_in_every_mode_have_the_bits_of_the_c_calls) {
    const sheets scene;
    graze::context context;
    const graze::mesh mesh = graze::mesh::from_faces(context, scene.x0.size(), scene.faces);
    for (int mode = GRAZE_STEP_EARLIEST; mode <= GRAZE_STEP_ALL; mode++) {
        const graze::step_result found =
            graze::step(context, mesh, scene.x0, scene.x1, graze::step_options(static_cast<graze_step_mode>(mode)));
        std::vector<double> vertex_toi(scene.x0.size());
        graze_step_options options = graze_default_step_options();
        options.mode = static_cast<graze_step_mode>(mode);
        options.vertex_toi = vertex_toi.data();
        graze_step_result expected = graze_default_step_result();
        CHECK(graze_step(context.get(), &mesh.c(), graze::points(scene.x0).rows(), graze::points(scene.x1).rows(),
                         &options, &expected) == GRAZE_OK);
        CHECK(found.verdict == expected.verdict && found.toi == expected.toi && found.toi_upper == expected.toi_upper);
        CHECK(found.reason == expected.reason && found.backend == expected.backend);
        for (int kind = 0; kind < 4 && mode != GRAZE_STEP_ANY; kind++)
            CHECK(found.candidates[kind] == expected.candidates[kind] && found.hits[kind] == expected.hits[kind]);
        CHECK(found.ms_total > 0 && (found.ms_boxes > 0) == (expected.ms_boxes > 0));
        CHECK((found.ms_broad > 0) == (expected.ms_broad > 0) && (found.ms_narrow > 0) == (expected.ms_narrow > 0));
        CHECK(found.limiting.has_value() == (expected.has_pair != 0));
        if (mode != GRAZE_STEP_ANY && found.limiting)
            CHECK(same_pair(found.limiting->pair, expected.limiting.pair) &&
                  same_result(found.limiting->result, expected.limiting.result));
        CHECK(found.pairs.size() == expected.pair_count && (mode != GRAZE_STEP_ALL || expected.pair_count > 20));
        for (std::size_t i = 0; i < found.pairs.size(); i++)
            CHECK(same_result(found.pairs[i].result, expected.pairs[i].result));
        CHECK(found.vertex_toi.size() == (mode == GRAZE_STEP_VERTICES ? vertex_toi.size() : 0));
        for (std::size_t v = 0; v < found.vertex_toi.size(); v++) CHECK(found.vertex_toi[v] == vertex_toi[v]);
        graze_step_release(context.get(), &expected);
    }
}

TEST(positions_of_every_layout_give_one_answer_and_are_copied_only_where_said) {
    const sheets scene;
    graze::context context;
    const std::size_t count = scene.x0.size();
    const graze::mesh mesh = graze::mesh::from_faces(context, count, scene.faces);
    const double toi = graze::step(context, mesh, scene.x0, scene.x1).toi;
    CHECK(toi > 0 && toi < 1);
    const auto rows = static_cast<std::ptrdiff_t>(count);
    plain_matrix<double, true> row_major0(rows, 3), row_major1(rows, 3), apart(rows, 3, 5);
    plain_matrix<double, false> column_major0(rows, 3), column_major1(rows, 3);
    plain_matrix<double, false, 3> points_in_columns0(3, rows), points_in_columns1(3, rows);
    std::vector<double> flat0, flat1;
    fill(row_major0, scene.x0), fill(row_major1, scene.x1), fill(apart, scene.x1);
    fill(column_major0, scene.x0), fill(column_major1, scene.x1);
    for (std::size_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++) {
            points_in_columns0(c, static_cast<std::ptrdiff_t>(i)) = scene.x0[i][c];
            points_in_columns1(c, static_cast<std::ptrdiff_t>(i)) = scene.x1[i][c];
            flat0.push_back(scene.x0[i][c]), flat1.push_back(scene.x1[i][c]);
        }
    CHECK(graze::step(context, mesh, row_major0, row_major1).toi == toi);
    CHECK(graze::step(context, mesh, row_major0, apart).toi == toi); // one of them is copied: they lie differently
    CHECK(graze::step(context, mesh, column_major0, column_major1).toi == toi);
    CHECK(graze::step(context, mesh, points_in_columns0, points_in_columns1).toi == toi);
    CHECK(graze::step(context, mesh, flat0, flat1).toi == toi);
    CHECK(!graze::points(scene.x0).copied() && !graze::points(flat0).copied());
    CHECK(!graze::points(row_major0).copied() && !graze::points(apart).copied());
    CHECK(!graze::points(points_in_columns0).copied() && graze::points(column_major0).copied());
    plain_matrix<float, true> floats(rows, 3);
    floats(1, 2) = 0.1f;
    CHECK(graze::points(floats).copied() && graze::points(floats)[1][2] == static_cast<double>(0.1f));
}

TEST(lists_of_pairs_are_those_of_c) {
    const sheets scene;
    graze::context context;
    const graze::mesh mesh = graze::mesh::from_faces(context, scene.x0.size(), scene.faces);
    const graze::list<graze_pair> pairs = graze::candidates(context, mesh, scene.x0, scene.x1);
    CHECK(pairs.size() > 100);
    const std::vector<graze_result> results = graze::ccd_pairs(context, mesh, scene.x0, scene.x1, pairs);
    const std::vector<graze_distance_result> distances = graze::distances(context, mesh, scene.x0, pairs);
    const std::vector<graze_proximity_pair> close = graze::proximity(context, mesh, scene.x0, 10);
    CHECK(close.size() >= pairs.size() && close[0].distance.value <= 10);
    std::vector<double> least;
    CHECK(graze::proximity(context, mesh, scene.x0, 10, &least).size() == close.size());
    CHECK(least.size() == scene.x0.size() && *std::min_element(least.begin(), least.end()) ==
                                                 std::min_element(close.begin(), close.end(), [](auto &a, auto &b) {
                                                     return a.distance.value < b.distance.value;
                                                 })->distance.value);
    const graze::step_result first = graze::earliest_of_pairs(context, mesh, scene.x0, scene.x1, pairs);
    CHECK(first.toi == graze::step(context, mesh, scene.x0, scene.x1).toi);
    std::size_t touching = 0;
    for (std::size_t i = 0; i < pairs.size(); i++) {
        const graze_query query = graze::pair_query(mesh, scene.x0, scene.x1, pairs[i]);
        CHECK_QUERY(same_result(results[i], graze::ccd(pairs[i].kind, query)), pairs[i].kind, &query);
        CHECK(distances[i].value == graze::distance(pairs[i].kind, query.x0).value);
        const graze_stencil stencil = graze::pair_stencil(mesh, pairs[i], 0.25, 0.25);
        CHECK(stencil.count == 4 && query.x0[1][0] == scene.x0[stencil.vertices[1]][0]);
        const graze_stencil at_end = graze::pair_stencil(mesh, pairs[i], 1, 0); // the second corner, or end of a
        CHECK(std::fabs(at_end.weights[pairs[i].kind == GRAZE_VF ? 2 : 1]) == 1);
        touching += results[i].verdict != GRAZE_CLEAR;
    }
    const auto active = graze::active_set(context, mesh, scene.x0, scene.x1);
    CHECK(active.size() == touching && touching > 20);
    CHECK(
        same_lists(active, graze::step(context, mesh, scene.x0, scene.x1, graze::step_options(GRAZE_STEP_ALL)).pairs));
    CHECK(graze::static_intersections(context, mesh, scene.x0).empty());
    graze::step_options near;
    near.narrow.min_separation = 10;
    CHECK(graze::start_violations(context, mesh, scene.x0).empty());
    CHECK(graze::start_violations(context, mesh, scene.x0, near).size() > pairs.size());
}

TEST(a_cancelled_active_set_throws_cancelled) {
    const sheets scene;
    graze::context_options options;
    options.cancel = [] { return true; };
    graze::context context(std::move(options));
    const graze::mesh mesh = graze::mesh::from_faces(context, scene.x0.size(), scene.faces);
    std::error_code code;
    CHECK(graze::active_set(context, mesh, scene.x0, scene.x1, {}, code).empty());
    CHECK(code == graze::error_code(GRAZE_ERR_CANCELLED) && code.message() == "cancelled");
}

TEST(a_step_taken_is_free_and_can_be_written_into_a_matrix_of_either_order) {
    const sheets scene;
    graze::context context;
    const graze::mesh mesh = graze::mesh::from_faces(context, scene.x0.size(), scene.faces);
    const graze::safe_step taken = graze::step_to(context, mesh, scene.x0, scene.x1);
    CHECK(taken.result.alpha > 0 && taken.result.alpha < 1);
    graze::step_options apart;
    apart.narrow.min_separation = 0.2;
    CHECK(graze::step_to(context, mesh, scene.x0, scene.x1, apart).result.alpha < taken.result.alpha);
    std::vector<position> bad = scene.x1;
    bad[3][2] = NAN;
    std::error_code code;
    CHECK(graze::step_to(context, mesh, scene.x0, bad, {}, code).x.empty() && code);
    CHECK(graze::line_search(context, mesh, scene.x0, bad, nullptr, {}, code).x.empty() && code);
    CHECK(graze::step(context, mesh, scene.x0, taken.x).verdict == GRAZE_CLEAR);
    CHECK(graze::step(context, mesh, taken.x, scene.x1).toi > 0);
    plain_matrix<double, true> padded0(std::ptrdiff_t(scene.x0.size()), 3, 1),
        padded1(std::ptrdiff_t(scene.x0.size()), 3, 1);
    fill(padded0, scene.x0), fill(padded1, scene.x1);
    CHECK(graze::step_to(context, mesh, padded0, padded1).result.alpha == taken.result.alpha);
    std::vector<position> room(4, {7, 7, 7});
    graze::span<position> three(room.data(), 3);
    graze::write(taken.x, three);
    CHECK(room[2] == taken.x[2] && room[3][0] == 7); // no more than there is room for
    plain_matrix<double, true> down(static_cast<std::ptrdiff_t>(scene.x0.size()), 3);
    plain_matrix<double, false> across(static_cast<std::ptrdiff_t>(scene.x0.size()), 3);
    graze::write(taken.x, down);
    graze::write(taken.x, across);
    for (std::size_t i = 0; i < taken.x.size(); i++)
        for (int c = 0; c < 3; c++) {
            CHECK(down(static_cast<std::ptrdiff_t>(i), c) == taken.x[i][c]);
            CHECK(across(static_cast<std::ptrdiff_t>(i), c) == taken.x[i][c]);
        }
}

TEST(two_meshes_are_asked_about_as_one_joined) {
    const sheets scene;
    graze::context context;
    const std::size_t half = scene.x0.size() / 2;
    const std::vector<std::array<uint32_t, 3>> faces(scene.faces.begin(),
                                                     scene.faces.begin() + std::ptrdiff_t(scene.faces.size() / 2));
    const graze::mesh sheet = graze::mesh::from_faces(context, half, faces);
    const std::vector<position> a0(scene.x0.begin(), scene.x0.begin() + std::ptrdiff_t(half)),
        a1(scene.x1.begin(), scene.x1.begin() + std::ptrdiff_t(half)),
        b0(scene.x0.begin() + std::ptrdiff_t(half), scene.x0.end()),
        b1(scene.x1.begin() + std::ptrdiff_t(half), scene.x1.end());
    const graze::step_result between = graze::step_between(context, sheet, a0, a1, sheet, b0, b1);
    const graze::mesh joined = graze::mesh::join(context, sheet, sheet);
    const graze::step_result found = graze::step(context, joined, scene.x0, scene.x1);
    CHECK(between.verdict == GRAZE_HIT && between.toi == found.toi);
    CHECK(between.limiting && found.limiting && same_pair(between.limiting->pair, found.limiting->pair));
    plain_matrix<double, true> apart0(std::ptrdiff_t(half), 3, 2), apart1(std::ptrdiff_t(half), 3, 2);
    fill(apart0, b0), fill(apart1, b1);
    CHECK(graze::step_between(context, sheet, a0, a1, sheet, apart0, apart1).toi == between.toi);

    graze::mesh point = graze::mesh::from_parts(context, 1, graze::indices<3>(), graze::indices<2>());
    point.set_filter([](graze_kind, uint32_t, uint32_t) { return false; }); // stays behind
    const graze::mesh after = graze::mesh::join(context, sheet, point),
                      before = graze::mesh::join(context, point, sheet);
    CHECK(after.faces()[0] == sheet.faces()[0] && before.faces()[0][0] == sheet.faces()[0][0] + 1);
}

TEST(meshes_from_parts_take_matrices_of_signed_indices) {
    graze::context context;
    plain_matrix<int, false> faces(1, 3), edges(1, 2);
    for (int c = 0; c < 3; c++) faces(0, c) = c;
    edges(0, 0) = 3, edges(0, 1) = 4;
    const graze::mesh all = graze::mesh::from_parts(context, 7, faces, edges);
    CHECK(all.faces().size() == 1 && all.edges().size() == 4 && all.c().codim_edge_count == 1);
    CHECK(all.c().codim_point_count == 2);
    CHECK(graze::mesh::from_parts(context, 7, faces, edges, std::vector<int>{6}).c().codim_point_count == 1);
    CHECK(graze::mesh::from_parts(context, 7, faces, edges, std::vector<int>{}).c().codim_point_count == 0);
    CHECK(graze::mesh::from_parts(context, 2, graze::indices<3>(), graze::indices<2>()).c().codim_point_count == 2);
    faces(0, 1) = -1;
    CHECK(thrown_status([&] { graze::mesh::from_faces(context, 7, faces); }) == GRAZE_ERR_BAD_INDEX);
    // no conversion makes a vertex of what is none
    const std::vector<std::array<signed char, 3>> small = {{0, 1, -1}};
    CHECK(thrown_status([&] { graze::mesh::from_faces(context, 300, small); }) == GRAZE_ERR_BAD_INDEX);
    const std::vector<std::array<uint64_t, 3>> large = {{0, 1, (uint64_t(1) << 32) + 2}};
    CHECK(thrown_status([&] { graze::mesh::from_faces(context, 300, large); }) == GRAZE_ERR_BAD_INDEX);
}

TEST(groups_thickness_and_filters_reach_the_step) {
    const sheets scene;
    graze::context context;
    graze::mesh mesh = graze::mesh::from_faces(context, scene.x0.size(), scene.faces);
    const double toi = graze::step(context, mesh, scene.x0, scene.x1).toi;
    std::vector<double> radii(scene.x0.size(), 0.1);
    mesh.set_thickness(radii);
    CHECK(graze::step(context, mesh, scene.x0, scene.x1).toi < toi);
    std::vector<uint32_t> groups(scene.x0.size(), 0);
    mesh.set_groups(groups);
    CHECK(graze::step(context, mesh, scene.x0, scene.x1).verdict == GRAZE_CLEAR);
    mesh.set_groups(groups, false);
    mesh.set_filter([](graze_kind, uint32_t, uint32_t) { return false; });
    const graze::mesh moved = std::move(mesh); // the filter finds its mesh wherever it is
    CHECK(graze::step(context, moved, scene.x0, scene.x1).verdict == GRAZE_CLEAR);
    std::error_code code;
    graze::mesh other = graze::mesh::from_faces(context, scene.x0.size(), scene.faces);
    other.set_groups({1, 2, 3}, true, code);
    CHECK(code == graze::error_code(GRAZE_ERR_INVALID_ARGUMENT) && !other.c().groups);
    other.set_thickness({1, 2, 3}, code);
    CHECK(code == graze::error_code(GRAZE_ERR_INVALID_ARGUMENT) && !other.c().thickness);
    std::fill(groups.begin() + std::ptrdiff_t(groups.size() / 2), groups.end(), 4u);
    other.set_groups(groups, false);
    CHECK(other.c().group_count == 5 && !other.c().skip_same_group &&
          graze::step(context, other, scene.x0, scene.x1).toi == toi);
}

TEST(a_filter_is_asked_about_every_pair_by_kind_and_ids) {
    const sheets scene;
    graze::context_options alone;
    alone.threads = 1;
    graze::context context(alone);
    graze::mesh mesh = graze::mesh::from_faces(context, scene.x0.size(), scene.faces);
    const graze::list<graze_pair> pairs = graze::candidates(context, mesh, scene.x0, scene.x1);
    using ids = std::tuple<graze_kind, uint32_t, uint32_t>;
    std::vector<ids> asked, expected;
    mesh.set_filter([&](graze_kind kind, uint32_t a, uint32_t b) { return asked.emplace_back(kind, a, b), true; });
    CHECK(graze::candidates(context, mesh, scene.x0, scene.x1).size() == pairs.size());
    for (const graze_pair &pair : pairs) expected.emplace_back(pair.kind, pair.a, pair.b);
    std::sort(asked.begin(), asked.end());
    CHECK(asked == expected);
}

TEST(options_of_a_context_reach_it) {
    const sheets scene;
    std::error_code code;
    graze::context_options options;
    options.isa = GRAZE_ISA_SCALAR;
    graze::context scalar(options);
    CHECK(scalar.isa() == GRAZE_ISA_SCALAR);
    options.isa = GRAZE_ISA_WASM; // of no machine that compiles this
    CHECK(thrown_status([&] { graze::context{options}; }) == GRAZE_ERR_UNSUPPORTED);
    graze::context none(options, code);
    CHECK(code == graze::error_code(GRAZE_ERR_UNSUPPORTED) && !none.get());

    options.isa = GRAZE_ISA_AUTO;
    options.deadline_seconds = 1e-12;
    graze::context late(options);
    graze::context plain;
    const graze::mesh mesh = graze::mesh::from_faces(plain, scene.x0.size(), scene.faces);
    const graze::step_result ended = graze::step(late, mesh, scene.x0, scene.x1);
    CHECK(ended.verdict == GRAZE_UNRESOLVED && ended.reason == GRAZE_REASON_CANCELLED);

    graze::step(plain, mesh, scene.x0, scene.x1);
    CHECK(plain.stats().queries > 0 && plain.stats().peak_bytes > 0);
    plain.reset_stats();
    CHECK(plain.stats().queries == 0);
}

TEST(memory_that_a_context_keeps_is_given_back_when_asked) {
    const sheets scene;
    counting_allocator counting;
    graze::context_options options;
    options.allocator = &counting.c;
    std::error_code inside;
    graze::context *called = nullptr;
    options.cancel = [&] { return called && (called->trim(inside), false); };
    graze::context context(options);
    const graze::mesh mesh = graze::mesh::from_faces(context, scene.x0.size(), scene.faces);
    called = &context;
    graze::step(context, mesh, scene.x0, scene.x1);
    CHECK(inside == graze::error_code(GRAZE_ERR_BUSY)); // a call was under way
    const long kept = counting.blocks;
    context.trim();
    CHECK(counting.blocks < kept);
}

TEST(line_search_hands_the_positions_that_it_proved) {
    const sheets scene;
    graze::context context;
    const graze::mesh mesh = graze::mesh::from_faces(context, scene.x0.size(), scene.faces);
    const auto height = [](graze::span<const position> x) { return x[x.size() - 1][2]; };
    const graze::line_search_result found = graze::line_search(context, mesh, scene.x0, scene.x1, height);
    CHECK(found.alpha > 0 && found.alpha < 1 && found.energy_calls > 0 && found.limiting);
    CHECK(found.energy == height(found.x) && found.energy < height(scene.x0));
    CHECK(graze::step(context, mesh, scene.x0, found.x).verdict == GRAZE_CLEAR);
    CHECK(graze::line_search(context, mesh, scene.x0, scene.x1, nullptr).energy_calls == 0);
    CHECK(found.alpha_free >= found.alpha && found.distance > 0);
    const graze::step_result first = graze::step(context, mesh, scene.x0, scene.x1);
    CHECK(same_pair(*found.limiting, first.limiting->pair));
    graze::line_search_options careful;
    careful.step.narrow.t_max = 0.125;
    CHECK(graze::line_search(context, mesh, scene.x0, scene.x1, nullptr, careful).alpha_free <= 0.125);
    graze::line_search_options far;
    far.separation_fraction = 0.9;
    CHECK(graze::line_search(context, mesh, scene.x0, scene.x1, nullptr, far).alpha_free < found.alpha_free);
}

TEST(errors_are_exceptions_or_codes_and_results_are_closed) {
    sheets scene;
    graze::context context;
    const graze::mesh mesh = graze::mesh::from_faces(context, scene.x0.size(), scene.faces);
    scene.x1[4][1] = NAN;
    try {
        graze::step(context, mesh, scene.x0, scene.x1);
        CHECK(!"a step with NaN in it came back");
    } catch (const graze::error &error) {
        CHECK(error.status() == GRAZE_ERR_NOT_FINITE && error.index() == 4 && std::strlen(error.what()) > 5);
    }
    std::error_code code;
    const graze::step_result closed = graze::step(context, mesh, scene.x0, scene.x1, {}, code);
    CHECK(code == graze::error_code(GRAZE_ERR_NOT_FINITE) && closed.verdict == GRAZE_UNRESOLVED && closed.toi == 0);
    CHECK(code.message() == graze_status_name(GRAZE_ERR_NOT_FINITE));
    graze::step(context, mesh, scene.x0, scene.x0, {}, code);
    CHECK(!code);
    graze::step(context, mesh, std::vector<position>(3), scene.x0, {}, code);
    CHECK(code == graze::error_code(GRAZE_ERR_INVALID_ARGUMENT));
    graze::step(context, mesh, scene.x0, std::vector<position>(3), {}, code);
    CHECK(code == graze::error_code(GRAZE_ERR_INVALID_ARGUMENT));
    plain_matrix<double, true> flat(std::ptrdiff_t(scene.x0.size()), 2);
    CHECK(thrown_status([&] { graze::step(context, mesh, flat, flat); }) == GRAZE_ERR_INVALID_ARGUMENT);
    graze_query query{};
    query.x0[0][0] = INFINITY;
    CHECK(thrown_status([&] { graze::ccd(GRAZE_VF, query); }) == GRAZE_ERR_NOT_FINITE);
    CHECK(graze::ccd(GRAZE_VF, query, {}, code).verdict == GRAZE_UNRESOLVED && code);
    CHECK(thrown_status([&] { graze::truth(GRAZE_VF, query); }) == GRAZE_ERR_NOT_FINITE);
    CHECK(!graze::truth(GRAZE_VF, query, {}, code).hit() && code);
    CHECK(graze::distance(GRAZE_EE, std::vector<position>(2), code).value == 0 && code);
    CHECK(graze::ccd_certificate(GRAZE_VF, query, {}, code).entries.empty() && code);
    graze::context_options little;
    little.memory_limit = 1 << 20;
    graze::context small(little, code);
    CHECK(!code);
    const sheets large(150);
    CHECK(graze::mesh::from_faces(small, large.x0.size(), large.faces, code).faces().empty());
    CHECK(code == graze::error_code(GRAZE_ERR_OUT_OF_MEMORY));
}

TEST(what_a_callback_throws_comes_out_of_the_call) {
    struct mine {};
    const sheets scene;
    const auto throws = [](const std::function<void()> &call) {
        try {
            call();
        } catch (const mine &) {
            return true;
        }
        return false;
    };
    graze::context_options options;
    bool armed = false;
    options.cancel = [&]() -> bool { return armed ? throw mine() : false; };
    graze::context context(options), other;
    graze::mesh mesh = graze::mesh::from_faces(context, scene.x0.size(), scene.faces);
    armed = true;
    CHECK(throws([&] { graze::step(context, mesh, scene.x0, scene.x1); }));
    armed = false;
    CHECK(graze::step(context, mesh, scene.x0, scene.x1).verdict == GRAZE_HIT); // as if nothing had been
    CHECK(throws([&] {
        graze::line_search(context, mesh, scene.x0, scene.x1,
                           [](graze::span<const position>) -> double { throw mine(); });
    }));
    mesh.set_filter([](graze_kind, uint32_t, uint32_t) -> bool { throw mine(); });
    for (graze::context *which : {&context, &other}) {
        CHECK(throws([&] { graze::step(*which, mesh, scene.x0, scene.x1); }));
        CHECK(throws([&] { graze::candidates(*which, mesh, scene.x0, scene.x1); }));
    }
    mesh.set_filter(nullptr);
    CHECK(graze::step(context, mesh, scene.x0, scene.x1).verdict == GRAZE_HIT);
}

#ifdef GRAZE_FAKE_LIBRARY
TEST(back_end_and_device_of_a_context_are_asked_for) {
    const sheets scene;
    setenv("GRAZE_CUDA_LIBRARY", GRAZE_FAKE_LIBRARY, 1);
    setenv("GRAZE_FAKE", "none", 1);
    graze::context_options options;
    options.backend = GRAZE_BACKEND_CUDA;
    options.device = 7;
    graze::context context(options);
    const graze::mesh mesh = graze::mesh::from_faces(context, scene.x0.size(), scene.faces);
    try {
        graze::step(context, mesh, scene.x0, scene.x1);
        CHECK(!"there is no device");
    } catch (const graze::error &error) {
        CHECK_MSG(std::strstr(error.what(), "device 7"), "%s", error.what());
    }
    setenv("GRAZE_FAKE", "ask", 1);
    options.device = 0;
    graze::context other(options);
    CHECK(graze::step(other, mesh, scene.x0, scene.x1).backend == GRAZE_BACKEND_CUDA);
    unsetenv("GRAZE_CUDA_LIBRARY"), unsetenv("GRAZE_FAKE");
}
#endif

TEST(a_parallel_for_of_ones_own_and_a_cancel_are_used) {
    const sheets scene(20);
    std::atomic<std::size_t> pieces{0};
    bool stop = false;
    graze::context_options options;
    options.threads = 4;
    options.parallel_for = [&](std::size_t count, const std::function<void(std::size_t)> &piece) {
        for (std::size_t i = count; i-- > 0; pieces++) piece(i);
    };
    options.cancel = [&] { return stop; };
    std::string said;
    options.log = [&](graze_log_level, const char *line) { said += line; };
    graze::context context(options), plain;
    const graze::mesh mesh = graze::mesh::from_faces(context, scene.x0.size(), scene.faces);
    CHECK(graze::step(context, mesh, scene.x0, scene.x1).toi == graze::step(plain, mesh, scene.x0, scene.x1).toi);
    CHECK(pieces > 0 && !said.empty() && context.threads() == 4);
    stop = true;
    CHECK(graze::step(context, mesh, scene.x0, scene.x1).reason == GRAZE_REASON_CANCELLED);
}

TEST(meshes_and_lists_outlive_their_context_and_nothing_leaks) {
    counting_allocator counting;
    {
        const sheets scene;
        graze::mesh mesh;
        graze::list<graze_pair> pairs;
        graze::step_result found;
        {
            graze::context_options options;
            options.allocator = &counting.c;
            graze::context first(options);
            graze::context context = std::move(first);
            mesh = graze::mesh::from_faces(context, scene.x0.size(), scene.faces);
            pairs = graze::candidates(context, mesh, scene.x0, scene.x1);
            found = graze::step(context, mesh, scene.x0, scene.x1, graze::step_options(GRAZE_STEP_ALL));
            pairs = graze::candidates(context, mesh, scene.x0, scene.x1); // the one before is released
        }
        CHECK(counting.blocks > 0 && !pairs.empty() && !found.pairs.empty() && mesh.edges().size() > 10);
        graze::context another;
        CHECK(graze::ccd_pairs(another, mesh, scene.x0, scene.x1, pairs).size() == pairs.size());
    }
    CHECK_MSG(counting.blocks == 0, "%ld blocks are left", counting.blocks.load());
}

TEST(what_was_moved_from_is_an_error_to_every_call) {
    const sheets scene;
    const std::vector<position> none;
    const std::vector<graze_query> queries = random_queries(3, 1);
    const graze_pair pair = {GRAZE_VF, 0, 0};
    const graze::span<const graze_pair> pairs(&pair, 1);
    graze::context good, from, to = std::move(from);
    graze::mesh whole = graze::mesh::from_faces(good, scene.x0.size(), scene.faces), gone, kept = std::move(gone);
    auto calls_on = [&](graze::context &context, graze::mesh &mesh, const std::vector<position> &x) {
        return std::vector<std::function<void()>>{
            [&] { graze::step(context, mesh, x, x); },
            [&] { graze::step_between(context, mesh, x, x, whole, scene.x0, scene.x1); },
            [&] { graze::step_between(context, whole, scene.x0, scene.x1, mesh, x, x); },
            [&] { graze::step_to(context, mesh, x, x); },
            [&] { graze::candidates(context, mesh, x, x); },
            [&] { graze::active_set(context, mesh, x, x); },
            [&] { graze::start_violations(context, mesh, x); },
            [&] { graze::static_intersections(context, mesh, x); },
            [&] { graze::ccd_pairs(context, mesh, x, x, pairs); },
            [&] { graze::distances(context, mesh, x, pairs); },
            [&] { graze::line_search(context, mesh, x, x, nullptr); },
            [&] { graze::line_search(context, mesh, x, x, [](auto) { return 0.0; }); },
            [&] { graze::mesh::join(context, mesh, whole); },
        };
    };
    auto calls = calls_on(from, whole, scene.x0);
    for (auto &call : calls_on(good, gone, none)) calls.push_back(call);
    for (auto &call : calls_on(good, gone, scene.x0)) calls.push_back(call);
    calls.push_back([&] { graze::ccd_batch(from, GRAZE_VF, queries); });
    calls.push_back([&] { graze::ccd_batch(from, GRAZE_VF, graze::query_arrays(scene.x0, scene.x1)); });
    calls.push_back([&] { graze::mesh::from_faces(from, scene.x0.size(), scene.faces); });
    calls.push_back([&] { graze::mesh::from_parts(from, 3, graze::indices<3>(), graze::indices<2>()); });
    calls.push_back([&] { graze::pair_query(gone, none, none, pair); });
    calls.push_back([&] { graze::pair_stencil(gone, pair, 0, 0); });
    calls.push_back([&] { gone.set_groups({}); });
    calls.push_back([&] { gone.set_thickness({}); });
    calls.push_back([&] { gone.set_filter([](graze_kind, uint32_t, uint32_t) { return true; }); });
    calls.push_back([&] { from.trim(); });
    for (std::size_t i = 0; i < calls.size(); i++)
        CHECK_MSG(thrown_status(calls[i]) == GRAZE_ERR_INVALID_ARGUMENT, "call %zu", i);
    CHECK(from.get() == nullptr && from.threads() == 0 && from.stats().queries == 0);
    from.reset_stats();
    CHECK(gone.vertex_count() == 0 && gone.edges().empty() && gone.faces().empty());
    std::error_code code;
    CHECK(graze::step(from, whole, scene.x0, scene.x1, {}, code).verdict == GRAZE_UNRESOLVED && code);
    from = std::move(to); // they can be assigned again
    gone = std::move(kept);
    CHECK(graze::step(from, whole, scene.x0, scene.x1).verdict == GRAZE_HIT);
    CHECK(graze::step(from, gone, none, none).verdict == GRAZE_CLEAR);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
