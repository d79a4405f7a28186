/* Sparse rules for pairs of links: sorted by name, found by halving. */
#include "articulated/world/rules.h"

#include <stdlib.h>
#include <string.h>

bool gz_rules_add(graze_context *context, gz_rules *rules, gz_rule rule) {
    if (!gz_grow(context, (void **)&rules->list, &rules->capacity, rules->count + 1, sizeof *rules->list)) return false;
    if (rule.a > rule.b) {
        gz_link_name a = rule.a;
        rule.a = rule.b;
        rule.b = a;
    }
    rules->of_bodies |= (uint32_t)rule.a == GRAZE_EVERY_LINK || (uint32_t)rule.b == GRAZE_EVERY_LINK;
    rules->list[rules->count++] = rule;
    return true;
}

static int compare_names(const gz_rule *x, gz_link_name a, gz_link_name b) {
    if (x->a != a) return x->a < a ? -1 : 1;
    return x->b < b ? -1 : x->b > b;
}

static int by_names(const void *x, const void *y) {
    const gz_rule *a = x, *b = y;
    int order = compare_names(a, b->a, b->b);
    return order ? order : a->number < b->number ? -1 : a->number > b->number;
}

/* Of the same names the last one stays. */
void gz_rules_sort(gz_rules *rules) {
    size_t kept = 0;
    if (rules->count) qsort(rules->list, rules->count, sizeof *rules->list, by_names);
    for (size_t i = 0; i < rules->count; i++) {
        bool again =
            i + 1 < rules->count && compare_names(&rules->list[i], rules->list[i + 1].a, rules->list[i + 1].b) == 0;
        if (!again) rules->list[kept++] = rules->list[i];
    }
    rules->count = kept;
}

void gz_rules_drop(gz_rules *rules, gz_link_name link) {
    size_t kept = 0;
    for (size_t i = 0; i < rules->count; i++)
        if (rules->list[i].a != link && rules->list[i].b != link) rules->list[kept++] = rules->list[i];
    rules->count = kept;
}

graze_status gz_rules_copy(graze_context *context, const gz_rules *rules, gz_rules *copy) {
    *copy = (gz_rules){.next = rules->next, .of_bodies = rules->of_bodies};
    if (rules->count == 0) return GRAZE_OK;
    if (!gz_grow(context, (void **)&copy->list, &copy->capacity, rules->count, sizeof *copy->list))
        return GRAZE_ERR_OUT_OF_MEMORY;
    memcpy(copy->list, rules->list, rules->count * sizeof *copy->list);
    copy->count = rules->count;
    return GRAZE_OK;
}

void gz_rules_release(graze_context *context, gz_rules *rules) {
    gz_release(context, rules->list, rules->capacity * sizeof *rules->list);
    *rules = (gz_rules){0};
}

static const gz_rule *rule_of(const gz_rules *rules, gz_link_name a, gz_link_name b) {
    size_t begin = 0, end = rules->count;
    if (a > b) return rule_of(rules, b, a);
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        int order = compare_names(&rules->list[middle], a, b);
        if (order == 0) return &rules->list[middle];
        if (order < 0)
            begin = middle + 1;
        else
            end = middle;
    }
    return NULL;
}

const gz_rule *gz_rules_find(const gz_rules *rules, const gz_scene_link *x, const gz_scene_link *y) {
    const gz_rule *last = NULL;
    for (int i = 0; i < (rules->of_bodies ? 4 : 1) && rules->count; i++) {
        gz_link_name a = gz_link_name_of(x->model, i & 1 ? GRAZE_EVERY_LINK : x->index);
        gz_link_name b = gz_link_name_of(y->model, i & 2 ? GRAZE_EVERY_LINK : y->index);
        const gz_rule *rule = rule_of(rules, a, b);
        if (rule && (!last || rule->number > last->number)) last = rule;
    }
    return last;
}

void gz_rules_apply(const gz_rules *rules, const gz_scene_link *x, const gz_scene_link *y, double *separation) {
    const gz_rule *rule = gz_rules_find(rules, x, y);
    if (!rule || rule->rule == GRAZE_PAIR_TEST) return;
    *separation = rule->rule == GRAZE_PAIR_SKIP ? -1 : rule->separation;
}
