set(room_sources
    accd.c
    ccd.c
    certificate.c
    contact.c
    fprf.c
    irf.c
    methods.c
    msrf.c
    oracle.c
    parity_exact.c
    root_parity.c
    rp.c
    rrp.c
    ti.c
    uirf.c
)
set(room_kernels ti)
