#include "bench/worlds/worlds.h"

bool bench_worlds(const bench_settings *settings, bench_report *report, io_error *error) {
    bool good = worlds_heaps(settings, report, error) && worlds_copies(settings, report, error);
    report->interrupted = report->interrupted || bench_stopped(settings);
    return good;
}
