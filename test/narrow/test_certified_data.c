/* `certified` and `exact` on the reference data: every query, and every candidate of whole steps. */
#include "check.h"

#include "io/mesh.h"
#include "io/pairs_json.h"
#include "io/query_csv.h"

#include <glob.h>

static graze_result run(graze_method method, graze_kind kind, const graze_query *query) {
    graze_options options = graze_default_options();
    options.method = method;
    graze_result result;
    CHECK(graze_ccd(kind, query, &options, &result) == GRAZE_OK);
    return result;
}

typedef struct score {
    size_t queries, contacts, alarms, alarms_of_ti;
} score;

static void run_file(const char *path, graze_kind kind, score *total) {
    io_queries queries;
    io_error error;
    bool read = io_read_query_csv(path, &queries, &error);
    CHECK_MSG(read && queries.truth, "%s", path);
    if (!read) return;
    for (size_t i = 0; i < queries.count && queries.truth; i++) {
        const graze_query *query = &queries.queries[i];
        graze_result oracle = run(GRAZE_METHOD_ORACLE, kind, query);
        graze_result certified = run(GRAZE_METHOD_CERTIFIED, kind, query);
        graze_result exact = run(GRAZE_METHOD_EXACT, kind, query);
        bool truth = queries.truth[i];
        total->queries++;
        total->contacts += truth;
        CHECK_QUERY((exact.verdict == GRAZE_HIT) == truth && (exact.verdict == GRAZE_CLEAR) != truth, kind, query);
        CHECK_QUERY(exact.toi == oracle.toi && exact.toi_upper == oracle.toi_upper, kind, query);
        CHECK_QUERY(certified.verdict != GRAZE_CLEAR || !truth, kind, query);
        CHECK_QUERY(!truth || certified.toi <= oracle.toi, kind, query);
        if (!truth) {
            total->alarms += certified.verdict != GRAZE_CLEAR;
            total->alarms_of_ti += run(GRAZE_METHOD_TI, kind, query).verdict != GRAZE_CLEAR;
        }
    }
    io_free_queries(&queries);
}

static void run_pattern(const char *pattern, graze_kind kind, score *total) {
    char full[4096];
    snprintf(full, sizeof full, "%s/%s", test_data_folder(), pattern);
    glob_t found;
    if (glob(full, 0, NULL, &found) != 0) return;
    for (size_t i = 0; i < found.gl_pathc; i++) run_file(found.gl_pathv[i], kind, total);
    globfree(&found);
}

TEST(exact_is_right_on_every_query_and_certified_misses_none) {
    if (!test_data_folder()) return;
    score total = {0};
    run_pattern("queries/*/vertex-face/*.csv", GRAZE_VF, &total);
    run_pattern("queries/*/edge-edge/*.csv", GRAZE_EE, &total);
    printf("    %zu queries, %zu contacts, false alarms: certified %zu, ti %zu\n", total.queries, total.contacts,
           total.alarms, total.alarms_of_ti);
    CHECK(total.queries > 0 && total.alarms <= total.alarms_of_ti);
}

/* ---- whole steps ---- */

typedef struct truth_list {
    graze_pair *pairs;
    size_t count;
} truth_list;

static int by_kind_a_b(const void *x, const void *y) {
    const graze_pair *p = x, *q = y;
    if (p->kind != q->kind) return p->kind < q->kind ? -1 : 1;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

static void add_truth(const char *scene, const char *step, graze_kind kind, const graze_mesh *mesh, truth_list *list) {
    char path[4096];
    io_error error;
    io_id_pairs boxes = {0};
    io_booleans truth = {0};
    const char *name = kind == GRAZE_VF ? "vf" : "ee";
    snprintf(path, sizeof path, "%s/scenes/%s/boxes/%s%s.json", test_data_folder(), scene, step, name);
    CHECK(io_read_id_pairs(path, &boxes, &error));
    snprintf(path, sizeof path, "%s/scenes/%s/mma_bool/%s%s_mma_bool.json", test_data_folder(), scene, step, name);
    CHECK(io_read_booleans(path, &truth, &error));
    CHECK(boxes.count == truth.count);
    list->pairs = realloc(list->pairs, (list->count + boxes.count) * sizeof *list->pairs);
    uint32_t first_edge = mesh->vertex_count, first_face = mesh->vertex_count + mesh->edge_count;
    for (size_t i = 0; i < boxes.count && i < truth.count && list->pairs; i++) {
        if (!truth.values[i]) continue;
        uint32_t a = boxes.pairs[i][0], b = boxes.pairs[i][1], low = a < b ? a : b, high = a < b ? b : a;
        graze_pair pair = {kind, low - first_edge, high - first_edge};
        if (kind == GRAZE_VF) pair.a = low, pair.b = high - first_face;
        list->pairs[list->count++] = pair;
    }
    io_free_id_pairs(&boxes);
    io_free_booleans(&truth);
}

static void check_scene(const char *scene, const char *stem, int step) {
    if (!test_data_folder()) return;
    char first[4096], second[4096], number[16];
    snprintf(number, sizeof number, "%d", step);
    snprintf(first, sizeof first, "%s/scenes/%s/frames/%s%d.ply", test_data_folder(), scene, stem, step);
    snprintf(second, sizeof second, "%s/scenes/%s/frames/%s%d.ply", test_data_folder(), scene, stem, step + 1);
    io_mesh a, b;
    io_error error;
    graze_mesh mesh = graze_default_mesh();
    graze_context *context;
    CHECK(graze_context_create(NULL, &context) == GRAZE_OK);
    bool read = io_read_mesh_pair(first, second, &a, &b, &error);
    CHECK_MSG(read, "%s", first);
    if (!read) return;
    CHECK(graze_mesh_from_faces(context, (uint32_t)a.vertex_count, (const uint32_t(*)[3])a.faces,
                                (uint32_t)a.face_count, &mesh) == GRAZE_OK);
    truth_list truth = {0};
    add_truth(scene, number, GRAZE_VF, &mesh, &truth);
    add_truth(scene, number, GRAZE_EE, &mesh, &truth);
    qsort(truth.pairs, truth.count, sizeof *truth.pairs, by_kind_a_b);

    graze_options narrow = graze_default_options();
    graze_step_options options = graze_default_step_options();
    options.narrow = &narrow;
    options.mode = GRAZE_STEP_ALL;
    graze_step_result exact = graze_default_step_result(), certified = graze_default_step_result();
    narrow.method = GRAZE_METHOD_EXACT;
    const double(*x0)[3] = (const double(*)[3])a.positions, (*x1)[3] = (const double(*)[3])b.positions;
    CHECK(graze_step(context, &mesh, x0, x1, &options, &exact) == GRAZE_OK);
    narrow.method = GRAZE_METHOD_CERTIFIED;
    CHECK(graze_step(context, &mesh, x0, x1, &options, &certified) == GRAZE_OK);
    graze_stats stats = graze_default_stats();
    CHECK(graze_context_stats(context, &stats) == GRAZE_OK);
    printf("    %s: %zu contacts, %llu candidates, exact steps %llu, alarms of certified %zu\n", scene, truth.count,
           (unsigned long long)(exact.candidates[GRAZE_VF] + exact.candidates[GRAZE_EE]),
           (unsigned long long)stats.oracle_calls, certified.pair_count - truth.count);
    CHECK(exact.pair_count == truth.count);
    for (size_t i = 0; i < truth.count && i < exact.pair_count; i++) {
        CHECK(by_kind_a_b(&exact.pairs[i].pair, &truth.pairs[i]) == 0);
        CHECK(exact.pairs[i].result.proven);
        CHECK(exact.pairs[i].result.toi_upper <= nextafter(exact.pairs[i].result.toi, 2));
    }
    size_t k = 0; /* both lists are sorted: certified has every contact, and not late */
    for (size_t i = 0; i < exact.pair_count; i++) {
        while (k < certified.pair_count && by_kind_a_b(&certified.pairs[k].pair, &exact.pairs[i].pair) < 0) k++;
        CHECK(k < certified.pair_count && by_kind_a_b(&certified.pairs[k].pair, &exact.pairs[i].pair) == 0);
        if (k == certified.pair_count) break;
        CHECK(certified.pairs[k].result.toi <= exact.pairs[i].result.toi);
        if (certified.pairs[k].result.proven)
            CHECK(certified.pairs[k].result.toi_upper >= exact.pairs[i].result.toi_upper);
    }
    CHECK(certified.pair_count <= truth.count + truth.count / 1000 + 1);
    graze_step_release(context, &exact);
    graze_step_release(context, &certified);
    graze_mesh_release(context, &mesh);
    io_free_mesh(&a);
    io_free_mesh(&b);
    free(truth.pairs);
    graze_context_destroy(context);
}

TEST(every_candidate_of_the_funnel_is_decided_rightly) { check_scene("cloth-funnel", "", 227); }
TEST(every_candidate_of_the_armadillo_is_decided_rightly) { check_scene("armadillo-rollers", "", 326); }
TEST(every_candidate_of_the_ball_is_decided_rightly) { check_scene("cloth-ball", "cloth_ball", 92); }

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
