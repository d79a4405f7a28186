set(room_sources )
set(room_kernels )
