/* graze sim: starts graze-sim, which lies beside this program or on the path. */
#include "cli/cli.h"
#include "cli/folders.h"

#include "sim/arguments.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder of this program; NULL where the system does not tell. */
static char *own_folder(void) {
    enum { ROOM = 4096 };
    char *path = cli_allocate(ROOM, 1);
    ssize_t length = readlink("/proc/self/exe", path, ROOM - 1);
    char *slash = length > 0 ? strrchr(path, '/') : NULL;
    if (slash) {
        *slash = 0;
        return path;
    }
    free(path);
    return NULL;
}

int cmd_sim(int argc, char **argv) {
    sim_arguments arguments;
    sim_arguments_read(&arguments, argc, argv);
    char *folder = own_folder(), *beside = folder ? cli_text("%s/graze-sim", folder) : NULL;
    fflush(NULL);
    if (beside) execv(beside, argv);
    if (!beside || errno == ENOENT) execvp("graze-sim", argv);
    if (errno != ENOENT) cli_fail("sim: cannot start graze-sim: %s", strerror(errno));
    cli_fail("sim: the simulator is not in this build: it needs SuiteSparse (Debian: libsuitesparse-dev)");
}
