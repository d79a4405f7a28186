/* A cube through a cube, whose first contact is known, and balls that tumble past each other. */
#include "bench/articulated/bench_rigid.h"

#include "bench/articulated/fcl.h"
#include "scenes/parts.h"
#include "scenes/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef GRAZE_HAVE_FCL
/* Without FCL its columns stay empty. */
static const bool with_fcl = false;
const char *bench_fcl_volume_name(int volume) { return ((const char *[]){"RSS", "kIOS", "OBBRSS"})[volume]; }
const char *bench_fcl_motion_name(int motion) { return ((const char *[]){"translation", "linear", "screw"})[motion]; }
bench_fcl_body *bench_fcl_body_make(int volume, const double (*vertices)[3], size_t vertex_count,
                                    const uint32_t (*faces)[3], size_t face_count) {
    (void)volume, (void)vertices, (void)vertex_count, (void)faces, (void)face_count;
    return NULL;
}
void bench_fcl_body_free(bench_fcl_body *body) { (void)body; }
bench_fcl_answer bench_fcl_step(const bench_fcl_body *a, const bench_fcl_pose from_to_a[2], const bench_fcl_body *b,
                                const bench_fcl_pose from_to_b[2], int motion) {
    (void)a, (void)from_to_a, (void)b, (void)from_to_b, (void)motion;
    return (bench_fcl_answer){false, NAN};
}
#else
static const bool with_fcl = true;
#endif

/* ---- a body, for both ---- */

typedef struct shape {
    double (*vertices)[3];
    uint32_t (*faces)[3];
    size_t vertex_count, face_count;
} shape;

typedef struct body {
    graze_model *model;
    bench_fcl_body *fcl[BENCH_FCL_VOLUMES];
} body;

static bool open_body(graze_context *context, const shape *s, graze_joint_kind joint, body *b) {
    graze_link_mesh mesh = graze_default_link_mesh();
    mesh.vertex_count = (uint32_t)s->vertex_count;
    mesh.face_count = (uint32_t)s->face_count;
    mesh.vertices = (const double(*)[3])s->vertices;
    mesh.faces = (const uint32_t(*)[3])s->faces;
    graze_link link = graze_default_link();
    link.joint = joint;
    link.meshes = &mesh;
    link.mesh_count = 1;
    memset(b, 0, sizeof *b);
    for (int v = 0; v < BENCH_FCL_VOLUMES && with_fcl; v++)
        b->fcl[v] = bench_fcl_body_make(v, mesh.vertices, s->vertex_count, mesh.faces, s->face_count);
    return graze_model_create(context, &link, 1, &b->model) == GRAZE_OK;
}

static void close_body(graze_context *context, body *b) {
    graze_model_destroy(context, b->model);
    for (int v = 0; v < BENCH_FCL_VOLUMES; v++) bench_fcl_body_free(b->fcl[v]);
}

/* ---- one motion ---- */

typedef struct rigid_job {
    graze_context *context;
    body moving, standing;
    bench_fcl_pose way[2];
    uint64_t repeat;
} rigid_job;

typedef struct rigid_answer {
    graze_articulated_result graze;
    double graze_us;
    bench_fcl_answer fcl;
    double fcl_us;
} rigid_answer;

static bool ask_graze(const rigid_job *job, bool swap, rigid_answer *answer) {
    const graze_model *models[2] = {job->moving.model, job->standing.model}, *swapped[2] = {models[1], models[0]};
    double values[2][6];
    for (int end = 0; end < 2; end++) {
        memcpy(values[end], job->way[end].position, sizeof job->way[end].position);
        memcpy(values[end] + 3, job->way[end].turn, sizeof job->way[end].turn);
    }
    graze_motion motions[2] = {graze_default_motion(), graze_default_motion()};
    motions[swap ? 1 : 0].from = values[0];
    motions[swap ? 1 : 0].to = values[1];
    answer->graze_us = INFINITY;
    for (uint64_t i = 0; i < job->repeat; i++) {
        answer->graze = graze_default_articulated_result();
        double begin = bench_cpu_seconds();
        graze_status status =
            graze_articulated_step(job->context, swap ? swapped : models, 2, motions, NULL, &answer->graze);
        answer->graze_us = fmin(answer->graze_us, 1e6 * (bench_cpu_seconds() - begin));
        if (status != GRAZE_OK) return false;
    }
    return true;
}

static void ask_fcl(const rigid_job *job, int volume, int motion, bool swap, rigid_answer *answer) {
    static const bench_fcl_pose still[2];
    const bench_fcl_body *a = job->moving.fcl[volume], *b = job->standing.fcl[volume];
    answer->fcl_us = INFINITY;
    if (!a || !b) return;
    for (uint64_t i = 0; i < job->repeat; i++) {
        double begin = bench_cpu_seconds();
        answer->fcl =
            swap ? bench_fcl_step(b, still, a, job->way, motion) : bench_fcl_step(a, job->way, b, still, motion);
        answer->fcl_us = fmin(answer->fcl_us, 1e6 * (bench_cpu_seconds() - begin));
    }
}

/* ---- a cube through a cube ---- */

static const bench_column case_columns[] = {
    {"volume", "bounding volume of FCL", NULL},
    {"motion", "motion of FCL", NULL},
    {"order", "which moves", NULL},
    {"fcl", "FCL", NULL},
    {"fcl_time", "its time", NULL},
    {"fcl_right", "right", NULL},
    {"us_fcl", "FCL", "µs"},
    {"graze", "graze", NULL},
    {"graze_toi", "its toi", NULL},
    {"graze_right", "right", NULL},
    {"us_graze", "graze", "µs"},
};

static const double third = 1.0 / 3;

static void add_case(bench_table *table, int volume, int motion, bool swap, const rigid_answer *found) {
    const graze_articulated_result *r = &found->graze;
    bool right = r->verdict == GRAZE_HIT && r->toi <= third && r->toi > third - 1e-9;
    bench_cell *row = bench_add_row(table);
    row[0] = bench_text("%s", bench_fcl_volume_name(volume));
    row[1] = bench_text("%s", bench_fcl_motion_name(motion));
    row[2] = bench_text("%s", swap ? "the second" : "the first");
    if (with_fcl) { /* its tolerance in time is 1e-4 */
        row[3] = bench_text("%s", found->fcl.hit ? "hit" : "free");
        row[4] = bench_number(found->fcl.hit ? found->fcl.time : NAN);
        row[5] = bench_text("%s", found->fcl.hit && fabs(found->fcl.time - third) < 1e-3 ? "yes" : "no");
        row[6] = bench_number(found->fcl_us);
    }
    row[7] = bench_text("%s", graze_verdict_name(r->verdict));
    row[8] = bench_number(r->toi);
    row[9] = bench_text("%s", right ? "yes" : "no");
    row[10] = bench_number(found->graze_us);
}

static bool run_cases(rigid_job *job, bench_table *table) {
    double vertices[8][3];
    uint32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                             {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    for (int i = 0; i < 8; i++)
        for (int c = 0; c < 3; c++) vertices[i][c] = i >> c & 1 ? 0.5 : -0.5;
    shape cube = {vertices, faces, 8, 12};
    bool good = open_body(job->context, &cube, GRAZE_JOINT_FREE, &job->moving) &&
                open_body(job->context, &cube, GRAZE_JOINT_FIXED, &job->standing);
    job->way[0] = (bench_fcl_pose){{-2, 0, 0}, {0, 0, 0}};
    job->way[1] = (bench_fcl_pose){{1, 0, 0}, {0, 0, 0}};
    for (int volume = 0; volume < BENCH_FCL_VOLUMES; volume++)
        for (int motion = 0; motion < BENCH_FCL_MOTIONS; motion++)
            for (int swap = 0; swap < 2 && good; swap++) {
                rigid_answer found = {0};
                good = ask_graze(job, swap, &found);
                ask_fcl(job, volume, motion, swap, &found);
                if (good) add_case(table, volume, motion, swap, &found);
            }
    close_body(job->context, &job->moving);
    close_body(job->context, &job->standing);
    return good;
}

/* ---- balls ---- */

static const bench_column ball_columns[] = {
    {"volume", "bounding volume of FCL", NULL},
    {"motions", "motions", NULL},
    {"hits", "proven contacts", NULL},
    {"fcl_missed", "of these free by FCL", NULL},
    {"fcl_late", "found later than toi_upper + 0.001", NULL},
    {"fcl_wrong", "proven free, contact by FCL", NULL},
    {"us_fcl", "FCL, mean", "µs"},
    {"us_graze", "graze, mean", "µs"},
    {"us_fcl_right", "FCL where it is right", "µs"},
    {"us_graze_right", "graze on the same", "µs"},
};

typedef struct ball_sums {
    uint64_t motions, hits, missed, late, wrong, right;
    double fcl, graze, fcl_right, graze_right;
} ball_sums;

static void add_motion(ball_sums *s, const rigid_answer *found) {
    const graze_articulated_result *r = &found->graze;
    bool hit = r->verdict == GRAZE_HIT && r->contact.proven;
    bool missed = hit && !found->fcl.hit, late = hit && found->fcl.hit && found->fcl.time > r->toi_upper + 1e-3;
    bool wrong = r->verdict == GRAZE_CLEAR && found->fcl.hit;
    s->motions++;
    s->hits += hit;
    s->missed += missed;
    s->late += late;
    s->wrong += wrong;
    s->fcl += found->fcl_us;
    s->graze += found->graze_us;
    if (missed || late || wrong) return;
    s->right++;
    s->fcl_right += found->fcl_us;
    s->graze_right += found->graze_us;
}

static void add_balls(bench_table *table, int volume, const ball_sums *s) {
    bench_cell *row = bench_add_row(table);
    double n = (double)s->motions, right = (double)s->right;
    row[0] = bench_text("%s", bench_fcl_volume_name(volume));
    row[1] = bench_count(s->motions);
    row[2] = bench_count(s->hits);
    if (with_fcl) {
        row[3] = bench_count(s->missed);
        row[4] = bench_count(s->late);
        row[5] = bench_count(s->wrong);
        row[6] = bench_number(s->fcl / n);
        row[8] = bench_number(s->fcl_right / right);
        row[9] = bench_number(s->graze_right / right);
    }
    row[7] = bench_number(s->graze / n);
}

static void random_way(scene_random *random, bench_fcl_pose way[2]) {
    for (int end = 0; end < 2; end++)
        for (int c = 0; c < 3; c++) {
            way[end].position[c] = scene_random_between(random, -2, 2) + (c == 0 ? (end ? 2.5 : -2.5) : 0);
            way[end].turn[c] = scene_random_between(random, -1, 1);
        }
}

static bool run_balls(const bench_settings *settings, rigid_job *job, bench_table *table) {
    enum { CELLS = 8 };
    scene_mesh ball;
    if (!scene_mesh_allocate(&ball, scene_sphere_vertices(CELLS), scene_sphere_faces(CELLS))) return false;
    scene_sphere(CELLS, 0, ball.positions, ball.faces);
    shape s = {ball.positions, ball.faces, ball.vertex_count, ball.face_count};
    bool good = open_body(job->context, &s, GRAZE_JOINT_FREE, &job->moving) &&
                open_body(job->context, &s, GRAZE_JOINT_FIXED, &job->standing);
    for (int volume = 0; volume < (with_fcl ? BENCH_FCL_VOLUMES : 1) && good; volume++) {
        ball_sums sums = {0};
        scene_random random = {settings->seed + 5};
        for (int i = 0; i < (settings->quick ? 20 : 200) && good && !bench_stopped(settings); i++) {
            rigid_answer found = {0};
            random_way(&random, job->way);
            good = ask_graze(job, false, &found);
            ask_fcl(job, volume, 1, false, &found);
            add_motion(&sums, &found);
        }
        if (good) add_balls(table, volume, &sums);
    }
    close_body(job->context, &job->moving);
    close_body(job->context, &job->standing);
    scene_mesh_free(&ball);
    return good;
}

bool bench_rigid(const bench_settings *settings, bench_report *report, io_error *error) {
    rigid_job job = {.context = bench_context(settings, 1, 0, error),
                     .repeat = settings->repeat ? settings->repeat : 3};
    if (!job.context) return false;
    bench_table *cases = bench_add_table(report, "rigid_cases", "A cube passes through a cube: first contact at 1/3",
                                         with_fcl ? "FCL: conservative advancement of two meshes, with its defaults."
                                                  : "FCL is not in this build (-DGRAZE_FCL=ON, Debian: libfcl-dev).",
                                         case_columns, sizeof case_columns / sizeof *case_columns);
    bool good = run_cases(&job, cases);
    bench_table *balls = bench_add_table(report, "rigid_balls", "Balls that tumble past each other",
                                         "Meshes of 512 triangles between random poses, FCL's linear motion, which is "
                                         "that of a free joint. What is right is "
                                         "told by proofs: contacts with a proven time, and proofs that there is none.",
                                         ball_columns, sizeof ball_columns / sizeof *ball_columns);
    if (good) good = run_balls(settings, &job, balls);
    graze_context_destroy(job.context);
    return good || io_fail(error, "rigid", 0, "out of memory");
}
