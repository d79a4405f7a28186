/* XML that is checked while it is read, by Expat: no DOCTYPE, so no entities; at most 200 levels and 1 GiB. Time and
   memory are in proportion to the text. Blanks and a byte-order mark before the declaration are passed over, and its
   version is not looked at: robot files in use have both. */
#ifndef GRAZE_ROBOT_XML_H
#define GRAZE_ROBOT_XML_H

#include "io/error.h"

#include <stdint.h>

typedef struct robot_xml_attribute {
    const char *name, *value;
} robot_xml_attribute;

typedef struct robot_xml {
    const char *name;
    const char *text; /* before its first child */
    size_t line;
    const robot_xml_attribute *attributes;
    uint32_t attribute_count;
    uint32_t end; /* where the next element begins that is not within this one */
    struct robot_xml *child, *next;
} robot_xml;

typedef struct robot_xml_file {
    const char *name; /* borrowed */
    robot_xml *root;  /* and all others behind it, as they begin in the file */
    uint32_t count;
    robot_xml_attribute *attributes;
    char *texts;
    io_error *error;
} robot_xml_file;

/* A text whose outermost element is `root`. On failure there is nothing to free. */
bool robot_xml_parse(io_source source, const char *root, robot_xml_file *file, io_error *error);
void robot_xml_free(robot_xml_file *file);

/* Writes "file:line: reason" and returns false. */
bool robot_xml_fail(const robot_xml_file *file, const robot_xml *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

bool robot_xml_is(const robot_xml *element, const char *name);
/* The first child of that name, or NULL; of NULL, too. */
const robot_xml *robot_xml_child(const robot_xml *element, const char *name);
/* NULL where it is not there; of NULL, too. */
const char *robot_xml_attribute_of(const robot_xml *element, const char *name);
/* A missing attribute is an error. */
bool robot_xml_need(const robot_xml_file *file, const robot_xml *element, const char *name, const char **value);

/* Exactly `count` finite numbers; where the attribute is missing `x` stays as it is. */
bool robot_xml_numbers(const robot_xml_file *file, const robot_xml *element, const char *name, size_t count, double *x);
/* A whole number from 0 on; where it is missing `n` stays as it is. */
bool robot_xml_count(const robot_xml_file *file, const robot_xml *element, const char *name, size_t *n);

/* All finite numbers of the element's text. Free them. */
bool robot_xml_text_numbers(const robot_xml_file *file, const robot_xml *element, double **x, size_t *count);
bool robot_xml_text_counts(const robot_xml_file *file, const robot_xml *element, size_t **n, size_t *count);

/* The element has no children, or attributes, but these ("a b c"), and no child twice. */
bool robot_xml_only_children(const robot_xml_file *file, const robot_xml *element, const char *names);
/* The same, but elements with a prefix ("drake:…") are passed over. */
bool robot_xml_only_own_children(const robot_xml_file *file, const robot_xml *element, const char *names);
bool robot_xml_only_attributes(const robot_xml_file *file, const robot_xml *element, const char *names);
/* For elements that others add to: no attribute or child is a misspelling of one of these, and none of these is there
   twice as a child. */
bool robot_xml_spelt_attributes(const robot_xml_file *file, const robot_xml *element, const char *names);
bool robot_xml_spelt_children(const robot_xml_file *file, const robot_xml *element, const char *names);

#endif
