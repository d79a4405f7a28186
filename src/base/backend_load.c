#if defined(__linux__)
#define _GNU_SOURCE /* dladdr */
#endif

#include "base/backend_load.h"

#include "base/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libgraze_cuda.so"

#if defined(__linux__)
#include <dlfcn.h>

static void close_library(void *library) { dlclose(library); }

/* Beside the file that this code is in: libgraze.so, or a program that holds it. False when that is not known. */
static int beside(char *path, size_t size) {
    Dl_info here;
    if (!dladdr((const void *)LIBRARY, &here) || !here.dli_fname) return 0;
    const char *slash = strrchr(here.dli_fname, '/');
    int folder = slash ? (int)(slash - here.dli_fname) + 1 : 0;
    int length = snprintf(path, size, "%.*s%s", folder, here.dli_fname, LIBRARY);
    return length > 0 && (size_t)length < size;
}

static void *open_library(char *reason, size_t size) {
    const char *named = getenv("GRAZE_CUDA_LIBRARY");
    char path[4096];
    void *library = NULL;
    if (named && *named) {
        library = dlopen(named, RTLD_NOW | RTLD_LOCAL);
    } else {
        if (beside(path, sizeof path)) library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (!library) library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    }
    if (!library) {
        const char *error = dlerror();
        snprintf(reason, size, "%s", error ? error : "the library " LIBRARY " cannot be loaded");
    }
    return library;
}

static const gz_backend_table *find_table(void *library) { return dlsym(library, GZ_BACKEND_SYMBOL); }

#else
static void close_library(void *library) { (void)library; }
static void *open_library(char *reason, size_t size) {
    snprintf(reason, size, "this platform loads no libraries at run time");
    return NULL;
}
static const gz_backend_table *find_table(void *library) {
    (void)library;
    return NULL;
}
#endif

static int fits(const gz_backend_table *table) {
    return table->version == GZ_BACKEND_VERSION && table->request_size == sizeof(gz_backend_request) &&
           table->answer_size == sizeof(gz_backend_answer) && table->result_size == sizeof(graze_pair_result) &&
           table->near_size == sizeof(graze_proximity_pair) && table->batch_request_size == sizeof(gz_batch_request) &&
           table->batch_answer_size == sizeof(gz_batch_answer);
}

/* On failure `device` stays NULL and `reason` says why. */
static void open_device(gz_backend *backend, int device) {
    backend->library = open_library(backend->reason, sizeof backend->reason);
    if (!backend->library) return;
    backend->table = find_table(backend->library);
    if (!backend->table)
        snprintf(backend->reason, sizeof backend->reason, "the library of the back end exports no " GZ_BACKEND_SYMBOL);
    else if (!fits(backend->table))
        snprintf(backend->reason, sizeof backend->reason, "the library of the back end is of another version of graze");
    else
        backend->device = backend->table->open(device, backend->reason, sizeof backend->reason);
}

static void close_backend(gz_backend *backend) {
    if (backend->device) backend->table->close(backend->device);
    if (backend->library) close_library(backend->library);
}

static void destroy(graze_context *context, void *object) {
    close_backend(object);
    gz_release(context, object, sizeof(gz_backend));
}

gz_backend *gz_backend_kept(graze_context *context) {
    if (!context->backend.object) {
        gz_backend *made = gz_allocate(context, sizeof *made);
        if (!made) return NULL;
        memset(made, 0, sizeof *made);
        context->backend = (gz_kept){.object = made, .destroy = destroy};
    }
    return context->backend.object;
}

gz_backend *gz_backend_open(graze_context *context, const char **reason) {
    gz_backend *backend = gz_backend_kept(context);
    *reason = backend ? backend->reason : "no memory";
    if (!backend) return NULL;
    if (!backend->device && !backend->reason[0]) {
        open_device(backend, context->options.device);
        gz_log(context, GRAZE_LOG_INFO, "back end cuda: %s", backend->device ? "open" : backend->reason);
    }
    return backend->device ? backend : NULL;
}

graze_status gz_backend_by_name(graze_context *context, const char *why, gz_backend **backend) {
    *backend = NULL;
    if (!why) {
        if (!gz_backend_kept(context)) return GRAZE_ERR_OUT_OF_MEMORY;
        *backend = gz_backend_open(context, &why);
    }
    return *backend ? GRAZE_OK : gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "back end cuda: %s", why);
}

bool gz_backend_has(const graze_context *context, const void *pairs) {
    const gz_backend *backend = context->backend.object;
    return pairs && backend && backend->listed == pairs;
}

int graze_backend_available(graze_backend which) {
    if (which != GRAZE_BACKEND_CUDA) return which == GRAZE_BACKEND_AUTO || which == GRAZE_BACKEND_CPU;
    gz_backend backend = {0};
    open_device(&backend, -1);
    int available = backend.device != NULL;
    close_backend(&backend);
    return available;
}

static const char *const names[] = {"auto", "cpu", "cuda"};
#define NAME_COUNT (sizeof names / sizeof *names)

const char *graze_backend_name(graze_backend backend) { return gz_name_of(names, NAME_COUNT, (int)backend); }

int graze_backend_find(const char *name, graze_backend *backend) {
    int found = gz_name_find(names, NAME_COUNT, name);
    if (found < 0 || !backend) return 0;
    *backend = (graze_backend)found;
    return 1;
}
