/* Certificates of ranges: those of random models are accepted, and what was changed is refused with its reason. */
#include "graze/range.h"

#include "verify/path_files.h"

enum { LINKS = 4 };

typedef struct arm {
    test_box boxes[LINKS];
    graze_link_mesh meshes[LINKS];
    graze_link links[LINKS];
    graze_joint_range ranges[LINKS];
    graze_model *model;
} arm;

static graze_joint_range range_of(double lower, double upper) {
    graze_joint_range range = graze_default_joint_range();
    range.lower = lower;
    range.upper = upper;
    return range;
}

static double spread(test_random *random, double size) { return test_random_between(random, -size, size); }

static void make_arm(graze_context *context, test_random *random, arm *made) {
    for (int i = 0; i < LINKS; i++) {
        made->boxes[i] = test_box_of(test_random_between(random, 0.05, 0.3), test_random_between(random, 0.05, 0.3),
                                     test_random_between(random, 0.05, 0.3));
        made->meshes[i] = test_mesh_of(&made->boxes[i]);
        graze_joint_kind joint = test_random_below(random, 3) ? GRAZE_JOINT_REVOLUTE : GRAZE_JOINT_PRISMATIC;
        double reach = i ? 0.5 : 0;
        graze_frame origin = test_frame(spread(random, reach), spread(random, reach), spread(random, reach));
        made->links[i] = test_link(i - 1, joint, origin, &made->meshes[i]);
        for (int k = 0; k < 4; k++) made->links[i].origin.rotation[k] = spread(random, 1);
        for (int k = 0; k < 3; k++) made->links[i].axis[k] = spread(random, 1);
        if (test_random_below(random, 4) == 0) made->links[i].padding = 0.02;
        double middle = spread(random, 1), half = test_random_between(random, 0, 0.8);
        if (test_random_below(random, 8) == 0) half = 0; /* it stands */
        made->ranges[i] = range_of(middle - half, middle + half);
        if (i == LINKS - 1 && test_random_below(random, 3) == 0) {
            made->ranges[i].follows = 1;
            made->ranges[i].multiplier = spread(random, 1.5);
            made->ranges[i].offset = spread(random, 0.5);
        }
    }
    CHECK(graze_model_create(context, made->links, LINKS, &made->model) == GRAZE_OK);
}

/* 0 accepted, 1 rejected, 2 not read */
static int status_of(const path_file *file, verify_range_report *report, char message[VERIFY_TEXT]) {
    if (!verify_range_text(file->bytes, file->size, 1, VERIFY_WORK_PATHS, report, message)) return 2;
    return report->rejected ? 1 : 0;
}

TEST(ranges_of_random_models_are_accepted) {
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    test_random random = {20261117};
    graze_range_options options = graze_default_range_options();
    uint64_t clear = 0, touch = 0, open = 0;
    int models = getenv("GRAZE_RANGE_MODELS") ? atoi(getenv("GRAZE_RANGE_MODELS")) : 80;
    options.samples = 10;
    for (int n = 0; n < models; n++) {
        arm a;
        path_file file = {0};
        verify_range_report report;
        char message[VERIFY_TEXT] = "";
        make_arm(context, &random, &a);
        options.min_separation = n % 5 == 0 ? 0.01 : 0;
        options.max_cells = n % 3 == 0 ? 12 : 3000;
        graze_range_result r = graze_default_range_result();
        CHECK(graze_range_certificate(context, (const graze_model *const *)&a.model, 1, a.ranges, &options,
                                      path_file_write, &file, &r) == GRAZE_OK);
        int status = status_of(&file, &report, message);
        CHECK_MSG(status == 0, "model %d: %d, %s%s: %s", n, status, message, report.name, report.reason);
        uint64_t counts[3] = {0, 0, 0};
        for (size_t i = 0; i < r.pair_count; i++) counts[r.pairs[i].verdict]++;
        CHECK(report.clear == counts[GRAZE_CLEAR] && report.touch == counts[GRAZE_HIT]);
        CHECK(report.open == counts[GRAZE_UNRESOLVED] && report.pairs == r.pair_count);
        clear += report.clear;
        touch += report.touch;
        open += report.open;
        graze_range_release(context, &r);
        graze_model_destroy(context, a.model);
        free(file.bytes);
    }
    CHECK_MSG(clear > 20 && touch > 20 && open > 0, "%llu clear, %llu touch, %llu open", (unsigned long long)clear,
              (unsigned long long)touch, (unsigned long long)open);
    graze_context_destroy(context);
}

/* ---- one model ---- */

/* Three cubes of side 1 in a row on slides along x, at −3, 0 and 3: the first may come up to −1.2, the last stands. A
   large box stands around all of them where `cage` is set. */
typedef struct row {
    graze_context *context;
    graze_model *models[4];
    size_t count;
    graze_joint_range ranges[2];
    path_file file;
} row;

static graze_range_result open_row(row *s, uint32_t threads, double separation, double cage) {
    test_box box = test_box_of(0.5, 0.5, 0.5), large = test_box_of(cage, cage, cage);
    graze_link_mesh mesh = test_mesh_of(&box), around = test_mesh_of(&large);
    *s = (row){.context = test_context(threads, GRAZE_ISA_AUTO), .count = cage > 0 ? 4 : 3};
    for (size_t m = 0; m < s->count; m++) {
        bool slides = m < 2;
        graze_link link = test_link(-1, slides ? GRAZE_JOINT_PRISMATIC : GRAZE_JOINT_FIXED,
                                    test_frame(m == 3 ? 0 : 3.0 * (double)m - 3, 0, 0), m == 3 ? &around : &mesh);
        link.axis[0] = 1;
        link.axis[2] = 0;
        CHECK(graze_model_create(s->context, &link, 1, &s->models[m]) == GRAZE_OK);
    }
    s->ranges[0] = range_of(-0.5, 1.75);
    s->ranges[1] = range_of(0, 0.125);
    graze_range_options options = graze_default_range_options();
    options.min_separation = separation;
    graze_range_result r = graze_default_range_result();
    CHECK(graze_range_certificate(s->context, (const graze_model *const *)s->models, s->count, s->ranges, &options,
                                  path_file_write, &s->file, &r) == GRAZE_OK);
    return r;
}

static void close_row(row *s, graze_range_result *r) {
    graze_range_release(s->context, r);
    free(s->file.bytes);
    for (size_t m = 0; m < s->count; m++) graze_model_destroy(s->context, s->models[m]);
    graze_context_destroy(s->context);
}

static void expect(const path_file *file, int wanted, const char *says) {
    verify_range_report report;
    char message[VERIFY_TEXT] = "";
    int status = status_of(file, &report, message);
    const char *why = status == 2 ? message : report.reason;
    CHECK_MSG(status == wanted && strstr(why, says), "%d in place of %d: %s", status, wanted, why);
}

typedef struct change {
    const char *from, *by;
    int status;
    const char *says;
} change;

static void try_changes(const path_file *file, const change *changes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        path_file changed = path_file_copy(file);
        const char *at = strstr(changed.bytes, changes[i].from);
        CHECK_MSG(at != NULL, "no %s", changes[i].from);
        if (at) path_file_replace(&changed, (size_t)(at - changed.bytes), strlen(changes[i].from), changes[i].by);
        verify_range_report report;
        char message[VERIFY_TEXT] = "";
        int status = status_of(&changed, &report, message);
        const char *why = status == 2 ? message : report.reason;
        CHECK_MSG(status == changes[i].status && strstr(why, changes[i].says), "%s for %s: %d in place of %d: %s",
                  changes[i].by, changes[i].from, status, changes[i].status, why);
        free(changed.bytes);
    }
}

TEST(changed_limits_links_and_proofs_are_refused_with_their_reason) {
    static const change changes[] = {
        {"[-0.5,1.75]", "[-0.5,2.25]", 1, "not apart"}, /* other limits */
        {"[-0.5,1.75]", "[-0.5,1e300]", 1, "not apart"},
        {"[-0.5,1.75]", "[-0.5,1e999]", 2, ""},
        {"[-0.5,1.75]", "[-0.5,NaN]", 2, ""},
        {"[-0.5,1.75]", "[1.75,-0.5]", 2, "above"},
        {"[-0.5,1.75]", "[-0.5]", 2, ""},
        {"[-0.5,1.75],", "", 2, ""}, /* one is missing */
        {"[-0.5,1.75]", "{\"follows\":1,\"multiplier\":20,\"offset\":0}", 1, "not apart"},
        {"[-0.5,1.75]", "{\"follows\":0,\"multiplier\":1,\"offset\":0}", 2, "follower"},
        {"[-0.5,1.75]", "{\"follows\":2,\"multiplier\":1,\"offset\":0}", 2, "follows"},
        {"\"links\":[0,1]", "\"links\":[0,2]", 2, "expected links 0 and 1"}, /* other links */
        {"\"links\":[0,1]", "\"links\":[1,0]", 2, "expected links 0 and 1"},
        {"\"position\":[-3,0,0]", "\"position\":[-2,0,0]", 1, "not apart"},
        {"\"clear\":\"hx\"", "\"clear\":\"hy\"", 1, "not apart"},        /* another direction */
        {"\"clear\":\"hx\"", "\"clear\":\"h(1,99,0)\"", 1, "not apart"}, /* one that is turned */
        {"\"clear\":\"hx\"", "\"clear\":\"h(99,1,0)\"", 0, ""},          /* not too far */
        {"\"clear\":\"hx\"", "\"clear\":\"x\"", 0, ""},                  /* boxes are enough */
        {"\"clear\":\"hx\"", "\"clear\":\"c<0>xx\"", 0, ""},             /* two cells in place of one */
        {"\"clear\":\"hx\"", "\"clear\":\"c<0>x\"", 1, "ends before"},   /* one of them is gone */
        {"\"clear\":\"hx\"", "\"clear\":\"c<0>xxx\"", 1, "goes on"},
        {"\"clear\":\"hx\"", "\"clear\":\"c<2>xx\"", 1, "not between the links"},
        {"\"clear\":\"hx\"", "\"clear\":\"c<0>xu\"", 1, "given up"},
        {"\"clear\":\"hx\"", "\"clear\":\"u\"", 1, "given up"},
        {"\"clear\":\"hx\"", "\"clear\":\"\"", 1, "ends before"},
        {"\"clear\":\"hx\"", "\"clear\":\"h\"", 1, "ends before"},
        {"\"clear\":\"hx\"", "\"clear\":\"0\"", 1, "not given before"},
        {"\"clear\":\"hx\"", "\"clear\":\"(0,0,0)\"", 1, "zero"},
        {"\"clear\":\"hx\"", "\"clear\":\"(1,0)\"", 1, "three numbers"},
        {"\"clear\":\"hx\"", "\"clear\":\"(1e9,0,0)\"", 1, ""},
        {"\"clear\":\"hx\"", "\"clear\":\"(01,0,0)\"", 1, "whole"},
        {"\"clear\":\"hx\"", "\"clear\":\"(1000000000000000000000,0,0)\"", 1, "too long"},
        {"\"clear\":\"hx\"", "\"clear\":\"t\"", 1, "means nothing"},
        {"\"clear\":\"hx\"", "\"open\":0.5,\"rest\":\"c<0>ux\"", 0, ""}, /* less is said, and it is true */
        {"\"clear\":\"hx\"", "\"open\":0.4,\"rest\":\"c<0>ux\"", 1, "given up"},
        {"\"clear\":\"hx\"", "\"open\":1", 0, ""},
        {"\"clear\":\"hx\"", "\"open\":0.5", 2, "rest"},
        {"\"clear\":\"hx\"", "\"open\":-1", 2, "share"},
        {"\"clear\":\"hx\"", "\"touch\":[0,0],\"faces\":[0,0]", 1, "not seen to touch"},
        {"\"clear\":\"hx\"", "\"touch\":[9,0],\"faces\":[0,0]", 2, "limits"},
        {"\"clear\":\"hx\"", "\"touch\":[0,0],\"faces\":[0,12]", 2, "faces"},
        {"\"clear\":\"hx\"", "\"touch\":[0,0],\"inside\":true", 1, "inside"},
        {"[0.5,0.5,0.5]", "[9,0.5,0.5]", 1, "not apart"}, /* another mesh */
        {"[0.5,0.5,0.5]", "[1e300,0.5,0.5]", 1, "not apart"},
        {"\"padding\":0", "\"padding\":3", 1, "not apart"},
        {"\"separation\":0", "\"separation\":0.26", 1, "not apart"},
        {"\"separation\":0", "\"separation\":0.24", 0, ""},
        {"\"separation\":0", "\"separation\":-1", 2, "negative"},
        {"\"skip\":[]", "\"skip\":[[0,1]]", 2, "expected links 0 and 2"},
        {"\n]}", "\n]}x", 2, "follows"},
        {"range certificate 1", "range certificate 2", 2, ""},
    };
    row s;
    graze_range_result r = open_row(&s, 1, 0, 0);
    CHECK(r.pair_count == 3 && r.pairs[0].verdict == GRAZE_CLEAR && r.pairs[2].verdict == GRAZE_CLEAR);
    expect(&s.file, 0, "");
    try_changes(&s.file, changes, sizeof changes / sizeof *changes);
    close_row(&s, &r);
}

/* With the separation that they come within the pose and the points of it are given. */
TEST(poses_that_touch_are_checked) {
    static const change changes[] = {{"\"separation\":0.5", "\"separation\":0.12", 1, "not seen to touch"},
                                     {"\"touch\":[", "\"touch\":[-9,", 2, ""},
                                     {",\"at\":[", ",\"at\":[2,", 2, ""},
                                     {"\"position\":[-3,0,0]", "\"position\":[-6,0,0]", 1, "not seen to touch"}};
    row s;
    graze_range_result r = open_row(&s, 1, 0.5, 0);
    CHECK(r.pairs[0].verdict == GRAZE_HIT);
    expect(&s.file, 0, "");
    try_changes(&s.file, changes, sizeof changes / sizeof *changes);
    close_row(&s, &r);
}

/* A cube in a closed box never touches it, and is no less in contact. */
TEST(inside_is_contact_and_never_clear) {
    row s;
    graze_range_result r = open_row(&s, 1, 0, 20);
    verify_range_report report;
    char message[VERIFY_TEXT] = "";
    CHECK_MSG(status_of(&s.file, &report, message) == 0, "%s%s", message, report.reason);
    CHECK(report.touch == 2 && strstr(s.file.bytes, "\"inside\":true"));
    const char *at = strstr(s.file.bytes, "\"touch\""), *end = strchr(at, '}');
    path_file_replace(&s.file, (size_t)(at - s.file.bytes), (size_t)(end - at), "\"clear\":\"abhzz\"");
    CHECK(status_of(&s.file, &report, message) == 1);
    close_row(&s, &r);
}

/* Cubes in one row overlap, and no two of their triangles cross for certain: the middle of a face is inside the other.
 */
TEST(solids_whose_faces_meet_in_one_plane_are_checked_by_a_middle) {
    static const change changes[] = {{"\"inside\":[", "\"inside\":[9,", 2, ""},
                                     {"\"inside\":[", "\"inside\":[0,99,", 2, ""},
                                     {"\"inside\":[", "\"inside\":[0.5,", 2, "whole"},
                                     {"\"inside\":[", "\"inside\":true,\"x\":[", 2, ""},
                                     {"\"position\":[-3,0,0]", "\"position\":[-6,0,0]", 1, "middle"}};
    test_box box = test_box_of(0.5, 0.5, 0.5);
    graze_link_mesh mesh = test_mesh_of(&box);
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    graze_model *models[2];
    for (int m = 0; m < 2; m++) {
        graze_link link =
            test_link(-1, m ? GRAZE_JOINT_FIXED : GRAZE_JOINT_PRISMATIC, test_frame(m ? 0 : -3, 0, 0), &mesh);
        link.axis[0] = 1;
        link.axis[2] = 0;
        CHECK(graze_model_create(context, &link, 1, &models[m]) == GRAZE_OK);
    }
    graze_joint_range range = range_of(2.25, 2.25);
    graze_range_result r = graze_default_range_result();
    path_file file = {0};
    CHECK(graze_range_certificate(context, (const graze_model *const *)models, 2, &range, NULL, path_file_write, &file,
                                  &r) == GRAZE_OK);
    expect(&file, 0, "");
    CHECK(r.pairs[0].verdict == GRAZE_HIT && strstr(file.bytes, "\"inside\":["));
    try_changes(&file, changes, sizeof changes / sizeof *changes);
    int refused = 0;
    for (int face = 0; face < 24; face++) { /* of the first, then of the second cube: four of them are in the other */
        char text[60], *at = strstr(file.bytes, "\"inside\":[");
        snprintf(text, sizeof text, "\"inside\":[%d,%d]", face / 12, face % 12);
        path_file changed = path_file_copy(&file);
        path_file_replace(&changed, (size_t)(at - file.bytes), (size_t)(strchr(at, ']') + 1 - at), text);
        verify_range_report report;
        char message[VERIFY_TEXT] = "";
        refused += status_of(&changed, &report, message) == 1;
        free(changed.bytes);
    }
    CHECK_MSG(refused == 20, "%d", refused);
    free(file.bytes);
    graze_range_release(context, &r);
    for (int m = 0; m < 2; m++) graze_model_destroy(context, models[m]);
    graze_context_destroy(context);
}

TEST(the_text_of_ranges_does_not_depend_on_threads) {
    row one, four;
    graze_range_result r = open_row(&one, 1, 0.01, 0), q = open_row(&four, 4, 0.01, 0);
    CHECK(one.file.size == four.file.size && memcmp(one.file.bytes, four.file.bytes, one.file.size) == 0);
    close_row(&one, &r);
    close_row(&four, &q);
}

TEST(too_much_work_is_refused_before_it_is_done) {
    row s;
    graze_range_result r = open_row(&s, 1, 0, 0);
    verify_range_report report;
    char message[VERIFY_TEXT] = "";
    CHECK(!verify_range_text(s.file.bytes, s.file.size, 1, 10, &report, message) && strstr(message, "work"));
    close_row(&s, &r);
}

TEST(a_file_cut_anywhere_is_refused) {
    row s;
    graze_range_result r = open_row(&s, 1, 0, 0);
    for (size_t size = 0; size + 2 < s.file.size; size += 7) {
        path_file part = {0};
        path_file_write(&part, s.file.bytes, size);
        expect(&part, 2, "");
        free(part.bytes);
    }
    close_row(&s, &r);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
