/* Runs what docs/integration.md is made of: a triangle falls on another one, which is an obstacle. */
#include <math.h>
#include <stdio.h>

static const double start[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, 1}, {1.2, 0.2, 1.5}, {0.2, 1.2, 1.5}};
static const double goal[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, -1}, {1.2, 0.2, -0.5}, {0.2, 1.2, -0.5}};
static unsigned constraints;
static int wrong;

static void expect(int holds, const char *what) {
    if (holds) return;
    printf("not so: %s\n", what);
    wrong = 1;
}

static double height(void *user, const double (*x)[3]) {
    (void)user;
    return x[3][2] + x[4][2] + x[5][2];
}

/* The tip starts 1 above the plate and would end 1 below it, so it has to stop before the middle, and lower than
 * `most`. */
static void expect_stopped(const double (*x)[3], double most, const char *by) {
    expect(x[3][2] > 0, by);
    expect(x[3][2] < most, by);
    expect(memcmp(x, start, 3 * sizeof *x) == 0, "the obstacle stays");
}

/* At the moment of contact the gap is the offset, and the normal is that of the plate, whichever pair it is. */
static void constraint(const graze_stencil *stencil, const double normal[3]) {
    double sum = 0, before = 0, after = 0;
    for (uint32_t i = 0; i < stencil->count; i++) {
        sum += stencil->weights[i];
        for (int c = 0; c < 3; c++) {
            before += stencil->weights[i] * normal[c] * start[stencil->vertices[i]][c];
            after += stencil->weights[i] * normal[c] * goal[stencil->vertices[i]][c];
        }
    }
    expect(fabs(sum) < 1e-12, "weights are of a difference");
    expect(before > 0.1 && after < 0.1, "a constraint holds at the start and is broken at the end");
    constraints++;
}

int main(void) {
    static const uint32_t faces[2][3] = {{0, 1, 2}, {3, 4, 5}}, group[6] = {1, 1, 1};
    solver s;
    double x[6][3], time[6];
    expect(solver_open(&s, 6, faces, 2) == GRAZE_OK, "a solver opens");
    solver_obstacles(&s, group);
    expect(solver_descend(&s, start, goal, height, NULL, x), "there is a way down");
    expect_stopped((const double(*)[3])x, 0.5, "a line search stops before contact");
    expect(solver_is_free(&s, start, (const double(*)[3])x), "what a line search goes to is free");
    expect(!solver_is_free(&s, start, goal), "the whole way is not free");
    expect(solver_go(&s, start, goal, x) == GRAZE_OK, "a step is taken");
    expect_stopped((const double(*)[3])x, 0.5, "a step stops before contact");
    double rounded[6][3];
    for (int i = 0; i < 18; i++) rounded[i / 3][i % 3] = (float)start[i / 3][i % 3];
    expect(solver_go_in_float(&s, (const double(*)[3])rounded, goal, x), "a step in float is taken");
    expect(x[3][2] > 0 && x[3][2] < 0.5 && x[3][2] == (float)x[3][2], "a step in float ends at floats, before contact");
    expect(fabs(solver_least_distance(&s, start, 2) - 1) < 1e-12, "the triangles are 1 apart");
    expect(solver_least_distance(&s, start, 0.5) == 0.5, "nothing is closer than half of that");
    double value, gradient[6][3], down = 0;
    graze_csr hessian = graze_default_csr();
    expect(solver_barrier(&s, start, start, 1.2, &value, gradient, &hessian) == GRAZE_OK && value > 0,
           "there is a barrier");
    for (int i = 3; i < 6; i++) down -= gradient[i][2];
    expect(down > 0 && hessian.count > 0, "it pushes the triangles apart");
    graze_csr_release(s.context, &hessian);
    graze_pair *pairs;
    size_t count;
    expect(graze_candidates(s.context, &s.mesh, start, goal, NULL, &pairs, &count) == GRAZE_OK, "pairs are listed");
    double part = solver_free_part(&s, start, goal, pairs, count);
    expect(part > 0.4 && part <= 0.5, "the pairs of a list touch half-way");
    graze_pairs_release(s.context, pairs, count);
    expect(solver_constraints(&s, start, goal, 0.1, constraint) == GRAZE_OK && constraints > 0,
           "constraints are found");
    memcpy(x, start, sizeof x);
    expect(solver_move_each(&s, x, goal, time) == GRAZE_OK, "each vertex moves");
    expect_stopped((const double(*)[3])x, 0.9, "vertices stop before contact");
    graze_mesh_release(s.context, &s.mesh);
    graze_context_destroy(s.context);
    return wrong;
}
