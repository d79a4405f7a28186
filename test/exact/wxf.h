/* Mathematica's WXF files, as far as the datasets' exact roots need them: expressions read into a tree, and algebraic
 * numbers made from them. */
#ifndef GRAZE_TEST_WXF_H
#define GRAZE_TEST_WXF_H

#include <calcium/qqbar.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct wxf_node {
    char type;               /* 'f' head applied to arguments, 's' symbol, 'S' string, 'I' integer */
    char *text;              /* symbol, string; decimal digits of an integer */
    struct wxf_node *head;   /* of 'f' */
    struct wxf_node **items; /* its arguments */
    size_t count;
} wxf_node;

/* NULL when the bytes are no such expression. */
wxf_node *wxf_read(const unsigned char *bytes, size_t size);
void wxf_free(wxf_node *node);

/* node is head[…] with that symbol as head. */
bool wxf_is(const wxf_node *node, const char *head);

/* The value of an expression in integers, rationals, sums, products, rational powers and Root objects; false where
   anything else occurs (a conditional family, say). */
bool wxf_value(const wxf_node *node, qqbar_t value);

#endif
