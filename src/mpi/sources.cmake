set(room_sources cross.c curve.c deal.c deal_parts.c deal_piece.c deal_positions.c edge_ids.c found.c halo.c hold.c homes.c
    id_table.c load.c mpi.c nodes.c piece.c question.c ranks.c route.c run.c spread.c write.c)
