/* Matrices of Eigen, in both storage orders: what graze::points says of them holds. */
#include "scene.hpp"

#include <Eigen/Core>

namespace {

using row_major = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;

Eigen::MatrixXd columns_of(const std::vector<position> &x) {
    Eigen::MatrixXd made(x.size(), 3);
    for (Eigen::Index i = 0; i < made.rows(); i++)
        for (int c = 0; c < 3; c++) made(i, c) = x[static_cast<std::size_t>(i)][static_cast<std::size_t>(c)];
    return made;
}

Eigen::MatrixXi faces_of(const sheets &scene) {
    Eigen::MatrixXi made(scene.faces.size(), 3);
    for (Eigen::Index i = 0; i < made.rows(); i++)
        for (int c = 0; c < 3; c++)
            made(i, c) = static_cast<int>(scene.faces[static_cast<std::size_t>(i)][static_cast<std::size_t>(c)]);
    return made;
}

} // namespace

TEST(matrices_of_both_orders_maps_refs_and_blocks_give_one_answer) {
    const sheets scene;
    graze::context context;
    const Eigen::MatrixXi faces = faces_of(scene);
    const Eigen::Matrix<int, Eigen::Dynamic, 3, Eigen::RowMajor> faces_by_rows = faces;
    const graze::mesh mesh = graze::mesh::from_faces(context, scene.x0.size(), faces);
    CHECK(graze::mesh::from_faces(context, scene.x0.size(), faces_by_rows).edges().size() == mesh.edges().size());
    const double toi = graze::step(context, mesh, scene.x0, scene.x1).toi;
    CHECK(toi > 0 && toi < 1);

    const Eigen::MatrixXd v0 = columns_of(scene.x0), v1 = columns_of(scene.x1);
    const row_major r0 = v0, r1 = v1;
    const Eigen::Matrix3Xd c0 = v0.transpose(), c1 = v1.transpose();
    CHECK(graze::step(context, mesh, v0, v1).toi == toi);
    CHECK(graze::step(context, mesh, r0, r1).toi == toi);
    CHECK(graze::step(context, mesh, c0, c1).toi == toi);
    CHECK(graze::step(context, mesh, v0, r1).toi == toi);
    const Eigen::Map<const row_major> map(r0.data(), r0.rows(), 3);
    const Eigen::Ref<const Eigen::MatrixXd> ref = v1;
    CHECK(graze::step(context, mesh, map, ref).toi == toi);
    Eigen::MatrixXd wide(v0.rows(), 7);
    wide.middleCols(2, 3) = v0;
    CHECK(graze::step(context, mesh, wide.middleCols(2, 3), v1).toi == toi);
    std::vector<Eigen::Vector3d> vectors(scene.x0.size());
    for (std::size_t i = 0; i < vectors.size(); i++) vectors[i] = v0.row(static_cast<Eigen::Index>(i));
    CHECK(graze::step(context, mesh, vectors, v1).toi == toi);

    CHECK(graze::points(v0).copied() && !graze::points(r0).copied() && !graze::points(c0).copied());
    CHECK(!graze::points(map).copied() && !graze::points(vectors).copied());
    using sliding = Eigen::Map<const row_major, 0, Eigen::OuterStride<>>; // rows that share numbers
    const sliding overlapping(r0.data(), 3, 3, Eigen::OuterStride<>(1));
    CHECK(graze::points(overlapping).copied() && graze::points(overlapping)[2][0] == r0(0, 2));
}

TEST(queries_and_batches_take_matrices) {
    graze::context context;
    const std::vector<graze_query> queries = random_queries(100, 9);
    Eigen::MatrixXd x0(400, 3), x1(400, 3);
    for (Eigen::Index i = 0; i < 400; i++)
        for (int c = 0; c < 3; c++) {
            x0(i, c) = queries[static_cast<std::size_t>(i / 4)].x0[i % 4][c];
            x1(i, c) = queries[static_cast<std::size_t>(i / 4)].x1[i % 4][c];
        }
    const row_major r0 = x0, r1 = x1;
    const auto by_columns = graze::ccd_batch(context, GRAZE_EE, graze::query_arrays(x0, x1));
    const auto by_rows = graze::ccd_batch(context, GRAZE_EE, graze::query_arrays(r0, r1));
    for (std::size_t i = 0; i < queries.size(); i++) {
        const graze_result expected = graze::ccd(GRAZE_EE, queries[i]);
        CHECK_QUERY(same_result(by_columns[i], expected) && same_result(by_rows[i], expected), GRAZE_EE, &queries[i]);
        const auto row = static_cast<Eigen::Index>(4 * i);
        const graze_query query = graze::make_query(GRAZE_EE, x0.middleRows(row, 4), r1.middleRows(row, 4));
        CHECK_QUERY(same_result(graze::ccd(GRAZE_EE, query), expected), GRAZE_EE, &queries[i]);
        CHECK(graze::distance(GRAZE_EE, x0.middleRows(row, 4)).value == graze::distance(GRAZE_EE, queries[i].x0).value);
    }
}

TEST(positions_are_written_into_matrices_of_both_orders) {
    const sheets scene;
    Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(scene.x0.size()), 3);
    row_major rows = columns;
    Eigen::Matrix3Xd transposed = columns.transpose();
    graze::write(scene.x0, columns);
    graze::write(scene.x0, rows);
    graze::write(scene.x0, transposed);
    CHECK(columns == columns_of(scene.x0) && rows == columns && transposed.transpose() == columns);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
