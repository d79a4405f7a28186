/* Outputs of the program, by the rule of io/output.h, and what it does when it cannot write or is stopped. */
#ifndef GRAZE_APP_OUTPUTS_H
#define GRAZE_APP_OUTPUTS_H

#include "app/app.h"

#include "io/output.h"

/* Before anything is opened: a standard stream that is closed must not become a file of ours, and temporary files go
   when the program ends, whatever ends it. */
void app_guard_outputs(void);

/* Opens what `option` names, or exits 2. With `-` the file goes to standard output, and what the command says goes to
   stderr instead; with --json `-` is an error, for stdout has its one object. */
void app_open_output(const char *option, const char *path, bool json, io_output *output);
/* Exits 2 when something could not be written. */
void app_close_output(io_output *output);

/* The exit status in the end: 2 with a line where stdout could not be written. */
int app_finish(int status);

/* ---- being stopped ---- */

/* From here on the first Ctrl-C, SIGTERM or SIGHUP only sets a mark, so that what was done can be kept; one that comes
   two seconds later ends the program. */
void app_catch_stop(void);
bool app_is_stopped(void);
/* Ends as the signal would have ended it, so that whoever started the program sees that. */
_Noreturn void app_end_stopped(void);

#endif
