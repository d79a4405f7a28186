set(room_sources bernstein.c kind.c polynomial.c)
set(room_kernels )
