#include "cli/robots/link_contact.h"

#include <stdio.h>
#include <string.h>

_Noreturn void cli_fail_models(const graze_context *context, const cli_model_file *file, graze_status status) {
    graze_error error = {0};
    graze_context_last_error(context, &error);
    const char *colon = strstr(error.message, ": "), *reason = colon ? colon + 2 : error.message;
    uint64_t index = error.index;
    for (size_t i = 0; i < file->read.count; index -= file->read.trees[i++].count)
        if (index < file->read.trees[i].count)
            app_fail("%s: model '%s', link '%s': %s", file->read.path, file->read.trees[i].name,
                     cli_link_name(&file->read.trees[i], (uint32_t)index), reason);
    app_fail("%s: %s", file->read.path, error.message[0] ? error.message : graze_status_name(status));
}

cJSON *cli_link_json(const cli_model_file *file, uint32_t model, uint32_t link) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, "model", app_json_text(file->read.trees[model].name));
    cJSON_AddItemToObject(object, "link", app_json_text(cli_link_name(&file->read.trees[model], link)));
    return object;
}

static cJSON *vector_json(const double x[3]) {
    cJSON *list = cJSON_CreateArray();
    for (int c = 0; c < 3; c++) cJSON_AddItemToArray(list, app_json_double(x[c]));
    return list;
}

void cli_add_place(cJSON *object, const cli_model_file *file, const graze_link_contact *contact) {
    static const char *const names[] = {"links", "pair", "point", "normal"};
    if (!contact) {
        for (int i = 0; i < 4; i++) cJSON_AddNullToObject(object, names[i]);
        return;
    }
    cJSON *links = cJSON_AddArrayToObject(object, "links");
    cJSON_AddItemToArray(links, cli_link_json(file, contact->model_a, contact->link_a));
    cJSON_AddItemToArray(links, cli_link_json(file, contact->model_b, contact->link_b));
    if (contact->inside) {
        for (int i = 1; i < 4; i++) cJSON_AddNullToObject(object, names[i]);
        cJSON_AddTrueToObject(object, "inside");
        return;
    }
    cJSON *pair = cJSON_AddObjectToObject(object, "pair");
    cJSON_AddStringToObject(pair, "kind", graze_kind_name(contact->pair.kind));
    cJSON_AddNumberToObject(pair, "a", contact->pair.a);
    cJSON_AddNumberToObject(pair, "b", contact->pair.b);
    cJSON_AddItemToObject(object, "point", vector_json(contact->point));
    cJSON_AddItemToObject(object, "normal", vector_json(contact->normal));
}

void cli_print_contact(const cli_model_file *file, const graze_link_contact *contact) {
    const robot_tree *a = &file->read.trees[contact->model_a], *b = &file->read.trees[contact->model_b];
    printf("%-10s %s/%s and %s/%s, ", "links", a->name, cli_link_name(a, contact->link_a), b->name,
           cli_link_name(b, contact->link_b));
    if (contact->inside) {
        printf("one inside the other\n");
        return;
    }
    printf("%s %u %u\n", graze_kind_name(contact->pair.kind), (unsigned)contact->pair.a, (unsigned)contact->pair.b);
    printf("%-10s %g %g %g\n", "point", contact->point[0], contact->point[1], contact->point[2]);
}
