/* A window is done with when the links are proven to be farther apart in it than the least distance found, less the
   tolerance. Else they are measured in its middle, and it is halved. */
#include "articulated/clearance/clear_pair.h"

#include "articulated/clearance/over.h"

#include <math.h>

#define WINDOW_TURN 1.5         /* of the joints between two links: longer windows are vague */
#define SHORTEST_WINDOW 0x1p-40 /* of a segment */
#define LAST_GROWTH 8           /* of the tolerance, from try to try, where a window is given up */

enum { MOST_FIRST = 64, DEEPEST = 48 };

/* Cut from `begin` to `end` by halving. */
typedef struct window {
    double begin, end;
    gz_guide guide;
} window;

typedef struct search {
    gz_clear_pair *pair;
    const gz_clear_job *job;
    window stack[MOST_FIRST + DEEPEST];
    int count;
    uint64_t checks;
} search;

/* ---- windows ---- */

static void push_first(search *s) {
    const gz_clear_job *job = s->job;
    double turn = gz_scene_turn_between(job->windows->scene, s->pair->pair.a, s->pair->pair.b);
    double wanted = ceil(turn * (job->end - job->begin) / WINDOW_TURN);
    int count = wanted > MOST_FIRST ? MOST_FIRST : wanted > 1 ? (int)wanted : 1;
    double length = job->end - job->begin;
    for (int i = count; i-- > 0;) {
        double begin = i ? job->begin + length * i / count : job->begin;
        double end = i + 1 < count ? job->begin + length * (i + 1) / count : job->end;
        s->stack[s->count++] = (window){.begin = begin, .end = end};
    }
}

static bool is_beyond(search *s, const window *w, double beyond) {
    gz_frames_window(s->job->windows, w->begin, w->end);
    return gz_apart_over(s->job->windows, &s->pair->pair, beyond, w->guide, &s->checks);
}

static double middle_of(const window *w) { return 0.5 * (w->begin + w->end); }

static bool is_cancelled(const search *s) { return gz_cancelled(s->job->windows->scene->context); }

static bool is_given_up(const search *s, const window *w) {
    double middle = middle_of(w);
    return s->checks >= s->job->max_checks || is_cancelled(s) || !(w->end - w->begin > SHORTEST_WINDOW) ||
           !(middle > w->begin) || !(middle < w->end);
}

static void halve(search *s, const window *w) {
    double middle = middle_of(w);
    s->stack[s->count++] = (window){middle, w->end, w->guide};
    s->stack[s->count++] = (window){w->begin, middle, w->guide};
}

/* ---- the least distance ---- */

/* The distance that a window has to be proven to keep. */
static double goal(const search *s) { return fmin(s->pair->upper - s->pair->tolerance, s->job->cut); }

static void measure(search *s, double t, gz_guide *guide) {
    gz_clear_pair *pair = s->pair;
    gz_frames_window(s->job->times, t, t);
    gz_link_gap gap = gz_links_gap(s->job->times, &pair->pair, INFINITY);
    s->checks += 64;
    if (gap.apart) *guide = (gz_guide){gap.closest.n, true};
    if (!(gap.upper < pair->upper)) return;
    pair->upper = gap.upper;
    pair->segment = s->job->segment;
    pair->time = t;
}

/* The most that can be said where time or room is out. */
static double last_bound(search *s, const window *w) {
    double beyond = goal(s), slack = s->pair->tolerance;
    while (beyond > 0 && beyond < INFINITY) {
        if (is_beyond(s, w, beyond)) return beyond;
        slack *= LAST_GROWTH;
        beyond = fmin(s->pair->upper, s->job->cut) - slack;
    }
    return 0;
}

/* False: the window is not done with. */
static bool try_window(search *s, window *w) {
    double beyond = goal(s);
    bool done = beyond <= 0 || (beyond < INFINITY && is_beyond(s, w, beyond));
    if (!done) {
        measure(s, middle_of(w), &w->guide);
        beyond = goal(s);
        done = beyond <= 0 || is_beyond(s, w, beyond);
    }
    if (done) s->pair->lower = fmin(s->pair->lower, fmax(0, beyond));
    return done;
}

void gz_clear_pair_add(gz_clear_pair *pair, const gz_clear_job *job) {
    search s;
    s.pair = pair;
    s.job = job;
    s.count = 0;
    s.checks = 0;
    push_first(&s);
    while (s.count && !is_cancelled(&s)) {
        window w = s.stack[--s.count];
        if (try_window(&s, &w)) continue;
        if (is_given_up(&s, &w))
            pair->lower = fmin(pair->lower, last_bound(&s, &w));
        else
            halve(&s, &w);
    }
    if (s.count) pair->lower = 0; /* cancelled: of what is left nothing is known */
    pair->checks += s.checks;
}

bool gz_clear_pair_is_beyond(const gz_clear_pair *pair, const gz_clear_job *job, double beyond, uint64_t *checks) {
    gz_clear_pair copy = *pair; /* `measure` may find that it is not */
    search s;
    s.pair = &copy;
    s.job = job;
    s.count = 0;
    s.checks = 0;
    copy.upper = INFINITY;
    if (!(job->begin < job->end)) return true;
    push_first(&s);
    bool good = true;
    while (s.count && good) {
        window w = s.stack[--s.count];
        if (is_beyond(&s, &w, beyond)) continue;
        measure(&s, middle_of(&w), &w.guide);
        good = !(copy.upper < beyond) && !is_given_up(&s, &w);
        if (good && !is_beyond(&s, &w, beyond)) halve(&s, &w);
    }
    *checks += s.checks;
    return good;
}
