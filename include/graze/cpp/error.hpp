/// Errors of calls: an exception, or a std::error_code that the caller passes.
#ifndef GRAZE_CPP_ERROR_HPP
#define GRAZE_CPP_ERROR_HPP

#include "graze/base.h"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <system_error>

namespace graze {

/// A call that did not work.
class error : public std::runtime_error {
  public:
    error(graze_status status, const std::string &message, uint64_t index = UINT64_MAX)
        : std::runtime_error(message), status_(status), index_(index) {}

    graze_status status() const noexcept { return status_; }
    /// First bad query, vertex, edge or face; UINT64_MAX without one.
    uint64_t index() const noexcept { return index_; }

  private:
    graze_status status_;
    uint64_t index_;
};

/// Of the values of graze_status.
inline const std::error_category &status_category() {
    class category final : public std::error_category {
        const char *name() const noexcept override { return "graze"; }
        std::string message(int value) const override { return graze_status_name(static_cast<graze_status>(value)); }
    };
    static const category instance;
    return instance;
}

inline std::error_code error_code(graze_status status) { return {static_cast<int>(status), status_category()}; }

/// Receives the status of a call; the optional last argument of every function that can fail. Without it the function
/// throws graze::error. A std::error_code is set instead, or cleared by a call that works, and nothing is thrown; a
/// failed call then returns a safe value: unresolved with toi 0, an empty list, an empty mesh. (Without exceptions, a
/// failing call without a code prints a line to stderr and ends the program.)
class report {
  public:
    report() = default;
    report(std::error_code &code) : code_(&code) { code.clear(); }

    void operator()(graze_status status, const std::string &message, uint64_t index = UINT64_MAX) const {
        if (status == GRAZE_OK) return;
        if (code_) {
            *code_ = error_code(status);
        } else {
#if defined(__cpp_exceptions)
            throw error(status, message, index);
#else
            std::fprintf(stderr, "graze: %s (%llu)\n", message.c_str(), static_cast<unsigned long long>(index));
            std::abort();
#endif
        }
    }
    void operator()(graze_status status) const {
        if (status != GRAZE_OK) (*this)(status, graze_status_name(status));
    }

  private:
    std::error_code *code_ = nullptr;
};

} // namespace graze
#endif
