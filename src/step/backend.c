/* The table of back ends. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE 1 /* dladdr */
#endif
#include "step/backend.h"

#include "base/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if (defined(__unix__) || defined(__APPLE__)) && !defined(__EMSCRIPTEN__) && !defined(__wasm__)
#include <dlfcn.h>
#define HAVE_DLOPEN 1
#endif

static const char *const names[] = {"auto", "cpu", "cuda"};
#define COUNT (sizeof names / sizeof *names)

typedef struct reason {
    char text[160];
} reason;

const char *graze_backend_name(graze_backend backend) { return gz_name_of(names, COUNT, (int)backend); }

int graze_backend_find(const char *name, graze_backend *backend) {
    int found = gz_name_find(names, COUNT, name);
    if (found < 0 || !backend) return 0;
    *backend = (graze_backend)found;
    return 1;
}

/* ---- loading ---- */

#if defined(HAVE_DLOPEN)
/* libgraze_cuda.so in the folder of this library, or of the program that holds it. */
static void beside_us(char *path, size_t room) {
    Dl_info info;
    const char *slash = dladdr((const void *)names, &info) && info.dli_fname ? strrchr(info.dli_fname, '/') : NULL;
    int folder = slash ? (int)(slash - info.dli_fname) + 1 : 0;
    snprintf(path, room, "%.*slibgraze_cuda.so", folder, folder ? info.dli_fname : "");
}

static void *load(reason *why) {
    char path[4096];
    const char *named = getenv("GRAZE_CUDA_LIBRARY");
    if (named && *named)
        snprintf(path, sizeof path, "%s", named);
    else
        beside_us(path, sizeof path);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char *error = library ? NULL : dlerror();
    if (error) snprintf(why->text, sizeof why->text, "%s", error);
    return library;
}

/* The table of a library, or NULL: of another build it is none. */
static const gz_backend *table_of(void *library, reason *why) {
    void *symbol = dlsym(library, GZ_BACKEND_SYMBOL);
    gz_backend_table *give;
    memcpy(&give, &symbol, sizeof give); /* ISO C has no cast from object to function */
    const gz_backend *table = symbol ? give() : NULL;
    if (table && table->version == GZ_BACKEND_VERSION && table->call_size == sizeof(gz_step_call)) return table;
    snprintf(why->text, sizeof why->text, "%s",
             table ? "the library of the back end is of another build" : "the library named is no back end");
    return NULL;
}

static void unload(void *library) {
    if (library) dlclose(library);
}
#else
static void *load(reason *why) {
    snprintf(why->text, sizeof why->text, "this platform loads no libraries at run time");
    return NULL;
}
static const gz_backend *table_of(void *library, reason *why) {
    (void)library, (void)why;
    return NULL;
}
static void unload(void *library) { (void)library; }
#endif

static bool open_use(int device, gz_backend_use *use, reason *why) {
    *use = (gz_backend_use){.library = load(why)};
    use->table = use->library ? table_of(use->library, why) : NULL;
    if (use->table && use->table->open(device, &use->state, why->text, sizeof why->text)) return true;
    unload(use->library);
    return false;
}

static void close_use(gz_backend_use *use) {
    use->table->close(use->state);
    unload(use->library);
}

int graze_backend_available(graze_backend backend) {
    gz_backend_use use;
    reason why = {""};
    if (backend != GRAZE_BACKEND_CUDA) return graze_backend_name(backend) != NULL;
    if (!open_use(0, &use, &why)) return 0;
    close_use(&use);
    return 1;
}

/* ---- in a context ---- */

static void destroy_use(graze_context *context, void *object) {
    close_use(object);
    gz_release(context, object, sizeof(gz_backend_use));
}

graze_status gz_backend_choose(graze_context *context, graze_backend asked, gz_backend_use **use) {
    reason why = {""};
    *use = NULL;
    if (asked == GRAZE_BACKEND_AUTO) asked = context->options.backend;
    if (asked != GRAZE_BACKEND_CUDA) return GRAZE_OK;
    if (context->backend.object) {
        *use = context->backend.object;
        return GRAZE_OK;
    }
    gz_backend_use *made = gz_allocate(context, sizeof *made);
    if (!made) return GRAZE_ERR_OUT_OF_MEMORY;
    if (!open_use(context->options.device, made, &why)) {
        gz_release(context, made, sizeof *made);
        return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "back end cuda: %s", why.text);
    }
    context->backend = (gz_kept){.object = made, .destroy = destroy_use};
    *use = made;
    return GRAZE_OK;
}

static void answer(const gz_step_call *call, graze_kind kind, const uint32_t (*pairs)[2], size_t count,
                   graze_result *results) {
    enum { BLOCK = 256 };
    uint32_t ids[BLOCK][4];
    gz_counts counts = {0};
    for (size_t done = 0; done < count;) {
        size_t some = count - done < BLOCK ? count - done : BLOCK;
        gz_step_solve(call, 0, &counts, kind, NULL, pairs + done, some, ids, results + done);
        done += some;
    }
    gz_add_counts(call->context, &counts);
}

const gz_backend_host gz_backend_lent = {gz_fail, answer, gz_allocate, gz_release};
