/* Suites of graze bench that judge graze itself: exit status 0, and no contact missed in any row of their tables. */
#include "program.h"

/* The report of a suite, to be deleted; NULL after a failed check. */
static cJSON *report_of(const char *arguments) {
    int status = run("bench %s --json", arguments);
    expect_status(0, status);
    if (status != 0) return NULL;
    cJSON *report = json();
    CHECK(cJSON_IsFalse(field(report, "interrupted")));
    return report;
}

/* An entry of an array whose `id` is this. */
static const cJSON *with_id(const cJSON *entries, const char *id, int *index) {
    const cJSON *entry;
    *index = 0;
    cJSON_ArrayForEach(entry, entries) {
        if (strcmp(text_at(entry, "id"), id) == 0) return entry;
        ++*index;
    }
    CHECK_MSG(false, "there is no %s", id);
    return NULL;
}

static const cJSON *table(const cJSON *report, const char *id) {
    int index;
    return with_id(field(report, "tables"), id, &index);
}

static const cJSON *cell(const cJSON *in, const cJSON *row, const char *column) {
    int index;
    return with_id(field(in, "columns"), column, &index) ? cJSON_GetArrayItem(row, index) : NULL;
}

static double number(const cJSON *in, const cJSON *row, const char *column) {
    const cJSON *value = cell(in, row, column);
    return cJSON_IsNumber(value) ? value->valuedouble : NAN;
}

static bool says(const cJSON *in, const cJSON *row, const char *column, const char *text) {
    const cJSON *value = cell(in, row, column);
    return cJSON_IsString(value) && strcmp(value->valuestring, text) == 0;
}

static void expect_zero(const cJSON *in, const cJSON *row, const char *column) {
    double value = number(in, row, column);
    CHECK_MSG(value == 0, "%s is %g in the row of %s", column, value, row->child ? row->child->valuestring : "");
}

static void expect_positive(const cJSON *in, const cJSON *row, const char *column) {
    double value = number(in, row, column);
    CHECK_MSG(value > 0, "%s is %g in the row of %s", column, value, row->child ? row->child->valuestring : "");
}

TEST(edges_of_a_planner_are_free_and_blocked_and_never_wrongly_so) {
    cJSON *report = report_of("articulated --quick --repeat 1");
    const cJSON *in = table(report, "articulated_edges"), *row;
    cJSON_ArrayForEach(row, field(in, "rows")) {
        expect_positive(in, row, "free");
        expect_positive(in, row, "blocked");
        expect_zero(in, row, "wrong");
    }
    CHECK(cJSON_GetArraySize(field(in, "rows")) == 2);
    cJSON_Delete(report);
}

TEST(no_family_of_queries_disagrees_with_exact_arithmetic) {
    static const char *const none[] = {
        "undecided",           "certified_missed", "certified_late", "certified_wrong_proofs",
        "exact_disagreements", "float_missed",     "float_late"};
    cJSON *report = report_of("agreement --quick --cases 40000");
    const cJSON *in = table(report, "agreement"), *row;
    double contacts = 0, queries = 0;
    cJSON_ArrayForEach(row, field(in, "rows")) {
        for (size_t k = 0; k < sizeof none / sizeof *none; k++) expect_zero(in, row, none[k]);
        if (!says(in, row, "family", "all")) contacts += number(in, row, "contacts");
        if (!says(in, row, "family", "all")) queries += number(in, row, "queries");
    }
    CHECK_MSG(contacts > 1000 && queries > 20000, "%g contacts of %g queries", contacts, queries);
    cJSON_Delete(report);
}

TEST(safe_misses_no_contact_of_random_and_cloth_queries) {
    cJSON *report = report_of("safe --quick --cases 4000");
    const cJSON *in = table(report, "safe-verdicts"), *row;
    int rows = 0;
    cJSON_ArrayForEach(row, field(in, "rows")) {
        if (!says(in, row, "variant", "safe") && !says(in, row, "variant", "safe in float")) continue;
        expect_positive(in, row, "contacts");
        expect_zero(in, row, "false_negatives");
        rows++;
    }
    CHECK_MSG(rows == 8, "%d rows: two sets, two kinds, two precisions", rows);
    cJSON_Delete(report);
}

TEST(simulated_scenes_never_intersect) {
    static const char *const none[] = {"intersections", "intersections_hash_ti", "zero_ours", "zero_hash_ti"};
    cJSON *report = report_of("sim --quick --out report");
    const cJSON *in = table(report, "sim-ccd"), *row;
    bool cubes = false, knives = false;
    cJSON_ArrayForEach(row, field(in, "rows")) {
        for (size_t k = 0; k < sizeof none / sizeof *none; k++) expect_zero(in, row, none[k]);
        expect_positive(in, row, "contacts");
        expect_positive(in, row, "calls");
        /* the baseline may take a few times as long as we do: on a busy machine it does not get to the last frame */
        CHECK(number(in, row, "frames_run") > 0 && number(in, row, "frames_run") <= number(in, row, "frames"));
        cubes |= says(in, row, "scene", "five-cubes");
        knives |= says(in, row, "scene", "mat-knives");
    }
    CHECK(cubes && knives);
    cJSON_Delete(report);
}

int main(int argc, char **argv) { return run_program_tests(argc, argv); }
