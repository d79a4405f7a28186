/* The gaps of many contacts in lanes against the plain code for one contact, bit for bit. */
#include "kernels/kernels.h"
#include "potential/gap.h"

#include "check.h"

#include <string.h>

enum { BLOCKS = 3000 };

typedef struct gap_case {
    double x[4 * GZ_GAP_BLOCK][3];
    uint32_t ids[GZ_GAP_BLOCK][4];
} gap_case;

/* Of any size; at times flat, on a grid, or with edges that are all but parallel. */
static void make_contact(test_random *random, double (*x)[3]) {
    static const int exponents[] = {0, 0, 0, 10, -10, 100, -150, -210, 150};
    double size = ldexp(1, exponents[test_random_below(random, 9)]);
    uint64_t form = test_random_below(random, 6);
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            double at = form == 0 ? (double)test_random_below(random, 3) : test_random_between(random, -1, 1);
            if (form == 1 && c == 2) at *= 1e-6;
            if (form == 2 && i == 3) at = x[2][c] / size + (x[1][c] - x[0][c]) / size + 1e-9 * at;
            x[i][c] = size * at;
        }
}

static void make_case(test_random *random, graze_kind kind, gap_case *at) {
    for (uint32_t k = 0; k < GZ_GAP_BLOCK; k++) {
        make_contact(random, at->x + 4 * k);
        for (uint32_t i = 0; i < 4; i++) at->ids[k][i] = 4 * k + (kind == GRAZE_PE && i == 3 ? 0 : i);
    }
}

static bool same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0 || (a == 0 && b == 0); }

static bool same_gaps(const gz_gap *a, const gz_gap *b, graze_kind kind) {
    bool is = a->parameters == b->parameters && same(a->square.hi, b->square.hi) && same(a->square.lo, b->square.lo);
    for (int c = 0; c < 3; c++) is = is && same(a->vector.c[c], b->vector.c[c]);
    for (int i = 0; i < gz_kind_rows(kind); i++) is = is && same(a->weight[i], b->weight[i]);
    for (int p = 0; p < a->parameters; p++) {
        for (int i = 0; i < 4; i++) is = is && same(a->slope[p][i], b->slope[p][i]);
        for (int c = 0; c < 3; c++) is = is && same(a->motion[p].c[c], b->motion[p].c[c]);
    }
    return is;
}

/* The number that the kernel told. */
static size_t compare(const gz_kernels *kernels, const gap_case *at, graze_kind kind, size_t count, double most) {
    gz_gap_job job = {kind, (const char *)at->x, sizeof *at->x, at->ids, count};
    gz_gap_block block;
    size_t told = 0;
    kernels->contact_gaps(&job, &block);
    for (size_t k = 0; k < count; k++) {
        gz_gap plain, lanes;
        bool near = gz_gap_find(kind, (const double(*)[3])(at->x + 4 * k), most, &plain);
        if (!block.told[k]) continue;
        told++;
        CHECK(gz_gap_take(kind, &block, k, most, &lanes) == near);
        CHECK_MSG(!near || same_gaps(&plain, &lanes, kind), "%s, contact %zu of %zu", test_kind_name(kind), k, count);
    }
    return told;
}

TEST(lanes_find_the_gaps_of_plain_code) {
    static const graze_kind kinds[] = {GRAZE_VF, GRAZE_EE, GRAZE_PE};
    static gap_case at;
    test_random random = {41};
    size_t told[3] = {0}, all = 0;
    for (int i = 0; i < BLOCKS; i++) {
        int k = i % 3;
        size_t count = i % 4 ? GZ_GAP_BLOCK : 1 + test_random_below(&random, GZ_GAP_BLOCK);
        double most = i % 5 ? INFINITY : test_random_between(&random, 0, 1);
        make_case(&random, kinds[k], &at);
        for (int isa = GRAZE_ISA_SCALAR; isa <= GRAZE_ISA_WASM; isa++) {
            if (!graze_isa_available((graze_isa)isa)) continue;
            told[k] += compare(gz_kernels_of((graze_isa)isa), &at, kinds[k], count, most);
            all += count;
        }
    }
    for (int k = 0; k < 3; k++) CHECK_MSG(20 * told[k] > all / 3, "%s: %zu", test_kind_name(kinds[k]), told[k]);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
