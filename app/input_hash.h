/* Hash of all that an answer depends on: the first 16 digits stand in lines as "input", all 64 in certificates
   (docs/hashes.md). */
#ifndef GRAZE_APP_INPUT_HASH_H
#define GRAZE_APP_INPUT_HASH_H

#include "app/step_run.h"

#include "io/sha256.h"

enum { APP_SAMPLED_FROM = 1 << 20 };

/* A hash that has begun with the options. */
io_sha256 app_hash_narrow(const graze_options *options);
io_sha256 app_hash_truth(const graze_truth_options *options);
io_sha256 app_hash_step(const app_step_settings *settings);

/* The short form of one query after these options. */
void app_hash_query(io_sha256 begun, graze_kind kind, const graze_query *query, char text[IO_SHA256_SHORT]);
/* A mesh and both of its states. */
void app_hash_mesh(io_sha256 *hash, const app_frames *frames);
/* That, its groups and radii. */
void app_hash_frames(io_sha256 *hash, const app_frames *frames);
/* The size and bytes of a file; false where it cannot be read. */
bool app_hash_file(io_sha256 *hash, const char *path);
/* The size of a file and its bytes; of one above APP_SAMPLED_FROM bytes 16 pieces of it, which lie evenly between its
   beginning and its end. False where it cannot be read. */
bool app_hash_file_sample(io_sha256 *hash, const char *path);
/* Every file that was read or noted so far: its name, size and bytes. Exits 2 where one cannot be read. */
void app_hash_files(io_sha256 *hash);
void app_hash_end(io_sha256 *hash, char text[IO_SHA256_SHORT]);

#endif
