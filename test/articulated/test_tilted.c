/* Tilted boxes hold what is below them, in exact numbers; distances by them are those without them. */
#include "articulated/bodies.h"
#include "rational.h"

#include "articulated/projection.h"
#include "articulated/tilted.h"

#include "graze/world_distance.h"

enum { AROUND = 32, ACROSS = 20, CORNERS = AROUND * ACROSS, FACES = 2 * CORNERS };

/* A fine torus, anywhere. */
typedef struct torus {
    double corners[CORNERS][3];
    uint32_t faces[FACES][3];
} torus;

static void make_torus(torus *t, double large, double small, const double middle[3]) {
    for (uint32_t i = 0; i < AROUND; i++)
        for (uint32_t j = 0; j < ACROSS; j++) {
            double a = 2 * 3.141592653589793 * i / AROUND, b = 2 * 3.141592653589793 * j / ACROSS;
            double out = large + small * cos(b), *x = t->corners[i * ACROSS + j];
            x[0] = middle[0] + out * cos(a);
            x[1] = middle[1] + out * sin(a);
            x[2] = middle[2] + small * sin(b);
            uint32_t k = i * ACROSS + j, right = (i + 1) % AROUND * ACROSS + j, up = i * ACROSS + (j + 1) % ACROSS,
                     both = (i + 1) % AROUND * ACROSS + (j + 1) % ACROSS;
            uint32_t two[2][3] = {{k, right, both}, {k, both, up}};
            memcpy(t->faces[2 * k], two, sizeof two);
        }
}

static graze_link_mesh mesh_of(const torus *t, size_t first, size_t count) {
    graze_link_mesh mesh = graze_default_link_mesh();
    mesh.vertex_count = CORNERS;
    mesh.face_count = (uint32_t)count;
    mesh.vertices = (const double(*)[3])t->corners;
    mesh.faces = (const uint32_t(*)[3])t->faces + first;
    return mesh;
}

/* ---- exact ---- */

/* |⟨n, x⟩ − middle| ≤ half. */
static bool is_within(const double n[3], const double x[3], double middle, double half) {
    mpq_t sum, product, factor;
    mpq_inits(sum, product, factor, NULL);
    mpq_set_d(sum, -middle);
    for (int c = 0; c < 3; c++) {
        mpq_set_d(product, n[c]);
        mpq_set_d(factor, x[c]);
        mpq_mul(product, product, factor);
        mpq_add(sum, sum, product);
    }
    mpq_abs(sum, sum);
    mpq_set_d(factor, half);
    bool within = mpq_cmp(sum, factor) <= 0;
    mpq_clears(sum, product, factor, NULL);
    return within;
}

static void check_node(const gz_link *link, double size, uint32_t node, uint32_t end, gz_vec3 n) {
    double half, middle = gz_tilted_interval(&link->tilted[node], size, n, &half);
    for (uint32_t at = node; at < end; at++)
        for (int k = 0; k < 3 && gz_face_node_is_leaf(&link->tree.nodes[at]); k++) {
            const double *x = link->vertices[link->faces[link->tree.nodes[at].face][k]];
            CHECK_MSG(is_within(n.c, x, middle, half), "node %u along (%a, %a, %a): (%a, %a, %a) is beyond %a ± %a",
                      node, n.c[0], n.c[1], n.c[2], x[0], x[1], x[2], middle, half);
        }
}

/* Leaves and their parents, whose boxes are thin: of these what rounding takes counts most. */
static void check_boxes(const gz_link *link, test_random *random) {
    double extent[3];
    gz_link_extent(link, extent);
    for (uint32_t node = 0; node < link->tree.count; node += 1 + (uint32_t)(8 * test_random_unit(random))) {
        const gz_face_node *at = &link->tree.nodes[node];
        bool leaf = gz_face_node_is_leaf(at), low = !leaf && gz_face_node_is_leaf(at + 1) && at->right == node + 2;
        bool pair = low && gz_face_node_is_leaf(&link->tree.nodes[node + 2]);
        if (!leaf && !pair) continue;
        gz_vec3 any = {{test_random_between(random, -1, 1), test_random_between(random, -1, 1),
                        test_random_between(random, -1, 1)}};
        double size = extent[0] + extent[1] + extent[2];
        check_node(link, size, node, node + (leaf ? 1 : 3), gz_tilted_unit(any));
        check_node(link, size, node, node + (leaf ? 1 : 3), link->tilted[node].u[test_random_unit(random) < 0.5]);
    }
}

TEST(every_vertex_is_inside_of_the_tilted_boxes_above_it) {
    test_random random = {31};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    static torus t;
    for (int i = 0; i < 12; i++) {
        double scale = exp2(test_random_between(&random, -30, 30)), off = exp2(test_random_between(&random, -3, 20));
        double middle[3];
        for (int c = 0; c < 3; c++) middle[c] = scale * off * test_random_between(&random, -1, 1);
        make_torus(&t, scale, scale * test_random_between(&random, 0.01, 0.5), middle);
        graze_link_mesh mesh = mesh_of(&t, 0, FACES);
        graze_link link = test_link(-1, GRAZE_JOINT_FIXED, test_frame(0, 0, 0), &mesh);
        graze_model *model = NULL;
        CHECK(graze_model_create(context, &link, 1, &model) == GRAZE_OK);
        CHECK(model->links[0].tilted != NULL);
        check_boxes(&model->links[0], &random);
        graze_model_destroy(context, model);
    }
    graze_context_destroy(context);
}

/* ---- distances ---- */

/* The torus as one link, or in pieces that have no tilted boxes, each a link of its own. */
static graze_world *world_of(graze_context *context, const torus *moving, const torus *still, size_t pieces) {
    graze_link links[4];
    graze_link_mesh meshes[4], other[4];
    graze_body bodies[5];
    size_t count = FACES / pieces;
    for (size_t i = 0; i < pieces; i++) {
        meshes[i] = mesh_of(moving, i * count, count);
        other[i] = mesh_of(still, i * count, count);
        links[i] = test_link(i ? 0 : -1, i ? GRAZE_JOINT_FIXED : GRAZE_JOINT_FREE, test_frame(0, 0, 0), &meshes[i]);
        bodies[i + 1] = graze_default_body();
        bodies[i + 1].kind = GRAZE_BODY_STATIC;
        bodies[i + 1].meshes = &other[i];
        bodies[i + 1].mesh_count = 1;
    }
    graze_model *model = NULL;
    graze_world *world = NULL;
    CHECK(graze_model_create(context, links, pieces, &model) == GRAZE_OK);
    CHECK((model->links[0].tilted != NULL) == (pieces == 1));
    bodies[0] = graze_default_body();
    bodies[0].model = model;
    CHECK(graze_world_create(context, bodies, pieces + 1, NULL, &world) == GRAZE_OK);
    graze_model_destroy(context, model);
    return world;
}

static graze_link_gap closest(graze_context *context, const graze_world *world, const double values[6]) {
    graze_motion joints = test_motion(values, NULL);
    graze_body_motion pose = graze_default_body_motion();
    pose.joints = &joints;
    graze_world_distance_result d = graze_default_world_distance_result();
    CHECK(graze_world_distance(context, world, &pose, 1, NULL, &d) == GRAZE_OK && d.gap_count == 1);
    graze_link_gap gap = d.gaps[0];
    graze_world_distance_release(context, &d);
    return gap;
}

/* Linked, beside each other, far from each other and across each other. */
TEST(distances_by_tilted_boxes_are_those_of_the_pieces) {
    test_random random = {32};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    static torus moving, still;
    const double origin[3] = {0, 0, 0};
    make_torus(&moving, 1, 0.2, origin);
    make_torus(&still, 1.25, 0.125, origin);
    graze_world *whole = world_of(context, &moving, &still, 1), *pieces = world_of(context, &moving, &still, 4);
    int apart = 0;
    for (int i = 0; i < 60; i++) {
        double values[6] = {i % 3 ? 1 : 0, 0, i % 3 == 2 ? 2 : 0, i % 2 ? 1.5707963 : 0, 0, 0};
        for (int v = 0; v < 6; v++) values[v] += test_random_between(&random, -0.3, 0.3);
        graze_link_gap one = closest(context, whole, values), other = closest(context, pieces, values);
        CHECK_MSG(one.lower <= other.upper && other.lower <= one.upper && one.upper - one.lower <= 1e-9,
                  "pose %d: [%.17g, %.17g], not [%.17g, %.17g]", i, one.lower, one.upper, other.lower, other.upper);
        apart += one.lower > 0;
    }
    CHECK_MSG(apart > 20, "%d", apart);
    graze_world_release(whole);
    graze_world_release(pieces);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
