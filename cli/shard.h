/* A run in parts (--shard i/n --shard-out DIR), which `graze merge` puts together: docs/farm.md.
 *
 * Shard i of n has the items from items · (i − 1)/n to items · i/n, rounded down: neighbors, in the order of one run.
 */
#ifndef GRAZE_CLI_SHARD_H
#define GRAZE_CLI_SHARD_H

#include "cli/lines.h"

typedef struct cli_shard {
    const char *text, *folder; /* --shard, --shard-out */
    bool no_times;             /* --no-times; always in a shard */
    const char *command;
    uint64_t index, count; /* i/n; 0/0: not a shard */
    char *options;         /* all that lines depend on, in the order of --help */
    char *path;            /* of the shard's file; NULL: not a shard */
    size_t items, first, end;
    /* Hashes of inputs. If neighbors share an input, "inputs" has what all of them read, and hashes of what is before
       the first item and behind the last stand beside it. Empty: "inputs" has every input. */
    char inputs[IO_SHA256_TEXT], begins[IO_SHA256_TEXT], ends[IO_SHA256_TEXT];
} cli_shard;

enum { CLI_MOST_SHARDS = 1000000 };

#define CLI_SHARD_OPTIONS(s)                                                                                           \
    {"--no-times", APP_FLAG, &(s).no_times, NULL, "leave out times and everything else that depends on the machine"},  \
        {"--shard", APP_TEXT, &(s).text, "I/N", "only part I of N parts of the work, 1 to N; see `graze merge`"}, {    \
        "--shard-out", APP_TEXT, &(s).folder, "DIR", "with --shard: the folder that the part is written to"            \
    }

/* Once the options are read: exits 2 where they do not fit. `option` names the list of a whole run, `list` is its file,
   which becomes the shard's. `whole` names an option that was given and is for whole runs alone; NULL: none. */
void cli_shard_prepare(const app_usage *usage, cli_shard *shard, const char *option, const char **list, bool json,
                       const char *whole);
/* Takes the number of items of the whole run: first and end are set, for a run without shards to all of them. */
void cli_shard_deal(cli_shard *shard, size_t items);
/* The list; of a shard with its first line, which has the hash of all inputs that were read or noted, unless the
   command has set `inputs`, `begins` and `ends`. */
cli_lines cli_shard_open(cli_shard *shard, const char *option, const char *list, bool resume, bool json);
void cli_shard_free(cli_shard *shard);

#endif
