#if defined(__linux__)
#define _GNU_SOURCE /* dladdr, RTLD_DEFAULT */
#endif

#include "mpi/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void destroy(graze_context *context, void *object) {
    gz_mpi_kept *kept = object;
    gz_dealt_free(&kept->dealt);
    gz_release(context, kept, sizeof *kept);
}

static gz_mpi_kept *kept_of(graze_context *context) {
    if (!context->mpi.object) {
        gz_mpi_kept *made = gz_allocate(context, sizeof *made);
        if (!made) return NULL;
        memset(made, 0, sizeof *made);
        made->dealt.hold.context = made->dealt.piece.hold.context = context;
        context->mpi = (gz_kept){.object = made, .destroy = destroy};
    }
    return context->mpi.object;
}

graze_status gz_mpi_open_with(graze_context *context, const gz_transport *transport, gz_mpi_kept **kept) {
    *kept = kept_of(context);
    if (!*kept) return GRAZE_ERR_OUT_OF_MEMORY;
    (*kept)->transport = transport;
    return GRAZE_OK;
}

#if defined(__linux__)
#include <dlfcn.h>

#define OPENMPI "libgraze_mpi_openmpi.so"
#define MPICH "libgraze_mpi_mpich.so"

/* The MPI that the process has, else the one whose launcher started it. */
static const char *library_name(void) {
    if (dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world")) return OPENMPI;
    if (dlsym(RTLD_DEFAULT, "MPI_Init")) return MPICH;
    return getenv("PMI_RANK") || getenv("PMI_SIZE") ? MPICH : OPENMPI;
}

/* Its functions stay: MPI does not survive being closed. Its names are global: Open MPI's own plugins look for them. */
static void *open_file(const char *path) { return dlopen(path, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE); }

static void *open_library(char *reason, size_t size) {
    const char *named = getenv("GRAZE_MPI_LIBRARY"), *name = library_name();
    char path[4096];
    Dl_info here;
    void *library = NULL;
    if (named && *named) {
        library = open_file(named);
    } else {
        const char *slash = dladdr((const void *)name, &here) && here.dli_fname ? strrchr(here.dli_fname, '/') : NULL;
        if (slash) {
            snprintf(path, sizeof path, "%.*s%s", (int)(slash - here.dli_fname) + 1, here.dli_fname, name);
            library = open_file(path);
        }
        if (!library) library = open_file(name);
    }
    const char *error = library ? NULL : dlerror();
    if (error) snprintf(reason, size, "%s", error);
    return library;
}

static const gz_transport *find_transport(char *reason, size_t size) {
    void *library = open_library(reason, size);
    if (!library) return NULL;
    const gz_transport *found = dlsym(library, GZ_TRANSPORT_SYMBOL);
    if (!found)
        snprintf(reason, size, "the library exports no " GZ_TRANSPORT_SYMBOL);
    else if (found->version != GZ_TRANSPORT_VERSION || found->size != sizeof *found)
        snprintf(reason, size, "the library is of another version of graze");
    else
        return found;
    return NULL;
}
#else
static const gz_transport *find_transport(char *reason, size_t size) {
    snprintf(reason, size, "this platform loads no libraries at run time");
    return NULL;
}
#endif

graze_status gz_mpi_open(graze_context *context, const gz_transport **transport, gz_mpi_kept **kept) {
    char reason[160] = "";
    *kept = kept_of(context);
    *transport = *kept ? (*kept)->transport : NULL;
    if (!*transport) *transport = find_transport(reason, sizeof reason);
    if (!*transport) return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "MPI: %s", reason);
    if (!*kept) return GRAZE_ERR_OUT_OF_MEMORY;
    (*kept)->transport = *transport;
    return GRAZE_OK;
}

graze_status gz_mpi_open_ranks(graze_context *context, int32_t comm, gz_hold *hold, gz_mpi_kept **kept,
                               gz_ranks *ranks) {
    char reason[160] = "";
    const gz_transport *transport;
    *hold = (gz_hold){.context = context};
    graze_status mine = gz_mpi_open(context, &transport, kept);
    if (!transport) return mine;
    void *handle = transport->open(comm, reason, sizeof reason);
    if (!handle) return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "%s", reason);
    return gz_ranks_open(context, transport, handle, mine, hold, ranks);
}
