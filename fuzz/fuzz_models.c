/* Any bytes as the file of `graze articulate`: an error of one line, or models whose arrays hold. */
#include "fuzz/seeds.h"

#include "robot/model_file.h"

#include <math.h>

static void check_model(const robot_models *models, size_t i) {
    const robot_tree *tree = &models->trees[i];
    for (size_t k = 0; k < tree->count; k++) {
        const robot_link *link = &tree->links[k];
        if (link->place >= tree->count || tree->order[link->place] != k) abort();
        if (link->parent >= 0 && tree->links[link->parent].place >= link->place) abort();
        if (link->first_value + robot_joint_values(link->kind) > tree->values) abort();
    }
    for (size_t s = 0; s < models->segments && s < 100; s++) {
        graze_motion motion = robot_segment(models, i, s);
        for (size_t v = 0; v < tree->values; v++)
            if (isnan(motion.from[v]) || isnan(motion.to[v])) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    io_source source = fuzz_source(GRAZE_FUZZ_SEEDS "/beside/model.json", data, size);
    robot_models models;
    io_error error = {""};
    uint8_t *table = NULL;
    if (robot_parse_models(source, &models, &error)) {
        for (size_t i = 0; i < models.count; i++) check_model(&models, i);
        if (!robot_link_table(&models, &table)) fuzz_check_line(error.message);
        free(table);
        robot_free_models(&models);
    } else {
        fuzz_check_line(error.message);
    }
    free((char *)source.bytes);
    return 0;
}
