#include "cli/view/world.h"

#include "app/folders.h"
#include "cli/made_models.h"
#include "cli/view/motion.h"
#include "cli/world/made_world.h"
#include "cli/world/places.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS 32 /* of the page: as many straight ones stand for the motion */

/* A body, or a link of one. */
typedef struct part {
    uint32_t body, link;
    uint32_t first;       /* vertex */
    graze_mesh mesh;      /* borrowed from the world, but of a link */
    double (*local)[3];   /* of a link, in its frame */
    uint32_t (*faces)[3]; /* the same */
    char *name;
} part;

typedef struct world_page {
    cli_world world;
    part *parts;
    size_t part_count;
    size_t *first_part;                         /* of each body */
    graze_mesh mesh;                            /* of all */
    uint32_t *groups, (*faces)[3], (*edges)[2]; /* of it */
    double (*x)[3];
    double t_max;
} world_page;

/* ---- parts ---- */

static size_t links_of(const robot_world_body *body) {
    return body->kind == GRAZE_BODY_MODEL ? body->models.trees[0].count : 1;
}

static graze_frame unit_frame(const graze_frame *given) {
    const cli_joint fixed = {.kind = GRAZE_JOINT_FIXED, .origin = *given};
    const graze_motion still = graze_default_motion();
    graze_frame pose;
    cli_joint_pose(&fixed, &still, 0, &pose);
    return pose;
}

/* Meshes of a link, one after the other, in its frame. */
static void make_link(const cli_world *world, const robot_link *link, part *p) {
    size_t vertices = 0, faces = 0;
    for (size_t m = 0; m < link->mesh_count; m++) {
        vertices += link->meshes[m].mesh.vertex_count;
        faces += link->meshes[m].mesh.face_count;
    }
    p->local = app_allocate(vertices + 1, sizeof *p->local);
    p->faces = app_allocate(faces + 1, sizeof *p->faces);
    vertices = faces = 0;
    for (size_t m = 0; m < link->mesh_count; m++) {
        const robot_mesh *mesh = &link->meshes[m];
        graze_frame origin = unit_frame(&mesh->origin);
        for (size_t f = 0; f < mesh->mesh.face_count; f++, faces++)
            for (int c = 0; c < 3; c++) p->faces[faces][c] = mesh->mesh.faces[f][c] + (uint32_t)vertices;
        for (size_t v = 0; v < mesh->mesh.vertex_count; v++, vertices++) {
            double x[3];
            for (int c = 0; c < 3; c++) x[c] = mesh->scale[c] * mesh->mesh.positions[v][c];
            cli_point_at(&origin, x, p->local[vertices]);
        }
    }
    p->mesh = graze_default_mesh();
    graze_status status = graze_mesh_from_faces(world->context, (uint32_t)vertices, (const uint32_t(*)[3])p->faces,
                                                (uint32_t)faces, &p->mesh);
    if (status != GRAZE_OK) app_fail_status(status, world->context, link->name);
}

static void make_part(world_page *page, uint32_t body, uint32_t link, uint32_t first, part *p) {
    const robot_world_body *read = &page->world.read.bodies[body];
    *p = (part){.body = body, .link = link, .first = first};
    if (read->kind == GRAZE_BODY_MODEL) {
        const robot_tree *tree = &read->models.trees[0];
        make_link(&page->world, cli_link_at(tree, link), p);
        p->name = app_text("%s / %s", read->name, cli_link_name(tree, link));
    } else {
        p->mesh = page->world.meshes[body];
        p->name = app_text("%s", read->name);
    }
}

static void make_parts(world_page *page) {
    const robot_world *read = &page->world.read;
    size_t count = 0, vertices = 0;
    for (size_t i = 0; i < read->count; i++) count += links_of(&read->bodies[i]);
    page->parts = app_allocate(count, sizeof *page->parts);
    page->first_part = app_allocate(read->count, sizeof *page->first_part);
    for (size_t i = 0; i < read->count; i++) {
        page->first_part[i] = page->part_count;
        for (size_t k = 0; k < links_of(&read->bodies[i]); k++) {
            part *p = &page->parts[page->part_count++];
            make_part(page, (uint32_t)i, (uint32_t)k, (uint32_t)vertices, p);
            vertices += p->mesh.vertex_count;
            if (vertices > UINT32_MAX / 2) app_fail("%s: too many vertices for a page", read->path);
        }
    }
}

/* One mesh of all parts, each a group. */
static void join_parts(world_page *page) {
    size_t vertices = 0, faces = 0, lines = 0;
    for (size_t i = 0; i < page->part_count; i++) {
        vertices += page->parts[i].mesh.vertex_count;
        faces += page->parts[i].mesh.face_count;
        lines += page->parts[i].mesh.codim_edge_count;
    }
    page->faces = app_allocate(faces + 1, sizeof *page->faces);
    page->edges = app_allocate(lines + 1, sizeof *page->edges);
    page->groups = app_allocate(vertices + 1, sizeof *page->groups);
    page->x = app_allocate(vertices + 1, sizeof *page->x);
    faces = lines = 0;
    for (size_t i = 0; i < page->part_count; i++) {
        const part *p = &page->parts[i];
        for (uint32_t v = 0; v < p->mesh.vertex_count; v++) page->groups[p->first + v] = (uint32_t)i;
        for (uint32_t f = 0; f < p->mesh.face_count; f++, faces++)
            for (int c = 0; c < 3; c++) page->faces[faces][c] = p->first + p->mesh.faces[f][c];
        for (uint32_t e = 0; e < p->mesh.codim_edge_count; e++, lines++)
            for (int c = 0; c < 2; c++) page->edges[lines][c] = p->first + p->mesh.edges[p->mesh.codim_edges[e]][c];
    }
    graze_status status = graze_mesh_from_parts(
        page->world.context, (uint32_t)vertices, (const uint32_t(*)[3])page->faces, (uint32_t)faces,
        (const uint32_t(*)[2])page->edges, (uint32_t)lines, NULL, 0, &page->mesh);
    if (status != GRAZE_OK) app_fail_status(status, page->world.context, page->world.read.path);
    page->mesh.groups = page->groups;
    page->mesh.group_count = (uint32_t)page->part_count;
}

/* ---- where they are ---- */

static void by_matrix(const double m[3][4], const double x[3], double to[3]) {
    for (int i = 0; i < 3; i++) to[i] = m[i][0] * x[0] + m[i][1] * x[1] + m[i][2] * x[2] + m[i][3];
}

static void corner_at(const robot_world_body *body, const graze_frame *pose, size_t v, double t, double to[3]) {
    double p[4][3];
    size_t last = body->mesh_count ? body->mesh_count - 1 : 0;
    if (body->kind == GRAZE_BODY_RIGID) {
        cli_point_at(pose, body->meshes[0].positions[v], to);
        return;
    }
    if (body->kind == GRAZE_BODY_AFFINE) {
        by_matrix(body->motion.matrix0, body->meshes[0].positions[v], p[0]);
        by_matrix(body->motion.matrix1, body->meshes[0].positions[v], p[1]);
        last = 1;
    }
    for (size_t k = 0; k <= last && body->kind != GRAZE_BODY_AFFINE; k++)
        memcpy(p[k], body->meshes[k].positions[v], sizeof p[k]);
    for (size_t level = last; level > 0; level--)
        for (size_t k = 0; k < level; k++)
            for (int c = 0; c < 3; c++) p[k][c] = (1 - t) * p[k][c] + t * p[k + 1][c];
    memcpy(to, p[0], sizeof p[0]);
}

static void place_model(world_page *page, const robot_world_body *body, size_t index, double t) {
    const robot_tree *tree = &body->models.trees[0];
    graze_frame *poses = app_allocate(tree->count, sizeof *poses);
    for (size_t k = 0; k < tree->count; k++) {
        const robot_link *link = cli_link_at(tree, (uint32_t)k);
        const cli_joint joint = {link->kind, link->origin, link->axis, k, link->first_value};
        const part *p = &page->parts[page->first_part[index] + k];
        graze_frame pose;
        cli_joint_pose(&joint, &page->world.joints[index], t, &pose);
        poses[k] = link->parent < 0 ? pose : cli_pose_within(&poses[tree->links[link->parent].place], &pose);
        for (uint32_t v = 0; v < p->mesh.vertex_count; v++) cli_point_at(&poses[k], p->local[v], page->x[p->first + v]);
    }
    free(poses);
}

static void place_all(world_page *page, double t) {
    const robot_world *read = &page->world.read;
    for (size_t i = 0; i < read->count; i++) {
        const robot_world_body *body = &read->bodies[i];
        const part *p = &page->parts[page->first_part[i]];
        graze_frame pose;
        if (body->kind == GRAZE_BODY_MODEL) {
            place_model(page, body, i, t);
            continue;
        }
        cli_rigid_pose(&body->motion, t, &pose);
        for (uint32_t v = 0; v < p->mesh.vertex_count; v++) corner_at(body, &pose, v, t, page->x[p->first + v]);
    }
}

/* ---- what touches ---- */

static int put_vertices(const part *p, uint32_t id, int count, double *to) {
    const uint32_t *ids = count == 1 ? &id : count == 2 ? p->mesh.edges[id] : p->mesh.faces[id];
    for (int i = 0; i < count; i++) to[i] = p->first + (double)ids[i];
    return count;
}

static const part *part_of(const world_page *page, uint32_t body, uint32_t link) {
    const robot_world_body *read = &page->world.read.bodies[body];
    return &page->parts[page->first_part[body] + (read->kind == GRAZE_BODY_MODEL ? link : 0)];
}

/* Its times are those of the step. */
static void put_contact(const world_page *page, const graze_link_contact *contact, double from, double *row) {
    static const int counts[4][2] = {
        [GRAZE_VF] = {1, 3}, [GRAZE_EE] = {2, 2}, [GRAZE_PE] = {1, 2}, [GRAZE_PP] = {1, 1}};
    const int *count = counts[contact->pair.kind];
    const part *a = part_of(page, contact->model_a, contact->link_a);
    const part *b = part_of(page, contact->model_b, contact->link_b);
    for (int i = 3; i < 7; i++) row[i] = -1;
    row[0] = contact->pair.kind;
    row[1] = contact->pair.a;
    row[2] = contact->pair.b;
    int used = put_vertices(a, contact->pair.a, count[0], row + 3);
    put_vertices(b, contact->pair.b, count[1], row + 3 + used);
    row[7] = contact->verdict;
    row[8] = STEPS * contact->toi / page->t_max - from;
    row[9] = fmin(STEPS * contact->toi_upper / page->t_max - from, contact->toi_upper <= 1 ? 1 : INFINITY);
    memcpy(row + 10, contact->point, sizeof contact->point);
    memcpy(row + 13, contact->normal, sizeof contact->normal);
}

static int step_of(const world_page *page, double toi) {
    int step = (int)(STEPS * toi / page->t_max);
    return step < STEPS ? step : STEPS - 1;
}

static void add_step(world_page *page, cli_motion_page *motion, const graze_articulated_result *all, int k) {
    static const char *const verdicts[] = {"clear", "unresolved", "hit"};
    size_t count = 0, most = motion->most_contacts;
    double(*rows)[CLI_CONTACT_ROW] = app_allocate(all->contact_count + 1, sizeof *rows), least = 1;
    int verdict = 0;
    for (size_t i = 0; i < all->contact_count; i++) {
        const graze_link_contact *contact = &all->contacts[i];
        if (!contact->has_pair || step_of(page, contact->toi) != k) continue;
        put_contact(page, contact, k, rows[count]);
        least = fmin(least, rows[count++][8]);
        verdict = contact->verdict == GRAZE_HIT ? 2 : verdict ? verdict : 1;
    }
    char *name = app_text("%g–%g", page->t_max * k / STEPS, page->t_max * (k + 1) / STEPS);
    cJSON *step = cJSON_CreateObject();
    cJSON_AddNumberToObject(step, "from", k);
    cJSON_AddNumberToObject(step, "to", k + 1);
    cJSON_AddItemToObject(step, "name", app_json_text(name));
    cJSON_AddStringToObject(step, "verdict", verdicts[verdict]);
    cJSON_AddStringToObject(step, "reason", graze_reason_name(GRAZE_REASON_NONE));
    cJSON_AddItemToObject(step, "toi", app_json_double(least));
    cJSON_AddNullToObject(step, "toi_upper");
    cJSON_AddItemToObject(step, "contacts",
                          cli_page_array(&motion->page, rows, (count < most ? count : most) * sizeof *rows));
    cJSON_AddItemToObject(step, "contact_count", app_json_count(count));
    cJSON_AddNullToObject(step, "intersections");
    cJSON_AddNumberToObject(step, "intersection_count", 0);
    cJSON_AddNullToObject(step, "ms");
    cJSON_AddItemToArray(motion->steps, step);
    free(name);
    free(rows);
}

static graze_articulated_result all_contacts(const world_page *page, const app_step_settings *settings) {
    graze_articulated_options options = graze_default_articulated_options();
    graze_articulated_result result = graze_default_articulated_result();
    options.mode = GRAZE_ARTICULATED_ALL;
    options.min_separation = settings->narrow_options.min_separation;
    options.t_max = settings->narrow_options.t_max;
    options.tolerance = settings->narrow_options.tolerance;
    const cli_world *world = &page->world;
    graze_status status =
        graze_world_step(world->context, world->world, world->motions, world->read.count, &options, &result);
    if (status != GRAZE_OK) cli_fail_body(world, status);
    return result;
}

/* ---- all of it ---- */

static void write_page(world_page *page, const app_step_settings *settings, FILE *out) {
    graze_articulated_result all = all_contacts(page, settings);
    const char **names = app_allocate(page->part_count, sizeof *names);
    cli_motion_page motion;
    for (size_t i = 0; i < page->part_count; i++) names[i] = page->parts[i].name;
    cli_motion_open(&motion, out, page->world.read.path, settings, STEPS);
    motion.names = names;
    cli_motion_mesh(&motion, &page->mesh, 'z');
    for (int k = 0; k <= STEPS; k++) {
        double t = page->t_max * k / STEPS;
        char *name = app_text("t = %g", t);
        place_all(page, t);
        cli_motion_frame(&motion, name, (const double(*)[3])page->x, page->mesh.vertex_count);
        free(name);
    }
    for (int k = 0; k < STEPS; k++) add_step(page, &motion, &all, k);
    cli_motion_close(&motion);
    graze_articulated_release(page->world.context, &all);
    free(names);
}

static void free_page(world_page *page) {
    graze_mesh_release(page->world.context, &page->mesh);
    for (size_t i = 0; i < page->part_count; i++) {
        part *p = &page->parts[i];
        if (p->local) graze_mesh_release(page->world.context, &p->mesh);
        free(p->local);
        free(p->faces);
        free(p->name);
    }
    free(page->parts);
    free(page->first_part);
    free(page->groups);
    free(page->faces);
    free(page->edges);
    free(page->x);
    cli_close_world(&page->world);
}

void cli_view_world(const char *path, const app_step_settings *given, FILE *out) {
    app_step_settings settings = *given;
    world_page page = {.mesh = graze_default_mesh(), .t_max = settings.narrow_options.t_max};
    cli_open_world(path, settings.threads, &page.world);
    settings.narrow_options.min_separation = fmax(settings.narrow_options.min_separation, page.world.read.separation);
    make_parts(&page);
    join_parts(&page);
    write_page(&page, &settings, out);
    free_page(&page);
}
