set(room_sources check.c join.c mesh.c sides.c topology.c)
set(room_kernels )
