/* Pairs of nodes of two links' trees, which a proof has still to tell apart. */
#ifndef GRAZE_VERIFY_NODE_PAIRS_H
#define GRAZE_VERIFY_NODE_PAIRS_H

#include <stdbool.h>
#include <stdlib.h>

/* A node of a link's tree. */
typedef struct node {
    size_t index, first, count; /* and its faces */
} node;

typedef struct node_pair {
    node of[2];
} node_pair;

typedef struct pair_list {
    node_pair *items;
    size_t count, room;
} pair_list;

/* False: out of memory. */
static inline bool pair_list_add(pair_list *list, node_pair pair) {
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 64;
        node_pair *grown = realloc(list->items, room * sizeof *grown);
        if (!grown) return false;
        list->items = grown;
        list->room = room;
    }
    list->items[list->count++] = pair;
    return true;
}

#endif
