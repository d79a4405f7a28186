#include "cuda/scene/scene.cuh"

#include <atomic>

template <class T>
static bool upload(gz_device_scene &s, gz_device_array<T> &to, const void *from, size_t count, gz_device_error &error) {
    return to.reserve(count ? count : 1, error) &&
           error.note(cudaMemcpyAsync(to.items, from, count * sizeof(T), cudaMemcpyHostToDevice, s.stream), "upload");
}

bool gz_device_scene_may_have(const gz_device_scene &s, const gz_backend_request *r) {
    const graze_mesh *mesh = r->mesh;
    if (s.serial || r->worlds) return s.resident && r->worlds && s.serial == r->worlds->serial;
    return s.resident && (s.whole || r->only) && s.vertex_count == mesh->vertex_count &&
           s.known_faces.size() == 3 * (size_t)mesh->face_count &&
           s.known_edges.size() == 2 * (size_t)mesh->edge_count && s.has_groups == (mesh->groups != NULL) &&
           s.has_thickness == (mesh->thickness != NULL);
}

#define COMPARE_CHUNK (1u << 18) /* bytes that a thread compares at a time */

struct comparison {
    const char *known, *given;
    std::atomic<bool> differs;
};

static void compare_bytes(void *state, size_t begin, size_t end, uint32_t worker) {
    comparison *c = (comparison *)state;
    (void)worker;
    if (!c->differs && memcmp(c->known + begin, c->given + begin, end - begin) != 0) c->differs = true;
}

template <class T>
static bool same_list(const gz_backend_request *request, const std::vector<T> &known, const void *list, size_t count) {
    if (!list) count = 0;
    if (known.size() != count) return false;
    comparison c = {(const char *)known.data(), (const char *)list, {false}};
    if (count) request->functions.parallel(request->host, count * sizeof(T), COMPARE_CHUNK, compare_bytes, &c);
    return !c.differs;
}

template <class T> static void keep_list(std::vector<T> &known, const void *list, size_t count) {
    const T *items = (const T *)list;
    known.assign(items, items + (list ? count : 0));
}

/* The number of entries in the table of groups that may touch. */
static size_t group_pair_count(const graze_mesh *mesh) {
    return mesh->group_pairs ? (size_t)mesh->group_count * mesh->group_count : 0;
}

bool gz_device_scene_has(const gz_device_scene &s, const gz_backend_request *r) {
    const graze_mesh *mesh = r->mesh;
    if (r->worlds) return gz_device_scene_may_have(s, r);
    return gz_device_scene_may_have(s, r) && s.known_group_count == mesh->group_count &&
           s.known_skip_same == mesh->skip_same_group &&
           same_list(r, s.known_faces, mesh->faces, 3 * (size_t)mesh->face_count) &&
           same_list(r, s.known_edges, mesh->edges, 2 * (size_t)mesh->edge_count) &&
           same_list(r, s.known_codim_edges, mesh->codim_edges, mesh->codim_edge_count) &&
           same_list(r, s.known_codim_points, mesh->codim_points, mesh->codim_point_count) &&
           same_list(r, s.known_groups, mesh->groups, mesh->vertex_count) &&
           same_list(r, s.known_group_pairs, mesh->group_pairs, group_pair_count(mesh)) &&
           same_list(r, s.known_thickness, mesh->thickness, mesh->vertex_count);
}

/* Those of many worlds are known by their serial. */
static void keep_lists(gz_device_scene &s, const graze_mesh *mesh, const gz_backend_worlds *worlds) {
    const graze_mesh none = {};
    s.serial = worlds ? worlds->serial : 0;
    s.world_count = worlds ? worlds->count : 0;
    s.resident = true;
    if (worlds) mesh = &none;
    keep_list(s.known_faces, mesh->faces, 3 * (size_t)mesh->face_count);
    keep_list(s.known_edges, mesh->edges, 2 * (size_t)mesh->edge_count);
    keep_list(s.known_codim_edges, mesh->codim_edges, mesh->codim_edge_count);
    keep_list(s.known_codim_points, mesh->codim_points, mesh->codim_point_count);
    keep_list(s.known_groups, mesh->groups, mesh->vertex_count);
    keep_list(s.known_group_pairs, mesh->group_pairs, group_pair_count(mesh));
    keep_list(s.known_thickness, mesh->thickness, mesh->vertex_count);
    s.known_group_count = mesh->group_count;
    s.known_skip_same = mesh->skip_same_group;
}

/* World and group of each vertex in one number. */
static bool upload_worlds(gz_device_scene &s, const gz_backend_request *request, gz_device_error &error) {
    const gz_backend_worlds *worlds = request->worlds;
    const graze_mesh *mesh = request->mesh;
    std::vector<uint32_t> numbers(mesh->vertex_count);
    for (uint32_t w = 0; w < worlds->count; w++)
        for (uint32_t v = worlds->first[w]; v < worlds->first[w + 1]; v++)
            numbers[v] = w * mesh->group_count + mesh->groups[v];
    return upload(s, s.vertex_groups, numbers.data(), numbers.size(), error) &&
           error.note(cudaStreamSynchronize(s.stream), "upload");
}

bool gz_device_scene_load_mesh(gz_device_scene &s, const gz_backend_request *request, gz_device_error &error) {
    const graze_mesh *mesh = request->mesh;
    s.resident = s.ordered = false;
    s.serial = 0;
    s.gathered = false;
    std::vector<gz_element> elements = gz_elements_of(request);
    if (elements.size() > GZ_MOST_ELEMENTS)
        return error.note(cudaErrorInvalidValue, "a mesh of more than 2^27 elements");
    s.vertex_count = mesh->vertex_count;
    s.edge_count = mesh->edge_count;
    s.face_count = mesh->face_count;
    s.element_count = (uint32_t)elements.size();
    s.has_groups = mesh->groups != NULL;
    s.has_thickness = mesh->thickness != NULL;
    size_t groups = group_pair_count(mesh);
    if (!upload(s, s.faces, mesh->faces, 3 * (size_t)mesh->face_count, error) ||
        !upload(s, s.edges, mesh->edges, 2 * (size_t)mesh->edge_count, error) ||
        !upload(s, s.elements, elements.data(), elements.size(), error) ||
        !upload(s, s.vertex_groups, mesh->groups, s.has_groups ? mesh->vertex_count : 0, error) ||
        !upload(s, s.thickness, mesh->thickness, s.has_thickness ? mesh->vertex_count : 0, error) ||
        !upload(s, s.group_pairs, mesh->group_pairs, groups, error))
        return false;
    if (request->worlds && !upload_worlds(s, request, error)) return false;
    s.groups.worlds = request->worlds != NULL;
    s.groups.pairs = groups && s.has_groups ? s.group_pairs.items : NULL;
    s.groups.count = mesh->group_count;
    s.groups.skip_same = s.has_groups && mesh->skip_same_group;
    /* `elements` is gone after this */
    if (!error.note(cudaStreamSynchronize(s.stream), "upload")) return false;
    keep_lists(s, mesh, request->worlds);
    return true;
}

gz_pair_coder gz_device_scene_coder(const gz_device_scene &s) {
    uint32_t most = s.vertex_count, bits = 1;
    if (s.edge_count > most) most = s.edge_count;
    if (s.face_count > most) most = s.face_count;
    while (bits < 31 && most >> bits) bits++;
    return {bits};
}

void gz_device_scene_release(gz_device_scene &s) {
    s.faces.release(), s.edges.release(), s.vertex_groups.release(), s.group_pairs.release(), s.thickness.release();
    s.world_keys.release(), s.world_ends.release(), s.walk_ends.release(), s.host_pieces.release(), s.pieces.release();
    s.elements.release(), s.sorted.release(), s.x0.release(), s.x1.release(), s.staged.release(), s.ends.release(),
        s.boxes.release(), s.far.release();
    s.keys.release(), s.ids.release(), s.sort_bytes.release(), s.extent.release(), s.packets.release(),
        s.tops.release();
    s.element_pairs.release(), s.walks_left.release(), s.host_extent.release(), s.host_motion.release();
    if (s.given) cudaEventDestroy(s.given);
    for (int kind = 0; kind < 4; kind++) s.pairs[kind].release();
}
