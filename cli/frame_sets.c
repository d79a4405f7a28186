#include "cli/frame_sets.h"

#include "app/input_hash.h"

#include "io/output.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

/* The files that a pattern names. */
static bool match(const char *pattern, io_frames *frames, io_error *error) {
    glob_t found;
    int status = glob(pattern, 0, NULL, &found);
    if (status == GLOB_NOMATCH)
        return io_fail(error, pattern, 0, "no such file or folder, and no file has such a name");
    if (status != 0) return io_fail(error, pattern, 0, "the pattern cannot be followed");
    bool good = io_order_frames((const char *const *)found.gl_pathv, found.gl_pathc, frames, error);
    globfree(&found);
    return good;
}

static io_frames find_set(const char *name) {
    io_frames frames;
    io_error error;
    if (!(io_is_folder(name) ? io_list_frames(name, &frames, &error) : match(name, &frames, &error)))
        app_fail("sequence: --with: %s", error.message);
    if (frames.count == 0) app_fail("sequence: --with: %s: no mesh in it", name);
    return frames;
}

static uint64_t read_bound(const char *range, const char *text, size_t length, uint64_t missing) {
    if (length == 0) return missing;
    uint64_t value = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || value > (UINT64_MAX - 9) / 10)
            app_fail("sequence: --range: '%s' is not A:B, the numbers of two frames", range);
        value = value * 10 + (uint64_t)(text[i] - '0');
    }
    return value;
}

/* Keeps the frames whose numbers are in the range. */
static void cut(io_frames *frames, const char *range) {
    const char *colon = strchr(range, ':');
    if (!colon) app_fail("sequence: --range: '%s' is not A:B, the numbers of two frames", range);
    uint64_t first = read_bound(range, range, (size_t)(colon - range), 0);
    uint64_t last = read_bound(range, colon + 1, strlen(colon + 1), UINT64_MAX);
    size_t kept = 0;
    for (size_t i = 0; i < frames->count; i++) {
        if (frames->frames[i].step >= first && frames->frames[i].step <= last)
            frames->frames[kept++] = frames->frames[i];
        else
            free(frames->frames[i].path);
    }
    frames->count = kept;
    if (kept < 2) app_fail("sequence: --range %s: %zu frames in it; a sequence needs two", range, kept);
}

cli_frame_sets cli_find_frame_sets(const char **operands, int count, const app_texts *with, const char *range) {
    if (count == 0) app_fail("sequence: no frames: name a folder or two files or more");
    cli_frame_sets all = {.sets = app_allocate(1 + with->count, sizeof *all.sets), .count = 1 + with->count};
    io_error error;
    if (!(count == 1 ? io_list_frames(operands[0], &all.sets[0], &error)
                     : io_order_frames(operands, (size_t)count, &all.sets[0], &error)))
        app_fail("%s", error.message);
    if (all.sets[0].count < 2) app_fail("%s: %zu frames in it; a sequence needs two", operands[0], all.sets[0].count);
    if (range) cut(&all.sets[0], range);
    for (size_t i = 0; i < with->count; i++) all.sets[1 + i] = find_set(with->texts[i]);
    for (size_t s = 0; s < all.count; s++)
        for (size_t i = 0; i < all.sets[s].count; i++) io_note_input(all.sets[s].frames[i].path);
    return all;
}

void cli_free_frame_sets(cli_frame_sets *sets) {
    for (size_t i = 0; i < sets->count; i++) io_free_frames(&sets->sets[i]);
    free(sets->sets);
    *sets = (cli_frame_sets){0};
}

bool cli_frame_paths(const cli_frame_sets *sets, size_t i, const char **paths, io_error *error) {
    const io_frame *frame = &sets->sets[0].frames[i];
    paths[0] = frame->path;
    for (size_t s = 1; s < sets->count; s++) {
        const io_frames *set = &sets->sets[s];
        paths[s] = set->count == 1 ? set->frames[0].path : NULL; /* a single file rests */
        for (size_t k = 0; !paths[s] && k < set->count; k++)
            if (set->frames[k].step == frame->step) paths[s] = set->frames[k].path;
        if (!paths[s])
            return io_fail(error, frame->path, 0, "no file of --with set %zu has its number, %llu", s,
                           (unsigned long long)frame->step);
    }
    return true;
}

void cli_hash_frame_sets(io_sha256 *hash, const cli_frame_sets *sets) {
    for (size_t s = 0; s < sets->count; s++) {
        const io_frames *set = &sets->sets[s];
        io_sha256_count(hash, set->count);
        for (size_t i = 0; i < set->count; i++) {
            io_sha256_text(hash, set->frames[i].path);
            if (set->count > 1) app_hash_file_sample(hash, set->frames[i].path);
        }
        if (set->count == 1) app_hash_file(hash, set->frames[0].path);
    }
}

void cli_hash_frame(io_sha256 *hash, const cli_frame_sets *sets, size_t i) {
    const char **paths = app_allocate(sets->count, sizeof *paths);
    io_error error;
    bool all = cli_frame_paths(sets, i, paths, &error);
    for (size_t s = 0; all && s < sets->count; s++)
        if (sets->sets[s].count > 1) app_hash_file(hash, paths[s]);
    free(paths);
}
