/* A cloth of point masses on springs falls on a ball, and never goes through it or through itself.
 *
 * Each step has three parts: move as if nothing were in the way; push apart what touches on the way; go as far as is
 * proven free. The last part is what makes it safe, however rough the others are. */
#include <graze/graze.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 14, RINGS = 7, AROUND = 12, CLOTH = N * N, COUNT = CLOTH + RINGS * AROUND + 2 };
static const double h = 0.01, side = 1.6, radius = 0.4, gap = 0.01;
static double x[COUNT][3], next[COUNT][3], v[COUNT][3];
static uint32_t faces[2 * (N - 1) * (N - 1) + 2 * AROUND * RINGS][3], face_count;

static void face(int a, int b, int c) {
    const uint32_t ids[3] = {(uint32_t)a, (uint32_t)b, (uint32_t)c};
    memcpy(faces[face_count++], ids, sizeof ids);
}

static void build(void) {
    const double pi = acos(-1.0);
    for (int i = 0; i < CLOTH; i++) {
        const double at[3] = {side * (i % N) / (N - 1) - side / 2, side * (i / N) / (N - 1) - side / 2, radius + 0.05};
        memcpy(x[i], at, sizeof at);
        if (i % N < N - 1 && i / N < N - 1) face(i, i + 1, i + N + 1), face(i, i + N + 1, i + N);
    }
    for (int r = 0; r <= RINGS + 1; r++) /* the poles are rings of one vertex */
        for (int k = 0; k < (r == 0 || r > RINGS ? 1 : AROUND); k++) {
            double *p = x[r == 0 ? CLOTH : r > RINGS ? COUNT - 1 : CLOTH + 1 + (r - 1) * AROUND + k];
            p[0] = radius * sin(pi * r / (RINGS + 1)) * cos(2 * pi * k / AROUND);
            p[1] = radius * sin(pi * r / (RINGS + 1)) * sin(2 * pi * k / AROUND);
            p[2] = radius * cos(pi * r / (RINGS + 1));
        }
    for (int r = 0; r <= RINGS; r++)
        for (int k = 0; k < AROUND; k++) {
            int a = CLOTH + 1 + (r - 1) * AROUND, b = a + AROUND, l = (k + 1) % AROUND;
            if (r < RINGS) face(r ? a + k : CLOTH, b + k, b + l);
            if (r > 0) face(a + k, r < RINGS ? b + l : COUNT - 1, a + l);
        }
}

/* Pulls the ends of a spring to its length. */
static void spring(int a, int b, double length) {
    double d[3], now = 0;
    for (int c = 0; c < 3; c++) d[c] = next[b][c] - next[a][c], now += d[c] * d[c];
    double part = (1 - length / sqrt(now)) / 2;
    for (int c = 0; c < 3; c++) next[a][c] += part * d[c], next[b][c] -= part * d[c];
}

static void move(void) {
    double cell = side / (N - 1);
    memcpy(next, x, sizeof x);
    for (int i = 0; i < CLOTH; i++)
        for (int c = 0; c < 3; c++) next[i][c] += h * (v[i][c] -= c == 2 ? h * 9.81 : 0);
    for (int sweep = 0; sweep < 8; sweep++)
        for (int i = 0; i < CLOTH; i++) {
            if (i % N < N - 1) spring(i, i + 1, cell);
            if (i / N < N - 1) spring(i, i + N, cell);
            if (i % N < N - 1 && i / N < N - 1)
                spring(i, i + N + 1, sqrt(2) * cell), spring(i + 1, i + N, sqrt(2) * cell);
        }
}

/* Everything that comes within the gap on the way is pushed out along its normal; the ball does not yield. */
static size_t push_apart(graze_context *context, const graze_mesh *mesh) {
    graze_options narrow = graze_default_options();
    graze_step_options options = graze_default_step_options();
    graze_pair_result *pairs;
    size_t count;
    narrow.min_separation = gap;
    options.narrow = &narrow;
    if (graze_active_set(context, mesh, (const double(*)[3])x, (const double(*)[3])next, &options, &pairs, &count))
        exit(1);
    for (size_t i = 0; i < count; i++) {
        const graze_result *hit = &pairs[i].result;
        graze_stencil s;
        double now = 0, yields = 0;
        graze_pair_stencil(mesh, pairs[i].pair, hit->u, hit->v, &s);
        for (uint32_t k = 0; k < s.count; k++) {
            for (int c = 0; c < 3; c++) now += s.weights[k] * hit->normal[c] * next[s.vertices[k]][c];
            if (s.vertices[k] < CLOTH) yields += s.weights[k] * s.weights[k];
        }
        if (!(now < 1.1 * gap) || !(yields > 0)) continue; /* apart in the end, or no normal is known */
        for (uint32_t k = 0; k < s.count; k++)
            for (int c = 0; c < 3 && s.vertices[k] < CLOTH; c++)
                next[s.vertices[k]][c] += (1.1 * gap - now) / yields * s.weights[k] * hit->normal[c];
    }
    graze_active_set_release(context, pairs, count);
    return count;
}

/* The part of the way that is proven free, for the positions as they are rounded. */
static void go(graze_context *context, const graze_mesh *mesh) {
    static double to[COUNT][3];
    graze_step_result step = graze_default_step_result();
    if (graze_step_to(context, mesh, (const double(*)[3])x, (const double(*)[3])next, NULL, to, &step)) exit(1);
    for (int i = 0; i < CLOTH; i++)
        for (int c = 0; c < 3; c++) v[i][c] = 0.99 * (to[i][c] - x[i][c]) / h, x[i][c] = to[i][c];
}

int main(void) {
    graze_context *context;
    graze_mesh mesh = graze_default_mesh();
    graze_pair *pairs;
    size_t intersections, contacts = 0;
    build();
    if (graze_context_create(NULL, &context)) return 1;
    if (graze_mesh_from_faces(context, COUNT, (const uint32_t(*)[3])faces, face_count, &mesh)) return 1;
    for (int frame = 0; frame < 90; frame++) {
        move();
        for (int round = 0; round < 10; round++) {
            size_t touching = push_apart(context, &mesh);
            if (!touching) break;
            contacts += touching;
        }
        go(context, &mesh);
        if (graze_static_intersections(context, &mesh, (const double(*)[3])x, NULL, &pairs, &intersections)) return 1;
        graze_pairs_release(context, pairs, intersections);
        if (intersections) return printf("frame %d: %zu intersections\n", frame, intersections), 1;
    }
    double lowest = x[0][2];
    for (int i = 0; i < CLOTH; i++) lowest = fmin(lowest, x[i][2]);
    printf("%zu contacts on the way, no intersection; the cloth hangs down to %.2f\n", contacts, lowest);
    graze_mesh_release(context, &mesh);
    graze_context_destroy(context);
    return contacts > 0 && lowest < 0 ? 0 : 1;
}
