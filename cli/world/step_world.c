#include "cli/world/step_world.h"

#include "cli/made_models.h"
#include "cli/world/made_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct world_step {
    const app_step_settings *settings;
    cli_world made;
    graze_articulated_result result;
    uint64_t intersections;
    double ms_start, ms_total;
    uint32_t threads;
} world_step;

bool cli_is_world(const char *path) {
    size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".json") == 0;
}

/* ---- stepping ---- */

static graze_articulated_options options_of(const world_step *step) {
    const app_step_settings *settings = step->settings;
    graze_articulated_options options = graze_default_articulated_options();
    options.mode = settings->options.mode == GRAZE_STEP_ALL   ? GRAZE_ARTICULATED_ALL
                   : settings->options.mode == GRAZE_STEP_ANY ? GRAZE_ARTICULATED_ANY
                                                              : GRAZE_ARTICULATED_EARLIEST;
    options.min_separation = fmax(settings->narrow_options.min_separation, step->made.read.separation);
    options.t_max = settings->narrow_options.t_max;
    options.tolerance = settings->narrow_options.tolerance;
    return options;
}

/* A world of models and static bodies has no start of this kind; graze articulate looks at it. */
static void check_start(world_step *step) {
    step->intersections = GRAZE_NOT_COUNTED;
    step->ms_start = NAN;
    if (step->settings->no_start_check) return;
    double begin = app_seconds();
    graze_status status = graze_world_intersections(step->made.context, step->made.world, step->made.motions,
                                                    step->made.read.count, &step->intersections);
    if (status == GRAZE_ERR_UNSUPPORTED)
        step->intersections = GRAZE_NOT_COUNTED;
    else if (status != GRAZE_OK)
        cli_fail_body(&step->made, status);
    step->ms_start = 1e3 * (app_seconds() - begin);
}

static void run_step(world_step *step) {
    graze_articulated_options options = options_of(step);
    step->threads = graze_context_threads(step->made.context);
    for (uint64_t r = 0; r < step->settings->repeat; r++) {
        if (r) graze_articulated_release(step->made.context, &step->result);
        step->result = graze_default_articulated_result();
        double begin = app_seconds();
        graze_status status = graze_world_step(step->made.context, step->made.world, step->made.motions,
                                               step->made.read.count, &options, &step->result);
        double ms = 1e3 * (app_seconds() - begin);
        if (status != GRAZE_OK) cli_fail_body(&step->made, status);
        if (r == 0 || ms < step->ms_total) step->ms_total = ms;
    }
}

/* ---- answers ---- */

static cJSON *vector_json(const double x[3]) {
    if (isnan(x[0] + x[1] + x[2])) return cJSON_CreateNull();
    cJSON *list = cJSON_CreateArray();
    for (int c = 0; c < 3; c++) cJSON_AddItemToArray(list, app_json_double(x[c]));
    return list;
}

static const char *link_name(const world_step *step, uint32_t body, uint32_t link) {
    const robot_world_body *read = &step->made.read.bodies[body];
    return read->kind == GRAZE_BODY_MODEL ? cli_link_name(&read->models.trees[0], link) : NULL;
}

/* Vertices of a primitive with so many of them; false for a model's, whose file has no mesh that they are of. */
static bool add_vertices(cJSON *list, const world_step *step, uint32_t body, uint32_t id, int count) {
    const graze_mesh *mesh = &step->made.meshes[body];
    if (!step->made.bodies[body].mesh) return false;
    const uint32_t *ids = count == 1 ? &id : count == 2 ? mesh->edges[id] : mesh->faces[id];
    for (int i = 0; i < count; i++) cJSON_AddItemToArray(list, app_json_count(ids[i]));
    return true;
}

/* Vertices of a, then those of b, each numbered by its body. */
static cJSON *vertices_json(const world_step *step, const graze_link_contact *contact) {
    static const int counts[4][2] = {
        [GRAZE_VF] = {1, 3}, [GRAZE_EE] = {2, 2}, [GRAZE_PE] = {1, 2}, [GRAZE_PP] = {1, 1}};
    cJSON *list = cJSON_CreateArray();
    const int *count = counts[contact->pair.kind];
    if (add_vertices(list, step, contact->model_a, contact->pair.a, count[0]) &&
        add_vertices(list, step, contact->model_b, contact->pair.b, count[1]))
        return list;
    cJSON_Delete(list);
    return cJSON_CreateNull();
}

static cJSON *pair_json(const world_step *step, const graze_link_contact *contact) {
    const uint32_t bodies[2] = {contact->model_a, contact->model_b}, links[2] = {contact->link_a, contact->link_b};
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "kind", graze_kind_name(contact->pair.kind));
    cJSON *list = cJSON_AddArrayToObject(object, "bodies"), *of_models = cJSON_CreateArray();
    for (int i = 0; i < 2; i++) {
        const char *link = link_name(step, bodies[i], links[i]);
        cJSON_AddItemToArray(list, app_json_text(step->made.read.bodies[bodies[i]].name));
        cJSON_AddItemToArray(of_models, link ? app_json_text(link) : cJSON_CreateNull());
    }
    cJSON_AddItemToObject(object, "links", of_models);
    cJSON_AddItemToObject(object, "a", app_json_count(contact->pair.a));
    cJSON_AddItemToObject(object, "b", app_json_count(contact->pair.b));
    cJSON_AddItemToObject(object, "u", app_json_double(contact->u));
    cJSON_AddItemToObject(object, "v", app_json_double(contact->v));
    cJSON_AddItemToObject(object, "point", vector_json(contact->point));
    cJSON_AddItemToObject(object, "normal", vector_json(contact->normal));
    cJSON_AddItemToObject(object, "vertices", vertices_json(step, contact));
    return object;
}

/* Fields by which `graze step A B` says how it worked. */
static void add_means(cJSON *object, const world_step *step) {
    static const uint64_t uncounted[4] = {GRAZE_NOT_COUNTED, GRAZE_NOT_COUNTED, GRAZE_NOT_COUNTED, GRAZE_NOT_COUNTED};
    cJSON_AddItemToObject(object, "candidates", app_kinds_json(uncounted, false));
    cJSON_AddItemToObject(object, "hits", app_kinds_json(uncounted, false));
    cJSON *start = cJSON_AddObjectToObject(object, "start");
    cJSON_AddItemToObject(start, "intersections", app_json_count(step->intersections));
    if (!step->settings->no_times) {
        cJSON *time = cJSON_AddObjectToObject(object, "time_ms");
        cJSON_AddItemToObject(time, "start", app_json_double(step->ms_start));
        cJSON_AddItemToObject(time, "total", app_json_double(step->ms_total));
    }
    cJSON_AddStringToObject(object, "method", "certified");
    cJSON_AddStringToObject(object, "broad", "auto");
    cJSON_AddStringToObject(object, "backend", "cpu");
    if (!step->settings->no_times) cJSON_AddItemToObject(object, "threads", app_json_count(step->threads));
}

static void add_pairs(cJSON *object, const world_step *step) {
    cJSON *list = cJSON_AddArrayToObject(object, "pairs");
    for (size_t i = 0; i < step->result.contact_count; i++) {
        cJSON *pair = pair_json(step, &step->result.contacts[i]);
        cJSON_AddItemToObject(pair, "toi", app_json_double(step->result.contacts[i].toi));
        cJSON_AddItemToArray(list, pair);
    }
}

static void print_json(const world_step *step) {
    const graze_articulated_result *result = &step->result;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "verdict", graze_verdict_name(result->verdict));
    if (result->verdict == GRAZE_UNRESOLVED)
        cJSON_AddStringToObject(object, "reason", graze_reason_name(result->reason));
    if (result->verdict == GRAZE_HIT) cJSON_AddBoolToObject(object, "proven", result->contact.proven);
    cJSON_AddItemToObject(object, "toi", app_json_double(result->toi));
    cJSON_AddItemToObject(object, "toi_upper", app_json_double(result->toi_upper));
    cJSON_AddItemToObject(object, "pair",
                          result->has_contact && result->contact.has_pair ? pair_json(step, &result->contact)
                                                                          : cJSON_CreateNull());
    if (step->settings->options.mode == GRAZE_STEP_ALL) add_pairs(object, step);
    add_means(object, step);
    app_print_json(object);
}

static void print_text(const world_step *step) {
    const graze_articulated_result *result = &step->result;
    const graze_link_contact *contact = &result->contact;
    app_step_outcome start = {.intersections = step->intersections};
    printf("%zu bodies\n%-12s %s", step->made.read.count, "verdict", graze_verdict_name(result->verdict));
    if (result->verdict == GRAZE_UNRESOLVED) printf(" (%s)", graze_reason_name(result->reason));
    printf("\n");
    app_print_start(&start);
    printf("%-12s %.17g", "toi", result->toi);
    if (result->toi_upper <= 1) printf(" to %.17g", result->toi_upper);
    printf("\n");
    if (result->has_contact && contact->has_pair)
        printf("%-12s %s %u of %s, %u of %s\n", "pair", graze_kind_name(contact->pair.kind), (unsigned)contact->pair.a,
               step->made.read.bodies[contact->model_a].name, (unsigned)contact->pair.b,
               step->made.read.bodies[contact->model_b].name);
    printf("%-12s %.2f ms, %u threads\n", "time", step->ms_total, (unsigned)step->threads);
}

int cli_step_world(const app_step_settings *settings, const char *path, bool exit_code) {
    world_step step = {.settings = settings};
    if (settings->options.mode == GRAZE_STEP_VERTICES)
        app_fail("step: --mode vertices has no meaning for a world: its bodies move as a whole");
    if (settings->narrow_options.method != GRAZE_METHOD_DEFAULT &&
        settings->narrow_options.method != GRAZE_METHOD_CERTIFIED)
        app_fail("step: --method %s: a world is answered by certified",
                 graze_method_get(settings->narrow_options.method)->name);
    if (settings->options.backend == GRAZE_BACKEND_CUDA) app_fail("step: --backend cuda: a world runs on the CPU");
    cli_open_world(path, settings->threads, &step.made);
    check_start(&step);
    run_step(&step);
    (settings->json ? print_json : print_text)(&step);
    graze_verdict verdict = step.result.verdict;
    graze_articulated_release(step.made.context, &step.result);
    cli_close_world(&step.made);
    return app_verdict_status(exit_code, verdict == GRAZE_HIT, verdict == GRAZE_UNRESOLVED);
}
