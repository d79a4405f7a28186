/* Checked JSON (io/json_reader.h) for scenes: an error ends the program. */
#ifndef GRAZE_SIM_READER_JSON_H
#define GRAZE_SIM_READER_JSON_H

#include "io/json_reader.h"

typedef struct sim_json {
    const io_json_file *tree;
    const io_json *parent, *node; /* node NULL: not there */
    const char *key;              /* of an object's member */
} sim_json;

/* Parses a text; io_json_free(tree) afterwards. */
sim_json sim_json_parse(const char *file, const char *text, io_json_file *tree);

_Noreturn void sim_json_fail(const sim_json *at, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The value of a key, which may be missing. */
sim_json sim_json_get(const sim_json *object, const char *key);
/* A missing key is an error. */
sim_json sim_json_need(const sim_json *object, const char *key);

/* It must be an object without other keys than these ("a b c"). */
void sim_json_object(const sim_json *object, const char *keys);
/* It must be an array; its length. */
size_t sim_json_length(const sim_json *array);
sim_json sim_json_at(const sim_json *array, size_t index);

/* A number in [low, high]; `value` keeps what it holds when the key is missing. */
void sim_json_number(const sim_json *object, const char *key, double low, double high, double *value);
void sim_json_count(const sim_json *object, const char *key, uint32_t low, uint32_t high, uint32_t *value);
void sim_json_flag(const sim_json *object, const char *key, bool *value);
/* `n` numbers; false when the key is missing. */
bool sim_json_vector(const sim_json *object, const char *key, int n, double *value);
bool sim_json_counts(const sim_json *object, const char *key, int n, uint32_t low, uint32_t high, uint32_t *value);
/* NULL when the key is missing. */
const char *sim_json_text(const sim_json *object, const char *key);

/* Values by themselves. */
void sim_json_read_vector(const sim_json *array, int n, double *value);
void sim_json_read_counts(const sim_json *array, int n, uint32_t low, uint32_t high, uint32_t *value);

#endif
