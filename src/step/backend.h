/* Where a step runs: the CPU, or a library that is loaded at run time and brings this table of functions. */
#ifndef GZ_STEP_BACKEND_H
#define GZ_STEP_BACKEND_H

#include "step/call.h"

#define GZ_BACKEND_VERSION 1u

/* What the library lends a back end for one step. */
typedef struct gz_backend_host {
    /* Records what went wrong; returns the status. */
    graze_status (*fail)(graze_context *context, graze_status status, uint64_t index, const char *format, ...);
    /* Answers pairs on the CPU, those that need exact arithmetic, say: results[i] is that of pairs[i]. */
    void (*answer)(const gz_step_call *call, graze_kind kind, const uint32_t (*pairs)[2], size_t count,
                   graze_result *results);
    void *(*allocate)(graze_context *context, size_t size);
    void (*release)(graze_context *context, void *block, size_t size);
} gz_backend_host;

/* A back end sees this library from the inside: `version` and `call_size` refuse one of another build. */
typedef struct gz_backend {
    uint32_t version; /* GZ_BACKEND_VERSION */
    size_t call_size; /* sizeof(gz_step_call) */
    const char *name;
    /* Takes a device; false, and one line in `reason`, where there is none. */
    bool (*open)(int device, void **state, char *reason, size_t room);
    void (*close)(void *state);
    /* Answers a step whose arguments are checked, with the bits of the CPU: verdicts, times and pairs as gz_step_run
       leaves them, counts that it does not make GRAZE_NOT_COUNTED, pairs from host->allocate. GRAZE_ERR_UNSUPPORTED for
       what it does not do. */
    graze_status (*step)(void *state, const gz_step_call *call, const gz_backend_host *host, graze_step_result *result);
} gz_backend;

/* The one symbol of such a library. */
#define GZ_BACKEND_SYMBOL "graze_backend_table"
typedef const gz_backend *gz_backend_table(void);

/* A back end in use by a context. */
typedef struct gz_backend_use {
    const gz_backend *table;
    void *library, *state;
} gz_backend_use;

/* What stands behind the options' choice: NULL in *use for the CPU. GRAZE_ERR_UNSUPPORTED, with the reason, where it is
   not there. Kept in the context. */
graze_status gz_backend_choose(graze_context *context, graze_backend asked, gz_backend_use **use);

extern const gz_backend_host gz_backend_lent;

#endif
