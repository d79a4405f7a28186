/* Counts and indices that are signed, as Eigen's are: compiled with every warning of conversions. */
#include <graze/graze.hpp>

#include <array>

using rows_of_three = std::vector<std::array<int, 3>>;
using rows_of_two = std::vector<std::array<int, 2>>;

graze::mesh of_faces(graze::context &context, std::ptrdiff_t rows, const rows_of_three &faces);
graze::mesh of_parts(graze::context &context, std::ptrdiff_t rows, const rows_of_three &faces,
                     const rows_of_two &edges);

graze::mesh of_faces(graze::context &context, std::ptrdiff_t rows, const rows_of_three &faces) {
    return graze::mesh::from_faces(context, rows, faces);
}

graze::mesh of_parts(graze::context &context, std::ptrdiff_t rows, const rows_of_three &faces,
                     const rows_of_two &edges) {
    return graze::mesh::from_parts(context, rows, faces, edges);
}
