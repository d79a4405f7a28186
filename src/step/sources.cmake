set(room_sources call.c candidates.c earliest.c line_search.c solve.c start_check.c step.c)
set(room_kernels )
