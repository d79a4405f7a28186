/* The query files that a command works on, their kinds, and where their truth is. */
#ifndef GRAZE_APP_QUERY_FILES_H
#define GRAZE_APP_QUERY_FILES_H

#include "app/app.h"

#include "io/folder.h"
#include "io/query_csv.h"

/* Files as they are named; for a folder the CSV files in it and below. Exits 2 when there are none. */
io_paths app_query_paths(const char *command, const char **operands, int count);

/* `--kind` (NULL: not given), else the parent folder vertex-face or edge-edge, else a stem that ends in vf or ee. */
bool app_query_kind(const char *path, const char *kind_option, graze_kind *kind, io_error *error);

/* The number of queries in all the files. Exits 2 where one cannot be read. */
size_t app_count_queries(const io_paths *paths);

/* Several files in a row hold the queries from `from` to `to` − 1: gives those in this file. *begin is the place of the
   file in the row, and becomes that of the next file. The queries point into `whole`; the first of them is its query
   *first. */
io_queries app_part_of_queries(const io_queries *whole, size_t from, size_t to, size_t *begin, size_t *first);

/* Says which row of which query a method refused: the first with a coordinate beyond its range. */
bool app_refused_query(const char *path, const io_queries *queries, size_t index, graze_status status, io_error *error);

#endif
