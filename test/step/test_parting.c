/* The planes and distances of many pairs in lanes against the plain code for one pair, bit for bit. The source is
   included for its static functions. */
#include "step/parting.c"

#include "step/distance/measure.h"

#include "check.h"

enum { BLOCKS = 4000 };

typedef struct parting_case {
    gz_step_call call;
    graze_mesh mesh;
    double x0[4 * GZ_PARTING_BLOCK][3], x1[4 * GZ_PARTING_BLOCK][3];
    uint32_t ids[GZ_PARTING_BLOCK][4];
} parting_case;

/* Of any size or of few values, so that points coincide and edges are parallel; at times all of a pair on a line. */
static void make_pair(test_random *random, double (*x)[3]) {
    static const int exponents[] = {0, 0, 0, 10, -10, 150, -400, -899, -901, -1060};
    double size = ldexp(1, exponents[test_random_below(random, 10)]);
    uint64_t form = test_random_below(random, 5);
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            double at = form == 0 ? (double)test_random_below(random, 3) : test_random_between(random, -1, 1);
            x[i][c] = size * (form == 1 && i > 1 ? x[1][c] / size + i * (x[1][c] - x[0][c]) / size : at);
            if (form == 2 && c == 2) x[i][c] = 0;
            if (form == 3) x[i][c] += ldexp(size, 20);
        }
}

static void make_case(test_random *random, parting_case *at) {
    static const double separations[] = {0, 0, 0.01, 1};
    for (uint32_t k = 0; k < GZ_PARTING_BLOCK; k++) {
        make_pair(random, at->x0 + 4 * k);
        make_pair(random, at->x1 + 4 * k);
        for (uint32_t i = 0; i < 4; i++) at->ids[k][i] = 4 * k + i;
    }
    at->mesh = graze_default_mesh();
    at->call = (gz_step_call){.mesh = &at->mesh,
                              .positions = {(const char *)at->x0, (const char *)at->x1, sizeof *at->x0, NULL},
                              .question.separation = separations[test_random_below(random, 4)],
                              .question.t_max = test_random_below(random, 2) ? 1 : 0.375};
}

static bool same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

/* The number of pairs that the kernels left. */
static size_t compare_kernels(const gz_kernels *kernels, const parting_case *at, graze_kind kind, size_t count) {
    gz_parting_job job = {.kind = kind,
                          .positions = &at->call.positions,
                          .separation = at->call.question.separation,
                          .t_max = at->call.question.t_max,
                          .ids = at->ids,
                          .count = count};
    unsigned char parted[GZ_PARTING_BLOCK], again[GZ_PARTING_BLOCK];
    double stops[4][GZ_PARTING_BLOCK], distances[GZ_PARTING_BLOCK], plain[4];
    kernels->parted(&job, parted);
    kernels->stops(&job, again, stops);
    kernels->distances(&job, distances);
    CHECK(memcmp(parted, again, count) == 0);
    size_t left = 0;
    for (size_t k = 0; k < count; k++) {
        const double(*x)[3] = at->x0 + 4 * k;
        double distance = gz_closest_distance(kind, x);
        CHECK_MSG(distances[k] < 0 || same_bits(distances[k], distance), "%a is %a", distance, distances[k]);
        left += parted[k] == GZ_PARTING_LEFT;
        if (parted[k] == GZ_PARTING_LEFT) continue;
        bool apart = part_pair(&at->call, kind, at->ids[k], plain);
        CHECK_MSG(apart == parted[k], "%s, pair %zu, distance %a", test_kind_name(kind), k, distance);
        for (int i = 0; i < 4; i++) CHECK_MSG(same_bits(stops[i][k], plain[i]), "%a is %a", plain[i], stops[i][k]);
    }
    return left;
}

static void compare_closest(const gz_kernels *kernels, const parting_case *at, graze_kind kind, size_t count) {
    gz_parting_job job = {.kind = kind, .positions = &at->call.positions, .ids = at->ids, .count = count};
    gz_closest_block block;
    kernels->closest(&job, &block);
    for (size_t k = 0; k < count; k++) {
        gz_vec3 rows[4];
        graze_distance_result plain;
        for (int i = 0; i < 4; i++) rows[i] = gz_vec3_of(at->x0[4 * k + (size_t)i]);
        gz_measure(kind, rows, &plain);
        if (block.distance[k] < 0) continue;
        bool same = same_bits(block.distance[k], plain.value);
        for (int i = 0; i < 4; i++) same = same && same_bits(block.weight[i][k], plain.weights[i]);
        for (int c = 0; c < 3; c++) same = same && same_bits(block.vector[c][k], plain.vector[c]);
        CHECK_MSG(same, "%s, pair %zu, distance %a is %a", test_kind_name(kind), k, plain.value, block.distance[k]);
    }
}

TEST(lanes_find_the_closest_points_of_plain_code) {
    test_random random = {31};
    static parting_case at;
    for (int i = 0; i < BLOCKS; i++) {
        make_case(&random, &at);
        size_t count = i % 4 ? GZ_PARTING_BLOCK : 1 + test_random_below(&random, GZ_PARTING_BLOCK);
        for (int isa = GRAZE_ISA_SCALAR; isa <= GRAZE_ISA_WASM; isa++)
            if (graze_isa_available((graze_isa)isa))
                compare_closest(gz_kernels_of((graze_isa)isa), &at, i % 2 ? GRAZE_VF : GRAZE_EE, count);
    }
}

TEST(lanes_part_and_measure_pairs_as_plain_code_does) {
    test_random random = {29};
    static parting_case at;
    size_t left = 0, all = 0;
    for (int i = 0; i < BLOCKS; i++) {
        make_case(&random, &at);
        size_t count = i % 4 ? GZ_PARTING_BLOCK : 1 + test_random_below(&random, GZ_PARTING_BLOCK);
        const graze_kind kind = i % 2 ? GRAZE_VF : GRAZE_EE;
        for (int isa = GRAZE_ISA_SCALAR; isa <= GRAZE_ISA_WASM; isa++) {
            if (!graze_isa_available((graze_isa)isa)) continue;
            left += compare_kernels(gz_kernels_of((graze_isa)isa), &at, kind, count);
            all += count;
        }
    }
    CHECK_MSG(left > all / 20 && left < all / 2, "%zu of %zu pairs are left to plain code", left, all);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
