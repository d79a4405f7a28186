/* Interface of libgraze to an MPI: a table that a library of its own exports as GZ_TRANSPORT_SYMBOL, one build for each
   MPI. This header is all that the two sides share. Functions are collective and return false where MPI failed; `ranks`
   is what `open` gave. */
#ifndef GZ_MPI_TRANSPORT_H
#define GZ_MPI_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GZ_TRANSPORT_VERSION 1u
#define GZ_TRANSPORT_SYMBOL "gz_transport_exported"

typedef struct gz_transport {
    uint32_t version, size; /* GZ_TRANSPORT_VERSION, sizeof(gz_transport) */
    /* Initializes MPI unless that was done; not collective. False with the reason in `message`. */
    bool (*start)(int32_t *world, char *message, size_t size);
    bool (*finish)(void);
    /* A duplicate of the communicator, kept with it and freed when it is; NULL with the reason. */
    void *(*open)(int32_t comm, char *message, size_t size);
    uint32_t (*rank)(void *ranks);
    uint32_t (*count)(void *ranks);
    /* The greatest of all ranks' values. */
    bool (*greatest)(void *ranks, uint64_t *value);
    /* The bytes of rank `root`, on all ranks. */
    bool (*broadcast)(void *ranks, uint32_t root, void *bytes, size_t size);
    /* `size` bytes from each rank, in order of ranks. */
    bool (*gather)(void *ranks, const void *mine, size_t size, void *all);
    /* `words` words to each rank and from each. */
    bool (*words)(void *ranks, const uint64_t *sent, uint64_t *received, uint32_t words);
    /* Bytes to each rank and from each, in order of ranks; the sizes are known on both sides. */
    bool (*exchange)(void *ranks, const char *sent, const size_t *sent_sizes, char *received,
                     const size_t *received_sizes);
    /* Writes at an offset of a file, which is made as long as `total`. */
    bool (*write)(void *ranks, const char *path, uint64_t offset, const void *bytes, size_t size, uint64_t total);
} gz_transport;

#endif
