/* Links, meshes and motions of callers that know fewer or more fields than the library does, in arrays. */
#include "articulated/given.h"
#include "base/sizes.h"
#include "bodies.h"

#include <string.h>

#define SURPLUS 24
enum { LINKS = 2, MESHES = 2, MODELS = 2, PATHS = 3 };

/* As a later version has them: SURPLUS bytes more than the library knows. */
typedef struct later_mesh {
    graze_link_mesh known;
    unsigned char surplus[SURPLUS];
} later_mesh;
typedef struct later_link {
    graze_link known;
    unsigned char surplus[SURPLUS];
} later_link;
typedef struct later_motion {
    graze_motion known;
    unsigned char surplus[SURPLUS];
} later_motion;

/* An arm of two links, each of two boxes, and a post that stands in its way. */
typedef struct arms {
    test_box box;
    graze_link_mesh meshes[LINKS][MESHES];
    later_mesh later_meshes[LINKS][MESHES];
    graze_link links[LINKS];
    later_link later_links[LINKS];
    double to[PATHS][LINKS];
    graze_motion motions[PATHS][MODELS];
    later_motion later_motions[PATHS][MODELS];
} arms;

static void make_link(arms *s, int i) {
    for (int k = 0; k < MESHES; k++) {
        s->meshes[i][k] = test_mesh_of(&s->box);
        s->meshes[i][k].origin.position[0] = 0.3 * k;
        graze_init_link_mesh(&s->later_meshes[i][k].known, sizeof(later_mesh));
        s->later_meshes[i][k].known = s->meshes[i][k];
        s->later_meshes[i][k].known.struct_size = sizeof(later_mesh);
    }
    s->links[i] = test_link(i - 1, GRAZE_JOINT_REVOLUTE, test_frame(i, 0, 0), s->meshes[i]);
    s->links[i].mesh_count = MESHES;
    graze_init_link(&s->later_links[i].known, sizeof(later_link));
    s->later_links[i].known = s->links[i];
    s->later_links[i].known.struct_size = sizeof(later_link);
    s->later_links[i].known.meshes = &s->later_meshes[i][0].known;
}

static void make_arms(arms *s) {
    memset(s, 0, sizeof *s);
    s->box = test_box_of(0.2, 0.1, 0.1);
    for (int i = 0; i < LINKS; i++) make_link(s, i);
    for (int p = 0; p < PATHS; p++)
        for (int m = 0; m < MODELS; m++) {
            s->to[p][0] = 0.5 + p;
            s->to[p][1] = 0.25 * p;
            s->motions[p][m] = m ? graze_default_motion() : test_motion(NULL, s->to[p]);
            graze_init_motion(&s->later_motions[p][m].known, sizeof(later_motion));
            s->later_motions[p][m].known = s->motions[p][m];
            s->later_motions[p][m].known.struct_size = sizeof(later_motion);
        }
}

/* The answers of the three calls for one array of motions. */
typedef struct answers {
    graze_articulated_result step, batch[PATHS];
    graze_link_distance distance;
} answers;

static int ignore_text(void *user, const char *text, size_t size) {
    (void)user, (void)text, (void)size;
    return 0;
}

static graze_status ask(graze_context *context, const graze_model *const *models, const graze_motion *motions,
                        answers *a) {
    a->step = graze_default_articulated_result();
    a->distance = graze_default_link_distance();
    for (int p = 0; p < PATHS; p++) a->batch[p] = graze_default_articulated_result();
    graze_status step = graze_articulated_step(context, models, MODELS, motions, NULL, &a->step);
    graze_status distance = graze_articulated_distance(context, models, MODELS, motions, NULL, &a->distance);
    graze_status proof =
        graze_articulated_certificate(context, models, MODELS, motions, PATHS, NULL, ignore_text, NULL, a->batch);
    graze_status batch = graze_articulated_batch(context, models, MODELS, motions, PATHS, NULL, a->batch);
    CHECK(step != GRAZE_OK || (distance == GRAZE_OK && proof == batch));
    return batch;
}

static bool says(graze_context *context, const char *words, uint64_t index) {
    graze_error error;
    CHECK(graze_context_last_error(context, &error) == GRAZE_OK);
    CHECK_MSG(strstr(error.message, words) == error.message && strstr(error.message, "struct_size"), "%s",
              error.message);
    return error.index == index;
}

TEST(longer_links_meshes_and_motions_give_the_answers_of_plain_ones) {
    static arms s;
    make_arms(&s);
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    graze_model *plain = NULL, *later = NULL;
    graze_model *post = test_body(context, GRAZE_JOINT_FIXED, test_frame(0.5, 1.2, 0), &s.box);
    CHECK(graze_model_create(context, s.links, LINKS, &plain) == GRAZE_OK);
    CHECK(graze_model_create(context, &s.later_links[0].known, LINKS, &later) == GRAZE_OK);
    const graze_model *a[2] = {plain, post}, *b[2] = {later, post};
    answers of_plain, of_later;
    CHECK(ask(context, a, &s.motions[0][0], &of_plain) == GRAZE_OK);
    CHECK(ask(context, b, &s.later_motions[0][0].known, &of_later) == GRAZE_OK);
    CHECK(of_plain.step.toi == of_later.step.toi && of_plain.distance.upper == of_later.distance.upper);
    for (int p = 0; p < PATHS; p++)
        CHECK(of_plain.batch[p].verdict == of_later.batch[p].verdict && of_plain.batch[p].toi == of_later.batch[p].toi);
    CHECK(of_plain.batch[0].verdict == GRAZE_CLEAR && of_plain.batch[2].verdict == GRAZE_HIT);
    CHECK(graze_model_attach(context, later, &s.later_links[1].known) == GRAZE_OK && graze_model_links(later) == 3);
    graze_model_destroy(context, plain);
    graze_model_destroy(context, later);
    graze_model_destroy(context, post);
    graze_context_destroy(context);
}

static graze_status create_later(graze_context *context, arms *s) {
    graze_model *model = NULL;
    graze_status status = graze_model_create(context, &s->later_links[0].known, LINKS, &model);
    graze_model_destroy(context, model);
    CHECK((status == GRAZE_OK) == (model != NULL));
    return status;
}

TEST(a_field_that_the_library_does_not_know_is_refused_and_its_struct_named) {
    static arms s;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    graze_model *arm = NULL;
    make_arms(&s);
    CHECK(graze_model_create(context, s.links, LINKS, &arm) == GRAZE_OK);
    const graze_model *models[2] = {arm, arm};
    for (int i = 0; i < LINKS; i++) {
        char words[40];
        make_arms(&s);
        s.later_links[i].surplus[SURPLUS - 1] = 1;
        snprintf(words, sizeof words, "link %d: ", i);
        CHECK(create_later(context, &s) == GRAZE_ERR_INVALID_ARGUMENT && says(context, words, (uint64_t)i));
        for (int k = 0; k < MESHES; k++) {
            make_arms(&s);
            s.later_meshes[i][k].surplus[0] = 1;
            snprintf(words, sizeof words, "link %d: mesh %d: ", i, k);
            CHECK(create_later(context, &s) == GRAZE_ERR_INVALID_ARGUMENT && says(context, words, (uint64_t)i));
        }
    }
    for (int p = 0; p < PATHS * MODELS; p++) {
        char words[40];
        answers a;
        make_arms(&s);
        s.later_motions[p / MODELS][p % MODELS].surplus[0] = 1;
        snprintf(words, sizeof words, "motion %d: ", p);
        CHECK(ask(context, models, &s.later_motions[0][0].known, &a) == GRAZE_ERR_INVALID_ARGUMENT);
        CHECK(says(context, words, (uint64_t)p));
        for (int i = 0; i < PATHS; i++) CHECK(a.batch[i].verdict == GRAZE_UNRESOLVED && a.batch[i].toi == 0);
    }
    graze_model_destroy(context, arm);
    graze_context_destroy(context);
}

/* 0 as in a struct that was not filled, one field too few, and what no struct has. */
TEST(sizes_that_cannot_be_are_refused_and_named) {
    static arms s;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    graze_model *arm = NULL, *wrong = NULL;
    make_arms(&s);
    CHECK(graze_model_create(context, s.links, LINKS, &arm) == GRAZE_OK);
    const graze_model *models[2] = {arm, arm};
    for (int i = 0; i < 2; i++) {
        const size_t motion_sizes[] = {0, GZ_SIZE_UP_TO(graze_motion, screws) - 8, 1048584, SIZE_MAX};
        const size_t link_sizes[] = {0, sizeof(graze_link) - 8, 1048584, SIZE_MAX};
        const size_t mesh_sizes[] = {0, GZ_SIZE_UP_TO(graze_link_mesh, scale) - 8, 1048584, SIZE_MAX};
        for (int k = 0; k < 4; k++) {
            answers a;
            make_arms(&s);
            s.motions[0][i].struct_size = motion_sizes[k];
            s.links[i].struct_size = link_sizes[k];
            CHECK(ask(context, models, &s.motions[0][0], &a) == GRAZE_ERR_INVALID_ARGUMENT);
            CHECK(says(context, i ? "motion 1: " : "motion 0: ", (uint64_t)i));
            CHECK(a.step.verdict == GRAZE_UNRESOLVED && a.step.toi == 0 && a.distance.lower == 0);
            CHECK(graze_model_create(context, s.links, LINKS, &wrong) == GRAZE_ERR_INVALID_ARGUMENT && !wrong);
            CHECK(says(context, i ? "link 1: " : "link 0: ", (uint64_t)i));
            make_arms(&s);
            s.meshes[1][i].struct_size = mesh_sizes[k];
            CHECK(graze_model_create(context, s.links, LINKS, &wrong) == GRAZE_ERR_INVALID_ARGUMENT && !wrong);
            CHECK(says(context, i ? "link 1: mesh 1: " : "link 1: mesh 0: ", 1));
        }
    }
    graze_link unfilled = {.parent = 0};
    CHECK(graze_model_attach(context, arm, &unfilled) == GRAZE_ERR_INVALID_ARGUMENT && says(context, "link 0: ", 0));
    CHECK(graze_model_links(arm) == LINKS);
    graze_model_destroy(context, arm);
    graze_context_destroy(context);
}

TEST(an_element_of_another_size_than_the_first_is_refused_and_named) {
    static arms s;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    graze_model *arm = NULL;
    answers a;
    make_arms(&s);
    CHECK(graze_model_create(context, s.links, LINKS, &arm) == GRAZE_OK);
    const graze_model *models[2] = {arm, arm};
    s.later_motions[0][1].known.struct_size = sizeof(graze_motion);
    CHECK(ask(context, models, &s.later_motions[0][0].known, &a) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(says(context, "motion 1: ", 1));
    s.later_links[1].known.struct_size = sizeof(graze_link);
    CHECK(create_later(context, &s) == GRAZE_ERR_INVALID_ARGUMENT && says(context, "link 1: ", 1));
    make_arms(&s);
    s.later_meshes[0][1].known.struct_size = sizeof(graze_link_mesh);
    CHECK(create_later(context, &s) == GRAZE_ERR_INVALID_ARGUMENT && says(context, "link 0: mesh 1: ", 0));
    graze_model_destroy(context, arm);
    graze_context_destroy(context);
}

TEST(a_batch_of_no_paths_reads_no_size) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    size_t nothing = SIZE_MAX;
    graze_articulated_result *results = (graze_articulated_result *)(void *)&nothing;
    CHECK(graze_articulated_batch(context, NULL, 0, NULL, 0, NULL, results) == GRAZE_OK && nothing == SIZE_MAX);
    graze_context_destroy(context);
}

/* A library that knows one field more than its callers. */
typedef struct longer_motion {
    graze_motion known;
    double later;
} longer_motion;

TEST(what_an_older_caller_lacks_has_its_default_in_every_element) {
    static const gz_sized_kind kind = {"motion", sizeof(longer_motion), GZ_SIZE_UP_TO(graze_motion, screws)};
    double values[4];
    graze_motion given[4];
    for (int i = 0; i < 4; i++) given[i] = test_motion(&values[i], NULL);
    for (size_t i = 0; i < 4; i++) {
        longer_motion mine = {.later = 7};
        CHECK(gz_sized_read_at(NULL, &kind, i, &mine, given, i) == GRAZE_OK);
        CHECK(mine.known.from == &values[i] && mine.later == 7 && mine.known.struct_size == sizeof mine);
    }
}

TEST(options_that_end_before_check_inside_do_not_ask_for_it) {
    static arms s;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    make_arms(&s);
    test_box shell = test_box_of(2, 2, 2);
    graze_model *models[2] = {test_body(context, GRAZE_JOINT_FREE, test_frame(0, 0, 0), &s.box),
                              test_body(context, GRAZE_JOINT_FIXED, test_frame(0, 0, 0), &shell)};
    graze_motion still[2] = {graze_default_motion(), graze_default_motion()};
    graze_articulated_options options = graze_default_articulated_options();
    options.check_inside = 1;
    for (int older = 0; older < 2; older++) {
        graze_articulated_result r = graze_default_articulated_result();
        if (older) options.struct_size = GZ_SIZE_UP_TO(graze_articulated_options, interval_arithmetic);
        CHECK(graze_articulated_step(context, (const graze_model *const *)models, 2, still, &options, &r) == GRAZE_OK);
        CHECK(r.verdict == (older ? GRAZE_CLEAR : GRAZE_HIT));
    }
    for (int i = 0; i < 2; i++) graze_model_destroy(context, models[i]);
    graze_context_destroy(context);
}

TEST(contacts_lie_their_size_apart_and_end_with_zeros) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_box box = test_box_of(0.5, 0.5, 0.5);
    double to[6] = {3};
    graze_model *models[3] = {test_body(context, GRAZE_JOINT_FREE, test_frame(0, 0, 0), &box),
                              test_body(context, GRAZE_JOINT_FIXED, test_frame(1.5, 0, 0), &box),
                              test_body(context, GRAZE_JOINT_FIXED, test_frame(3, 0, 0), &box)};
    graze_motion motions[3] = {test_motion(NULL, to), graze_default_motion(), graze_default_motion()};
    graze_articulated_options options = graze_default_articulated_options();
    options.mode = GRAZE_ARTICULATED_ALL;
    graze_articulated_result r = graze_default_articulated_result();
    CHECK(graze_articulated_step(context, (const graze_model *const *)models, 3, motions, &options, &r) == GRAZE_OK);
    CHECK(r.contact_count == 2 && r.contact_size == sizeof(graze_link_contact));
    const double zeros[8] = {0};
    for (size_t i = 0; i < r.contact_count; i++) {
        graze_link_contact contact;
        memcpy(&contact, (const char *)r.contacts + i * r.contact_size, sizeof contact);
        CHECK(contact.model_a + contact.model_b == i + 1 &&
              memcmp(contact.reserved, zeros, sizeof contact.reserved) == 0);
    }
    graze_articulated_release(context, &r);
    for (int i = 0; i < 3; i++) graze_model_destroy(context, models[i]);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
