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
    const void *listed; /* candidates that it left in its memory last */
    double spent;       /* seconds that calls took on the CPU which it might have taken */
    /* seconds that a query of the last large batch took, by method (certified, exact) and place (CPU, back end); 0: not
       known */
    double query_seconds[2][2];
} gz_backend;

/* The CUDA back end of this context, opened on first use; NULL with `reason` set. The reason stays the same for the
   life of the context, or until it is trimmed. */
gz_backend *gz_backend_open(graze_context *context, const char **reason);

/* As gz_backend_open, for a back end that was asked for by name. `why`: what it cannot answer, or NULL. The error is
   GRAZE_ERR_UNSUPPORTED with that or the reason, or GRAZE_ERR_OUT_OF_MEMORY. */
graze_status gz_backend_by_name(graze_context *context, const char *why, gz_backend **backend);

/* Opening a device takes a while: with the back end left to us, a context waits until its calls have taken about as
   long as that, half a second, on the CPU. */
#define GZ_WORTH_OPENING 0.5

/* True if these are candidates that it left in its own memory. */
bool gz_backend_has(const graze_context *context, const void *pairs);

/* The context's record of the back end, which is not opened; NULL without memory. */
gz_backend *gz_backend_kept(graze_context *context);

#endif
