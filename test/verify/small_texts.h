/* A small certificate of each format, from test/verify/texts, and what the checker says of texts that are made of them.
 */
#ifndef GRAZE_TEST_VERIFY_SMALL_TEXTS_H
#define GRAZE_TEST_VERIFY_SMALL_TEXTS_H

#include "check.h"

#include "verify/verify.h"

static const char *const small_names[] = {"pairs", "step", "paths", "balls", "plan", "ranges"};
enum { SMALL_PAIRS, SMALL_STEP, SMALL_PATHS, SMALL_BALLS, SMALL_PLAN, SMALL_RANGES, SMALL_TEXTS };

typedef struct small_text {
    char *bytes; /* of their own size: what is read behind them is seen by the sanitizers */
    size_t size;
} small_text;

static inline small_text small_copy(const char *bytes, size_t size) {
    small_text text = {malloc(size ? size : 1), size};
    if (!text.bytes) abort();
    memcpy(text.bytes, bytes, size);
    return text;
}

static inline small_text small_read(int which) {
    static char bytes[8192];
    char path[600];
    snprintf(path, sizeof path, "%s/%s.json", GRAZE_TEXTS, small_names[which]);
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    CHECK_MSG(size > 500 && size < sizeof bytes, "%s", path);
    if (file) fclose(file);
    return small_copy(bytes, size);
}

/* The mesh of step.json. */
static const double small_x0[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 1}, {1, 2, 1}, {2, 0, 0}};
static const double small_x1[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 1}, {1, 2, 1}, {2, 0, 1}};
static const uint32_t small_edges[2][2] = {{0, 1}, {2, 3}};
static const verify_mesh small_mesh = {
    .vertex_count = 5, .edge_count = 2, .x0 = small_x0, .x1 = small_x1, .edges = small_edges};

enum { SMALL_ACCEPTED, SMALL_REJECTED, SMALL_NOT_READ };

/* What the checker says, and why. */
static inline int small_status(small_text text, const verify_mesh *mesh, unsigned threads, double most_work,
                               char why[VERIFY_TEXT]) {
    char message[VERIFY_TEXT] = "";
    union {
        verify_report pairs;
        verify_path_report paths;
        verify_range_report ranges;
    } report;
    bool read;
    uint64_t rejected;
    const char *reason;
    if (verify_is_path_text(text.bytes, text.size)) {
        read = verify_path_text(text.bytes, text.size, threads, most_work, &report.paths, message);
        rejected = report.paths.rejected, reason = report.paths.reason;
    } else if (verify_is_range_text(text.bytes, text.size)) {
        read = verify_range_text(text.bytes, text.size, threads, most_work, &report.ranges, message);
        rejected = report.ranges.rejected, reason = report.ranges.reason;
    } else {
        read = verify_text(text.bytes, text.size, threads, mesh, &report.pairs, message);
        rejected = report.pairs.rejected, reason = report.pairs.reason;
    }
    snprintf(why, VERIFY_TEXT, "%s", !read ? message : rejected ? reason : "");
    return !read ? SMALL_NOT_READ : rejected ? SMALL_REJECTED : SMALL_ACCEPTED;
}

static inline const verify_mesh *small_mesh_of(int which) { return which == SMALL_STEP ? &small_mesh : NULL; }

/* The text with `by` in place of `length` bytes. */
static inline small_text small_replace(small_text text, size_t at, size_t length, const char *by) {
    size_t more = strlen(by);
    small_text made = {malloc(text.size + more - length + 1), text.size + more - length};
    if (!made.bytes) abort();
    memcpy(made.bytes, text.bytes, at);
    memcpy(made.bytes + at, by, more);
    memcpy(made.bytes + at + more, text.bytes + at + length, text.size - at - length);
    return made;
}

#endif
