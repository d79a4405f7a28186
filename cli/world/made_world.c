#include "cli/world/made_world.h"

#include "cli/made_models.h"

#include <stdlib.h>
#include <string.h>

_Noreturn void cli_fail_body(const cli_world *world, graze_status status) {
    graze_error error = {0};
    graze_context_last_error(world->context, &error);
    const char *colon = strstr(error.message, ": "), *reason = colon ? colon + 2 : error.message;
    if (error.index < world->read.count)
        app_fail("%s: body '%s': %s", world->read.path, world->read.bodies[error.index].name, reason);
    app_fail("%s: %s", world->read.path, error.message[0] ? error.message : graze_status_name(status));
}

/* ---- making ---- */

static void make_mesh(cli_world *world, size_t i) {
    const io_mesh *mesh = &world->read.bodies[i].meshes[0];
    world->meshes[i] = graze_default_mesh();
    graze_status status = graze_mesh_from_parts(
        world->context, (uint32_t)mesh->vertex_count, (const uint32_t(*)[3])mesh->faces, (uint32_t)mesh->face_count,
        (const uint32_t(*)[2])mesh->edges, (uint32_t)mesh->edge_count, NULL, 0, &world->meshes[i]);
    if (status != GRAZE_OK) app_fail_status(status, world->context, world->read.bodies[i].name);
}

static void make_model(cli_world *world, size_t i) {
    const robot_tree *tree = &world->read.bodies[i].models.trees[0];
    graze_link *links = robot_library_links(tree);
    if (!links) app_fail("out of memory");
    graze_status status = graze_model_create(world->context, links, tree->count, &world->models[i]);
    free(links);
    if (status != GRAZE_OK) app_fail_status(status, world->context, world->read.bodies[i].name);
    world->joints[i] = robot_segment(&world->read.bodies[i].models, 0, 0);
}

/* Links of a model that its file leaves out. */
static void add_skips(cli_world *world, size_t body) {
    const robot_models *models = &world->read.bodies[body].models;
    for (size_t s = 0; s < models->skip_count; s++) {
        const robot_skip *skip = &models->skips[s];
        for (uint32_t i = 0; i < skip->count[0]; i++)
            for (uint32_t j = 0; j < skip->count[1]; j++) {
                if (world->skip_count == world->skip_room) {
                    world->skip_room = 2 * world->skip_room + 16;
                    world->skips = realloc(world->skips, world->skip_room * sizeof *world->skips);
                    if (!world->skips) app_fail("out of memory");
                }
                graze_world_pair pair = graze_default_world_pair();
                pair.body_a = pair.body_b = (uint32_t)body;
                pair.link_a = skip->first[0] + i;
                pair.link_b = skip->first[1] + j;
                world->skips[world->skip_count++] = pair;
            }
    }
}

static void make_body(cli_world *world, size_t i) {
    const robot_world_body *read = &world->read.bodies[i];
    graze_body *body = &world->bodies[i];
    graze_body_motion *motion = &world->motions[i];
    *body = graze_default_body();
    *motion = read->motion;
    body->kind = read->kind;
    body->padding = read->padding;
    if (read->kind == GRAZE_BODY_MODEL) {
        make_model(world, i);
        body->model = world->models[i];
        motion->joints = &world->joints[i];
        add_skips(world, i);
        return;
    }
    make_mesh(world, i);
    body->mesh = &world->meshes[i];
    body->rest = (const double(*)[3])read->meshes[0].positions;
    motion->x0 = (const double(*)[3])read->meshes[0].positions;
    motion->x1 = (const double(*)[3])read->meshes[1].positions;
    for (size_t k = 0; k < read->mesh_count; k++) motion->control[k] = (const double(*)[3])read->meshes[k].positions;
}

static void make_world(cli_world *world) {
    size_t count = world->read.count;
    world->meshes = app_allocate(count, sizeof *world->meshes);
    world->models = app_allocate(count, sizeof *world->models);
    world->joints = app_allocate(count, sizeof *world->joints);
    world->bodies = app_allocate(count, sizeof *world->bodies);
    world->motions = app_allocate(count, sizeof *world->motions);
    for (size_t i = 0; i < count; i++) make_body(world, i);
    graze_world_options options = graze_default_world_options();
    options.pairs = world->skips;
    options.pair_count = world->skip_count;
    graze_status status = graze_world_create(world->context, world->bodies, count, &options, &world->world);
    if (status != GRAZE_OK) cli_fail_body(world, status);
}

void cli_close_world(cli_world *world) {
    graze_world_release(world->world);
    for (size_t i = 0; i < world->read.count; i++) {
        graze_model_destroy(world->context, world->models[i]);
        if (world->bodies[i].mesh) graze_mesh_release(world->context, &world->meshes[i]);
    }
    free(world->meshes);
    free(world->models);
    free(world->joints);
    free(world->bodies);
    free(world->motions);
    free(world->skips);
    robot_free_world(&world->read);
    graze_context_destroy(world->context);
}

void cli_open_world(const char *path, uint64_t threads, cli_world *world) {
    io_error error;
    *world = (cli_world){.skips = NULL};
    if (!robot_read_world(path, &world->read, &error)) app_fail("%s", error.message);
    world->context = app_context(threads);
    make_world(world);
}
