/* Text scenes of the public IPC code, as far as this solver has what they ask for. */
#ifndef GRAZE_SIM_READER_IMPORT_H
#define GRAZE_SIM_READER_IMPORT_H

/* Returns the scene as JSON; free it. A keyword that the solver has nothing for ends the program with file, line and
   word; those about windows and linear solvers are skipped. Meshes are looked for from the file's folder upwards. */
char *sim_import(const char *file, const char *text);

#endif
