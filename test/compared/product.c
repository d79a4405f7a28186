/* The product alone, without the methods that are kept for comparison: each name is known, and says that it is not
 * here. */
#include "graze/graze.h"

#include <stdio.h>
#include <string.h>

static int failures;

static void check(int holds, const char *what, const char *name) {
    if (holds) return;
    printf("%s: %s\n", name, what);
    failures++;
}

static int is_product(const char *name) {
    return !strcmp(name, "certified") || !strcmp(name, "exact") || !strcmp(name, "oracle");
}

static void check_method(const graze_method_info *info) {
    const graze_query query = {{{0, 0, 1}, {-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}},
                               {{0, 0, -1}, {-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}}};
    graze_options options = graze_default_options();
    graze_result result;
    options.method = info->method;
    graze_status status = graze_ccd(GRAZE_VF, &query, &options, &result);
    int here = is_product(info->name);
    check(info->available == here, "available is wrong", info->name);
    check(status == (here ? GRAZE_OK : GRAZE_ERR_UNSUPPORTED), "the status is wrong", info->name);
    check(result.verdict == (here ? GRAZE_HIT : GRAZE_UNRESOLVED), "the verdict is wrong", info->name);
    check(result.toi <= 0.5 && (result.toi > 0.49) == here, "the time is wrong", info->name);
}

static void check_broad(graze_broad broad) {
    const double x0[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const uint32_t faces[1][3] = {{0, 1, 2}};
    const char *name = graze_broad_name(broad);
    int here = !strcmp(name, "auto") || !strcmp(name, "bvh") || !strcmp(name, "brute");
    graze_context *context = NULL;
    graze_mesh mesh = graze_default_mesh();
    graze_context_create(NULL, &context);
    graze_mesh_from_faces(context, 3, faces, 1, &mesh);
    graze_step_options options = graze_default_step_options();
    graze_step_result result = graze_default_step_result();
    options.broad = broad;
    graze_status status = graze_step(context, &mesh, x0, x0, &options, &result);
    check(graze_broad_available(broad) == here, "available is wrong", name);
    check(status == (here ? GRAZE_OK : GRAZE_ERR_UNSUPPORTED), "the status is wrong", name);
    graze_mesh_release(context, &mesh);
    graze_context_destroy(context);
}

int main(void) {
    int methods = 0, broads = 0;
    for (int i = 1; graze_method_get((graze_method)i); i++, methods++) check_method(graze_method_get((graze_method)i));
    for (int i = 0; graze_broad_name((graze_broad)i); i++, broads++) check_broad((graze_broad)i);
    check(methods == 15 && broads == 13, "not all names were tried", "product");
    printf("%d methods, %d broad phases, %d wrong\n", methods, broads, failures);
    return failures != 0;
}
