/* --certificate: the proofs of many pairs, written one by one. The format: docs/certificates.md. */
#ifndef GRAZE_APP_CERTIFICATE_H
#define GRAZE_APP_CERTIFICATE_H

#include "app/outputs.h"
#include "app/step_run.h"

typedef struct app_certificate {
    io_output file;
    graze_options options;
    graze_certificate_entry *entries;
    size_t capacity;
    uint64_t written;
} app_certificate;

/* For a given `path`: chooses certified unless a method is named, and exits 2 when that one leaves no proof. */
void app_certificate_choose(const char *command, const char *path, app_narrow *narrow);

/* The file appears when it is closed. `json`: stdout is taken. All exit 2 on failure. */
void app_certificate_open(app_certificate *out, const char *path, const graze_options *options, bool json);
/* `result` is what the method answered. */
void app_certificate_query(app_certificate *out, const char *path, size_t index, graze_kind kind,
                           const graze_query *query, const graze_result *result);
void app_certificate_close(app_certificate *out);

/* Every candidate pair of a step, whatever its mode. */
void app_certificate_step(const char *path, const app_step_settings *settings, const app_frames *frames);

#endif
