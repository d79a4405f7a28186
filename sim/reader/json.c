#include "sim/reader/json.h"

#include "app/app.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

_Noreturn void sim_json_fail(const sim_json *at, const char *format, ...) {
    char text[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (at->node)
        io_json_fail(at->tree, at->node, "%s", text);
    else
        io_json_fail(at->tree, at->parent, "\"%s\" %s", at->key ? at->key : "", text);
    app_fail("sim: %s", at->tree->error->message);
}

sim_json sim_json_parse(const char *file, const char *text, io_json_file *tree) {
    static io_error error; /* of the file that is read now: an error ends the program */
    if (!io_json_parse((io_source){file, text, strlen(text)}, tree, &error)) app_fail("sim: %s", error.message);
    return (sim_json){.tree = tree, .node = tree->root};
}

sim_json sim_json_get(const sim_json *object, const char *key) {
    return (sim_json){object->tree, object->node, io_json_get(object->node, key), key};
}

sim_json sim_json_need(const sim_json *object, const char *key) {
    sim_json found = sim_json_get(object, key);
    if (!found.node) sim_json_fail(&found, "is missing");
    return found;
}

void sim_json_object(const sim_json *object, const char *keys) {
    if (!io_json_keys(object->tree, object->node, keys)) app_fail("sim: %s", object->tree->error->message);
}

size_t sim_json_length(const sim_json *array) {
    if (array->node->kind != IO_JSON_LIST) sim_json_fail(array, "must be an array");
    return array->node->count;
}

sim_json sim_json_at(const sim_json *array, size_t index) {
    return (sim_json){array->tree, array->node, &array->node->items[index], NULL};
}

static double number(const sim_json *at, double low, double high) {
    if (at->node->kind != IO_JSON_NUMBER) sim_json_fail(at, "must be a number");
    double x = at->node->number;
    if (!(x >= low && x <= high)) sim_json_fail(at, "is %g, which is not in [%g, %g]", x, low, high);
    return x;
}

void sim_json_number(const sim_json *object, const char *key, double low, double high, double *value) {
    sim_json at = sim_json_get(object, key);
    if (at.node) *value = number(&at, low, high);
}

static uint32_t whole(const sim_json *at, uint32_t low, uint32_t high) {
    double x = number(at, low, high);
    if (x != floor(x)) sim_json_fail(at, "is %g, which is not a whole number", x);
    return (uint32_t)x;
}

void sim_json_count(const sim_json *object, const char *key, uint32_t low, uint32_t high, uint32_t *value) {
    sim_json at = sim_json_get(object, key);
    if (at.node) *value = whole(&at, low, high);
}

void sim_json_flag(const sim_json *object, const char *key, bool *value) {
    sim_json at = sim_json_get(object, key);
    if (!at.node) return;
    if (at.node->kind != IO_JSON_BOOLEAN) sim_json_fail(&at, "must be true or false");
    *value = at.node->truth;
}

static void check_length(const sim_json *array, int n) {
    if (sim_json_length(array) != (size_t)n) sim_json_fail(array, "must have %d entries", n);
}

void sim_json_read_vector(const sim_json *array, int n, double *value) {
    check_length(array, n);
    for (int i = 0; i < n; i++) {
        sim_json at = sim_json_at(array, (size_t)i);
        value[i] = number(&at, -1e12, 1e12);
    }
}

void sim_json_read_counts(const sim_json *array, int n, uint32_t low, uint32_t high, uint32_t *value) {
    check_length(array, n);
    for (int i = 0; i < n; i++) {
        sim_json at = sim_json_at(array, (size_t)i);
        value[i] = whole(&at, low, high);
    }
}

bool sim_json_vector(const sim_json *object, const char *key, int n, double *value) {
    sim_json at = sim_json_get(object, key);
    if (at.node) sim_json_read_vector(&at, n, value);
    return at.node != NULL;
}

bool sim_json_counts(const sim_json *object, const char *key, int n, uint32_t low, uint32_t high, uint32_t *value) {
    sim_json at = sim_json_get(object, key);
    if (at.node) sim_json_read_counts(&at, n, low, high, value);
    return at.node != NULL;
}

const char *sim_json_text(const sim_json *object, const char *key) {
    sim_json at = sim_json_get(object, key);
    if (!at.node) return NULL;
    if (at.node->kind != IO_JSON_TEXT) sim_json_fail(&at, "must be a text");
    return at.node->text;
}
