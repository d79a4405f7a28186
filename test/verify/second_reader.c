#include "verify/second_reader.h"

#include "graze/graze.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool say(char why[200], const char *what) {
    snprintf(why, 200, "%s", what);
    return false;
}

/* The first or the last of that name. */
static const cJSON *get(const cJSON *object, const char *name, bool last) {
    const cJSON *found = NULL, *item;
    cJSON_ArrayForEach(item, object) if (item->string && strcmp(item->string, name) == 0 && (last || !found)) found =
        item;
    return found;
}

static bool read_row(const cJSON *list, double *x, int count) {
    if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) != count) return false;
    for (int c = 0; c < count; c++) {
        const cJSON *number = cJSON_GetArrayItem(list, c);
        if (!cJSON_IsNumber(number)) return false;
        x[c] = number->valuedouble;
    }
    return true;
}

static bool read_rows(const cJSON *list, double x[4][3], int rows) {
    if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) != rows) return false;
    for (int i = 0; i < rows; i++)
        if (!read_row(cJSON_GetArrayItem(list, i), x[i], 3)) return false;
    return true;
}

/* The truth with `separation`, or NULL. */
static graze_truth *find(graze_kind kind, const graze_query *query, double separation, double t_max) {
    graze_truth_options options = graze_default_truth_options();
    options.min_separation = separation;
    options.t_max = t_max;
    graze_truth *truth;
    return graze_truth_find(NULL, kind, query, &options, &truth) == GRAZE_OK ? truth : NULL;
}

/* No contact before `toi`; none up to t_max where `clear`. */
static bool is_free(graze_kind kind, const graze_query *query, double separation, double t_max, double toi,
                    bool clear) {
    graze_truth *truth = find(kind, query, separation, t_max);
    if (!truth) return false;
    bool good = !graze_truth_hit(truth) || (!clear && graze_truth_compare(truth, toi) <= 0);
    graze_truth_destroy(NULL, truth);
    return good;
}

static bool touches_by(graze_kind kind, const graze_query *query, double separation, double t_max, double upper) {
    graze_truth *truth = find(kind, query, separation, t_max);
    if (!truth) return false;
    bool good = graze_truth_hit(truth) && graze_truth_compare(truth, upper) >= 0;
    graze_truth_destroy(NULL, truth);
    return good;
}

/* Separations within which the hulls of balls certainly touch, and beyond which they certainly do not: all balls as
   small as the smallest of their primitive, and all as large as the largest. Without radii both are the separation. */
static void reach(graze_kind kind, double separation, const double radii[4], int rows, double *least, double *most) {
    int first_of_b = kind == GRAZE_EE ? 2 : 1;
    double low[2] = {INFINITY, INFINITY}, high[2] = {0, 0};
    for (int i = 0; i < rows; i++) {
        int side = i >= first_of_b;
        low[side] = fmin(low[side], radii[i]);
        high[side] = fmax(high[side], radii[i]);
    }
    *least = separation + low[0] + low[1];
    *most = separation + high[0] + high[1];
    if (low[0] + low[1] > 0) *least = fmax(0, *least * (1 - 0x1p-50)); /* sums are rounded */
    if (high[0] + high[1] > 0) *most *= 1 + 0x1p-50;
}

static bool pair_is_true(const cJSON *item, double separation, double t_max, bool thick, bool last, char why[200]) {
    static const char *const names[] = {"vf", "ee", "pe", "pp"};
    static const int row_counts[] = {4, 4, 3, 2};
    const cJSON *kind_name = get(item, "kind", last), *verdict = get(item, "verdict", last);
    const cJSON *toi = get(item, "toi", last), *upper = get(item, "toi_upper", last);
    int kind = -1;
    for (int i = 0; cJSON_IsString(kind_name) && i < 4; i++)
        if (strcmp(kind_name->valuestring, names[i]) == 0) kind = i;
    if (kind < 0 || !cJSON_IsString(verdict) || !cJSON_IsNumber(toi)) return say(why, "kind, verdict or toi");
    graze_query query;
    memset(&query, 0, sizeof query);
    double radii[4] = {0}, least, most;
    int rows = row_counts[kind];
    if (!read_rows(get(item, "x0", last), query.x0, rows) || !read_rows(get(item, "x1", last), query.x1, rows))
        return say(why, "x0 or x1");
    if (thick && !read_row(get(item, "radii", last), radii, rows)) return say(why, "radii");
    reach((graze_kind)kind, separation, radii, rows, &least, &most);
    bool clear = strcmp(verdict->valuestring, "clear") == 0, hit = strcmp(verdict->valuestring, "hit") == 0;
    if (!clear && !hit && strcmp(verdict->valuestring, "unresolved") != 0) return say(why, "no such verdict");
    if (clear && toi->valuedouble != t_max) return say(why, "clear, but not to the end");
    if (!is_free((graze_kind)kind, &query, least, t_max, toi->valuedouble, clear)) return say(why, "not free");
    if (cJSON_IsNull(upper)) return true;
    if (!cJSON_IsNumber(upper) || !hit) return say(why, "toi_upper");
    return touches_by((graze_kind)kind, &query, most, t_max, upper->valuedouble) || say(why, "no contact");
}

static bool file_is_true(const cJSON *file, bool last, char why[200]) {
    const cJSON *format = get(file, "format", last), *pairs = get(file, "pairs", last), *item;
    const cJSON *separation = get(file, "separation", last), *t_max = get(file, "t_max", last);
    if (!cJSON_IsString(format) || !cJSON_IsNumber(separation) || !cJSON_IsNumber(t_max) || !cJSON_IsArray(pairs))
        return say(why, "format, separation, t_max or pairs");
    bool thick = strcmp(format->valuestring, "graze certificate 2") == 0;
    if (!thick && strcmp(format->valuestring, "graze certificate 1") != 0) return say(why, "no such format");
    cJSON_ArrayForEach(item, pairs) if (!pair_is_true(item, separation->valuedouble, t_max->valuedouble, thick, last,
                                                      why)) return false;
    return true;
}

bool second_reader_confirms(const char *text, size_t size, char why[200]) {
    why[0] = '\0';
    cJSON *file = cJSON_ParseWithLength(text, size);
    if (!cJSON_IsObject(file)) {
        cJSON_Delete(file);
        return say(why, "no JSON object");
    }
    bool good = file_is_true(file, false, why) && file_is_true(file, true, why);
    cJSON_Delete(file);
    return good;
}
