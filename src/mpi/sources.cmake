set(room_sources asked.c cross.c deal/deal.c deal/deal_nodes.c deal/deal_parts.c deal/deal_piece.c deal/deal_positions.c
    deal/hilbert_place.c deal/homes.c deal/worked.c edge_ids.c found.c halo.c load.c mpi.c nodes.c piece.c ranks/hold.c ranks/id_table.c ranks/ranks.c
    ranks/route.c ranks/spread.c run.c write.c)
