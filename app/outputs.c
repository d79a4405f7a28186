#include "app/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- the streams ---- */

static const int stop_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { STOP_SIGNALS = sizeof stop_signals / sizeof *stop_signals };

static void end_by(int number) {
    io_remove_temporaries();
    signal(number, SIG_DFL);
    raise(number);
}

/* One that is ignored, as under nohup, stays so. */
static void handle_one(int number, void (*handler)(int)) {
    struct sigaction old, action;
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_IGN) return;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static void handle(void (*handler)(int)) {
    for (int i = 0; i < STOP_SIGNALS; i++) handle_one(stop_signals[i], handler);
}

void app_guard_outputs(void) {
    /* open takes the lowest free number: the closed one. It cannot be written: that is noticed where it matters. */
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0) _exit(APP_FAILED);
    atexit(io_remove_temporaries);
    handle(end_by);
    handle_one(SIGPIPE, end_by);
    signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is a write that fails, with a line that says so */
}

void app_open_output(const char *option, const char *path, bool json, io_output *output) {
    bool standard = strcmp(path, "-") == 0;
    if (standard && json) app_fail("%s -: standard output has the JSON object; give a file", option);
    io_error error;
    if (!*path) app_fail("%s: a file's name, or - for standard output", option);
    if (!io_open_output(path, output, &error)) app_fail("%s: %s", option, error.message);
    if (standard && dup2(STDERR_FILENO, STDOUT_FILENO) < 0) app_fail("%s -: %s", option, strerror(errno));
}

void app_close_output(io_output *output) {
    io_error error;
    if (!io_close_output(output, &error)) app_fail("%s", error.message);
}

int app_finish(int status) {
    if (fflush(stdout) != 0 || ferror(stdout)) app_fail("cannot write to standard output: %s", strerror(errno));
    return status;
}

/* ---- being stopped ---- */

/* A signal handler can reach nothing else. */
static volatile sig_atomic_t stopped_by; /* the signal; 0: none */
static volatile sig_atomic_t stopped_at; /* seconds */

/* A stop of a whole group of processes may come here twice at once: that is one Ctrl-C. */
static void note_stop(int number) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (stopped_by && now.tv_sec - stopped_at >= 2) end_by(number);
    if (!stopped_by) stopped_at = (sig_atomic_t)now.tv_sec;
    stopped_by = number;
}

void app_catch_stop(void) { handle(note_stop); }

bool app_is_stopped(void) { return stopped_by != 0; }

void app_end_stopped(void) {
    app_finish(APP_OK);
    int number = stopped_by ? stopped_by : SIGINT;
    end_by(number);
    exit(128 + number); /* the signal is blocked */
}
