set(room_sources boxes.c broad.c brute.c bvh.c curve.c emit.c sap.c sort.c tree.c workspace.c)
set(room_kernels brute bvh curve)
