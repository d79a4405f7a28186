/// The caller's arrays and matrices, read in place where possible.
///
/// A matrix is anything with the members of a dense Eigen matrix: Matrix, Map, Ref, Block, in either storage order.
/// Eigen itself is not included, and not needed.
#ifndef GRAZE_CPP_VIEWS_HPP
#define GRAZE_CPP_VIEWS_HPP

#include "graze/query.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace graze {

/// A pointer and a size; std::span for C++17. Made from anything with data() and size().
template <class T> class span {
  public:
    constexpr span() = default;
    constexpr span(T *data, std::size_t size) : data_(data), size_(size) {}
    template <std::size_t N> constexpr span(T (&array)[N]) : data_(array), size_(N) {}
    template <class Container,
              class = std::enable_if_t<std::is_convertible_v<
                  std::remove_pointer_t<decltype(std::data(std::declval<Container &>()))> (*)[], T (*)[]>>>
    constexpr span(Container &&container) : data_(std::data(container)), size_(std::size(container)) {}

    constexpr T *data() const { return data_; }
    constexpr std::size_t size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr T *begin() const { return data_; }
    constexpr T *end() const { return data_ + size_; }
    constexpr T &operator[](std::size_t i) const { return data_[i]; }

  private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

namespace detail {

template <class T, class = void> struct is_matrix : std::false_type {};
template <class T>
struct is_matrix<T, std::void_t<typename T::Scalar, decltype(T::IsRowMajor), decltype(std::declval<const T &>().rows()),
                                decltype(std::declval<const T &>().cols()), decltype(std::declval<const T &>().data()),
                                decltype(std::declval<const T &>().innerStride()),
                                decltype(std::declval<const T &>().outerStride())>> : std::true_type {};

template <class T, class = void> struct is_list : std::false_type {};
template <class T>
struct is_list<
    T, std::void_t<decltype(std::data(std::declval<const T &>())), decltype(std::size(std::declval<const T &>()))>>
    : std::bool_constant<!is_matrix<T>::value> {};

template <class T> constexpr bool is_source = is_matrix<T>::value || is_list<T>::value;

/// Rows of a table in memory, in units of its numbers: a matrix of `width` columns, or of `width` rows whose columns
/// are the points.
template <class Number> struct table {
    const Number *data = nullptr;
    std::size_t rows = 0, columns = 0;
    std::ptrdiff_t row_step = 0, column_step = 0;

    const Number &at(std::size_t row, std::size_t column) const {
        return data[static_cast<std::ptrdiff_t>(row) * row_step + static_cast<std::ptrdiff_t>(column) * column_step];
    }
};

/// A matrix with `width` rows at compile time, and another number of columns, holds a point in each column.
template <std::size_t Width, class Matrix> table<typename Matrix::Scalar> table_of_matrix(const Matrix &m) {
    constexpr bool columns_are_points =
        int(Matrix::RowsAtCompileTime) == int(Width) && int(Matrix::ColsAtCompileTime) != int(Width);
    const std::ptrdiff_t down = Matrix::IsRowMajor ? m.outerStride() : m.innerStride();
    const std::ptrdiff_t across = Matrix::IsRowMajor ? m.innerStride() : m.outerStride();
    const auto rows = static_cast<std::size_t>(m.rows()), columns = static_cast<std::size_t>(m.cols());
    if (columns_are_points) return {m.data(), columns, rows, across, down};
    return {m.data(), rows, columns, down, across};
}

/// For a list of numbers, `Width` for each row, or a list of rows: std::array, Eigen::Vector3d, your own struct with
/// operator[].
template <std::size_t Width, class List> auto table_of_list(const List &list) {
    using item = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(list))>>;
    const std::size_t size = std::size(list);
    if constexpr (std::is_arithmetic_v<item>) {
        const bool whole = size % Width == 0;
        return table<item>{std::data(list), whole ? size / Width : size, whole ? Width : 1, std::ptrdiff_t(Width), 1};
    } else {
        using number = std::remove_cv_t<std::remove_reference_t<decltype(std::declval<const item &>()[0])>>;
        static_assert(sizeof(item) % sizeof(number) == 0 && sizeof(item) >= Width * sizeof(number),
                      "rows have to hold their numbers one after the other");
        const number *first = size ? &std::data(list)[0][0] : nullptr;
        return table<number>{first, size, Width, std::ptrdiff_t(sizeof(item) / sizeof(number)), 1};
    }
}

template <std::size_t Width, class Source> auto table_of(const Source &source) {
    if constexpr (is_matrix<Source>::value)
        return table_of_matrix<Width>(source);
    else
        return table_of_list<Width>(source);
}

/// UINT32_MAX, which is no vertex, for invalid indices.
template <class Integer> uint32_t as_index(Integer value) {
    static_assert(std::is_integral_v<Integer>, "indices are integers");
    if constexpr (std::is_signed_v<Integer>)
        if (value < 0) return UINT32_MAX;
    if (static_cast<std::make_unsigned_t<Integer>>(value) > UINT32_MAX) return UINT32_MAX;
    return static_cast<uint32_t>(value);
}

} // namespace detail

/// Positions of points. Read in place: rows of three doubles with any stride, as in std::vector of std::array<double,
/// 3> or Eigen::Vector3d, flat arrays x y z x y z, row-major n × 3 and column-major 3 × n matrices. Copied: floats, and
/// n × 3 matrices in column-major order, Eigen's default; 24 bytes and about a nanosecond a point. The view is valid as
/// long as its source.
class points {
  public:
    points(const double (*rows)[3], std::size_t count, std::size_t stride = 24)
        : data_(&rows[0][0]), size_(count), stride_(stride) {}

    template <class Source, class = std::enable_if_t<detail::is_source<Source>>> points(const Source &source) {
        const auto table = detail::table_of<3>(source);
        using number = std::remove_cv_t<std::remove_pointer_t<decltype(table.data)>>;
        static_assert(std::is_same_v<number, double> || std::is_same_v<number, float>, "positions are double or float");
        size_ = table.rows;
        columns_ = table.columns;
        if (columns_ != 3) return;
        if constexpr (std::is_same_v<number, double>) {
            if (table.column_step == 1 && table.row_step >= 3) {
                data_ = table.data;
                stride_ = static_cast<std::size_t>(table.row_step) * sizeof(double);
                return;
            }
        }
        pack([&](std::size_t i, std::size_t c) { return static_cast<double>(table.at(i, c)); });
    }

    std::size_t size() const { return size_; }
    /// Numbers in a row; calls refuse anything but 3.
    std::size_t columns() const { return columns_; }
    /// Bytes from one point to the next.
    std::size_t stride() const { return stride_; }
    bool copied() const { return !copy_.empty(); }
    const double (*rows() const)[3] { return reinterpret_cast<const double(*)[3]>(copied() ? copy_.data() : data_); }
    const double *operator[](std::size_t i) const {
        return reinterpret_cast<const double *>(reinterpret_cast<const char *>(rows()) + i * stride_);
    }

    /// With rows one after the other.
    void make_tight() {
        if (stride_ != 24) pack([this](std::size_t i, std::size_t c) { return (*this)[i][c]; });
    }

  private:
    template <class Read> void pack(const Read &read) {
        std::vector<double> packed(3 * size_);
        for (std::size_t i = 0; i < size_; i++)
            for (std::size_t c = 0; c < 3; c++) packed[3 * i + c] = read(i, c);
        copy_ = std::move(packed);
        stride_ = 24;
    }

    const double *data_ = nullptr;
    std::size_t size_ = 0, columns_ = 3, stride_ = 24;
    std::vector<double> copy_;
};

/// Faces, edges or points as rows of unsigned 32-bit indices, copied from matrices or lists of any integers. An index
/// that is negative or too large becomes UINT32_MAX, which no mesh accepts.
template <std::size_t Width> class indices {
  public:
    using row = std::array<uint32_t, Width>;

    indices() = default;
    template <class Source, class = std::enable_if_t<detail::is_source<Source>>> indices(const Source &source) {
        const auto table = detail::table_of<Width>(source);
        columns_ = table.rows ? table.columns : Width;
        if (columns_ != Width) return;
        rows_.resize(table.rows);
        for (std::size_t i = 0; i < table.rows; i++)
            for (std::size_t c = 0; c < Width; c++) rows_[i][c] = detail::as_index(table.at(i, c));
    }

    std::size_t columns() const { return columns_; }
    const std::vector<row> &rows() const { return rows_; }
    std::vector<row> take() { return std::move(rows_); }

  private:
    std::size_t columns_ = Width;
    std::vector<row> rows_;
};

/// Writes positions into a matrix of the right size, in its storage order, or into a list of rows.
template <class Target> void write(span<const std::array<double, 3>> positions, Target &target) {
    using number = std::remove_pointer_t<decltype(std::data(target))>;
    static_assert(!std::is_const_v<number>, "the target is written to");
    const auto table = detail::table_of<3>(target);
    static_assert(std::is_same_v<decltype(table.data), const double *>, "rounded to float, positions prove nothing");
    const std::size_t count = positions.size() < table.rows ? positions.size() : table.rows;
    auto *data = const_cast<double *>(table.data);
    for (std::size_t i = 0; i < count; i++)
        for (std::size_t c = 0; c < 3; c++)
            data[static_cast<std::ptrdiff_t>(i) * table.row_step + static_cast<std::ptrdiff_t>(c) * table.column_step] =
                positions[i][c];
}

} // namespace graze
#endif
