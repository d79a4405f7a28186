#include "mpi/ranks/id_table.h"

#include <string.h>

/* Twice as many slots as ids, a power of two. */
static bool make_slots(gz_id_table *table) {
    uint64_t slots = 16;
    while (slots < 2 * (uint64_t)table->room) slots *= 2;
    table->slots = gz_hold_get(table->hold, slots, sizeof *table->slots);
    if (!table->slots) return false;
    memset(table->slots, 0xff, slots * sizeof *table->slots);
    table->mask = slots - 1;
    return true;
}

bool gz_id_table_open(gz_hold *hold, size_t room, gz_id_table *table) {
    *table = (gz_id_table){.room = room < 8 ? 8 : room, .hold = hold};
    table->ids = gz_hold_get(hold, table->room, sizeof *table->ids);
    return table->ids && make_slots(table);
}

void gz_id_table_close(gz_id_table *table) {
    gz_hold_drop(table->hold, table->ids);
    gz_hold_drop(table->hold, table->slots);
    *table = (gz_id_table){0};
}

/* The slot of an id, or the free one that it would have. */
static uint64_t slot_of(const gz_id_table *table, uint64_t id) {
    uint64_t slot = gz_id_hash(id) & table->mask;
    while (table->slots[slot] != GZ_NOWHERE && table->ids[table->slots[slot]] != id) slot = (slot + 1) & table->mask;
    return slot;
}

uint32_t gz_id_table_find(const gz_id_table *table, uint64_t id) { return table->slots[slot_of(table, id)]; }

static bool grow(gz_id_table *table) {
    gz_id_table larger = {.room = 2 * table->room, .count = table->count, .hold = table->hold};
    if (larger.room > INT32_MAX || !(larger.ids = gz_hold_get(table->hold, larger.room, sizeof *larger.ids)))
        return false;
    if (!make_slots(&larger)) return false;
    memcpy(larger.ids, table->ids, table->count * sizeof *larger.ids);
    for (uint32_t i = 0; i < larger.count; i++) larger.slots[slot_of(&larger, larger.ids[i])] = i;
    gz_hold_drop(table->hold, table->ids);
    gz_hold_drop(table->hold, table->slots);
    *table = larger;
    return true;
}

uint32_t gz_id_table_add(gz_id_table *table, uint64_t id) {
    uint64_t slot = slot_of(table, id);
    if (table->slots[slot] != GZ_NOWHERE) return table->slots[slot];
    if (table->count == table->room) {
        if (!grow(table)) return GZ_NOWHERE;
        slot = slot_of(table, id);
    }
    table->ids[table->count] = id;
    return table->slots[slot] = (uint32_t)table->count++;
}
