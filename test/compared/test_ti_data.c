/* Tight Inclusion on the reference data: no contact is missed. */
#include "check.h"

#include "io/query_csv.h"

#include <cjson/cJSON.h>
#include <glob.h>

typedef struct score {
    size_t queries, truths, false_positives, false_negatives, unresolved;
} score;

/* Truth beside a scene's queries: ../mma_bool/<stem>_mma_bool.json. NULL where there is none. */
static cJSON *truth_beside(const char *csv) {
    const char *at = strstr(csv, "/queries/");
    char path[4096];
    size_t stem = strlen(csv) - 4; /* without .csv */
    if (!at || snprintf(path, sizeof path, "%.*s/mma_bool/%.*s_mma_bool.json", (int)(at - csv), csv,
                        (int)(stem - (size_t)(at - csv) - 9), at + 9) >= (int)sizeof path)
        return NULL;
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc((size_t)size + 1, 1);
    cJSON *truth = text && fread(text, 1, (size_t)size, file) == (size_t)size ? cJSON_Parse(text) : NULL;
    free(text);
    fclose(file);
    return truth;
}

/* True if t is at or before the exact first contact. */
static bool not_after_contact(graze_kind kind, const graze_query *query, double t) {
    graze_truth *exact;
    if (graze_truth_find(NULL, kind, query, NULL, &exact) != GRAZE_OK) return false;
    bool fine = graze_truth_hit(exact) && graze_truth_compare(exact, t) <= 0;
    graze_truth_destroy(NULL, exact);
    return fine;
}

static void run_file(const char *path, graze_kind kind, score *total) {
    io_queries queries;
    io_error error;
    bool read = io_read_query_csv(path, &queries, &error);
    CHECK_MSG(read, "%s", error.message);
    if (!read) return;
    cJSON *beside = queries.truth ? NULL : truth_beside(path);
    cJSON *item = beside ? beside->child : NULL;
    CHECK_MSG(queries.truth || item, "%s has no truth", path);
    graze_options options = graze_default_options();
    options.method = GRAZE_METHOD_TI;
    for (size_t i = 0; i < queries.count && (queries.truth || item); i++) {
        bool truth = queries.truth ? queries.truth[i] : cJSON_IsTrue(item);
        if (item) item = item->next;
        graze_result result;
        CHECK(graze_ccd(kind, &queries.queries[i], &options, &result) == GRAZE_OK);
        bool hit = result.verdict != GRAZE_CLEAR;
        total->queries++;
        total->truths += truth;
        total->false_positives += hit && !truth;
        total->false_negatives += truth && !hit;
        total->unresolved += result.verdict == GRAZE_UNRESOLVED;
        CHECK_QUERY(hit || !truth, kind, &queries.queries[i]);
        if (truth) CHECK_QUERY(not_after_contact(kind, &queries.queries[i], result.toi), kind, &queries.queries[i]);
    }
    cJSON_Delete(beside);
    io_free_queries(&queries);
}

static void run_pattern(const char *pattern, graze_kind kind, score *total) {
    char full[4096];
    if (snprintf(full, sizeof full, "%s/%s", test_data_folder(), pattern) >= (int)sizeof full) return;
    glob_t found;
    if (glob(full, 0, NULL, &found) != 0) return;
    for (size_t i = 0; i < found.gl_pathc; i++) run_file(found.gl_pathv[i], kind, total);
    globfree(&found);
}

TEST(no_contact_of_the_reference_data_is_missed) {
    if (!test_data_folder()) return;
    score total = {0};
    run_pattern("queries/*/vertex-face/*.csv", GRAZE_VF, &total);
    run_pattern("queries/*/edge-edge/*.csv", GRAZE_EE, &total);
    run_pattern("scenes/*/queries/*vf.csv", GRAZE_VF, &total);
    run_pattern("scenes/*/queries/*ee.csv", GRAZE_EE, &total);
    printf("    %zu queries, %zu contacts, %zu false positives, %zu false negatives, %zu unresolved\n", total.queries,
           total.truths, total.false_positives, total.false_negatives, total.unresolved);
    CHECK(total.queries > 0 && total.truths > 0 && total.false_negatives == 0);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
