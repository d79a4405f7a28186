set(room_sources polynomial.c)
set(room_kernels )
