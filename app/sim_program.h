/* Path of the program graze-sim. */
#ifndef GRAZE_APP_SIM_PROGRAM_H
#define GRAZE_APP_SIM_PROGRAM_H

/* The path of graze-sim beside the running program; NULL when it is not there. Free it. */
char *app_sim_program(void);

#endif
