set(room_sources arena.c bigint.c count.c decide.c isolate.c pair.c poly.c roots.c search.c separation.c separation_max.c solve.c touch.c touch_filter.c truth.c)
set(room_kernels )
