/* The calls of a solver's iteration, ten thousand times: memory that is held does not grow. */
#include "soup.h"

#define AT(x) (const double(*)[3])(x)

enum { WARM = 200, CALLS = 10000 };

typedef struct counted {
    size_t bytes, blocks;
} counted;

static void *count_out(void *user, size_t size, size_t alignment) {
    counted *out = user;
    void *made = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (made) out->bytes += size, out->blocks++;
    return made;
}

static void count_back(void *user, void *block, size_t size) {
    counted *out = user;
    if (block) out->bytes -= size, out->blocks--;
    free(block);
}

static void potentials(graze_context *context, const soup *s, const graze_proximity_result *near) {
    static double gradient[3 * SOUP_MAX][3];
    uint32_t count = s->mesh.vertex_count;
    graze_contact_list list = graze_default_contact_list();
    graze_csr csr = graze_default_csr();
    graze_potential_sums sums = graze_default_potential_sums();
    graze_potential_options options = graze_default_potential_options();
    options.distance = 0.1;
    sums.gradient = gradient;
    sums.hessian = &csr;
    CHECK(graze_contacts_make(context, near->pairs, near->pair_count, AT(s->x0), AT(s->x0), count, 0, &list) ==
          GRAZE_OK);
    CHECK(graze_csr_make(context, list.contacts, list.count, count, &csr) == GRAZE_OK);
    CHECK(graze_contact_sums(context, list.contacts, list.count, AT(s->x0), count, &options, &sums) == GRAZE_OK);
    graze_csr_release(context, &csr);
    graze_contacts_release(context, &list);
}

static void iterate(graze_context *context, const soup *s) {
    static double each[3 * SOUP_MAX];
    graze_proximity_options options = graze_default_proximity_options();
    graze_proximity_result near = graze_default_proximity_result();
    graze_step_result step = graze_default_step_result();
    graze_pair *pairs = NULL;
    size_t count = 0;
    CHECK(graze_candidates(context, &s->mesh, AT(s->x0), AT(s->x1), NULL, &pairs, &count) == GRAZE_OK);
    CHECK(graze_earliest_of_pairs(context, &s->mesh, AT(s->x0), AT(s->x1), pairs, count, NULL, &step) == GRAZE_OK);
    options.vertex_distance = each;
    CHECK(graze_proximity(context, &s->mesh, AT(s->x0), 0.1, &options, &near) == GRAZE_OK);
    CHECK(near.pair_count > 0 && count > 0);
    potentials(context, s, &near);
    graze_proximity_release(context, &near);
    graze_step_release(context, &step);
    graze_pairs_release(context, pairs, count);
}

/* Calls that are refused give back as much. */
static void refuse(graze_context *context, soup *s) {
    graze_proximity_result near = graze_default_proximity_result();
    graze_pair pair = {GRAZE_VF, UINT32_MAX, 0};
    graze_step_result step = graze_default_step_result();
    double was = s->x0[0][0];
    CHECK(graze_proximity(context, &s->mesh, AT(s->x0), -1, NULL, &near) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_earliest_of_pairs(context, &s->mesh, AT(s->x0), AT(s->x1), &pair, 1, NULL, &step) ==
          GRAZE_ERR_BAD_INDEX);
    s->x0[0][0] = NAN;
    CHECK(graze_proximity(context, &s->mesh, AT(s->x0), 0.1, NULL, &near) == GRAZE_ERR_NOT_FINITE);
    s->x0[0][0] = was;
}

TEST(ten_thousand_calls_hold_no_more_memory_than_the_first) {
    static soup s;
    counted out = {0}, held = {0};
    graze_context *context;
    graze_context_options options = graze_default_context_options();
    options.threads = 1;
    options.backend = GRAZE_BACKEND_CPU;
    options.allocator = (graze_allocator){count_out, count_back, &out};
    CHECK(graze_context_create(&options, &context) == GRAZE_OK);
    soup_make(&s, context, SOUP_UNIFORM, 12, 5);
    for (int i = 0; i < CALLS; i++) {
        if (i == WARM) held = out;
        iterate(context, &s);
        refuse(context, &s);
        if (i < WARM) continue;
        CHECK_MSG(out.bytes == held.bytes && out.blocks == held.blocks,
                  "call %d: %zu bytes in %zu blocks, %zu in %zu before", i, out.bytes, out.blocks, held.bytes,
                  held.blocks);
    }
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
    CHECK(out.bytes == 0 && out.blocks == 0);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
