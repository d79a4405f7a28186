set(room_sources
    ccd.c
    certificate.c
    certified.c
    contact.c
    finish.c
    methods.c
    motion.c
    oracle.c
    ti.c
    volume.c
)
set(room_kernels certified ti)
