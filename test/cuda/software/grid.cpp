#include "grid.h"

#include "fibers.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

software_index threadIdx, blockIdx, blockDim, gridDim;

namespace software {

/* ---- settings, chance, errors ---- */

static uint64_t number_of(const char *name, uint64_t usual) {
    const char *text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 10) : usual;
}

const settings &settings_of_device() {
    static const settings all = {number_of("GRAZE_SOFTWARE_SEED", 1),
                                 (unsigned)number_of("GRAZE_SOFTWARE_PROCESSORS", 1)};
    return all;
}

uint64_t draw(uint64_t count) {
    static uint64_t state = settings_of_device().seed * 0x9e3779b97f4a7c15u;
    if (!settings_of_device().seed) return 0;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (state >> 11) % count;
}

void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    std::fflush(stdout);
    std::fprintf(stderr, "software device: ");
    std::vfprintf(stderr, format, arguments);
    std::fprintf(stderr, "\n");
    va_end(arguments);
    std::abort();
}

/* ---- what runs ---- */

#define WARP 32u
#define MOST_AT_ONCE 1024u /* threads of blocks that run at once, for each processor */
#define MOST_NAPS 1000000u /* one after another, in which nothing happens */

enum lane_state { NEW, READY, ASLEEP, WAITING, DONE };

struct lane {
    lane_state state = NEW;
    fiber *on = nullptr;
    operation what = SYNC; /* that it waits for */
    unsigned mask = 0;
    int argument = 0, line = 0;
    const void *place = nullptr; /* in the code */
    uint64_t value = 0, result = 0;
};

struct shared_variable {
    const void *name;
    std::unique_ptr<char[]> memory;
    void *start;
};

struct running_block {
    unsigned id, alive;
    std::vector<lane> lanes;
    std::vector<shared_variable> variables;
};

struct running_grid {
    const char *name;
    unsigned blocks, threads;
    thread_function thread;
    unsigned begun = 0, first = 0, apart = 1; /* block first + i · apart, modulo all, is the ith to begin */
    unsigned naps = 0;
    std::vector<std::unique_ptr<running_block>> open;
};

static running_grid *now_grid;
static running_block *now_block;
static lane *now_lane;

/* ---- from inside of a thread ---- */

static void run_thread(void *user) { ((running_grid *)user)->thread(); }

uint64_t meet(operation what, unsigned mask, uint64_t value, int argument, int line) {
    lane &me = *now_lane;
    if (what != BARRIER && !(mask >> threadIdx.x % WARP & 1u))
        fail("%s, line %d: thread %u of block %u is not in its own mask %08x", now_grid->name, line, threadIdx.x,
             blockIdx.x, mask);
    me.state = WAITING;
    me.what = what, me.mask = mask, me.value = value, me.argument = argument, me.line = line;
    me.place = __builtin_return_address(0);
    fiber_wait();
    return me.result;
}

void pause() {
    now_lane->state = ASLEEP;
    fiber_wait();
}

void maybe_pause() {
    if (draw(8) == 1) fiber_wait();
}

void *shared(const void *variable, size_t size, size_t alignment) {
    for (const shared_variable &v : now_block->variables)
        if (v.name == variable) return v.start;
    shared_variable v = {variable, std::unique_ptr<char[]>(new char[size + alignment]), nullptr};
    v.start = v.memory.get() + (alignment - (uintptr_t)v.memory.get() % alignment) % alignment;
    std::memset(v.start, 0xa5, size);
    now_block->variables.push_back(std::move(v));
    return now_block->variables.back().start;
}

/* ---- operations of a warp ---- */

struct warp {
    lane *lanes;
    unsigned count;

    unsigned which(lane_state state) const {
        unsigned mask = 0;
        for (unsigned i = 0; i < count; i++)
            if (lanes[i].state == state) mask |= 1u << i;
        return mask;
    }
};

static bool at_work(const warp &w) {
    for (unsigned i = 0; i < w.count; i++)
        if (w.lanes[i].state < WAITING) return true;
    return false;
}

static uint64_t shuffled(const warp &w, unsigned there, unsigned i) {
    const lane &me = w.lanes[i];
    unsigned from = i, by = (unsigned)me.argument;
    if (me.what == SHUFFLE) from = by % WARP;
    if (me.what == SHUFFLE_UP && by <= i) from = i - by;
    if (me.what == SHUFFLE_DOWN && i + by < WARP) from = i + by;
    if (me.what == SHUFFLE_XOR) from = i ^ by;
    if (!(there >> from & 1u))
        fail("%s, line %d: lane %u reads from lane %u, which is not there", now_grid->name, me.line, i, from);
    return w.lanes[from].value;
}

/* What all lanes of a group get, but for shuffles. */
static uint64_t folded(const warp &w, unsigned there, operation what) {
    uint64_t all = 0;
    bool first = true;
    for (unsigned i = 0; i < w.count; i++) {
        if (!(there >> i & 1u)) continue;
        uint64_t x = w.lanes[i].value;
        if (what == BALLOT) all |= (x ? 1ull : 0ull) << i;
        if (what == ANY) all |= x ? 1 : 0;
        if (what == SUM) all = (unsigned)(all + x);
        if (what == LEAST && (first || (int)x < (int)all)) all = x;
        if (what == MOST && (first || (int)x > (int)all)) all = x;
        first = false;
    }
    return all;
}

static bool is_shuffle(operation what) { return what >= SHUFFLE && what <= SHUFFLE_XOR; }

static void let_go(const warp &w, unsigned group, uint64_t result) {
    const bool shuffle = is_shuffle(w.lanes[__builtin_ctz(group)].what);
    for (unsigned i = 0; i < w.count; i++)
        if (group >> i & 1u) w.lanes[i].result = shuffle ? shuffled(w, group, i) : result;
    for (unsigned i = 0; i < w.count; i++)
        if (group >> i & 1u) w.lanes[i].state = READY;
}

/* The lanes that this one waits with, when all that are left of its mask are there: 0 as long as not. */
static unsigned whole_group(const warp &w, unsigned waiting, unsigned gone, unsigned i) {
    const lane &me = w.lanes[i];
    if (me.what == BARRIER || me.what == ACTIVE) return 0;
    unsigned group = me.mask & ~gone;
    if (group & ~waiting) return 0;
    for (unsigned k = 0; k < w.count; k++) {
        const lane &other = w.lanes[k];
        if (!(group >> k & 1u)) continue;
        if (other.what != me.what || other.mask != me.mask) return 0;
        if (other.line != me.line)
            fail("%s: lanes of a warp meet in different lines, %d and %d", now_grid->name, me.line, other.line);
    }
    return group;
}

/* Lanes that ask who is here are told of any part of those that ask at the same place. */
static bool answer_active(const warp &w, unsigned waiting) {
    for (unsigned i = 0; i < w.count; i++) {
        if (!(waiting >> i & 1u) || w.lanes[i].what != ACTIVE) continue;
        unsigned group = 0, some = draw(2) ? (unsigned)draw(1ull << 32) : ~0u;
        for (unsigned k = i; k < w.count; k++)
            if (waiting >> k & 1u && w.lanes[k].what == ACTIVE && w.lanes[k].place == w.lanes[i].place)
                group |= 1u << k;
        group = (group & some) | 1u << i;
        let_go(w, group, group);
        return true;
    }
    return false;
}

/* Lets those go on whose group is whole; true if any did. */
static bool answer(const warp &w) {
    unsigned waiting = w.which(WAITING), gone = w.which(DONE), answered = 0;
    if (w.count < WARP) gone |= ~0u << w.count;
    for (unsigned i = 0; i < w.count; i++) {
        if (!(waiting & ~answered & 1u << i)) continue;
        unsigned group = whole_group(w, waiting & ~answered, gone, i);
        if (!group) continue;
        let_go(w, group, is_shuffle(w.lanes[i].what) ? 0 : folded(w, group, w.lanes[i].what));
        answered |= group;
    }
    return answered || (!at_work(w) && answer_active(w, waiting));
}

/* ---- blocks ---- */

static void open_block(running_grid &g) {
    std::unique_ptr<running_block> b(new running_block);
    b->id = (unsigned)((g.first + (uint64_t)g.begun++ * g.apart) % g.blocks);
    b->alive = g.threads;
    b->lanes.resize(g.threads);
    g.open.push_back(std::move(b));
}

static void resume(running_grid &g, running_block &b, unsigned i) {
    lane &l = b.lanes[i];
    now_grid = &g, now_block = &b, now_lane = &l;
    threadIdx = {i, 0, 0}, blockIdx = {b.id, 0, 0}, blockDim = {g.threads, 1, 1}, gridDim = {g.blocks, 1, 1};
    if (l.state == NEW) l.on = fiber_begin(run_thread, &g);
    l.state = READY;
    if (!fiber_resume(l.on)) return;
    l.on = nullptr;
    l.state = DONE;
    b.alive--;
}

/* Each lane of a warp that can runs until it waits. True if something happened that is more than a nap. */
static bool run_warp(running_grid &g, running_block &b, unsigned first, size_t *budget) {
    const warp w = {&b.lanes[first], std::min(WARP, g.threads - first)};
    const unsigned start = (unsigned)draw(w.count);
    bool happened = false;
    for (unsigned k = 0; k < w.count; k++) {
        const unsigned i = (start + k) % w.count;
        if (w.lanes[i].state >= WAITING) continue;
        resume(g, b, first + i);
        happened |= w.lanes[i].state != ASLEEP;
        if (w.lanes[i].state == ASLEEP) g.naps++;
        if (*budget) --*budget;
    }
    now_grid = &g;
    return answer(w) || happened;
}

/* All that are left have come to the barrier. */
static bool answer_barrier(running_block &b) {
    unsigned there = 0;
    for (const lane &l : b.lanes) there += l.state == WAITING && l.what == BARRIER;
    if (!there || there < b.alive) return false;
    for (lane &l : b.lanes)
        if (l.state == WAITING) l.state = READY;
    return true;
}

/* Every warp of a block, some of them more often. True if anything happened. */
static bool run_block(running_grid &g, running_block &b, size_t *budget) {
    const unsigned warps = (g.threads + WARP - 1) / WARP, start = (unsigned)draw(warps);
    bool happened = false;
    for (unsigned k = 0; k < warps && b.alive; k++) {
        const unsigned first = (start + k) % warps * WARP;
        for (uint64_t more = 1 + draw(16); more && run_warp(g, b, first, budget); more--) happened = true;
    }
    return answer_barrier(b) || happened;
}

[[noreturn]] static void fail_stuck(const running_grid &g) {
    static const char *const names[] = {"syncwarp",    "ballot", "any",   "shuffle", "shuffle up", "shuffle down",
                                        "shuffle xor", "sum",    "least", "most",    "activemask", "syncthreads"};
    unsigned said = 0;
    for (const auto &b : g.open)
        for (unsigned i = 0; i < g.threads && said < 40; i++) {
            const lane &l = b->lanes[i];
            if (l.state == DONE || (i && b->lanes[i - 1].state == l.state && b->lanes[i - 1].line == l.line)) continue;
            said++;
            if (l.state == WAITING)
                std::fprintf(stderr, "  block %u, from thread %u: %s of %08x, line %d\n", b->id, i, names[l.what],
                             l.mask, l.line);
            else
                std::fprintf(stderr, "  block %u, from thread %u: in a loop\n", b->id, i);
        }
    fail("%s: its threads wait for each other, and nobody goes on", g.name);
}

grid grid_begin(const char *name, unsigned blocks, unsigned threads, const thread_function &thread) {
    static const unsigned primes[] = {1, 7919, 104729, 611953};
    grid g(new running_grid{name, blocks, threads, thread});
    g->first = (unsigned)draw(blocks);
    g->apart = primes[draw(4)];
    if (blocks % g->apart == 0) g->apart = 1;
    return g;
}

bool grid_run(running_grid &g, size_t *budget) {
    const unsigned at_once = std::max(1u, settings_of_device().processors * MOST_AT_ONCE / g.threads);
    while (*budget) {
        while (g.open.size() < at_once && g.begun < g.blocks) open_block(g);
        if (g.open.empty()) return true;
        bool happened = false;
        const size_t start = draw(g.open.size());
        for (size_t k = 0; k < g.open.size(); k++)
            happened |= run_block(g, *g.open[(start + k) % g.open.size()], budget);
        if (happened) g.naps = 0;
        if (g.naps > MOST_NAPS || (!happened && !g.naps)) fail_stuck(g);
        for (size_t k = g.open.size(); k-- > 0;)
            if (!g.open[k]->alive) g.open.erase(g.open.begin() + (std::ptrdiff_t)k);
    }
    return false;
}

void grid_deleter::operator()(running_grid *g) const {
    for (const auto &b : g->open)
        for (const lane &l : b->lanes)
            if (l.on) fiber_drop(l.on);
    delete g;
}

} // namespace software
