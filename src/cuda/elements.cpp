#include "cuda/elements.h"

#include <algorithm>

namespace {

const uint32_t none = UINT32_MAX;

/* The sides of all faces, by their lower vertex: it has few. */
struct side_table {
    struct entry {
        uint32_t other, face, side;
    };
    std::vector<size_t> begin; /* by vertex, and the end */
    std::vector<entry> entries;

    explicit side_table(const graze_mesh *mesh)
        : begin(mesh->vertex_count + (size_t)1, 0), entries(3 * (size_t)mesh->face_count) {
        for (uint32_t f = 0; f < mesh->face_count; f++)
            for (uint32_t side = 0; side < 3; side++) begin[lower(mesh->faces[f], side)]++;
        size_t sum = 0;
        for (size_t &at : begin) sum += at, at = sum; /* its end, which filling backwards moves to its beginning */
        for (uint32_t f = mesh->face_count; f-- > 0;)
            for (uint32_t side = 3; side-- > 0;) {
                const uint32_t *v = mesh->faces[f];
                entries[--begin[lower(v, side)]] = {std::max(v[side], v[(side + 1) % 3]), f, side};
            }
    }

    static uint32_t lower(const uint32_t *face, uint32_t side) { return std::min(face[side], face[(side + 1) % 3]); }

    /* face · 4 + side of the first that joins them; `none` when no face does. */
    uint64_t find(uint32_t i, uint32_t j) const {
        uint32_t low = std::min(i, j), high = std::max(i, j);
        for (size_t at = begin[low]; at < begin[low + (size_t)1]; at++)
            if (entries[at].other == high) return 4 * (uint64_t)entries[at].face + entries[at].side;
        return none;
    }
};

struct builder {
    const graze_mesh *mesh;
    std::vector<gz_element> elements;
    std::vector<uint8_t> owned; /* by vertex */

    void own_corners(gz_element *element, int corners) {
        for (int i = 0; i < corners; i++) {
            uint32_t vertex = element->corner[i];
            if (owned[vertex]) continue;
            owned[vertex] = 1;
            element->flags |= (uint32_t)GZ_OWNS_VERTEX << i;
        }
    }

    void add_faces() {
        for (uint32_t f = 0; f < mesh->face_count; f++) {
            const uint32_t *v = mesh->faces[f];
            gz_element element = {{v[0], v[1], v[2]}, {none, none, none}, f, GZ_IS_FACE};
            own_corners(&element, 3);
            elements.push_back(element);
        }
    }

    /* The first face that has a side owns its edge; an edge listed twice, or of no face, is an element of its own. */
    void add_edges() {
        side_table sides(mesh);
        std::vector<uint8_t> codimensional(mesh->edge_count, 0);
        for (uint32_t i = 0; i < mesh->codim_edge_count; i++) codimensional[mesh->codim_edges[i]] = 1;
        for (uint32_t e = 0; e < mesh->edge_count; e++) {
            const uint32_t *v = mesh->edges[e];
            uint64_t side = sides.find(v[0], v[1]);
            if (side != none && !codimensional[e] && elements[side / 4].edges[side % 4] == none) {
                elements[side / 4].edges[side % 4] = e;
                elements[side / 4].flags |= (uint32_t)GZ_OWNS_EDGE << side % 4;
                continue;
            }
            uint32_t flags = GZ_OWNS_EDGE | (codimensional[e] ? (uint32_t)GZ_IS_CODIM_EDGE : 0);
            gz_element element = {{v[0], v[1], v[1]}, {e, none, none}, none, flags};
            own_corners(&element, 2);
            elements.push_back(element);
        }
    }

    void add_points() {
        std::vector<uint8_t> codimensional(mesh->vertex_count, 0);
        for (uint32_t i = 0; i < mesh->codim_point_count; i++) codimensional[mesh->codim_points[i]] = 1;
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            if (owned[v] && !codimensional[v]) continue;
            uint32_t flags =
                (codimensional[v] ? (uint32_t)GZ_IS_CODIM_POINT : 0) | (owned[v] ? 0 : (uint32_t)GZ_OWNS_VERTEX);
            elements.push_back({{v, v, v}, {none, none, none}, none, flags});
        }
    }
};

} // namespace

std::vector<gz_element> gz_elements_of(const graze_mesh *mesh) {
    builder b = {mesh, {}, std::vector<uint8_t>(mesh->vertex_count, 0)};
    b.add_faces();
    b.add_edges();
    b.add_points();
    return b.elements;
}
