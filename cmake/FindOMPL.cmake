# OMPL::OMPL, the planners' library (Debian: libompl-dev). Its own config file also asks for libraries that a caller does not need.
find_path(OMPL_INCLUDE_DIR ompl/config.h PATH_SUFFIXES ompl-1.5 ompl-1.6 ompl-1.7)
find_path(OMPL_EIGEN_DIR Eigen/Core PATH_SUFFIXES eigen3)
find_library(OMPL_LIBRARY ompl)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OMPL REQUIRED_VARS OMPL_LIBRARY OMPL_INCLUDE_DIR OMPL_EIGEN_DIR)
if(OMPL_FOUND AND NOT TARGET OMPL::OMPL)
  add_library(OMPL::OMPL UNKNOWN IMPORTED)
  set_target_properties(OMPL::OMPL PROPERTIES IMPORTED_LOCATION ${OMPL_LIBRARY}
                        INTERFACE_INCLUDE_DIRECTORIES "${OMPL_INCLUDE_DIR};${OMPL_EIGEN_DIR}")
endif()
mark_as_advanced(OMPL_INCLUDE_DIR OMPL_EIGEN_DIR OMPL_LIBRARY)
