/* Steps of real scenes: candidate counts that others have published, contacts that Mathematica decided. */
#include "check.h"

#include "io/mesh.h"
#include "io/pairs_json.h"

typedef struct scene {
    const char *frames[2];
    const char *pairs[2], *truth[2]; /* vf, ee */
    uint64_t candidates[2];
} scene;

static const scene funnel = {
    {"cloth-funnel/frames/227.ply", "cloth-funnel/frames/228.ply"},
    {"cloth-funnel/boxes/227vf.json", "cloth-funnel/boxes/227ee.json"},
    {"cloth-funnel/mma_bool/227vf_mma_bool.json", "cloth-funnel/mma_bool/227ee_mma_bool.json"},
    {7319, 33770},
};
static const scene armadillo = {
    .frames = {"armadillo-rollers/frames/326.ply", "armadillo-rollers/frames/327.ply"},
    .candidates = {2031902, 5068080},
};
static const scene ball = {
    .frames = {"cloth-ball/frames/cloth_ball92.ply", "cloth-ball/frames/cloth_ball93.ply"},
    .candidates = {1655541, 5197332},
};

static const char *in_scenes(const char *path, char *buffer, size_t size) {
    snprintf(buffer, size, "%s/scenes/%s", test_data_folder(), path);
    return buffer;
}

typedef struct loaded {
    io_mesh a, b;
    graze_mesh mesh;
} loaded;

static bool load(const scene *s, graze_context *context, loaded *l) {
    char a[1000], b[1000];
    io_error error;
    if (!test_data_folder()) return false;
    bool read = io_read_mesh_pair(in_scenes(s->frames[0], a, sizeof a), in_scenes(s->frames[1], b, sizeof b), &l->a,
                                  &l->b, &error);
    CHECK(read);
    if (!read) return false;
    l->mesh = graze_default_mesh();
    CHECK(graze_mesh_from_faces(context, (uint32_t)l->a.vertex_count, (const uint32_t(*)[3])l->a.faces,
                                (uint32_t)l->a.face_count, &l->mesh) == GRAZE_OK);
    return true;
}

static void unload(graze_context *context, loaded *l) {
    graze_mesh_release(context, &l->mesh);
    io_free_mesh(&l->a);
    io_free_mesh(&l->b);
}

static void check_counts(const scene *s, graze_broad broad) {
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    loaded l;
    if (load(s, context, &l)) {
        graze_step_options options = graze_default_step_options();
        options.broad = broad;
        graze_pair *pairs;
        size_t count;
        uint64_t kinds[4] = {0};
        CHECK(graze_candidates(context, &l.mesh, (const double(*)[3])l.a.positions, (const double(*)[3])l.b.positions,
                               &options, &pairs, &count) == GRAZE_OK);
        for (size_t i = 0; i < count; i++) kinds[pairs[i].kind]++;
        CHECK_MSG(kinds[GRAZE_VF] == s->candidates[0] && kinds[GRAZE_EE] == s->candidates[1], "%s: %llu, %llu",
                  graze_broad_name(broad), (unsigned long long)kinds[GRAZE_VF], (unsigned long long)kinds[GRAZE_EE]);
        graze_pairs_release(context, pairs, count);
        unload(context, &l);
    }
    graze_context_destroy(context);
}

TEST(the_default_broad_phase_finds_the_published_number_of_candidates) {
    check_counts(&funnel, GRAZE_BROAD_AUTO);
    check_counts(&armadillo, GRAZE_BROAD_AUTO);
    check_counts(&ball, GRAZE_BROAD_AUTO);
}

TEST(every_broad_phase_finds_the_published_number_of_candidates_of_the_funnel) {
    for (int broad = 0; graze_broad_name((graze_broad)broad); broad++)
        if (graze_broad_available((graze_broad)broad)) check_counts(&funnel, (graze_broad)broad);
}

/* The pairs that collide by the scene's truth, as ids of their own kind. Box ids count vertices, edges, faces. */
static size_t true_pairs(const scene *s, const graze_mesh *mesh, int kind, graze_pair *pairs, size_t room) {
    char path[1000];
    io_error error;
    io_id_pairs boxes = {0};
    io_booleans truth = {0};
    CHECK(io_read_id_pairs(in_scenes(s->pairs[kind], path, sizeof path), &boxes, &error));
    CHECK(io_read_booleans(in_scenes(s->truth[kind], path, sizeof path), &truth, &error));
    CHECK(boxes.count == truth.count);
    size_t count = 0;
    uint64_t first_face = (uint64_t)mesh->vertex_count + mesh->edge_count;
    for (size_t i = 0; i < boxes.count && i < truth.count; i++) {
        if (!truth.values[i] || count == room) continue;
        uint64_t a = boxes.pairs[i][0], b = boxes.pairs[i][1], low = a < b ? a : b, high = a < b ? b : a;
        pairs[count++] = kind == GRAZE_VF ? (graze_pair){GRAZE_VF, (uint32_t)low, (uint32_t)(high - first_face)}
                                          : (graze_pair){GRAZE_EE, (uint32_t)(low - mesh->vertex_count),
                                                         (uint32_t)(high - mesh->vertex_count)};
    }
    io_free_id_pairs(&boxes);
    io_free_booleans(&truth);
    return count;
}

static int by_kind_a_b(const void *x, const void *y) {
    const graze_pair *p = x, *q = y;
    if (p->kind != q->kind) return p->kind < q->kind ? -1 : 1;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

TEST(mode_all_with_the_oracle_finds_the_contacts_of_the_funnel_and_no_others) {
    if (!graze_method_get(GRAZE_METHOD_ORACLE)->available) {
        test_skip("no oracle in this build");
        return;
    }
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    loaded l;
    if (load(&funnel, context, &l)) {
        graze_pair expected[1000];
        size_t count = true_pairs(&funnel, &l.mesh, GRAZE_VF, expected, 1000);
        count += true_pairs(&funnel, &l.mesh, GRAZE_EE, expected + count, 1000 - count);
        qsort(expected, count, sizeof *expected, by_kind_a_b);
        CHECK(count == 27 + 107);
        graze_options narrow = graze_default_options();
        narrow.method = GRAZE_METHOD_ORACLE;
        graze_step_options options = graze_default_step_options();
        options.narrow = &narrow;
        options.mode = GRAZE_STEP_ALL;
        graze_step_result all = graze_default_step_result(), earliest = graze_default_step_result();
        CHECK(graze_step(context, &l.mesh, (const double(*)[3])l.a.positions, (const double(*)[3])l.b.positions,
                         &options, &all) == GRAZE_OK);
        CHECK(all.candidates[GRAZE_VF] == 7319 && all.candidates[GRAZE_EE] == 33770);
        CHECK(all.pair_count == count);
        double least = INFINITY;
        for (size_t i = 0; i < count && i < all.pair_count; i++) {
            CHECK(by_kind_a_b(&all.pairs[i].pair, &expected[i]) == 0);
            if (all.pairs[i].result.toi < least) least = all.pairs[i].result.toi;
        }
        CHECK(all.toi == least && all.verdict == GRAZE_HIT);
        options.mode = GRAZE_STEP_EARLIEST;
        CHECK(graze_step(context, &l.mesh, (const double(*)[3])l.a.positions, (const double(*)[3])l.b.positions,
                         &options, &earliest) == GRAZE_OK);
        CHECK(earliest.toi == least && by_kind_a_b(&earliest.limiting.pair, &all.limiting.pair) == 0);
        graze_step_release(context, &all);
        unload(context, &l);
    }
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
