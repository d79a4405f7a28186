/* Threads that wait should sleep: OpenMP's spin by default, and on cores that others use too a step then takes many
 * times longer. OpenMP reads its variables before main runs, so they are set before that, unless the user did. */
#include <stdlib.h>

#if defined(__linux__) && defined(__GLIBC__)

static void sleep_while_waiting(int argc, char **argv, char **environment) {
    (void)argc;
    (void)argv;
    (void)environment;
    setenv("OMP_WAIT_POLICY", "passive", 0);
}

__attribute__((section(".preinit_array"), used)) static void (*const before_libraries)(int, char **,
                                                                                       char **) = sleep_while_waiting;
#else
typedef int nothing_to_set_here;
#endif
