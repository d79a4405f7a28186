/* Folders that subcommands write into. */
#ifndef GRAZE_APP_FOLDERS_H
#define GRAZE_APP_FOLDERS_H

#include <stdint.h>

/* Makes a folder and those above it; one that is there already is fine. Exits 2 when it cannot. */
void app_make_folder(const char *path);

/* Exits 2 where a file is in the way of that: to be asked before long work, and makes nothing. */
void app_check_folder(const char *path);

/* Removes the files NAME_<k>SUFFIX of a folder whose number k is `first` or more: those that an earlier run left. Exits
   2 when one cannot be removed, or was read by this process. */
void app_remove_numbered(const char *folder, const char *name, const char *suffix, uint64_t first);

/* printf into fresh memory: "%s/frames", … Free it. */
char *app_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
