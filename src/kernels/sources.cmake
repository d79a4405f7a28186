set(room_sources kernels.c)
