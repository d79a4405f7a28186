#include "cli/robots/range_srdf.h"

#include "app/outputs.h"
#include "bench/report/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NOT_ASKED (-1.0)
#define TOUCHES (-2.0)

static const char head[] =
    "<?xml version=\"1.0\"?>\n<!-- Never: proven for every value within the limits. Sampled: no contact was found, and "
    "none is\n     excluded; behind it the share of the range that is left. Adjacent: connected by a joint, or held\n"
    "     together by fixed ones. User: left out by the model file, not looked at. -->\n<robot name=\"";

/* What is known of the pairs of a tree's links, in the file's order; parts count with the link that they are of. */
typedef struct pair_table {
    const robot_tree *tree;
    bool *shaped;   /* has triangles, itself or in a part */
    double *shares; /* the largest share that is left of a pair, or one of the two above */
} pair_table;

static int32_t whole_link(const robot_tree *tree, const robot_link *link) {
    return link->owner >= 0 ? link->owner : (int32_t)(link - tree->links);
}

static double *share_of(const pair_table *table, int32_t a, int32_t b) {
    return &table->shares[(size_t)(a < b ? a : b) * table->tree->count + (size_t)(a < b ? b : a)];
}

static void note_pair(const pair_table *table, const graze_range_pair *pair) {
    const robot_tree *tree = table->tree;
    double *share = share_of(table, whole_link(tree, cli_link_at(tree, pair->link_a)),
                             whole_link(tree, cli_link_at(tree, pair->link_b)));
    if (pair->verdict == GRAZE_HIT)
        *share = TOUCHES;
    else if (*share != TOUCHES)
        *share = fmax(*share, pair->unresolved);
}

static void open_table(const robot_tree *tree, const graze_range_result *r, uint32_t model, pair_table *table) {
    size_t links = tree->count;
    *table = (pair_table){tree, app_allocate(links, sizeof *table->shaped),
                          app_allocate(links * links, sizeof *table->shares)};
    for (size_t i = 0; i < links; i++) table->shaped[i] = false;
    for (size_t i = 0; i < links * links; i++) table->shares[i] = NOT_ASKED;
    for (size_t i = 0; i < links; i++)
        if (tree->links[i].mesh_count) table->shaped[whole_link(tree, &tree->links[i])] = true;
    for (size_t i = 0; i < r->pair_count; i++)
        if (r->pairs[i].model_a == model && r->pairs[i].model_b == model) note_pair(table, &r->pairs[i]);
}

/* The link at whose joint a group of links begins that no joint moves against each other; −1: the world. */
static int32_t body_of(const robot_tree *tree, int32_t link) {
    while (link >= 0 && tree->links[link].kind == GRAZE_JOINT_FIXED) link = tree->links[link].parent;
    return link;
}

/* Pairs that graze never asks about. */
static bool are_adjacent(const robot_tree *tree, int32_t a, int32_t b) {
    return tree->links[a].parent == b || tree->links[b].parent == a || body_of(tree, a) == body_of(tree, b);
}

static void put_pair(FILE *out, const pair_table *table, int32_t a, int32_t b) {
    double share = *share_of(table, a, b);
    if (share == TOUCHES || share == 1) return;
    const char *reason = share == NOT_ASKED ? are_adjacent(table->tree, a, b) ? "Adjacent" : "User"
                         : share > 0        ? "Sampled"
                                            : "Never";
    fputs("  <disable_collisions link1=\"", out);
    bench_write_escaped(table->tree->links[a].name, out);
    fputs("\" link2=\"", out);
    bench_write_escaped(table->tree->links[b].name, out);
    fprintf(out, "\" reason=\"%s\"/>", reason);
    if (share > 0) fprintf(out, " <!-- %.3g -->", share);
    fputs("\n", out);
}

static bool is_listed(const pair_table *table, int32_t link) {
    return table->shaped[link] && table->tree->links[link].owner < 0;
}

void cli_write_range_srdf(const cli_model_file *file, const graze_range_result *r, io_output *srdf) {
    FILE *out = srdf->stream;
    uint32_t model = 0;
    while (model + 1 < file->read.count && !file->read.trees[model].values) model++;
    const robot_tree *tree = &file->read.trees[model];
    pair_table table;
    open_table(tree, r, model, &table);
    fputs(head, out);
    bench_write_escaped(tree->name, out);
    fputs("\">\n", out);
    for (uint32_t p = 0; p < tree->count; p++)
        for (uint32_t q = p + 1; q < tree->count; q++) {
            int32_t a = (int32_t)tree->order[p], b = (int32_t)tree->order[q];
            if (is_listed(&table, a) && is_listed(&table, b)) put_pair(out, &table, a, b);
        }
    fputs("</robot>\n", out);
    free(table.shaped);
    free(table.shares);
    app_close_output(srdf);
}
