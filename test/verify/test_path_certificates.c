/* Certificates of free paths: what the library proves is accepted; whatever is changed, nothing false is. */
#include "failing.h"
#include "verify/path_files.h"
#include "verify/path_reader.h"

/* ---- what is proven is accepted ---- */

TEST(proofs_of_random_free_motions_are_accepted) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {1};
    int clear = 0, hit = 0, split = 0;
    unsigned kinds = 0;
    for (int i = 0; i < 300; i++) {
        path_scene_maker maker;
        path_file file;
        graze_articulated_result result;
        verify_path_report report;
        char message[VERIFY_TEXT] = "";
        maker_make(&maker, context, &random);
        if (maker_certify(&maker, &file, &result)) {
            int status = path_file_status(&file, &report, message);
            CHECK_MSG(status == 0, "scene %d: %s%s %s", i, message, report.name, report.reason);
            CHECK(report.pairs == result.pairs_tested && report.paths == 1);
            CHECK(report.separation == maker.options.min_separation && report.t_max == maker.options.t_max);
            clear++;
            split += report.windows > report.pairs;
            kinds |= maker.kinds;
        } else {
            CHECK_MSG(result.verdict == GRAZE_HIT || file.size == 0 || result.reason == GRAZE_REASON_PRECISION,
                      "scene %d: %s", i, graze_reason_name(result.reason));
            CHECK_MSG(file.size == 0 || result.verdict != GRAZE_UNRESOLVED, "scene %d has no written proof: %s", i,
                      graze_reason_name(result.reason));
            hit++;
        }
        free(file.bytes);
        maker_free(&maker);
    }
    printf("    %d clear (%d with time split), %d not\n", clear, split, hit);
    CHECK(clear > 60 && hit > 60 && split > 20 && kinds == 0x7f);
    graze_context_destroy(context);
}

TEST(the_text_does_not_depend_on_threads) {
    test_random random = {7}, again = {7};
    graze_context *one = test_context(1, GRAZE_ISA_AUTO), *two = test_context(2, GRAZE_ISA_AUTO);
    for (int i = 0; i < 40; i++) {
        path_scene_maker maker, twin;
        path_file file, other;
        graze_articulated_result result;
        maker_make(&maker, one, &random);
        maker_make(&twin, two, &again);
        bool clear = maker_certify(&maker, &file, &result);
        CHECK(maker_certify(&twin, &other, &result) == clear);
        CHECK(file.size == other.size && (!file.size || memcmp(file.bytes, other.bytes, file.size) == 0));
        free(file.bytes);
        free(other.bytes);
        maker_free(&maker);
        maker_free(&twin);
    }
    graze_context_destroy(one);
    graze_context_destroy(two);
}

/* One scene at every size that coordinates may have: numbers with exponents are read back as they are. */
TEST(models_of_every_size_are_accepted) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    static const double sizes[] = {1e-100, 0x1p-60, 1e-9, 1, 1e5, 1e20, 1e22, 1.5e30, 0x1p150};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        double size = sizes[i], from = 0, to = 2 * size;
        test_box box = test_box_of(0.5 * size, 0.5 * size, size);
        graze_model *models[2] = {test_body(context, GRAZE_JOINT_PRISMATIC, test_frame(0, size, 0), &box),
                                  test_body(context, GRAZE_JOINT_FIXED, test_frame(0, -0.25 * size, size), &box)};
        graze_motion motions[2] = {test_motion(&from, &to), graze_default_motion()};
        graze_articulated_options options = graze_default_articulated_options();
        graze_articulated_result result = graze_default_articulated_result();
        path_file file = {0};
        verify_path_report report = {0};
        char message[VERIFY_TEXT] = "";
        options.min_separation = 0.125 * size;
        CHECK(graze_articulated_certificate(context, (const graze_model *const *)models, 2, motions, 1, &options,
                                            path_file_write, &file, &result) == GRAZE_OK);
        CHECK_MSG(result.verdict == GRAZE_CLEAR && path_file_status(&file, &report, message) == 0, "size %g: %s%s",
                  size, message, report.reason);
        CHECK(report.separation == options.min_separation);
        free(file.bytes);
        for (int m = 0; m < 2; m++) graze_model_destroy(context, models[m]);
    }
    graze_context_destroy(context);
}

/* ---- a rod that swings and a plate ---- */

/* A rod of one meter turns about z from 0 to `angle`; a thin plate stands in its way at half a circle. */
typedef struct swing {
    graze_context *context;
    graze_model *models[2];
    double from, to;
    graze_motion motions[2];
    graze_articulated_options options;
} swing;

static void swing_open(swing *s, double to, double plate_padding) {
    test_box rod = test_box_of(0.5, 0.02, 0.02), plate = test_box_of(0.2, 0.0005, 0.2);
    graze_link_mesh mesh = test_mesh_of(&rod), wall = test_mesh_of(&plate);
    mesh.origin = test_frame(0.5, 0, 0);
    graze_link arm = test_link(-1, GRAZE_JOINT_REVOLUTE, test_frame(0, 0, 0), &mesh);
    graze_link obstacle = test_link(-1, GRAZE_JOINT_FIXED, test_frame(-0.9, 0, 0), &wall);
    obstacle.padding = plate_padding;
    *s = (swing){.context = test_context(1, GRAZE_ISA_AUTO), .to = to};
    s->options = graze_default_articulated_options();
    CHECK(graze_model_create(s->context, &arm, 1, &s->models[0]) == GRAZE_OK);
    CHECK(graze_model_create(s->context, &obstacle, 1, &s->models[1]) == GRAZE_OK);
    s->motions[0] = test_motion(&s->from, &s->to);
    s->motions[1] = graze_default_motion();
}

static void swing_close(swing *s) {
    for (int m = 0; m < 2; m++) graze_model_destroy(s->context, s->models[m]);
    graze_context_destroy(s->context);
}

static graze_verdict swing_certify(swing *s, path_file *file) {
    *file = (path_file){0};
    graze_articulated_result result = graze_default_articulated_result();
    CHECK(graze_articulated_certificate(s->context, (const graze_model *const *)s->models, 2, s->motions, 1,
                                        &s->options, path_file_write, file, &result) == GRAZE_OK);
    CHECK((result.verdict == GRAZE_CLEAR) == (file->size > 0));
    return result.verdict;
}

/* Replaces the first `from` after the place of `after`. */
static void edit(path_file *file, const char *after, const char *from, const char *by) {
    const char *place = strstr(file->bytes, after), *at = place ? strstr(place, from) : NULL;
    CHECK_MSG(at != NULL, "no %s after %s", from, after);
    if (at) path_file_replace(file, (size_t)(at - file->bytes), strlen(from), by);
}

static void expect(path_file *file, int wanted, const char *says) {
    verify_path_report report;
    char message[VERIFY_TEXT] = "";
    int status = path_file_status(file, &report, message);
    const char *why = status == 2 ? message : report.reason;
    CHECK_MSG(status == wanted && strstr(why, says), "%d in place of %d: %s", status, wanted, why);
}

/* At four times on the way the rod is clear of the plate, which it passes between two of them. */
TEST(a_path_that_sampling_finds_free_has_no_certificate) {
    swing s;
    path_file file;
    swing_open(&s, 6, 0);
    graze_link_distance distance = graze_default_link_distance();
    for (int i = 0; i <= 4; i++) {
        double at = 6.0 * i / 4;
        graze_motion stand[2] = {test_motion(&at, NULL), graze_default_motion()};
        CHECK(graze_articulated_distance(s.context, (const graze_model *const *)s.models, 2, stand, NULL, &distance) ==
              GRAZE_OK);
        CHECK(distance.lower > 0.01);
    }
    CHECK(swing_certify(&s, &file) == GRAZE_HIT);
    s.to = 3;
    CHECK(swing_certify(&s, &file) == GRAZE_CLEAR);
    expect(&file, 0, "");
    edit(&file, "\"paths\"", "\"to\":[3]", "\"to\":[6]"); /* the proof of the free half for the whole way */
    expect(&file, 1, "not apart");
    free(file.bytes);
    swing_close(&s);
}

TEST(separation_and_padding_count) {
    swing s;
    path_file file, changed;
    swing_open(&s, 3, 0.01);
    s.options.min_separation = 0.02;
    CHECK(swing_certify(&s, &file) == GRAZE_CLEAR);
    expect(&file, 0, "");
    changed = path_file_copy(&file);
    edit(&changed, "format", "\"separation\":0.02", "\"separation\":0.2");
    expect(&changed, 1, "not apart");
    free(changed.bytes);
    changed = path_file_copy(&file);
    edit(&changed, "format", "\"padding\":0.01", "\"padding\":0.2");
    expect(&changed, 1, "not apart");
    free(changed.bytes);
    free(file.bytes);
    swing_close(&s);
}

/* Two cubes that stand exactly the separation apart are in contact. */
TEST(exactly_the_separation_is_contact) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_box box = test_box_of(0.5, 0.5, 0.5);
    graze_model *models[2] = {test_body(context, GRAZE_JOINT_PRISMATIC, test_frame(0, 0, 0), &box),
                              test_body(context, GRAZE_JOINT_FIXED, test_frame(0, 0, 2), &box)};
    double from = -1, to = 0.5;
    graze_motion motions[2] = {test_motion(&from, &to), graze_default_motion()};
    for (int touching = 0; touching < 2; touching++) {
        graze_articulated_options options = graze_default_articulated_options();
        options.min_separation = touching ? 0.5 : 0.4999999999;
        path_file file = {0};
        graze_articulated_result result = graze_default_articulated_result();
        CHECK(graze_articulated_certificate(context, (const graze_model *const *)models, 2, motions, 1, &options,
                                            path_file_write, &file, &result) == GRAZE_OK);
        CHECK((result.verdict == GRAZE_CLEAR) == !touching);
        if (!touching) {
            expect(&file, 0, "");
            edit(&file, "format", "\"separation\":0.4999999999", "\"separation\":0.5");
            expect(&file, 1, "not apart");
        }
        free(file.bytes);
    }
    graze_model_destroy(context, models[0]);
    graze_model_destroy(context, models[1]);
    graze_context_destroy(context);
}

/* Half a meter apart, whatever the length of the direction that shows it. */
TEST(the_length_of_a_direction_does_not_count) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_box box = test_box_of(0.5, 0.5, 0.5);
    graze_model *models[2] = {test_body(context, GRAZE_JOINT_PRISMATIC, test_frame(0, 0, 0), &box),
                              test_body(context, GRAZE_JOINT_FIXED, test_frame(0, 0, 2), &box)};
    double from = -1, to = 0.5;
    graze_motion motions[2] = {test_motion(&from, &to), graze_default_motion()};
    graze_articulated_options options = graze_default_articulated_options();
    graze_articulated_result result = graze_default_articulated_result();
    path_file file = {0};
    options.min_separation = 0.25;
    CHECK(graze_articulated_certificate(context, (const graze_model *const *)models, 2, motions, 1, &options,
                                        path_file_write, &file, &result) == GRAZE_OK);
    static const char *const directions[] = {"(0,0,1)", "(0,0,-100)", "[0,0,1000000]"};
    for (int i = 0; i < 3; i++) {
        path_file changed = path_file_copy(&file);
        const char *proof = strstr(changed.bytes, "\"proof\":\"") + 9;
        path_file_replace(&changed, (size_t)(proof - changed.bytes), strcspn(proof, "\""), directions[i]);
        expect(&changed, 0, "");
        edit(&changed, "format", "\"separation\":0.25", "\"separation\":0.51");
        expect(&changed, 1, "not apart");
        free(changed.bytes);
    }
    free(file.bytes);
    for (int m = 0; m < 2; m++) graze_model_destroy(context, models[m]);
    graze_context_destroy(context);
}

/* ---- what is missing is noticed ---- */

TEST(what_is_left_out_or_added_is_noticed) {
    static const struct {
        const char *after, *from, *by;
        int status;
        const char *says;
    } edits[] = {
        {"\"proof\"", "\"proof\":\"", "\"proof\":\"x", 1, ""},
        {"\"proof\"", "\"}]}", "x\"}]}", 1, "goes on"},
        {"\"proof\"", "\"proof\":\"", "\"proof\":\"\\u0061", 1, "means nothing"},
        {"\"proof\"", "\"proof\":\"", "\"proof\":\"k", 1, "not given before"},
        {"\"proof\"", "\"proof\":\"", "\"proof\":\"(0,0,0)", 1, "zero"},
        {"\"proof\"", "\"proof\":\"", "\"proof\":\"(1,2)", 1, "three numbers"},
        {"\"proof\"", "\"proof\":\"", "\"proof\":\"(01,2,3)", 1, "whole"},
        {"\"proof\"", "\"proof\":\"", "\"proof\":\"(1,2,3]", 1, "three numbers"},
        {"\"paths\"", "\"pairs\":[\n{\"links\":[0,1]", "\"pairs\":[\n{\"links\":[1,0]", 2, "links 0 and 1"},
        {"\"skip\"", "\"skip\":[]", "\"skip\":[[0,1]]", 2, "after the last pair"},
        {"\"skip\"", "\"skip\":[]", "\"skip\":[[1,0]]", 2, "no pair"},
        {"\"skip\"", "\"skip\":[]", "\"skip\":[[0,0]]", 2, "no pair"},
        {"\"skip\"", "\"skip\":[]", "\"skip\":[[0,1],[0,1]]", 2, "not in order"},
        {"\"skip\"", "\"skip\":[]", "\"skip\":[],\"skip\":[]", 2, "expected \"paths\""},
        {"\"format\"", "\"t_max\":1", "\"t_max\":1,\"more\":1", 2, "expected \"models\""},
        {"\"format\"", "\"t_max\":1", "\"t_max\":2", 2, "t_max"},
        {"\"format\"", "\"t_max\":1", "\"t_max\":0", 2, "t_max"},
        {"\"format\"", "\"separation\":0", "\"separation\":-1", 2, "negative"},
        {"\"format\"", "path certificate 1", "path certificate 2", 2, "format"},
        {"\"joint\"", "\"revolute\"", "\"screw\"", 2, "joint"},
        {"\"joint\"", "\"revolute\"", "\"free\"", 2, "values"},
        {"\"models\"", "\"parent\":-1", "\"parent\":0", 2, "parent"},
        {"\"models\"", "\"parent\":-1", "\"parent\":-1,\"parent\":-1", 2, "expected \"joint\""},
        {"\"faces\"", "\"faces\":[[", "\"faces\":[[9999,0,1],[", 2, "range"},
        {"\"faces\"", "\"faces\":[[", "\"faces\":[[0.5,0,1],[", 2, "range"},
        {"\"motions\"", "\"to\":[3]", "\"to\":[3,3]", 2, "more than"},
        {"\"motions\"", "\"to\":[3]", "\"to\":[]", 2, "number"},
        {"\"motions\"", "\"to\":[3]", "\"to\":[1e400]", 2, "finite"},
        {"\"motions\"", "\"to\":[3]", "\"to\":[3e6]", 1, "2^20"},
        {"\"motions\"", "\"to\":[3]", "\"to\":[3],\"turns\":[]", 2, ""},
        {"\"motions\"", "\"to\":[3]", "\"to\":[3],\"screws\":[2]", 2, "range"},
        {"\"motions\"", "\"to\":[3]", "\"to\":[3],\"screws\":[0],\"turns\":[null]", 2, "last"},
        {"\"motions\"", "\"to\":[3]", "\"to\":[3],\"turns\":[null],\"turns\":[null]", 2, "twice"},
        {"\"motions\"", "\"to\":[3]", "\"to\":[3],\"screws\":[1]", 1, "screw"},
        {"\"axis\"", "\"axis\":[0,0,1]", "\"axis\":[0,0,0]", 1, "axis"},
        {"\"rotation\"", "\"rotation\":[1,0,0,0]", "\"rotation\":[0,0,0,0]", 1, "rotation"},
        {"\"paths\"", "\n]}\n", "\n]}\n{}", 2, "follows"},
    };
    swing s;
    path_file file;
    swing_open(&s, 3, 0);
    CHECK(swing_certify(&s, &file) == GRAZE_CLEAR);
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        path_file changed = path_file_copy(&file);
        edit(&changed, edits[i].after, edits[i].from, edits[i].by);
        expect(&changed, edits[i].status, edits[i].says);
        free(changed.bytes);
    }
    for (size_t size = 0; size < file.size - 1; size += 1 + size / 50) { /* the last byte is a newline */
        path_file cut = {0};
        path_file_write(&cut, file.bytes, size);
        expect(&cut, 2, "");
        free(cut.bytes);
    }
    free(file.bytes);
    swing_close(&s);
}

/* Takes letter `at` out of the text, and says what becomes of it. */
static int status_without(const path_file *file, size_t at) {
    verify_path_report report;
    char message[VERIFY_TEXT];
    path_file changed = path_file_copy(file);
    path_file_replace(&changed, at, 1, "");
    int status = path_file_status(&changed, &report, message);
    free(changed.bytes);
    return status;
}

/* A letter of a proof less is a part of the triangles, or of time, less. */
TEST(every_letter_of_a_proof_is_needed) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {3};
    int letters = 0, of_time = 0;
    for (int i = 0; i < 200 && (letters < 400 || of_time < 20); i++) {
        path_scene_maker maker;
        path_file file;
        graze_articulated_result result;
        maker_make(&maker, context, &random);
        const char *proof = maker_certify(&maker, &file, &result) ? strstr(file.bytes, "\"proof\":\"") : NULL;
        for (; proof; proof = strstr(proof, "\"proof\":\"")) {
            proof += 9;
            size_t length = strcspn(proof, "\"");
            for (size_t k = 0; k < length && k < 8; k++) {
                size_t at = test_random_below(&random, length);
                if (!strchr("abtxyzkXYZK", proof[at])) continue;
                CHECK(status_without(&file, (size_t)(proof - file.bytes) + at) == 1);
                letters++;
                of_time += proof[at] == 't';
            }
        }
        free(file.bytes);
        maker_free(&maker);
    }
    CHECK_MSG(letters >= 400 && of_time >= 20, "%d letters, %d of them t", letters, of_time);
    graze_context_destroy(context);
}

/* ---- forgeries ---- */

static long forgeries_wanted(void) {
    const char *asked = getenv("GRAZE_FORGERIES");
    return asked ? atol(asked) : 1500;
}

static bool is_of_number(char c) { return c && strchr("0123456789.e+-", c); }

/* A number of the text from `first` on. */
static void change_number_after(path_file *in, test_random *random, size_t first) {
    size_t at = first + test_random_below(random, in->size - first), length = 0;
    while (at < in->size && !(is_of_number(in->bytes[at]) && in->bytes[at] != 'e')) at++;
    while (at > 0 && is_of_number(in->bytes[at - 1]) && in->bytes[at - 1] != 'e') at--;
    while (is_of_number(in->bytes[at + length])) length++;
    double x = strtod(in->bytes + at, NULL);
    switch (test_random_below(random, 8)) {
    case 0: x = -x; break;
    case 1: x = 0; break;
    case 2: x += test_random_between(random, -0.5, 0.5); break;
    case 3: x *= 1 + test_random_between(random, -0.5, 0.5); break;
    case 4: x = floor(x) + (double)test_random_below(random, 3) - 1; break;
    case 5: x = test_random_between(random, -2, 2); break;
    default: x *= test_random_between(random, -6, 6); break;
    }
    char by[64];
    snprintf(by, sizeof by, "%.17g", x);
    if (length) path_file_replace(in, at, length, by);
}

static void change_number(path_file *in, test_random *random) { change_number_after(in, random, 0); }

/* Some number of the motions. */
static void change_motion(path_file *in, test_random *random) {
    const char *motions = strstr(in->bytes, "\"motions\""), *pairs = motions ? strstr(motions, "\"pairs\"") : NULL;
    if (!pairs) return;
    size_t first = (size_t)(motions - in->bytes) + test_random_below(random, (size_t)(pairs - motions));
    path_file head = {0};
    path_file_write(&head, in->bytes, (size_t)(pairs - in->bytes));
    path_file tail = {0};
    path_file_write(&tail, pairs, in->size - (size_t)(pairs - in->bytes));
    change_number_after(&head, random, first);
    path_file_write(&head, tail.bytes, tail.size);
    free(tail.bytes);
    free(in->bytes);
    *in = head;
}

/* Letters of proofs, digits and brackets. */
static void change_byte(path_file *in, test_random *random) {
    static const char usual[] = "abtxyzkXYZK([,])0123456789-{}\":";
    size_t at = test_random_below(random, in->size);
    char by[2] = {usual[test_random_below(random, sizeof usual - 1)], '\0'};
    path_file_replace(in, at, test_random_below(random, 3) > 0, test_random_below(random, 3) ? by : "");
}

/* Somewhere in the proofs one text in place of another of the same kind. */
static void swap_proofs(path_file *in, test_random *random) {
    const char *start = strstr(in->bytes, "\"paths\"");
    size_t offset = (size_t)(start - in->bytes), rest = in->size - offset;
    const char *from = strstr(start + test_random_below(random, rest), "\"proof\":\"");
    const char *by = strstr(start + test_random_below(random, rest), "\"proof\":\"");
    if (!from || !by) return;
    from += 9;
    by += 9;
    char text[4000];
    size_t length = strcspn(by, "\"");
    if (length >= sizeof text) return;
    memcpy(text, by, length);
    text[length] = '\0';
    path_file_replace(in, (size_t)(from - in->bytes), strcspn(from, "\""), text);
}

TEST(no_path_is_accepted_on_which_links_touch) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {11};
    long made = 0, accepted = 0, rejected = 0, unread = 0, touching = 0;
    while (made < forgeries_wanted()) {
        path_scene_maker maker;
        path_file file;
        graze_articulated_result result;
        maker_make(&maker, context, &random);
        bool clear = maker_certify(&maker, &file, &result);
        for (int k = 0; clear && k < 30; k++, made++) {
            path_file changed = path_file_copy(&file);
            for (uint64_t left = 1 + test_random_below(&random, 3); left > 0; left--) {
                uint64_t how = test_random_below(&random, 9);
                (how < 5   ? change_motion
                 : how < 7 ? change_number
                 : how < 8 ? change_byte
                           : swap_proofs)(&changed, &random);
            }
            verify_path_report report;
            char message[VERIFY_TEXT] = "";
            int status = path_file_status(&changed, &report, message);
            CHECK(status == 0 || (status == 1 ? report.reason[0] : message[0]));
            bool touches = status < 2 && path_reader_finds_contact(context, changed.bytes);
            CHECK_MSG(status > 0 || !touches, "accepted, but links touch:\n%s", changed.bytes);
            accepted += status == 0;
            rejected += status == 1;
            unread += status == 2;
            touching += status == 1 && touches;
            free(changed.bytes);
        }
        free(file.bytes);
        maker_free(&maker);
    }
    printf("    %ld certificates: %ld accepted, %ld rejected (%ld of them touch), %ld not read\n", made, accepted,
           rejected, touching, unread);
    CHECK(accepted > made / 20 && rejected > made / 20 && unread > made / 20 && touching > made / 200);
    graze_context_destroy(context);
}

/* Up to shortly before they touch there is a proof: it is not one of the whole way. */
TEST(a_proof_of_the_free_part_is_none_of_the_whole_way) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {17};
    int parts = 0;
    for (int i = 0; i < 300; i++) {
        path_scene_maker maker;
        path_file file;
        graze_articulated_result result;
        maker_make(&maker, context, &random);
        bool hit = !maker_certify(&maker, &file, &result) && result.verdict == GRAZE_HIT && result.contact.proven;
        double whole = maker.options.t_max, toi = result.toi;
        maker.options.t_max = 0.9 * toi;
        if (hit && toi > 0.01 && maker_certify(&maker, &file, &result)) {
            char said[100];
            const char *at = strstr(file.bytes, "\"t_max\":") + 8;
            expect(&file, 0, "");
            snprintf(said, sizeof said, "%.17g", whole);
            path_file_replace(&file, (size_t)(at - file.bytes), strcspn(at, ","), said);
            expect(&file, 1, "not apart");
            CHECK(path_reader_finds_contact(context, file.bytes));
            parts++;
        }
        free(file.bytes);
        maker_free(&maker);
    }
    CHECK_MSG(parts > 20, "%d", parts);
    graze_context_destroy(context);
}

/* A complete text by chance, for links that touch: letters until all is covered. */
static void invent(test_random *random, size_t faces_a, size_t faces_b, int depth, path_file *to) {
    static const char *const directions[] = {"x", "y", "z", "X", "Y", "Z"};
    uint64_t how = test_random_below(random, 4);
    char text[64];
    if (how == 0 && faces_a > 1 && depth < 12) {
        path_file_write(to, "a", 1);
        invent(random, faces_a / 2, faces_b, depth + 1, to);
        invent(random, faces_a - faces_a / 2, faces_b, depth + 1, to);
    } else if (how == 1 && faces_b > 1 && depth < 12) {
        path_file_write(to, "b", 1);
        invent(random, faces_a, faces_b / 2, depth + 1, to);
        invent(random, faces_a, faces_b - faces_b / 2, depth + 1, to);
    } else if (how == 2) {
        snprintf(text, sizeof text, "(%d,%d,%d)", (int)test_random_below(random, 200) - 100,
                 (int)test_random_below(random, 200) - 100, (int)test_random_below(random, 200) + 1);
        path_file_write(to, text, strlen(text));
    } else {
        path_file_write(to, directions[test_random_below(random, 6)], 1);
    }
}

TEST(invented_proofs_of_paths_that_touch_are_rejected) {
    swing s;
    path_file file;
    test_random random = {13};
    swing_open(&s, 3, 0);
    CHECK(swing_certify(&s, &file) == GRAZE_CLEAR);
    edit(&file, "\"paths\"", "\"to\":[3]", "\"to\":[3.5]");
    CHECK(path_reader_finds_contact(s.context, file.bytes));
    const char *proof = strstr(file.bytes, "\"proof\":\"") + 9;
    for (int i = 0; i < 3000; i++) {
        path_file forged = path_file_copy(&file), text = {0};
        invent(&random, 12, 12, 0, &text);
        path_file_replace(&forged, (size_t)(proof - file.bytes), strcspn(proof, "\""), text.bytes);
        expect(&forged, 1, "not apart");
        free(forged.bytes);
        free(text.bytes);
    }
    free(file.bytes);
    swing_close(&s);
}

/* ---- what a link holds ---- */

TEST(a_held_bar_is_proven_against_the_forearm) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_box rod = test_box_of(0.5, 0.05, 0.05);
    graze_link_mesh mesh = test_mesh_of(&rod);
    graze_link links[3] = {test_link(-1, GRAZE_JOINT_REVOLUTE, test_frame(0, 0, 0), &mesh),
                           test_link(0, GRAZE_JOINT_REVOLUTE, test_frame(0.6, 0, 0), NULL),
                           test_link(1, GRAZE_JOINT_FIXED, test_frame(0.6, 0, 0), &mesh)};
    graze_model *model = NULL;
    CHECK(graze_model_create(context, links, 3, &model) == GRAZE_OK);
    double to[2] = {1, 2};
    graze_motion motion = test_motion(NULL, to);
    graze_articulated_result result = graze_default_articulated_result();
    path_file file = {0};
    verify_path_report report = {0};
    char message[VERIFY_TEXT] = "";
    CHECK(graze_articulated_certificate(context, (const graze_model *const *)&model, 1, &motion, 1, NULL,
                                        path_file_write, &file, &result) == GRAZE_OK);
    CHECK(result.verdict == GRAZE_CLEAR && file.size && strstr(file.bytes, "\"links\":[0,2]"));
    CHECK_MSG(path_file_status(&file, &report, message) == 0, "%s%s", message, report.reason);
    free(file.bytes);
    graze_model_destroy(context, model);
    graze_context_destroy(context);
}

/* ---- one direction for a whole turn ---- */

/* A rod of length 1 that turns about z from `from`, and a plate whose front is at x = `front`. The rod is a mesh away
   from its link's origin, a link away from its joint, or (twice as long) a mesh around its joint. */
static void sweep_file(graze_context *context, int shape, double from, double front, path_file *file) {
    test_box rod = test_box_of(shape == 2 ? 1 : 0.25, 0x1p-40, 0x1p-40), plate = test_box_of(0.5, 2, 0.5);
    graze_link_mesh mesh = test_mesh_of(&rod), wall = test_mesh_of(&plate);
    if (shape == 0) mesh.origin = test_frame(0.75, 0, 0);
    graze_link links[2] = {test_link(-1, GRAZE_JOINT_REVOLUTE, test_frame(0, 0, 0), shape == 1 ? NULL : &mesh),
                           test_link(0, GRAZE_JOINT_FIXED, test_frame(0.75, 0, 0), &mesh)};
    graze_link stand = test_link(-1, GRAZE_JOINT_FIXED, test_frame(front + 0.5, 0, 0), &wall);
    graze_model *models[2] = {NULL, NULL};
    CHECK(graze_model_create(context, links, shape == 1 ? 2 : 1, &models[0]) == GRAZE_OK);
    CHECK(graze_model_create(context, &stand, 1, &models[1]) == GRAZE_OK);
    graze_motion motions[2] = {test_motion(&from, &from), graze_default_motion()};
    graze_articulated_result result = graze_default_articulated_result();
    *file = (path_file){0};
    CHECK(graze_articulated_certificate(context, (const graze_model *const *)models, 2, motions, 1, NULL,
                                        path_file_write, file, &result) == GRAZE_OK);
    for (int m = 0; m < 2; m++) graze_model_destroy(context, models[m]);
}

/* The rod reaches x = 1 when it passes the angle 0. What enclosures of wide windows leave out must count: the better
   they are without it, the nearer the plate may come. */
TEST(one_direction_for_a_whole_turn_holds_only_where_nothing_is_reached) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {19};
    int touching = 0, accepted = 0;
    for (int i = 0; i < 1200; i++) {
        double turn = test_random_between(&random, 0.3, i % 2 ? 4 : 30); /* beyond 8 sines are anything */
        double from = -turn * test_random_between(&random, 0.2, 0.8);
        double deep = ldexp(1, -(int)(2 + test_random_below(&random, 20))) * (i % 4 ? 1 : -1);
        if (cos(from) > 1 - deep - 1e-6) continue; /* starts beyond the plate */
        path_file file;
        char said[100];
        sweep_file(context, i % 3, from, 1 - deep, &file);
        const char *proof = file.size ? strstr(file.bytes, "\"proof\":\"") : NULL;
        if (proof) {
            path_file_replace(&file, (size_t)(proof + 9 - file.bytes), strcspn(proof + 9, "\""), "x");
            snprintf(said, sizeof said, "\"to\":[%.17g]", from + turn);
            const char *to = strstr(strstr(file.bytes, "\"paths\""), "\"to\":[");
            path_file_replace(&file, (size_t)(to - file.bytes), strcspn(to, "]") + 1, said);
            verify_path_report report;
            char message[VERIFY_TEXT] = "";
            int status = path_file_status(&file, &report, message);
            CHECK_MSG(status < 2 && (deep < 0 || status == 1), "turns by %g from %g, plate at 1 - %g: %d %s", turn,
                      from, deep, status, message);
            touching += deep > 0;
            accepted += status == 0;
        }
        free(file.bytes);
    }
    CHECK_MSG(touching > 500 && accepted > 5, "%d touch, %d accepted", touching, accepted);
    graze_context_destroy(context);
}

/* ---- limits ---- */

TEST(too_much_work_is_refused_before_it_is_done) {
    swing s;
    path_file file;
    verify_path_report report;
    char message[VERIFY_TEXT] = "";
    swing_open(&s, 3, 0);
    CHECK(swing_certify(&s, &file) == GRAZE_CLEAR);
    CHECK(!verify_path_text(file.bytes, file.size, 1, 10, &report, message) && strstr(message, "units of work"));
    char many[200001]; /* windows of windows, and nothing proven in the end */
    memset(many, 't', 200000);
    many[200000] = '\0';
    const char *proof = strstr(file.bytes, "\"proof\":\"") + 9;
    path_file_replace(&file, (size_t)(proof - file.bytes), strcspn(proof, "\""), many);
    expect(&file, 1, "halved too often");
    free(file.bytes);
    swing_close(&s);
}

static int write_nothing(void *user, const char *text, size_t size) {
    (void)text;
    (void)size;
    ++*(int *)user;
    return 1;
}

TEST(what_cannot_be_certified_is_refused_and_leaves_the_result_closed) {
    swing s;
    int calls = 0;
    swing_open(&s, 3, 0);
    graze_articulated_result result = graze_default_articulated_result();
    const graze_model *const *models = (const graze_model *const *)s.models;
    CHECK(graze_articulated_certificate(s.context, models, 2, s.motions, 1, &s.options, write_nothing, &calls,
                                        &result) == GRAZE_ERR_CALLBACK);
    CHECK(calls == 1 && result.verdict == GRAZE_UNRESOLVED && result.toi == 0);
    s.options.check_inside = 1;
    CHECK(graze_articulated_certificate(s.context, models, 2, s.motions, 1, &s.options, write_nothing, &calls,
                                        &result) == GRAZE_ERR_UNSUPPORTED);
    CHECK(calls == 1 && result.verdict == GRAZE_UNRESOLVED && result.toi == 0);
    s.options.check_inside = 0;
    const uint8_t none[8] = {0};
    s.motions[0].rotvecs = none;
    CHECK(graze_articulated_certificate(s.context, models, 2, s.motions, 1, &s.options, write_nothing, &calls,
                                        &result) == GRAZE_ERR_UNSUPPORTED);
    CHECK(calls == 1 && result.verdict == GRAZE_UNRESOLVED && result.toi == 0);
    s.motions[0].rotvecs = NULL;
    CHECK(graze_articulated_certificate(s.context, models, 2, s.motions, 1, &s.options, NULL, NULL, &result) ==
          GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(result.verdict == GRAZE_UNRESOLVED);
    swing_close(&s);
}

/* The swing with that many allocations: true when it has its certificate. */
static bool certify_with(failing *memory) {
    swing s = {.to = 3};
    s.context = failing_context(memory, 1);
    if (!s.context) return false;
    test_box rod = test_box_of(1, 0.02, 0.02), plate = test_box_of(0.2, 0.0005, 0.2);
    graze_link_mesh mesh = test_mesh_of(&rod), wall = test_mesh_of(&plate);
    graze_link arm = test_link(-1, GRAZE_JOINT_REVOLUTE, test_frame(1.5, 0, 0), &mesh);
    graze_link obstacle = test_link(-1, GRAZE_JOINT_FIXED, test_frame(-0.4, 0.3, 0), &wall);
    bool clear = false;
    if (graze_model_create(s.context, &arm, 1, &s.models[0]) == GRAZE_OK &&
        graze_model_create(s.context, &obstacle, 1, &s.models[1]) == GRAZE_OK) {
        path_file file = {0};
        graze_motion motions[2] = {test_motion(&s.from, &s.to), graze_default_motion()};
        graze_articulated_result result = graze_default_articulated_result();
        graze_status status = graze_articulated_certificate(s.context, (const graze_model *const *)s.models, 2, motions,
                                                            1, NULL, path_file_write, &file, &result);
        clear = status == GRAZE_OK && result.verdict == GRAZE_CLEAR;
        CHECK(status == GRAZE_OK || (status == GRAZE_ERR_OUT_OF_MEMORY && result.verdict == GRAZE_UNRESOLVED));
        if (clear) expect(&file, 0, "");
        free(file.bytes);
    }
    for (int m = 0; m < 2; m++) graze_model_destroy(s.context, s.models[m]);
    graze_context_destroy(s.context);
    return clear;
}

TEST(failure_of_every_allocation_is_survived) {
    bool worked = false;
    int tries = 0;
    for (; tries < 2000 && !worked; tries++) {
        failing memory = {tries, 0};
        worked = certify_with(&memory);
        CHECK_MSG(memory.held == 0, "after %d allocations %ld blocks are held", tries, memory.held);
    }
    CHECK(worked && tries > 15);
}

TEST(a_budget_leaves_no_certificate) {
    swing s;
    path_file file;
    swing_open(&s, 3, 0);
    int ended = 0;
    for (uint64_t most = 1; most < 100000; most *= 3) {
        s.options.max_checks = most;
        file = (path_file){0};
        graze_articulated_result result = graze_default_articulated_result();
        CHECK(graze_articulated_certificate(s.context, (const graze_model *const *)s.models, 2, s.motions, 1,
                                            &s.options, path_file_write, &file, &result) == GRAZE_OK);
        if (result.verdict == GRAZE_UNRESOLVED) {
            CHECK(result.reason == GRAZE_REASON_BUDGET && result.toi <= 1);
            if (file.size) expect(&file, 2, ""); /* what was written by then has no end */
            ended++;
        } else {
            CHECK(result.verdict == GRAZE_CLEAR);
            expect(&file, 0, "");
        }
        free(file.bytes);
    }
    CHECK(ended > 2 && ended < 10);
    swing_close(&s);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
