/// One pair: when it touches, exactly when, the proof, and how far apart it is.
#ifndef GRAZE_CPP_QUERY_HPP
#define GRAZE_CPP_QUERY_HPP

#include "graze/certificate.h"
#include "graze/cpp/context.hpp"
#include "graze/curve.h"
#include "graze/distance.h"
#include "graze/exact.h"

namespace graze {

/// graze_options with its defaults set.
struct options : graze_options {
    options() : graze_options(graze_default_options()) {}
    explicit options(graze_method by, double separation = 0) : options() {
        method = by;
        min_separation = separation;
    }
};

namespace detail {

inline std::string wrong_columns(const char *what, std::size_t columns, std::size_t asked) {
    return std::string(what) + ": " + std::to_string(columns) + " numbers a row, not " + std::to_string(asked);
}

inline bool are_points(const char *name, const points &x, const report &report) {
    if (x.columns() == 3) return true;
    report(GRAZE_ERR_INVALID_ARGUMENT, wrong_columns(name, x.columns(), 3));
    return false;
}

inline bool are_rows(const char *name, const points &x, std::size_t rows, const report &report) {
    if (!are_points(name, x, report)) return false;
    if (x.size() >= rows) return true;
    report(GRAZE_ERR_INVALID_ARGUMENT,
           std::string(name) + ": " + std::to_string(x.size()) + " rows, not " + std::to_string(rows));
    return false;
}

inline std::size_t rows_of(graze_kind kind) { return kind == GRAZE_PP ? 2 : kind == GRAZE_PE ? 3 : 4; }

inline void copy_rows(const points &x, std::size_t rows, double (*target)[3]) {
    for (std::size_t i = 0; i < rows; i++)
        for (std::size_t c = 0; c < 3; c++) target[i][c] = x[i][c];
}

/// NaN in it, so that no call takes it.
inline graze_query closed_query() {
    graze_query query{};
    query.x0[0][0] = std::numeric_limits<double>::quiet_NaN();
    return query;
}

} // namespace detail

/// The rows of a query from matrices or lists: as many as the kind has, in the order that graze_kind gives.
inline graze_query make_query(graze_kind kind, const points &x0, const points &x1, const report &report = {}) {
    const std::size_t rows = detail::rows_of(kind);
    graze_query query{};
    if (!detail::are_rows("x0", x0, rows, report) || !detail::are_rows("x1", x1, rows, report))
        return detail::closed_query();
    detail::copy_rows(x0, rows, query.x0);
    detail::copy_rows(x1, rows, query.x1);
    return query;
}

inline graze_result ccd(graze_kind kind, const graze_query &query, const options &options = {},
                        const report &report = {}) {
    graze_result result;
    report(graze_ccd(kind, &query, &options, &result));
    return result;
}

inline graze_result ccd(graze_kind kind, const graze_query_f32 &query, const options &options = {},
                        const report &report = {}) {
    graze_result result;
    report(graze_ccd_f32(kind, &query, &options, &result));
    return result;
}

inline graze_result ccd(graze_kind kind, const graze_query_2d &query, const options &options = {},
                        const report &report = {}) {
    graze_result result;
    report(graze_ccd_2d(kind, &query, &options, &result));
    return result;
}

inline graze_result ccd(graze_kind kind, const graze_curve_query &query, const options &options = {},
                        const report &report = {}) {
    graze_result result;
    report(graze_ccd_curve(kind, &query, &options, &result));
    return result;
}

/// @param radii  of the rows
inline graze_result ccd_thick(graze_kind kind, const graze_query &query, const std::array<double, 4> &radii,
                              const options &options = {}, const report &report = {}) {
    graze_result result;
    report(graze_ccd_thick(kind, &query, radii.data(), &options, &result));
    return result;
}

/// A verdict and its proof.
struct certificate {
    graze_result result;
    std::vector<graze_certificate_entry> entries;
};

inline certificate ccd_certificate(graze_kind kind, const graze_query &query, const options &options = {},
                                   const report &report = {}) {
    certificate made;
    std::size_t count = 16;
    graze_status status = GRAZE_ERR_OUT_OF_MEMORY;
    while (status == GRAZE_ERR_OUT_OF_MEMORY && count > made.entries.size()) { // it says how many there are
        made.entries.resize(count);
        status = graze_ccd_certificate(kind, &query, &options, made.entries.data(), made.entries.size(), &count,
                                       &made.result);
    }
    made.entries.resize(status == GRAZE_OK ? count : 0);
    report(status);
    return made;
}

/// Distance of a pair at rest; x has as many rows as the kind.
inline graze_distance_result distance(graze_kind kind, const points &x, const report &report = {}) {
    double rows[4][3] = {};
    graze_distance_result result;
    if (detail::are_rows("x", x, detail::rows_of(kind), report))
        detail::copy_rows(x, detail::rows_of(kind), rows);
    else
        rows[0][0] = std::numeric_limits<double>::quiet_NaN();
    const graze_status status = graze_distance(kind, rows, &result);
    if (x.columns() == 3 && x.size() >= detail::rows_of(kind)) report(status);
    return result;
}

/// graze_truth_options with its defaults set.
struct truth_options : graze_truth_options {
    truth_options() : graze_truth_options(graze_default_truth_options()) {}
};

/// The exact answer to a query.
class truth {
  public:
    truth(graze_kind kind, const graze_query &query, const truth_options &options = {}, const report &report = {}) {
        graze_truth *found = nullptr;
        const graze_status status = graze_truth_find(nullptr, kind, &query, &options, &found);
        truth_.reset(found);
        report(status);
    }

    bool hit() const { return graze_truth_hit(truth_.get()) != 0; }
    /// Adjacent doubles around the first contact, equal when it is a double; NaN without a hit.
    std::pair<double, double> bracket() const {
        std::pair<double, double> bracket;
        graze_truth_bracket(truth_.get(), &bracket.first, &bracket.second);
        return bracket;
    }
    /// −1, 0 or 1 as t is before, at or after the first contact.
    int compare(double t) const { return graze_truth_compare(truth_.get(), t); }
    int contact_count() const { return graze_truth_contact_count(truth_.get()); }
    bool on_boundary() const { return graze_truth_on_boundary(truth_.get()) != 0; }
    /// Coefficients in decimal of the integer polynomial that the first contact is a root of, the constant term first;
    /// none without a hit.
    std::vector<std::string> polynomial() const {
        std::vector<std::string> coefficients;
        for (int k = 0; k <= graze_truth_degree(truth_.get()); k++) {
            std::string digits(graze_truth_coefficient(truth_.get(), k, nullptr, 0) + 1, '\0');
            digits.resize(graze_truth_coefficient(truth_.get(), k, &digits[0], digits.size()));
            coefficients.push_back(digits);
        }
        return coefficients;
    }
    struct enclosures {
        double u[2], v[2];
    };
    enclosures parameters() const {
        enclosures found;
        graze_truth_parameters(truth_.get(), found.u, found.v);
        return found;
    }

  private:
    struct release {
        void operator()(graze_truth *truth) const { graze_truth_destroy(nullptr, truth); }
    };
    std::unique_ptr<graze_truth, release> truth_;
};

} // namespace graze
#endif
