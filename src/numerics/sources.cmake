set(room_sources
    kind.c
)
