/// Your method in graze's tables: a shared library that `graze bench --plugin FILE.so` loads, times and scores against
/// exact truth.
///
/// The library exports one object, `graze_plugin`, and needs only the headers of graze:
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

/// A function like graze_ccd. Called by several threads at once.
///
/// options->min_separation is 0 unless `takes_separation` is set. t_max is 1. tolerance and max_checks are the user's;
/// 0 means the method's default. `result` comes zeroed. These fields of it are read:
///
///     verdict  CLEAR, HIT, or UNRESOLVED if the method gave up, which is scored as a hit
///     toi      of a hit, in [0, 1], if `gives_toi` is set
///     checks   work done, if the method counts it
///
/// A status other than GRAZE_OK ends the run and names the query.
typedef graze_status graze_plugin_ccd(graze_kind kind, const graze_query *query, const graze_options *options,
                                      graze_result *result);

/// Description of a method. The report tests its promises against exact truth, and says which failed.
typedef struct graze_plugin_info {
    uint32_t version; ///< GRAZE_PLUGIN_VERSION
    const char
        *name; ///< for tables and --methods: up to 31 letters, digits and . _ + -; not the name of another method
    const char *summary;  ///< one line, or NULL
    int conservative;     ///< promises to miss no contact, and that no toi is after one
    int exact;            ///< also promises no false alarms
    int gives_toi;        ///< otherwise times are ignored
    int takes_separation; ///< 1: it honors options->min_separation, as a Euclidean distance or along each axis
    unsigned kinds;       ///< the kinds it answers: GRAZE_PLUGIN_VF | GRAZE_PLUGIN_EE
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
