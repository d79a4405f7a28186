#include "sim/solver/obstacles.h"

#include "sim/energy/vector.h"

#include "app/app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TICKS (1 << 20) /* in a time step */
#define MOST_TURN 0.5   /* at once, in radians */

static void check(const sim_obstacles *o, graze_status status) {
    if (status != GRAZE_OK) app_fail_status(status, o->context, "sim: obstacles");
}

/* ---- which they are ---- */

/* Bodies all of whose vertices move by one motion; NO_MOTION: it is none. */
#define NO_MOTION UINT32_MAX
static uint32_t *motions_of_bodies(const sim_world *world) {
    uint32_t *motion = app_allocate(world->bodies.count, sizeof *motion);
    bool *seen = app_allocate(world->bodies.count, sizeof *seen);
    for (size_t v = 0; v < world->count; v++) {
        uint32_t body = world->body[v], own = world->role[v] == SIM_MOVED ? world->motion[v] : NO_MOTION;
        if (v >= world->outside || (seen[body] && motion[body] != own)) own = NO_MOTION;
        motion[body] = own;
        seen[body] = true;
    }
    free(seen);
    return motion;
}

/* Of a body or, with `body` NO_MOTION, of all that have a free vertex: places of its vertices among themselves. */
static uint32_t *choose(const sim_world *world, uint32_t body, uint32_t **vertices, uint32_t *count) {
    uint32_t *place = app_allocate(world->outside, sizeof *place);
    bool *yields = app_allocate(world->bodies.count, sizeof *yields);
    *vertices = app_allocate(world->outside, sizeof **vertices);
    *count = 0;
    for (size_t v = 0; v < world->count; v++) yields[world->body[v]] |= world->role[v] == SIM_FREE;
    for (uint32_t v = 0; v < world->outside; v++) {
        bool taken = body == NO_MOTION ? yields[world->body[v]] : world->body[v] == body;
        place[v] = taken ? *count : UINT32_MAX;
        if (taken) (*vertices)[(*count)++] = v;
    }
    free(yields);
    return place;
}

/* The part of what may touch that these vertices have. */
static graze_mesh part_of(const sim_obstacles *o, uint32_t body, uint32_t **vertices) {
    const sim_world *world = o->world;
    uint32_t count, *place = choose(world, body, vertices, &count), faces = 0, edges = 0, points = 0;
    sim_face *face = app_allocate(world->faces.count + 1, sizeof *face);
    sim_edge *edge = app_allocate(world->edges.count + 1, sizeof *edge);
    uint32_t *point = app_allocate(world->outside + 1, sizeof *point);
    graze_mesh mesh = graze_default_mesh();
    for (size_t i = 0; i < world->faces.count; i++) {
        const uint32_t *v = world->faces.items[i].v;
        if (place[v[0]] != UINT32_MAX) face[faces++] = (sim_face){{place[v[0]], place[v[1]], place[v[2]]}};
    }
    for (size_t i = 0; i < world->edges.count; i++) {
        const uint32_t *v = world->edges.items[i].v;
        if (place[v[0]] != UINT32_MAX) edge[edges++] = (sim_edge){{place[v[0]], place[v[1]]}};
    }
    for (uint32_t i = 0; i < world->mesh.codim_point_count; i++) {
        uint32_t at = place[world->mesh.codim_points[i]];
        if (at != UINT32_MAX) point[points++] = at;
    }
    check(o, graze_mesh_from_parts(o->context, count, (const uint32_t(*)[3])face, faces, (const uint32_t(*)[2])edge,
                                   edges, point, points, &mesh));
    mesh.faces = (const uint32_t(*)[3])face; /* borrowed: kept as long as the mesh */
    free(edge);
    free(point);
    free(place);
    return mesh;
}

static void add_obstacle(sim_obstacles *o, uint32_t body, uint32_t motion) {
    const sim_motion *m = &o->world->motions.items[motion];
    sim_obstacle made = {.body = body, .motion = motion};
    made.mesh = part_of(o, body, &made.vertices);
    made.rest = app_allocate(made.mesh.vertex_count, sizeof *made.rest);
    for (uint32_t v = 0; v < made.mesh.vertex_count; v++) {
        sim_minus(o->world->rest[made.vertices[v]], m->centre, made.rest[v]);
        o->owner[made.vertices[v]] = (uint32_t)o->list.count;
    }
    SIM_PUSH(&o->list, made);
}

/* ---- the world that graze sees ---- */

/* Obstacles do not feel each other; what yields is not asked about itself here. */
static graze_world_pair *skip_pairs(size_t count, size_t *made) {
    graze_world_pair *rules = app_allocate(count * count + 1, sizeof *rules);
    *made = 0;
    for (uint32_t a = 0; a <= count; a++)
        for (uint32_t b = a ? a + 1 : 0; b <= (a ? count : 0); b++) {
            rules[*made] = graze_default_world_pair();
            rules[*made].body_a = a;
            rules[*made].body_b = b;
            rules[(*made)++].rule = GRAZE_PAIR_SKIP;
        }
    return rules;
}

static void make_world(sim_obstacles *o) {
    size_t count = o->list.count;
    graze_body *bodies = app_allocate(count + 1, sizeof *bodies);
    graze_world_options options = graze_default_world_options();
    graze_world_pair *rules = skip_pairs(count, &options.pair_count);
    o->motions = app_allocate(count + 1, sizeof *o->motions);
    options.pairs = rules;
    for (size_t i = 0; i <= count; i++) {
        bodies[i] = graze_default_body();
        bodies[i].kind = i ? GRAZE_BODY_RIGID : GRAZE_BODY_STRAIGHT;
        bodies[i].mesh = i ? &o->list.items[i - 1].mesh : &o->mesh;
        bodies[i].rest = i ? (const double(*)[3])o->list.items[i - 1].rest : NULL;
        o->motions[i] = graze_default_body_motion();
        o->motions[i].body = (uint32_t)i;
    }
    o->motions[0].x0 = o->motions[0].x1 = (const double(*)[3])o->x;
    check(o, graze_world_create(o->context, bodies, count + 1, &options, &o->made));
    free(bodies);
    free(rules);
}

void sim_obstacles_begin(sim_obstacles *o, const sim_world *world, graze_context *context) {
    *o = (sim_obstacles){.context = context, .world = world};
    uint32_t *motions = motions_of_bodies(world);
    o->owner = app_allocate(world->count, sizeof *o->owner);
    o->slope = app_allocate(world->count, sizeof *o->slope);
    for (size_t v = 0; v < world->count; v++) o->owner[v] = SIM_NO_OBSTACLE;
    for (uint32_t b = 0; b < world->bodies.count; b++)
        if (motions[b] != NO_MOTION) add_obstacle(o, b, motions[b]);
    free(motions);
    if (!o->list.count) return;
    o->mesh = part_of(o, NO_MOTION, &o->yielding);
    o->x = app_allocate(o->mesh.vertex_count + 1, sizeof *o->x);
    if (o->mesh.vertex_count) make_world(o);
}

static void free_mesh(sim_obstacles *o, graze_mesh *mesh) {
    void *faces = (void *)mesh->faces;
    graze_mesh_release(o->context, mesh);
    free(faces);
}

void sim_obstacles_end(sim_obstacles *o) {
    graze_world_release(o->made);
    for (size_t i = 0; i < o->list.count; i++) {
        free_mesh(o, &o->list.items[i].mesh);
        free(o->list.items[i].rest);
        free(o->list.items[i].vertices);
    }
    if (o->list.count) free_mesh(o, &o->mesh);
    free(o->list.items);
    free(o->owner);
    free(o->slope);
    free(o->yielding);
    free(o->x);
    free(o->motions);
    *o = (sim_obstacles){0};
}

/* ---- time ---- */

static double time_of(const sim_obstacles *o, int64_t tick) {
    return (double)tick / TICKS * o->world->settings.time_step;
}

static bool is_at(const sim_obstacles *o, const sim_obstacle *b, int64_t tick) {
    double x[3];
    uint32_t v = b->vertices[b->mesh.vertex_count - 1];
    sim_world_target(o->world, v, time_of(o, tick), x);
    return memcmp(x, o->world->x[v], sizeof x) == 0;
}

/* The time that its positions are those of: of a run that goes on, one that is late is looked for. */
static void find_tick(const sim_obstacles *o, sim_obstacle *b, int64_t now) {
    if (is_at(o, b, b->tick)) return;
    for (b->tick = now; b->tick > 0; b->tick--)
        if (is_at(o, b, b->tick)) return;
    b->tick = now; /* at the start, where positions are given */
}

void sim_obstacles_aim(sim_obstacles *o) {
    const sim_settings *s = &o->world->settings;
    int64_t now = TICKS * (int64_t)llround(o->world->time / s->time_step);
    for (size_t i = 0; i < o->list.count; i++) {
        sim_obstacle *b = &o->list.items[i];
        double until = ceil(o->world->motions.items[b->motion].until / s->time_step * TICKS);
        find_tick(o, b, now);
        b->goal = until < (double)(now + TICKS) ? (int64_t)until : now + TICKS;
        if (b->goal < b->tick) b->goal = b->tick;
        b->begin = b->next = b->tick;
        b->way = 0;
        b->arrived = b->tick == b->goal;
    }
    sim_obstacles_look(o);
}

static graze_frame pose_at(const sim_obstacles *o, const sim_obstacle *b, int64_t tick) {
    const sim_motion *m = &o->world->motions.items[b->motion];
    graze_frame pose = {{0, 0, 0}, {1, 0, 0, 0}};
    double time = fmin(time_of(o, tick), m->until), speed = sqrt(sim_dot(m->spin, m->spin)), half = speed * time / 2;
    for (int c = 0; c < 3; c++) {
        pose.position[c] = m->centre[c] + time * m->velocity[c];
        if (speed > 0) pose.rotation[1 + c] = sin(half) * m->spin[c] / speed;
    }
    pose.rotation[0] = cos(half);
    return pose;
}

/* True if it is on its way: what has arrived is held. */
static bool moves(const sim_obstacle *b) { return b->tick < b->goal && !b->arrived; }

void sim_obstacles_look(sim_obstacles *o) {
    double h = o->world->settings.time_step;
    for (size_t i = 0; i < o->list.count; i++) {
        const sim_obstacle *b = &o->list.items[i];
        const sim_motion *m = &o->world->motions.items[b->motion];
        double time = time_of(o, b->tick), arm[3], turn[3];
        for (uint32_t k = 0; k < b->mesh.vertex_count; k++) {
            uint32_t v = b->vertices[k];
            for (int c = 0; c < 3; c++) arm[c] = o->world->x[v][c] - m->centre[c] - time * m->velocity[c];
            sim_cross(m->spin, arm, turn);
            for (int c = 0; c < 3; c++) o->slope[v][c] = moves(b) ? h * (turn[c] + m->velocity[c]) : 0;
        }
    }
}

/* ---- Newton's unknowns ---- */

void sim_obstacles_reduce(const sim_obstacles *o, double *gradient) {
    for (size_t i = 0; i < o->list.count; i++) {
        const sim_obstacle *b = &o->list.items[i];
        double sum = 0;
        for (uint32_t k = 0; k < b->mesh.vertex_count; k++) {
            double *g = &gradient[3 * (size_t)b->vertices[k]];
            sum += sim_dot(g, o->slope[b->vertices[k]]);
            g[0] = g[1] = g[2] = 0;
        }
        gradient[3 * (size_t)b->vertices[0]] = sum;
    }
}

/* No farther than where the step takes it, or back to where it began, and no more than a part of a turn. */
static double part_of_way(const sim_obstacles *o, const sim_obstacle *b, double way) {
    const sim_motion *m = &o->world->motions.items[b->motion];
    double turn = sqrt(sim_dot(m->spin, m->spin)) * o->world->settings.time_step;
    double most = turn > MOST_TURN ? MOST_TURN / turn : 1;
    way = fmin(way, (double)(b->goal - b->tick) / TICKS);
    way = fmax(way, (double)(b->begin - b->tick) / TICKS);
    return fmax(fmin(way, most), -most);
}

void sim_obstacles_expand(sim_obstacles *o, double *direction) {
    for (size_t i = 0; i < o->list.count; i++) {
        sim_obstacle *b = &o->list.items[i];
        b->way = moves(b) ? part_of_way(o, b, direction[3 * (size_t)b->vertices[0]]) : 0;
        for (uint32_t k = 0; k < b->mesh.vertex_count; k++) {
            uint32_t v = b->vertices[k];
            for (int c = 0; c < 3; c++) direction[3 * (size_t)v + c] = b->way * o->slope[v][c];
        }
    }
}

void sim_obstacles_rest(sim_obstacles *o) {
    for (size_t i = 0; i < o->list.count; i++) o->list.items[i].way = 0;
}

/* ---- places ---- */

static void place(const sim_obstacles *o, const sim_obstacle *b, double (*x0)[3], double (*out)[3]) {
    for (uint32_t k = 0; k < b->mesh.vertex_count; k++) {
        uint32_t v = b->vertices[k];
        if (b->next == b->tick)
            memcpy(out[v], x0[v], sizeof out[v]);
        else
            sim_world_target(o->world, v, time_of(o, b->next), out[v]);
    }
}

void sim_obstacles_go(sim_obstacles *o, double (*x0)[3], const double *factor, double part, double (*out)[3]) {
    for (size_t i = 0; i < o->list.count; i++) {
        sim_obstacle *b = &o->list.items[i];
        double least = 1;
        for (uint32_t k = 0; factor && k < b->mesh.vertex_count; k++) least = fmin(least, factor[b->vertices[k]]);
        b->next = b->tick + (int64_t)(b->way * part * least * TICKS);
        place(o, b, x0, out);
    }
}

void sim_obstacles_accept(sim_obstacles *o) {
    for (size_t i = 0; i < o->list.count; i++) o->list.items[i].tick = o->list.items[i].next;
}

/* ---- the rest of the way ---- */

/* True if nothing that yields is in the way of any. */
static bool is_free(sim_obstacles *o, double (*x)[3]) {
    graze_articulated_result result = graze_default_articulated_result();
    if (!o->made) return true;
    for (uint32_t v = 0; v < o->mesh.vertex_count; v++) memcpy(o->x[v], x[o->yielding[v]], sizeof o->x[v]);
    for (size_t i = 0; i < o->list.count; i++) {
        const sim_obstacle *b = &o->list.items[i];
        o->motions[i + 1].pose0 = pose_at(o, b, b->tick);
        o->motions[i + 1].pose1 = pose_at(o, b, b->next);
    }
    check(o, graze_world_step(o->context, o->made, o->motions, o->list.count + 1, NULL, &result));
    return result.verdict == GRAZE_CLEAR;
}

bool sim_obstacles_finish(sim_obstacles *o, double (*x)[3], double (*out)[3]) {
    bool any = false;
    memcpy(out, x, o->world->count * sizeof *x);
    for (size_t i = 0; i < o->list.count; i++) {
        sim_obstacle *b = &o->list.items[i];
        any |= moves(b);
        b->next = b->goal;
        b->arrived = true;
        place(o, b, x, out);
    }
    return any && is_free(o, x);
}
