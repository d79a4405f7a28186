/* Single pairs: methods, batches, exact truth, certificates, query files. */
#include "web/module/module.h"

#include "io/query_csv.h"
#include "scenes/handcraft.h"

#include <stdlib.h>
#include <string.h>

/* ---- methods, by number from 1; name 0 after the last ---- */

EXPORT("method_name") const char *module_method_name(int method) {
    const graze_method_info *info = method > 0 ? graze_method_get((graze_method)method) : NULL;
    return info ? info->name : NULL;
}

EXPORT("method_summary") const char *module_method_summary(int method) {
    return graze_method_get((graze_method)method)->summary;
}

/* available, conservative, exact, gives_toi as bits 0 to 3; the kinds from bit 4 */
EXPORT("method_flags") unsigned module_method_flags(int method) {
    const graze_method_info *info = graze_method_get((graze_method)method);
    return (info->available ? 1u : 0) | (info->conservative ? 2u : 0) | (info->exact ? 4u : 0) |
           (info->gives_toi ? 8u : 0) | info->kinds << 4;
}

/* ---- queries: 24 doubles each, as graze_query has them ---- */

EXPORT("ccd_batch")
bool module_ccd_batch(int kind, const graze_query *queries, size_t count, const double *given, double *out) {
    graze_options options = module_options(given);
    graze_result *results = malloc((count ? count : 1) * sizeof *results);
    if (!results) return module_fail("out of memory");
    bool good = module_ok(graze_ccd_batch(module_context(), (graze_kind)kind, queries, count, &options, results),
                          module_context());
    for (size_t i = 0; good && i < count; i++) module_put_result(&results[i], out + i * MODULE_RESULT);
    free(results);
    return good;
}

/* ---- exact truth ---- */

static char *coefficients; /* of the last truth, one a line, the constant term first */

static bool write_coefficients(const graze_truth *truth) {
    int degree = graze_truth_degree(truth);
    size_t size = 1, at = 0;
    for (int k = 0; k <= degree; k++) size += graze_truth_coefficient(truth, k, NULL, 0) + 1;
    free(coefficients);
    coefficients = malloc(size);
    if (!coefficients) return module_fail("out of memory");
    for (int k = 0; k <= degree; k++) {
        at += graze_truth_coefficient(truth, k, coefficients + at, size - at);
        coefficients[at++] = '\n';
    }
    coefficients[at] = '\0';
    return true;
}

/* out: hit, lower, upper */
EXPORT("truth")
bool module_truth(int kind, const graze_query *query, double separation, double t_max, double out[3]) {
    graze_truth_options options = graze_default_truth_options();
    options.min_separation = separation;
    options.t_max = t_max;
    graze_truth *truth;
    graze_context *context = module_context();
    if (!module_ok(graze_truth_find(context, (graze_kind)kind, query, &options, &truth), context)) return false;
    out[0] = graze_truth_hit(truth);
    graze_truth_bracket(truth, &out[1], &out[2]);
    bool good = write_coefficients(truth);
    graze_truth_destroy(context, truth);
    return good;
}

EXPORT("truth_coefficients") const char *module_truth_coefficients(void) { return coefficients; }

/* ---- certificates: 5 doubles an entry, direction and t0, t1 ---- */

enum { MOST_ENTRIES = 4096 };

EXPORT("certificate")
int module_certificate(int kind, const graze_query *query, const double *given, double *out, double *result) {
    static graze_certificate_entry entries[MOST_ENTRIES];
    graze_options options = module_options(given);
    graze_result answer;
    size_t count = 0;
    graze_status status =
        graze_ccd_certificate((graze_kind)kind, query, &options, entries, MOST_ENTRIES, &count, &answer);
    if (!module_ok(status, NULL)) return -1;
    memcpy(out, entries, count * sizeof *entries);
    module_put_result(&answer, result);
    return (int)count;
}

EXPORT("certificate_room") int module_certificate_room(void) { return MOST_ENTRIES; }

/* ---- query files ---- */

static io_queries file;

/* The bytes are followed by a NUL. The number of queries, −1 with an error. */
EXPORT("read_queries") int module_read_queries(const char *name, const char *bytes, size_t size) {
    io_error error;
    io_free_queries(&file);
    if (io_parse_query_csv((io_source){name, bytes, size}, &file, &error)) return (int)file.count;
    module_fail(error.message);
    return -1;
}

EXPORT("read_queries_data") const graze_query *module_read_queries_data(void) { return file.queries; }
EXPORT("read_queries_truth") const unsigned char *module_read_queries_truth(void) { return file.truth; }

/* ---- handcrafted queries, by number of their family; name 0 after the last ---- */

EXPORT("family_name") const char *module_family_name(size_t family) {
    const handcraft_family *found = handcraft_get(family);
    return found ? found->name : NULL;
}

EXPORT("family_summary") const char *module_family_summary(size_t family) { return handcraft_get(family)->summary; }

EXPORT("family_query") void module_family_query(size_t family, int kind, int seed, int index, graze_query *query) {
    handcraft_make(handcraft_get(family), (graze_kind)kind, (uint64_t)seed, (uint64_t)index, query);
}
