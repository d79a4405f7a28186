set(room_sources ask.c backend_load.c context.c cores.c isa.c memory.c merge_sort.c overlap.c parallel.c pool.c self_test.c sizes.c status.c system.c)
set(room_kernels )
