/* Distances of links and their gradients against real numbers of 256 bits. */
#include "bodies.h"

#include "articulated/big_distance.h"
#include "articulated/distance/gap_list.h"

enum { MOST_FACES = 24, MOST_LINKS = 6, MOST_VALUES = 36 };

/* ---- random bodies ---- */

/* A box, a heap of triangles, a strip that is bent, or a point with padding. */
typedef struct shape {
    double vertices[3 * MOST_FACES][3];
    uint32_t faces[MOST_FACES][3];
    uint32_t face_count;
} shape;

static void add_face(shape *s, const double corners[3][3]) {
    for (int k = 0; k < 3; k++) {
        s->faces[s->face_count][k] = 3 * s->face_count + (uint32_t)k;
        memcpy(s->vertices[3 * s->face_count + (uint32_t)k], corners[k], sizeof corners[k]);
    }
    s->face_count++;
}

static void add_box(shape *s, test_random *random, double size) {
    test_box box = test_box_of(size * test_random_between(random, 0.1, 1), size * test_random_between(random, 0.1, 1),
                               size * test_random_between(random, 0.1, 1));
    for (int f = 0; f < 12; f++) {
        double corners[3][3];
        for (int k = 0; k < 3; k++) memcpy(corners[k], box.vertices[box.faces[f][k]], sizeof corners[k]);
        add_face(s, (const double(*)[3])corners);
    }
}

/* Triangles of all sizes, about `size` from the origin; some have no area. */
static void add_heap(shape *s, test_random *random, double size) {
    int count = 1 + (int)test_random_below(random, MOST_FACES);
    for (int f = 0; f < count; f++) {
        double corners[3][3], scale = ldexp(size, -(int)test_random_below(random, 20));
        for (int c = 0; c < 3; c++) corners[0][c] = test_random_between(random, -size, size);
        for (int k = 1; k < 3; k++)
            for (int c = 0; c < 3; c++) corners[k][c] = corners[0][c] + test_random_between(random, -scale, scale);
        if (test_random_below(random, 8) == 0) memcpy(corners[2], corners[1], sizeof corners[2]);
        add_face(s, (const double(*)[3])corners);
    }
}

/* Half a ring: hollow, so that its hull says little. */
static void add_ring(shape *s, double size) {
    for (int i = 0; i < MOST_FACES / 2; i++) {
        double at[4][3];
        for (int k = 0; k < 4; k++) {
            double angle = 3.5 * (i + k / 2) / (MOST_FACES / 2);
            at[k][0] = size * cos(angle);
            at[k][1] = size * sin(angle);
            at[k][2] = k % 2 ? 0.2 * size : 0;
        }
        double other[3][3];
        memcpy(other, at[1], sizeof other);
        add_face(s, (const double(*)[3])at);
        add_face(s, (const double(*)[3])other);
    }
}

static void make_shape(shape *s, test_random *random, double size) {
    s->face_count = 0;
    switch (test_random_below(random, 4)) {
    case 0: add_heap(s, random, size); break;
    case 1: add_ring(s, size); break;
    default: add_box(s, random, size);
    }
}

static graze_link_mesh mesh_of(const shape *s) {
    graze_link_mesh mesh = graze_default_link_mesh();
    mesh.vertex_count = 3 * s->face_count;
    mesh.face_count = s->face_count;
    mesh.vertices = s->vertices;
    mesh.faces = s->faces;
    return mesh;
}

/* A chain of links with joints of all kinds. */
typedef struct chain {
    shape shapes[MOST_LINKS];
    graze_link_mesh meshes[MOST_LINKS];
    graze_link links[MOST_LINKS];
    size_t count, first[MOST_LINKS], value_count;
    double values[MOST_VALUES];
    graze_motion motion;
    graze_model *model;
} chain;

static const int value_counts[] = {0, 1, 1, 3, 3, 6};

static graze_frame some_frame(test_random *random, double size) {
    graze_frame frame;
    for (int c = 0; c < 3; c++) frame.position[c] = test_random_between(random, -size, size);
    for (int c = 0; c < 4; c++) frame.rotation[c] = test_random_between(random, -1, 1);
    return frame;
}

static void make_chain(chain *k, graze_context *context, test_random *random, double size, double spread, size_t most) {
    k->count = 1 + test_random_below(random, most);
    k->value_count = 0;
    for (size_t i = 0; i < k->count; i++) {
        graze_joint_kind kind = (graze_joint_kind)test_random_below(random, 6);
        double own = i == 0 ? spread : 2 * size;
        make_shape(&k->shapes[i], random, ldexp(size, -(int)test_random_below(random, 4)));
        k->meshes[i] = mesh_of(&k->shapes[i]);
        k->links[i] = test_link((int32_t)i - 1, kind, some_frame(random, own), &k->meshes[i]);
        for (int c = 0; c < 3; c++) k->links[i].axis[c] = test_random_between(random, -1, 1);
        if (test_random_below(random, 4) == 0)
            k->links[i].padding = ldexp(size, 4 - (int)test_random_below(random, 12)) * test_random_unit(random);
        k->first[i] = k->value_count;
        for (int v = 0; v < value_counts[kind]; v++) {
            bool length = kind == GRAZE_JOINT_PRISMATIC || (kind == GRAZE_JOINT_PLANAR && v < 2) ||
                          (kind == GRAZE_JOINT_FREE && v < 3);
            k->values[k->value_count++] = test_random_between(random, -2, 2) * (length ? size : 1);
        }
    }
    k->motion = test_motion(k->values, k->values);
    CHECK(graze_model_create(context, k->links, k->count, &k->model) == GRAZE_OK);
}

/* ---- exact ---- */

/* Numbers on the way to the point go back to the pool. */
static real3 exact_point(const chain *k, size_t link, const double x[3]) {
    real3 kept = real3_of(x), p = kept, q;
    size_t mark = real_used;
    for (int32_t i = (int32_t)link; i >= 0; i = k->links[i].parent) {
        real_joint(&k->links[i], (size_t)i, k->first[i], &k->motion, real_of(0), p.c, q.c);
        p = q;
    }
    for (int c = 0; c < 3; c++) mpfr_set(kept.c[c], p.c[c], MPFR_RNDN);
    real_used = mark;
    return kept;
}

static size_t exact_faces(const chain *k, size_t link, real_triangle *faces) {
    const shape *s = &k->shapes[link];
    for (uint32_t f = 0; f < s->face_count; f++)
        for (int c = 0; c < 3; c++) faces[f].x[c] = exact_point(k, link, s->vertices[s->faces[f][c]]);
    return s->face_count;
}

/* A ball around a triangle, in doubles: wide enough for their roundings. */
typedef struct ball {
    double center[3], radius;
} ball;

static double length_of(const double a[3], const double b[3]) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static ball ball_of(const real_triangle *f) {
    ball at = {.radius = 0};
    for (int c = 0; c < 3; c++) at.center[c] = mpfr_get_d(f->x[0].c[c], MPFR_RNDN);
    for (int k = 1; k < 3; k++) {
        double x[3];
        for (int c = 0; c < 3; c++) x[c] = mpfr_get_d(f->x[k].c[c], MPFR_RNDN);
        at.radius = fmax(at.radius, length_of(at.center, x));
    }
    return at;
}

/* Between two links, paddings and separation taken off, at least 0. Faces that are far from each other by their balls,
   with a millionth to spare, are not asked. */
static real exact_distance(const chain *a, size_t i, const chain *b, size_t j, double separation) {
    real_triangle x[MOST_FACES], y[MOST_FACES];
    ball of_x[MOST_FACES], of_y[MOST_FACES];
    size_t nx = exact_faces(a, i, x), ny = exact_faces(b, j, y);
    double least = INFINITY;
    for (size_t f = 0; f < nx; f++) of_x[f] = ball_of(&x[f]);
    for (size_t g = 0; g < ny; g++) of_y[g] = ball_of(&y[g]);
    for (size_t f = 0; f < nx; f++)
        for (size_t g = 0; g < ny; g++) least = fmin(least, length_of(of_x[f].center, of_y[g].center));
    real best = real_new();
    mpfr_set_inf(best, 1);
    for (size_t f = 0; f < nx; f++)
        for (size_t g = 0; g < ny; g++) {
            double between = length_of(of_x[f].center, of_y[g].center);
            if (0.999999 * between > 1.000001 * (least + of_x[f].radius + of_y[g].radius)) continue;
            size_t mark = real_used;
            real squared = real_squared_distance(&x[f], &y[g]);
            if (mpfr_cmp(squared, best) < 0) mpfr_set(best, squared, MPFR_RNDN);
            double found = sqrt(mpfr_get_d(best, MPFR_RNDN));
            least = fmin(least, found);
            real_used = mark;
        }
    real off = real_add(real_of(separation), real_add(real_of(a->links[i].padding), real_of(b->links[j].padding)));
    real left = real_sub(real_root(best), off);
    return mpfr_sgn(left) < 0 ? real_of(0) : left;
}

/* ---- a world of two chains ---- */

typedef struct pair_world {
    graze_context *context;
    chain chains[2];
    graze_world *world;
    graze_body_motion pose[2];
} pair_world;

static void make_world(pair_world *w, test_random *random, double size, double spread, size_t most) {
    graze_body bodies[2];
    for (int i = 0; i < 2; i++) {
        make_chain(&w->chains[i], w->context, random, size, spread, most);
        bodies[i] = graze_default_body();
        bodies[i].model = w->chains[i].model;
        w->pose[i] = graze_default_body_motion();
        w->pose[i].body = (uint32_t)i;
        w->pose[i].joints = &w->chains[i].motion;
    }
    CHECK(graze_world_create(w->context, bodies, 2, NULL, &w->world) == GRAZE_OK);
}

static void free_world(pair_world *w) {
    graze_world_release(w->world);
    for (int i = 0; i < 2; i++) graze_model_destroy(w->context, w->chains[i].model);
}

/* ---- tests ---- */

TEST(distances_of_links_enclose_the_exact_ones_at_all_sizes) {
    test_random random = {20261116};
    pair_world w = {.context = test_context(1, GRAZE_ISA_AUTO)};
    int listed = 0, apart = 0, near = 0;
    for (int n = 0; n < 60; n++) {
        double size = ldexp(1, (int)test_random_below(&random, 240) - 120);
        double spread = ldexp(size, (int)test_random_below(&random, 6) - 2);
        make_world(&w, &random, size, spread, 3);
        graze_world_distance_options options = graze_default_world_distance_options();
        graze_world_distance_result r = graze_default_world_distance_result();
        options.most = 0;
        options.min_separation = test_random_below(&random, 3) ? 0 : size * test_random_unit(&random);
        CHECK(graze_world_distance(w.context, w.world, w.pose, 2, &options, &r) == GRAZE_OK);
        CHECK(r.lower == INFINITY && r.gap_count == r.pairs_tested);
        for (size_t i = 0; i < r.gap_count; i++) {
            const graze_link_gap *gap = &r.gaps[i];
            real_reset();
            real exact = exact_distance(&w.chains[gap->body_a], gap->link_a, &w.chains[gap->body_b], gap->link_b,
                                        options.min_separation);
            CHECK_MSG(mpfr_cmp_d(exact, gap->lower) >= 0 && mpfr_cmp_d(exact, gap->upper) <= 0,
                      "world %d, pair %zu: %.17g is not in [%.17g, %.17g]", n, i, mpfr_get_d(exact, MPFR_RNDN),
                      gap->lower, gap->upper);
            CHECK_MSG(gap->upper - gap->lower <= 1e-9 * (spread + 40 * size), "world %d, pair %zu: [%.17g, %.17g]", n,
                      i, gap->lower, gap->upper);
            listed++;
            apart += gap->lower > 0;
            near += gap->lower > 0 && gap->upper < 0.1 * size;
        }
        graze_world_distance_release(w.context, &r);
        free_world(&w);
    }
    CHECK_MSG(listed > 150 && apart > 90 && near > 2, "%d pairs, %d apart, %d near", listed, apart, near);
    graze_context_destroy(w.context);
}

/* Small plates far from each other, above and below a plane, each pair about 1 apart: the hulls say little of where the
   closest pair is, and all of them are nearly as close. */
static void add_plates(shape *s, test_random *random, double side) {
    s->face_count = 0;
    for (int i = 0; i < MOST_FACES; i++) {
        double x = 10 * (i % 5), y = 10 * (i / 5), z = side * (0.5 + 1e-3 * test_random_unit(random));
        double corners[3][3] = {{x, y, z}, {x + 0.5, y, z}, {x, y + 0.5, z}};
        add_face(s, (const double(*)[3])corners);
    }
}

TEST(faces_that_are_a_thousandth_closer_are_found) {
    test_random random = {29};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    for (int n = 0; n < 100; n++) {
        static chain k[2];
        const graze_model *models[2];
        graze_motion motions[2];
        for (int i = 0; i < 2; i++) {
            add_plates(&k[i].shapes[0], &random, i ? 1 : -1);
            k[i].count = 1;
            k[i].meshes[0] = mesh_of(&k[i].shapes[0]);
            k[i].links[0] =
                test_link(-1, i ? GRAZE_JOINT_PRISMATIC : GRAZE_JOINT_FIXED, test_frame(0, 0, 0), &k[i].meshes[0]);
            k[i].values[0] = 0;
            motions[i] = k[i].motion = test_motion(k[i].values, k[i].values);
            CHECK(graze_model_create(context, k[i].links, 1, &k[i].model) == GRAZE_OK);
            models[i] = k[i].model;
        }
        graze_link_distance d = graze_default_link_distance();
        CHECK(graze_articulated_distance(context, models, 2, motions, NULL, &d) == GRAZE_OK);
        real_reset();
        real exact = exact_distance(&k[0], 0, &k[1], 0, 0);
        CHECK_MSG(mpfr_cmp_d(exact, d.lower) >= 0 && mpfr_cmp_d(exact, d.upper) <= 0,
                  "%d: %.17g is not in [%.17g, %.17g]", n, mpfr_get_d(exact, MPFR_RNDN), d.lower, d.upper);
        for (int i = 0; i < 2; i++) graze_model_destroy(context, k[i].model);
    }
    graze_context_destroy(context);
}

/* ---- boxes of nodes ---- */

/* A body of one link on a free joint. */
static void make_free(chain *k, graze_context *context, test_random *random, double size, double spread) {
    k->count = 1;
    k->value_count = 6;
    k->first[0] = 0;
    k->meshes[0] = mesh_of(&k->shapes[0]);
    k->links[0] = test_link(-1, GRAZE_JOINT_FREE, some_frame(random, size), &k->meshes[0]);
    for (int v = 0; v < 6; v++) k->values[v] = test_random_between(random, -2, 2) * (v < 3 ? spread : 1);
    k->motion = test_motion(k->values, k->values);
    CHECK(graze_model_create(context, k->links, 1, &k->model) == GRAZE_OK);
}

/* So many triangles that are one point. */
static void make_point(shape *s, test_random *random, double size, int copies) {
    double corners[3][3];
    s->face_count = 0;
    for (int c = 0; c < 3; c++) corners[0][c] = test_random_between(random, -size, size);
    for (int k = 1; k < 3; k++) memcpy(corners[k], corners[0], sizeof corners[0]);
    for (int i = 0; i < copies; i++) add_face(s, (const double(*)[3])corners);
}

/* From the point to the box, by the box's own axes. */
static real exact_to_box(const chain *point, const chain *box) {
    static const double origin[3] = {0, 0, 0};
    real3 o = exact_point(box, 0, origin), d = real3_sub(exact_point(point, 0, point->shapes[0].vertices[0]), o);
    real sum = real_of(0);
    for (int c = 0; c < 3; c++) {
        double axis[3] = {c == 0, c == 1, c == 2}, half = 0;
        for (uint32_t v = 0; v < 36; v++) half = fmax(half, box->shapes[0].vertices[v][c]);
        real3 e = real3_sub(exact_point(box, 0, axis), o);
        real along = real_dot(d.c, e.c);
        mpfr_abs(along, along, MPFR_RNDN);
        real gap = real_sub(along, real_of(half));
        if (mpfr_sgn(gap) > 0) sum = real_add(sum, real_mul(gap, gap));
    }
    return real_root(sum);
}

/* The link with fewer triangles is seen from the other one: by the number of copies the box is the first, or the
   second, and its axes are those that tell. A reach of 0 leaves the bound of the two roots. */
TEST(bounds_of_two_nodes_are_below_their_distance_and_close_to_it) {
    test_random random = {5};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    double used = 0;
    for (int n = 0; n < 400; n++) {
        static chain point, box;
        double size = ldexp(1, (int)test_random_below(&random, 60) - 30);
        double spread = ldexp(size, (int)test_random_below(&random, 24) - 4);
        double other = ldexp(size, (int)test_random_below(&random, 24) - 12);
        make_point(&point.shapes[0], &random, other, n % 2 ? 1 : MOST_FACES);
        box.shapes[0].face_count = 0;
        add_box(&box.shapes[0], &random, size);
        make_free(&point, context, &random, size, spread);
        make_free(&box, context, &random, size, spread);
        const graze_model *models[2] = {point.model, box.model};
        graze_motion motions[2] = {point.motion, box.motion};
        graze_articulated_options options = graze_default_articulated_options();
        gz_search search;
        gz_link_pair pair;
        CHECK(gz_search_open(&search, context, models, 2, &options) == GRAZE_OK);
        CHECK(gz_search_stand(&search, gz_motions_from(motions, 0)) == GRAZE_OK);
        CHECK(gz_search_pair(&search, 0, 1, &pair) && pair.a == (n % 2 ? 0 : 1));
        gz_link_gap gap = gz_links_gap(&search.wide, &pair, 0);
        real_reset();
        double exact = mpfr_get_d(exact_to_box(&point, &box), MPFR_RNDD), sizes = exact + spread + size + other;
        CHECK_MSG(gap.lower <= exact && gap.upper == INFINITY, "%d: %.17g, not %.17g", n, gap.lower, exact);
        CHECK_MSG(gap.lower >= exact - 1e-9 * sizes, "%d: %.17g of %.17g", n, gap.lower, exact);
        used = fmax(used, gap.lower / exact);
        gz_search_close(&search);
        graze_model_destroy(context, point.model);
        graze_model_destroy(context, box.model);
    }
    CHECK_MSG(used > 1 - 1e-10, "%.17g", used);
    graze_context_destroy(context);
}

/* A distance with value v of a chain changed by `step`. */
static real moved_distance(pair_world *w, const graze_link_gap *gap, chain *k, size_t v, double step) {
    double before = k->values[v];
    k->values[v] = before + step;
    real exact = exact_distance(&w->chains[gap->body_a], gap->link_a, &w->chains[gap->body_b], gap->link_b, 0);
    k->values[v] = before;
    return exact;
}

/* Central differences whose steps are exact, so that 256 bits leave nothing but the curvature; by two of them it is
   known how smooth the distance is there. */
TEST(gradients_are_those_of_differences_in_256_bits) {
    test_random random = {7};
    pair_world w = {.context = test_context(1, GRAZE_ISA_AUTO)};
    int checked = 0, kinds[6] = {0}, unclear = 0;
    for (int n = 0; n < 10; n++) {
        double size = ldexp(1, (int)test_random_below(&random, 9) - 4);
        make_world(&w, &random, size, 8 * size, 3);
        graze_world_distance_options options = graze_default_world_distance_options();
        graze_world_distance_result r = graze_default_world_distance_result();
        options.most = 2;
        options.gradients = 1;
        CHECK(graze_world_distance(w.context, w.world, w.pose, 2, &options, &r) == GRAZE_OK);
        CHECK(r.value_count == w.chains[0].value_count + w.chains[1].value_count);
        for (size_t i = 0; i < r.gap_count; i++)
            for (size_t v = 0; v < r.value_count; v++) {
                chain *k = &w.chains[v >= w.chains[0].value_count];
                size_t own = v - (v >= w.chains[0].value_count ? w.chains[0].value_count : 0);
                double got = r.gradients[i * r.value_count + v], slopes[2];
                double value = k->values[own], unit = ldexp(1, ilogb(value) - 26);
                if (isnan(got) || !(r.gaps[i].lower > 1e-3 * size)) continue;
                for (int h = 0; h < 2; h++) {
                    double step = ldexp(unit, -h);
                    CHECK((value + step) - value == step && value - (value - step) == step);
                    real_reset();
                    real up = moved_distance(&w, &r.gaps[i], k, own, step);
                    real down = moved_distance(&w, &r.gaps[i], k, own, -step);
                    slopes[h] = mpfr_get_d(real_div(real_sub(up, down), real_of(2 * step)), MPFR_RNDN);
                }
                double scale = 40 * size;
                if (fabs(slopes[0] - slopes[1]) > 1e-9 * scale) { /* a corner of the distance between the poses */
                    unclear++;
                    continue;
                }
                CHECK_MSG(fabs(got - slopes[1]) <= 1e-8 * scale, "world %d, gap %zu, value %zu: %.17g, not %.17g", n, i,
                          v, got, slopes[1]);
                size_t link = 0;
                while (link + 1 < k->count && k->first[link + 1] <= own) link++;
                kinds[k->links[link].joint]++;
                checked++;
            }
        graze_world_distance_release(w.context, &r);
        free_world(&w);
    }
    CHECK_MSG(checked > 40 && unclear < checked / 20, "%d checked, %d not clear", checked, unclear);
    for (int kind = GRAZE_JOINT_REVOLUTE; kind <= GRAZE_JOINT_FREE; kind++)
        CHECK_MSG(kinds[kind] > 0, "kind %d: %d", kind, kinds[kind]);
    graze_context_destroy(w.context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
