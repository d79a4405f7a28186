#include "io/output.h"

#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where nothing is replaced, `target` and `temporary` are NULL. */
struct io_opened {
    char *path;      /* as it was given */
    char *target;    /* where its links lead */
    char *temporary; /* takes the place of the target */
    bool growing;    /* the temporary file stays when the run is cut off */
    struct io_opened *next;
};

/* The program's open outputs and its inputs: a signal handler and a reader far away must find them. They are opened and
   closed by one thread. */
static struct io_opened *all_open;
static struct file_id {
    dev_t device;
    ino_t node;
} * inputs;
static size_t input_count, input_capacity;

/* ---- inputs ---- */

static size_t find_input(const struct stat *about) {
    size_t i = 0;
    while (i < input_count && !(inputs[i].device == about->st_dev && inputs[i].node == about->st_ino)) i++;
    return i;
}

void io_note_input(const char *path) {
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) || find_input(&about) < input_count) return;
    if (input_count == input_capacity) {
        size_t larger = input_capacity ? 2 * input_capacity : 64;
        struct file_id *grown = realloc(inputs, larger * sizeof *grown);
        if (!grown) return; /* what is read next will not find memory either */
        inputs = grown;
        input_capacity = larger;
    }
    inputs[input_count++] = (struct file_id){about.st_dev, about.st_ino};
}

void io_forget_input(const char *path) {
    struct stat about;
    if (stat(path, &about) != 0) return;
    size_t i = find_input(&about);
    if (i < input_count) inputs[i] = inputs[--input_count];
}

bool io_is_input(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && find_input(&about) < input_count;
}

/* ---- opening ---- */

static char *copy_text(const char *text, size_t length) {
    char *copy = malloc(length + 1);
    if (!copy) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

/* Length of "folder/" in front of the name. */
static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

static char *in_folder_of(const char *path, const char *name) {
    size_t length = folder_length(path), more = strlen(name);
    char *joined = malloc(length + more + 1);
    if (!joined) return NULL;
    memcpy(joined, path, length);
    memcpy(joined + length, name, more + 1);
    return joined;
}

/* Where a path leads through links, also where the last one leads to nothing yet. */
static char *follow_links(const char *path, io_error *error) {
    enum { MOST = 40 };
    char *here = copy_text(path, strlen(path));
    for (int i = 0; here && i < MOST; i++) {
        char to[4096];
        ssize_t length = readlink(here, to, sizeof to - 1);
        if (length < 0) return here; /* not a link */
        to[length] = '\0';
        char *next = to[0] == '/' ? copy_text(to, (size_t)length) : in_folder_of(here, to);
        free(here);
        here = next;
    }
    io_fail(error, path, 0, here ? "cannot write: too many links" : "out of memory");
    free(here);
    return NULL;
}

static void release(struct io_opened *out) {
    for (struct io_opened **at = &all_open; *at; at = &(*at)->next)
        if (*at == out) {
            *at = out->next;
            break;
        }
    free(out->path);
    free(out->target);
    free(out->temporary);
    free(out);
}

static bool fail_errno(struct io_opened *out, int reason, io_error *error) {
    io_fail(error, out->path, 0, "cannot write: %s", strerror(reason));
    release(out);
    return false;
}

/* Whether the file may be written: no input, and not under way already. */
static bool is_allowed(const struct io_opened *out, const struct stat *about, io_error *error) {
    if (about && S_ISDIR(about->st_mode)) return io_fail(error, out->path, 0, "is a folder, not a file");
    if (about && S_ISREG(about->st_mode) && find_input(about) < input_count)
        return io_fail(error, out->path, 0, "was read in this run and is not overwritten; give another name");
    for (const struct io_opened *other = all_open; other; other = other->next)
        if (other != out && other->target && strcmp(other->target, out->target) == 0)
            return io_fail(error, out->path, 0, "is written already; give another name");
    return true;
}

/* A record of the output, in the list; NULL with the error set. `about` tells what is there: mode 0 for nothing. */
static struct io_opened *begin(const char *path, struct stat *about, io_error *error) {
    struct io_opened *out = calloc(1, sizeof *out);
    if (out) out->path = copy_text(path, strlen(path));
    if (!out || !out->path) {
        free(out);
        io_fail(error, path, 0, "out of memory");
        return NULL;
    }
    out->next = all_open;
    all_open = out;
    out->target = follow_links(path, error);
    bool there = stat(path, about) == 0;
    if (!there) about->st_mode = 0;
    if (out->target && is_allowed(out, there ? about : NULL, error)) return out;
    release(out);
    return NULL;
}

static mode_t mode_for_new_files(void) {
    mode_t mask = umask(0);
    umask(mask);
    return (mode_t)(0666 & ~mask);
}

static bool finish_opening(struct io_opened *out, int file, io_output *output, io_error *error) {
    FILE *stream = file < 0 ? NULL : fdopen(file, "wb");
    if (!stream) {
        int reason = errno;
        if (file >= 0) close(file);
        return fail_errno(out, reason, error);
    }
    *output = (io_output){stream, out};
    return true;
}

/* A device, a FIFO or a socket: nothing to replace. */
static bool open_direct(struct io_opened *out, io_output *output, io_error *error) {
    int file = open(out->path, O_WRONLY | O_NOCTTY);
    free(out->target);
    out->target = NULL;
    return finish_opening(out, file, output, error);
}

static bool open_standard(io_output *output, io_error *error) {
    struct io_opened *out = calloc(1, sizeof *out);
    if (out) out->path = copy_text("-", 1);
    if (!out || !out->path) {
        free(out);
        return io_fail(error, "-", 0, "out of memory");
    }
    for (const struct io_opened *other = all_open; other; other = other->next)
        if (strcmp(other->path, "-") == 0) {
            release(out);
            return io_fail(error, "-", 0, "standard output is written already");
        }
    out->next = all_open;
    all_open = out;
    fflush(stdout);
    return finish_opening(out, dup(STDOUT_FILENO), output, error);
}

bool io_open_output(const char *path, io_output *output, io_error *error) {
    *output = (io_output){0};
    if (strcmp(path, "-") == 0) return open_standard(output, error);
    struct stat about;
    struct io_opened *out = begin(path, &about, error);
    if (!out) return false;
    if (about.st_mode && !S_ISREG(about.st_mode)) return open_direct(out, output, error);
    out->temporary = in_folder_of(out->target, ".graze-XXXXXX");
    if (!out->temporary) return fail_errno(out, ENOMEM, error);
    int file = mkstemp(out->temporary); /* fresh, and a name that cannot be guessed */
    if (file < 0) {
        int reason = errno;
        free(out->temporary);
        out->temporary = NULL;
        return fail_errno(out, reason, error);
    }
    fchmod(file, about.st_mode ? about.st_mode & 0777 : mode_for_new_files());
    return finish_opening(out, file, output, error);
}

/* ---- closing ---- */

bool io_close_output(io_output *output, io_error *error) {
    struct io_opened *out = output->open;
    bool good = fflush(output->stream) == 0 && !ferror(output->stream);
    int reason = errno;
    if (fclose(output->stream) != 0 && good) {
        good = false;
        reason = errno;
    }
    struct stat about; /* it may have become an input since it was opened */
    bool there = out->target && stat(out->target, &about) == 0;
    bool allowed = !there || is_allowed(out, &about, error);
    if (good && allowed && out->temporary && rename(out->temporary, out->target) != 0) {
        good = false;
        reason = errno;
    }
    if (!good) io_fail(error, out->path, 0, "cannot write: %s", strerror(reason));
    if (!(good && allowed) && out->temporary && !out->growing) unlink(out->temporary);
    release(out);
    *output = (io_output){0};
    return good && allowed;
}

void io_abandon_output(io_output *output) {
    if (!output->open) return;
    fclose(output->stream);
    if (output->open->temporary && !output->open->growing) unlink(output->open->temporary);
    release(output->open);
    *output = (io_output){0};
}

void io_remove_temporaries(void) {
    for (const struct io_opened *out = all_open; out; out = out->next)
        if (out->temporary && !out->growing) unlink(out->temporary);
}

/* ---- lists that grow ---- */

static char *part_name(const char *target) {
    size_t length = strlen(target);
    char *name = malloc(length + 6);
    if (!name) return NULL;
    memcpy(name, target, length);
    memcpy(name + length, ".part", 6);
    return name;
}

/* The .part of an earlier run, ready to go on after `size` bytes: a file of our own, not a link that another has put
   there. −1 where there is none. */
static int reopen_part(const char *part, size_t size) {
    int file = open(part, O_RDWR | O_NOFOLLOW);
    struct stat about;
    if (file < 0) return -1;
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() &&
        about.st_size >= (off_t)size && ftruncate(file, (off_t)size) == 0 && lseek(file, 0, SEEK_END) == (off_t)size)
        return file;
    close(file);
    return -1;
}

bool io_open_growing(const char *path, const char *bytes, size_t size, io_output *output, io_error *error) {
    *output = (io_output){0};
    if (strcmp(path, "-") == 0) return open_standard(output, error);
    struct stat about;
    struct io_opened *out = begin(path, &about, error);
    if (!out) return false;
    if (about.st_mode && !S_ISREG(about.st_mode)) return open_direct(out, output, error);
    out->growing = true;
    out->temporary = part_name(out->target);
    if (!out->temporary) return fail_errno(out, ENOMEM, error);
    int file = size ? reopen_part(out->temporary, size) : -1;
    bool fresh = file < 0;
    if (fresh) {
        unlink(out->temporary);
        file = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode_for_new_files());
    }
    if (!finish_opening(out, file, output, error)) return false;
    if (fresh && size) fwrite(bytes, 1, size, output->stream);
    return true;
}

bool io_read_growing(const char *path, char **bytes, size_t *size, io_error *error) {
    *bytes = NULL;
    *size = 0;
    char *target = follow_links(path, error);
    if (!target) return false;
    char *part = part_name(target);
    const char *there = part && access(part, F_OK) == 0 ? part : access(target, F_OK) == 0 ? target : NULL;
    bool good = part != NULL || io_fail(error, path, 0, "out of memory");
    if (good && there) good = io_read_file(there, bytes, size, error);
    if (there) io_forget_input(there);
    free(target);
    free(part);
    return good;
}
