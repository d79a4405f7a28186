#include "app/input_hash.h"

#include "io/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

io_sha256 app_hash_narrow(const graze_options *options) {
    io_sha256 hash;
    io_sha256_begin(&hash);
    io_sha256_text(&hash, graze_method_get(options->method)->name);
    io_sha256_doubles(&hash, (const double[]){options->min_separation, options->t_max, options->tolerance}, 3);
    io_sha256_count(&hash, options->max_checks);
    return hash;
}

io_sha256 app_hash_truth(const graze_truth_options *options) {
    io_sha256 hash;
    io_sha256_begin(&hash);
    io_sha256_text(&hash, options->norm == GRAZE_NORM_MAX ? "truth max" : "truth euclidean");
    io_sha256_doubles(&hash, (const double[]){options->min_separation, options->t_max}, 2);
    return hash;
}

io_sha256 app_hash_step(const app_step_settings *settings) {
    io_sha256 hash = app_hash_narrow(&settings->narrow_options);
    io_sha256_text(&hash, graze_step_mode_name(settings->options.mode));
    io_sha256_count(&hash, !settings->no_start_check);
    return hash;
}

void app_hash_query(io_sha256 begun, graze_kind kind, const graze_query *query, char text[IO_SHA256_SHORT]) {
    io_sha256_text(&begun, graze_kind_name(kind));
    io_sha256_doubles(&begun, query->x0[0], 12);
    io_sha256_doubles(&begun, query->x1[0], 12);
    app_hash_end(&begun, text);
}

static void hash_indices(io_sha256 *hash, const uint32_t *indices, size_t count, size_t each) {
    io_sha256_count(hash, indices ? count : 0);
    if (indices) io_sha256_indices(hash, indices, count * each);
}

void app_hash_mesh(io_sha256 *hash, const app_frames *frames) {
    const graze_mesh *mesh = &frames->mesh;
    io_sha256_text(hash, "mesh");
    io_sha256_count(hash, mesh->vertex_count);
    hash_indices(hash, mesh->edges ? mesh->edges[0] : NULL, mesh->edge_count, 2);
    hash_indices(hash, mesh->faces ? mesh->faces[0] : NULL, mesh->face_count, 3);
    io_sha256_doubles(hash, frames->a.positions[0], 3 * (size_t)mesh->vertex_count);
    io_sha256_doubles(hash, frames->b.positions[0], 3 * (size_t)mesh->vertex_count);
}

void app_hash_frames(io_sha256 *hash, const app_frames *frames) {
    const graze_mesh *mesh = &frames->mesh;
    app_hash_mesh(hash, frames);
    hash_indices(hash, mesh->groups, mesh->vertex_count, 1);
    io_sha256_count(hash, mesh->skip_same_group != 0);
    io_sha256_count(hash, mesh->thickness ? mesh->vertex_count : 0);
    if (mesh->thickness) io_sha256_doubles(hash, mesh->thickness, mesh->vertex_count);
}

/* `count` bytes from where the stream is, or up to its end. */
static bool hash_stream(io_sha256 *hash, FILE *stream, uint64_t count) {
    char piece[1 << 16];
    for (size_t got = 1; got && count; count -= got) {
        got = fread(piece, 1, count < sizeof piece ? (size_t)count : sizeof piece, stream);
        io_sha256_bytes(hash, piece, got);
    }
    return !ferror(stream);
}

/* An open file, and its size, which is hashed; NULL where it cannot be read. */
static FILE *open_sized(io_sha256 *hash, const char *path, uint64_t *size) {
    struct stat about;
    FILE *stream = fopen(path, "rb");
    if (stream && fstat(fileno(stream), &about) == 0) {
        *size = (uint64_t)about.st_size;
        io_sha256_count(hash, *size);
        return stream;
    }
    if (stream) fclose(stream);
    return NULL;
}

bool app_hash_file(io_sha256 *hash, const char *path) {
    uint64_t size;
    FILE *stream = open_sized(hash, path, &size);
    bool good = stream && hash_stream(hash, stream, UINT64_MAX);
    if (stream) fclose(stream);
    return good;
}

#define SAMPLES 16u
#define SAMPLE_BYTES 4096u

bool app_hash_file_sample(io_sha256 *hash, const char *path) {
    uint64_t size;
    FILE *stream = open_sized(hash, path, &size);
    bool good = stream != NULL;
    if (good && size <= APP_SAMPLED_FROM) good = hash_stream(hash, stream, size);
    for (uint64_t i = 0; good && size > APP_SAMPLED_FROM && i < SAMPLES; i++)
        good = fseeko(stream, (off_t)((size - SAMPLE_BYTES) / (SAMPLES - 1) * i), SEEK_SET) == 0 &&
               hash_stream(hash, stream, SAMPLE_BYTES);
    if (stream) fclose(stream);
    return good;
}

void app_hash_files(io_sha256 *hash) {
    for (size_t i = 0; io_input(i); i++) {
        io_sha256_text(hash, io_input(i));
        if (!app_hash_file(hash, io_input(i))) app_fail("%s: cannot read: %s", io_input(i), strerror(errno));
    }
}

void app_hash_end(io_sha256 *hash, char text[IO_SHA256_SHORT]) {
    char whole[IO_SHA256_TEXT];
    io_sha256_end(hash, whole);
    memcpy(text, whole, IO_SHA256_SHORT - 1);
    text[IO_SHA256_SHORT - 1] = '\0';
}
