/* The least of some numbers ≥ 0 that several threads find, in any order: the bits of such doubles order as they do. */
#ifndef GZ_BASE_LEAST_H
#define GZ_BASE_LEAST_H

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

typedef _Atomic(uint64_t) gz_least;

static inline uint64_t gz_least_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline void gz_least_init(gz_least *least, double x) { atomic_init(least, gz_least_bits(x)); }

static inline double gz_least_get(const gz_least *least) {
    uint64_t bits = atomic_load_explicit(least, memory_order_relaxed);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline void gz_least_lower_to(gz_least *least, uint64_t bits) {
    uint64_t seen = atomic_load_explicit(least, memory_order_relaxed);
    while (bits < seen &&
           !atomic_compare_exchange_weak_explicit(least, &seen, bits, memory_order_relaxed, memory_order_relaxed)) {
    }
}

static inline void gz_least_lower(gz_least *least, double x) { gz_least_lower_to(least, gz_least_bits(x)); }

#endif
