set(room_sources boxes.c broad.c brute.c bvh.c cells.c curve.c emit.c few.c grid.c gsap.c hash.c isap.c kdtree.c merged.c rough.c sap.c
    sort.c stq.c tracy.c tree.c workspace.c)
