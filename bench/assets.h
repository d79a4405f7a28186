/* Files that the page carries, made into text by the build. Those of the plots are empty where it has no npm. */
#ifndef GRAZE_BENCH_ASSETS_H
#define GRAZE_BENCH_ASSETS_H

extern const char bench_asset_css[], bench_asset_js[];
extern const char bench_asset_plot_css[], bench_asset_plot_js[], bench_asset_plot_license[];

#endif
