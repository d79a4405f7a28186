/* The subcommands, one file cmd_NAME.c for each. */
#ifndef GRAZE_CLI_COMMANDS_H
#define GRAZE_CLI_COMMANDS_H

typedef int cli_run(int argc, char **argv); /* argv[0] is the command's name; returns the exit status */

typedef struct cli_command {
    const char *name, *summary;
    cli_run *run;
} cli_command;

cli_run cmd_articulate;
cli_run cmd_bench;
cli_run cmd_check;
cli_run cmd_dataset;
cli_run cmd_demo;
cli_run cmd_handcraft;
cli_run cmd_info;
cli_run cmd_merge;
cli_run cmd_query;
cli_run cmd_scene;
cli_run cmd_sequence;
cli_run cmd_sim;
cli_run cmd_step;
cli_run cmd_truth;
cli_run cmd_verify;
cli_run cmd_view;

#endif
