set(room_sources between.c call.c candidates.c closest.c distance.c earliest.c far.c kept_pairs.c least_distance.c
    line_search.c list.c list_twice.c on_backend.c pair_sort.c parting.c rounds.c solve.c start_check.c stencil.c step.c step_to.c vertices.c)
set(room_kernels )
