set(room_sources ccd.c certificate.c methods.c)
set(room_kernels )
