#include "app/folders.h"

#include "app/app.h"

#include "io/output.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *app_text(const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) app_fail("a text cannot be put together");
    char *text = app_allocate((size_t)length + 1, 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

/* Calls visit for each folder on the way to a path, and the path; until it returns false. */
static void each_folder(const char *path, bool (*visit)(const char *folder)) {
    char *partial = app_text("%s", path);
    for (char *at = partial + 1;; at++) {
        if (*at && *at != '/') continue;
        char kept = *at;
        *at = '\0';
        bool more = visit(partial);
        *at = kept;
        if (!kept || !more) break;
    }
    free(partial);
}

static bool make_one(const char *folder) {
    struct stat about;
    if (mkdir(folder, 0777) == 0) return true;
    int reason = errno;
    if (reason != EEXIST && stat(folder, &about) != 0)
        app_fail("%s: cannot make the folder: %s", folder, strerror(reason));
    if (stat(folder, &about) == 0 && !S_ISDIR(about.st_mode)) app_fail("%s: is a file, not a folder", folder);
    return true;
}

void app_make_folder(const char *path) { each_folder(path, make_one); }

static bool check_one(const char *folder) {
    struct stat about;
    if (stat(folder, &about) != 0) return false;
    if (!S_ISDIR(about.st_mode)) app_fail("%s: is a file, not a folder", folder);
    return true;
}

void app_check_folder(const char *path) { each_folder(path, check_one); }

/* ---- numbered files ---- */

/* True if a file's name is NAME_<k>SUFFIX, k without leading zeros, and k at least `first`. */
static bool is_numbered(const char *file, const char *name, const char *suffix, uint64_t first) {
    size_t length = strlen(name);
    if (strncmp(file, name, length) != 0 || file[length] != '_') return false;
    const char *digits = file + length + 1;
    size_t count = strspn(digits, "0123456789");
    if (count == 0 || count > 18 || (count > 1 && *digits == '0') || strcmp(digits + count, suffix) != 0) return false;
    return strtoull(digits, NULL, 10) >= first;
}

static void refuse_input(const char *path) {
    if (io_is_input(path)) app_fail("%s: was read in this run and is not removed; give another folder", path);
}

static void remove_one(const char *path) {
    if (unlink(path) != 0 && errno != ENOENT) app_fail("%s: cannot remove: %s", path, strerror(errno));
}

void app_remove_numbered(const char *folder, const char *name, const char *suffix, uint64_t first) {
    void (*const visits[])(const char *path) = {refuse_input, remove_one}; /* all are looked at before one goes */
    DIR *stream = opendir(folder);
    for (int i = 0; stream && i < 2; i++, rewinddir(stream))
        for (const struct dirent *entry; (entry = readdir(stream));) {
            if (!is_numbered(entry->d_name, name, suffix, first)) continue;
            char *path = app_text("%s/%s", folder, entry->d_name);
            visits[i](path);
            free(path);
        }
    if (stream) closedir(stream);
}
