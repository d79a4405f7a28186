#include "app/sim_frames.h"

#include "graze/graze.h"

#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST_WORDS = 40, TEXT = 4000 };

/* Cuts a text at its blanks, but not between single quotes, which go. No shell reads it. */
static void cut_words(char *text, char **words) {
    int count = 0;
    while (*(text += strspn(text, " ")) && count < MOST_WORDS) {
        bool quoted = *text == '\'';
        text += quoted;
        words[count++] = text;
        text += strcspn(text, quoted ? "'" : " ");
        if (*text) *text++ = '\0';
    }
    words[count] = NULL;
}

/* The environment with one thread for the solver's BLAS. */
static char **environment_of_child(void) {
    size_t count = 0;
    while (environ[count]) count++;
    char **list = calloc(count + 2, sizeof *list);
    size_t used = 0;
    for (size_t i = 0; list && i < count; i++)
        if (strncmp(environ[i], "OPENBLAS_NUM_THREADS=", 21) != 0) list[used++] = environ[i];
    if (list) list[used] = "OPENBLAS_NUM_THREADS=1";
    return list;
}

/* Starts a program whose output, and errors, come out of the pipe. −1 where it cannot be. */
static pid_t start(const char *program, char **words, int pipe_ends[2]) {
    pid_t child = -1;
    posix_spawn_file_actions_t actions;
    char **environment = environment_of_child();
    if (environment && pipe(pipe_ends) == 0) {
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDERR_FILENO);
        posix_spawn_file_actions_addclose(&actions, pipe_ends[0]);
        if (posix_spawn(&child, program, &actions, NULL, words, environment) != 0) child = -1;
        posix_spawn_file_actions_destroy(&actions);
        close(pipe_ends[1]);
        if (child < 0) close(pipe_ends[0]);
    }
    free(environment);
    return child;
}

/* The begin of what a program prints; what does not fit is dropped. Returns its status, −1 where it did not run. */
static int run(const char *program, char **words, char text[TEXT]) {
    int ends[2], status = -1;
    text[0] = '\0';
    pid_t child = start(program, words, ends);
    if (child < 0) return -1;
    size_t size = 0;
    char rest[512];
    for (;;) {
        bool room = size + 1 < TEXT;
        ssize_t got = read(ends[0], room ? text + size : rest, room ? TEXT - 1 - size : sizeof rest);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        if (room) size += (size_t)got;
    }
    close(ends[0]);
    text[size] = '\0';
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return status;
}

cJSON *app_sim_start(const char *program, io_error *error, const char *format, ...) {
    char arguments[2000], copy[2000], text[TEXT], *words[MOST_WORDS + 5] = {"graze-sim"};
    va_list list;
    va_start(list, format);
    vsnprintf(arguments, sizeof arguments, format, list);
    va_end(list);
    strcpy(copy, arguments);
    cut_words(copy, words + 1);
    int count = 0;
    while (words[count]) count++;
    words[count++] = "--json";
    words[count++] = "--threads";
    words[count] = "1";
    int status = run(program, words, text);
    size_t size = strlen(text);
    while (size && text[size - 1] == '\n') text[--size] = '\0';
    const char *line = strrchr(text, '\n');
    line = line ? line + 1 : text; /* notices come before the object */
    cJSON *object = status == 0 ? cJSON_Parse(line) : NULL;
    if (!object) io_fail(error, "graze-sim", 0, "%s: %s", arguments, *line ? line : "it ended without an answer");
    return object;
}

const char *app_kept_scene(size_t index) {
    static const char *const scenes[] = {"rollers", "cloth-ball", "cloth-funnel", "n-body", "rod-twist"};
    return index < sizeof scenes / sizeof *scenes ? scenes[index] : NULL;
}

bool app_kept_place(char folder[APP_KEPT_ROOM]) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool own = cache && *cache == '/';
    if (!own && !(home && *home == '/')) return false;
    int used = snprintf(folder, APP_KEPT_ROOM - 100, "%s%s/graze/sim-%s", own ? cache : home, own ? "" : "/.cache",
                        graze_version());
    return used > 0 && used < APP_KEPT_ROOM - 100 && !strchr(folder, '\'');
}

bool app_kept_frames(const char *program, const char *scene, char folder[APP_KEPT_ROOM], unsigned *frames,
                     io_error *error) {
    if (!app_kept_place(folder)) return io_fail(error, scene, 0, "there is no place for its frames: HOME is not set");
    size_t used = strlen(folder);
    snprintf(folder + used, APP_KEPT_ROOM - used, "/%s", scene);
    cJSON *run = app_sim_start(program, error, "%s --resume --out '%s'", scene, folder);
    if (!run)
        run =
            app_sim_start(program, error, "%s --out '%s'", scene, folder); /* frames of a run that is another by now */
    if (!run) return false;
    const cJSON *count = cJSON_GetObjectItem(run, "frames");
    *frames = cJSON_IsNumber(count) ? (unsigned)count->valuedouble : 2;
    cJSON_Delete(run);
    return true;
}
