/* Contacts of whole meshes and the sums of their potentials, against pairs one by one and against differences. */
#include "soup.h"

#define AT(x) (const double(*)[3])(x)

typedef struct scene {
    soup s;
    graze_context *context;
    graze_proximity_result near;
    graze_contact_list list;
    graze_potential_options options;
} scene;

static void open_scene(scene *c, uint32_t threads, soup_style style, uint32_t faces, double distance) {
    c->context = test_context(threads, GRAZE_ISA_AUTO);
    soup_make(&c->s, c->context, style, faces, 7);
    c->near = graze_default_proximity_result();
    c->list = graze_default_contact_list();
    c->options = graze_default_potential_options();
    c->options.distance = distance;
    CHECK(graze_proximity(c->context, &c->s.mesh, AT(c->s.x0), distance, NULL, &c->near) == GRAZE_OK);
    CHECK(graze_contacts_make(c->context, c->near.pairs, c->near.pair_count, AT(c->s.x1), AT(c->s.x0),
                              c->s.mesh.vertex_count, 0, &c->list) == GRAZE_OK);
}

static void close_scene(scene *c) {
    graze_proximity_release(c->context, &c->near);
    graze_contacts_release(c->context, &c->list);
    CHECK(!c->list.contacts && !c->list.count);
    graze_mesh_release(c->context, &c->s.mesh);
    graze_context_destroy(c->context);
}

static void rows(const scene *c, const uint32_t *vertices, double (*x)[3]) {
    for (int i = 0; i < 4; i++) memcpy(x[i], c->s.x0[vertices[i]], sizeof x[i]);
}

static double squared_edge(const double (*x)[3], uint32_t a, uint32_t b) {
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += (x[b][k] - x[a][k]) * (x[b][k] - x[a][k]);
    return sum;
}

/* The whole pair, not its closest features. */
static graze_contact whole(const scene *c, const graze_proximity_pair *pair) {
    graze_contact contact = {.kind = pair->pair.kind, .multiplicity = 1, .offset = pair->offset};
    const uint32_t *v = pair->vertices;
    memcpy(contact.vertices, v, sizeof contact.vertices);
    if (contact.kind == GRAZE_EE)
        contact.parallel = 1e-3 * squared_edge(AT(c->s.x1), v[0], v[1]) * squared_edge(AT(c->s.x1), v[2], v[3]);
    return contact;
}

TEST(merged_contacts_have_the_potential_of_all_pairs) {
    static const soup_style styles[] = {SOUP_UNIFORM, SOUP_CLUSTERED, SOUP_DEGENERATE};
    static scene c;
    for (int n = 0; n < 3; n++) {
        static double sum[3 * SOUP_MAX][3], gradient[3 * SOUP_MAX][3];
        open_scene(&c, 2, styles[n], 120, 0.2);
        c.options.barrier = n == 2 ? GRAZE_BARRIER_QUADRATIC : GRAZE_BARRIER_LOG; /* there some touch */
        size_t pairs = 0, merged = 0, parallel = 0;
        for (size_t i = 0; i < c.list.count; i++) {
            pairs += c.list.contacts[i].multiplicity;
            merged += c.list.contacts[i].multiplicity > 1;
            parallel += c.list.contacts[i].parallel > 0;
        }
        CHECK(pairs == c.near.pair_count && (n != 2 || merged > 50) && (n == 2 || parallel > 10));
        double value = 0, most = 0;
        memset(sum, 0, sizeof sum);
        for (size_t i = 0; i < c.near.pair_count; i++) {
            graze_contact one = whole(&c, &c.near.pairs[i]);
            graze_term term;
            double x[4][3];
            rows(&c, one.vertices, x);
            CHECK(graze_contact_term(&one, AT(x), &c.options, GRAZE_ORDER_GRADIENT, &term) == GRAZE_OK);
            value += term.value;
            for (int k = 0; k < term.rows; k++) {
                sum[one.vertices[k / 3]][k % 3] += term.gradient[k];
                most = fmax(most, fabs(term.gradient[k]));
            }
        }
        graze_potential_sums sums = graze_default_potential_sums();
        sums.gradient = gradient;
        CHECK(graze_contact_sums(c.context, c.list.contacts, c.list.count, AT(c.s.x0), c.s.mesh.vertex_count,
                                 &c.options, &sums) == GRAZE_OK);
        CHECK_MSG(fabs(sums.value - value) <= 1e-12 * value, "%g, %g", sums.value, value);
        for (uint32_t v = 0; v < c.s.mesh.vertex_count; v++)
            for (int k = 0; k < 3; k++) CHECK(fabs(sum[v][k] - gradient[v][k]) <= 1e-10 * most);
        close_scene(&c);
    }
}

/* A vertex over the corner of a fan: all of its faces, and the edges there, act by the same two vertices. */
TEST(equal_features_are_one_contact_with_a_multiplicity) {
    static const uint32_t faces[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}};
    const double x[6][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 1.5}};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    graze_mesh mesh = graze_default_mesh();
    static const uint32_t point[1] = {5};
    CHECK(graze_mesh_from_faces(context, 6, faces, 4, &mesh) == GRAZE_OK);
    mesh.codim_points = point;
    mesh.codim_point_count = 1;
    graze_proximity_result near = graze_default_proximity_result();
    graze_contact_list list = graze_default_contact_list();
    CHECK(graze_proximity(context, &mesh, x, 0.6, NULL, &near) == GRAZE_OK && near.pair_count == 4);
    CHECK(graze_contacts_make(context, near.pairs, near.pair_count, x, x, 6, 0, &list) == GRAZE_OK);
    CHECK(list.count == 1 && list.contacts[0].kind == GRAZE_PP && list.contacts[0].multiplicity == 4);
    CHECK(list.contacts[0].vertices[0] == 0 && list.contacts[0].vertices[1] == 5);
    graze_contacts_release(context, &list);
    graze_proximity_release(context, &near);
    graze_mesh_release(context, &mesh);
    graze_context_destroy(context);
}

static double entry(const graze_csr *csr, size_t row, uint32_t column) {
    for (size_t k = csr->row_start[row]; k < csr->row_start[row + 1]; k++)
        if (csr->columns[k] == column) return csr->values[k];
    return 0;
}

TEST(sums_are_those_of_the_terms_in_the_order_of_the_list) {
    static scene c;
    static double gradient[3 * SOUP_MAX][3], expected[3 * SOUP_MAX][3];
    for (int projected = 0; projected < 2; projected++) {
        open_scene(&c, 3, SOUP_UNIFORM, 200, 0.1);
        size_t n = 3 * (size_t)c.s.mesh.vertex_count;
        double *dense = calloc(n * n, sizeof *dense), value = 0;
        graze_csr csr = graze_default_csr();
        graze_potential_sums sums = graze_default_potential_sums();
        memset(expected, 0, sizeof expected);
        CHECK(c.list.count > 1024); /* more than one block */
        CHECK(graze_csr_make(c.context, c.list.contacts, c.list.count, c.s.mesh.vertex_count, &csr) == GRAZE_OK);
        for (size_t i = 0; i < c.list.count; i++) {
            const graze_contact *one = &c.list.contacts[i];
            graze_term term;
            double x[4][3];
            rows(&c, one->vertices, x);
            CHECK(graze_contact_term(one, AT(x), &c.options, projected ? GRAZE_ORDER_PROJECTED : GRAZE_ORDER_HESSIAN,
                                     &term) == GRAZE_OK);
            value += term.value;
            for (int k = 0; k < term.rows; k++) {
                size_t row = 3 * (size_t)one->vertices[k / 3] + (size_t)k % 3;
                expected[row / 3][row % 3] += term.gradient[k];
                for (int l = 0; l < term.rows; l++)
                    dense[row * n + 3 * one->vertices[l / 3] + (size_t)l % 3] += term.hessian[k][l];
            }
        }
        sums.projected = projected;
        sums.gradient = gradient;
        sums.hessian = &csr;
        for (int again = 0; again < 2; again++) /* the pattern is kept, the values are made anew */
            CHECK(graze_contact_sums(c.context, c.list.contacts, c.list.count, AT(c.s.x0), c.s.mesh.vertex_count,
                                     &c.options, &sums) == GRAZE_OK);
        CHECK(sums.value == value && memcmp(gradient, expected, n * sizeof(double)) == 0);
        size_t filled = 0;
        for (size_t row = 0; row < n; row++)
            for (uint32_t k = 0; k < n; k++) {
                filled += dense[row * n + k] != 0;
                CHECK(dense[row * n + k] == entry(&csr, row, k));
            }
        CHECK(filled > 1000 && csr.rows == n && csr.row_start[n] == csr.count);
        for (size_t row = 0; row < n; row++)
            for (size_t k = csr.row_start[row] + 1; k < csr.row_start[row + 1]; k++)
                CHECK(csr.columns[k - 1] < csr.columns[k]);
        graze_csr_release(c.context, &csr);
        free(dense);
        close_scene(&c);
    }
}

/* Central differences of the sums themselves. */
TEST(gradient_and_product_are_the_differences_of_value_and_gradient) {
    static scene c;
    static double x[3 * SOUP_MAX][3], v[3 * SOUP_MAX][3], g[2][3 * SOUP_MAX][3], product[3 * SOUP_MAX][3];
    open_scene(&c, 2, SOUP_UNIFORM, 60, 0.2);
    uint32_t count = c.s.mesh.vertex_count;
    test_random random = {3};
    double value[2], step = 1e-7, along = 0, most = 0;
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) v[i][k] = test_random_between(&random, -1, 1);
    graze_potential_sums sums = graze_default_potential_sums();
    size_t kept = 0; /* close pairs change too fast for plain differences */
    for (size_t i = 0; i < c.list.count; i++) {
        graze_distance_result d;
        double at[4][3];
        rows(&c, c.list.contacts[i].vertices, at);
        CHECK(graze_distance(c.list.contacts[i].kind, AT(at), &d) == GRAZE_OK);
        if (d.value > 0.02 && c.list.contacts[i].parallel == 0) c.list.contacts[kept++] = c.list.contacts[i];
    }
    CHECK(kept > 50);
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < count; i++)
            for (int k = 0; k < 3; k++) x[i][k] = c.s.x0[i][k] + (side ? step : -step) * v[i][k];
        sums.gradient = g[side];
        CHECK(graze_contact_sums(c.context, c.list.contacts, kept, AT(x), count, &c.options, &sums) == GRAZE_OK);
        value[side] = sums.value;
    }
    static double gradient[3 * SOUP_MAX][3];
    sums.gradient = gradient;
    sums.vector = AT(v);
    sums.product = product;
    CHECK(graze_contact_sums(c.context, c.list.contacts, kept, AT(c.s.x0), count, &c.options, &sums) == GRAZE_OK);
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) along += gradient[i][k] * v[i][k], most = fmax(most, fabs(product[i][k]));
    CHECK_MSG(fabs((value[1] - value[0]) / (2 * step) - along) <= 1e-6 * fabs(along), "%g, %g",
              (value[1] - value[0]) / (2 * step), along);
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            double difference = (g[1][i][k] - g[0][i][k]) / (2 * step);
            CHECK_MSG(fabs(difference - product[i][k]) <= 1e-5 * most, "%g, %g of %g", difference, product[i][k], most);
        }
    close_scene(&c);
}

TEST(threads_do_not_change_a_bit_of_contacts_and_sums) {
    static scene c;
    static double gradient[2][3 * SOUP_MAX][3], product[2][3 * SOUP_MAX][3], vector[3 * SOUP_MAX][3];
    double *values = NULL, value = 0;
    graze_contact *contacts = NULL;
    for (uint32_t run = 0; run < 4; run++) {
        open_scene(&c, 1 + run, SOUP_UNIFORM, 200, 0.1);
        int at = run > 0;
        for (uint32_t v = 0; v < c.s.mesh.vertex_count; v++) memcpy(vector[v], c.s.x1[v], sizeof vector[v]);
        graze_csr csr = graze_default_csr();
        graze_potential_sums sums = {.struct_size = sizeof sums,
                                     .projected = 1,
                                     .gradient = gradient[at],
                                     .vector = AT(vector),
                                     .product = product[at],
                                     .hessian = &csr};
        CHECK(graze_csr_make(c.context, c.list.contacts, c.list.count, c.s.mesh.vertex_count, &csr) == GRAZE_OK);
        CHECK(graze_contact_sums(c.context, c.list.contacts, c.list.count, AT(c.s.x0), c.s.mesh.vertex_count,
                                 &c.options, &sums) == GRAZE_OK);
        if (run == 0) {
            values = malloc(csr.count * sizeof *values);
            contacts = malloc(c.list.count * sizeof *contacts);
            memcpy(values, csr.values, csr.count * sizeof *values);
            memcpy(contacts, c.list.contacts, c.list.count * sizeof *contacts);
            value = sums.value;
        }
        CHECK(memcmp(gradient[0], gradient[at], c.s.mesh.vertex_count * sizeof *gradient[0]) == 0);
        CHECK(memcmp(product[0], product[at], c.s.mesh.vertex_count * sizeof *product[0]) == 0);
        CHECK(memcmp(values, csr.values, csr.count * sizeof *values) == 0 && sums.value == value);
        CHECK(memcmp(contacts, c.list.contacts, c.list.count * sizeof *contacts) == 0);
        graze_csr_release(c.context, &csr);
        close_scene(&c);
    }
    free(values);
    free(contacts);
}

TEST(friction_is_summed_beside_the_barrier) {
    static scene c;
    static double gradient[3 * SOUP_MAX][3], expected[3 * SOUP_MAX][3];
    open_scene(&c, 2, SOUP_UNIFORM, 120, 0.1);
    uint32_t count = c.s.mesh.vertex_count;
    graze_friction *frictions = calloc(c.list.count, sizeof *frictions);
    graze_potential_sums sums = graze_default_potential_sums();
    graze_csr csr = graze_default_csr();
    CHECK(graze_csr_make(c.context, c.list.contacts, c.list.count, count, &csr) == GRAZE_OK);
    sums.gradient = gradient;
    sums.hessian = &csr;
    CHECK(graze_contact_sums(c.context, c.list.contacts, c.list.count, AT(c.s.x0), count, &c.options, &sums) ==
          GRAZE_OK);
    memcpy(expected, gradient, sizeof expected);
    double value = sums.value;
    for (size_t i = 0; i < c.list.count; i++) { /* a coefficient for each */
        double x[4][3], x1[4][3];
        graze_term term;
        rows(&c, c.list.contacts[i].vertices, x);
        CHECK(graze_friction_make(&c.list.contacts[i], AT(x), &c.options, 0.1 * (double)(i % 4), &frictions[i]) ==
              GRAZE_OK);
        CHECK((frictions[i].force > 0) == (i % 4 > 0));
        for (int k = 0; k < 4; k++) memcpy(x1[k], c.s.x1[frictions[i].vertices[k]], sizeof x1[k]);
        CHECK(graze_friction_term(&frictions[i], AT(x), AT(x1), &c.options, GRAZE_ORDER_GRADIENT, &term) == GRAZE_OK);
        value += term.value;
        for (int k = 0; k < term.rows; k++) expected[frictions[i].vertices[k / 3]][k % 3] += term.gradient[k];
    }
    sums.add = 1;
    CHECK(graze_friction_sums(c.context, frictions, c.list.count, AT(c.s.x0), AT(c.s.x1), count, &c.options, &sums) ==
          GRAZE_OK);
    CHECK(sums.value == value && memcmp(gradient, expected, count * sizeof *gradient) == 0);
    graze_csr_release(c.context, &csr);
    free(frictions);
    close_scene(&c);
}

TEST(bad_lists_are_refused_by_their_index) {
    static scene c;
    static double gradient[3 * SOUP_MAX][3];
    open_scene(&c, 2, SOUP_UNIFORM, 120, 0.1);
    uint32_t count = c.s.mesh.vertex_count;
    graze_potential_sums sums = graze_default_potential_sums();
    graze_csr csr = graze_default_csr();
    graze_error error;
    graze_contact kept = c.list.contacts[5];
#define SUMS graze_contact_sums(c.context, c.list.contacts, c.list.count, AT(c.s.x0), count, &c.options, &sums)
#define INDEX (graze_context_last_error(c.context, &error) == GRAZE_OK ? error.index : 0)
    c.list.contacts[5].vertices[0] = count;
    CHECK(SUMS == GRAZE_ERR_BAD_INDEX && INDEX == 5 && sums.value == 0);
    CHECK(graze_csr_make(c.context, c.list.contacts, c.list.count, count, &csr) == GRAZE_ERR_BAD_INDEX && !csr.values);
    c.list.contacts[5] = kept;
    c.list.contacts[5].kind = (graze_kind)4;
    CHECK(SUMS == GRAZE_ERR_INVALID_ARGUMENT && INDEX == 5);
    c.list.contacts[5] = kept;
    CHECK(graze_csr_make(c.context, c.list.contacts + 1, c.list.count - 1, count, &csr) == GRAZE_OK);
    sums.hessian = &csr;
    bool lacks = SUMS == GRAZE_ERR_INVALID_ARGUMENT; /* unless another contact has its vertices */
    CHECK(!lacks || INDEX == 0);
    graze_csr_release(c.context, &csr);
    CHECK(graze_csr_make(c.context, c.list.contacts, 3, count, &csr) == GRAZE_OK);
    CHECK(SUMS == GRAZE_ERR_INVALID_ARGUMENT && INDEX >= 3);
    CHECK(graze_contact_sums(c.context, c.list.contacts, 3, AT(c.s.x0), count, &c.options, &sums) == GRAZE_OK);
    CHECK(graze_contact_sums(c.context, NULL, 0, AT(c.s.x0), count, &c.options, &sums) == GRAZE_OK && sums.value == 0);
    CHECK(graze_contact_sums(c.context, NULL, 0, AT(c.s.x0), count - 1, &c.options, &sums) ==
          GRAZE_ERR_INVALID_ARGUMENT);
    sums.hessian = NULL;
    sums.vector = AT(gradient);
    CHECK(SUMS == GRAZE_ERR_INVALID_ARGUMENT);
    sums.product = gradient;
    CHECK(SUMS == GRAZE_ERR_INVALID_ARGUMENT); /* one array for both */
    sums.vector = NULL;
    sums.product = NULL;
    sums.gradient = c.s.x0;
    CHECK(SUMS == GRAZE_ERR_INVALID_ARGUMENT);
    sums.gradient = gradient;
    c.s.x0[4][2] = INFINITY;
    CHECK(SUMS == GRAZE_ERR_NOT_FINITE && INDEX == 4);
    graze_contact_list other = graze_default_contact_list();
    CHECK(graze_contacts_make(c.context, c.near.pairs, c.near.pair_count, NULL, AT(c.s.x0), count, 0, &other) ==
          GRAZE_ERR_NOT_FINITE);
    c.s.x0[4][2] = 0;
    CHECK(graze_contacts_make(c.context, c.near.pairs, c.near.pair_count, NULL, AT(c.s.x0), 3, 0, &other) ==
          GRAZE_ERR_BAD_INDEX);
    c.near.pairs[2].distance.feature[1] = GRAZE_FEATURE_NONE;
    CHECK(graze_contacts_make(c.context, c.near.pairs, c.near.pair_count, NULL, AT(c.s.x0), count, 0, &other) ==
              GRAZE_ERR_INVALID_ARGUMENT &&
          INDEX == 2 && !other.contacts);
    graze_csr_release(c.context, &csr);
    close_scene(&c);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
