set(room_sources context.c isa.c status.c)
set(room_kernels )
