/* graze check: what intersects, and what is closer than the separation, in one state. */
#include "app/outputs.h"
#include "app/query_files.h"
#include "app/start.h"
#include "cli/commands.h"

#include <stdlib.h>
#include <string.h>

typedef struct settings {
    double separation;
    const char *thickness, *pairs_out;
    uint64_t threads;
    bool json, exit_code;
} settings;

typedef struct state {
    const char *path;
    uint32_t vertices, edges, faces;
    uint64_t intersections, violations[4];
    bool codim;
} state;

/* ---- one state ---- */

static void put_entry(FILE *stream, uint64_t *written, const char *path, const char *kind, uint32_t a, uint32_t b) {
    char *quoted = app_quoted(path);
    fprintf(stream, "%s\n{\"file\":%s,\"kind\":\"%s\",\"a\":%u,\"b\":%u}", (*written)++ ? "," : "", quoted, kind,
            (unsigned)a, (unsigned)b);
    free(quoted);
}

static void find_violations(const settings *set, graze_context *context, const app_frames *frames, FILE *out,
                            uint64_t *written, state *s) {
    graze_options narrow = graze_default_options();
    narrow.min_separation = set->separation;
    graze_step_options options = graze_default_step_options();
    options.narrow = &narrow;
    graze_pair *pairs;
    size_t count;
    graze_status status = graze_start_violations(context, &frames->mesh, (const double(*)[3])frames->a.positions,
                                                 &options, &pairs, &count);
    if (status != GRAZE_OK) app_fail_frames(status, context, frames);
    for (size_t i = 0; i < count; i++) {
        s->violations[pairs[i].kind]++;
        if (out) put_entry(out, written, s->path, graze_kind_name(pairs[i].kind), pairs[i].a, pairs[i].b);
    }
    graze_pairs_release(context, pairs, count);
}

static void check_file(const settings *set, const char *path, FILE *out, uint64_t *written, state *s) {
    *s = (state){.path = path};
    graze_context *context = app_context(set->threads);
    app_frames frames;
    app_load_state(context, path, &frames);
    if (set->thickness) app_load_thickness(set->thickness, &frames);
    s->vertices = frames.mesh.vertex_count;
    s->edges = frames.mesh.edge_count;
    s->faces = frames.mesh.face_count;
    s->codim = frames.mesh.codim_edge_count > 0;
    io_intersection *list;
    s->intersections = app_find_intersections(context, &frames, &list);
    for (uint64_t i = 0; out && i < s->intersections; i++)
        put_entry(out, written, path, list[i].edge ? "ef" : "ff", list[i].a, list[i].b);
    free(list);
    find_violations(set, context, &frames, out, written, s);
    app_notice_fans(&frames);
    app_free_frames(context, &frames);
    graze_context_destroy(context);
}

/* ---- what is printed ---- */

static void print_json(const settings *set, const state *states, size_t count) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, "separation", app_json_double(set->separation));
    cJSON *list = cJSON_AddArrayToObject(object, "files");
    for (size_t i = 0; i < count; i++) {
        const state *s = &states[i];
        cJSON *file = cJSON_CreateObject();
        cJSON_AddItemToObject(file, "path", app_json_text(s->path));
        cJSON_AddItemToObject(file, "vertices", app_json_count(s->vertices));
        cJSON_AddItemToObject(file, "edges", app_json_count(s->edges));
        cJSON_AddItemToObject(file, "faces", app_json_count(s->faces));
        cJSON_AddItemToObject(file, "intersections", app_json_count(s->intersections));
        cJSON_AddItemToObject(file, "violations", app_kinds_json(s->violations, s->codim));
        cJSON_AddItemToArray(list, file);
    }
    app_print_json(object);
}

static void print_table(const settings *set, const state *states, size_t count) {
    printf("pairs that intersect; pairs within the separation %g\n\n%10s %10s %14s %10s %10s\n", set->separation,
           "vertices", "faces", "intersections", "vf", "ee");
    for (size_t i = 0; i < count; i++) {
        char *shown = app_shown(states[i].path, 1000);
        printf("%10u %10u %14llu %10llu %10llu  %s\n", (unsigned)states[i].vertices, (unsigned)states[i].faces,
               (unsigned long long)states[i].intersections, (unsigned long long)states[i].violations[GRAZE_VF],
               (unsigned long long)states[i].violations[GRAZE_EE], shown);
        free(shown);
    }
}

static bool is_clean(const state *s) {
    uint64_t all = s->intersections;
    for (int kind = 0; kind < 4; kind++) all += s->violations[kind];
    return all == 0;
}

int cmd_check(int argc, char **argv) {
    settings set = {0};
    const app_option options[] = {
        {"--separation", APP_NUMBER, &set.separation, "D", "list pairs within this distance (0: touching)"},
        {"--thickness", APP_TEXT, &set.thickness, "R|FILE",
         "a radius for all vertices, or a file with one number for each"},
        {"--pairs-out", APP_TEXT, &set.pairs_out, "FILE.json",
         "write the pairs: kind ff, ef, vf, ee, pe or pp, and ids"},
        {"--threads", APP_COUNT, &set.threads, "N", "threads (0: all cores)"},
        {"--json", APP_FLAG, &set.json, NULL, "one JSON object on stdout"},
        {"--exit-code", APP_FLAG, &set.exit_code, NULL, "exit 1 when there are any such pairs"},
        {0},
    };
    const app_usage usage = {
        "check", "FILE… [options]",
        "Checks states that do not move, in exact arithmetic: which faces intersect (touching included; free edges\n"
        "through faces too; pairs that share a vertex are skipped), and which pairs are within the separation. A step\n"
        "that starts without intersections and is clear ends without them.",
        options, "example: graze check frames/92.ply"};
    const char **operands = app_allocate((size_t)argc, sizeof *operands);
    int count = app_parse(&usage, argc, argv, operands);
    if (count == 0) app_fail("check: no meshes: `graze check FILE…`");
    if (!(set.separation >= 0 && set.separation <= GRAZE_MAX_COORDINATE))
        app_fail("check: --separation %g: from 0 to 2^160", set.separation);
    for (int i = 0; i < count; i++) io_note_input(operands[i]);
    io_output out = {0};
    if (set.pairs_out) app_open_output("--pairs-out", set.pairs_out, set.json, &out);
    if (set.pairs_out) fputc('[', out.stream);
    state *states = app_allocate((size_t)count, sizeof *states);
    uint64_t written = 0;
    bool clean = true;
    for (int i = 0; i < count; i++) {
        check_file(&set, operands[i], out.stream, &written, &states[i]);
        clean = clean && is_clean(&states[i]);
    }
    if (set.pairs_out) {
        fputs("\n]\n", out.stream);
        app_close_output(&out);
    }
    (set.json ? print_json : print_table)(&set, states, (size_t)count);
    free(states);
    free(operands);
    return set.exit_code && !clean ? APP_FOUND : APP_OK;
}
