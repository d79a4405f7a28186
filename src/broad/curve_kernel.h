#include "broad/curve.h"

#include "numerics/lanes.h"

/* Spreads the lowest 21 bits three apart. */
static inline uint64_t spread(uint64_t x) {
    x = (x | x << 32) & 0x001f00000000ffffu;
    x = (x | x << 16) & 0x001f0000ff0000ffu;
    x = (x | x << 8) & 0x100f00f00f00f00fu;
    x = (x | x << 4) & 0x10c30c30c30c30c3u;
    return (x | x << 2) & 0x1249249249249249u;
}

/* Neighbours along Hilbert's curve share a face, so its blocks of eight are more compact than in plain bit order.
   Skilling's transposition (2004) without branches, so that the compiler works on eight at once. */
static void curve_kernel(uint32_t cells[3][GZ_BLOCK], int bits, uint64_t keys[GZ_BLOCK]) {
    uint32_t x[GZ_BLOCK], y[GZ_BLOCK], z[GZ_BLOCK], turn[GZ_BLOCK];
    for (unsigned i = 0; i < GZ_BLOCK; i++) {
        x[i] = cells[0][i];
        y[i] = cells[1][i];
        z[i] = cells[2][i];
        turn[i] = 0;
    }
    for (int bit = bits - 1; bit > 0; bit--) {
        uint32_t below = ((uint32_t)1 << bit) - 1;
        for (unsigned i = 0; i < GZ_BLOCK; i++) {
            x[i] ^= below & (0u - (x[i] >> bit & 1u));
            uint32_t set = 0u - (y[i] >> bit & 1u), swap = (x[i] ^ y[i]) & below & ~set;
            x[i] ^= (below & set) | swap;
            y[i] ^= swap;
            set = 0u - (z[i] >> bit & 1u), swap = (x[i] ^ z[i]) & below & ~set;
            x[i] ^= (below & set) | swap;
            z[i] ^= swap;
        }
    }
    for (unsigned i = 0; i < GZ_BLOCK; i++) {
        y[i] ^= x[i];
        z[i] ^= y[i];
    }
    for (int bit = bits - 1; bit > 0; bit--)
        for (unsigned i = 0; i < GZ_BLOCK; i++) turn[i] ^= (((uint32_t)1 << bit) - 1) & (0u - (z[i] >> bit & 1u));
    for (unsigned i = 0; i < GZ_BLOCK; i++)
        keys[i] = spread(x[i] ^ turn[i]) << 2 | spread(y[i] ^ turn[i]) << 1 | spread(z[i] ^ turn[i]);
}
