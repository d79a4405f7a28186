#include "io/file.h"

#include "io/output.h"
#include "io/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool io_fail(io_error *error, const char *path, size_t line, const char *format, ...) {
    if (!error) return false;
    char reason[360];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    const char *shown = io_path_tail(path, 200); /* that is where the name is */
    const char *mark = shown == path ? "" : "…";
    if (line)
        snprintf(error->message, sizeof error->message, "%s%s:%zu: %s", mark, shown, line, reason);
    else
        snprintf(error->message, sizeof error->message, "%s%s: %s", mark, shown, reason);
    io_make_printable(error->message);
    return false;
}

#define LARGEST_PIPE ((uint64_t)1 << 30) /* what does not end is no file */

/* The rest of the stream, with a NUL behind it; NULL without memory or, `*used` beyond the limit, without an end. */
static char *read_rest(FILE *stream, size_t expected, uint64_t most, size_t *used) {
    size_t capacity = expected > 0 ? expected + 1 : 1 << 16;
    char *buffer = malloc(capacity);
    for (*used = 0; buffer;) {
        *used += fread(buffer + *used, 1, capacity - *used - 1, stream);
        if (*used + 1 < capacity) break;
        char *grown = *used > most || capacity > SIZE_MAX / 2 ? NULL : realloc(buffer, capacity * 2);
        if (!grown) {
            free(buffer);
            return NULL;
        }
        buffer = grown;
        capacity *= 2;
    }
    if (buffer) buffer[*used] = '\0';
    return buffer;
}

static bool read_stream(const char *path, FILE *stream, const struct stat *about, char **bytes, size_t *size,
                        io_error *error) {
    bool regular = S_ISREG(about->st_mode);
    uint64_t most = regular ? UINT64_MAX : LARGEST_PIPE;
    size_t used;
    char *buffer = read_rest(stream, regular && about->st_size > 0 ? (size_t)about->st_size : 0, most, &used);
    if (!buffer && used > most) return io_fail(error, path, 0, "has more than 1 GiB and is no regular file");
    if (!buffer) return io_fail(error, path, 0, "out of memory");
    if (ferror(stream)) {
        free(buffer);
        return io_fail(error, path, 0, "cannot read: %s", strerror(errno));
    }
    io_note_input(path);
    *bytes = buffer;
    *size = used;
    return true;
}

static bool read_whole(const char *path, bool regular, char **bytes, size_t *size, io_error *error) {
    *bytes = NULL;
    *size = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC | (regular ? O_NONBLOCK : 0)); /* a pipe is not waited for */
    struct stat about;
    if (file < 0 || fstat(file, &about) != 0) {
        int reason = errno;
        if (file >= 0) close(file);
        return io_fail(error, path, 0, "cannot open: %s", strerror(reason));
    }
    bool is_folder = S_ISDIR(about.st_mode), fit = !is_folder && (!regular || S_ISREG(about.st_mode));
    FILE *stream = fit ? fdopen(file, "rb") : NULL;
    bool good = stream && read_stream(path, stream, &about, bytes, size, error);
    if (stream)
        fclose(stream);
    else
        close(file);
    if (stream) return good;
    return io_fail(error, path, 0,
                   is_folder ? "is a folder, not a file"
                   : fit     ? "out of memory"
                             : "is not a regular file");
}

bool io_read_file(const char *path, char **bytes, size_t *size, io_error *error) {
    return read_whole(path, false, bytes, size, error);
}

bool io_read_regular_file(const char *path, char **bytes, size_t *size, io_error *error) {
    return read_whole(path, true, bytes, size, error);
}
