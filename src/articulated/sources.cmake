set(room_sources articulated.c certificate.c contact.c crossing.c cull.c distance.c face_tree.c frame.c inside.c joint.c model.c node_pairs.c parts.c proof.c scene.c
    screw.c search.c sine.c taylor.c text.c touch.c triangles.c view.c)
set(room_kernels )
