/* SHA-256 (FIPS 180-4), and the canonical bytes that graze hashes: docs/hashes.md. */
#ifndef GRAZE_IO_SHA256_H
#define GRAZE_IO_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct io_sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes so far */
    unsigned char block[64];
} io_sha256;

enum { IO_SHA256_TEXT = 65, IO_SHA256_SHORT = 17 }; /* hexadecimal digits and the NUL behind them */

void io_sha256_begin(io_sha256 *hash);
void io_sha256_bytes(io_sha256 *hash, const void *bytes, size_t size);
/* The 64 digits; the hash is at its end. */
void io_sha256_end(io_sha256 *hash, char text[IO_SHA256_TEXT]);

/* ---- canonical bytes: little-endian whatever the machine ---- */

/* The bytes of a text, and a NUL. */
void io_sha256_text(io_sha256 *hash, const char *text);
void io_sha256_count(io_sha256 *hash, uint64_t count);                          /* 8 bytes */
void io_sha256_indices(io_sha256 *hash, const uint32_t *indices, size_t count); /* 4 bytes each */
void io_sha256_doubles(io_sha256 *hash, const double *values, size_t count);    /* 8 bytes each */

#endif
