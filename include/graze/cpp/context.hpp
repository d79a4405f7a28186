/// Contexts and the lists that calls on them return.
#ifndef GRAZE_CPP_CONTEXT_HPP
#define GRAZE_CPP_CONTEXT_HPP

#include "graze/cpp/error.hpp"
#include "graze/cpp/views.hpp"

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>

namespace graze {

/// As graze_context_options. An exception from a callback ends the call and comes out of it.
struct context_options {
    uint32_t threads = 0;
    graze_isa isa = GRAZE_ISA_AUTO;
    double deadline_seconds = 0;
    std::size_t memory_limit = 0;
    graze_backend backend = GRAZE_BACKEND_AUTO;
    int32_t device = -1;
    const graze_allocator *allocator = nullptr; ///< copied; nullptr: the C library
    /// Returns true to end the call early. Several threads may call it at once, like all callbacks here.
    std::function<bool()> cancel;
    std::function<void(graze_log_level, const char *)> log;
    /// Runs piece(i) for every i in [0, count), in any order, on any threads.
    std::function<void(std::size_t count, const std::function<void(std::size_t)> &piece)> parallel_for;
};

namespace detail {

/// Exceptions of callbacks, kept until the call that they were in has ended.
class thrown {
  public:
    template <class Value, class Function> Value guard(Value otherwise, const Function &function) {
#if defined(__cpp_exceptions)
        try {
            return function();
        } catch (...) {
            const std::lock_guard<std::mutex> lock(mutex_);
            if (!first_) first_ = std::current_exception();
            any_ = true;
            return otherwise;
        }
#else
        static_cast<void>(otherwise);
        return function();
#endif
    }
    bool any() const { return any_; }
    void rethrow() {
        if (any_.exchange(false)) std::rethrow_exception(std::exchange(first_, nullptr));
    }

  private:
    std::atomic<bool> any_{false};
    std::mutex mutex_;
    std::exception_ptr first_;
};

/// State that a context, its meshes and its lists share: it goes with the last of them.
class core {
  public:
    explicit core(const context_options &options) : functions_(options) {
        graze_context_options c = graze_default_context_options();
        c.threads = options.threads;
        c.isa = options.isa;
        c.deadline_seconds = options.deadline_seconds;
        c.memory_limit = options.memory_limit;
        c.backend = options.backend;
        c.device = options.device;
        if (options.allocator) c.allocator = *options.allocator;
        if (options.log) c.log = log, c.log_user = this;
        if (options.parallel_for) c.parallel_for = parallel_for, c.parallel_user = this;
        c.cancel = cancel;
        c.cancel_user = this;
        status_ = graze_context_create(&c, &context_);
    }
    ~core() { graze_context_destroy(context_); }
    core(const core &) = delete;
    core &operator=(const core &) = delete;

    graze_context *get() const { return context_; }
    graze_status status() const { return status_; }

    thrown &callbacks() { return thrown_; }

    /// The end of every call on the context.
    void finish(graze_status status, const report &report) {
        thrown_.rethrow();
        if (status == GRAZE_OK) return;
        graze_error error;
        if (graze_context_last_error(context_, &error) != GRAZE_OK || error.status != status || !error.message[0])
            report(status);
        else
            report(status, error.message, error.index);
    }

  private:
    static core &of(void *user) { return *static_cast<core *>(user); }
    static int cancel(void *user) {
        core &self = of(user);
        if (self.thrown_.any()) return 1; // nothing of this call is wanted any more
        return self.thrown_.guard(1, [&] { return self.functions_.cancel ? int(self.functions_.cancel()) : 0; });
    }
    static void log(void *user, graze_log_level level, const char *line) {
        core &self = of(user);
        self.thrown_.guard(0, [&] { return self.functions_.log(level, line), 0; });
    }
    static void parallel_for(void *user, std::size_t count, graze_task *task, void *state) {
        of(user).functions_.parallel_for(count, [=](std::size_t i) { task(state, i); });
    }

    context_options functions_;
    graze_context *context_ = nullptr;
    graze_status status_ = GRAZE_OK;
    thrown thrown_;
};

} // namespace detail

/// Carries threads, limits and callbacks, and keeps buffers from call to call. One call at a time: use one context for
/// each calling thread. Movable, not copyable: calls with a moved-from context return GRAZE_ERR_INVALID_ARGUMENT.
class context {
  public:
    /// If making it fails and sets a code, later calls treat the context as NULL.
    explicit context(const context_options &options = {}, const report &report = {})
        : core_(std::make_shared<detail::core>(options)) {
        report(core_->status());
    }
    context(context &&) = default;
    context &operator=(context &&) = default;

    graze_context *get() const { return core_ ? core_->get() : nullptr; }
    uint32_t threads() const { return get() ? graze_context_threads(get()) : 0; }
    graze_isa isa() const { return get() ? graze_context_isa(get()) : GRAZE_ISA_AUTO; }
    graze_stats stats() const {
        graze_stats stats = graze_default_stats();
        graze_context_stats(get(), &stats);
        return stats;
    }
    void reset_stats() {
        if (get()) graze_context_reset_stats(get());
    }
    void trim(const report &report = {}) { report(graze_context_trim(get())); }

    const std::shared_ptr<detail::core> &core() const { return core_; }

    /// The end of every call on the context.
    void finish(graze_status status, const report &report) const {
        if (core_)
            core_->finish(status, report);
        else
            report(GRAZE_ERR_INVALID_ARGUMENT, "the context was moved from");
    }

  private:
    std::shared_ptr<detail::core> core_;
};

/// An array from the library, released with its last owner. It keeps the needed parts of its context alive.
template <class T> class list {
  public:
    using release_function = void (*)(graze_context *, T *, std::size_t);

    list() = default;
    list(std::shared_ptr<detail::core> core, T *data, std::size_t size, release_function release)
        : core_(std::move(core)), data_(data), size_(size), release_(release) {}
    list(list &&other) noexcept { swap(other); }
    list &operator=(list &&other) noexcept {
        list(std::move(other)).swap(*this);
        return *this;
    }
    ~list() {
        if (data_) release_(core_->get(), data_, size_);
    }

    const T *data() const { return data_; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const T *begin() const { return data_; }
    const T *end() const { return data_ + size_; }
    const T &operator[](std::size_t i) const { return data_[i]; }

  private:
    void swap(list &other) noexcept {
        std::swap(core_, other.core_);
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(release_, other.release_);
    }

    std::shared_ptr<detail::core> core_;
    T *data_ = nullptr;
    std::size_t size_ = 0;
    release_function release_ = nullptr;
};

} // namespace graze
#endif
