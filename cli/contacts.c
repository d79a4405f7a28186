#include "cli/contacts.h"

#include "app/query_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT_PLY, FORMAT_VTK, FORMAT_OBJ, FORMAT_JSON, FORMATS };

static int format_of(const char *path) {
    static const char *const endings[FORMATS] = {".ply", ".vtk", ".obj", ".json"};
    size_t length = strlen(path);
    for (int i = 0; i < FORMATS; i++) {
        size_t tail = strlen(endings[i]);
        if (length >= tail && strcmp(path + length - tail, endings[i]) == 0) return i;
    }
    app_fail("--contacts: %s: its name must end in .ply, .vtk, .obj or .json", path);
}

void cli_contacts_open(cli_contacts *contacts, const char *path, bool json) {
    *contacts = (cli_contacts){.format = format_of(path)};
    app_open_output("--contacts", path, json, &contacts->output);
    if (contacts->format == FORMAT_JSON) fputc('[', contacts->output.stream);
}

/* ---- pairs ---- */

void cli_put_pair(FILE *stream, bool first, const app_frames *frames, const graze_pair_result *p,
                  const uint64_t *step) {
    fprintf(stream, "%s\n{", first ? "" : ",");
    if (step) fprintf(stream, "\"step\":%llu,", (unsigned long long)*step);
    fprintf(stream, "\"kind\":\"%s\",\"a\":%u,\"b\":%u,\"verdict\":\"%s\",\"toi\":%.17g,\"toi_upper\":",
            graze_kind_name(p->pair.kind), (unsigned)p->pair.a, (unsigned)p->pair.b,
            graze_verdict_name(p->result.verdict), p->result.toi);
    if (p->result.toi_upper <= 1)
        fprintf(stream, "%.17g", p->result.toi_upper);
    else
        fputs("null", stream);
    app_put_contact(stream, frames, p);
    fputc('}', stream);
}

/* ---- points ---- */

static void keep(cli_contacts *contacts, const graze_pair_result *p, uint64_t step) {
    if (isnan(p->result.point[0])) return; /* unresolved: no point is known */
    if (contacts->count == contacts->capacity) {
        contacts->capacity = contacts->capacity ? 2 * contacts->capacity : 256;
        cli_contact *grown = realloc(contacts->list, contacts->capacity * sizeof *grown);
        if (!grown) app_fail("out of memory");
        contacts->list = grown;
    }
    cli_contact *contact = &contacts->list[contacts->count++];
    *contact = (cli_contact){.step = step, .pair = p->pair, .toi = p->result.toi};
    for (int c = 0; c < 3; c++) {
        contact->point[c] = p->result.point[c];
        contact->normal[c] = isnan(p->result.normal[0]) ? 0 : p->result.normal[c];
    }
}

void cli_contacts_add(cli_contacts *contacts, const app_frames *frames, const graze_step_result *result,
                      uint64_t step) {
    bool all = result->pairs != NULL;
    size_t count = all ? result->pair_count : result->has_pair ? 1 : 0;
    const graze_pair_result *pairs = all ? result->pairs : &result->limiting;
    for (size_t i = 0; i < count; i++) {
        if (contacts->format == FORMAT_JSON)
            cli_put_pair(contacts->output.stream, contacts->count++ == 0, frames, &pairs[i], &step);
        else
            keep(contacts, &pairs[i], step);
    }
}

static void write_ply(FILE *out, const cli_contact *list, size_t count) {
    fprintf(out,
            "ply\nformat ascii 1.0\ncomment contacts by graze; kind: 0 vf, 1 ee, 2 pe, 3 pp\nelement vertex %zu\n"
            "property double x\nproperty double y\nproperty double z\nproperty double nx\nproperty double ny\n"
            "property double nz\nproperty double toi\nproperty uchar kind\nproperty uint a\nproperty uint b\n"
            "property uint step\nend_header\n",
            count);
    for (size_t i = 0; i < count; i++) {
        const cli_contact *c = &list[i];
        fprintf(out, "%.17g %.17g %.17g %.17g %.17g %.17g %.17g %d %u %u %llu\n", c->point[0], c->point[1], c->point[2],
                c->normal[0], c->normal[1], c->normal[2], c->toi, (int)c->pair.kind, (unsigned)c->pair.a,
                (unsigned)c->pair.b, (unsigned long long)c->step);
    }
}

static void write_vtk(FILE *out, const cli_contact *list, size_t count) {
    fprintf(out, "# vtk DataFile Version 3.0\ncontacts by graze\nASCII\nDATASET POLYDATA\nPOINTS %zu double\n", count);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%.17g %.17g %.17g\n", list[i].point[0], list[i].point[1], list[i].point[2]);
    fprintf(out, "VERTICES %zu %zu\n", count, 2 * count);
    for (size_t i = 0; i < count; i++) fprintf(out, "1 %zu\n", i);
    fprintf(out, "POINT_DATA %zu\nNORMALS normal double\n", count);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%.17g %.17g %.17g\n", list[i].normal[0], list[i].normal[1], list[i].normal[2]);
    fputs("SCALARS toi double 1\nLOOKUP_TABLE default\n", out);
    for (size_t i = 0; i < count; i++) fprintf(out, "%.17g\n", list[i].toi);
    fputs("SCALARS pair unsigned_int 3\nLOOKUP_TABLE default\n", out); /* kind, a, b */
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%d %u %u\n", (int)list[i].pair.kind, (unsigned)list[i].pair.a, (unsigned)list[i].pair.b);
    fputs("SCALARS step unsigned_long 1\nLOOKUP_TABLE default\n", out);
    for (size_t i = 0; i < count; i++) fprintf(out, "%llu\n", (unsigned long long)list[i].step);
}

static void write_obj(FILE *out, const cli_contact *list, size_t count) {
    fputs("# contacts by graze: a point and its normal each\n", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "v %.17g %.17g %.17g\nvn %.17g %.17g %.17g\n", list[i].point[0], list[i].point[1],
                list[i].point[2], list[i].normal[0], list[i].normal[1], list[i].normal[2]);
    for (size_t i = 1; i <= count; i++) fprintf(out, "p %zu\n", i);
}

void cli_contacts_close(cli_contacts *contacts) {
    FILE *out = contacts->output.stream;
    switch (contacts->format) {
    case FORMAT_PLY: write_ply(out, contacts->list, contacts->count); break;
    case FORMAT_VTK: write_vtk(out, contacts->list, contacts->count); break;
    case FORMAT_OBJ: write_obj(out, contacts->list, contacts->count); break;
    default: fputs("\n]\n", out); break;
    }
    app_close_output(&contacts->output);
    free(contacts->list);
    *contacts = (cli_contacts){0};
}
