set(room_sources check.c mesh.c)
set(room_kernels )
