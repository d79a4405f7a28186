/// Callbacks that answer through memory, for languages where a callback can end without returning. An exception in
/// Python's ctypes leaves no return value, and C would read an old register.
///
/// graze_ask_filter and the other functions here are callbacks of the library. Their `user` points to a struct with the
/// other language's callback. They preset an answer that ends the call with GRAZE_ERR_CALLBACK, run the callback, and
/// return what it wrote. A callback that writes nothing ends the call.
#ifndef GRAZE_ASK_H
#define GRAZE_ASK_H

#include "graze/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_asked_filter {
    void (*ask)(void *user, graze_kind kind, uint32_t a, uint32_t b, int32_t *answer); ///< *answer is −1 before
    void *user;
} graze_asked_filter;

typedef struct graze_asked_energy {
    void (*ask)(void *user, const double (*x)[3], double *answer); ///< *answer is −INFINITY before
    void *user;
} graze_asked_energy;

typedef struct graze_asked_write {
    void (*ask)(void *user, const char *text, size_t size, int32_t *answer); ///< *answer is −1 before
    void *user;
} graze_asked_write;

typedef struct graze_asked_world_filter {
    /// *answer, a graze_pair_rule, is −1 before
    void (*ask)(void *user, uint32_t body_a, uint32_t link_a, uint32_t body_b, uint32_t link_b, double *separation,
                int32_t *answer);
    void *user;
} graze_asked_world_filter;

/// A graze_pair_filter; `asked` is a graze_asked_filter.
GRAZE_API int graze_ask_filter(void *asked, graze_kind kind, uint32_t a, uint32_t b);
/// A graze_energy; `asked` is a graze_asked_energy.
GRAZE_API double graze_ask_energy(void *asked, const double (*x)[3]);
/// A graze_write; `asked` is a graze_asked_write.
GRAZE_API int graze_ask_write(void *asked, const char *text, size_t size);
/// A graze_world_filter; `asked` is a graze_asked_world_filter.
GRAZE_API graze_pair_rule graze_ask_world_filter(void *asked, uint32_t body_a, uint32_t link_a, uint32_t body_b,
                                                 uint32_t link_b, double *separation);

#ifdef __cplusplus
}
#endif
#endif
