/* Queries as the public datasets write them: 8 rows a query, each coordinate a numerator and a denominator. */
#ifndef GRAZE_IO_QUERY_CSV_H
#define GRAZE_IO_QUERY_CSV_H

#include "graze/query.h"

#include "io/error.h"

typedef struct io_queries {
    graze_query *queries;
    size_t count;
    unsigned char *truth; /* 0 or 1 for each query; NULL where the file has no such column */
} io_queries;

/* Reads a whole file. Every rational must be a double exactly; its integers have at most 10,000 digits. On failure
   `queries` is empty. */
bool io_read_query_csv(const char *path, io_queries *queries, io_error *error);
bool io_parse_query_csv(io_source source, io_queries *queries, io_error *error); /* the same from memory */
void io_free_queries(io_queries *queries);

/* Writes queries in the same format, with the truth column when `truth` is not NULL. Replaces the file atomically. */
bool io_write_query_csv(const char *path, const graze_query *queries, size_t count, const unsigned char *truth,
                        io_error *error);

#endif
