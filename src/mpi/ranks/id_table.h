/* Finds the place of a 64-bit id in a list. */
#ifndef GZ_MPI_ID_TABLE_H
#define GZ_MPI_ID_TABLE_H

#include "mpi/ranks/hold.h"

#define GZ_NOWHERE UINT32_MAX

typedef struct gz_id_table {
    uint64_t *ids; /* grows as ids are added */
    uint32_t *slots;
    size_t count, room;
    uint64_t mask;
    gz_hold *hold;
} gz_id_table;

/* A mix of all bits of an id. */
static inline uint64_t gz_id_hash(uint64_t id) {
    id = (id ^ id >> 31) * 0x9e3779b97f4a7c15u;
    id = (id ^ id >> 29) * 0xbf58476d1ce4e5b9u;
    return id ^ id >> 32;
}

/* For up to `room` ids at first; false when there is no memory. */
bool gz_id_table_open(gz_hold *hold, size_t room, gz_id_table *table);
void gz_id_table_close(gz_id_table *table);

/* GZ_NOWHERE where it is not in the list. */
uint32_t gz_id_table_find(const gz_id_table *table, uint64_t id);
/* Its place, at the end where it is new; GZ_NOWHERE when there is no memory. */
uint32_t gz_id_table_add(gz_id_table *table, uint64_t id);

#endif
