/* Any bytes as a query CSV: an error or queries, never a crash. */
#include "io/query_csv.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/graze-fuzz-%ld.csv", (long)getpid());
    FILE *stream = fopen(path, "wb");
    if (!stream) abort();
    fwrite(data, 1, size, stream);
    fclose(stream);
    io_queries queries;
    io_error error;
    if (io_read_query_csv(path, &queries, &error)) io_free_queries(&queries);
    return 0;
}
