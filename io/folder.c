#include "io/folder.h"

#include "io/mesh.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool io_is_folder(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

bool io_add_path(io_paths *list, const char *path, io_error *error) {
    if (list->count == list->capacity) {
        size_t larger = list->capacity ? list->capacity * 2 : 16;
        char **grown = realloc(list->paths, larger * sizeof *grown);
        if (!grown) return io_fail(error, path, 0, "out of memory");
        list->paths = grown;
        list->capacity = larger;
    }
    size_t size = strlen(path) + 1;
    char *copy = malloc(size);
    if (!copy) return io_fail(error, path, 0, "out of memory");
    memcpy(copy, path, size);
    list->paths[list->count++] = copy;
    return true;
}

void io_free_paths(io_paths *list) {
    for (size_t i = 0; i < list->count; i++) free(list->paths[i]);
    free(list->paths);
    *list = (io_paths){0};
}

char *io_join_path(const char *folder, const char *name) {
    size_t length = strlen(folder), more = strlen(name);
    while (length > 1 && folder[length - 1] == '/') length--;
    char *path = malloc(length + more + 2);
    if (!path) return NULL;
    memcpy(path, folder, length);
    path[length] = '/';
    memcpy(path + length + 1, name, more + 1);
    return path;
}

const char *io_base_name(const char *path, size_t *length) {
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/') end--;
    size_t start = end;
    while (start > 0 && path[start - 1] != '/') start--;
    *length = end - start;
    return path + start;
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The names in one folder, sorted. */
static bool read_names(const char *folder, io_paths *names, io_error *error) {
    DIR *stream = opendir(folder);
    if (!stream) return io_fail(error, folder, 0, "cannot open the folder: %s", strerror(errno));
    bool good = true;
    for (;;) {
        errno = 0;
        struct dirent *entry = readdir(stream);
        if (!entry) {
            if (errno) good = io_fail(error, folder, 0, "cannot read the folder: %s", strerror(errno));
            break;
        }
        if (entry->d_name[0] == '.') continue;
        good = io_add_path(names, entry->d_name, error);
        if (!good) break;
    }
    closedir(stream);
    if (good && names->count) qsort(names->paths, names->count, sizeof *names->paths, by_text);
    return good;
}

static bool ends_in(const char *text, const char *suffix) {
    size_t length = strlen(text), tail = strlen(suffix);
    return length >= tail && strcmp(text + length - tail, suffix) == 0;
}

#define MAX_DEPTH 100 /* folders within folders */

/* The folders that were entered: each is listed once, whatever links lead to it, and circles end. */
typedef struct entered {
    struct {
        dev_t device;
        ino_t node;
    } * folders;
    size_t count, capacity;
} entered;

/* False with `*again` where it was entered before; false with the error set without memory. */
static bool enter(entered *all, const char *folder, bool *again, io_error *error) {
    struct stat about;
    *again = false;
    if (stat(folder, &about) != 0) return true; /* opening it will say why */
    for (size_t i = 0; i < all->count; i++)
        if (all->folders[i].device == about.st_dev && all->folders[i].node == about.st_ino) *again = true;
    if (*again) return false;
    if (all->count == all->capacity) {
        size_t larger = all->capacity ? 2 * all->capacity : 16;
        void *grown = realloc(all->folders, larger * sizeof *all->folders);
        if (!grown) return io_fail(error, folder, 0, "out of memory");
        all->folders = grown;
        all->capacity = larger;
    }
    all->folders[all->count].device = about.st_dev;
    all->folders[all->count++].node = about.st_ino;
    return true;
}

typedef struct walk {
    const char *suffix;
    bool deep;
    entered entered;
    io_paths *list;
    io_error *error;
} walk;

static bool list_at_depth(walk *w, const char *folder, int depth) {
    if (depth > MAX_DEPTH) return io_fail(w->error, folder, 0, "more than %d folders within each other", MAX_DEPTH);
    bool again;
    if (!enter(&w->entered, folder, &again, w->error)) return again;
    io_paths names = {0};
    bool good = read_names(folder, &names, w->error);
    for (size_t i = 0; good && i < names.count; i++) {
        char *path = io_join_path(folder, names.paths[i]);
        good = path != NULL || io_fail(w->error, folder, 0, "out of memory");
        if (good && io_is_folder(path)) {
            if (w->deep) good = list_at_depth(w, path, depth + 1);
        } else if (good && (!w->suffix || ends_in(path, w->suffix))) {
            good = io_add_path(w->list, path, w->error);
        }
        free(path);
    }
    io_free_paths(&names);
    return good;
}

bool io_list_folder(const char *folder, const char *suffix, bool deep, io_paths *list, io_error *error) {
    walk w = {.suffix = suffix, .deep = deep, .list = list, .error = error};
    bool good = list_at_depth(&w, folder, 0);
    free(w.entered.folders);
    return good;
}

typedef struct tour {
    io_visit *visit;
    void *user;
    entered entered;
    io_error *error;
} tour;

static bool walk_at_depth(tour *t, const char *folder, int depth) {
    if (depth > MAX_DEPTH) return io_fail(t->error, folder, 0, "more than %d folders within each other", MAX_DEPTH);
    bool again, deeper = true;
    if (!enter(&t->entered, folder, &again, t->error)) return again;
    if (!t->visit(t->user, folder, &deeper, t->error)) return false;
    io_paths names = {0};
    bool good = !deeper || read_names(folder, &names, t->error);
    for (size_t i = 0; good && i < names.count; i++) {
        char *path = io_join_path(folder, names.paths[i]);
        good = path != NULL || io_fail(t->error, folder, 0, "out of memory");
        if (good && io_is_folder(path)) good = walk_at_depth(t, path, depth + 1);
        free(path);
    }
    io_free_paths(&names);
    return good;
}

bool io_walk_folders(const char *folder, io_visit *visit, void *user, io_error *error) {
    tour t = {.visit = visit, .user = user, .error = error};
    bool good = walk_at_depth(&t, folder, 0);
    free(t.entered.folders);
    return good;
}

/* ---- frames ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The name without its extension. */
static const char *stem_of(const char *path, size_t *length) {
    const char *name = io_base_name(path, length);
    for (size_t i = *length; i > 1; i--)
        if (name[i - 1] == '.') {
            *length = i - 1;
            break;
        }
    return name;
}

int io_query_kind_of(const char *path) {
    const char *slash = strrchr(path, '/'), *start = slash;
    while (start && start > path && start[-1] != '/') start--;
    size_t length = slash ? (size_t)(slash - start) : 0;
    if (length == 11 && memcmp(start, "vertex-face", 11) == 0) return 0;
    if (length == 9 && memcmp(start, "edge-edge", 9) == 0) return 1;
    const char *stem = stem_of(path, &length);
    if (length < 2) return -1;
    if (memcmp(stem + length - 2, "vf", 2) == 0) return 0;
    return memcmp(stem + length - 2, "ee", 2) == 0 ? 1 : -1;
}

bool io_step_of(const char *path, uint64_t *step) {
    size_t length;
    const char *name = stem_of(path, &length);
    while (length > 0 && !is_digit(name[length - 1])) length--;
    size_t start = length;
    while (start > 0 && is_digit(name[start - 1])) start--;
    if (start == length) return false;
    uint64_t value = 0;
    for (size_t i = start; i < length; i++) {
        if (value > (UINT64_MAX - 9) / 10) return false;
        value = value * 10 + (uint64_t)(name[i] - '0');
    }
    *step = value;
    return true;
}

static int by_step(const void *a, const void *b) {
    uint64_t x = ((const io_frame *)a)->step, y = ((const io_frame *)b)->step;
    return (x > y) - (x < y);
}

static bool order(const char *const *paths, size_t count, bool need_steps, io_frames *frames, io_error *error) {
    *frames = (io_frames){0};
    frames->frames = calloc(count ? count : 1, sizeof *frames->frames);
    if (!frames->frames) return io_fail(error, "frames", 0, "out of memory");
    bool all_have_steps = true;
    for (size_t i = 0; i < count; i++) {
        io_frame *frame = &frames->frames[i];
        if (!io_step_of(paths[i], &frame->step)) {
            all_have_steps = false;
            if (need_steps) {
                io_free_frames(frames);
                return io_fail(error, paths[i], 0, "no number in its name that could be its step");
            }
        }
        size_t size = strlen(paths[i]) + 1;
        frame->path = malloc(size);
        if (!frame->path) {
            io_free_frames(frames);
            return io_fail(error, paths[i], 0, "out of memory");
        }
        memcpy(frame->path, paths[i], size);
        frames->count++;
    }
    if (all_have_steps) {
        if (count) qsort(frames->frames, count, sizeof *frames->frames, by_step);
    } else {
        for (size_t i = 0; i < count; i++) frames->frames[i].step = i;
    }
    for (size_t i = 1; i < count; i++)
        if (frames->frames[i].step == frames->frames[i - 1].step) {
            io_fail(error, frames->frames[i].path, 0, "has the same step, %llu, as another frame",
                    (unsigned long long)frames->frames[i].step);
            io_free_frames(frames);
            return false;
        }
    return true;
}

bool io_order_frames(const char *const *paths, size_t count, io_frames *frames, io_error *error) {
    return order(paths, count, false, frames, error);
}

bool io_list_frames(const char *folder, io_frames *frames, io_error *error) {
    *frames = (io_frames){0};
    char *inner = io_join_path(folder, "frames");
    if (!inner) return io_fail(error, folder, 0, "out of memory");
    io_paths all = {0}, meshes = {0};
    bool good = io_list_folder(io_is_folder(inner) ? inner : folder, NULL, false, &all, error);
    for (size_t i = 0; good && i < all.count; i++)
        if (io_is_mesh_name(all.paths[i])) good = io_add_path(&meshes, all.paths[i], error);
    good = good && order((const char *const *)meshes.paths, meshes.count, true, frames, error);
    io_free_paths(&all);
    io_free_paths(&meshes);
    free(inner);
    return good;
}

void io_free_frames(io_frames *frames) {
    for (size_t i = 0; i < frames->count; i++) free(frames->frames[i].path);
    free(frames->frames);
    *frames = (io_frames){0};
}
