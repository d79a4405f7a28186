/* --certificate: the proofs of many pairs, written one by one. The format: docs/certificates.md. */
#ifndef GRAZE_APP_CERTIFICATE_H
#define GRAZE_APP_CERTIFICATE_H

#include "app/outputs.h"
#include "app/step_run.h"

typedef struct cli_certificate {
    io_output file;
    graze_options options;
    graze_certificate_entry *entries;
    size_t capacity;
    uint64_t written;
} cli_certificate;

/* Where `path` is given: chooses certified unless a method is named, and exits 2 when that one leaves no proof. */
void cli_certificate_choose(const char *command, const char *path, cli_narrow *narrow);

/* The file appears when it is closed. `json`: stdout is taken. All exit 2 on failure. */
void cli_certificate_open(cli_certificate *out, const char *path, const graze_options *options, bool json);
/* `result` is what the method answered. */
void cli_certificate_query(cli_certificate *out, const char *path, size_t index, graze_kind kind,
                           const graze_query *query, const graze_result *result);
void cli_certificate_close(cli_certificate *out);

/* Every candidate pair of a step, whatever its mode. */
void cli_certificate_step(const char *path, const cli_step_settings *settings, const cli_frames *frames);

#endif
