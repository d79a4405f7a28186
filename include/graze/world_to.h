/// Steps of worlds that are taken, and steps of many worlds at once.
#ifndef GRAZE_WORLD_TO_H
#define GRAZE_WORLD_TO_H

#include "graze/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Motions that end where a world may go. Begin with graze_default_world_moved().
typedef struct graze_world_moved {
    size_t struct_size;
    double alpha; ///< part of the motions asked about that they are; 0: nothing moves
    /// As many as were given, in their order, owned: graze_world_moved_release. They begin where those begin. STRAIGHT
    /// bodies have x1, CUBIC ones the control positions of [0, alpha] (both with their own copies, stride 24), AFFINE
    /// ones matrix1, RIGID ones pose1 or rotvec1, models `to`, `cubic` or `bezier` of their joints.
    const graze_body_motion *motions;
    size_t count;
    void *owned; ///< the library's
} graze_world_moved;

GRAZE_DEFAULTS(graze_world_moved, graze_default_world_moved, graze_init_world_moved)

/// graze_world_step() in mode EARLIEST, and motions to take in place of those given: they end as far along as is
/// proven.
///
/// Guarantee: graze_world_step() of moved->motions with these options and t_max 1 is CLEAR. It was asked about the very
/// numbers that are written, so no rounding lies between the proof and the state that a program goes on from. What
/// starts from there starts free.
///
/// alpha is 1 where all of the motion is free, else at most toi. It is 0 where the start already touches, or nothing
/// between is proven. Joints with a turn of half a circle or more in `turns` are GRAZE_ERR_UNSUPPORTED: rounded, they
/// have no shorter way.
///
/// @param moved   always written; on any status but GRAZE_OK it has no motions
/// @param result  as of graze_world_step(): what the motions given run into. May be NULL
GRAZE_API graze_status graze_world_step_to(graze_context *context, const graze_world *world,
                                           const graze_body_motion *motions, size_t count,
                                           const graze_articulated_options *options, graze_world_moved *moved,
                                           graze_articulated_result *result);

/// Releases moved->motions, by the context of the call that made them.
GRAZE_API void graze_world_moved_release(graze_context *context, graze_world_moved *moved);

/// Many worlds of the same or of different bodies, as copies of a scene that a simulation learns from: bodies of two
/// worlds never meet.
typedef struct graze_worlds graze_worlds;

/// @param bodies    as of graze_world_create(); those that name the same mesh and rest positions share one copy in all
///                  worlds
/// @param world_of  for each body its world, counted from 0; −1: it is in all of them, and has the same motion there
/// @param options   as of graze_world_create(), NULL for the defaults: rules for two bodies that no world has both of
///                  count for nothing. A filter is GRAZE_ERR_UNSUPPORTED
/// @param worlds    set to NULL on any status but GRAZE_OK; graze_worlds_release() it before the context is destroyed
GRAZE_API graze_status graze_worlds_create(graze_context *context, const graze_body *bodies, const int32_t *world_of,
                                           size_t count, const graze_world_options *options, graze_worlds **worlds);

/// Frees them. No call may be under way. NULL is fine.
GRAZE_API void graze_worlds_release(graze_worlds *worlds);

/// One more than the highest number in world_of.
GRAZE_API size_t graze_worlds_count(const graze_worlds *worlds);

/// One of them, for calls that take a world; its bodies are counted in their order from 0. It stays as long as
/// `worlds`. NULL for a number that is too high.
GRAZE_API const graze_world *graze_worlds_at(const graze_worlds *worlds, size_t index);

/// graze_world_step() for each world. Each result has the bits that a call of its own gives, whatever the others do,
/// but that contacts name bodies by their numbers among all.
///
/// It runs on the context's threads. On a context whose back end is GRAZE_BACKEND_CUDA, worlds that such a context made
/// are answered by one step on the GPU in mode EARLIEST, where all bodies stand or move straight, where rules and kinds
/// are the same in all worlds, by each body's place in its world, and where all worlds have paddings or none has. A
/// call with a motion that is wrong runs on the threads all the same.
///
/// A world whose motions are wrong, that has no memory left or whose max_checks run out stops for itself: its status or
/// result says so, the others are answered and the call is GRAZE_OK. Where statuses are not all GRAZE_OK the last error
/// is that of the first such world, and `index` its number. Only what concerns all of them is the status of the call:
/// options, a motion of no body, sizes of structs.
///
/// @param motions   `count` bodies that move, each listed once
/// @param results   graze_worlds_count() of them, all of the struct_size of the first. Mode ALL is
///                  GRAZE_ERR_UNSUPPORTED: ask that world alone
/// @param statuses  as many; where the call fails, all are its status
GRAZE_API graze_status graze_worlds_step(graze_context *context, const graze_worlds *worlds,
                                         const graze_body_motion *motions, size_t count,
                                         const graze_articulated_options *options, graze_articulated_result *results,
                                         graze_status *statuses);

/// graze_worlds_step() on the GPU with x0 and x1 of STRAIGHT bodies in the memory of the context's device: read after
/// what is in `stream`, a cudaStream_t (NULL: the default one). All else is in the host's memory. Where a coordinate is
/// wrong, positions are copied to the host, and each world is answered there.
///
/// GRAZE_ERR_UNSUPPORTED, with the reason in the last error, for worlds that graze_worlds_step() answers on the CPU.
/// Every STRAIGHT body has to be listed: GRAZE_ERR_INVALID_ARGUMENT.
GRAZE_API graze_status graze_worlds_step_on_device(graze_context *context, const graze_worlds *worlds,
                                                   const graze_body_motion *motions, size_t count,
                                                   const graze_articulated_options *options, void *stream,
                                                   graze_articulated_result *results, graze_status *statuses);

#ifdef __cplusplus
}
#endif
#endif
