#include "cuda/scene/elements.h"

#include <algorithm>
#include <memory>

namespace {

const uint32_t none = UINT32_MAX;

#define AT_ONCE 4096u /* edges or faces that a thread takes at a time */

/* Calls body(i) for each of [0, count), by all threads. */
template <class F> void for_each(const gz_backend_request *request, size_t count, const F &body) {
    auto part = [](void *state, size_t begin, size_t end, uint32_t) {
        for (size_t i = begin; i < end; i++) (*(const F *)state)((uint32_t)i);
    };
    request->functions.parallel(request->host, count, AT_ONCE, part, (void *)&body);
}

/* The edges by their lower vertex, which has few; those of one vertex in any order. */
struct edge_table {
    struct entry {
        uint32_t other, edge;
    };
    std::vector<uint32_t> begin; /* by vertex, and the end */
    std::unique_ptr<entry[]> entries;

    explicit edge_table(const gz_backend_request *request) : begin(request->mesh->vertex_count + (size_t)1, 0) {
        const graze_mesh *mesh = request->mesh;
        entries.reset(new entry[mesh->edge_count]);
        for_each(request, mesh->edge_count, [&](uint32_t e) { count(mesh->edges[e], 1); });
        uint32_t sum = 0;
        for (uint32_t &at : begin) sum += at, at = sum; /* its end, which filling backwards moves to its beginning */
        for_each(request, mesh->edge_count, [&](uint32_t e) {
            const uint32_t *v = mesh->edges[e];
            entries[count(v, UINT32_MAX) - 1] = {std::max(v[0], v[1]), e};
        });
    }

    /* Adds to what there is of its lower vertex, and says how much there was. */
    uint32_t count(const uint32_t *v, uint32_t more) {
        return __atomic_fetch_add(&begin[std::min(v[0], v[1])], more, __ATOMIC_RELAXED);
    }

    /* An edge that joins the two, or none. */
    uint32_t find(uint32_t i, uint32_t j) const {
        uint32_t low = std::min(i, j), high = std::max(i, j);
        for (uint32_t at = begin[low]; at < begin[low + (size_t)1]; at++)
            if (entries[at].other == high) return entries[at].edge;
        return none;
    }
};

#define SIDES_OWNED 2 /* by an element, at most */

/* An element with another corner first, or its corners the other way round. */
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

/* Turns an element so that what it owns comes first: two sides share a corner, and one of a side's ends or the corner
   across is the vertex. */
gz_element arranged(const gz_element &element) {
    for (int first = 0; first < 3; first++)
        for (bool back : {false, true}) {
            gz_element t = turned(element, first, back);
            if (!(t.flags & (uint32_t)(GZ_OWNS_VERTEX | GZ_OWNS_EDGE) << 2)) return t;
        }
    return element; /* not reached: it owns one vertex and two sides at most */
}

/* Of an edge: a face that might have owned it left it to another; codimensional ones are owned by no face. */
enum edge_state { EDGE_FREE, EDGE_LEFT, EDGE_OWNED, EDGE_CODIMENSIONAL };

struct builder {
    const gz_backend_request *request;
    const graze_mesh *mesh;
    const edge_table edges;
    std::vector<gz_element> elements;
    std::vector<uint8_t> owned;    /* by vertex */
    std::vector<uint8_t> state_of; /* by edge: an edge_state */

    explicit builder(const gz_backend_request *r)
        : request(r), mesh(r->mesh), edges(r), owned(mesh->vertex_count, 0), state_of(mesh->edge_count, EDGE_FREE) {
        elements.reserve(mesh->face_count + mesh->face_count / 16 + mesh->codim_edge_count + mesh->codim_point_count);
        elements.resize(mesh->face_count);
        for (uint32_t i = 0; i < mesh->codim_edge_count; i++) state_of[mesh->codim_edges[i]] = EDGE_CODIMENSIONAL;
    }

    /* The first corner that nobody owns. */
    void own_corner(gz_element *element, int corners) {
        for (int i = 0; i < corners; i++) {
            uint8_t *taken = &owned[element->corner[i]];
            if (__atomic_load_n(taken, __ATOMIC_RELAXED) || __atomic_exchange_n(taken, 1, __ATOMIC_RELAXED)) continue;
            element->flags |= (uint32_t)GZ_OWNS_VERTEX << i;
            return;
        }
    }

    /* Brings an edge from one state to another; false where it was not in it. */
    bool change(uint32_t e, uint8_t from, uint8_t to) {
        uint8_t *state = &state_of[e];
        return __atomic_load_n(state, __ATOMIC_RELAXED) == from &&
               __atomic_compare_exchange_n(state, &from, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
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
            if (e == none || !change(e, state, EDGE_OWNED)) continue;
            element->flags |= (uint32_t)GZ_OWNS_EDGE << side;
            ++*count;
        }
    }

    /* Takes first what another face has left: nobody else may be there to take it. Several threads may ask for one edge
       or vertex, and any of them may have it. */
    gz_element share_of(gz_element element) {
        unsigned count = 0;
        own_corner(&element, 3);
        own_sides(&element, EDGE_LEFT, &count);
        own_sides(&element, EDGE_FREE, &count);
        for (int side = 0; side < 3; side++) {
            uint32_t &e = element.edges[side];
            if (element.flags & (uint32_t)GZ_OWNS_EDGE << side) continue;
            if (e != none) change(e, EDGE_FREE, EDGE_LEFT);
            e = none;
        }
        return element;
    }

    void add_faces() {
        for_each(request, mesh->face_count, [this](uint32_t f) { elements[f] = arranged(share_of(read_face(f))); });
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
