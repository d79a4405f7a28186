/* The generated articulated examples as files of `graze articulate`. */
#ifndef GRAZE_CLI_EXAMPLE_MODEL_H
#define GRAZE_CLI_EXAMPLE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

int cli_list_example_models(bool json);

/* Writes NAME.json and its meshes into the folder: a path of `frames` segments (0: all that there are). Returns the
   file's path, to be freed. */
char *cli_write_example_model(const char *name, const char *folder, uint64_t frames);

#endif
