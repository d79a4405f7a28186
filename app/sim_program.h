/* Where the program graze-sim is. */
#ifndef GRAZE_SIM_START_H
#define GRAZE_SIM_START_H

/* The path of graze-sim beside the running program; NULL when it is not there. Free it. */
char *sim_program_path(void);

#endif
