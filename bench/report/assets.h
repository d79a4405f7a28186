/* Files of bench/report as text, made by the build. */
#ifndef GRAZE_BENCH_REPORT_ASSETS_H
#define GRAZE_BENCH_REPORT_ASSETS_H

extern const char bench_asset_css[], bench_asset_figure_css[], bench_asset_js[];

#endif
