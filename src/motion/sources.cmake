set(room_sources
    frame.c
    screw.c
    sine.c
    taylor.c
)
