/* Wide trees: blocks hold what the tree of two children holds, and eight lanes decide as one pair of nodes does. */
#include "articulated/search.h"
#include "articulated/wide/children.h"
#include "articulated/wide/descent.h"
#include "bodies.h"

enum { MOST_FACES = 300 };

typedef struct soup_body {
    double vertices[MOST_FACES + 2][3];
    uint32_t faces[MOST_FACES][3];
} soup_body;

/* A model of one link, a strip of triangles through random points. */
static graze_model *strip(graze_context *context, test_random *random, uint32_t faces, soup_body *body) {
    for (uint32_t v = 0; v < faces + 2; v++)
        for (int c = 0; c < 3; c++) body->vertices[v][c] = test_random_between(random, -1, 1) * (c == 2 ? 0.2 : 1);
    for (uint32_t f = 0; f < faces; f++)
        for (uint32_t k = 0; k < 3; k++) body->faces[f][k] = f + k;
    graze_link_mesh mesh = graze_default_link_mesh();
    mesh.vertex_count = faces + 2;
    mesh.face_count = faces;
    mesh.vertices = (const double(*)[3])body->vertices;
    mesh.faces = (const uint32_t(*)[3])body->faces;
    graze_link link = test_link(-1, GRAZE_JOINT_FREE, test_frame(0, 0, 0), &mesh);
    graze_model *model = NULL;
    CHECK(graze_model_create(context, &link, 1, &model) == GRAZE_OK);
    return model;
}

/* ---- blocks ---- */

/* Notes every face below a node, by blocks alone. */
static void note_faces(const gz_face_tree *tree, uint32_t node, uint8_t *seen) {
    if (gz_face_node_is_leaf(&tree->nodes[node])) {
        seen[tree->nodes[node].face]++;
        return;
    }
    const gz_face_block *block = &tree->blocks[tree->nodes[node].face];
    CHECK(block->count >= 2 && block->count <= GZ_BLOCK_NODES);
    for (uint32_t i = 0; i < block->count; i++) {
        const gz_face_node *child = &tree->nodes[block->node[i]];
        for (int c = 0; c < 3; c++)
            CHECK(block->center[c][i] == child->center[c] && block->half[c][i] == child->half[c]);
        note_faces(tree, block->node[i], seen);
    }
}

TEST(blocks_lead_to_every_triangle_once) {
    static soup_body body;
    test_random random = {31};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    for (uint32_t faces = 1; faces <= MOST_FACES; faces += 1 + faces / 8) {
        graze_model *model = strip(context, &random, faces, &body);
        uint8_t seen[MOST_FACES] = {0};
        note_faces(&model->links[0].tree, 0, seen);
        for (uint32_t f = 0; f < faces; f++) CHECK_MSG(seen[f] == 1, "%u faces, face %u: %d", faces, f, seen[f]);
        graze_model_destroy(context, model);
    }
    graze_context_destroy(context);
}

/* ---- lanes ---- */

/* Two strips that move, seen over some window. */
typedef struct sight {
    graze_context *context;
    graze_model *models[2];
    soup_body bodies[2];
    gz_search search;
    gz_frame_model frame;
    gz_link_view view;
} sight;

static void open_sight(sight *s, graze_isa isa, test_random *random, bool still) {
    double values[2][2][6];
    graze_motion motions[2];
    s->context = test_context(1, isa);
    for (int m = 0; m < 2; m++) {
        s->models[m] = strip(s->context, random, 1 + (uint32_t)test_random_below(random, MOST_FACES), &s->bodies[m]);
        for (int v = 0; v < 6; v++) {
            values[0][m][v] = test_random_between(random, -1, 1);
            values[1][m][v] = values[0][m][v] + test_random_between(random, -0.3, 0.3);
        }
        motions[m] = test_motion(values[0][m], values[1][m]);
    }
    graze_articulated_options options = graze_default_articulated_options();
    const graze_model *const *models = (const graze_model *const *)s->models;
    CHECK(gz_search_open(&s->search, s->context, models, 2, &options) == GRAZE_OK);
    CHECK(gz_search_begin(&s->search, gz_motions_from(motions, 0)) == GRAZE_OK);
    double begin = test_random_unit(random);
    gz_frames_window(&s->search.wide, begin, still ? begin : begin + 0.3 * test_random_unit(random));
    gz_frames_relative(&s->search.wide, 0, 1, &s->frame);
    gz_view_open(&s->view, &s->search.scene, 0, 1, &s->frame, test_random_below(random, 2) ? 0.01 : 0, still);
    double n[3] = {test_random_between(random, -1, 1), test_random_between(random, -1, 1), 1};
    if (test_random_below(random, 2)) gz_view_choose(&s->view, n);
}

static void close_sight(sight *s) {
    gz_search_close(&s->search);
    for (int m = 0; m < 2; m++) graze_model_destroy(s->context, s->models[m]);
    graze_context_destroy(s->context);
}

/* The kernel says of a block and a node what gz_view_apart says of each. Returns how many are apart. */
static unsigned compare(const gz_link_view *view, bool of_a, const gz_face_node *node, const gz_face_block *block) {
    const gz_face_tree *tree = of_a ? &view->a->tree : &view->b->tree;
    gz_children children;
    unsigned close = view->children(&view->lanes, node, block, of_a, &children), apart = 0;
    CHECK(close >> block->count == 0);
    for (uint32_t i = 0; i < block->count; i++) {
        const gz_face_node *child = &tree->nodes[block->node[i]];
        double sweep;
        bool alone = of_a ? gz_view_apart(view, child, node, &sweep) : gz_view_apart(view, node, child, &sweep);
        CHECK(alone == !(close >> i & 1));
        if (!alone) CHECK_MSG(sweep == children.sweep[i], "%a %a", sweep, children.sweep[i]);
        apart += alone;
    }
    return apart;
}

TEST(eight_lanes_decide_as_one_pair_of_nodes_does) {
    static sight s;
    unsigned apart = 0, looked = 0;
    for (int isa = GRAZE_ISA_SCALAR; isa <= GRAZE_ISA_WASM; isa++) {
        if (!graze_isa_available((graze_isa)isa)) continue;
        for (uint64_t seed = 0; seed < 60; seed++) {
            test_random random = {1000 + seed};
            open_sight(&s, (graze_isa)isa, &random, seed % 2);
            for (int i = 0; i < 300; i++) {
                bool of_a = test_random_below(&random, 2);
                const gz_face_tree *split = of_a ? &s.view.a->tree : &s.view.b->tree;
                const gz_face_tree *other = of_a ? &s.view.b->tree : &s.view.a->tree;
                if (split->block_count == 0) continue;
                const gz_face_block *block = &split->blocks[test_random_below(&random, split->block_count)];
                apart += compare(&s.view, of_a, &other->nodes[test_random_below(&random, other->count)], block);
                looked += block->count;
            }
            close_sight(&s);
        }
    }
    CHECK_MSG(apart > looked / 10 && apart < looked - looked / 20, "%u of %u", apart, looked);
}

/* ---- the way down ---- */

/* Every pair of triangles whose nodes are not apart, by two loops. */
static size_t count_close(const gz_link_view *view) {
    const gz_face_tree *a = &view->a->tree, *b = &view->b->tree;
    size_t count = 0;
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t j = 0; j < b->count; j++) {
            double sweep;
            if (!gz_face_node_is_leaf(&a->nodes[i]) || !gz_face_node_is_leaf(&b->nodes[j])) continue;
            count += !gz_view_apart(view, &a->nodes[i], &b->nodes[j], &sweep);
        }
    return count;
}

static size_t count_reached(const gz_link_view *view) {
    gz_close_stack stack;
    size_t count = 0;
    gz_close_stack_open(&stack, view, 0, 0);
    while (stack.count) {
        gz_close_nodes at = stack.items[--stack.count];
        if (gz_face_node_is_leaf(&view->a->tree.nodes[at.a]) && gz_face_node_is_leaf(&view->b->tree.nodes[at.b]))
            count++;
        else
            CHECK(gz_push_close(&stack, view, at) >= 2);
        CHECK(stack.count < (int)(sizeof stack.items / sizeof *stack.items));
    }
    return count;
}

/* Of a node that is apart from another all below is apart, too, but for roundings: these leave out what is apart. */
TEST(the_way_down_reaches_every_pair_of_triangles_that_is_not_apart) {
    static sight s;
    for (uint64_t seed = 0; seed < 40; seed++) {
        test_random random = {2000 + seed};
        open_sight(&s, GRAZE_ISA_AUTO, &random, seed % 2);
        size_t reached = count_reached(&s.view), close = count_close(&s.view);
        CHECK_MSG(reached == close, "%zu of %zu", reached, close);
        close_sight(&s);
    }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
