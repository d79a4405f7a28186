#include "cli/query_files.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

io_paths cli_query_paths(const char *command, const char **operands, int count) {
    if (count == 0) cli_fail("%s: which queries? Name CSV files or folders of them", command);
    io_paths paths = {0};
    io_error error;
    for (int i = 0; i < count; i++) {
        size_t before = paths.count;
        bool folder = io_is_folder(operands[i]);
        if (folder ? !io_list_folder(operands[i], ".csv", true, &paths, &error)
                   : !io_add_path(&paths, operands[i], &error))
            cli_fail("%s", error.message);
        if (paths.count == before) cli_fail("%s: no CSV file in this folder or below it", operands[i]);
    }
    return paths;
}

const char *cli_kind_name(graze_kind kind) {
    static const char *const names[] = {"vf", "ee", "pe", "pp"};
    return (unsigned)kind < 4 ? names[kind] : "?";
}

static bool kind_of_folder(const char *path, graze_kind *kind) {
    const char *slash = strrchr(path, '/');
    if (!slash) return false;
    const char *start = slash;
    while (start > path && start[-1] != '/') start--;
    size_t length = (size_t)(slash - start);
    bool vf = length == 11 && memcmp(start, "vertex-face", 11) == 0;
    bool ee = length == 9 && memcmp(start, "edge-edge", 9) == 0;
    *kind = vf ? GRAZE_VF : GRAZE_EE;
    return vf || ee;
}

bool cli_query_kind(const char *path, const char *kind_option, graze_kind *kind, io_error *error) {
    if (kind_option) {
        bool vf = strcmp(kind_option, "vf") == 0;
        *kind = vf ? GRAZE_VF : GRAZE_EE;
        if (vf || strcmp(kind_option, "ee") == 0) return true;
        return io_fail(error, "--kind", 0, "'%s' is not a kind; there are: vf, ee", kind_option);
    }
    if (kind_of_folder(path, kind)) return true;
    char here[4096]; /* "a.csv" has a parent folder too */
    while (strncmp(path, "./", 2) == 0) path += 2;
    bool told = !strchr(path, '/') && getcwd(here, sizeof here - 1) && kind_of_folder(strcat(here, "/"), kind);
    if (told) return true;
    size_t length;
    const char *name = io_base_name(path, &length);
    for (size_t i = length; i > 0; i--)
        if (name[i - 1] == '.') {
            length = i - 1;
            break;
        }
    if (length >= 2 && (memcmp(name + length - 2, "vf", 2) == 0 || memcmp(name + length - 2, "ee", 2) == 0)) {
        *kind = name[length - 2] == 'v' ? GRAZE_VF : GRAZE_EE;
        return true;
    }
    if (access(path, F_OK) != 0) return io_fail(error, path, 0, "cannot open: %s", strerror(errno));
    return io_fail(error, path, 0,
                   "vertex-face or edge-edge? Neither folder nor name tells; say --kind vf or --kind ee");
}

bool cli_refused_query(const char *path, const io_queries *queries, size_t index, graze_status status,
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
