set(room_sources line_search.c start_check.c step.c)
set(room_kernels )
