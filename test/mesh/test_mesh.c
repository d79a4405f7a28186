/* Meshes: edges from faces, and what is not a mesh. */
#include "check.h"

#include "mesh/mesh.h"

static int by_j_then_i(const void *x, const void *y) {
    const uint32_t *p = x, *q = y;
    if (p[1] != q[1]) return p[1] < q[1] ? -1 : 1;
    return p[0] < q[0] ? -1 : p[0] > q[0];
}

/* Sides sorted by the C library, repeats removed: another way to the same list. */
static size_t plain_edges(const uint32_t (*faces)[3], uint32_t count, uint32_t (*edges)[2]) {
    size_t n = 0;
    for (uint32_t f = 0; f < count; f++)
        for (int k = 0; k < 3; k++) {
            uint32_t i = faces[f][k], j = faces[f][(k + 1) % 3];
            if (i == j) continue;
            edges[n][0] = i < j ? i : j;
            edges[n++][1] = i < j ? j : i;
        }
    qsort(edges, n, sizeof *edges, by_j_then_i);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (!kept || by_j_then_i(edges[kept - 1], edges[i])) memmove(edges[kept++], edges[i], sizeof *edges);
    return kept;
}

TEST(edges_are_the_unique_sides_sorted_by_j_then_i) {
    static uint32_t faces[500][3], edges[1500][2];
    test_random random = {1};
    for (int round = 0; round < 50; round++) {
        uint32_t vertices = 1 + (uint32_t)test_random_below(&random, round < 25 ? 8 : 300);
        uint32_t count = (uint32_t)test_random_below(&random, 500);
        for (uint32_t f = 0; f < count; f++) /* with repeated and degenerate faces */
            for (int k = 0; k < 3; k++) faces[f][k] = (uint32_t)test_random_below(&random, vertices);
        graze_mesh mesh = graze_default_mesh();
        CHECK(graze_mesh_from_faces(NULL, vertices, (const uint32_t(*)[3])faces, count, &mesh) == GRAZE_OK);
        size_t expected = plain_edges((const uint32_t(*)[3])faces, count, edges);
        CHECK(mesh.edge_count == expected);
        CHECK(mesh.face_count == count && (const void *)mesh.faces == (const void *)faces);
        CHECK(mesh.edge_count != expected || memcmp(mesh.edges, edges, expected * sizeof *edges) == 0);
        graze_mesh_release(NULL, &mesh);
        CHECK(mesh.edges == NULL && mesh.edge_count == 0);
    }
}

TEST(a_face_that_names_no_vertex_is_refused_and_named) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    uint32_t faces[3][3] = {{0, 1, 2}, {0, 3, 1}, {9, 9, 9}};
    graze_mesh mesh = graze_default_mesh();
    graze_error error;
    CHECK(graze_mesh_from_faces(context, 3, (const uint32_t(*)[3])faces, 3, &mesh) == GRAZE_ERR_BAD_INDEX);
    CHECK(mesh.face_count == 0 && mesh.edges == NULL);
    graze_context_last_error(context, &error);
    CHECK(error.index == 1 && strstr(error.message, "face 1") && strstr(error.message, "vertex 3"));
    CHECK(graze_mesh_from_faces(context, 3, NULL, 3, &mesh) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_mesh_from_faces(context, 3, NULL, 0, NULL) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_mesh_from_faces(context, 0, NULL, 0, &mesh) == GRAZE_OK && mesh.edge_count == 0);
    graze_mesh_release(context, &mesh);
    graze_mesh_release(context, NULL);
    graze_context_destroy(context);
}

typedef struct failing {
    int left; /* allocations that still work */
} failing;

static void *failing_allocate(void *user, size_t size, size_t alignment) {
    failing *state = user;
    if (state->left-- <= 0) return NULL;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void failing_release(void *user, void *block, size_t size) {
    (void)user, (void)size;
    free(block);
}

TEST(from_faces_survives_failure_of_every_allocation) {
    uint32_t faces[2][3] = {{0, 1, 2}, {1, 2, 3}};
    failing state = {1000};
    graze_context_options options = graze_default_context_options();
    options.allocator = (graze_allocator){failing_allocate, failing_release, &state};
    graze_context *context;
    CHECK(graze_context_create(&options, &context) == GRAZE_OK);
    graze_status status = GRAZE_ERR_OUT_OF_MEMORY;
    int tries = 0;
    for (; status == GRAZE_ERR_OUT_OF_MEMORY && tries < 20; tries++) {
        graze_mesh mesh = graze_default_mesh();
        state.left = tries;
        status = graze_mesh_from_faces(context, 4, (const uint32_t(*)[3])faces, 2, &mesh);
        CHECK(status == GRAZE_OK || mesh.edges == NULL);
        graze_mesh_release(context, &mesh);
    }
    CHECK(status == GRAZE_OK && tries > 3);
    graze_context_destroy(context);
}

/* Two triangles and an isolated vertex; each test below spoils one thing. */
typedef struct small_mesh {
    uint32_t faces[2][3], edges[6][2], groups[7], codim_edges[1], codim_points[1];
    double thickness[7];
    uint8_t group_pairs[4];
    graze_mesh mesh;
} small_mesh;

static void make_small(small_mesh *s) {
    *s = (small_mesh){
        .faces = {{0, 1, 2}, {3, 4, 5}},
        .edges = {{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5}, {4, 5}},
        .groups = {0, 0, 0, 1, 1, 1, 1},
        .codim_edges = {5},
        .codim_points = {6},
        .group_pairs = {1, 1, 1, 1},
        .mesh = graze_default_mesh(),
    };
    s->mesh.vertex_count = 7;
    s->mesh.edge_count = 6;
    s->mesh.face_count = 2;
    s->mesh.edges = (const uint32_t(*)[2])s->edges;
    s->mesh.faces = (const uint32_t(*)[3])s->faces;
    s->mesh.codim_edge_count = s->mesh.codim_point_count = 1;
    s->mesh.codim_edges = s->codim_edges;
    s->mesh.codim_points = s->codim_points;
    s->mesh.groups = s->groups;
    s->mesh.group_count = 2;
    s->mesh.group_pairs = s->group_pairs;
    s->mesh.thickness = s->thickness;
}

TEST(what_is_wrong_with_a_mesh_is_named) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    small_mesh s;
    graze_error error;
#define SPOILED(change, status, place)                                                                                 \
    make_small(&s);                                                                                                    \
    change;                                                                                                            \
    CHECK_MSG(gz_mesh_read(context, &s.mesh, &(graze_mesh){0}) == status, "%s", #change);                              \
    graze_context_last_error(context, &error);                                                                         \
    CHECK_MSG(error.index == place && error.message[0], "%s: %s", #change, error.message)

    make_small(&s);
    CHECK(gz_mesh_read(context, &s.mesh, &(graze_mesh){0}) == GRAZE_OK);
    CHECK(gz_mesh_read(context, NULL, &(graze_mesh){0}) == GRAZE_ERR_INVALID_ARGUMENT);
    SPOILED(s.mesh.struct_size = 8, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX);
    SPOILED(s.mesh.vertex_count = 0, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX);
    SPOILED(s.mesh.face_count = s.mesh.edge_count = s.mesh.codim_point_count = 0, GRAZE_ERR_INVALID_ARGUMENT,
            UINT64_MAX);
    SPOILED(s.mesh.edge_count = 0xffffffffu, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX);
    SPOILED(s.mesh.edges = NULL, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX);
    SPOILED(s.mesh.faces = NULL, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX);
    SPOILED(s.mesh.codim_edges = NULL, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX);
    SPOILED(s.mesh.codim_points = NULL, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX);
    SPOILED(s.mesh.groups = NULL, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX);
    SPOILED(s.faces[1][2] = 7, GRAZE_ERR_BAD_INDEX, 1);
    SPOILED(s.edges[4][1] = 7, GRAZE_ERR_BAD_INDEX, 4);
    SPOILED(s.codim_edges[0] = 6, GRAZE_ERR_BAD_INDEX, 0);
    SPOILED(s.codim_points[0] = 7, GRAZE_ERR_BAD_INDEX, 0);
    SPOILED(s.groups[6] = 2, GRAZE_ERR_BAD_INDEX, 6);
    SPOILED(s.groups[5] = 0, GRAZE_ERR_INVALID_ARGUMENT, 1);
    SPOILED((s.groups[5] = 0, s.mesh.face_count = 1), GRAZE_ERR_INVALID_ARGUMENT, 4);
    SPOILED(s.thickness[3] = -1, GRAZE_ERR_INVALID_ARGUMENT, 3);
    SPOILED(s.thickness[2] = NAN, GRAZE_ERR_INVALID_ARGUMENT, 2);
    SPOILED(s.thickness[1] = INFINITY, GRAZE_ERR_INVALID_ARGUMENT, 1);
#undef SPOILED
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
