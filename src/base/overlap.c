#include "base/overlap.h"

#include "base/context.h"

gz_pieces gz_bytes_at(const void *first, size_t bytes) {
    return (gz_pieces){.first = first, .count = bytes > 0, .size = bytes, .stride = bytes};
}

static uintptr_t start_of(gz_pieces p) { return (uintptr_t)p.first; }
static uintptr_t end_of(gz_pieces p) { return start_of(p) + (p.count - 1) * p.stride + p.size; }

/* b begins at or after a: of the pieces of `a` only the last that begins before b, and the one after it, can reach the
   first of b; all others lie to each other as these do. */
static bool interleaved(gz_pieces a, gz_pieces b) {
    uintptr_t apart = start_of(b) - start_of(a), in_stride = apart % a.stride;
    size_t before = apart / a.stride;
    bool reaches_b = before < a.count && in_stride < a.size;
    bool reached_by_b = before + 1 < a.count && in_stride + b.size > a.stride;
    return reaches_b || reached_by_b;
}

bool gz_overlap(gz_pieces a, gz_pieces b) {
    if (!a.first || !b.first || !a.count || !b.count) return false;
    if (start_of(a) > start_of(b)) return gz_overlap(b, a);
    if (end_of(a) <= start_of(b)) return false;
    bool spaced = a.stride == b.stride && a.size <= a.stride && b.size <= b.stride;
    return !spaced || interleaved(a, b);
}

graze_status gz_apart_check(graze_context *context, const char *written, gz_pieces out, const char *read,
                            gz_pieces in) {
    if (!gz_overlap(out, in)) return GRAZE_OK;
    return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "%s shares memory with %s", written, read);
}
