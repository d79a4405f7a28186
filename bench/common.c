/* Shared by the suites: watching, contexts, time, and the facts about a run. */
#include "bench/report/commit.h"
#include "bench/suite.h"

#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

bool bench_stopped(const bench_settings *settings) {
    return settings->watch.stopped && settings->watch.stopped(settings->watch.user);
}

void bench_progress(const bench_settings *settings, const char *label, double part) {
    if (settings->watch.progress) settings->watch.progress(settings->watch.user, label, part);
}

static int cancelled(void *user) { return bench_stopped(user); }

graze_context *bench_context(const bench_settings *settings, uint64_t threads, double deadline, io_error *error) {
    graze_context_options options = graze_default_context_options();
    options.threads = (uint32_t)threads;
    options.deadline_seconds = deadline;
    return bench_context_from(settings, options, error);
}

graze_context *bench_context_from(const bench_settings *settings, graze_context_options options, io_error *error) {
    if (settings->watch.stopped) {
        options.cancel = cancelled;
        options.cancel_user = (void *)settings;
    }
    if (settings->device) options.device = (int32_t)(settings->device - 1);
    graze_context *context;
    graze_status status = graze_context_create(&options, &context);
    if (status != GRAZE_OK) io_fail(error, "bench", 0, "context: %s", graze_status_name(status));
    return context;
}

double bench_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- facts ---- */

/* The processor as the system names it; "unknown processor" where it does not. */
static void processor_name(char *name, size_t size) {
    snprintf(name, size, "unknown processor");
    FILE *stream = fopen("/proc/cpuinfo", "r");
    if (!stream) return;
    char line[300];
    while (fgets(line, sizeof line, stream)) {
        if (strncmp(line, "model name", 10) != 0) continue;
        const char *value = strchr(line, ':');
        if (!value) continue;
        value++;
        value += strspn(value, " \t");
        snprintf(name, size, "%.*s", (int)strcspn(value, "\n"), value);
        break;
    }
    fclose(stream);
}

void bench_add_facts(bench_report *report, const bench_settings *settings, const char *command_line) {
    char processor[200], date[40];
    processor_name(processor, sizeof processor);
    struct utsname system = {0};
    uname(&system);
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc);
    bench_add_fact(report, "machine", "%s, %ld cores, %s %s", processor, sysconf(_SC_NPROCESSORS_ONLN), system.sysname,
                   system.machine);
    bench_add_fact(report, "isa", "%s", graze_isa_name(graze_isa_in_use()));
#if defined(__VERSION__)
    bench_add_fact(report, "compiler", "%s", __VERSION__);
#endif
    bench_add_fact(report, "version", "%s", graze_version());
    bench_add_fact(report, "commit", "%s", bench_commit);
    bench_add_fact(report, "date", "%s", date);
    bench_add_fact(report, "seed", "%llu", (unsigned long long)settings->seed);
    bench_add_fact(report, "data", "%s", settings->data ? settings->data : "generated");
    bench_add_fact(report, "command", "%s", command_line);
}
