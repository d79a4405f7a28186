#include "io/file.h"

#include "io/output.h"
#include "io/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

bool io_read_file(const char *path, char **bytes, size_t *size, io_error *error) {
    *bytes = NULL;
    *size = 0;
    FILE *stream = fopen(path, "rb");
    if (!stream) return io_fail(error, path, 0, "cannot open: %s", strerror(errno));
    struct stat about;
    if (fstat(fileno(stream), &about) == 0 && S_ISDIR(about.st_mode)) {
        fclose(stream);
        return io_fail(error, path, 0, "is a folder, not a file");
    }
    size_t capacity = about.st_size > 0 ? (size_t)about.st_size + 1 : 1 << 16;
    char *buffer = malloc(capacity);
    size_t used = 0;
    while (buffer) {
        used += fread(buffer + used, 1, capacity - used - 1, stream);
        if (used + 1 < capacity) break;
        char *grown = realloc(buffer, capacity * 2);
        if (!grown) {
            free(buffer);
            buffer = NULL;
            break;
        }
        buffer = grown;
        capacity *= 2;
    }
    bool failed = ferror(stream) != 0;
    fclose(stream);
    if (!buffer) return io_fail(error, path, 0, "out of memory");
    if (failed) {
        free(buffer);
        return io_fail(error, path, 0, "cannot read: %s", strerror(errno));
    }
    io_note_input(path);
    buffer[used] = '\0';
    *bytes = buffer;
    *size = used;
    return true;
}
