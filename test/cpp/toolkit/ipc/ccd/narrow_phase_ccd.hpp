/// A stand-in for the toolkit's interface, so that graze's side of it is compiled and tested where there is no toolkit.
#pragma once

#include <ipc/utils/eigen_ext.hpp>

namespace ipc {

using any_vector = Eigen::ConstRef<VectorMax3d>;
using vector_3d = Eigen::ConstRef<Eigen::Vector3d>;

class NarrowPhaseCCD {
  public:
    virtual ~NarrowPhaseCCD() = default;
    virtual bool point_point_ccd(any_vector, any_vector, any_vector, any_vector, double &toi,
                                 const double min_distance = 0, const double tmax = 1) const = 0;
    virtual bool point_edge_ccd(any_vector, any_vector, any_vector, any_vector, any_vector, any_vector, double &toi,
                                const double min_distance = 0, const double tmax = 1) const = 0;
    virtual bool point_triangle_ccd(vector_3d, vector_3d, vector_3d, vector_3d, vector_3d, vector_3d, vector_3d,
                                    vector_3d, double &toi, const double min_distance = 0,
                                    const double tmax = 1) const = 0;
    virtual bool edge_edge_ccd(vector_3d, vector_3d, vector_3d, vector_3d, vector_3d, vector_3d, vector_3d, vector_3d,
                               double &toi, const double min_distance = 0, const double tmax = 1) const = 0;
};

} // namespace ipc
