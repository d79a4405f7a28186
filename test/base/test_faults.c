/* Every public function while memory runs out: each allocation is refused in turn. What it says then is GRAZE_OK or
   GRAZE_ERR_OUT_OF_MEMORY, nothing is left behind, and no answer is better than the one with memory. Functions that
   allocate nothing are listed, too: the test faults_of_headers compares the names in quotes with the headers. */
#include "articulated/bodies.h"
#include "failing.h"

enum { QUERIES = 64, MOST_ALLOCATIONS = 3000, PIECES = 64 };

/* The answer of a call; what it has no use for is 0. */
typedef struct answer {
    graze_status status;
    graze_verdict verdict;
    double toi;
    size_t count; /* of a list */
} answer;

/* ---- what calls are about ---- */

static struct {
    graze_context *context; /* with memory */
    graze_query queries[QUERIES];
    graze_query_f32 singles[QUERIES];
    graze_curve_query curves[QUERIES];
    test_box box;
    uint32_t faces[24][3];
    double x0[16][3], x1[16][3], beside[16][3]; /* two boxes: one comes to the other; both, close to each other */
    graze_mesh mesh, half;
    graze_pair *pairs;
    size_t pair_count;
    graze_proximity_result near;
    graze_contact_list contacts;
    graze_link_mesh shape;
    graze_model *arm, *post;
    graze_motion motions[2];
    graze_world *world, *mixed;
    graze_worlds *worlds;
    graze_body bodies[2], mixed_bodies[2];
    graze_body_motion moving, falling;
    graze_articulated_result contact;
} with;

static void make_queries(void) {
    for (int i = 0; i < QUERIES; i++) {
        graze_query *q = &with.queries[i];
        double z = i % 2 ? 1 : 1 + 1e-9 * i;
        *q = (graze_query){.x0 = {{0.2, 0.2, z}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                           .x1 = {{0.2, 0.2, -z}, {0, 0, 0}, {1, 0, 0.25 * i}, {0, 1, 0}}};
        for (int r = 0; r < 4; r++)
            for (int c = 0; c < 3; c++) {
                with.singles[i].x0[r][c] = (float)q->x0[r][c];
                with.singles[i].x1[r][c] = (float)q->x1[r][c];
                for (int k = 0; k < 4; k++)
                    with.curves[i].x[r][k][c] = q->x0[r][c] + k / 3.0 * (q->x1[r][c] - q->x0[r][c]) + 0.01 * (k % 3);
            }
    }
}

static void make_mesh(void) {
    with.box = test_box_of(0.5, 0.5, 0.5);
    for (int v = 0; v < 16; v++)
        for (int c = 0; c < 3; c++) {
            double x = with.box.vertices[v % 8][c] * (v < 8 ? 1 : 0.75);
            with.x0[v][c] = x + (v >= 8 && c == 2 ? 2 : 0);
            with.x1[v][c] = x + (v >= 8 && c == 2 ? 0.5 : 0);
            with.beside[v][c] = x + (v >= 8 && c == 2 ? 0.9 : 0);
        }
    for (uint32_t f = 0; f < 24; f++)
        for (int k = 0; k < 3; k++) with.faces[f][k] = with.box.faces[f % 12][k] + (f < 12 ? 0 : 8);
    with.mesh = with.half = graze_default_mesh();
    CHECK(graze_mesh_from_faces(with.context, 16, (const uint32_t(*)[3])with.faces, 24, &with.mesh) == GRAZE_OK);
    CHECK(graze_mesh_from_faces(with.context, 8, (const uint32_t(*)[3])with.faces, 12, &with.half) == GRAZE_OK);
    CHECK(graze_candidates(with.context, &with.mesh, (const double(*)[3])with.x0, (const double(*)[3])with.x1, NULL,
                           &with.pairs, &with.pair_count) == GRAZE_OK);
    with.near = graze_default_proximity_result();
    CHECK(graze_proximity(with.context, &with.mesh, (const double(*)[3])with.beside, 0.2, NULL, &with.near) ==
          GRAZE_OK);
    with.contacts = graze_default_contact_list();
    CHECK(graze_contacts_make(with.context, with.near.pairs, with.near.pair_count, NULL,
                              (const double(*)[3])with.beside, 16, 0, &with.contacts) == GRAZE_OK);
    CHECK(with.pair_count > 0 && with.contacts.count > 0);
}

/* An arm of two links that swings into a post. */
static void make_models(void) {
    static const double from[] = {0, 0.1}, to[] = {1.2, 0.4};
    with.shape = test_mesh_of(&with.box);
    graze_link links[2] = {test_link(-1, GRAZE_JOINT_REVOLUTE, test_frame(0, 0, 0), &with.shape),
                           test_link(0, GRAZE_JOINT_PRISMATIC, test_frame(2.2, 0, 0), &with.shape)};
    CHECK(graze_model_create(with.context, links, 2, &with.arm) == GRAZE_OK);
    with.post = test_body(with.context, GRAZE_JOINT_FIXED, test_frame(0.4, 2.2, 0), &with.box);
    with.motions[0] = test_motion(from, to);
    with.motions[1] = graze_default_motion();
}

static void make_worlds(void) {
    for (int i = 0; i < 2; i++) {
        with.bodies[i] = with.mixed_bodies[i] = graze_default_body();
        with.bodies[i].model = i ? with.post : with.arm;
    }
    with.moving = with.falling = graze_default_body_motion();
    with.moving.joints = &with.motions[0];
    with.mixed_bodies[0].model = with.arm;
    with.mixed_bodies[1].kind = GRAZE_BODY_STRAIGHT;
    with.mixed_bodies[1].mesh = &with.half;
    with.falling.body = 1;
    with.falling.x0 = (const double(*)[3])(with.x0 + 8);
    with.falling.x1 = (const double(*)[3])(with.x1 + 8);
    CHECK(graze_world_create(with.context, with.bodies, 2, NULL, &with.world) == GRAZE_OK);
    CHECK(graze_world_create(with.context, with.mixed_bodies, 2, NULL, &with.mixed) == GRAZE_OK);
    static const int32_t world_of[2] = {-1, 0};
    CHECK(graze_worlds_create(with.context, with.mixed_bodies, world_of, 2, NULL, &with.worlds) == GRAZE_OK);
    with.contact = graze_default_articulated_result();
    CHECK(graze_world_step(with.context, with.world, &with.moving, 1, NULL, &with.contact) == GRAZE_OK);
    CHECK(with.contact.has_contact);
}

static void make_all(void) {
    with.context = test_context(1, GRAZE_ISA_AUTO);
    make_queries();
    make_mesh();
    make_models();
    make_worlds();
}

static void release_all(void) {
    graze_world_release(with.world);
    graze_world_release(with.mixed);
    graze_worlds_release(with.worlds);
    graze_model_destroy(with.context, with.arm);
    graze_model_destroy(with.context, with.post);
    graze_contacts_release(with.context, &with.contacts);
    graze_proximity_release(with.context, &with.near);
    graze_pairs_release(with.context, with.pairs, with.pair_count);
    graze_mesh_release(with.context, &with.mesh);
    graze_mesh_release(with.context, &with.half);
    graze_context_destroy(with.context);
}

#define X0 ((const double(*)[3])with.x0)
#define X1 ((const double(*)[3])with.x1)
#define BESIDE ((const double(*)[3])with.beside)
#define MODELS ((const graze_model *const[]){with.arm, with.post})

/* ---- cases: queries ---- */

static answer least_of(graze_status status, const graze_result *results) {
    answer a = {.status = status, .verdict = GRAZE_CLEAR, .toi = 1};
    for (int i = 0; i < QUERIES; i++) {
        if (results[i].verdict != GRAZE_CLEAR) a.verdict = results[i].verdict;
        a.toi = fmin(a.toi, results[i].toi);
    }
    return a;
}

static answer batch_with(graze_context *c, graze_method method) {
    graze_result results[QUERIES];
    graze_options options = graze_default_options();
    options.method = method;
    return least_of(graze_ccd_batch(c, GRAZE_VF, with.queries, QUERIES, &options, results), results);
}

static answer batch(graze_context *c) { return batch_with(c, GRAZE_METHOD_DEFAULT); }
static answer batch_exact(graze_context *c) { return batch_with(c, GRAZE_METHOD_EXACT); }
static answer batch_oracle(graze_context *c) { return batch_with(c, GRAZE_METHOD_ORACLE); }

static answer batch_strided(graze_context *c) {
    graze_result results[QUERIES];
    graze_query_arrays arrays = graze_default_query_arrays();
    arrays.x0 = &with.queries[0].x0[0][0];
    arrays.x1 = &with.queries[0].x1[0][0];
    arrays.strides0[0] = arrays.strides1[0] = sizeof(graze_query);
    arrays.strides0[1] = arrays.strides1[1] = 24;
    arrays.strides0[2] = arrays.strides1[2] = 8;
    return least_of(graze_ccd_batch_strided(c, GRAZE_VF, &arrays, QUERIES, NULL, results, sizeof *results), results);
}

static answer batch_f32(graze_context *c) {
    graze_result results[QUERIES];
    return least_of(graze_ccd_batch_f32(c, GRAZE_VF, with.singles, QUERIES, NULL, results), results);
}

static answer curve_batch(graze_context *c) {
    graze_result results[QUERIES];
    return least_of(graze_ccd_curve_batch(c, GRAZE_VF, with.curves, QUERIES, NULL, results), results);
}

static answer truth_find(graze_context *c) {
    graze_truth *truth;
    answer a = {.status = graze_truth_find(c, GRAZE_VF, &with.queries[0], NULL, &truth)};
    CHECK(a.status == GRAZE_OK || !truth);
    a.count = a.status == GRAZE_OK;
    graze_truth_destroy(c, truth);
    return a;
}

/* ---- meshes and steps ---- */

static answer mesh_from_faces(graze_context *c) {
    graze_mesh mesh = graze_default_mesh();
    answer a = {.status = graze_mesh_from_faces(c, 16, (const uint32_t(*)[3])with.faces, 24, &mesh)};
    a.count = mesh.edge_count;
    graze_mesh_release(c, &mesh);
    return a;
}

static answer mesh_from_parts(graze_context *c) {
    static const uint32_t edges[1][2] = {{0, 15}}, points[1] = {3};
    graze_mesh mesh = graze_default_mesh();
    answer a = {.status =
                    graze_mesh_from_parts(c, 17, (const uint32_t(*)[3])with.faces, 24, edges, 1, points, 0, &mesh)};
    a.count = mesh.edge_count;
    graze_mesh_release(c, &mesh);
    return a;
}

static answer mesh_join(graze_context *c) {
    graze_mesh mesh = graze_default_mesh();
    answer a = {.status = graze_mesh_join(c, &with.half, &with.half, &mesh)};
    a.count = mesh.edge_count;
    graze_mesh_release(c, &mesh);
    return a;
}

static answer step_answer(graze_context *c, graze_status status, graze_step_result *result) {
    answer a = {.status = status, .verdict = result->verdict, .toi = result->toi, .count = result->pair_count};
    graze_step_release(c, result);
    return a;
}

static answer step_with(graze_context *c, graze_step_mode mode, graze_broad broad) {
    double times[16];
    graze_step_options options = graze_default_step_options();
    graze_step_result result = graze_default_step_result();
    options.mode = mode;
    options.broad = broad;
    options.vertex_toi = times;
    return step_answer(c, graze_step(c, &with.mesh, X0, X1, &options, &result), &result);
}

static answer step_earliest(graze_context *c) { return step_with(c, GRAZE_STEP_EARLIEST, GRAZE_BROAD_AUTO); }
static answer step_any(graze_context *c) { return step_with(c, GRAZE_STEP_ANY, GRAZE_BROAD_AUTO); }
static answer step_vertices(graze_context *c) { return step_with(c, GRAZE_STEP_VERTICES, GRAZE_BROAD_AUTO); }
static answer step_all(graze_context *c) { return step_with(c, GRAZE_STEP_ALL, GRAZE_BROAD_AUTO); }
static answer step_tree(graze_context *c) { return step_with(c, GRAZE_STEP_ALL, GRAZE_BROAD_BVH); }
static answer step_sap(graze_context *c) { return step_with(c, GRAZE_STEP_ALL, GRAZE_BROAD_SAP); }
static answer step_grid(graze_context *c) { return step_with(c, GRAZE_STEP_ALL, GRAZE_BROAD_GRID); }
static answer step_hash(graze_context *c) { return step_with(c, GRAZE_STEP_ALL, GRAZE_BROAD_HASH); }

static answer step_between(graze_context *c) {
    graze_step_result result = graze_default_step_result();
    return step_answer(c, graze_step_between(c, &with.half, X0, X1, &with.half, X0 + 8, X1 + 8, NULL, &result),
                       &result);
}

static answer step_to(graze_context *c) {
    double x[16][3];
    graze_step_result result = graze_default_step_result();
    return step_answer(c, graze_step_to(c, &with.mesh, X0, X1, NULL, x, &result), &result);
}

static answer candidates(graze_context *c) {
    graze_pair *pairs = NULL;
    answer a = {.status = GRAZE_OK};
    a.status = graze_candidates(c, &with.mesh, X0, X1, NULL, &pairs, &a.count);
    graze_pairs_release(c, pairs, a.count);
    return a;
}

static answer ccd_pairs(graze_context *c) {
    static graze_result results[1 << 12];
    if (with.pair_count > sizeof results / sizeof *results) abort();
    answer a = {.verdict = GRAZE_CLEAR, .toi = 1};
    a.status = graze_ccd_pairs(c, &with.mesh, X0, X1, with.pairs, with.pair_count, NULL, results);
    for (size_t i = 0; i < with.pair_count; i++) {
        if (results[i].verdict != GRAZE_CLEAR) a.verdict = results[i].verdict;
        a.toi = fmin(a.toi, results[i].toi);
    }
    return a;
}

static answer earliest_of_pairs(graze_context *c) {
    graze_step_result result = graze_default_step_result();
    return step_answer(c, graze_earliest_of_pairs(c, &with.mesh, X0, X1, with.pairs, with.pair_count, NULL, &result),
                       &result);
}

static answer start_violations(graze_context *c) {
    graze_options narrow = graze_default_options();
    graze_step_options options = graze_default_step_options();
    graze_pair *pairs = NULL;
    answer a = {.status = GRAZE_OK};
    narrow.min_separation = 0.2;
    options.narrow = &narrow;
    a.status = graze_start_violations(c, &with.mesh, BESIDE, &options, &pairs, &a.count);
    graze_pairs_release(c, pairs, a.count);
    return a;
}

static answer static_intersections(graze_context *c) {
    graze_pair *pairs = NULL;
    answer a = {.status = GRAZE_OK};
    a.status = graze_static_intersections(c, &with.mesh, X1, NULL, &pairs, &a.count);
    graze_pairs_release(c, pairs, a.count);
    return a;
}

static answer active_set(graze_context *c) {
    graze_pair_result *pairs = NULL;
    answer a = {.status = GRAZE_OK};
    a.status = graze_active_set(c, &with.mesh, X0, X1, NULL, &pairs, &a.count);
    graze_active_set_release(c, pairs, a.count);
    return a;
}

static answer line_search(graze_context *c) {
    graze_line_search_result result = graze_default_line_search_result();
    answer a = {.status = graze_line_search(c, &with.mesh, X0, X1, NULL, NULL, NULL, &result)};
    a.toi = result.alpha;
    a.verdict = GRAZE_HIT;
    return a;
}

static answer distances(graze_context *c) {
    static graze_distance_result results[1 << 12];
    return (answer){.status = graze_distances(c, &with.mesh, X0, with.pairs, with.pair_count, NULL, results)};
}

static answer proximity(graze_context *c) {
    graze_proximity_result result = graze_default_proximity_result();
    answer a = {.status = graze_proximity(c, &with.mesh, BESIDE, 0.2, NULL, &result)};
    a.count = result.pair_count;
    graze_proximity_release(c, &result);
    return a;
}

/* ---- potentials ---- */

static answer contacts_make(graze_context *c) {
    graze_contact_list list = graze_default_contact_list();
    answer a = {.status = graze_contacts_make(c, with.near.pairs, with.near.pair_count, NULL, BESIDE, 16, 0, &list)};
    a.count = list.count;
    graze_contacts_release(c, &list);
    return a;
}

static answer csr_make(graze_context *c) {
    graze_csr csr = graze_default_csr();
    answer a = {.status = graze_csr_make(c, with.contacts.contacts, with.contacts.count, 16, &csr)};
    a.count = csr.count;
    graze_csr_release(c, &csr);
    return a;
}

static graze_potential_options potential(void) {
    graze_potential_options options = graze_default_potential_options();
    options.distance = 0.2;
    options.slip = 0.01;
    return options;
}

static answer contact_sums(graze_context *c) {
    double gradient[16][3];
    graze_potential_options options = potential();
    graze_potential_sums sums = graze_default_potential_sums();
    sums.gradient = gradient;
    return (answer){
        .status = graze_contact_sums(c, with.contacts.contacts, with.contacts.count, BESIDE, 16, &options, &sums)};
}

static answer friction_sums(graze_context *c) {
    double gradient[16][3];
    graze_potential_options options = potential();
    graze_potential_sums sums = graze_default_potential_sums();
    graze_friction friction;
    sums.gradient = gradient;
    CHECK(graze_friction_make(&with.contacts.contacts[0], BESIDE, &options, 0.5, &friction) == GRAZE_OK);
    return (answer){.status = graze_friction_sums(c, &friction, 1, BESIDE, X1, 16, &options, &sums)};
}

/* ---- models ---- */

static answer model_create(graze_context *c) {
    graze_link links[2] = {test_link(-1, GRAZE_JOINT_REVOLUTE, test_frame(0, 0, 0), &with.shape),
                           test_link(0, GRAZE_JOINT_PRISMATIC, test_frame(2.2, 0, 0), &with.shape)};
    graze_model *model = NULL;
    answer a = {.status = graze_model_create(c, links, 2, &model)};
    CHECK((model != NULL) == (a.status == GRAZE_OK));
    graze_model_destroy(c, model);
    return a;
}

/* Changes of a model that is made with memory enough, by the same allocator. */
static answer model_changed(graze_context *c, int what) {
    graze_link link = test_link(0, GRAZE_JOINT_PRISMATIC, test_frame(2.2, 0, 0), &with.shape);
    graze_model *model = NULL;
    graze_link first = test_link(-1, GRAZE_JOINT_REVOLUTE, test_frame(0, 0, 0), &with.shape);
    answer a = {.status = graze_model_create(c, &first, 1, &model)};
    if (a.status == GRAZE_OK) a.status = graze_model_attach(c, model, &link);
    if (a.status == GRAZE_OK && what == 1) a.status = graze_model_detach(c, model);
    if (a.status == GRAZE_OK && what == 2) a.status = graze_model_place(c, model, 0, &first.origin);
    if (a.status == GRAZE_OK && what == 3) a.status = graze_model_pad(c, model, 0, 0.1);
    if (model) a.count = graze_model_links(model);
    graze_model_destroy(c, model);
    if (a.status != GRAZE_OK) a.count = 0; /* the model stays as it was */
    return a;
}

static answer model_attach(graze_context *c) { return model_changed(c, 0); }
static answer model_detach(graze_context *c) { return model_changed(c, 1); }
static answer model_place(graze_context *c) { return model_changed(c, 2); }
static answer model_pad(graze_context *c) { return model_changed(c, 3); }

static answer articulated_answer(graze_context *c, graze_status status, graze_articulated_result *r) {
    answer a = {.status = status, .verdict = r->verdict, .toi = r->toi, .count = r->contact_count};
    graze_articulated_release(c, r);
    return a;
}

static answer articulated_with(graze_context *c, graze_articulated_mode mode) {
    graze_articulated_options options = graze_default_articulated_options();
    graze_articulated_result result = graze_default_articulated_result();
    options.mode = mode;
    return articulated_answer(c, graze_articulated_step(c, MODELS, 2, with.motions, &options, &result), &result);
}

static answer articulated_step(graze_context *c) { return articulated_with(c, GRAZE_ARTICULATED_EARLIEST); }
static answer articulated_any(graze_context *c) { return articulated_with(c, GRAZE_ARTICULATED_ANY); }
static answer articulated_all(graze_context *c) { return articulated_with(c, GRAZE_ARTICULATED_ALL); }

static answer articulated_batch(graze_context *c) {
    graze_articulated_result result = graze_default_articulated_result();
    return articulated_answer(c, graze_articulated_batch(c, MODELS, 2, with.motions, 1, NULL, &result), &result);
}

static int swallow(void *user, const char *text, size_t size) {
    (void)text;
    *(size_t *)user += size;
    return 0;
}

/* Of motions that are clear. */
static answer articulated_certificate(graze_context *c) {
    size_t written = 0;
    graze_motion still[2] = {graze_default_motion(), graze_default_motion()};
    graze_articulated_result result = graze_default_articulated_result();
    graze_status status = graze_articulated_certificate(c, MODELS, 2, still, 1, NULL, swallow, &written, &result);
    answer a = articulated_answer(c, status, &result);
    CHECK(a.status != GRAZE_OK || a.verdict != GRAZE_CLEAR || written > 0);
    return a;
}

static answer articulated_distance(graze_context *c) {
    graze_link_distance result = graze_default_link_distance();
    return (answer){.status = graze_articulated_distance(c, MODELS, 2, with.motions, NULL, &result)};
}

static graze_path path_of_arm(void) {
    static const double control[] = {0, 0.1, 1.2, 0.4}, knots[] = {0, 0, 1, 1};
    graze_path path = graze_default_path();
    path.degree = 1;
    path.count = 2;
    path.knots = knots;
    path.control = control;
    return path;
}

static answer plan_certificate(graze_context *c) {
    static const double control[] = {0, 0, 0.01, 0.01};
    size_t written = 0;
    graze_path path = path_of_arm();
    graze_plan_result result = graze_default_plan_result();
    path.control = control;
    answer a = {.status = graze_plan_certificate(c, MODELS, 2, &path, 1, NULL, swallow, &written, &result)};
    a.verdict = result.verdict;
    a.toi = a.status == GRAZE_OK ? result.time : 0;
    return a;
}

static graze_joint_range ranges[2];
static const graze_joint_range *ranges_of_arm(void) {
    for (int i = 0; i < 2; i++) {
        ranges[i] = graze_default_joint_range();
        ranges[i].lower = 0;
        ranges[i].upper = 0.01;
    }
    return ranges;
}

static answer range_answer(graze_context *c, graze_status status, graze_range_result *result) {
    answer a = {.status = status, .count = result->pair_count};
    graze_range_release(c, result);
    return a;
}

static answer articulated_range(graze_context *c) {
    graze_range_result result = graze_default_range_result();
    return range_answer(c, graze_articulated_range(c, MODELS, 2, ranges_of_arm(), NULL, &result), &result);
}

static answer range_certificate(graze_context *c) {
    size_t written = 0;
    graze_range_result result = graze_default_range_result();
    return range_answer(c, graze_range_certificate(c, MODELS, 2, ranges_of_arm(), NULL, swallow, &written, &result),
                        &result);
}

static answer model_swept(graze_context *c) {
    graze_swept_options options = graze_default_swept_options();
    graze_swept_result result = graze_default_swept_result();
    options.size = 8;
    answer a = {.status = graze_model_swept(c, with.arm, 1, with.motions, 1, &options, &result)};
    a.count = result.cell_count;
    graze_swept_release(c, &result);
    return a;
}

/* ---- shapes ---- */

static answer shape_answer(graze_context *c, graze_status status, graze_shape *shape) {
    answer a = {.status = status, .count = shape->mesh.face_count};
    graze_shape_release(c, shape);
    return a;
}

#define SHAPE(name, ...)                                                                                               \
    static answer shape_##name(graze_context *c) {                                                                     \
        graze_shape shape = graze_default_shape();                                                                     \
        return shape_answer(c, graze_shape_##name(c, __VA_ARGS__, &shape), &shape);                                    \
    }
SHAPE(sphere, 1)
SHAPE(capsule, 1, 0.5)
SHAPE(box, ((const double[3]){1, 2, 3}), 0)
SHAPE(cylinder, 1, 2, 0.1)
SHAPE(hull, X0, 8, 0.1)
SHAPE(points, X0, 8, 0.1)

static answer shape_height_map(graze_context *c) {
    static const double heights[] = {1, 2, 1, 2, 1, 2, 1, 2, 1};
    graze_height_map map = graze_default_height_map();
    graze_shape shape = graze_default_shape();
    map.rows = map.columns = 3;
    map.heights = heights;
    map.cell[0] = map.cell[1] = 1;
    return shape_answer(c, graze_shape_height_map(c, &map, 0, &shape), &shape);
}

/* ---- worlds ---- */

static answer world_create(graze_context *c) {
    graze_world *world = NULL;
    answer a = {.status = graze_world_create(c, with.bodies, 2, NULL, &world)};
    CHECK((world != NULL) == (a.status == GRAZE_OK));
    graze_world_release(world);
    return a;
}

static answer world_create_mixed(graze_context *c) {
    graze_world *world = NULL;
    answer a = {.status = graze_world_create(c, with.mixed_bodies, 2, NULL, &world)};
    CHECK((world != NULL) == (a.status == GRAZE_OK));
    graze_world_release(world);
    return a;
}

static answer world_update(graze_context *c) {
    graze_world *world = NULL;
    graze_world_change change = graze_default_world_change();
    change.kind = GRAZE_WORLD_PLACE;
    change.body = 1;
    change.origin = test_frame(0.4, 2.3, 0);
    answer a = {.status = graze_world_update(c, with.world, &change, 1, &world)};
    CHECK((world != NULL) == (a.status == GRAZE_OK));
    graze_world_release(world);
    return a;
}

static answer world_step(graze_context *c) {
    graze_articulated_result result = graze_default_articulated_result();
    return articulated_answer(c, graze_world_step(c, with.world, &with.moving, 1, NULL, &result), &result);
}

static answer world_step_mixed(graze_context *c) {
    graze_body_motion motions[2] = {with.moving, with.falling};
    graze_articulated_options options = graze_default_articulated_options();
    graze_articulated_result result = graze_default_articulated_result();
    options.mode = GRAZE_ARTICULATED_ALL;
    return articulated_answer(c, graze_world_step(c, with.mixed, motions, 2, &options, &result), &result);
}

static answer world_intersections(graze_context *c) {
    uint64_t found = 0;
    graze_body_motion motions[2] = {with.moving, with.falling};
    answer a = {.status = graze_world_intersections(c, with.mixed, motions, 2, &found)};
    a.count = (size_t)found;
    return a;
}

static answer world_batch(graze_context *c) {
    graze_articulated_result result = graze_default_articulated_result();
    return articulated_answer(c, graze_world_batch(c, with.world, &with.moving, 1, 1, NULL, &result), &result);
}

static answer world_valid(graze_context *c) {
    graze_articulated_result result = graze_default_articulated_result();
    return articulated_answer(c, graze_world_valid(c, with.world, &with.moving, 1, NULL, &result), &result);
}

static answer world_plan(graze_context *c) {
    graze_path path = path_of_arm();
    graze_plan_result result = graze_default_plan_result();
    answer a = {.status = graze_world_plan(c, with.world, &path, 1, NULL, &result)};
    a.verdict = result.verdict;
    a.toi = a.status == GRAZE_OK ? result.time : 0;
    return a;
}

static answer clearance_answer(graze_context *c, graze_status status, graze_clearance_result *result) {
    answer a = {.status = status, .count = result->pair_count};
    graze_clearance_release(c, result);
    return a;
}

static answer world_clearance(graze_context *c) {
    graze_clearance_result result = graze_default_clearance_result();
    return clearance_answer(c, graze_world_clearance(c, with.world, &with.moving, 1, 1, NULL, &result), &result);
}

static answer world_plan_clearance(graze_context *c) {
    graze_path path = path_of_arm();
    graze_clearance_result result = graze_default_clearance_result();
    return clearance_answer(c, graze_world_plan_clearance(c, with.world, &path, 1, NULL, &result), &result);
}

static answer world_distance(graze_context *c) {
    graze_world_distance_result result = graze_default_world_distance_result();
    answer a = {.status = graze_world_distance(c, with.world, &with.moving, 1, NULL, &result)};
    a.count = result.gap_count;
    graze_world_distance_release(c, &result);
    return a;
}

static answer world_toi_gradient(graze_context *c) {
    double from[2], to[2];
    return (answer){
        .status = graze_world_toi_gradient(c, with.world, &with.moving, 1, NULL, &with.contact.contact, from, to)};
}

static answer world_step_to(graze_context *c) {
    graze_world_moved moved = graze_default_world_moved();
    graze_articulated_result result = graze_default_articulated_result();
    graze_body_motion motions[2] = {with.moving, with.falling};
    graze_status status = graze_world_step_to(c, with.mixed, motions, 2, NULL, &moved, &result);
    CHECK(status == GRAZE_OK || (!moved.motions && moved.count == 0));
    graze_world_moved_release(c, &moved);
    return articulated_answer(c, status, &result);
}

static answer worlds_create(graze_context *c) {
    static const int32_t world_of[2] = {-1, 0};
    graze_worlds *worlds = NULL;
    answer a = {.status = graze_worlds_create(c, with.mixed_bodies, world_of, 2, NULL, &worlds)};
    CHECK((worlds != NULL) == (a.status == GRAZE_OK));
    graze_worlds_release(worlds);
    return a;
}

static answer worlds_step(graze_context *c) {
    graze_status of_world;
    graze_body_motion motions[2] = {with.moving, with.falling};
    graze_articulated_result result = graze_default_articulated_result();
    graze_status status = graze_worlds_step(c, with.worlds, motions, 2, NULL, &result, &of_world);
    return articulated_answer(c, status == GRAZE_OK ? of_world : status, &result);
}

static answer context_trim(graze_context *c) {
    answer a = step_all(c);
    graze_status status = graze_context_trim(c);
    if (a.status == GRAZE_OK) a.status = status;
    return a;
}

static answer nothing(graze_context *c) {
    (void)c;
    return (answer){.status = GRAZE_OK};
}

/* ---- all of them ---- */

static const struct {
    const char *name;
    answer (*run)(graze_context *context);
} cases[] = {
    {"graze_context_create", nothing},
    {"graze_context_trim", context_trim},
    {"graze_ccd_batch", batch},
    {"graze_ccd_batch", batch_exact},
    {"graze_ccd_batch", batch_oracle},
    {"graze_ccd_batch_strided", batch_strided},
    {"graze_ccd_batch_f32", batch_f32},
    {"graze_ccd_curve_batch", curve_batch},
    {"graze_truth_find", truth_find},
    {"graze_mesh_from_faces", mesh_from_faces},
    {"graze_mesh_from_parts", mesh_from_parts},
    {"graze_mesh_join", mesh_join},
    {"graze_step", step_earliest},
    {"graze_step", step_any},
    {"graze_step", step_vertices},
    {"graze_step", step_all},
    {"graze_step", step_tree},
    {"graze_step", step_sap},
    {"graze_step", step_grid},
    {"graze_step", step_hash},
    {"graze_step_between", step_between},
    {"graze_step_to", step_to},
    {"graze_candidates", candidates},
    {"graze_ccd_pairs", ccd_pairs},
    {"graze_earliest_of_pairs", earliest_of_pairs},
    {"graze_start_violations", start_violations},
    {"graze_static_intersections", static_intersections},
    {"graze_active_set", active_set},
    {"graze_line_search", line_search},
    {"graze_distances", distances},
    {"graze_proximity", proximity},
    {"graze_contacts_make", contacts_make},
    {"graze_csr_make", csr_make},
    {"graze_contact_sums", contact_sums},
    {"graze_friction_sums", friction_sums},
    {"graze_model_create", model_create},
    {"graze_model_attach", model_attach},
    {"graze_model_detach", model_detach},
    {"graze_model_place", model_place},
    {"graze_model_pad", model_pad},
    {"graze_articulated_step", articulated_step},
    {"graze_articulated_step", articulated_any},
    {"graze_articulated_step", articulated_all},
    {"graze_articulated_batch", articulated_batch},
    {"graze_articulated_certificate", articulated_certificate},
    {"graze_articulated_distance", articulated_distance},
    {"graze_articulated_range", articulated_range},
    {"graze_range_certificate", range_certificate},
    {"graze_plan_certificate", plan_certificate},
    {"graze_model_swept", model_swept},
    {"graze_shape_sphere", shape_sphere},
    {"graze_shape_capsule", shape_capsule},
    {"graze_shape_box", shape_box},
    {"graze_shape_cylinder", shape_cylinder},
    {"graze_shape_hull", shape_hull},
    {"graze_shape_points", shape_points},
    {"graze_shape_height_map", shape_height_map},
    {"graze_world_create", world_create},
    {"graze_world_create", world_create_mixed},
    {"graze_world_update", world_update},
    {"graze_world_step", world_step},
    {"graze_world_step", world_step_mixed},
    {"graze_world_intersections", world_intersections},
    {"graze_world_batch", world_batch},
    {"graze_world_valid", world_valid},
    {"graze_world_plan", world_plan},
    {"graze_world_clearance", world_clearance},
    {"graze_world_plan_clearance", world_plan_clearance},
    {"graze_world_distance", world_distance},
    {"graze_world_toi_gradient", world_toi_gradient},
    {"graze_world_step_to", world_step_to},
    {"graze_worlds_create", worlds_create},
    {"graze_worlds_step", worlds_step},
};

/* An answer when memory was refused, beside the one with memory. */
static bool is_honest(const answer *a, const answer *truth) {
    if (a->status == GRAZE_ERR_OUT_OF_MEMORY) return a->verdict == GRAZE_UNRESOLVED && a->toi == 0 && a->count == 0;
    if (a->status != GRAZE_OK) return false;
    if (a->verdict == GRAZE_UNRESOLVED) return a->toi <= truth->toi;
    return a->verdict == truth->verdict && a->toi <= truth->toi && a->count == truth->count;
}

/* Of cases that report errors by status alone, the rest of the answer says nothing. */
static answer told_by_status(answer a) {
    if (a.status == GRAZE_ERR_OUT_OF_MEMORY) a.verdict = GRAZE_UNRESOLVED;
    return a;
}

static graze_status open_failing(failing *f, long left, graze_context **context) {
    graze_context_options options = graze_default_context_options();
    options.threads = 1;
    *f = (failing){left, 0};
    options.allocator = (graze_allocator){.user = f, .allocate = failing_allocate, .release = failing_release};
    return graze_context_create(&options, context);
}

/* Returns how many refusals the call itself met. */
static size_t fail_each(size_t k, const answer *truth) {
    size_t refusals = 0;
    for (long left = 0; left < MOST_ALLOCATIONS; left++) {
        failing f;
        graze_context *context = NULL;
        graze_status status = open_failing(&f, left, &context);
        bool opened = status == GRAZE_OK;
        CHECK_MSG(opened ? context != NULL : status == GRAZE_ERR_OUT_OF_MEMORY && !context, "%s", cases[k].name);
        if (opened) {
            answer a = told_by_status(cases[k].run(context));
            CHECK_MSG(is_honest(&a, truth), "%s (row %zu), %ld allocations: %s, %s, toi %.17g, %zu of %zu",
                      cases[k].name, k, left, graze_status_name(a.status), graze_verdict_name(a.verdict), a.toi,
                      a.count, truth->count);
            graze_context_destroy(context);
            refusals += f.left < 0;
        }
        CHECK_MSG(f.held == 0, "%s, %ld allocations: %ld blocks are left", cases[k].name, left, (long)f.held);
        if (opened && f.left >= 0) return refusals; /* nothing was refused */
    }
    CHECK_MSG(false, "%s: more than %d allocations", cases[k].name, MOST_ALLOCATIONS);
    return refusals;
}

TEST(every_public_function_survives_failure_of_every_allocation) {
    size_t refusals = 0;
    make_all();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        answer truth = cases[k].run(with.context);
        CHECK_MSG(truth.status == GRAZE_OK, "%s (row %zu): %s", cases[k].name, k, graze_status_name(truth.status));
        refusals += fail_each(k, &truth);
    }
    release_all();
    printf("      %zu calls of which an allocation was refused\n", refusals);
    CHECK(refusals > 500);
}

/* No context: no allocator to be refused by. */
static const char *const without_context[] = {
    "graze_ccd",
    "graze_ccd_thick",
    "graze_ccd_f32",
    "graze_ccd_2d",
    "graze_ccd_curve",
    "graze_ccd_certificate",
    "graze_ccd_certificate_thick",
    "graze_distance",
    "graze_pair_query",
    "graze_pair_stencil",
    "graze_contact_term",
    "graze_friction_make",
    "graze_friction_term",
    "graze_project",
};

/* They give back, or say what is known already. */
static const char *const allocate_nothing[] = {
    "graze_context_destroy",
    "graze_context_stats",
    "graze_context_reset_stats",
    "graze_context_last_error",
    "graze_context_threads",
    "graze_context_isa",
    "graze_pool_for",
    "graze_pool_threads",
    "graze_version",
    "graze_status_name",
    "graze_verdict_name",
    "graze_reason_name",
    "graze_isa_name",
    "graze_isa_in_use",
    "graze_isa_available",
    "graze_kind_name",
    "graze_kind_find",
    "graze_method_get",
    "graze_method_find",
    "graze_step_mode_name",
    "graze_step_mode_find",
    "graze_broad_name",
    "graze_broad_find",
    "graze_broad_available",
    "graze_backend_name",
    "graze_backend_find",
    "graze_backend_available",
    "graze_step_back",
    "graze_frame_of_angles",
    "graze_model_destroy",
    "graze_model_links",
    "graze_model_values",
    "graze_articulated_release",
    "graze_ask_filter",
    "graze_ask_energy",
    "graze_ask_write",
    "graze_ask_world_filter",
    "graze_clearance_release",
    "graze_truth_destroy",
    "graze_truth_hit",
    "graze_truth_bracket",
    "graze_truth_compare",
    "graze_truth_degree",
    "graze_truth_coefficient",
    "graze_truth_contact_count",
    "graze_truth_on_boundary",
    "graze_truth_parameters",
    "graze_mesh_release",
    "graze_contacts_release",
    "graze_csr_release",
    "graze_proximity_release",
    "graze_range_release",
    "graze_shape_release",
    "graze_step_release",
    "graze_pairs_release",
    "graze_active_set_release",
    "graze_swept_release",
    "graze_world_retain",
    "graze_world_release",
    "graze_world_bodies",
    "graze_world_links",
    "graze_world_values",
    "graze_world_joint",
    "graze_world_distance_release",
    "graze_world_moved_release",
    "graze_worlds_at",
    "graze_worlds_count",
    "graze_worlds_release",
};

/* Ranks: test_ranks refuses their allocations, on virtual ranks. Robots: by malloc, in test_robot_faults. Positions on
   a device: test_worlds_backend, with a back end that stands in for one. */
static const char *const elsewhere[] = {
    "graze_mpi_start",      "graze_mpi_finish",        "graze_mpi_ranks",
    "graze_mpi_agree",      "graze_mpi_step",          "graze_mpi_step_release",
    "graze_mpi_candidates", "graze_mpi_pairs_release", "graze_mpi_static_intersections",
    "graze_mpi_write",      "graze_robot_load",        "graze_robot_free",
    "graze_robot_mimic",    "graze_robot_link_pairs",  "graze_worlds_step_on_device",
};

TEST(no_function_is_listed_twice) {
    const char *const *lists[] = {without_context, allocate_nothing, elsewhere};
    const size_t sizes[] = {sizeof without_context / sizeof(char *), sizeof allocate_nothing / sizeof(char *),
                            sizeof elsewhere / sizeof(char *)};
    for (int l = 0; l < 3; l++)
        for (size_t i = 0; i < sizes[l]; i++)
            for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
                CHECK_MSG(strcmp(lists[l][i], cases[k].name) != 0, "%s", lists[l][i]);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
