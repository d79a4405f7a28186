#include "cuda/elements.h"

#include <unordered_map>

namespace {

const uint32_t none = UINT32_MAX;

uint64_t key_of(uint32_t i, uint32_t j) { return i < j ? (uint64_t)i << 32 | j : (uint64_t)j << 32 | i; }

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
        std::unordered_map<uint64_t, uint32_t> sides; /* face · 4 + side */
        sides.reserve(3 * (size_t)mesh->face_count);
        for (uint32_t f = 0; f < mesh->face_count; f++)
            for (uint32_t side = 0; side < 3; side++)
                sides.emplace(key_of(mesh->faces[f][side], mesh->faces[f][(side + 1) % 3]), 4 * f + side);
        std::vector<uint8_t> codimensional(mesh->edge_count, 0);
        for (uint32_t i = 0; i < mesh->codim_edge_count; i++) codimensional[mesh->codim_edges[i]] = 1;
        for (uint32_t e = 0; e < mesh->edge_count; e++) {
            const uint32_t *v = mesh->edges[e];
            auto side = sides.find(key_of(v[0], v[1]));
            if (side != sides.end() && !codimensional[e] &&
                elements[side->second / 4].edges[side->second % 4] == none) {
                elements[side->second / 4].edges[side->second % 4] = e;
                elements[side->second / 4].flags |= (uint32_t)GZ_OWNS_EDGE << side->second % 4;
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
