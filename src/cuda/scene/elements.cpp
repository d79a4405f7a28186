#include "cuda/scene/elements.h"

#include <algorithm>
#include <memory>

namespace {

const uint32_t none = UINT32_MAX;

/* The edges by their lower vertex, which has few. */
struct edge_table {
    struct entry {
        uint32_t other, edge;
    };
    std::vector<uint32_t> begin; /* by vertex, and the end */
    std::unique_ptr<entry[]> entries;

    explicit edge_table(const graze_mesh *mesh) : begin(mesh->vertex_count + (size_t)1, 0) {
        entries.reset(new entry[mesh->edge_count]);
        for (uint32_t e = 0; e < mesh->edge_count; e++) begin[lower(mesh->edges[e])]++;
        uint32_t sum = 0;
        for (uint32_t &at : begin) sum += at, at = sum; /* its end, which filling backwards moves to its beginning */
        for (uint32_t e = mesh->edge_count; e-- > 0;) {
            const uint32_t *v = mesh->edges[e];
            entries[--begin[lower(v)]] = {std::max(v[0], v[1]), e};
        }
    }

    static uint32_t lower(const uint32_t *v) { return std::min(v[0], v[1]); }

    /* The first edge that joins the two, or none. */
    uint32_t find(uint32_t i, uint32_t j) const {
        uint32_t low = std::min(i, j), high = std::max(i, j);
        for (uint32_t at = begin[low]; at < begin[low + (size_t)1]; at++)
            if (entries[at].other == high) return entries[at].edge;
        return none;
    }
};

#define SIDES_OWNED 2       /* by an element, at most */
#define FACES_AT_ONCE 4096u /* that a thread takes at a time */

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

/* Of an edge: a face that might have owned it left it to another; codimensional ones are owned by no face. */
enum edge_state : uint8_t { EDGE_FREE, EDGE_LEFT, EDGE_OWNED, EDGE_CODIMENSIONAL };

struct builder {
    const gz_backend_request *request;
    const graze_mesh *mesh;
    const edge_table edges;
    std::vector<gz_element> elements;
    std::vector<uint8_t> owned;       /* by vertex */
    std::vector<edge_state> state_of; /* by edge */

    explicit builder(const gz_backend_request *r)
        : request(r), mesh(r->mesh), edges(mesh), owned(mesh->vertex_count, 0), state_of(mesh->edge_count, EDGE_FREE) {
        elements.reserve(mesh->face_count + mesh->face_count / 16 + mesh->codim_edge_count + mesh->codim_point_count);
        elements.resize(mesh->face_count);
        for (uint32_t i = 0; i < mesh->codim_edge_count; i++) state_of[mesh->codim_edges[i]] = EDGE_CODIMENSIONAL;
    }

    /* Calls body(begin, end) for parts of the faces, by all threads. */
    template <class F> void for_faces(const F &body) {
        auto call = [](void *state, size_t begin, size_t end, uint32_t) { (*(const F *)state)(begin, end); };
        request->functions.parallel(request->host, mesh->face_count, FACES_AT_ONCE, call, (void *)&body);
    }

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

    /* With the edges of all of its sides. */
    gz_element read_face(uint32_t f) const {
        const uint32_t *v = mesh->faces[f];
        return {{v[0], v[1], v[2]},
                {edges.find(v[0], v[1]), edges.find(v[1], v[2]), edges.find(v[2], v[0])},
                f,
                GZ_IS_FACE};
    }

    /* Takes sides that are in a state, as many as it may own. */
    void own_sides(gz_element *element, edge_state state, unsigned *count) {
        for (int side = 0; side < 3 && *count < SIDES_OWNED; side++) {
            uint32_t e = element->edges[side];
            if (e == none || state_of[e] != state) continue;
            state_of[e] = EDGE_OWNED;
            element->flags |= (uint32_t)GZ_OWNS_EDGE << side;
            ++*count;
        }
    }

    /* Those that another face has left come first: nobody else may be there to take them. */
    void share_out() {
        for (gz_element &element : elements) {
            unsigned count = 0;
            own_corner(&element, 3);
            own_sides(&element, EDGE_LEFT, &count);
            own_sides(&element, EDGE_FREE, &count);
            for (int side = 0; side < 3; side++) {
                uint32_t &e = element.edges[side];
                if (element.flags & (uint32_t)GZ_OWNS_EDGE << side) continue;
                if (e != none && state_of[e] == EDGE_FREE) state_of[e] = EDGE_LEFT;
                e = none;
            }
        }
    }

    void add_faces() {
        for_faces([this](size_t begin, size_t end) {
            for (size_t f = begin; f < end; f++) elements[f] = read_face((uint32_t)f);
        });
        share_out();
        for_faces([this](size_t begin, size_t end) {
            for (size_t f = begin; f < end; f++) elements[f] = arranged(elements[f]);
        });
    }

    void add_edge(uint32_t e, uint32_t flags) {
        const uint32_t *v = mesh->edges[e];
        gz_element element = {{v[0], v[1], v[1]}, {e, none, none}, none, GZ_OWNS_EDGE | flags};
        own_corner(&element, 2);
        elements.push_back(element);
    }

    /* An edge that no face owns is an element of its own. */
    void add_edges() {
        for (uint32_t e = 0; e < mesh->edge_count; e++)
            if (state_of[e] != EDGE_OWNED) add_edge(e, state_of[e] == EDGE_CODIMENSIONAL ? GZ_IS_CODIM_EDGE : 0);
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

std::vector<gz_element> gz_elements_of(const gz_backend_request *request) {
    builder b(request);
    b.add_faces();
    b.add_edges();
    b.add_points();
    return std::move(b.elements);
}
