/* Callbacks that answer through memory: one that writes no answer ends the call, whatever was in its register. */
#include "soup.h"

#define POSITIONS(s) (const double(*)[3])(s)->x0, (const double(*)[3])(s)->x1

typedef struct asked_count {
    int calls, lost; /* the call that writes nothing; −1: none */
} asked_count;

static void ask_filter(void *user, graze_kind kind, uint32_t a, uint32_t b, int32_t *answer) {
    asked_count *count = user;
    (void)kind, (void)a, (void)b;
    CHECK(*answer == -1);
    if (count->calls++ != count->lost) *answer = 1;
}

static void ask_energy(void *user, const double (*x)[3], double *answer) {
    asked_count *count = user;
    CHECK(*answer == -INFINITY);
    if (count->calls++ != count->lost) *answer = x[0][2] - count->calls;
}

static void ask_write(void *user, const char *text, size_t size, int32_t *answer) {
    asked_count *count = user;
    CHECK(*answer == -1 && text && size);
    if (count->calls++ != count->lost) *answer = 0;
}

static graze_step_result filtered_step(graze_context *context, soup *s, asked_count *count, graze_status expected) {
    graze_asked_filter asked = {ask_filter, count};
    graze_step_result result = graze_default_step_result();
    graze_mesh mesh = s->mesh;
    mesh.filter = graze_ask_filter;
    mesh.filter_user = &asked;
    CHECK(graze_step(context, &mesh, POSITIONS(s), NULL, &result) == expected);
    return result;
}

TEST(a_filter_that_writes_no_answer_ends_the_step) {
    static soup s;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 40, 11);
    graze_step_result plain = graze_default_step_result();
    CHECK(graze_step(context, &s.mesh, POSITIONS(&s), NULL, &plain) == GRAZE_OK);
    asked_count all = {0, -1};
    graze_step_result same = filtered_step(context, &s, &all, GRAZE_OK);
    CHECK(plain.verdict == GRAZE_HIT && same.verdict == plain.verdict && same.toi == plain.toi && all.calls > 3);
    for (int lost = 0; lost < all.calls; lost++) {
        asked_count count = {0, lost};
        graze_step_result closed = filtered_step(context, &s, &count, GRAZE_ERR_CALLBACK);
        CHECK(closed.verdict == GRAZE_UNRESOLVED && closed.toi == 0);
    }
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

TEST(an_energy_that_writes_no_answer_ends_the_line_search) {
    static soup s;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 10, 12);
    memcpy(s.x1, s.x0, sizeof s.x1);
    for (int lost = -1; lost < 2; lost++) {
        asked_count count = {0, lost};
        graze_asked_energy asked = {ask_energy, &count};
        graze_line_search_result r = graze_default_line_search_result();
        graze_status status = graze_line_search(context, &s.mesh, POSITIONS(&s), graze_ask_energy, &asked, NULL, &r);
        CHECK(status == (lost < 0 ? GRAZE_OK : GRAZE_ERR_CALLBACK));
        CHECK(r.alpha == (lost < 0 ? 1 : 0) && count.calls == (lost < 0 ? 2 : lost + 1));
    }
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

TEST(a_writer_that_writes_no_answer_ends_the_certificate) {
    static const double vertices[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint32_t faces[1][3] = {{0, 1, 2}};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    graze_link_mesh mesh = graze_default_link_mesh();
    mesh.vertex_count = 3;
    mesh.face_count = 1;
    mesh.vertices = vertices;
    mesh.faces = faces;
    graze_model *models[2];
    for (int i = 0; i < 2; i++) {
        graze_link link = graze_default_link();
        link.joint = GRAZE_JOINT_PRISMATIC;
        link.origin.position[2] = i;
        link.axis[0] = 1;
        link.axis[2] = 0;
        link.meshes = &mesh;
        link.mesh_count = 1;
        CHECK(graze_model_create(context, &link, 1, &models[i]) == GRAZE_OK);
    }
    double there = 1;
    graze_motion motions[2] = {graze_default_motion(), graze_default_motion()};
    motions[0].to = &there;
    for (int lost = -1; lost < 1; lost++) {
        asked_count count = {0, lost};
        graze_asked_write asked = {ask_write, &count};
        graze_articulated_result result = graze_default_articulated_result();
        graze_status status = graze_articulated_certificate(context, (const graze_model *const *)models, 2, motions, 1,
                                                            NULL, graze_ask_write, &asked, &result);
        CHECK(status == (lost < 0 ? GRAZE_OK : GRAZE_ERR_CALLBACK) && count.calls > 0);
        CHECK((result.verdict == GRAZE_CLEAR) == (lost < 0));
    }
    for (int i = 0; i < 2; i++) graze_model_destroy(context, models[i]);
    graze_context_destroy(context);
}

static void ask_world(void *user, uint32_t body_a, uint32_t link_a, uint32_t body_b, uint32_t link_b,
                      double *separation, int32_t *answer) {
    asked_count *count = user;
    CHECK(*answer == -1 && *separation == 0 && body_a < body_b && link_a == 0 && link_b == 0);
    if (count->calls++ != count->lost) *answer = GRAZE_PAIR_SKIP;
}

TEST(a_filter_of_a_world_that_writes_no_answer_ends_the_making_of_it) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    static const double vertices[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint32_t faces[1][3] = {{0, 1, 2}};
    graze_link_mesh mesh = graze_default_link_mesh();
    mesh.vertices = vertices, mesh.vertex_count = 3, mesh.faces = faces, mesh.face_count = 1;
    graze_link link = graze_default_link();
    link.joint = GRAZE_JOINT_PRISMATIC;
    link.meshes = &mesh, link.mesh_count = 1;
    graze_model *model;
    CHECK(graze_model_create(context, &link, 1, &model) == GRAZE_OK);
    graze_body bodies[3] = {graze_default_body(), graze_default_body(), graze_default_body()};
    for (int i = 0; i < 3; i++) bodies[i].model = model;
    for (int lost = -1; lost < 3; lost++) {
        asked_count count = {0, lost};
        graze_asked_world_filter asked = {ask_world, &count};
        graze_world_options options = graze_default_world_options();
        options.filter = graze_ask_world_filter;
        options.filter_user = &asked;
        graze_world *world;
        CHECK(graze_world_create(context, bodies, 3, &options, &world) == (lost < 0 ? GRAZE_OK : GRAZE_ERR_CALLBACK));
        CHECK((world != NULL) == (lost < 0) && count.calls == (lost < 0 ? 3 : lost + 1));
        graze_world_release(world);
    }
    graze_model_destroy(context, model);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
