set(room_sources
    frame.c
    rotvec.c
    screw.c
    sine.c
    taylor.c
)
