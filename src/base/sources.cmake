set(room_sources context.c isa.c memory.c sizes.c status.c)
set(room_kernels )
