#include "cuda/scene/elements.h"

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

    /* Calls f(face, side) for each side that joins them. */
    template <class F> void each(uint32_t i, uint32_t j, const F &f) const {
        uint32_t low = std::min(i, j), high = std::max(i, j);
        for (size_t at = begin[low]; at < begin[low + (size_t)1]; at++)
            if (entries[at].other == high) f(entries[at].face, entries[at].side);
    }
};

#define SIDES_OWNED 2 /* by an element, at most */

unsigned sides_owned(const gz_element &element) {
    unsigned count = 0;
    for (int side = 0; side < 3; side++) count += (element.flags & (uint32_t)GZ_OWNS_EDGE << side) != 0;
    return count;
}

/* The same element with another corner first, or its corners the other way round. */
gz_element turned(const gz_element &element, int first, bool back) {
    gz_element t = {{0, 0, 0}, {none, none, none}, element.face, GZ_IS_FACE};
    for (int i = 0; i < 3; i++) {
        int corner = (first + (back ? 3 - i : i)) % 3, side = (first + (back ? 5 - i : i)) % 3;
        t.corner[i] = element.corner[corner];
        t.edges[i] = element.edges[side];
        if (element.flags & (uint32_t)GZ_OWNS_VERTEX << corner) t.flags |= (uint32_t)GZ_OWNS_VERTEX << i;
        if (element.flags & (uint32_t)GZ_OWNS_EDGE << side) t.flags |= (uint32_t)GZ_OWNS_EDGE << i;
    }
    return t;
}

/* What it owns comes first: two sides share a corner, and one of a side's ends or the corner across is the vertex. */
gz_element arranged(const gz_element &element) {
    for (int first = 0; first < 3; first++)
        for (bool back : {false, true}) {
            gz_element t = turned(element, first, back);
            if (!(t.flags & (uint32_t)(GZ_OWNS_VERTEX | GZ_OWNS_EDGE) << 2)) return t;
        }
    return element; /* not reached: it owns one vertex and two sides at most */
}

struct builder {
    const graze_mesh *mesh;
    std::vector<gz_element> elements;
    std::vector<uint8_t> owned; /* by vertex */

    /* The first corner that nobody owns. */
    void own_corner(gz_element *element, int corners) {
        for (int i = 0; i < corners; i++) {
            uint32_t vertex = element->corner[i];
            if (owned[vertex]) continue;
            owned[vertex] = 1;
            element->flags |= (uint32_t)GZ_OWNS_VERTEX << i;
            return;
        }
    }

    void add_faces() {
        for (uint32_t f = 0; f < mesh->face_count; f++) {
            const uint32_t *v = mesh->faces[f];
            gz_element element = {{v[0], v[1], v[2]}, {none, none, none}, f, GZ_IS_FACE};
            own_corner(&element, 3);
            elements.push_back(element);
        }
    }

    /* Of the faces that join its ends and may own the edge, the one that owns fewest owns it. */
    bool give_to_face(const side_table &sides, uint32_t e) {
        gz_element *least = NULL;
        uint32_t at = 0;
        sides.each(mesh->edges[e][0], mesh->edges[e][1], [&](uint32_t face, uint32_t side) {
            gz_element *element = &elements[face];
            if (element->edges[side] != none || sides_owned(*element) == SIDES_OWNED) return;
            if (!least || sides_owned(*element) < sides_owned(*least)) least = element, at = side;
        });
        if (!least) return false;
        least->edges[at] = e;
        least->flags |= (uint32_t)GZ_OWNS_EDGE << at;
        return true;
    }

    /* An edge that no face may own is an element of its own. */
    void add_edges() {
        side_table sides(mesh);
        std::vector<uint8_t> codimensional(mesh->edge_count, 0);
        for (uint32_t i = 0; i < mesh->codim_edge_count; i++) codimensional[mesh->codim_edges[i]] = 1;
        for (uint32_t e = 0; e < mesh->edge_count; e++) {
            const uint32_t *v = mesh->edges[e];
            if (!codimensional[e] && give_to_face(sides, e)) continue;
            uint32_t flags = GZ_OWNS_EDGE | (codimensional[e] ? (uint32_t)GZ_IS_CODIM_EDGE : 0);
            gz_element element = {{v[0], v[1], v[1]}, {e, none, none}, none, flags};
            own_corner(&element, 2);
            elements.push_back(element);
        }
        for (uint32_t f = 0; f < mesh->face_count; f++) elements[f] = arranged(elements[f]);
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
