/// A dense matrix with the members that graze::points reads, for machines without Eigen. Rows or columns that are known
/// when compiling are given, others are Dynamic (−1).
#ifndef GRAZE_TEST_MATRIX_HPP
#define GRAZE_TEST_MATRIX_HPP

#include <cstddef>
#include <vector>

template <class Number, bool RowMajor, int Rows = -1, int Columns = -1> class plain_matrix {
  public:
    using Scalar = Number;
    static constexpr bool IsRowMajor = RowMajor;
    static constexpr int RowsAtCompileTime = Rows, ColsAtCompileTime = Columns;

    /// `gap` numbers are left between one row (column) and the next.
    plain_matrix(std::ptrdiff_t rows, std::ptrdiff_t columns, std::ptrdiff_t gap = 0)
        : rows_(rows), columns_(columns), outer_((RowMajor ? columns : rows) + gap),
          numbers_(static_cast<std::size_t>(outer_ * (RowMajor ? rows : columns))) {}

    std::ptrdiff_t rows() const { return rows_; }
    std::ptrdiff_t cols() const { return columns_; }
    std::ptrdiff_t innerStride() const { return 1; }
    std::ptrdiff_t outerStride() const { return outer_; }
    const Number *data() const { return numbers_.data(); }
    Number *data() { return numbers_.data(); }
    Number &operator()(std::ptrdiff_t row, std::ptrdiff_t column) {
        return numbers_[static_cast<std::size_t>(RowMajor ? row * outer_ + column : column * outer_ + row)];
    }

  private:
    std::ptrdiff_t rows_, columns_, outer_;
    std::vector<Number> numbers_;
};

#endif
