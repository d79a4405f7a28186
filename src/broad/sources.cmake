set(room_sources broad.c)
set(room_kernels )
