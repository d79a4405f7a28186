/* Long lists of pairs that come back are used again by the next step, and nothing of them is lost. */
#include "soup.h"

#define POSITIONS(s) (const double(*)[3])(s)->x0, (const double(*)[3])(s)->x1

/* An allocator that counts what is out. */
static void *count_out(void *user, size_t size, size_t alignment) {
    void *made = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (made) *(size_t *)user += size;
    return made;
}

static void count_back(void *user, void *block, size_t size) {
    *(size_t *)user -= size;
    free(block);
}

typedef struct scene {
    soup s;
    size_t out;
    graze_context *context;
} scene;

static void open_scene(scene *t, size_t limit) {
    graze_context_options options = graze_default_context_options();
    t->out = 0;
    options.threads = 1;
    options.memory_limit = limit;
    options.allocator = (graze_allocator){count_out, count_back, &t->out};
    CHECK(graze_context_create(&options, &t->context) == GRAZE_OK);
    soup_make(&t->s, t->context, SOUP_SAME, 40, 1); /* all of them touch each other */
}

static void close_scene(scene *t) {
    graze_mesh_release(t->context, &t->s.mesh);
    graze_context_destroy(t->context);
    CHECK(t->out == 0);
}

static graze_step_result step(scene *t) {
    graze_step_options options = graze_default_step_options();
    graze_step_result result = graze_default_step_result();
    options.mode = GRAZE_STEP_ALL;
    options.backend = GRAZE_BACKEND_CPU;
    CHECK(graze_step(t->context, &t->s.mesh, POSITIONS(&t->s), &options, &result) == GRAZE_OK);
    CHECK(result.pair_count > 512);
    return result;
}

TEST(a_list_that_comes_back_is_used_again) {
    static scene t;
    open_scene(&t, 0);
    graze_step_result first = step(&t), second = step(&t);
    CHECK(first.pairs != second.pairs); /* both are the caller's */
    CHECK(memcmp(&first.pairs[7].pair, &second.pairs[7].pair, sizeof first.pairs[7].pair) == 0);
    const graze_pair_result *was = second.pairs;
    graze_step_release(t.context, &first);
    graze_step_release(t.context, &second);
    size_t held = t.out;
    graze_step_result third = step(&t);
    CHECK(third.pairs == was && t.out <= held);
    graze_step_release(t.context, &third);
    close_scene(&t);
}

TEST(trimming_gives_back_what_is_kept_and_leaves_what_is_held) {
    static scene t;
    open_scene(&t, 0);
    graze_step_result held = step(&t), given = step(&t);
    graze_pair_result copy = held.pairs[held.pair_count - 1];
    graze_step_release(t.context, &given);
    size_t before = t.out;
    CHECK(graze_context_trim(t.context) == GRAZE_OK && t.out < before);
    CHECK(memcmp(&copy, &held.pairs[held.pair_count - 1], sizeof copy) == 0);
    graze_step_release(t.context, &held);
    close_scene(&t);
}

TEST(under_a_limit_of_memory_nothing_is_kept) {
    static scene t;
    open_scene(&t, (size_t)1 << 30);
    graze_step_result result = step(&t);
    size_t before = t.out, size = result.pair_count * sizeof *result.pairs;
    graze_step_release(t.context, &result);
    CHECK(before - t.out >= size);
    close_scene(&t);
}

static graze_pair *list(scene *t, size_t *count) {
    graze_pair *pairs = NULL;
    graze_step_options options = graze_default_step_options();
    options.backend = GRAZE_BACKEND_CPU;
    CHECK(graze_candidates(t->context, &t->s.mesh, POSITIONS(&t->s), &options, &pairs, count) == GRAZE_OK);
    CHECK(*count > 4096);
    return pairs;
}

TEST(a_list_of_candidates_that_comes_back_is_used_again) {
    static scene t;
    open_scene(&t, 0);
    size_t first_count, second_count;
    graze_pair *first = list(&t, &first_count), *second = list(&t, &second_count);
    CHECK(first != second && first_count == second_count);
    CHECK(memcmp(first, second, first_count * sizeof *first) == 0);
    graze_pairs_release(t.context, first, first_count);
    graze_pairs_release(t.context, second, second_count);
    size_t held = t.out;
    graze_pair *third = list(&t, &first_count);
    CHECK(third == second && t.out <= held);
    graze_pairs_release(t.context, third, first_count);
    CHECK(graze_context_trim(t.context) == GRAZE_OK && t.out < held);
    close_scene(&t);
}

static graze_proximity_result near_pairs(scene *t) {
    graze_proximity_result near = graze_default_proximity_result();
    CHECK(graze_proximity(t->context, &t->s.mesh, (const double(*)[3])t->s.x0, 1, NULL, &near) == GRAZE_OK);
    CHECK(near.pair_count > 4096);
    return near;
}

TEST(a_list_of_near_pairs_that_comes_back_is_used_again) {
    static scene t;
    open_scene(&t, 0);
    graze_proximity_result first = near_pairs(&t), second = near_pairs(&t);
    CHECK(first.pairs != second.pairs && first.pair_count == second.pair_count);
    CHECK(memcmp(first.pairs, second.pairs, first.pair_count * sizeof *first.pairs) == 0);
    const graze_proximity_pair *was = second.pairs;
    graze_proximity_release(t.context, &first);
    graze_proximity_release(t.context, &second);
    size_t held = t.out;
    graze_proximity_result third = near_pairs(&t);
    CHECK(third.pairs == was && t.out <= held);
    graze_proximity_release(t.context, &third);
    CHECK(graze_context_trim(t.context) == GRAZE_OK && t.out < held);
    close_scene(&t);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
