/* The list of a step's certificate: every pair of a mesh whose boxes come within the separation, and no other, once. */
#include "verify/small_texts.h"

#include <math.h>
#include <stdarg.h>

typedef struct row {
    const char *kind;
    uint32_t a, b, vertices[4];
    int count;
} row;

typedef struct question {
    verify_mesh mesh;
    double separation, t_max;
    const double *radii, *groups;
} question;

static char text[1 << 18];
static size_t used;

static void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void put(const char *format, ...) {
    va_list list;
    va_start(list, format);
    used += (size_t)vsnprintf(text + used, sizeof text - used, format, list);
    va_end(list);
    if (used >= sizeof text) abort();
}

static void put_numbers(const char *name, const double *x, size_t count) {
    put("\"%s\":", name);
    for (size_t i = 0; x && i < count; i++) put("%s%.17g", i ? "," : "[", x[i]);
    put("%s,", x ? "]" : "null");
}

static void put_rows(const char *name, const double (*x)[3], const row *r) {
    put("\"%s\":[", name);
    for (int i = 0; i < r->count; i++) {
        const double *v = x[r->vertices[i]];
        put("%s[%.17g,%.17g,%.17g]", i ? "," : "", v[0], v[1], v[2]);
    }
    put("],");
}

/* Nothing is claimed of any pair: the list alone counts. */
static void put_pair(const question *q, const row *r, bool first) {
    put("%s{\"kind\":\"%s\",\"a\":%u,\"b\":%u,", first ? "" : ",", r->kind, (unsigned)r->a, (unsigned)r->b);
    put_rows("x0", q->mesh.x0, r);
    put_rows("x1", q->mesh.x1, r);
    double radii[4];
    for (int i = 0; i < r->count; i++) radii[i] = q->radii ? q->radii[r->vertices[i]] : 0;
    if (q->radii) put_numbers("radii", radii, (size_t)r->count);
    put("\"verdict\":\"unresolved\",\"toi\":0,\"toi_upper\":null,\"hit\":null,\"free\":[]}");
}

/* The list without row `cut`, and with row `twice` once more; neither where they are `count`. */
static verify_report check(const question *q, const row *rows, size_t count, size_t cut, size_t twice) {
    used = 0;
    put("{\"format\":\"graze certificate 3\",\"separation\":%.17g,\"t_max\":%.17g,\"mesh\":\"%064d\",", q->separation,
        q->t_max, 0);
    put_numbers("groups", q->groups, q->mesh.vertex_count);
    put_numbers("radii", q->radii, q->mesh.vertex_count);
    put("\"candidates\":%zu,\"pairs\":[", count - (cut < count) + (twice < count));
    bool first = true;
    for (size_t i = 0; i < count; i++)
        for (int times = (i != cut) + (i == twice); times > 0; times--, first = false) put_pair(q, &rows[i], first);
    put("]}");
    verify_report report;
    char message[VERIFY_TEXT];
    small_text copy = small_copy(text, used);
    bool read = verify_text(copy.bytes, copy.size, 1, &q->mesh, &report, message);
    CHECK_MSG(read, "%s", message);
    free(copy.bytes);
    return report;
}

static void check_list(const question *q, const row *rows, size_t count) {
    verify_report report = check(q, rows, count, count, count);
    CHECK_MSG(report.rejected == 0, "%s: %s", report.name, report.reason);
    for (size_t i = 0; i < count; i++) {
        report = check(q, rows, count, i, count);
        char name[60];
        snprintf(name, sizeof name, "%s %u %u", rows[i].kind, (unsigned)rows[i].a, (unsigned)rows[i].b);
        CHECK_MSG(report.missing == 1 && report.rejected == 1 && strcmp(report.name, name) == 0, "%s, not %s",
                  report.name, name);
        report = check(q, rows, count, count, i);
        CHECK_MSG(report.twice == 1 && report.rejected == 1 && strstr(report.reason, "listed again"), "%s", name);
    }
}

/* ---- a mesh of everything ---- */

/* Two faces with a side in common, one apart, an edge that is a side, a free one, one without length, two points. */
enum { VERTICES = 11 };
static const uint32_t faces[3][3] = {{0, 1, 2}, {3, 2, 1}, {4, 5, 6}};
static const uint32_t listed[3][2] = {{1, 0}, {8, 7}, {9, 9}};
/* Its edges in their order: by the larger vertex, then by the smaller. */
static const uint32_t edges[][2] = {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}, {4, 5}, {4, 6}, {5, 6}, {7, 8}};
enum { EDGES = sizeof edges / sizeof *edges, FREE_EDGE = EDGES - 1 };
static double x0[VERTICES][3], x1[VERTICES][3], radii[VERTICES];
static const double groups[VERTICES] = {0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3};

static bool add(const question *q, row *to, const char *kind, uint32_t a, uint32_t b, const uint32_t *first,
                int first_count, const uint32_t *second, int second_count) {
    *to = (row){.kind = kind, .a = a, .b = b, .count = first_count + second_count};
    for (int i = 0; i < first_count; i++) to->vertices[i] = first[i];
    for (int j = 0; j < second_count; j++) to->vertices[first_count + j] = second[j];
    for (int i = 0; i < first_count; i++)
        for (int j = 0; j < second_count; j++)
            if (first[i] == second[j]) return false;
    return !q->groups || q->groups[first[0]] != q->groups[second[0]];
}

static size_t all_pairs(const question *q, row *rows) {
    size_t count = 0;
    static const uint32_t points[2] = {9, 10};
    for (uint32_t v = 0; v < VERTICES; v++)
        for (uint32_t f = 0; f < 3; f++) count += add(q, &rows[count], "vf", v, f, &v, 1, faces[f], 3);
    for (uint32_t e = 0; e < EDGES; e++)
        for (uint32_t f = e + 1; f < EDGES; f++) count += add(q, &rows[count], "ee", e, f, edges[e], 2, edges[f], 2);
    for (int i = 0; i < 2; i++)
        count += add(q, &rows[count], "pe", points[i], FREE_EDGE, &points[i], 1, edges[FREE_EDGE], 2);
    count += add(q, &rows[count], "pp", points[0], points[1], &points[0], 1, &points[1], 1);
    return count;
}

TEST(every_pair_of_a_mesh_is_listed_once) {
    static row rows[200];
    for (int v = 0; v < VERTICES; v++)
        for (int c = 0; c < 3; c++) x0[v][c] = (v * 7 + c * 5) % 11, x1[v][c] = (v * 5 + c * 3) % 11;
    for (int v = 0; v < VERTICES; v++) radii[v] = 0.125 * (v % 4);
    verify_mesh mesh = {.vertex_count = VERTICES,
                        .face_count = 3,
                        .edge_count = 3,
                        .x0 = (const double(*)[3])x0,
                        .x1 = (const double(*)[3])x1,
                        .faces = faces,
                        .edges = listed};
    for (int how = 0; how < 4; how++) {
        question q = {mesh, 99, how ? 1 : 0.5, how & 1 ? radii : NULL, how & 2 ? groups : NULL};
        size_t count = all_pairs(&q, rows);
        CHECK_MSG(count > 40, "%zu", count);
        check_list(&q, rows, count);
    }
}

/* Each of these is no pair: of the wrong kind, order or size, or with a vertex in common. */
TEST(what_is_no_pair_of_the_mesh_is_refused) {
    verify_mesh mesh = {.vertex_count = VERTICES,
                        .face_count = 3,
                        .edge_count = 3,
                        .x0 = (const double(*)[3])x0,
                        .x1 = (const double(*)[3])x1,
                        .faces = faces,
                        .edges = listed};
    question q = {mesh, 0, 1, NULL, groups};
    static const struct {
        row r;
        const char *says;
    } wrong[] = {{{"vf", 0, 3, {0, 1, 2, 3}, 4}, "no such pair"}, {{"vf", 11, 0, {0, 1, 2, 3}, 4}, "no such pair"},
                 {{"vf", 0, 0, {0, 0, 1, 2}, 4}, "no such pair"}, {{"vf", 3, 0, {3, 0, 1, 2}, 4}, "no such pair"},
                 {{"ee", 0, 9, {0, 1, 7, 8}, 4}, "no such pair"}, {{"ee", 5, 0, {4, 5, 0, 1}, 4}, "not less than b"},
                 {{"pe", 0, 8, {0, 7, 8}, 3}, "no such pair"},    {{"pe", 10, 0, {10, 0, 1}, 3}, "no such pair"},
                 {{"pe", 9, 8, {9, 7, 8}, 3}, "no such pair"},    {{"pp", 10, 9, {10, 9}, 2}, "not less than b"},
                 {{"pp", 0, 10, {0, 10}, 2}, "no such pair"},     {{"pp", 0, 11, {0, 10}, 2}, "no such pair"},
                 {{"vf", 4, 0, {4, 0, 1, 3}, 4}, "coordinates"},  {{"ee", 0, 5, {1, 0, 4, 5}, 4}, "coordinates"},
                 {{"pp", 4, 10, {4, 10}, 2}, "no such pair"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        verify_report report = check(&q, &wrong[i].r, 1, 1, 1);
        CHECK_MSG(report.rejected > 0 && strstr(report.reason, wrong[i].says), "%zu: %s", i, report.reason);
    }
}

/* ---- exactly the separation ---- */

/* Two points, and others far from them; each offset along each axis, one unit in the last place more or less. */
static void try_offset(int axis, int side, double offset, double separation, double radius, double t_max, bool near) {
    static const uint32_t edge[1][2] = {{0, 1}};
    double at[5][3] = {{0, 1e6, 0}, {1, 1e6, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, end[5][3];
    double radii_of[5] = {0, 0, radius, radius, radius};
    at[4][(axis + 1) % 3] = -1e4; /* the sweep goes along another axis */
    memcpy(end, at, sizeof end);
    at[3][axis] = t_max < 1 ? 3 * side * offset : side * offset;
    end[3][axis] = t_max < 1 ? -side * offset : side * offset; /* at one half it is there */
    question q = {{.vertex_count = 5,
                   .edge_count = 1,
                   .x0 = (const double(*)[3])at,
                   .x1 = (const double(*)[3])end,
                   .edges = edge},
                  separation,
                  t_max,
                  radius > 0 ? radii_of : NULL,
                  NULL};
    row pair = {.kind = "pp", .a = 2, .b = 3, .vertices = {2, 3}, .count = 2};
    verify_report report = check(&q, &pair, 1, 0, 1);
    CHECK_MSG(report.missing == near, "axis %d, offset %.17g, separation %.17g: %d missing", axis, side * offset,
              separation, (int)report.missing);
}

TEST(a_pair_is_a_candidate_up_to_exactly_the_separation) {
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side < 2; side += 2)
            for (int how = 0; how < 3; how++) {
                double radius = how == 1 ? 0.25 : 0, t_max = how == 2 ? 0.5 : 1, separation = 1;
                double reach = separation + 2 * radius;
                try_offset(axis, side, reach, separation, radius, t_max, true);
                try_offset(axis, side, nextafter(reach, 0), separation, radius, t_max, true);
                try_offset(axis, side, nextafter(reach, 9), separation, radius, t_max, false);
                try_offset(axis, side, 0.5, separation, radius, t_max, true);
                try_offset(axis, side, 9, separation, radius, t_max, false);
            }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
