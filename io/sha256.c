#include "io/sha256.h"

#include <string.h>

static const uint32_t first_state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, int by) { return x >> by | x << (32 - by); }

/* The 64 words that the rounds take in turn: those of the block, and what is mixed of them. */
static void schedule(const unsigned char block[64], uint32_t w[64]) {
    for (int i = 0; i < 16; i++) {
        const unsigned char *b = block + 4 * i;
        w[i] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    }
    for (int i = 16; i < 64; i++) {
        uint32_t low = w[i - 15], high = w[i - 2];
        uint32_t s0 = rotate(low, 7) ^ rotate(low, 18) ^ low >> 3,
                 s1 = rotate(high, 17) ^ rotate(high, 19) ^ high >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
}

static void take_block(io_sha256 *hash) {
    uint32_t w[64], s[8];
    schedule(hash->block, w);
    memcpy(s, hash->state, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t a = s[0], e = s[4];
        uint32_t choice = (e & s[5]) ^ (~e & s[6]), majority = (a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]);
        uint32_t one = s[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + round_constants[i] + w[i];
        uint32_t two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < 8; i++) hash->state[i] += s[i];
}

void io_sha256_begin(io_sha256 *hash) {
    *hash = (io_sha256){0};
    memcpy(hash->state, first_state, sizeof first_state);
}

void io_sha256_bytes(io_sha256 *hash, const void *bytes, size_t size) {
    const unsigned char *from = bytes;
    while (size > 0) {
        size_t used = hash->length % 64, room = 64 - used, taken = size < room ? size : room;
        memcpy(hash->block + used, from, taken);
        hash->length += taken;
        from += taken;
        size -= taken;
        if (taken == room) take_block(hash);
    }
}

void io_sha256_end(io_sha256 *hash, char text[IO_SHA256_TEXT]) {
    static const unsigned char padding[64] = {0x80};
    uint64_t bits = 8 * hash->length;
    size_t used = hash->length % 64;
    io_sha256_bytes(hash, padding, used < 56 ? 56 - used : 120 - used);
    unsigned char size[8];
    for (int i = 0; i < 8; i++) size[i] = (unsigned char)(bits >> (56 - 8 * i));
    io_sha256_bytes(hash, size, sizeof size);
    for (int i = 0; i < 64; i++) text[i] = "0123456789abcdef"[hash->state[i / 8] >> (28 - 4 * (i % 8)) & 15];
    text[64] = '\0';
}

/* ---- canonical bytes ---- */

void io_sha256_text(io_sha256 *hash, const char *text) { io_sha256_bytes(hash, text, strlen(text) + 1); }

static void put_little_endian(io_sha256 *hash, uint64_t value, size_t size) {
    unsigned char bytes[8];
    for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)(value >> 8 * i);
    io_sha256_bytes(hash, bytes, size);
}

void io_sha256_count(io_sha256 *hash, uint64_t count) { put_little_endian(hash, count, 8); }

void io_sha256_indices(io_sha256 *hash, const uint32_t *indices, size_t count) {
    for (size_t i = 0; i < count; i++) put_little_endian(hash, indices[i], 4);
}

void io_sha256_doubles(io_sha256 *hash, const double *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        put_little_endian(hash, bits, 8);
    }
}
