/* Finding the library of a back end, and keeping it open in a context. */
#ifndef GZ_BASE_BACKEND_LOAD_H
#define GZ_BASE_BACKEND_LOAD_H

#include "base/backend.h"
#include "base/context.h"

/* A back end that a context has tried to open. */
typedef struct gz_backend {
    void *library;
    const gz_backend_table *table;
    void *device; /* NULL: it is not there */
    char reason[200];
    double spent; /* seconds that steps took on the CPU which it might have taken */
} gz_backend;

/* The CUDA back end of this context, opened on first use; NULL with `reason` set. The reason stays the same for the
   life of the context, or until it is trimmed. */
gz_backend *gz_backend_open(graze_context *context, const char **reason);

/* What the context knows of it without opening it: NULL before the first step. */
gz_backend *gz_backend_kept(graze_context *context);

#endif
