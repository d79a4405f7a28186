/* First contact times against the exact roots that Mathematica computed for the public scenes. */
#include "check.h"

#include "flint_oracle.h"
#include "io/file.h"
#include "io/query_csv.h"
#include "wxf.h"

#include <dirent.h>

/* The earliest t in [0, 1] among the solutions of a file; *conditional counts families that are no numbers. */
static bool first_time(const wxf_node *solutions, qqbar_t earliest, size_t *conditional) {
    bool found = false;
    qqbar_t t, one;
    qqbar_init(t);
    qqbar_init(one);
    qqbar_one(one);
    for (size_t i = 0; i < solutions->count; i++) {
        const wxf_node *rules = solutions->items[i];
        for (size_t k = 0; k < rules->count; k++) {
            const wxf_node *rule = rules->items[k];
            if (!wxf_is(rule, "Rule") || rule->count != 2 || strcmp(rule->items[0]->text, "t") != 0) continue;
            if (!wxf_value(rule->items[1], t)) {
                ++*conditional;
                continue;
            }
            if (!qqbar_is_real(t) || qqbar_sgn_re(t) < 0 || qqbar_cmp_re(t, one) > 0) continue;
            if (!found || qqbar_cmp_re(t, earliest) < 0) qqbar_set(earliest, t);
            found = true;
        }
    }
    qqbar_clear(t);
    qqbar_clear(one);
    return found;
}

static void compare_file(const char *path, graze_kind kind, const graze_query *query, size_t *compared,
                         size_t *conditional) {
    char *bytes;
    size_t size;
    io_error error;
    CHECK_MSG(io_read_file(path, &bytes, &size, &error), "%s", error.message);
    if (!bytes) return;
    wxf_node *solutions = wxf_read((const unsigned char *)bytes, size);
    CHECK_MSG(solutions != NULL, "%s", path);
    free(bytes);
    if (!solutions) return;
    flint_answer mathematica;
    flint_answer_init(&mathematica);
    size_t before = *conditional;
    mathematica.hit = first_time(solutions, mathematica.time, conditional);
    if (*conditional == before) {
        graze_truth *truth;
        CHECK(graze_truth_find(NULL, kind, query, NULL, &truth) == GRAZE_OK);
        double lower, upper;
        graze_truth_bracket(truth, &lower, &upper);
        CHECK_QUERY(graze_truth_hit(truth) == mathematica.hit, kind, query);
        if (graze_truth_hit(truth) && mathematica.hit) {
            int low = flint_compare(lower, &mathematica), high = flint_compare(upper, &mathematica);
            CHECK_QUERY(low <= 0 && high >= 0, kind, query);
            CHECK_QUERY(low == 0 || high == 0 ? lower == upper : upper == nextafter(lower, 2), kind, query);
        }
        graze_truth_destroy(NULL, truth);
        ++*compared;
    }
    flint_answer_clear(&mathematica);
    wxf_free(solutions);
}

/* roots/<step><kind>_roots.tar.gz holds one file for each colliding query of queries/<step><kind>.csv. */
static void compare_scene(const char *scene, const char *step, graze_kind kind) {
    char path[1024], command[2400], folder[] = "/tmp/graze-roots-XXXXXX";
    const char *suffix = kind == GRAZE_VF ? "vf" : "ee";
    snprintf(path, sizeof path, "%s/scenes/%s/queries/%s%s.csv", test_data_folder(), scene, step, suffix);
    io_queries queries;
    io_error error;
    CHECK_MSG(io_read_query_csv(path, &queries, &error), "%s", error.message);
    if (!queries.queries) return;
    CHECK(mkdtemp(folder) != NULL);
    snprintf(command, sizeof command, "tar xzf '%s/scenes/%s/roots/%s%s_roots.tar.gz' -C '%s'", test_data_folder(),
             scene, step, suffix, folder);
    CHECK_MSG(system(command) == 0, "%s", command);
    size_t compared = 0, conditional = 0;
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        const char *index = strstr(entry->d_name, "_q");
        size_t query = index ? strtoul(index + 2, NULL, 10) : queries.count;
        if (!strstr(entry->d_name, ".wxf") || !index) continue;
        CHECK_MSG(query < queries.count, "%s", entry->d_name);
        if (query >= queries.count) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        compare_file(path, kind, &queries.queries[query], &compared, &conditional);
    }
    if (list) closedir(list);
    printf("    %s %s: %zu roots compared, %zu conditional families skipped\n", scene, suffix, compared, conditional);
    CHECK(compared > 0);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    CHECK(system(command) == 0);
    io_free_queries(&queries);
}

TEST(first_contact_is_the_root_that_mathematica_found) {
    if (!test_data_folder()) return;
    compare_scene("cloth-funnel", "227", GRAZE_VF);
    compare_scene("cloth-funnel", "227", GRAZE_EE);
    compare_scene("armadillo-rollers", "326", GRAZE_VF);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
