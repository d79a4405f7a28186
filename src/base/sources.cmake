set(room_sources backend_load.c context.c cores.c isa.c memory.c pool.c self_test.c sizes.c status.c)
set(room_kernels )
