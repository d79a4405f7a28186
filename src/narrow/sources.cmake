set(room_sources
    adjacent.c
    ccd.c
    certificate.c
    certified.c
    contact.c
    exact_method.c
    finish.c
    methods.c
    motion.c
    oracle.c
    ti.c
    volume.c
)
set(room_kernels certified ti)
