/// Safe steps of a world, and steps of many worlds at once.
#ifndef GRAZE_WORLD_TO_H
#define GRAZE_WORLD_TO_H

#include "graze/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Motions that a world may take. Begin with graze_default_world_moved().
typedef struct graze_world_moved {
    size_t struct_size;
    double alpha; ///< fraction of the given motions; 0: nothing moves
    /// One for each given motion, in that order, with the same start. Owned: graze_world_moved_release. The new end is
    /// in x1 of STRAIGHT bodies, the control positions (of [0, alpha]) of CUBIC ones, matrix1 of AFFINE ones, pose1 or
    /// rotvec1 of RIGID ones, and `to`, `cubic` or `bezier` of the joints of models. x1 and control positions are
    /// copies with stride 24.
    const graze_body_motion *motions;
    size_t count;
    void *owned; ///< used by the library
} graze_world_moved;

GRAZE_DEFAULTS(graze_world_moved, graze_default_world_moved, graze_init_world_moved)

/// As graze_world_step() in mode EARLIEST, and writes motions to take instead of the given ones: they end as far along
/// as is proven.
///
/// Guarantee: graze_world_step() of moved->motions with these options and t_max 1 is CLEAR. That call was made with the
/// very numbers that are written, so no rounding lies between the proof and the program's next state. The next step
/// starts free: a world that stands at those ends is CLEAR, which was asked, too, if pairs came near.
///
/// alpha is 1 if the whole motion is free, otherwise at most toi. It is 0 if the start already touches, or if no part
/// can be proven. Joints with a turn of half a circle or more in `turns` are GRAZE_ERR_UNSUPPORTED, since such a
/// rounded turn has no unique shorter way.
///
/// @param moved   always written; on any status but GRAZE_OK it has no motions
/// @param result  as from graze_world_step() for the given motions. May be NULL
GRAZE_API graze_status graze_world_step_to(graze_context *context, const graze_world *world,
                                           const graze_body_motion *motions, size_t count,
                                           const graze_articulated_options *options, graze_world_moved *moved,
                                           graze_articulated_result *result);

/// Releases moved->motions. Pass the context of the call that made them.
GRAZE_API void graze_world_moved_release(graze_context *context, graze_world_moved *moved);

/// Many worlds of equal or different bodies, such as the copies of a scene in reinforcement learning. Bodies of two
/// worlds never meet.
typedef struct graze_worlds graze_worlds;

/// @param bodies    as for graze_world_create(); bodies with the same mesh and rest positions share one copy in all
///                  worlds
/// @param world_of  the world of each body, from 0; −1: it is in all worlds, with the same motion
/// @param options   as for graze_world_create(), NULL for the defaults. A rule for two bodies that share no world has
///                  no effect. A filter is GRAZE_ERR_UNSUPPORTED
/// @param worlds    set to NULL on any status but GRAZE_OK; graze_worlds_release() it before the context is destroyed
GRAZE_API graze_status graze_worlds_create(graze_context *context, const graze_body *bodies, const int32_t *world_of,
                                           size_t count, const graze_world_options *options, graze_worlds **worlds);

/// Frees them. No call may be under way. NULL is fine.
GRAZE_API void graze_worlds_release(graze_worlds *worlds);

/// One more than the highest number in world_of.
GRAZE_API size_t graze_worlds_count(const graze_worlds *worlds);

/// One of the worlds, for calls that take a world; its bodies are numbered from 0 in their order. It is valid as long
/// as `worlds`. NULL if `index` is too high.
GRAZE_API const graze_world *graze_worlds_at(const graze_worlds *worlds, size_t index);

/// graze_world_step() for each world. Each result has the bits of a separate call, except that contacts number bodies
/// over all worlds.
///
/// It runs on the context's threads, or on the GPU in a single step if the back end of the context is
/// GRAZE_BACKEND_CUDA, such a context made the worlds, the mode is EARLIEST, and all bodies stand or move straight.
/// Rules and kinds must then be equal in all worlds, by each body's place in its world, and all worlds have paddings or
/// none has. A call with an invalid motion runs on the threads.
///
/// A world with invalid motions, without memory, or without checks left stops alone: its status or result says so, the
/// others are answered, and the call returns GRAZE_OK. The last error is then that of the first world whose status is
/// not GRAZE_OK, and `index` is its number. The call itself fails only for what concerns all worlds: options, a motion
/// of an unknown body, sizes of structs.
///
/// @param motions   `count` bodies that move, each listed once
/// @param results   graze_worlds_count() of them, all with the struct_size of the first. Mode ALL is
///                  GRAZE_ERR_UNSUPPORTED: call graze_world_step() for that world
/// @param statuses  as many; if the call fails, all have its status
GRAZE_API graze_status graze_worlds_step(graze_context *context, const graze_worlds *worlds,
                                         const graze_body_motion *motions, size_t count,
                                         const graze_articulated_options *options, graze_articulated_result *results,
                                         graze_status *statuses);

/// graze_worlds_step() on the GPU, with x0 and x1 of STRAIGHT bodies in the memory of the context's device. They are
/// read after the work in `stream`, a cudaStream_t (NULL: the default one). All else is in the host's memory. If a
/// coordinate is invalid, positions are copied to the host, and each world is answered there.
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
