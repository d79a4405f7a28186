/* graze sim: starts graze-sim, which lies beside this program or on the path. */
#include "app/app.h"
#include "cli/commands.h"

#include "app/sim_program.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int cmd_sim(int argc, char **argv) {
    (void)argc; /* graze-sim reads the options */
    char *path = app_sim_program();
    fflush(NULL);
    if (path)
        execv(path, argv);
    else
        execvp("graze-sim", argv);
    if (errno != ENOENT) app_fail("sim: cannot start graze-sim: %s", strerror(errno));
    app_fail("sim: the simulator is not in this build: it needs SuiteSparse (Debian: libsuitesparse-dev)");
}
