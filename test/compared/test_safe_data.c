/* The failure-proof cubic test on the handcrafted families and on the reference queries. */
#include "check.h"
#include "safe_queries.h"

#include "compared/narrow/safe.h"
#include "exact/decide.h"
#include "io/folder.h"
#include "io/query_csv.h"
#include "scenes/handcraft.h"

static const gz_safe_setup safe = {.t_max = 1, .plane_cull = true, .edge_cull = true};
static graze_context *context;

typedef struct score {
    size_t contacts, missed, alarms, late, far;
} score;

static void add(score *s, graze_kind kind, const graze_query *query, gz_safe_answer answer, double reach) {
    gz_exact_answer exact;
    if (!gz_exact_decide(context, 0, kind, query, 0, 1, &exact)) {
        test_failed(__FILE__, __LINE__, "the oracle does not answer");
        return;
    }
    bool missed = exact.hit && !answer.positive, late = exact.hit && answer.toi > exact.lower, far = false;
    if (answer.positive && !exact.hit) {
        s->alarms++;
        far = !gz_exact_decide(context, 0, kind, query, reach, 1, &exact) || !exact.hit;
    } else {
        s->contacts += exact.hit;
    }
    s->missed += missed;
    s->late += late;
    s->far += far;
    CHECK_QUERY(!missed && !late && !far, kind, query);
}

static double largest_coordinate(const graze_query *query) {
    double largest = 0;
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) largest = fmax(largest, fmax(fabs(query->x0[i][c]), fabs(query->x1[i][c])));
    return largest;
}

static void judge_both(score *s64, score *s32, graze_kind kind, const graze_query *query) {
    gz_safe_counts counts = {0};
    double largest = largest_coordinate(query);
    if (largest > GRAZE_MAX_COORDINATE) return;
    double reach = gz_safe_reach_f64(gz_safe_bound_f64(kind, query));
    add(s64, kind, query, gz_safe_test_f64(kind, query, &safe, &counts), reach);
    if (largest >= 0x1p127) return; /* no float */
    graze_query_f32 narrow = to_float(query);
    graze_query wide = to_double(&narrow);
    reach = gz_safe_reach_f32(gz_safe_bound_f32(kind, &narrow));
    add(s32, kind, &wide, gz_safe_test_f32(kind, &narrow, &safe, &counts), reach);
}

static void print_scores(const char *name, const score *s64, const score *s32) {
    printf("    %-28.28s %6zu contacts, %6zu near misses; float %6zu, %6zu\n", name, s64->contacts, s64->alarms,
           s32->contacts, s32->alarms);
}

TEST(handcrafted_contacts_are_all_found) {
    for (size_t f = 0; handcraft_get(f); f++) {
        const handcraft_family *family = handcraft_get(f);
        score s64 = {0}, s32 = {0};
        for (uint64_t i = 0; i < 2000; i++) {
            graze_kind kind = i % 2 ? GRAZE_EE : GRAZE_VF;
            graze_query query;
            handcraft_make(family, kind, 7, i / 2, &query);
            judge_both(&s64, &s32, kind, &query);
        }
        print_scores(family->name, &s64, &s32);
    }
}

TEST(contacts_of_the_reference_queries_are_all_found) {
    const char *data = test_data_folder();
    if (!data) return;
    io_paths list = {0};
    io_error error;
    CHECK(io_list_folder(data, ".csv", true, &list, &error));
    CHECK(list.count > 0);
    score s64 = {0}, s32 = {0};
    size_t truths = 0;
    for (size_t i = 0; i < list.count; i++) {
        const char *path = list.paths[i];
        graze_kind kind = strstr(path, "edge-edge") || strstr(path, "ee.csv") ? GRAZE_EE : GRAZE_VF;
        io_queries queries;
        bool read = io_read_query_csv(path, &queries, &error);
        CHECK_MSG(read, "%s", path);
        if (!read) continue;
        for (size_t k = 0; k < queries.count; k++) {
            judge_both(&s64, &s32, kind, &queries.queries[k]);
            truths += queries.truth && queries.truth[k];
        }
        io_free_queries(&queries);
    }
    io_free_paths(&list);
    print_scores("reference queries", &s64, &s32);
    CHECK(truths <= s64.contacts);
}

int main(int argc, char **argv) {
    if (graze_context_create(NULL, &context) != GRAZE_OK) return 1;
    int failed = RUN_TESTS(argc, argv);
    graze_context_destroy(context);
    return failed;
}
