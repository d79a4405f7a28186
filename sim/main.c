/* graze-sim, the simulator: started by `graze sim`, and a program of its own because CHOLMOD's supernodal module is
 * under the GPL. */
#include "sim/arguments.h"
#include "sim/frames.h"
#include "sim/reader/scene.h"
#include "sim/run.h"

#include "app/outputs.h"

#include <stdio.h>
#include <stdlib.h>

static int list_scenes(bool json) {
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; sim_builtin_get(i); i++) {
        const sim_builtin *builtin = sim_builtin_get(i);
        char *summary = sim_builtin_summary(builtin);
        if (!json) printf("%-20s %s\n", builtin->name, summary);
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddStringToObject(entry, "name", builtin->name);
        cJSON_AddStringToObject(entry, "summary", summary);
        cJSON_AddItemToArray(list, entry);
        free(summary);
    }
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, "scenes", list);
    if (json)
        app_print_json(object);
    else
        cJSON_Delete(object);
    return APP_OK;
}

int main(int argc, char **argv) {
    sim_arguments arguments;
    app_guard_outputs();
    sim_arguments_read(&arguments, argc, argv);
    return app_finish(arguments.list ? list_scenes(arguments.json) : sim_run(&arguments));
}
