/* A rigid edge or vertex against a rigid edge or face whose rotation vectors move straight, beside a judge that cuts
   time into halves and tells the two apart in reals of 256 bits. Pairs are drawn; GRAZE_RIGID_CASES names a file with
   the paths of more, one a line, in the JSON that Rigid IPC keeps its own in (tests/data/.../ccd-test-000.json).
   GRAZE_RIGID_PAIRS says how many are drawn. */
#include "articulated/big_real.h"

#include <cjson/cJSON.h>

/* Halvings of time after which the judge counts a window as contact: at first, and where that says that an answer is
   late, which things that pass each other closely are said to be. */
enum { DEFAULT_PAIRS = 1500, FINE = 36, FINEST = 47 };

typedef struct side {
    uint32_t count;
    double rest[3][3], place[2][3], turn[2][3];
} side;

typedef struct pair {
    side a, b; /* two edges, or a face and a vertex */
} pair;

/* ---- the judge ---- */

/* x + sinc(θ)·r × x + sinc²(θ/2)/2·r × (r × x), and the place. */
static void point_at(const side *s, uint32_t v, real t, real out[3]) {
    real rest = real_sub(real_of(1), t), r[3], x[3], once[3], twice[3], one = real_of(1), half = real_of(0.5);
    for (int c = 0; c < 3; c++) {
        r[c] = real_add(real_mul(rest, real_of(s->turn[0][c])), real_mul(t, real_of(s->turn[1][c])));
        x[c] = real_of(s->rest[v][c]);
    }
    real angle = real_root(real_dot(r, r)), less = real_mul(angle, half);
    bool turns = !mpfr_zero_p(angle);
    real first = turns ? real_div(real_sin(angle), angle) : one, second = turns ? real_div(real_sin(less), less) : one;
    second = real_mul(half, real_mul(second, second));
    for (int c = 0; c < 3; c++)
        once[c] = real_sub(real_mul(r[(c + 1) % 3], x[(c + 2) % 3]), real_mul(r[(c + 2) % 3], x[(c + 1) % 3]));
    for (int c = 0; c < 3; c++)
        twice[c] = real_sub(real_mul(r[(c + 1) % 3], once[(c + 2) % 3]), real_mul(r[(c + 2) % 3], once[(c + 1) % 3]));
    for (int c = 0; c < 3; c++) {
        out[c] = real_add(x[c], real_add(real_mul(first, once[c]), real_mul(second, twice[c])));
        out[c] =
            real_add(out[c], real_add(real_mul(rest, real_of(s->place[0][c])), real_mul(t, real_of(s->place[1][c]))));
    }
}

static double length(const double x[3]) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }
static void minus(const double a[3], const double b[3], double out[3]) {
    for (int c = 0; c < 3; c++) out[c] = a[c] - b[c];
}
static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* At least how fast the point is: its place moves, and exp(r)·x by no more than |r'|·|x|. */
static double speed_of(const side *s, uint32_t v) {
    double way[3], turn[3];
    minus(s->place[1], s->place[0], way);
    minus(s->turn[1], s->turn[0], turn);
    return (length(way) + length(turn) * length(s->rest[v])) * (1 + 0x1p-40) + 0x1p-1000;
}

typedef struct corners {
    double a[3][3], b[3][3];
    double n[16][3]; /* directions that may part them */
    int count;
} corners;

static void add_direction(corners *k, const double n[3]) {
    if (!(length(n) > 0)) return;
    for (int sign = 0; sign < 2; sign++, k->count++)
        for (int c = 0; c < 3; c++) k->n[k->count][c] = sign ? -n[c] : n[c];
}

/* From the closest point of a line to p, and from its ends. */
static void add_from_line(corners *k, const double p[3], const double from[3], const double to[3]) {
    double d[3], x[3], n[3];
    minus(to, from, d);
    minus(p, from, x);
    double at = dot(x, d) / (dot(d, d) + 0x1p-1000);
    at = at < 0 ? 0 : at > 1 ? 1 : at;
    for (int c = 0; c < 3; c++) n[c] = x[c] - at * d[c];
    add_direction(k, n);
}

static void find_directions(const pair *p, corners *k) {
    double u[3], v[3], n[3];
    bool edges = p->b.count == 2;
    k->count = 0;
    minus(k->a[1], k->a[0], u);
    if (edges)
        minus(k->b[1], k->b[0], v);
    else
        minus(k->a[2], k->a[0], v);
    for (int c = 0; c < 3; c++) n[c] = u[(c + 1) % 3] * v[(c + 2) % 3] - u[(c + 2) % 3] * v[(c + 1) % 3];
    add_direction(k, n);
    for (int i = 0; i < 2 && edges; i++) {
        add_from_line(k, k->a[i], k->b[0], k->b[1]);
        add_from_line(k, k->b[i], k->a[0], k->a[1]);
    }
    for (int i = 0; i < 3 && !edges; i++) add_from_line(k, k->b[0], k->a[i], k->a[(i + 1) % 3]);
}

/* True if n parts all corners, all over the window of half length h. What 256 bits round is far below the slack. */
static bool parts(const pair *p, real x[2][3][3], const double n[3], double h) {
    double long_n = length(n) * (1 + 0x1p-40);
    for (uint32_t i = 0; i < p->a.count; i++)
        for (uint32_t j = 0; j < p->b.count; j++) {
            real sum = real_of(0);
            for (int c = 0; c < 3; c++) sum = real_add(sum, real_mul(real_of(n[c]), real_sub(x[1][j][c], x[0][i][c])));
            if (mpfr_cmp_d(sum, (speed_of(&p->a, i) + speed_of(&p->b, j)) * h * long_n) <= 0) return false;
        }
    return true;
}

static bool is_free(const pair *p, double middle, double h) {
    real x[2][3][3];
    corners k;
    real_reset();
    for (uint32_t i = 0; i < p->a.count; i++) {
        point_at(&p->a, i, real_of(middle), x[0][i]);
        for (int c = 0; c < 3; c++) k.a[i][c] = mpfr_get_d(x[0][i][c], MPFR_RNDN);
    }
    for (uint32_t j = 0; j < p->b.count; j++) {
        point_at(&p->b, j, real_of(middle), x[1][j]);
        for (int c = 0; c < 3; c++) k.b[j][c] = mpfr_get_d(x[1][j][c], MPFR_RNDN);
    }
    find_directions(p, &k);
    for (int d = 0; d < k.count; d++)
        if (parts(p, x, k.n[d], h)) return true;
    return false;
}

/* The pair is proven free before it; 2: throughout. */
static double free_until(const pair *p, int finest) {
    double stack[2 * FINEST + 4][2] = {{0.5, 0.5}};
    int count = 1;
    while (count) {
        double middle = stack[--count][0], h = stack[count][1];
        if (is_free(p, middle, h)) continue;
        if (h < ldexp(1, -finest)) return middle - h;
        for (int k = 1; k >= 0; k--, count++) {
            stack[count][0] = middle + (k ? 0.5 : -0.5) * h;
            stack[count][1] = 0.5 * h;
        }
    }
    return 2;
}

/* ---- what the library says ---- */

static graze_mesh mesh_of(graze_context *context, const side *s) {
    static const uint32_t face[1][3] = {{0, 1, 2}}, edge[1][2] = {{0, 1}}, point[1] = {0};
    graze_mesh mesh = graze_default_mesh();
    CHECK(graze_mesh_from_parts(context, s->count, face, s->count == 3, edge, s->count == 2, point, s->count == 1,
                                &mesh) == GRAZE_OK);
    return mesh;
}

static graze_articulated_result ask(graze_context *context, const pair *p) {
    graze_articulated_result result = graze_default_articulated_result();
    graze_mesh meshes[2];
    graze_body bodies[2];
    graze_body_motion motions[2];
    graze_world *world = NULL;
    for (uint32_t i = 0; i < 2; i++) {
        const side *s = i ? &p->b : &p->a;
        meshes[i] = mesh_of(context, s);
        bodies[i] = graze_default_body();
        bodies[i].kind = GRAZE_BODY_RIGID;
        bodies[i].mesh = &meshes[i];
        bodies[i].rest = s->rest;
        motions[i] = graze_default_body_motion();
        motions[i].body = i;
        motions[i].path = GRAZE_PATH_ROTVEC;
        memcpy(motions[i].pose0.position, s->place[0], sizeof s->place[0]);
        memcpy(motions[i].pose1.position, s->place[1], sizeof s->place[1]);
        memcpy(motions[i].rotvec0, s->turn[0], sizeof s->turn[0]);
        memcpy(motions[i].rotvec1, s->turn[1], sizeof s->turn[1]);
    }
    CHECK(graze_world_create(context, bodies, 2, NULL, &world) == GRAZE_OK);
    CHECK(graze_world_step(context, world, motions, 2, NULL, &result) == GRAZE_OK);
    graze_world_release(world);
    for (int i = 0; i < 2; i++) graze_mesh_release(context, &meshes[i]);
    return result;
}

typedef struct tally {
    size_t pairs, clear, hit, unproven, unresolved;
} tally;

/* Never late; what it proves to touch is not proven free. */
static void judge(graze_context *context, const pair *p, const char *name, tally *sum) {
    graze_articulated_result result = ask(context, p);
    double until = free_until(p, FINE), slack = ldexp(4, -FINE);
    if (until <= 1 && result.toi > until + slack) until = free_until(p, FINEST);
    bool hit = result.verdict == GRAZE_HIT;
    sum->pairs++;
    sum->clear += result.verdict == GRAZE_CLEAR;
    sum->hit += hit;
    sum->unproven += hit && !result.contact.proven;
    sum->unresolved += result.verdict == GRAZE_UNRESOLVED;
    CHECK_MSG(result.verdict != GRAZE_CLEAR || until > 1, "%s: clear, and free until %.17g alone\n", name, until);
    CHECK_MSG(until > 1 || result.toi <= until + slack, "%s: toi %.17g, and free until %.17g\n", name, result.toi,
              until);
    CHECK_MSG(until <= 1 || !hit || !result.contact.proven, "%s: proven to touch, and free\n", name);
}

static void tell(const tally *sum, const char *what) {
    printf("      %zu %s: %zu clear, %zu hit (%zu unproven), %zu unresolved\n", sum->pairs, what, sum->clear, sum->hit,
           sum->unproven, sum->unresolved);
}

/* ---- pairs that are drawn ---- */

static double about(test_random *random, double most) { return test_random_between(random, -most, most); }

static void draw_side(test_random *random, uint32_t count, double size, side *s) {
    bool fast = test_random_below(random, 3) > 0; /* the others at speeds of any size */
    double way = fast ? 1.5 : ldexp(1, -(int)test_random_below(random, 24));
    double turn = fast ? 1 : ldexp(1, -(int)test_random_below(random, 24));
    s->count = count;
    for (int v = 0; v < 3; v++)
        for (int c = 0; c < 3; c++) s->rest[v][c] = about(random, size);
    for (int c = 0; c < 3; c++) {
        s->place[0][c] = about(random, 0.25);
        s->place[1][c] = s->place[0][c] + way * about(random, 1);
        s->turn[0][c] = about(random, 2.5);
        s->turn[1][c] = s->turn[0][c] + turn * about(random, 1.5);
    }
}

/* ---- pairs of a file ---- */

static bool read_vector(const cJSON *from, const char *name, double x[3]) {
    const cJSON *list = cJSON_GetObjectItem(from, name);
    for (int c = 0; c < 3; c++) {
        const cJSON *item = cJSON_GetArrayItem(list, c);
        if (!cJSON_IsNumber(item)) return false;
        x[c] = item->valuedouble;
    }
    return true;
}

static bool read_side(const cJSON *from, uint32_t count, side *s) {
    static const char *const ends[] = {"pose_t0", "pose_t1"}, *const names[] = {"vertex0", "vertex1", "vertex2"};
    bool good = from != NULL;
    s->count = count;
    for (int e = 0; e < 2 && good; e++) {
        const cJSON *pose = cJSON_GetObjectItem(from, ends[e]);
        good = pose && read_vector(pose, "position", s->place[e]) && read_vector(pose, "rotation", s->turn[e]);
    }
    for (uint32_t v = 0; v < count && good; v++) good = read_vector(from, count == 1 ? "vertex" : names[v], s->rest[v]);
    return good;
}

static bool read_pair(const char *path, pair *p) {
    static char text[1 << 16];
    FILE *stream = fopen(path, "rb");
    size_t size = stream ? fread(text, 1, sizeof text - 1, stream) : 0;
    if (stream) fclose(stream);
    text[size] = 0;
    cJSON *file = cJSON_Parse(text);
    const cJSON *face = cJSON_GetObjectItem(file, "face");
    memset(p, 0, sizeof *p);
    bool good = read_side(face ? face : cJSON_GetObjectItem(file, "edge0"), face ? 3 : 2, &p->a) &&
                read_side(cJSON_GetObjectItem(file, face ? "vertex" : "edge1"), face ? 1 : 2, &p->b);
    cJSON_Delete(file);
    return good;
}

static void judge_files(graze_context *context, const char *list) {
    FILE *stream = fopen(list, "r");
    char path[1000];
    tally sum = {0};
    CHECK(stream != NULL);
    while (stream && fgets(path, sizeof path, stream)) {
        pair p;
        path[strcspn(path, "\n")] = 0;
        bool read = read_pair(path, &p);
        CHECK_MSG(read, "%s cannot be read\n", path);
        if (read) judge(context, &p, path, &sum);
    }
    tell(&sum, "pairs of files");
    CHECK(sum.pairs > 0);
    if (stream) fclose(stream);
}

TEST(rigid_pairs_are_never_late_and_none_is_missed) {
    const char *asked = getenv("GRAZE_RIGID_PAIRS");
    size_t count = asked && atol(asked) > 0 ? (size_t)atol(asked) : DEFAULT_PAIRS;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {401};
    tally sum = {0};
    for (size_t i = 0; i < count; i++) {
        bool edges = test_random_below(&random, 2);
        double size = ldexp(1, -(int)test_random_below(&random, 4));
        pair p;
        char name[40];
        draw_side(&random, edges ? 2 : 3, 1, &p.a);
        draw_side(&random, edges ? 2 : 1, size, &p.b);
        snprintf(name, sizeof name, "pair %zu", i);
        judge(context, &p, name, &sum);
    }
    tell(&sum, "pairs");
    CHECK(sum.clear * 4 > sum.pairs && sum.hit * 20 > sum.pairs && sum.unresolved * 100 <= sum.pairs);
    if (getenv("GRAZE_RIGID_CASES")) judge_files(context, getenv("GRAZE_RIGID_CASES"));
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
