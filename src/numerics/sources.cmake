set(room_sources bernstein.c polynomial.c)
set(room_kernels )
