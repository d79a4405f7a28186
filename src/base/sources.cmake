set(room_sources context.c cores.c isa.c memory.c pool.c sizes.c status.c)
set(room_kernels )
