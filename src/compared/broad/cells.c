#include "compared/broad/cells.h"

#define ENTRIES_PER_BOX 12u /* on average; beyond it cells are made larger */
#define BUCKETS_PER_BOX 2u
#define CHUNK 64

typedef struct cell_entry {
    uint64_t cell;
    uint32_t item;
} cell_entry;

typedef struct cells_job {
    gz_merged merged;
    gz_cells_options options;
    double origin[3], inverse;
    uint32_t cells[3]; /* on each axis */
    uint32_t buckets;
    int axis;
    const gz_keyed *order; /* swept: items by lo; else NULL */
    uint32_t *starts;      /* of each bucket, and the end */
    cell_entry *entries;
} cells_job;

double gz_average_extent(const gz_merged *m) {
    double sum = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        const gz_box *box = gz_merged_box(m, i);
        for (int c = 0; c < 3; c++) sum += (box->hi[c] - box->lo[c]) / (3.0 * m->count);
    }
    return sum;
}

/* Never falls when x grows; in [0, cells). */
static inline uint32_t cell_of(const cells_job *job, double x, int c) {
    double cell = (x - job->origin[c]) * job->inverse;
    double last = (double)(job->cells[c] - 1);
    return cell >= last ? job->cells[c] - 1 : cell > 0 ? (uint32_t)cell : 0;
}

static inline uint64_t pack(const uint32_t cell[3]) {
    return (uint64_t)cell[2] << 2 * GZ_CELL_BITS | (uint64_t)cell[1] << GZ_CELL_BITS | cell[0];
}

static inline uint32_t bucket_of(const cells_job *job, const uint32_t cell[3]) {
    if (!job->options.hashed) return (cell[2] * job->cells[1] + cell[1]) * job->cells[0] + cell[0];
    uint64_t h = pack(cell) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(h >> 32) & (job->buckets - 1);
}

static void cell_span(const cells_job *job, const gz_box *box, uint32_t lo[3], uint32_t hi[3]) {
    for (int c = 0; c < 3; c++) {
        lo[c] = cell_of(job, box->lo[c], c);
        hi[c] = cell_of(job, box->hi[c], c);
    }
}

static uint64_t count_entries(const cells_job *job, uint64_t most) {
    uint64_t entries = 0;
    for (uint32_t i = 0; i < job->merged.count && entries <= most; i++) {
        uint32_t lo[3], hi[3];
        cell_span(job, gz_merged_box(&job->merged, i), lo, hi);
        uint64_t here = 1;
        for (int c = 0; c < 3; c++) here *= hi[c] - lo[c] + 1u;
        entries += here;
    }
    return entries;
}

/* Cells of at least the wanted size, few enough of them and of entries. One cell in all always will do. */
static uint64_t plan(cells_job *job) {
    const gz_merged *m = &job->merged;
    gz_box bounds = gz_box_empty();
    for (uint32_t i = 0; i < m->count; i++) gz_box_join(&bounds, gz_merged_box(m, i));
    uint64_t most_entries = (uint64_t)m->count * ENTRIES_PER_BOX, most_cells = (uint64_t)m->count * BUCKETS_PER_BOX + 1;
    double size = job->options.size;
    if (!(size > 0x1p-1000 && size < 0x1p1000)) size = 1;
    for (;; size *= 2) {
        uint64_t total = 1;
        job->inverse = 1 / size;
        for (int c = 0; c < 3; c++) {
            double cells = (bounds.hi[c] - bounds.lo[c]) * job->inverse;
            job->origin[c] = bounds.lo[c];
            job->cells[c] = cells < (1u << GZ_CELL_BITS) - 2 ? (uint32_t)cells + 1 : 1u << GZ_CELL_BITS;
            if (!(cells >= 0 && cells < INFINITY) || size > 0x1p1000) job->cells[c] = 1;
            total *= job->cells[c];
        }
        if (!job->options.hashed && total > most_cells) continue;
        uint64_t entries = count_entries(job, most_entries);
        if (entries > most_entries && total > 1) continue;
        job->buckets = (uint32_t)total;
        if (job->options.hashed)
            for (job->buckets = 16; job->buckets < m->count && job->buckets < 1u << 30;) job->buckets *= 2;
        return entries;
    }
}

/* Calls for every cell of every item, in order: counts, or writes entries. */
static void each_entry(const cells_job *job, bool write) {
    for (uint32_t k = 0; k < job->merged.count; k++) {
        uint32_t i = job->order ? job->order[k].id : k, lo[3], hi[3], cell[3];
        cell_span(job, gz_merged_box(&job->merged, i), lo, hi);
        for (cell[2] = lo[2]; cell[2] <= hi[2]; cell[2]++)
            for (cell[1] = lo[1]; cell[1] <= hi[1]; cell[1]++)
                for (cell[0] = lo[0]; cell[0] <= hi[0]; cell[0]++) {
                    uint32_t bucket = bucket_of(job, cell);
                    if (write) {
                        job->entries[job->starts[bucket]++] = (cell_entry){pack(cell), i};
                    } else {
                        job->starts[bucket]++;
                    }
                }
    }
}

/* After counting and writing, starts[b] is where bucket b ends. */
static void fill(cells_job *job) {
    for (uint32_t b = 0; b < job->buckets; b++) job->starts[b] = 0;
    each_entry(job, false);
    uint32_t sum = 0;
    for (uint32_t b = 0; b < job->buckets; b++) {
        uint32_t here = job->starts[b];
        job->starts[b] = sum;
        sum += here;
    }
    each_entry(job, true);
}

static uint64_t home_of(const cells_job *job, const gz_box *a, const gz_box *b) {
    uint32_t cell[3];
    for (int c = 0; c < 3; c++) cell[c] = cell_of(job, a->lo[c] > b->lo[c] ? a->lo[c] : b->lo[c], c);
    return pack(cell);
}

static void bucket_range(void *state, size_t begin, size_t end, uint32_t worker) {
    const cells_job *job = state;
    const gz_merged *m = &job->merged;
    gz_emitter *emitter = gz_broad_worker(m->call, worker);
    for (size_t bucket = begin; emitter && bucket < end; bucket++) {
        uint32_t first = bucket ? job->starts[bucket - 1] : 0, last = job->starts[bucket];
        for (uint32_t x = first; x < last; x++) {
            uint32_t i = job->entries[x].item;
            const gz_box *box = gz_merged_box(m, i);
            for (uint32_t y = x + 1; y < last; y++) {
                uint32_t j = job->entries[y].item;
                const gz_box *other = gz_merged_box(m, j);
                if (job->options.swept && other->lo[job->axis] > box->hi[job->axis]) break;
                if (job->entries[x].cell != job->entries[y].cell || !gz_merged_match(m, i, j)) continue;
                if (gz_boxes_meet(box, other) && home_of(job, box, other) == job->entries[x].cell)
                    gz_merged_emit(m, emitter, i, j);
            }
        }
    }
}

graze_status gz_cells_find(const gz_broad_call *call, gz_cells_options options) {
    cells_job job = {.merged = gz_merge(call), .options = options};
    uint64_t entries = plan(&job);
    if (entries > UINT32_MAX) return GRAZE_ERR_OUT_OF_MEMORY;
    if (options.swept) {
        job.axis = gz_merged_axis(&job.merged);
        job.order = gz_merged_sort(&job.merged, job.axis);
        if (!job.order) return GRAZE_ERR_OUT_OF_MEMORY;
    }
    job.starts = gz_reserve(call->context, call->workspace, GZ_SLOT_COMPARED_A, job.buckets, sizeof *job.starts);
    job.entries = gz_reserve(call->context, call->workspace, GZ_SLOT_COMPARED_B, (size_t)entries, sizeof *job.entries);
    if (!job.starts || !job.entries) return GRAZE_ERR_OUT_OF_MEMORY;
    fill(&job);
    gz_parallel(call->context, job.buckets, CHUNK, bucket_range, &job);
    return GRAZE_OK;
}
