/// Many pairs of one kind at once.
#ifndef GRAZE_CPP_BATCH_HPP
#define GRAZE_CPP_BATCH_HPP

#include "graze/cpp/query.hpp"

namespace graze {

/// Coordinates of a batch, read in place: matrices of 4·n rows and 3 columns in either storage order, or lists of
/// points. Rows 4·i … 4·i + 3 belong to query i.
class query_arrays {
  public:
    template <class Source> query_arrays(const Source &x0, const Source &x1) : c_(graze_default_query_arrays()) {
        const auto table0 = detail::table_of<3>(x0), table1 = detail::table_of<3>(x1);
        static_assert(std::is_same_v<decltype(table0.data), const double *>, "coordinates are double");
        c_.x0 = table0.data;
        c_.x1 = table1.data;
        set(c_.strides0, table0);
        set(c_.strides1, table1);
        const bool same = table0.rows == table1.rows && table0.rows % 4 == 0;
        valid_ = same && table0.columns == 3 && table1.columns == 3;
        size_ = valid_ ? table0.rows / 4 : 0;
    }

    /// Two arrays of 4·n rows of 3.
    bool valid() const { return valid_; }
    std::size_t size() const { return size_; }
    const graze_query_arrays &c() const { return c_; }

  private:
    static void set(std::ptrdiff_t (&strides)[3], const detail::table<double> &table) {
        strides[1] = table.row_step * std::ptrdiff_t(sizeof(double));
        strides[0] = 4 * strides[1];
        strides[2] = table.column_step * std::ptrdiff_t(sizeof(double));
    }

    graze_query_arrays c_;
    std::size_t size_ = 0;
    bool valid_ = false;
};

namespace detail {

inline bool has_room(std::size_t queries, span<graze_result> results, const report &report) {
    if (results.size() >= queries) return true;
    report(GRAZE_ERR_INVALID_ARGUMENT,
           std::to_string(queries) + " queries, room for " + std::to_string(results.size()) + " results");
    return false;
}

} // namespace detail

/// results[i] answers queries[i].
inline void ccd_batch(context &context, graze_kind kind, span<const graze_query> queries, span<graze_result> results,
                      const options &options = {}, const report &report = {}) {
    if (!detail::has_room(queries.size(), results, report)) return;
    context.finish(graze_ccd_batch(context.get(), kind, queries.data(), queries.size(), &options, results.data()),
                   report);
}

inline void ccd_batch(context &context, graze_kind kind, const query_arrays &queries, span<graze_result> results,
                      const options &options = {}, const report &report = {}) {
    if (!queries.valid()) return report(GRAZE_ERR_INVALID_ARGUMENT, "x0 and x1 are not both 4·n rows of 3");
    if (!detail::has_room(queries.size(), results, report)) return;
    context.finish(graze_ccd_batch_strided(context.get(), kind, &queries.c(), queries.size(), &options, results.data(),
                                           sizeof(graze_result)),
                   report);
}

/// As ccd_batch above, but returns the results.
inline std::vector<graze_result> ccd_batch(context &context, graze_kind kind, span<const graze_query> queries,
                                           const options &options = {}, const report &report = {}) {
    std::vector<graze_result> results(queries.size());
    ccd_batch(context, kind, queries, results, options, report);
    return results;
}

inline std::vector<graze_result> ccd_batch(context &context, graze_kind kind, const query_arrays &queries,
                                           const options &options = {}, const report &report = {}) {
    std::vector<graze_result> results(queries.size());
    ccd_batch(context, kind, queries, results, options, report);
    return results;
}

} // namespace graze
#endif
