/* Meshes: edges from faces, and what is not a mesh. */
#include "check.h"
#include "failing.h"

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

TEST(from_faces_survives_failure_of_every_allocation) {
    uint32_t faces[2][3] = {{0, 1, 2}, {1, 2, 3}};
    failing state = {.left = 1000};
    graze_context *context = failing_context(&state, 0);
    CHECK(context);
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
    CHECK(state.held == 0);
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
    SPOILED(s.mesh.vertex_count = 0, GRAZE_ERR_BAD_INDEX, 0);
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

/* Lists so long that several threads check them. */
TEST(the_first_bad_index_and_position_of_a_long_list_is_named_whatever_the_threads) {
    enum { FACES = 60000, VERTICES = 20000 };
    uint32_t(*faces)[3] = calloc(FACES, sizeof *faces);
    double(*x)[3] = calloc(VERTICES, sizeof *x);
    test_random random = {8};
    for (uint32_t threads = 1; threads <= 6; threads++) {
        graze_context *context = test_context(threads, GRAZE_ISA_AUTO);
        for (int round = 0; round < 20; round++) {
            uint32_t a = (uint32_t)test_random_below(&random, FACES), b = (uint32_t)test_random_below(&random, FACES);
            graze_mesh mesh = graze_default_mesh();
            graze_error error = {0};
            mesh.vertex_count = VERTICES;
            mesh.faces = (const uint32_t(*)[3])faces;
            mesh.face_count = FACES;
            faces[a][2] = VERTICES, faces[b][0] = UINT32_MAX;
            CHECK(gz_mesh_read(context, &mesh, &(graze_mesh){0}) == GRAZE_ERR_BAD_INDEX);
            graze_context_last_error(context, &error);
            CHECK_MSG(error.index == (a < b ? a : b), "%u, %u: %s", a, b, error.message);
            faces[a][2] = faces[b][0] = 0;
            CHECK(gz_mesh_read(context, &mesh, &(graze_mesh){0}) == GRAZE_OK);
            a %= VERTICES, b %= VERTICES;
            x[a][1] = x[b][2] = 0x1p161;
            CHECK(gz_positions_check(context, "x0", (const char *)x, 24, VERTICES, 0) == GRAZE_ERR_OUT_OF_RANGE);
            graze_context_last_error(context, &error);
            CHECK_MSG(error.index == (a < b ? a : b), "%u, %u: %s", a, b, error.message);
            x[a][1] = x[b][2] = 0;
            CHECK(gz_positions_check(context, "x0", (const char *)x, 24, VERTICES, 0) == GRAZE_OK);
        }
        graze_context_destroy(context);
    }
    free(faces);
    free(x);
}

/* Every side of a face is an edge, every other edge and vertex is listed: by plain loops over all of them. */
static void check_complete(const graze_mesh *m) {
    for (uint32_t f = 0; f < m->face_count; f++)
        for (int k = 0; k < 3; k++) {
            uint32_t i = m->faces[f][k], j = m->faces[f][(k + 1) % 3], found = i == j;
            for (uint32_t e = 0; e < m->edge_count && !found; e++)
                found = (m->edges[e][0] == i && m->edges[e][1] == j) || (m->edges[e][0] == j && m->edges[e][1] == i);
            CHECK_MSG(found, "side %u–%u of face %u", i, j, f);
        }
    uint32_t codim_edge = 0, codim_point = 0;
    for (uint32_t e = 0; e < m->edge_count; e++) {
        bool of_face = false;
        for (uint32_t f = 0; f < m->face_count && !of_face; f++) {
            int ends = 0;
            for (int k = 0; k < 3; k++)
                ends |= (m->faces[f][k] == m->edges[e][0]) | (m->faces[f][k] == m->edges[e][1]) << 1;
            of_face = ends == 3;
        }
        if (!of_face) CHECK(codim_edge < m->codim_edge_count && m->codim_edges[codim_edge++] == e);
    }
    for (uint32_t v = 0; v < m->vertex_count; v++) {
        bool of_edge = false;
        for (uint32_t e = 0; e < m->edge_count; e++) of_edge |= m->edges[e][0] == v || m->edges[e][1] == v;
        if (!of_edge) CHECK(codim_point < m->codim_point_count && m->codim_points[codim_point++] == v);
    }
    CHECK(codim_edge == m->codim_edge_count && codim_point == m->codim_point_count);
}

TEST(parts_give_complete_lists_in_order) {
    static uint32_t faces[60][3], edges[60][2], all[360][2]; /* three sides of each face and of each free edge */
    test_random random = {3};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    for (int round = 0; round < 60; round++) {
        uint32_t vertices = 2 + (uint32_t)test_random_below(&random, 80);
        uint32_t face_count = (uint32_t)test_random_below(&random, 60),
                 edge_count = (uint32_t)test_random_below(&random, 60);
        for (uint32_t f = 0; f < face_count; f++)
            for (int k = 0; k < 3; k++) faces[f][k] = (uint32_t)test_random_below(&random, vertices);
        for (uint32_t e = 0; e < edge_count; e++) {
            edges[e][0] = (uint32_t)test_random_below(&random, vertices);
            edges[e][1] = (edges[e][0] + 1 + (uint32_t)test_random_below(&random, vertices - 1)) % vertices;
            if (face_count && e % 3 == 0) memcpy(edges[e], faces[e % face_count], sizeof edges[e]); /* a side */
            if (edges[e][0] == edges[e][1]) edges[e][1] = (edges[e][0] + 1) % vertices;
        }
        graze_mesh mesh = graze_default_mesh();
        CHECK(graze_mesh_from_parts(context, vertices, (const uint32_t(*)[3])faces, face_count,
                                    (const uint32_t(*)[2])edges, edge_count, NULL, 0, &mesh) == GRAZE_OK);
        check_complete(&mesh);
        CHECK(gz_topology_check(context, &mesh) == GRAZE_OK);
        /* a free edge is a degenerate face of the plain list */
        static uint32_t both[120][3];
        memcpy(both, faces, sizeof faces);
        for (uint32_t e = 0; e < edge_count; e++)
            both[face_count + e][0] = both[face_count + e][1] = edges[e][0], both[face_count + e][2] = edges[e][1];
        size_t expected = plain_edges((const uint32_t(*)[3])both, face_count + edge_count, all);
        CHECK(mesh.edge_count == expected && (!expected || memcmp(mesh.edges, all, expected * sizeof *all) == 0));
        graze_mesh_release(context, &mesh);
    }
    graze_context_destroy(context);
}

TEST(only_listed_points_are_points_and_those_of_edges_are_dropped) {
    const uint32_t edges[1][2] = {{3, 1}}, points[4] = {4, 3, 4, 0};
    graze_mesh mesh = graze_default_mesh();
    CHECK(graze_mesh_from_parts(NULL, 6, NULL, 0, edges, 1, points, 4, &mesh) == GRAZE_OK);
    CHECK(mesh.codim_point_count == 2 && mesh.codim_points[0] == 0 && mesh.codim_points[1] == 4);
    CHECK(mesh.edge_count == 1 && mesh.edges[0][0] == 1 && mesh.edges[0][1] == 3 && mesh.codim_edge_count == 1);
    graze_mesh_release(NULL, &mesh);
    CHECK(graze_mesh_from_parts(NULL, 6, NULL, 0, edges, 1, points, 0, &mesh) == GRAZE_OK && !mesh.codim_point_count);
    graze_mesh_release(NULL, &mesh);
}

TEST(parts_that_are_none_are_refused_and_named) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    const uint32_t loop[2][2] = {{0, 1}, {2, 2}}, far[1][2] = {{0, 7}}, point = 9;
    graze_mesh mesh = graze_default_mesh();
    graze_error error;
    CHECK(graze_mesh_from_parts(context, 3, NULL, 0, loop, 2, NULL, 0, &mesh) == GRAZE_ERR_INVALID_ARGUMENT);
    graze_context_last_error(context, &error);
    CHECK(error.index == 1 && mesh.edge_count == 0);
    CHECK(graze_mesh_from_parts(context, 3, NULL, 0, far, 1, NULL, 0, &mesh) == GRAZE_ERR_BAD_INDEX);
    CHECK(graze_mesh_from_parts(context, 3, NULL, 0, NULL, 0, &point, 1, &mesh) == GRAZE_ERR_BAD_INDEX);
    CHECK(graze_mesh_from_parts(context, 3, NULL, 0, NULL, 1, NULL, 0, &mesh) == GRAZE_ERR_INVALID_ARGUMENT);
    graze_context_destroy(context);
}

/* Each of these went through as `clear`. */
TEST(a_step_refuses_lists_that_are_not_complete) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    static const double x[8][3] = {{0}};
    small_mesh s;
    graze_error error;
    graze_step_result result = graze_default_step_result();
    graze_pair *pairs;
    size_t count;
#define INCOMPLETE(change, place, word)                                                                                \
    make_small(&s);                                                                                                    \
    CHECK(graze_step(context, &s.mesh, x, x, NULL, &result) ==                                                         \
          GRAZE_OK); /* what was found complete is remembered … */                                                   \
    change;                                                                                                            \
    CHECK_MSG(graze_step(context, &s.mesh, x, x, NULL, &result) == GRAZE_ERR_INVALID_ARGUMENT, "%s", #change);         \
    graze_context_last_error(context, &error);                                                                         \
    CHECK_MSG(error.index == place && strstr(error.message, word), "%s: %s", #change, error.message);                  \
    CHECK(graze_candidates(context, &s.mesh, x, x, NULL, &pairs, &count) == GRAZE_ERR_INVALID_ARGUMENT);               \
    CHECK(graze_start_violations(context, &s.mesh, x, NULL, &pairs, &count) == GRAZE_ERR_INVALID_ARGUMENT)

    INCOMPLETE(s.mesh.edge_count = s.mesh.codim_edge_count = 0, 0, "face 0");
    INCOMPLETE(s.edges[5][0] = 3, 1, "face 1"); /* … and changing it in place is noticed */
    INCOMPLETE((s.faces[1][2] = s.faces[1][1], s.codim_edges[0] = 0), 4, "edge 4");
    INCOMPLETE((s.mesh.face_count = 1, s.codim_edges[0] = 4), 3, "edge 3");
    INCOMPLETE(s.mesh.codim_point_count = 0, 6, "vertex 6");
    INCOMPLETE(s.codim_points[0] = 5, 6, "vertex 6");
    make_small(&s);
    s.edges[2][0] = 2, s.edges[2][1] = 1; /* direction does not matter */
    CHECK(graze_step(context, &s.mesh, x, x, NULL, &result) == GRAZE_OK);
    graze_context_destroy(context);
}

TEST(topologies_that_differ_in_one_place_have_different_hashes) {
    small_mesh s;
    make_small(&s);
    uint64_t hash = gz_topology_hash(&s.mesh);
    for (int i = 0; i < 6; i++) {
        uint32_t *id = &s.faces[i / 3][i % 3], kept = *id;
        for (uint32_t other = 0; other < 7; other++) {
            *id = other;
            CHECK((gz_topology_hash(&s.mesh) == hash) == (other == kept));
        }
        *id = kept;
    }
    s.mesh.codim_edge_count = 0;
    CHECK(gz_topology_hash(&s.mesh) != hash);
    make_small(&s);
    uint32_t swap = s.edges[0][0];
    s.edges[0][0] = s.edges[4][0], s.edges[4][0] = swap;
    CHECK(gz_topology_hash(&s.mesh) != hash);
}

/* In every mode, with every way to search. */
TEST(an_empty_mesh_is_clear_at_once) {
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    static const double x[3][3] = {{0}};
    for (uint32_t vertices = 0; vertices <= 3; vertices += 3)
        for (int mode = 0; mode < 4; mode++)
            for (int broad = 0; broad <= GRAZE_BROAD_STQ; broad++) {
                graze_mesh mesh = graze_default_mesh();
                double times[3] = {0, 0, 0};
                graze_options narrow = graze_default_options();
                graze_step_options options = graze_default_step_options();
                graze_step_result result = graze_default_step_result();
                graze_line_search_result search = graze_default_line_search_result();
                graze_pair *pairs;
                size_t count;
                CHECK(graze_mesh_from_faces(context, vertices, NULL, 0, &mesh) == GRAZE_OK);
                narrow.t_max = 0.5;
                options.narrow = &narrow;
                options.mode = (graze_step_mode)mode;
                options.broad = (graze_broad)broad;
                options.vertex_toi = vertices ? times : NULL;
                const double(*at)[3] = vertices ? x : NULL;
                CHECK(graze_step(context, &mesh, at, at, &options, &result) == GRAZE_OK);
                CHECK_MSG(result.verdict == GRAZE_CLEAR && result.toi == 0.5, "mode %d, broad %d", mode, broad);
                if (mode == GRAZE_STEP_VERTICES && vertices) CHECK(times[0] == 0.5 && times[2] == 0.5);
                CHECK(graze_candidates(context, &mesh, at, at, &options, &pairs, &count) == GRAZE_OK && count == 0);
                CHECK(graze_start_violations(context, &mesh, at, &options, &pairs, &count) == GRAZE_OK && count == 0);
                CHECK(graze_static_intersections(context, &mesh, at, &options, &pairs, &count) == GRAZE_OK && !count);
                graze_line_search_options line = graze_default_line_search_options();
                line.step = &options;
                CHECK(graze_line_search(context, &mesh, at, at, NULL, NULL, &line, &search) == GRAZE_OK);
                CHECK(search.alpha == 0.5);
                graze_mesh_release(context, &mesh);
            }
    graze_context_destroy(context);
}

TEST(small_edits_of_two_ids_change_the_hash_of_a_topology) {
    static uint32_t faces[40][3];
    test_random random = {11};
    for (int f = 0; f < 40; f++)
        for (int k = 0; k < 3; k++) faces[f][k] = 200 + (uint32_t)test_random_below(&random, 500);
    graze_mesh mesh = graze_default_mesh();
    mesh.vertex_count = 1000;
    mesh.face_count = 40;
    mesh.faces = (const uint32_t(*)[3])faces;
    uint64_t hash = gz_topology_hash(&mesh);
    uint32_t *ids = &faces[0][0];
    for (int apart = 1; apart <= 16; apart++)
        for (int a = -64; a <= 64; a++)
            for (int b = -64; b <= 64; b++) {
                ids[20] += (uint32_t)a, ids[20 + apart] += (uint32_t)b;
                CHECK_MSG((gz_topology_hash(&mesh) == hash) == (a == 0 && b == 0), "%d, and %d %d later", a, b, apart);
                ids[20] -= (uint32_t)a, ids[20 + apart] -= (uint32_t)b;
            }
}

TEST(a_face_with_the_index_minus_one_is_an_error_that_says_so) {
    const int32_t faces[1][3] = {{0, -1, 2}};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    graze_mesh mesh = graze_default_mesh();
    graze_error error;
    CHECK(graze_mesh_from_faces(context, 4, (const uint32_t(*)[3])faces, 1, &mesh) == GRAZE_ERR_BAD_INDEX);
    CHECK(graze_context_last_error(context, &error) == GRAZE_OK);
    CHECK_MSG(strstr(error.message, "there is no vertex -1, of 4"), "%s", error.message);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
