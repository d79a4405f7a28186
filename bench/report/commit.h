/* The commit that the program was built from; the build writes it. */
#ifndef GRAZE_BENCH_REPORT_COMMIT_H
#define GRAZE_BENCH_REPORT_COMMIT_H

extern const char bench_commit[]; /* "1a2b3c4d5e6f"; a "+" follows where files had changes; "unknown" without git */

#endif
