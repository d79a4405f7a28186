#include "sim/reader/json.h"

#include "app/app.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

_Noreturn void sim_json_fail(const sim_json *at, const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cli_fail("sim: %s: %s%s%s", at->file, at->path, *at->path ? ": " : "", text);
}

static size_t line_of(const char *text, const char *at) {
    size_t line = 1;
    for (; text < at; text++) line += *text == '\n';
    return line;
}

sim_json sim_json_parse(const char *file, const char *text, cJSON **tree) {
    const char *end = NULL;
    *tree = cJSON_ParseWithOpts(text, &end, 1);
    if (!*tree) cli_fail("sim: %s:%zu: this is not JSON", file, line_of(text, end ? end : text));
    return (sim_json){.file = file, .node = *tree};
}

static sim_json child(const sim_json *parent, const cJSON *node, const char *format, ...) {
    sim_json out = {.file = parent->file, .node = node};
    size_t used = strlen(parent->path);
    memcpy(out.path, parent->path, used + 1);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(out.path + used, sizeof out.path - used, format, arguments);
    va_end(arguments);
    return out;
}

sim_json sim_json_get(const sim_json *object, const char *key) {
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(object->node, key);
    return child(object, node, "%s%s", *object->path ? "." : "", key);
}

sim_json sim_json_need(const sim_json *object, const char *key) {
    sim_json found = sim_json_get(object, key);
    if (!found.node) sim_json_fail(&found, "is missing");
    return found;
}

/* Whether `keys` has the word. */
static bool has_word(const char *keys, const char *word) {
    size_t length = strlen(word);
    for (const char *at = keys; length && (at = strstr(at, word)) != NULL; at += length)
        if ((at == keys || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0)) return true;
    return false;
}

void sim_json_object(const sim_json *object, const char *keys) {
    if (!cJSON_IsObject(object->node)) sim_json_fail(object, "must be an object");
    for (const cJSON *item = object->node->child; item; item = item->next) {
        sim_json at = child(object, item, "%s%s", *object->path ? "." : "", item->string);
        if (!has_word(keys, item->string)) sim_json_fail(&at, "there is no such key; there are: %s", keys);
        for (const cJSON *other = item->next; other; other = other->next)
            if (strcmp(item->string, other->string) == 0) sim_json_fail(&at, "is there twice");
    }
}

size_t sim_json_length(const sim_json *array) {
    if (!cJSON_IsArray(array->node)) sim_json_fail(array, "must be an array");
    return (size_t)cJSON_GetArraySize(array->node);
}

sim_json sim_json_at(const sim_json *array, size_t index) {
    return child(array, cJSON_GetArrayItem(array->node, (int)index), "[%zu]", index);
}

static double number(const sim_json *at, double low, double high) {
    if (!cJSON_IsNumber(at->node)) sim_json_fail(at, "must be a number");
    double x = at->node->valuedouble;
    if (!(x >= low && x <= high)) sim_json_fail(at, "is %g, which is not in [%g, %g]", x, low, high);
    return x;
}

void sim_json_number(const sim_json *object, const char *key, double low, double high, double *value) {
    sim_json at = sim_json_get(object, key);
    if (at.node) *value = number(&at, low, high);
}

static uint32_t whole(const sim_json *at, uint32_t low, uint32_t high) {
    double x = number(at, low, high);
    if (x != floor(x)) sim_json_fail(at, "is %g, which is no whole number", x);
    return (uint32_t)x;
}

void sim_json_count(const sim_json *object, const char *key, uint32_t low, uint32_t high, uint32_t *value) {
    sim_json at = sim_json_get(object, key);
    if (at.node) *value = whole(&at, low, high);
}

void sim_json_flag(const sim_json *object, const char *key, bool *value) {
    sim_json at = sim_json_get(object, key);
    if (!at.node) return;
    if (!cJSON_IsBool(at.node)) sim_json_fail(&at, "must be true or false");
    *value = cJSON_IsTrue(at.node);
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
    if (!cJSON_IsString(at.node)) sim_json_fail(&at, "must be a text");
    return at.node->valuestring;
}
