/// Anybody's method beside graze's own: a shared library that `graze bench --plugin FILE.so` loads, times and scores
/// against exact truth, without a change to graze or to the method.
///
/// The library exports one object, `graze_plugin`, and needs nothing of graze but its headers:
///
///     #include <graze/plugin.h>
///
///     static graze_status ccd(graze_kind kind, const graze_query *query, const graze_options *options,
///                             graze_result *result) { … }
///
///     const graze_plugin_info graze_plugin = {
///         .version = GRAZE_PLUGIN_VERSION, .name = "mine", .summary = "what it is", .conservative = 1,
///         .gives_toi = 1, .kinds = GRAZE_PLUGIN_VF | GRAZE_PLUGIN_EE, .ccd = ccd};
///
///     cc -shared -fPIC -o mine.so mine.c && graze bench narrow --plugin ./mine.so
#ifndef GRAZE_PLUGIN_H
#define GRAZE_PLUGIN_H

#include "graze/query.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Other versions are refused.
#define GRAZE_PLUGIN_VERSION 1

#define GRAZE_PLUGIN_VF (1u << 0) ///< bit GRAZE_VF of `kinds`
#define GRAZE_PLUGIN_EE (1u << 1) ///< bit GRAZE_EE of `kinds`

/// Of the shape of graze_ccd. Called by several threads at once.
///
/// It is asked with options->min_separation 0 unless `takes_separation` is set, with t_max 1, and with the tolerance
/// and max_checks that the user gave; 0 leaves them to the method. `result` comes zeroed. Read of it are
///
///     verdict  CLEAR, HIT, or UNRESOLVED where the method gave up; that is scored as a hit
///     toi      of a hit, in [0, 1], where `gives_toi` is set
///     checks   work done, where it counts any
///
/// A status other than GRAZE_OK ends the run with the query that it was given for.
typedef graze_status graze_plugin_ccd(graze_kind kind, const graze_query *query, const graze_options *options,
                                      graze_result *result);

/// Description of a method. Its promises are held against exact truth, and the report says which did not hold.
typedef struct graze_plugin_info {
    uint32_t version; ///< GRAZE_PLUGIN_VERSION
    const char *name; ///< in tables and for --methods: up to 31 letters, digits and . _ + -; no name of another method
    const char *summary;  ///< one line, or NULL
    int conservative;     ///< promises to miss no contact, and no toi after one
    int exact;            ///< promises no false alarm either
    int gives_toi;        ///< else no times are looked at
    int takes_separation; ///< 1: options->min_separation is kept, as a Euclidean distance or along each axis
    unsigned kinds;       ///< GRAZE_PLUGIN_VF | GRAZE_PLUGIN_EE, those that it answers
    graze_plugin_ccd *ccd;
} graze_plugin_info;

#if defined(_WIN32)
__declspec(dllexport)
#else
__attribute__((visibility("default")))
#endif
    extern const graze_plugin_info graze_plugin;

#ifdef __cplusplus
}
#endif
#endif
