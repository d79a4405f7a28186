#include "cuda/call/find_earliest.cuh"

#include "cuda/call/passes.cuh"

#include <algorithm>
#include <cmath>

#define WIDER 16.0

/* About the part of the step in which vertices move a twentieth of an edge: then few pairs meet that are not near. */
static double first_window(gz_cuda_step &c) {
    double window = 0.05 * gz_device_scene_edges_to_motion(c.scene(), c.error);
    return window > 0x1p-30 ? std::min(window, 1.0) : c.scene().edge_count ? 0x1p-30 : 1.0; /* and for no number */
}

/* So much of the step, or all of it where pairs that keep a part of their distance leave no windows. */
static double window_of(const gz_cuda_step &c, double window) {
    double t_max = c.request.call.t_max, part = c.request.kept.part;
    bool served = part == 0 || (c.given->kept_windows && gz_kept_pays(part, window, t_max));
    return served ? std::min(window, t_max) : t_max;
}

/* Every pair whose toi is at most best is inside the window, or it is all of the step. */
static bool is_done(double best, double window, double t_max) {
    return window >= t_max || best * (1 + 0x1p-30) + 0x1p-800 <= window;
}

static void list_late(gz_cuda_step &c) {
    c.b->asks.clear();
    for (size_t i = 0; i < c.seen().late; i++) {
        const gz_open_pair &late = c.seen().first_late[i];
        c.b->asks.push_back({{(graze_kind)late.kind, late.a, late.b}, late.t});
        gz_fill_rows(c, c.b->asks.back().pair, c.narrow().late_rows.items + 4 * i);
    }
}

/* The earliest of those that the device has answered. */
static void take_first(gz_cuda_step &c, unsigned long long *least) {
    gz_backend_answer *answer = c.answer;
    const gz_step_state &seen = c.seen();
    unsigned long long code = seen.first_code;
    if (code == ~0ull || (answer->has_best && (gz_bits_of(answer->best_toi) < seen.best ||
                                               (gz_bits_of(answer->best_toi) == seen.best && *least < code))))
        return;
    *least = code;
    answer->has_best = 1;
    answer->best = gz_pair_of(gz_device_scene_coder(c.scene()), code);
    answer->best_toi = gz_double_of(seen.best);
    gz_fill_rows(c, answer->best, c.narrow().ask_rows.items + 4 * seen.asks);
}

/* True if the first of the pairs that are stuck at the start touches there: no other is before it, by time or by the
   order of ties, and none need be finished. After a pass whose best is 0 this would not be known of the pair itself. */
static bool first_stuck_touches(gz_cuda_step &c, double *best) {
    unsigned long long code = c.seen().stuck_code;
    if (*best == 0 || code == ~0ull || !gz_pass_tell_stuck(c.scene(), c.narrow(), c.request, c.error)) return false;
    c.b->asks.assign(1, {gz_pair_of(gz_device_scene_coder(c.scene()), code), 0});
    gz_fill_rows(c, c.b->asks[0].pair, c.narrow().late_rows.items);
    *best = c.given->functions.answer(c.given->host, c.b->asks.data(), 1);
    return *best == 0;
}

/* Few pairs that are left go to the host, many to the device. The least toi that is known then. */
static bool finish_pass(gz_cuda_step &c, const gz_device_pass &pass, unsigned long long *first, double *best) {
    if (c.seen().late > GZ_FEW_LATE && first_stuck_touches(c, best)) return true;
    if (c.seen().late <= GZ_FEW_LATE) {
        list_late(c);
    } else {
        while (!gz_pass_finish(c.scene(), c.narrow(), c.request, c.error))
            if (!c.good() || c.narrow().stopped || !gz_run_pass(c, pass)) return false; /* again, with longer lists */
        gz_list_asks(c);
        take_first(c, first);
    }
    *best = gz_double_of(c.seen().best);
    if (!c.b->asks.empty())
        *best = std::min(*best, c.given->functions.answer(c.given->host, c.b->asks.data(), c.b->asks.size()));
    return true;
}

/* All pairs of a window, in as many passes as it takes. */
static bool find_in_window(gz_cuda_step &c, gz_device_pass pass, unsigned long long *first, double *best) {
    for (;; pass.first = c.narrow().batch_end) {
        if (!gz_run_pass(c, pass)) return false;
        c.answer->has_bad = c.seen().bad_pair != 0;
        if (c.answer->has_bad) return true;
        pass.start = GZ_START_TREE;
        if (!finish_pass(c, pass, first, best)) return false;
        pass.best = gz_bits_of(*best);
        if (gz_is_last(c)) return true;
    }
}

bool gz_find_earliest(gz_cuda_step &c) {
    double t_max = c.request.call.t_max, best = INFINITY, &window = c.b->window[c.request.only()];
    unsigned long long first = ~0ull;
    if (!(window > 0)) window = first_window(c);
    if (c.request.kept.part > 0 && !gz_device_scene_motion(c.scene(), &c.request.kept, c.error)) return false;
    gz_device_pass pass = {window_of(c, window), GZ_NOTHING_YET, GZ_START_POSITIONS, 0};
    for (;;) {
        if (!find_in_window(c, pass, &first, &best)) return false;
        if (c.answer->has_bad) return true;
        if (is_done(best, pass.window, t_max)) break;
        if (gz_is_ended(c.given)) return false;
        pass = {window_of(c, pass.window * WIDER), gz_bits_of(best), GZ_START_ENDS, 0};
    }
    window = best < t_max ? std::max(1.5 * best, 0x1p-30) : 1; /* after a clear step all of it, at once */
    return true;
}
