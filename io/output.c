#include "io/output.h"

#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* `target` and `temporary` are NULL where nothing is replaced. */
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
    char *path; /* as it was first named */
} * inputs;
static size_t input_count, input_capacity;

/* ---- inputs ---- */

static char *copy_text(const char *text, size_t length) {
    char *copy = malloc(length + 1);
    if (!copy) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

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
    char *named = copy_text(path, strlen(path));
    if (named) inputs[input_count++] = (struct file_id){about.st_dev, about.st_ino, named};
}

void io_forget_input(const char *path) {
    struct stat about;
    if (stat(path, &about) != 0) return;
    size_t i = find_input(&about);
    if (i == input_count) return;
    free(inputs[i].path);
    memmove(inputs + i, inputs + i + 1, (--input_count - i) * sizeof *inputs);
}

const char *io_input(size_t i) { return i < input_count ? inputs[i].path : NULL; }

bool io_is_input(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && find_input(&about) < input_count;
}

/* ---- opening ---- */

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

char *io_follow_links(const char *path, io_error *error) {
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

/* True if the file may be written: no input, and not under way already. */
static bool is_allowed(const struct io_opened *out, const struct stat *about, io_error *error) {
    if (about && S_ISDIR(about->st_mode)) return io_fail(error, out->path, 0, "is a folder, not a file");
    if (about && S_ISREG(about->st_mode) && find_input(about) < input_count)
        return io_fail(error, out->path, 0, "was read in this run and is not overwritten; give another name");
    for (const struct io_opened *other = all_open; other; other = other->next)
        if (other != out && other->target && strcmp(other->target, out->target) == 0)
            return io_fail(error, out->path, 0, "is already being written; give another name");
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
    out->target = io_follow_links(path, error);
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
            return io_fail(error, "-", 0, "standard output is already being written");
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

/* True if this name still leads to the open file. */
static bool is_in_place(int file, const char *name) {
    struct stat open_one, there;
    return fstat(file, &open_one) == 0 && lstat(name, &there) == 0 && open_one.st_dev == there.st_dev &&
           open_one.st_ino == there.st_ino;
}

/* All that was written is on its way to the disk, or on it where the list took long to make. */
static bool finish_writing(const io_output *output) {
    if (fflush(output->stream) != 0 || ferror(output->stream)) return false;
    return !output->open->growing || fsync(fileno(output->stream)) == 0;
}

/* The temporary file takes its place; false with the error set, and the old file untouched. */
static bool take_place(const io_output *output, io_error *error) {
    struct io_opened *out = output->open;
    struct stat about; /* it may have become an input since it was opened */
    if (stat(out->target, &about) == 0 && !is_allowed(out, &about, error)) return false;
    if (!is_in_place(fileno(output->stream), out->temporary))
        return io_fail(error, out->path, 0, "cannot write: %s was taken away by another program", out->temporary);
    return rename(out->temporary, out->target) == 0 ||
           io_fail(error, out->path, 0, "cannot write: %s", strerror(errno));
}

bool io_close_output(io_output *output, io_error *error) {
    struct io_opened *out = output->open;
    bool good = finish_writing(output) || io_fail(error, out->path, 0, "cannot write: %s", strerror(errno));
    if (out->temporary) {
        good = good && take_place(output, error); /* before it is closed: a lock ends there */
        if (!good && !out->growing) unlink(out->temporary);
        fclose(output->stream);
    } else if (fclose(output->stream) != 0 && good) {
        good = io_fail(error, out->path, 0, "cannot write: %s", strerror(errno));
    }
    release(out);
    *output = (io_output){0};
    return good;
}

/* A list that grows stays to be continued, unless it is empty. */
static void remove_temporary(const struct io_opened *out) {
    struct stat about;
    if (!out->temporary) return;
    if (!out->growing || (lstat(out->temporary, &about) == 0 && about.st_size == 0)) unlink(out->temporary);
}

void io_abandon_output(io_output *output) {
    if (!output->open) return;
    fclose(output->stream);
    remove_temporary(output->open);
    release(output->open);
    *output = (io_output){0};
}

void io_remove_temporaries(void) {
    for (const struct io_opened *out = all_open; out; out = out->next) remove_temporary(out);
}

void io_leave_outputs(void) { all_open = NULL; }

/* ---- lists that grow ---- */

/* The name is ours alone: a user's own FILE.part is left as it is. */
static char *part_name(const char *target) {
    static const char ending[] = ".graze-part";
    size_t length = strlen(target);
    char *name = malloc(length + sizeof ending);
    if (!name) return NULL;
    memcpy(name, target, length);
    memcpy(name + length, ending, sizeof ending);
    return name;
}

static bool is_regular_and_ours(int file) {
    struct stat about;
    return fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid();
}

/* Opens the part and locks it. Another run may put it in its place between the two: then there is a new one to be
   made. A link or somebody else's file is removed, never followed. −1 with errno set; EWOULDBLOCK: it is locked. */
static int open_locked(const char *part) {
    enum { MOST = 100 };
    for (int i = 0; i < MOST; i++) {
        int file = open(part, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode_for_new_files());
        if (file < 0 && errno != ELOOP && errno != ENXIO) return -1;
        if (file >= 0 && is_regular_and_ours(file)) {
            if (flock(file, LOCK_EX | LOCK_NB) == 0 && is_in_place(file, part)) return file;
            int reason = errno;
            bool gone = !is_in_place(file, part);
            close(file);
            errno = reason;
            if (!gone) return -1;
            continue;
        }
        if (file >= 0) close(file);
        if (unlink(part) != 0) return -1;
    }
    errno = EAGAIN;
    return -1;
}

static bool has_already(int file, const char *bytes, size_t size) {
    char piece[1 << 16];
    for (size_t at = 0; at < size;) {
        ssize_t got = pread(file, piece, size - at < sizeof piece ? size - at : sizeof piece, (off_t)at);
        if (got <= 0 || memcmp(piece, bytes + at, (size_t)got) != 0) return false;
        at += (size_t)got;
    }
    return true;
}

/* The part begins with these bytes: as an earlier run left them, or written now. */
static bool begin_with(int file, const char *bytes, size_t size) {
    bool there = has_already(file, bytes, size);
    if (ftruncate(file, there ? (off_t)size : 0) != 0 || lseek(file, 0, SEEK_END) < 0) return false;
    for (size_t at = 0; !there && at < size;) {
        ssize_t written = write(file, bytes + at, size - at);
        if (written < 0 && errno != EINTR) return false;
        at += written > 0 ? (size_t)written : 0;
    }
    return true;
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
    int file = open_locked(out->temporary);
    if (file < 0 && errno == EWOULDBLOCK) {
        io_fail(error, path, 0, "another run is writing it; wait for that run, or give another name");
        release(out);
        return false;
    }
    if (file >= 0 && !begin_with(file, bytes, size)) {
        int reason = errno;
        close(file);
        return fail_errno(out, reason, error);
    }
    if (file >= 0 && about.st_mode) fchmod(file, about.st_mode & 0777);
    return finish_opening(out, file, output, error);
}

bool io_read_growing(const char *path, char **bytes, size_t *size, io_error *error) {
    *bytes = NULL;
    *size = 0;
    char *target = io_follow_links(path, error);
    if (!target) return false;
    char *part = part_name(target);
    struct stat about;
    const char *there = part && lstat(part, &about) == 0 && S_ISREG(about.st_mode) ? part
                        : stat(target, &about) == 0                                ? target
                                                                                   : NULL;
    bool good = part != NULL || io_fail(error, path, 0, "out of memory");
    if (good && there && !S_ISREG(about.st_mode)) good = io_fail(error, path, 0, "not a file that can be continued");
    if (good && there) good = io_read_file(there, bytes, size, error);
    if (there) io_forget_input(there);
    free(target);
    free(part);
    return good;
}
