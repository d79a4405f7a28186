/// The API for C++17, header-only, over the same library: contexts, meshes and lists that release themselves, arrays
/// and matrices read in place, errors as exceptions or as std::error_code.
///
///     graze::context context;
///     graze::mesh mesh = graze::mesh::from_faces(context, vertex_count, faces);
///     graze::step_result found = graze::step(context, mesh, x0, x1);
///     if (found.verdict != GRAZE_CLEAR) …
///
/// Functions have the names of the C functions without their prefix, and the same meanings and bits. Plain structs and
/// enums are those of C: graze_query, graze_result, GRAZE_VF.
#ifndef GRAZE_HPP
#define GRAZE_HPP

#include "graze/cpp/articulated.hpp"
#include "graze/cpp/batch.hpp"
#include "graze/cpp/context.hpp"
#include "graze/cpp/error.hpp"
#include "graze/cpp/mesh.hpp"
#include "graze/cpp/plan.hpp"
#include "graze/cpp/query.hpp"
#include "graze/cpp/range.hpp"
#include "graze/cpp/shapes.hpp"
#include "graze/cpp/step.hpp"
#include "graze/cpp/views.hpp"
#include "graze/cpp/world.hpp"
#include "graze/cpp/world_distance.hpp"
#include "graze/cpp/world_to.hpp"
#include "graze/graze.h"

#endif
