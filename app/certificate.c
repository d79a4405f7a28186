#include "app/certificate.h"

#include "app/input_hash.h"
#include "app/query_files.h"

#include "verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void app_certificate_choose(const char *command, const char *path, app_narrow *narrow) {
    if (!path) return;
    if (!narrow->method) narrow->method = "certified";
    graze_method method = app_method(narrow->method);
    if (method != GRAZE_METHOD_CERTIFIED && method != GRAZE_METHOD_EXACT)
        app_fail("%s: --certificate: method %s leaves no proof; certified and exact do", command, narrow->method);
}

/* Up to the fields that only one format has. */
static void open_certificate(app_certificate *out, const char *path, const graze_options *options, int format,
                             bool json) {
    *out = (app_certificate){.options = *options, .capacity = 64};
    app_open_output("--certificate", path, json, &out->file);
    out->entries = app_allocate(out->capacity, sizeof *out->entries);
    fprintf(out->file.stream, "{\"format\":\"graze certificate %d\",\"separation\":%.17g,\"t_max\":%.17g", format,
            options->min_separation, options->t_max);
}

void app_certificate_open(app_certificate *out, const char *path, const graze_options *options, bool json) {
    open_certificate(out, path, options, 1, json);
    fputs(",\"pairs\":[", out->file.stream);
}

void app_certificate_close(app_certificate *out) {
    fputs("\n]}\n", out->file.stream);
    app_close_output(&out->file);
    free(out->entries);
}

/* ---- one pair ---- */

static int rows_of(graze_kind kind) { return kind == GRAZE_PE ? 3 : kind == GRAZE_PP ? 2 : 4; }

static void put_vector(FILE *stream, const double x[3]) { fprintf(stream, "[%.17g,%.17g,%.17g]", x[0], x[1], x[2]); }

static void put_rows(FILE *stream, const char *name, const double x[4][3], int rows) {
    fprintf(stream, ",\"%s\":[", name);
    for (int i = 0; i < rows; i++) {
        if (i) fputc(',', stream);
        put_vector(stream, x[i]);
    }
    fputc(']', stream);
}

/* The list of entries, however long it is. */
static size_t find_entries(app_certificate *out, graze_kind kind, const graze_query *query, const double *radii) {
    for (;;) {
        graze_result ignored;
        size_t count;
        graze_status status = graze_ccd_certificate_thick(kind, query, radii, &out->options, out->entries,
                                                          out->capacity, &count, &ignored);
        if (status == GRAZE_OK) return count;
        if (count <= out->capacity) app_fail_status(status, NULL, "--certificate");
        free(out->entries);
        out->capacity = 2 * count;
        out->entries = app_allocate(out->capacity, sizeof *out->entries);
    }
}

/* The entries up to `toi`. What they leave was decided in exact arithmetic; the checker has to do the same. */
static void put_free(app_certificate *out, graze_kind kind, const graze_query *query, const double *radii, double toi) {
    FILE *stream = out->file.stream;
    size_t count = find_entries(out, kind, query, radii);
    double reached = 0;
    const char *comma = "";
    fputs(",\"free\":[", stream);
    for (size_t i = 0; i < count && reached < toi; i++) {
        const graze_certificate_entry *entry = &out->entries[i];
        const double *n = entry->direction;
        if (isnan(n[0])) break;
        fprintf(stream, "%s{", comma);
        if (n[0] == 0 && n[1] == 0 && n[2] == 0) {
            fputs("\"volume\":true", stream);
        } else {
            fputs("\"n\":", stream);
            put_vector(stream, n);
        }
        double end = entry->t1 < toi ? entry->t1 : toi;
        fprintf(stream, ",\"t0\":%.17g,\"t1\":%.17g}", reached, end);
        reached = end;
        comma = ",";
    }
    if (reached < toi) fprintf(stream, "%s{\"exact\":true,\"t0\":%.17g,\"t1\":%.17g}", comma, reached, toi);
    fputc(']', stream);
}

static void put_contact(app_certificate *out, graze_kind kind, const graze_query *query, const double *radii,
                        const graze_result *result) {
    FILE *stream = out->file.stream;
    bool proven = result->verdict == GRAZE_HIT && result->proven;
    verify_pair pair = {.separation = out->options.min_separation,
                        .t_max = out->options.t_max,
                        .toi = result->toi,
                        .toi_upper = result->toi_upper};
    pair.kind = kind == GRAZE_VF ? VERIFY_VF : kind == GRAZE_EE ? VERIFY_EE : kind == GRAZE_PE ? VERIFY_PE : VERIFY_PP;
    memcpy(pair.x0, query->x0, sizeof pair.x0);
    memcpy(pair.x1, query->x1, sizeof pair.x1);
    if (radii) memcpy(pair.radii, radii, sizeof pair.radii);
    if (proven)
        pair.contact = verify_find_contact(&pair); /* only which proof to name: `graze verify` checks it again */
    /* two points are searched for in doubles: where none are found the file claims less than the method did */
    if (radii && pair.contact == VERIFY_NO_CONTACT) proven = false;
    if (!proven) {
        fputs(",\"toi_upper\":null,\"hit\":null", stream);
    } else if (pair.contact == VERIFY_WITNESS) {
        fprintf(stream, ",\"toi_upper\":%.17g,\"hit\":{\"at\":[%.17g,%.17g]}", result->toi_upper, pair.at[0],
                pair.at[1]);
    } else {
        fprintf(stream, ",\"toi_upper\":%.17g,\"hit\":{\"%s\":true}", result->toi_upper,
                pair.contact == VERIFY_CROSSING   ? "crossing"
                : pair.contact == VERIFY_TOUCHING ? "touching"
                                                  : "exact");
    }
}

/* After the opening brace and the pair's name. */
static void put_pair(app_certificate *out, graze_kind kind, const graze_query *query, const double *radii,
                     const graze_result *result) {
    FILE *stream = out->file.stream;
    put_rows(stream, "x0", query->x0, rows_of(kind));
    put_rows(stream, "x1", query->x1, rows_of(kind));
    for (int i = 0; radii && i < rows_of(kind); i++) fprintf(stream, "%s%.17g", i ? "," : ",\"radii\":[", radii[i]);
    if (radii) fputc(']', stream);
    fprintf(stream, ",\"verdict\":\"%s\",\"toi\":%.17g", graze_verdict_name(result->verdict), result->toi);
    put_contact(out, kind, query, radii, result);
    put_free(out, kind, query, radii, result->toi);
    fputc('}', stream);
    out->written++;
}

void app_certificate_query(app_certificate *out, const char *path, size_t index, graze_kind kind,
                           const graze_query *query, const graze_result *result) {
    char *quoted = app_quoted(path);
    fprintf(out->file.stream, "%s\n{\"kind\":\"%s\",\"file\":%s,\"index\":%zu", out->written ? "," : "",
            graze_kind_name(kind), quoted, index);
    put_pair(out, kind, query, NULL, result);
    free(quoted);
}

/* ---- a whole step ---- */

/* The pair as a query, and the radii of its rows. */
static void gather(const app_frames *frames, graze_pair pair, graze_query *query, double radii[4]) {
    graze_stencil stencil;
    graze_status status = graze_pair_query(&frames->mesh, (const double(*)[3])frames->a.positions,
                                           (const double(*)[3])frames->b.positions, 0, pair, query);
    if (status == GRAZE_OK) status = graze_pair_stencil(&frames->mesh, pair, NAN, NAN, &stencil);
    if (status != GRAZE_OK) app_fail_status(status, NULL, "--certificate");
    for (uint32_t i = 0; i < 4; i++)
        radii[i] = frames->mesh.thickness && i < stencil.count ? frames->mesh.thickness[stencil.vertices[i]] : 0;
}

/* Writes the step that the pairs are a list of: docs/certificates.md, format 3. */
static void put_step(FILE *stream, const app_frames *frames, size_t candidates) {
    const graze_mesh *mesh = &frames->mesh;
    io_sha256 hash;
    char digits[IO_SHA256_TEXT];
    io_sha256_begin(&hash);
    app_hash_mesh(&hash, frames);
    io_sha256_end(&hash, digits);
    fprintf(stream, ",\"mesh\":\"%s\",\"candidates\":%zu,\"groups\":", digits, candidates);
    bool apart = mesh->groups && mesh->skip_same_group;
    for (uint32_t v = 0; apart && v < mesh->vertex_count; v++) fprintf(stream, "%c%u", v ? ',' : '[', mesh->groups[v]);
    fputs(apart ? "],\"radii\":" : "null,\"radii\":", stream);
    for (uint32_t v = 0; mesh->thickness && v < mesh->vertex_count; v++)
        fprintf(stream, "%c%.17g", v ? ',' : '[', mesh->thickness[v]);
    fputs(mesh->thickness ? "],\"pairs\":[" : "null,\"pairs\":[", stream);
}

void app_certificate_step(const char *path, const app_step_settings *settings, const app_frames *frames) {
    enum { BATCH = 4096 };
    const double(*x0)[3] = (const double(*)[3])frames->a.positions, (*x1)[3] = (const double(*)[3])frames->b.positions;
    graze_context *context = app_context(settings->threads);
    graze_pair *pairs;
    size_t count;
    graze_status status = graze_candidates(context, &frames->mesh, x0, x1, &settings->options, &pairs, &count);
    if (status != GRAZE_OK) app_fail_frames(status, context, frames);
    app_certificate out;
    open_certificate(&out, path, &settings->narrow_options, 3, settings->json);
    put_step(out.file.stream, frames, count);
    graze_result *results = app_allocate(BATCH, sizeof *results);
    app_progress progress;
    app_progress_begin(&progress, "certificate", count);
    for (size_t begin = 0; begin < count; begin += BATCH) {
        size_t size = count - begin < BATCH ? count - begin : BATCH;
        status = graze_ccd_pairs(context, &frames->mesh, x0, x1, pairs + begin, size, &settings->options, results);
        if (status != GRAZE_OK) app_fail_frames(status, context, frames);
        for (size_t i = 0; i < size; i++) {
            graze_pair pair = pairs[begin + i];
            graze_query query;
            double radii[4];
            gather(frames, pair, &query, radii);
            fprintf(out.file.stream, "%s\n{\"kind\":\"%s\",\"a\":%u,\"b\":%u", out.written ? "," : "",
                    graze_kind_name(pair.kind), (unsigned)pair.a, (unsigned)pair.b);
            put_pair(&out, pair.kind, &query, frames->mesh.thickness ? radii : NULL, &results[i]);
        }
        app_progress_update(&progress, begin + size);
    }
    app_progress_end(&progress);
    free(results);
    app_certificate_close(&out);
    graze_pairs_release(context, pairs, count);
    graze_context_destroy(context);
}
