set(room_sources decide.c truth.c)
set(room_kernels )
