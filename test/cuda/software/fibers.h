/* Threads of a device as fibers: each runs on a stack of its own until it lets the others go on. */
#ifndef GRAZE_SOFTWARE_FIBERS_H
#define GRAZE_SOFTWARE_FIBERS_H

namespace software {

struct fiber;

/* A fiber that will run function(user) once it is resumed. */
fiber *fiber_begin(void (*function)(void *user), void *user);
/* Runs it until it waits; true once its function has returned, and the fiber is gone. */
bool fiber_resume(fiber *f);
/* Inside of one: back to who resumed it. */
void fiber_wait();
/* Gives up a fiber that waits. */
void fiber_drop(fiber *f);

} // namespace software

#endif
