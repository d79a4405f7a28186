/// A stand-in for the toolkit's types, as narrow_phase_ccd.hpp.
#pragma once

#include <Eigen/Core>
#include <cstdint>

namespace Eigen {
template <class T> using ConstRef = const Ref<const T> &;
}

namespace ipc {

using index_t = int32_t;
using VectorMax3d = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 3, 1>;

} // namespace ipc
