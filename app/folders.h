/* Folders that subcommands write into. */
#ifndef GRAZE_APP_FOLDERS_H
#define GRAZE_APP_FOLDERS_H

/* Makes a folder and those above it; one that is there already is fine. Exits 2 when it cannot. */
void cli_make_folder(const char *path);

/* Exits 2 where a file is in the way of that: to be asked before long work, and makes nothing. */
void cli_check_folder(const char *path);

/* printf into fresh memory: "%s/frames", … Free it. */
char *cli_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
