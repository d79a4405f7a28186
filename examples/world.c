/* A gripper that folds a cloth, parts that tumble in a bin, a car door that closes on its seal: frame by frame, in
   motions that are proven free.   world [gripper|bin|seal]…

   What touches on the way and can yield stays where it is, until nothing touches; what cannot yield is late. */
#include <graze/graze.h>

#include "scenes/worlds.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct stepper {
    graze_context *context;
    scene_world *scene;
    graze_world *world;
    graze_mesh meshes[4];
    graze_body_motion *motions;
    size_t rounds, stopped, late;
} stepper;

static int fail(const stepper *s, const char *what) {
    graze_error error = {0};
    graze_context_last_error(s->context, &error);
    printf("%s: %s\n", what, error.message);
    return 1;
}

static graze_status make(stepper *s) {
    scene_world *scene = s->scene;
    graze_status status = GRAZE_OK;
    graze_body *bodies = calloc(scene->count, sizeof *bodies);
    if (!bodies) return GRAZE_ERR_OUT_OF_MEMORY;
    for (int k = 0; k < 4 && status == GRAZE_OK; k++) {
        const scene_mesh *mesh = &scene->meshes[k];
        s->meshes[k] = graze_default_mesh();
        if (mesh->vertex_count)
            status = graze_mesh_from_faces(s->context, (uint32_t)mesh->vertex_count, (const uint32_t(*)[3])mesh->faces,
                                           (uint32_t)mesh->face_count, &s->meshes[k]);
    }
    for (size_t i = 0; i < scene->count; i++) {
        bodies[i] = graze_default_body();
        bodies[i].kind = scene->bodies[i].kind;
        bodies[i].mesh = &s->meshes[scene->bodies[i].mesh - scene->meshes];
        bodies[i].rest = (const double(*)[3])scene->bodies[i].mesh->positions;
    }
    if (status == GRAZE_OK) status = graze_world_create(s->context, bodies, scene->count, NULL, &s->world);
    free(bodies);
    return status;
}

static size_t stop(stepper *s, uint32_t body, uint32_t id, int corners) {
    const graze_mesh *mesh = &s->meshes[s->scene->bodies[body].mesh - s->scene->meshes];
    const uint32_t *ids = corners == 1 ? &id : corners == 2 ? mesh->edges[id] : mesh->faces[id];
    size_t count = 0;
    for (int i = 0; i < corners; i++) count += scene_world_stop(s->scene, s->motions, body, ids[i]);
    return count;
}

/* One round: all that touches and yields is stopped. */
static graze_status stop_round(stepper *s, const graze_articulated_options *options, size_t *stopped) {
    graze_articulated_result result = graze_default_articulated_result();
    graze_status status = graze_world_step(s->context, s->world, s->motions, s->scene->count, options, &result);
    *stopped = 0;
    for (size_t i = 0; i < result.contact_count; i++) {
        const graze_link_contact *contact = &result.contacts[i];
        int is_face = contact->pair.kind == GRAZE_VF;
        *stopped += stop(s, contact->model_a, contact->pair.a, is_face ? 1 : 2);
        *stopped += stop(s, contact->model_b, contact->pair.b, is_face ? 3 : 2);
    }
    graze_articulated_release(s->context, &result);
    return status;
}

static graze_status step(stepper *s, uint32_t frame) {
    graze_articulated_options options = graze_default_articulated_options();
    graze_world_moved moved = graze_default_world_moved();
    graze_status status = GRAZE_OK;
    size_t stopped = 1;
    options.mode = GRAZE_ARTICULATED_ALL;
    options.min_separation = s->scene->separation;
    scene_world_want(s->scene, frame, s->motions);
    for (; stopped && status == GRAZE_OK; s->rounds++) {
        status = stop_round(s, &options, &stopped);
        s->stopped += stopped;
    }
    if (status == GRAZE_OK)
        status = graze_world_step_to(s->context, s->world, s->motions, s->scene->count, &options, &moved, NULL);
    if (status != GRAZE_OK) return status;
    s->late += moved.alpha < 1;
    scene_world_take(s->scene, moved.motions);
    graze_world_moved_release(s->context, &moved);
    return status;
}

static int run(stepper *s) {
    s->motions = calloc(s->scene->count, sizeof *s->motions);
    if (!s->motions || make(s) != GRAZE_OK) return fail(s, "make");
    for (uint32_t frame = 0; frame < s->scene->frames; frame++)
        if (step(s, frame) != GRAZE_OK) return fail(s, "step");
    uint64_t intersections = 1;
    scene_world_want(s->scene, s->scene->frames, s->motions);
    if (graze_world_intersections(s->context, s->world, s->motions, s->scene->count, &intersections) != GRAZE_OK)
        return fail(s, "intersections");
    printf("%s: %zu bodies, %u frames, %zu rounds, %zu stops, %zu frames late, %llu intersections\n", s->scene->summary,
           s->scene->count, (unsigned)s->scene->frames, s->rounds, s->stopped, s->late,
           (unsigned long long)intersections);
    return intersections == 0 && s->late == 0 ? 0 : 1;
}

static int run_scene(graze_context *context, const char *name) {
    stepper s = {.context = context, .scene = scene_world_make(name, 0)};
    if (!s.scene) {
        printf("no world is called %s, or there is no memory for it\n", name);
        return 2;
    }
    int status = run(&s);
    graze_world_release(s.world);
    for (int k = 0; k < 4; k++) graze_mesh_release(context, &s.meshes[k]);
    free(s.motions);
    scene_world_free(s.scene);
    return status;
}

int main(int argc, char **argv) {
    graze_context *context = NULL;
    int status = 0;
    if (graze_context_create(NULL, &context) != GRAZE_OK) return 1;
    for (int i = 1; i < argc && !status; i++) status = run_scene(context, argv[i]);
    for (size_t i = 0; argc == 1 && scene_world_name(i) && !status; i++)
        status = run_scene(context, scene_world_name(i));
    graze_context_destroy(context);
    return status;
}
