set(room_sources articulated.c)
set(room_kernels )
