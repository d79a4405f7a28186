/* Whole plans: 100 quintic segments along far edges that are free, the largest joint turning by 10 rad in all. */
#ifndef GRAZE_BENCH_ROBOT_PLANS_H
#define GRAZE_BENCH_ROBOT_PLANS_H

#include "bench/articulated/robots.h"

/* The table that rows go to. */
bench_table *bench_add_plans(bench_report *report);

bool bench_robot_plans(const bench_settings *settings, const bench_robots *robots, bench_table *table, io_error *error);

#endif
