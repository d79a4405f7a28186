#include "bench/measure.h"
bool bench_separation(const bench_settings *settings, bench_report *report, io_error *error) {
    (void)settings, (void)report;
    return io_fail(error, "bench", 0, "separation");
}
