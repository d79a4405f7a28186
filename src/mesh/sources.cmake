set(room_sources mesh.c)
set(room_kernels )
