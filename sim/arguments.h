/* The command line of `graze sim`: read alike by `graze` and by the program `graze-sim` that it starts. */
#ifndef GRAZE_SIM_ARGUMENTS_H
#define GRAZE_SIM_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sim_arguments {
    const char *scene, *out, *method, *broad, *filter, *record, *replay;
    uint64_t frames, threads, calls;
    double size, tolerance, seconds;
    bool list, resume, json, certificates, exit_code;
} sim_arguments;

/* Ends the program on --help (0) and on anything wrong (2). */
void sim_arguments_read(sim_arguments *arguments, int argc, char **argv);

#endif
