set(room_sources
    ccd.c
    certificate.c
    contact.c
    irf.c
    methods.c
    oracle.c
    ti.c
    uirf.c
)
set(room_kernels ti)
