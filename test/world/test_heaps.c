/* Heaps of rigid bodies: boxes in layers, whose faces lie close to each other. What a step of them lists, what a world
   of them holds, and the bits over threads. */
#include "check.h"
#include "same_contact.h"

#include <stdatomic.h>

enum { CELLS = 5, MOST_VERTICES = 6 * CELLS * CELLS + 2, FACES = 12 * CELLS * CELLS, SIDE = 4, LAYERS = 4 };
enum { BODIES = SIDE * SIDE * LAYERS };

typedef struct box {
    uint32_t vertices;
    double x[MOST_VERTICES][3];
    uint32_t faces[FACES][3];
} box;

typedef struct heap {
    graze_context *context; /* that the mesh and the world are made by */
    box shape;
    graze_mesh mesh;
    graze_world *world;
    graze_body_motion motions[BODIES];
} heap;

/* ---- making ---- */

/* The vertex at a place on one of six sides; there is one for all sides that meet there. */
static uint32_t vertex_at(box *b, int side, uint32_t i, uint32_t j) {
    double p[3];
    int axis = side % 3;
    p[axis] = side < 3 ? -0.5 : 0.5;
    p[(axis + 1) % 3] = i / (double)CELLS - 0.5;
    p[(axis + 2) % 3] = j / (double)CELLS - 0.5;
    for (uint32_t v = 0; v < b->vertices; v++)
        if (memcmp(b->x[v], p, sizeof p) == 0) return v;
    memcpy(b->x[b->vertices], p, sizeof p);
    return b->vertices++;
}

static void make_box(box *b) {
    uint32_t at = 0;
    b->vertices = 0;
    for (int side = 0; side < 6; side++)
        for (uint32_t i = 0; i < CELLS; i++)
            for (uint32_t j = 0; j < CELLS; j++) {
                uint32_t p = vertex_at(b, side, i, j), q = vertex_at(b, side, i + 1, j);
                uint32_t r = vertex_at(b, side, i, j + 1), s = vertex_at(b, side, i + 1, j + 1);
                uint32_t two[2][3] = {{p, q, r}, {q, s, r}};
                memcpy(b->faces[at], two, sizeof two);
                at += 2;
            }
}

static void place(test_random *random, double gap, double turn, double move, size_t i, graze_body_motion *motion) {
    size_t layer = i / (SIDE * SIDE), row = i / SIDE % SIDE, column = i % SIDE;
    double off = layer % 2 ? 0.5 : 0;
    *motion = graze_default_body_motion();
    motion->body = (uint32_t)i;
    const double at[3] = {(double)column + off, (double)row + off, (double)layer};
    for (int c = 0; c < 3; c++) {
        motion->pose0.position[c] = (1 + gap) * at[c];
        motion->pose1.position[c] = motion->pose0.position[c] + test_random_between(random, -move, move);
        motion->pose0.rotation[1 + c] = test_random_between(random, -turn, turn);
        motion->pose1.rotation[1 + c] = motion->pose0.rotation[1 + c] + test_random_between(random, -turn, turn);
    }
}

static void open_heap(graze_context *context, uint64_t seed, double gap, double turn, double move, heap *h) {
    graze_body bodies[BODIES];
    test_random random = {seed};
    h->context = context;
    h->mesh = graze_default_mesh();
    h->world = NULL;
    make_box(&h->shape);
    CHECK(graze_mesh_from_faces(context, h->shape.vertices, (const uint32_t(*)[3])h->shape.faces, FACES, &h->mesh) ==
          GRAZE_OK);
    for (size_t i = 0; i < BODIES; i++) {
        bodies[i] = graze_default_body();
        bodies[i].kind = GRAZE_BODY_RIGID;
        bodies[i].mesh = &h->mesh;
        bodies[i].rest = (const double(*)[3])h->shape.x;
        place(&random, gap, turn, move, i, &h->motions[i]);
    }
    CHECK(graze_world_create(context, bodies, BODIES, NULL, &h->world) == GRAZE_OK);
}

static void close_heap(heap *h) {
    graze_world_release(h->world);
    graze_mesh_release(h->context, &h->mesh);
}

static graze_articulated_result ask(graze_context *context, const heap *h, graze_articulated_mode mode) {
    graze_articulated_options options = graze_default_articulated_options();
    graze_articulated_result result = graze_default_articulated_result();
    options.mode = mode;
    CHECK(graze_world_step(context, h->world, h->motions, BODIES, &options, &result) == GRAZE_OK);
    return result;
}

/* ---- memory ---- */

typedef struct counter {
    atomic_size_t held, most;
} counter;

static void *take(void *user, size_t size, size_t alignment) {
    counter *count = user;
    size_t held = atomic_fetch_add(&count->held, size) + size;
    if (held > count->most) count->most = held;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void give(void *user, void *block, size_t size) {
    atomic_fetch_sub(&((counter *)user)->held, size);
    free(block);
}

static graze_context *counted_context(counter *count) {
    graze_context_options options = graze_default_context_options();
    graze_context *context = NULL;
    options.threads = 1;
    options.allocator = (graze_allocator){take, give, count};
    CHECK(graze_context_create(&options, &context) == GRAZE_OK);
    return context;
}

TEST(a_heap_holds_its_shape_once_and_little_for_each_body) {
    counter count = {0};
    graze_context *context = counted_context(&count);
    heap h;
    open_heap(context, 7, 0.02, 0.01, 0.01, &h);
    size_t whole = count.held;
    graze_world_release(h.world);
    h.world = NULL;
    size_t bytes = whole - count.held;
    CHECK_MSG(bytes < BODIES * (size_t)4096 + FACES * (size_t)220, "%zu bytes", bytes);
    close_heap(&h);
    graze_context_destroy(context);
    CHECK(count.held == 0);
}

/* Bytes that a step takes at most. */
static size_t most_of(graze_context *context, counter *count, const heap *h, graze_articulated_mode mode) {
    graze_articulated_result warm = ask(context, h, mode);
    graze_articulated_release(context, &warm);
    count->most = count->held;
    size_t before = count->held;
    graze_articulated_result result = ask(context, h, mode);
    CHECK(result.verdict == GRAZE_HIT && result.toi > 0.01);
    graze_articulated_release(context, &result);
    return count->most - before;
}

/* Pairs beyond a contact are counted, not listed. */
TEST(a_heap_whose_faces_are_near_lists_few_pairs_before_its_first_contact) {
    counter count = {0};
    graze_context *context = counted_context(&count);
    heap h;
    open_heap(context, 5, 0.02, 0.0025, 0.03, &h);
    size_t first = most_of(context, &count, &h, GRAZE_ARTICULATED_EARLIEST);
    size_t all = most_of(context, &count, &h, GRAZE_ARTICULATED_ALL);
    CHECK_MSG(first * 10 < all, "%zu of %zu bytes", first, all);
    close_heap(&h);
    graze_context_destroy(context);
}

/* ---- bits ---- */

static void check_same(const graze_articulated_result *a, const graze_articulated_result *b) {
    CHECK(a->verdict == b->verdict && a->reason == b->reason && a->toi == b->toi && a->toi_upper == b->toi_upper);
    CHECK(same_contact(&a->contact, &b->contact));
    CHECK(a->checks == b->checks && a->pairs_near == b->pairs_near);
}

/* Spans are halved by how many pairs they have, whoever counts them first. */
TEST(spans_of_a_heap_do_not_depend_on_threads) {
    static const double kinds[][3] = {{0.02, 0.0025, 0.03}, {0.02, 0.01, 0.01}, {0.001, 0.0001, 0.01}, {0.3, 0.2, 0.2}};
    graze_context *contexts[3] = {test_context(1, GRAZE_ISA_AUTO), test_context(2, GRAZE_ISA_AUTO),
                                  test_context(4, GRAZE_ISA_SCALAR)};
    size_t hits = 0;
    for (uint64_t i = 0; i < 12; i++) {
        const double *kind = kinds[i % 4];
        heap h;
        open_heap(contexts[0], 90 + i, kind[0], kind[1], kind[2], &h);
        graze_articulated_result all = ask(contexts[0], &h, GRAZE_ARTICULATED_ALL);
        graze_articulated_result first = ask(contexts[0], &h, GRAZE_ARTICULATED_EARLIEST);
        CHECK(first.verdict == all.verdict && fabs(first.toi - all.toi) < 1e-7);
        hits += first.verdict == GRAZE_HIT;
        for (int k = 1; k < 3; k++) {
            graze_articulated_result other = ask(contexts[k], &h, GRAZE_ARTICULATED_EARLIEST);
            check_same(&first, &other);
        }
        graze_articulated_release(contexts[0], &all);
        close_heap(&h);
    }
    CHECK(hits > 6);
    for (int k = 0; k < 3; k++) graze_context_destroy(contexts[k]);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
