/// graze inside IPC Toolkit, versions 1.4 and later. Include it with the toolkit's headers on the include path, and
/// link both.
///
/// Whole steps, instead of the toolkit's functions of the same names:
///
///     double alpha = graze::ipc::compute_collision_free_stepsize(mesh, x0, x1);
///
/// Parts to pass to the toolkit, if its own functions must stay:
///
///     graze::ipc_ccd ccd;
///     graze::ipc_broad_phase broad_phase;
///     ipc::compute_collision_free_stepsize(mesh, x0, x1, 0.0, &broad_phase, ccd);
#ifndef GRAZE_COMPAT_IPC_TOOLKIT_HPP
#define GRAZE_COMPAT_IPC_TOOLKIT_HPP

#include "graze/compat/ipc_toolkit/broad_phase.hpp"
#include "graze/compat/ipc_toolkit/narrow_phase.hpp"
#include "graze/compat/ipc_toolkit/steps.hpp"

#endif
