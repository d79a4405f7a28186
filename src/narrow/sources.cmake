set(room_sources ccd.c certificate.c methods.c oracle.c)
set(room_kernels )
