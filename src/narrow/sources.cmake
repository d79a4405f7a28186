set(room_sources
    ccd.c
    certificate.c
    contact.c
    methods.c
    oracle.c
    ti.c
)
set(room_kernels ti)
