/* Two links at a pose and over a range, one case at a time: what is inside, what touches, and what is not certain. */
#include "verify/small_texts.h"

#include <stdarg.h>

static char text[1 << 17];
static size_t used;

static void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void put(const char *format, ...) {
    va_list list;
    va_start(list, format);
    used += (size_t)vsnprintf(text + used, sizeof text - used, format, list);
    va_end(list);
    if (used >= sizeof text) abort();
}

static void expect(int wanted, const char *says) {
    small_text copy = small_copy(text, used);
    char why[VERIFY_TEXT];
    int status = small_status(copy, NULL, 1, VERIFY_WORK_PATHS, why);
    CHECK_MSG(status == wanted && strstr(why, says), "%d in place of %d: %s\n%.*s", status, wanted, why,
              (int)(used < 1500 ? used : 1500), text);
    free(copy.bytes);
}

static void put_link(int parent, const char *joint, const char *position, const char *axis, const char *mesh) {
    put("{\"parent\":%d,\"joint\":\"%s\",\"position\":%s,\"rotation\":[1,0,0,0],\"axis\":%s,\"padding\":0,%s}", parent,
        joint, position, axis, mesh);
}

/* A link that a value from 0 to 1 moves along x, and one that stands. */
static void try_two(const char *mesh, const char *other, const char *position, const char *claim, int wanted,
                    const char *says) {
    used = 0;
    put("{\"format\":\"graze range certificate 1\",\"separation\":0,\"models\":[{\"links\":[");
    put_link(-1, "prismatic", "[0,0,0]", "[1,0,0]", mesh);
    put("]},{\"links\":[");
    put_link(-1, "fixed", position, "[0,0,1]", other);
    put("]}],\"skip\":[],\"ranges\":[[0,1]],\"pairs\":[{\"links\":[0,1],%s}]}", claim);
    expect(wanted, says);
}

#define TRIANGLE "\"vertices\":[[0,0,0],[0.5,0,0],[0,0.5,0]],\"faces\":[[0,1,2]]"
#define TWO_TRIANGLES(first) "\"vertices\":[" first ",[1,1,1],[2,1,1],[1,2,1]],\"faces\":[[0,1,2],[3,4,5]]"
#define NEAR "[0,0,0],[0.5,0,0],[0,0.5,0]"
#define FAR "[99,0,0],[99,1,0],[99,0,1]"
/* A tetrahedron around the origin: x, y, z >= -9, and x + y + z <= 9 where its second corner is [27,-9,-9]. */
#define SOLID(second, faces) "\"vertices\":[[-9,-9,-9]," second ",[-9,27,-9],[-9,-9,27]],\"faces\":[" faces "]"
#define FACES "[0,2,1],[0,1,3],[0,3,2],[1,2,3]"
#define SECOND "[27,-9,-9]"
#define INSIDE "\"touch\":[1],\"inside\":true"

TEST(a_part_in_a_closed_part_is_inside) {
    try_two(TRIANGLE, SOLID(SECOND, FACES), "[0,0,0]", INSIDE, SMALL_ACCEPTED, "");
    try_two(SOLID(SECOND, FACES), TRIANGLE, "[0,0,0]", INSIDE, SMALL_ACCEPTED, "");
    try_two(TWO_TRIANGLES(NEAR), SOLID(SECOND, FACES), "[0,0,0]", INSIDE, SMALL_ACCEPTED, "");
    try_two(TWO_TRIANGLES(FAR), SOLID(SECOND, FACES), "[0,0,0]", INSIDE, SMALL_ACCEPTED, "");
    try_two(TRIANGLE, SOLID(SECOND, FACES), "[99,0,0]", INSIDE, SMALL_REJECTED, "neither link");
    try_two(TRIANGLE, TRIANGLE, "[0,0,0]", INSIDE, SMALL_REJECTED, "neither link");
}

/* A side of one or three triangles, a side without length, a side that one triangle has twice. */
TEST(a_part_that_is_not_closed_has_no_inside) {
    try_two(TRIANGLE, SOLID(SECOND, "[0,2,1],[0,1,3],[0,3,2]"), "[0,0,0]", INSIDE, SMALL_REJECTED, "neither link");
    try_two(TRIANGLE, SOLID(SECOND, FACES ",[0,2,1]"), "[0,0,0]", INSIDE, SMALL_REJECTED, "neither link");
    try_two(TRIANGLE, SOLID(SECOND, FACES ",[0,0,0]"), "[0,0,0]", INSIDE, SMALL_REJECTED, "neither link");
    try_two(TRIANGLE, SOLID(SECOND, FACES ",[0,0,1],[0,0,1]"), "[0,0,0]", INSIDE, SMALL_REJECTED, "neither link");
    try_two(TRIANGLE, SOLID(SECOND, FACES ",[1,1,1]"), "[0,0,0]", INSIDE, SMALL_REJECTED, "neither link");
    try_two(TRIANGLE, SOLID(SECOND, "[0,2,1],[0,1,3],[0,3,2],[1,2,1]"), "[0,0,0]", INSIDE, SMALL_REJECTED, "neither");
}

/* A part that is no part of the solid is open, or none at all: its only side that counts is twice that of one triangle.
 */
TEST(an_open_part_does_not_open_the_others) {
    try_two(TRIANGLE,
            "\"vertices\":[[-9,-9,-9],[27,-9,-9],[-9,27,-9],[-9,-9,27],[50,0,0],[51,0,0]],\"faces\":[" FACES
            ",[4,5,4]]",
            "[0,0,0]", INSIDE, SMALL_ACCEPTED, "");
    try_two(TRIANGLE,
            "\"vertices\":[[-9,-9,-9],[27,-9,-9],[-9,27,-9],[-9,-9,27],[50,0,0],[51,0,0],[50,1,0]],\"faces\":[" FACES
            ",[4,5,6]]",
            "[0,0,0]", INSIDE, SMALL_ACCEPTED, "");
}

/* The first corner, (1, 0, 0) at the pose, sees a corner of the solid along the checker's first ray; lies on the plane
   of a face; sees a corner along each of its rays. */
TEST(a_ray_that_meets_a_corner_or_a_side_does_not_count) {
    static const int rays[8][3] = {{1009, 82, 44},   {-31, 997, 76},  {58, -49, 1013},  {-991, 63, -97},
                                   {37, -1019, 101}, {-71, 92, -983}, {613, 577, -541}, {-593, 631, 557}};
    try_two(TRIANGLE, SOLID("[16.765625,1.28125,0.6875]", FACES), "[0,0,0]", INSIDE, SMALL_ACCEPTED, "");
    static const char *const orders[] = {FACES, "[1,2,3],[0,2,1],[0,1,3],[0,3,2]", "[3,1,2],[0,2,1],[0,1,3],[0,3,2]"};
    for (int k = 0; k < 3; k++) { /* the middle of a side, which is each side of its face */
        char solid[300];
        snprintf(solid, sizeof solid,
                 "\"vertices\":[[-9,-9,-9],[16.765625,-18.71875,20.6875],[-9,9,9],[16.765625,21.28125,-19.3125]],"
                 "\"faces\":[%s]",
                 orders[k]);
        try_two(TRIANGLE, solid, "[0,0,0]", INSIDE, SMALL_ACCEPTED, "");
    }
    try_two(TRIANGLE, SOLID(SECOND, FACES), "[10,0,0]", INSIDE, SMALL_REJECTED, "neither link");
    static char mesh[4096];
    for (int some = 0; some < 2; some++) {
        size_t at = (size_t)snprintf(mesh, sizeof mesh,
                                     "\"vertices\":[[-99,-99,-99],[297,-99,-99],[-99,297,-99],[-99,-99,297]");
        for (int r = some; r < 8; r++) {
            double x = 1 + rays[r][0] / 64.0, y = rays[r][1] / 64.0, z = rays[r][2] / 64.0;
            at += (size_t)snprintf(mesh + at, sizeof mesh - at,
                                   ",[%.17g,%.17g,%.17g],[%.17g,%.17g,%.17g],[%.17g,%.17g,%.17g],[%.17g,%.17g,%.17g]",
                                   x, y, z, x + 0.5, y, z, x, y + 0.5, z, x, y, z + 0.5);
        }
        at += (size_t)snprintf(mesh + at, sizeof mesh - at, "],\"faces\":[" FACES);
        for (int v = 4; v < 4 + 4 * (8 - some); v += 4)
            at += (size_t)snprintf(mesh + at, sizeof mesh - at, ",[%d,%d,%d],[%d,%d,%d],[%d,%d,%d],[%d,%d,%d]", v,
                                   v + 2, v + 1, v, v + 1, v + 3, v, v + 3, v + 2, v + 1, v + 2, v + 3);
        snprintf(mesh + at, sizeof mesh - at, "]");
        try_two(TRIANGLE, mesh, "[0,0,0]", INSIDE, some ? SMALL_ACCEPTED : SMALL_REJECTED, some ? "" : "neither link");
    }
}

TEST(what_may_be_inside_is_not_clear) {
    try_two(TRIANGLE, SOLID(SECOND, FACES), "[0,0,0]", "\"clear\":\"bbzybx(1,1,1)\"", SMALL_REJECTED, "may be inside");
    try_two(SOLID(SECOND, FACES), TRIANGLE, "[0,0,0]", "\"clear\":\"aazyax(1,1,1)\"", SMALL_REJECTED, "may be inside");
    try_two(TRIANGLE, SOLID(SECOND, "[0,2,1],[0,1,3],[0,3,2]"), "[0,0,0]", "\"clear\":\"bzbyx\"", SMALL_ACCEPTED, "");
    try_two(TRIANGLE, SOLID(SECOND, FACES), "[0,0,0]", "\"open\":0,\"rest\":\"bbzybx(1,1,1)\"", SMALL_ACCEPTED, "");
    try_two(TRIANGLE, SOLID(SECOND, FACES), "[99,0,0]", "\"clear\":\"x\"", SMALL_ACCEPTED, "");
    try_two(TRIANGLE, SOLID(SECOND, FACES), "[99,0,0]", "\"clear\":\"bxx\"", SMALL_ACCEPTED, "");
}

TEST(triangles_that_cross_touch) {
#define CROSSES "\"vertices\":[[0.125,0.125,-0.25],[0.125,0.125,0.25],[5,5,0]],\"faces\":[[0,1,2]]"
    try_two(TRIANGLE, CROSSES, "[0,0,0]", "\"touch\":[0],\"faces\":[0,0]", SMALL_ACCEPTED, "");
    try_two(CROSSES, TRIANGLE, "[0,0,0]", "\"touch\":[0],\"faces\":[0,0]", SMALL_ACCEPTED, "");
    try_two(TRIANGLE, CROSSES, "[1,1,0]", "\"touch\":[0],\"faces\":[0,0]", SMALL_REJECTED, "not seen to touch");
    try_two(TRIANGLE, CROSSES, "[0.375,0,0]", "\"touch\":[0],\"faces\":[0,0]", SMALL_REJECTED, "not seen to touch");
    try_two(TRIANGLE, CROSSES, "[0,0,1]", "\"touch\":[0],\"faces\":[0,0]", SMALL_REJECTED, "not seen to touch");
}

TEST(a_cell_that_is_given_up_is_given_up_as_a_whole) {
    const char *two = TWO_TRIANGLES(NEAR);
    try_two(two, TRIANGLE, "[0,0,0]", "\"open\":1,\"rest\":\"au\"", SMALL_ACCEPTED, "");
    try_two(two, TRIANGLE, "[0,0,0]", "\"open\":1,\"rest\":\"accu\"", SMALL_ACCEPTED, "");
    try_two(two, TRIANGLE, "[0,0,0]", "\"open\":1,\"rest\":\"acc<0>uu\"", SMALL_ACCEPTED, "");
    try_two(two, TRIANGLE, "[0,0,0]", "\"open\":1,\"rest\":\"acc<0>uuu\"", SMALL_REJECTED, "goes on");
    try_two(two, TRIANGLE, "[0,0,0]", "\"open\":0.5,\"rest\":\"acc<0>uu\"", SMALL_REJECTED, "more is given up");
    try_two(two, TRIANGLE, "[0,0,0]", "\"open\":1,\"rest\":\"acc\"", SMALL_REJECTED, "how to cut");
    try_two(two, TRIANGLE, "[0,0,0]", "\"open\":1,\"rest\":\"acau\"", SMALL_REJECTED, "cannot be split");
}

/* ---- joints ---- */

static void try_joint(const char *joint, const char *axis, const char *ranges, const char *claim, int wanted,
                      const char *says) {
    used = 0;
    put("{\"format\":\"graze range certificate 1\",\"separation\":0,\"models\":[{\"links\":[");
    put_link(-1, "prismatic", "[0,0,0]", "[1,0,0]", TRIANGLE);
    put("]},{\"links\":[");
    put_link(-1, joint, "[0,0,5]", axis, TRIANGLE);
    put("]}],\"skip\":[],\"ranges\":%s,\"pairs\":[{\"links\":[0,1],%s}]}", ranges, claim);
    expect(wanted, says);
}

TEST(ranges_of_joints_that_have_none_are_refused) {
    const char *clear = "\"clear\":\"z\"";
    try_joint("planar", "[0,0,1]", "[[0,1],[0,0],[0.5,0.5],[1,1]]", clear, SMALL_ACCEPTED, "");
    try_joint("planar", "[0,0,1]", "[[0,1],[0,0],[0.5,0.5],[1,1.5]]", clear, SMALL_NOT_READ, "does not stand");
    try_joint("planar", "[0,0,1]", "[[0,1],[0,0],{\"follows\":0,\"multiplier\":0,\"offset\":0},[1,1]]", clear,
              SMALL_NOT_READ, "does not stand");
    try_joint("revolute", "[0,0,1]", "[[0,1],[-1048576,1048576]]", clear, SMALL_ACCEPTED, "");
    try_joint("revolute", "[0,0,1]", "[[0,1],[0,1048577]]", clear, SMALL_NOT_READ, "an angle beyond");
    try_joint("prismatic", "[1,0,0]", "[[0,1],[0,1048577]]", clear, SMALL_ACCEPTED, "");
    try_joint("revolute", "[0,0,1]", "[[0,1],{\"follows\":0,\"multiplier\":1048577,\"offset\":0}]", clear,
              SMALL_NOT_READ, "an angle beyond");
    try_joint("revolute", "[0,0,0]", "[[0,1],[0,1]]", clear, SMALL_REJECTED, "an axis that is zero");
    try_joint("revolute", "[0,0,1]", "[[0,1],[0,1]]", "\"touch\":[0,0],\"inside\":true", SMALL_REJECTED,
              "neither link");
}

/* Links in a chain, each slides along the one before; of all pairs but the first and the last link nothing is said. */
static void try_chain(int links, const char *claim, int wanted, const char *says) {
    used = 0;
    put("{\"format\":\"graze range certificate 1\",\"separation\":0,\"models\":[{\"links\":[");
    for (int i = 0; i < links; i++) {
        put("%s", i ? "," : "");
        put_link(i - 1, "prismatic", "[0,0,5]", "[1,0,0]", TRIANGLE);
    }
    put("]}],\"skip\":[],\"ranges\":[");
    for (int i = 0; i < links; i++) put("%s[0,1]", i ? "," : "");
    put("],\"pairs\":[");
    const char *comma = "";
    for (int a = 0; a < links; a++)
        for (int b = a + 2; b < links; b++, comma = ",")
            put("%s{\"links\":[%d,%d],%s}", comma, a, b, a == 0 && b == links - 1 ? claim : "\"open\":1");
    put("]}");
    expect(wanted, says);
}

TEST(more_than_sixteen_values_between_links_are_refused) {
    try_chain(17, "\"clear\":\"z\"", SMALL_ACCEPTED, "");
    try_chain(18, "\"clear\":\"z\"", SMALL_REJECTED, "more than 16 values");
    try_chain(18, "\"touch\":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],\"inside\":true", SMALL_REJECTED, "more values");
}

static const char *cuts(int values, int each) {
    static char claim[8192];
    size_t at = (size_t)snprintf(claim, sizeof claim, "\"clear\":\"");
    for (int v = 1; v <= values; v++)
        for (int i = 0; i < each; i++) at += (size_t)snprintf(claim + at, sizeof claim - at, "c<%d>", v);
    snprintf(claim + at, sizeof claim - at, "\"");
    return claim;
}

TEST(a_value_is_halved_sixty_times_and_a_cell_nine_hundred_times) {
    try_chain(3, cuts(1, 60), SMALL_REJECTED, "ends before");
    try_chain(3, cuts(1, 61), SMALL_REJECTED, "cut too often");
    try_chain(17, cuts(15, 60), SMALL_REJECTED, "ends before");
    try_chain(17, cuts(16, 60), SMALL_REJECTED, "cut too often");
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
