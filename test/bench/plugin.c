/* Plugins for the test of `graze bench --plugin`: one that is graze itself, two that answer the same always, and one
   for each way to be wrong. */
#include "graze/plugin.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(PLUGIN_NO_SYMBOL)
extern const int something_else;
const int something_else = 1;
#else

#if defined(PLUGIN_NEVER)
#define NAME "never"
#define VERDICT GRAZE_CLEAR
#elif defined(PLUGIN_ALWAYS)
#define NAME "always"
#define VERDICT GRAZE_HIT
#elif defined(PLUGIN_BAD_VERDICT)
#define NAME "bad-verdict"
#define VERDICT ((graze_verdict)7)
#elif defined(PLUGIN_BAD_TOI)
#define NAME "bad-toi"
#define VERDICT GRAZE_HIT
#define TOI 1.5
#elif defined(PLUGIN_ALARMS)
#define NAME "alarms"
#define VERDICT GRAZE_HIT
#elif defined(PLUGIN_LATE)
#define NAME "late"
#define VERDICT GRAZE_HIT
#define TOI 1
#elif defined(PLUGIN_ONLY_VF)
#define NAME "only-vf"
#elif defined(PLUGIN_LONG_NAME)
#define NAME "a-name-of-thirty-two-characters-"
#elif defined(PLUGIN_NAMELESS)
#define NAME NULL
#elif defined(PLUGIN_ODD_NAME)
#define NAME "two words"
#elif defined(PLUGIN_STOPS)
#define NAME "stops"
#elif defined(PLUGIN_TAKEN_NAME)
#define NAME "exact"
#else
#define NAME "twin"
#endif
#if !defined(TOI)
#define TOI 0
#endif

__attribute__((unused)) static graze_status ccd(graze_kind kind, const graze_query *query, const graze_options *options,
                                                graze_result *result) {
#if defined(PLUGIN_HANGS)
    (void)kind, (void)query, (void)options, (void)result;
    for (volatile int more = 1; more;) more = 1;
    return GRAZE_OK;
#elif defined(PLUGIN_EXITS)
    (void)kind, (void)query, (void)options, (void)result;
    exit(0);
#elif defined(PLUGIN_CRASHES)
    (void)kind, (void)query, (void)options, (void)result;
    abort();
#elif defined(PLUGIN_BAD_STATUS)
    (void)kind, (void)query, (void)options, (void)result;
    return GRAZE_ERR_UNSUPPORTED;
#elif defined(VERDICT)
    (void)kind, (void)query, (void)options;
    result->verdict = VERDICT;
    result->toi = TOI;
    return GRAZE_OK;
#else
#if defined(PLUGIN_STOPS) /* it runs in a process of its own; the benchmark is interrupted in the middle of a set of   \
                             queries */
    static int calls;
    if (++calls == 100) kill(getppid(), SIGINT);
#endif
    return graze_ccd(kind, query, options, result);
#endif
}

const graze_plugin_info graze_plugin = {
#if defined(PLUGIN_OLD)
    .version = 0,
#else
    .version = GRAZE_PLUGIN_VERSION,
#endif
    .name = NAME,
    .conservative = 1,
#if defined(PLUGIN_NEVER) || defined(PLUGIN_ALARMS)
    .exact = 1,
#endif
    .gives_toi = 1,
#if !defined(PLUGIN_ALWAYS)
    .takes_separation = 1,
#endif
#if defined(PLUGIN_ONLY_VF)
    .kinds = GRAZE_PLUGIN_VF,
#elif !defined(PLUGIN_NO_KINDS)
    .kinds = GRAZE_PLUGIN_VF | GRAZE_PLUGIN_EE,
#endif
#if !defined(PLUGIN_NO_FUNCTION)
    .ccd = ccd,
#endif
};
#endif
