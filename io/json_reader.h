/* JSON that is checked while it is read. A value knows its line and what it is part of, so that an error names both:
   "scene.json:12: bodies[2].shape: must be an object". Reading is strict (numbers, texts, no key twice, at most 64
   levels) and takes time and memory in proportion to the text. */
#ifndef GRAZE_IO_JSON_READER_H
#define GRAZE_IO_JSON_READER_H

#include "io/error.h"

#include <stdint.h>

typedef enum io_json_kind {
    IO_JSON_NULL,
    IO_JSON_BOOLEAN,
    IO_JSON_NUMBER,
    IO_JSON_TEXT,
    IO_JSON_LIST,
    IO_JSON_OBJECT,
} io_json_kind;

typedef struct io_json {
    io_json_kind kind;
    bool truth;       /* of a BOOLEAN */
    size_t line;      /* from 1 */
    const char *key;  /* of an object's member; else NULL */
    const char *text; /* of a TEXT */
    double number;    /* of a NUMBER; an infinity where it overflows */
    size_t count;     /* of a LIST or an OBJECT */
    size_t first;     /* where `items` begin among all nodes */
    struct io_json *items, *parent;
} io_json;

typedef struct io_json_file {
    const char *name; /* stands in errors: borrowed */
    io_json *root;
    io_json *nodes;
    char *texts;
    io_error *error; /* where the functions below say what is wrong */
} io_json_file;

/* On failure there is nothing to free. */
bool io_json_parse(io_source source, io_json_file *file, io_error *error);
void io_json_free(io_json_file *file);

/* Writes "file:line: path of the value: reason" and returns false. */
bool io_json_fail(const io_json_file *file, const io_json *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The member of that key, or NULL; NULL of NULL, too. */
const io_json *io_json_get(const io_json *object, const char *key);
/* A missing key is an error. */
bool io_json_need(const io_json_file *file, const io_json *object, const char *key, const io_json **value);

/* Each of these returns false with the error set where the value is not what it should be. */

/* An object without other keys than these ("a b c"); the error names the nearest of them. */
bool io_json_keys(const io_json_file *file, const io_json *object, const char *keys);
bool io_json_list(const io_json_file *file, const io_json *value);
bool io_json_text(const io_json_file *file, const io_json *value, const char **text);
bool io_json_boolean(const io_json_file *file, const io_json *value, bool *truth);
/* Finite. */
bool io_json_number(const io_json_file *file, const io_json *value, double *x);
bool io_json_numbers(const io_json_file *file, const io_json *list, size_t count, double *x);

#endif
