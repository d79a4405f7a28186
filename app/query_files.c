#include "app/query_files.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

io_paths app_query_paths(const char *command, const char **operands, int count) {
    if (count == 0) app_fail("%s: no queries: name CSV files or folders of them", command);
    io_paths paths = {0};
    io_error error;
    for (int i = 0; i < count; i++) {
        size_t before = paths.count;
        bool folder = io_is_folder(operands[i]);
        if (folder ? !io_list_folder(operands[i], ".csv", true, &paths, &error)
                   : !io_add_path(&paths, operands[i], &error))
            app_fail("%s", error.message);
        if (paths.count == before) app_fail("%s: no CSV file in this folder or below it", operands[i]);
    }
    return paths;
}

bool app_query_kind(const char *path, const char *kind_option, graze_kind *kind, io_error *error) {
    if (kind_option) {
        if (graze_kind_find(kind_option, kind) && *kind <= GRAZE_EE) return true;
        return io_fail(error, "--kind", 0, "'%s' is not a kind; there are: vf, ee", kind_option);
    }
    while (strncmp(path, "./", 2) == 0) path += 2;
    char here[8192]; /* "a.csv" has a parent folder too */
    size_t room = sizeof here / 2;
    bool bare = !strchr(path, '/') && strlen(path) < room - 1 && getcwd(here, room);
    if (bare) strcat(strcat(here, "/"), path);
    int told = io_query_kind_of(bare ? here : path);
    *kind = told == 0 ? GRAZE_VF : GRAZE_EE;
    if (told >= 0) return true;
    if (access(path, F_OK) != 0) return io_fail(error, path, 0, "cannot open: %s", strerror(errno));
    return io_fail(error, path, 0,
                   "vertex-face or edge-edge? Neither folder nor name tells; say --kind vf or --kind ee");
}

bool app_refused_query(const char *path, const io_queries *queries, size_t index, graze_status status,
                       io_error *error) {
    const graze_query *query = &queries->queries[index];
    if (status == GRAZE_ERR_OUT_OF_RANGE)
        for (size_t row = 0; row < 8; row++) {
            const double *x = row < 4 ? query->x0[row] : query->x1[row - 4];
            for (int c = 0; c < 3; c++) /* a query has 8 rows and blank lines only end a file: the line follows */
                if (fabs(x[c]) > GRAZE_MAX_COORDINATE)
                    return io_fail(error, path, 8 * index + row + 1,
                                   "coordinate %g is beyond 2^160, the largest that this method takes", x[c]);
        }
    return io_fail(error, path, 8 * index + 1, "query %zu: %s", index, graze_status_name(status));
}

size_t app_count_queries(const io_paths *paths) {
    size_t all = 0;
    for (size_t i = 0; i < paths->count; i++) {
        io_queries queries;
        io_error error;
        if (!io_read_query_csv(paths->paths[i], &queries, &error)) app_fail("%s", error.message);
        all += queries.count;
        io_free_queries(&queries);
    }
    return all;
}

/* Place `at` of the row as one of the file's, 0 … count. */
static size_t within(size_t at, size_t begin, size_t count) {
    if (at <= begin) return 0;
    return at - begin < count ? at - begin : count;
}

io_queries app_part_of_queries(const io_queries *whole, size_t from, size_t to, size_t *begin, size_t *first) {
    io_queries part = *whole;
    *first = within(from, *begin, whole->count);
    part.count = within(to, *begin, whole->count) - *first;
    part.queries += *first;
    if (part.truth) part.truth += *first;
    *begin += whole->count;
    return part;
}
