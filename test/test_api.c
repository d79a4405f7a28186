/* The door: bad input is a status, results stay closed; what this build does not have says so. */
#include "check.h"

static const graze_query some_query = {
    .x0 = {{0, 0, 1}, {-1, -1, 0}, {1, -1, 0}, {0, 1, 0}},
    .x1 = {{0, 0, -1}, {-1, -1, 0}, {1, -1, 0}, {0, 1, 0}},
};

static bool closed(const graze_result *result) { return result->verdict == GRAZE_UNRESOLVED && result->toi == 0; }

TEST(methods_are_found_by_name) {
    for (int i = 1; i <= GRAZE_METHOD_PROVOT; i++) {
        const graze_method_info *info = graze_method_get((graze_method)i);
        CHECK(info != NULL);
        if (!info) continue;
        CHECK((int)info->method == i);
        CHECK(graze_method_find(info->name) == info);
    }
    CHECK(graze_method_get((graze_method)99) == NULL);
    CHECK(graze_method_find("none such") == NULL);
    CHECK(graze_method_find(NULL) == NULL);
    CHECK(graze_method_get(GRAZE_METHOD_DEFAULT) != NULL);
}

TEST(a_method_that_is_not_built_in_says_so) {
    for (int i = 1; i <= GRAZE_METHOD_PROVOT; i++) {
        if (graze_method_get((graze_method)i)->available) continue;
        graze_options options = graze_default_options();
        options.method = (graze_method)i;
        graze_result result;
        CHECK(graze_ccd(GRAZE_VF, &some_query, &options, &result) == GRAZE_ERR_UNSUPPORTED);
        CHECK(closed(&result));
    }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
