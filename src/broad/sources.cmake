set(room_sources boxes.c broad.c brute.c bvh.c emit.c sap.c sort.c workspace.c)
set(room_kernels brute bvh)
