/* Certificates of plans: random splines of every degree are accepted, and what was changed is not. */
#include "graze/plan.h"

#include "verify/path_files.h"

enum { MODELS = 2, LINKS = 3, MOST_POINTS = 12, MOST_VALUES = 8 };

typedef struct plan_maker {
    graze_context *context;
    graze_model *models[MODELS];
    graze_path paths[MODELS];
    double knots[MODELS][MOST_POINTS + 8], control[MODELS][MOST_POINTS * MOST_VALUES];
} plan_maker;

/* Three links on joints that slide, turn or do both; the second model stands five meters above the first. */
static graze_model *make_model(graze_context *context, test_random *random, int m) {
    static const graze_joint_kind kinds[3] = {GRAZE_JOINT_REVOLUTE, GRAZE_JOINT_PRISMATIC, GRAZE_JOINT_PLANAR};
    test_box boxes[LINKS];
    graze_link_mesh meshes[LINKS];
    graze_link links[LINKS];
    for (int i = 0; i < LINKS; i++) {
        boxes[i] = test_box_of(0.1, test_random_between(random, 0.05, 0.2), 0.1);
        meshes[i] = test_mesh_of(&boxes[i]);
        graze_frame origin = test_frame(i ? 0.9 : 0, test_random_between(random, -0.1, 0.1), i ? 0 : 5.0 * m);
        links[i] = test_link(i - 1, kinds[test_random_below(random, i ? 3 : 2)], origin, &meshes[i]);
        for (int k = 0; k < 3; k++) links[i].axis[k] = test_random_between(random, -1, 1);
    }
    graze_model *model;
    CHECK(graze_model_create(context, links, LINKS, &model) == GRAZE_OK);
    return model;
}

/* From 1 s to 4 s, knots inside at random, some of them repeated. */
static void make_path(plan_maker *p, test_random *random, uint32_t m) {
    graze_path *path = &p->paths[m];
    *path = graze_default_path();
    path->body = m;
    path->degree = 1 + (uint32_t)test_random_below(random, 7);
    path->count = path->degree + 1 + test_random_below(random, MOST_POINTS - path->degree);
    double *knots = p->knots[m], at = 1;
    size_t inner = path->count - path->degree - 1;
    for (size_t i = 0; i <= path->degree; i++) {
        knots[i] = 1;
        knots[path->count + i] = 4;
    }
    for (size_t i = 0; i < inner; i++) {
        if (i % path->degree == 0 || test_random_below(random, 4))
            at += test_random_between(random, 0.01, 3.0 / (double)(inner + 1));
        knots[path->degree + 1 + i] = at;
    }
    size_t values = graze_model_values(p->models[m]);
    for (size_t i = 0; i < path->count * values; i++) p->control[m][i] = test_random_between(random, -0.4, 0.4);
    path->knots = knots;
    path->control = p->control[m];
}

static void make_plan(plan_maker *p, uint32_t threads, uint64_t seed) {
    test_random random = {seed};
    p->context = test_context(threads, GRAZE_ISA_AUTO);
    for (int m = 0; m < MODELS; m++) {
        p->models[m] = make_model(p->context, &random, m);
        make_path(p, &random, (uint32_t)m);
    }
}

static void free_plan(plan_maker *p) {
    for (int m = 0; m < MODELS; m++) graze_model_destroy(p->context, p->models[m]);
    graze_context_destroy(p->context);
}

static graze_plan_result certify(const plan_maker *p, double separation, path_file *file) {
    graze_articulated_options options = graze_default_articulated_options();
    graze_plan_result result = graze_default_plan_result();
    options.min_separation = separation;
    *file = (path_file){0};
    CHECK(graze_plan_certificate(p->context, (const graze_model *const *)p->models, MODELS, p->paths, MODELS, &options,
                                 path_file_write, file, &result) == GRAZE_OK);
    return result;
}

static void expect(path_file *file, int wanted, const char *says) {
    verify_path_report report;
    char message[VERIFY_TEXT] = "";
    int status = path_file_status(file, &report, message);
    const char *why = status == 2 ? message : report.reason;
    CHECK_MSG(status == wanted && strstr(why, says), "%d in place of %d: %s", status, wanted, why);
}

TEST(plans_of_every_degree_are_accepted) {
    int clear = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        plan_maker p;
        path_file file;
        make_plan(&p, 1, seed);
        graze_plan_result found = certify(&p, seed % 3 ? 0 : 0.01, &file);
        if (found.verdict == GRAZE_CLEAR) {
            verify_path_report report;
            char message[VERIFY_TEXT] = "";
            int status = path_file_status(&file, &report, message);
            CHECK_MSG(status == 0, "seed %llu: %d, %s %s", (unsigned long long)seed, status, message, report.reason);
            CHECK(report.of_plan && report.begin == 1 && report.end == 4 && report.paths == found.segments);
            clear++;
        }
        free(file.bytes);
        free_plan(&p);
    }
    CHECK_MSG(clear > 30, "only %d of 60 plans are free", clear);
}

TEST(the_text_of_a_plan_does_not_depend_on_threads) {
    path_file one, four;
    plan_maker p, q;
    make_plan(&p, 1, 4);
    make_plan(&q, 4, 4);
    CHECK(certify(&p, 0, &one).verdict == certify(&q, 0, &four).verdict);
    CHECK(one.size == four.size && memcmp(one.bytes, four.bytes, one.size) == 0);
    free(one.bytes);
    free(four.bytes);
    free_plan(&p);
    free_plan(&q);
}

/* ---- changed files ---- */

/* A cube slides to and fro before a wall by a quadratic spline of two pieces: −3, −1.75 in between, −3. */
typedef struct slide {
    graze_context *context;
    graze_model *models[2];
    path_file file;
} slide;

static graze_plan_result open_slide(slide *s, double top) {
    static const double knots[] = {0, 0, 0, 1, 2, 2, 2};
    double control[] = {-3, top, top, -3};
    test_box box = test_box_of(0.5, 0.5, 0.5);
    *s = (slide){.context = test_context(1, GRAZE_ISA_AUTO)};
    graze_link_mesh mesh = test_mesh_of(&box);
    graze_link links[2] = {test_link(-1, GRAZE_JOINT_PRISMATIC, test_frame(0, 0, 0), &mesh),
                           test_link(-1, GRAZE_JOINT_FIXED, test_frame(0, 0, 0), &mesh)};
    for (int m = 0; m < 2; m++) CHECK(graze_model_create(s->context, &links[m], 1, &s->models[m]) == GRAZE_OK);
    graze_path path = graze_default_path();
    path.degree = 2;
    path.count = 4;
    path.knots = knots;
    path.control = control;
    graze_plan_result result = graze_default_plan_result();
    CHECK(graze_plan_certificate(s->context, (const graze_model *const *)s->models, 2, &path, 1, NULL, path_file_write,
                                 &s->file, &result) == GRAZE_OK);
    return result;
}

static void close_slide(slide *s) {
    free(s->file.bytes);
    for (int m = 0; m < 2; m++) graze_model_destroy(s->context, s->models[m]);
    graze_context_destroy(s->context);
}

TEST(a_plan_that_touches_or_comes_too_close_has_no_proof) {
    static const double tops[] = {0, -0.9, -1}; /* through the wall, into it, and exactly to it */
    for (int i = 0; i < 3; i++) {
        slide s;
        graze_plan_result found = open_slide(&s, tops[i]);
        CHECK(found.verdict == GRAZE_UNRESOLVED && found.segment == 0 && found.segments == 2 && found.time == 0);
        verify_path_report report;
        char message[VERIFY_TEXT];
        CHECK(path_file_status(&s.file, &report, message) == 2);
        close_slide(&s);
    }
}

TEST(changed_plans_are_refused_with_their_reason) {
    static const struct {
        const char *from, *by;
        int status;
        const char *says;
    } changes[] = {
        {"[-1.75],[-1.75]", "[-0.5],[-0.5]", 1, "not apart"},   /* other control points */
        {"[-1.75],[-1.75]", "[1e300],[-1.75]", 1, "not apart"}, /* far beyond */
        {"[-1.75],[-1.75]", "[-1.75]", 2, "knots"},
        {"[-1.75],[-1.75]", "[-1.75],[NaN]", 2, ""},
        {"[-1.75],[-1.75]", "[-1.75],[1e999]", 2, ""},
        {"[-1.75],[-1.75]", "[-1.75,0],[-1.75]", 2, ""},
        {"[0,0,0,1,2,2,2]", "[0,0,0,2,2,2,2]", 2, "pieces"}, /* the second piece is gone */
        {"[0,0,0,1,2,2,2]", "[0,0,0,1,1,2,2]", 2, "pieces"}, /* it ends at the first */
        {"[0,0,0,1,2,2,2]", "[0,0,0,3,2,2,2]", 2, "must not decrease"},
        {"[0,0,0,1,2,2,2]", "[0,0,0,0,0,0,0]", 2, "ends when it begins"},
        {"[0,0,0,1,2,2,2]", "[0,0,0,1,2,2]", 2, "knots"},
        {"\"degree\":2", "\"degree\":8", 2, "degree"},
        {"\"degree\":2", "\"degree\":1", 2, "knots"},
        {",null]", "]", 2, "path or null"},
        {"{\"degree\":2", "null,{\"degree\":2", 2, ""},
        {"\"separation\":0", "\"separation\":0.8", 1, "not apart"},
        {"\"pieces\":[\n{\"pairs\":[\n", "\"pieces\":[\n{\"pairs\":[],\"more\":[\n", 2, ""},
        {"]}\n]}", "]}\n,{\"pairs\":[]}]}", 2, "pieces"},
        {"\"axis\":[0,0,1]", "\"axis\":[0,0,0]", 1, "axis"},
        {"\"joint\":\"prismatic\"", "\"joint\":\"free\"", 2, ""},
        {"plan certificate 1", "plan certificate 2", 2, ""},
    };
    slide s;
    CHECK(open_slide(&s, -1.75).verdict == GRAZE_CLEAR);
    expect(&s.file, 0, "");
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        path_file changed = path_file_copy(&s.file);
        const char *at = strstr(changed.bytes, changes[i].from);
        CHECK_MSG(at != NULL, "no %s", changes[i].from);
        if (at) path_file_replace(&changed, (size_t)(at - changed.bytes), strlen(changes[i].from), changes[i].by);
        expect(&changed, changes[i].status, changes[i].says);
        free(changed.bytes);
    }
    close_slide(&s);
}

/* One piece cannot take the place of another that is left out, even with equal proofs. */
TEST(every_piece_needs_its_proof) {
    slide s;
    CHECK(open_slide(&s, -1.75).verdict == GRAZE_CLEAR);
    const char *second = strstr(strstr(s.file.bytes, "\"pieces\"") + 8, ",\n{\"pairs\"");
    CHECK(second != NULL);
    const char *end = strstr(second + 3, "]}");
    path_file_replace(&s.file, (size_t)(second - s.file.bytes), (size_t)(end + 2 - second), "");
    expect(&s.file, 2, "pieces: 1, but the knots make 2");
    close_slide(&s);
}

TEST(bad_calls_are_refused) {
    slide s;
    CHECK(open_slide(&s, -1.75).verdict == GRAZE_CLEAR);
    const graze_model *const *models = (const graze_model *const *)s.models;
    static const double knots[] = {0, 0, 1, 1}, control[] = {-3, -2};
    graze_path path = graze_default_path();
    path.count = 2;
    path.knots = knots;
    path.control = control;
    path_file file = {0};
    graze_plan_result r = graze_default_plan_result();
    graze_articulated_options inside = graze_default_articulated_options(), early = inside;
    inside.check_inside = 1;
    early.t_max = 0.5;
    CHECK(graze_plan_certificate(s.context, models, 2, &path, 1, NULL, NULL, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_plan_certificate(s.context, models, 2, &path, 3, NULL, path_file_write, &file, &r) ==
          GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_plan_certificate(s.context, NULL, 2, &path, 1, NULL, path_file_write, &file, &r) ==
          GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_plan_certificate(s.context, models, 2, &path, 1, &inside, path_file_write, &file, &r) ==
          GRAZE_ERR_UNSUPPORTED);
    CHECK(graze_plan_certificate(s.context, models, 2, &path, 1, &early, path_file_write, &file, &r) ==
          GRAZE_ERR_UNSUPPORTED);
    path.body = 2;
    CHECK(graze_plan_certificate(s.context, models, 2, &path, 1, NULL, path_file_write, &file, &r) ==
          GRAZE_ERR_BAD_INDEX);
    CHECK(r.verdict == GRAZE_UNRESOLVED && file.size == 0);
    close_slide(&s);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
