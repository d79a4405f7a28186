#include "cli/folders.h"

#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *cli_text(const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) cli_fail("a text cannot be put together");
    char *text = cli_allocate((size_t)length + 1, 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

void cli_make_folder(const char *path) {
    char *partial = cli_text("%s", path);
    for (char *at = partial + 1;; at++) {
        if (*at && *at != '/') continue;
        char kept = *at;
        *at = '\0';
        struct stat about;
        if (mkdir(partial, 0777) != 0) {
            int reason = errno;
            if (reason != EEXIST && stat(partial, &about) != 0)
                cli_fail("%s: cannot make the folder: %s", partial, strerror(reason));
            if (stat(partial, &about) == 0 && !S_ISDIR(about.st_mode)) cli_fail("%s: is a file, not a folder", partial);
        }
        *at = kept;
        if (!kept) break;
    }
    free(partial);
}
