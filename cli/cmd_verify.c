/* graze verify: checks certificates in exact arithmetic, by code that shares nothing with the methods. */
#include "app/input_hash.h"
#include "cli/commands.h"

#include "io/file.h"
#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two states of the mesh that a step was about; paths NULL: not given. */
typedef struct given_mesh {
    const char *a, *b;
    graze_context *home;
    app_frames frames;
    char hash[IO_SHA256_TEXT];
} given_mesh;

/* No certificate states its premise; readers of "clear" should know it. */
static const char premise[] = "provided that nothing intersects at t = 0, which `graze check` tests";

static void print_json(const verify_report *report, bool compared) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddBoolToObject(object, "accepted", report->rejected == 0);
    cJSON_AddItemToObject(object, "pairs", app_json_count(report->pairs));
    cJSON_AddItemToObject(object, "clear", app_json_count(report->clear));
    cJSON_AddItemToObject(object, "hits", app_json_count(report->hits));
    cJSON_AddItemToObject(object, "proven", app_json_count(report->proven));
    cJSON_AddItemToObject(object, "unresolved", app_json_count(report->unresolved));
    cJSON *pieces = cJSON_AddObjectToObject(object, "free");
    cJSON_AddItemToObject(pieces, "direction", app_json_count(report->pieces[VERIFY_DIRECTION]));
    cJSON_AddItemToObject(pieces, "volume", app_json_count(report->pieces[VERIFY_VOLUME]));
    cJSON_AddItemToObject(pieces, "exact", app_json_count(report->pieces[VERIFY_DECIDED]));
    cJSON *contacts = cJSON_AddObjectToObject(object, "contacts");
    cJSON_AddItemToObject(contacts, "crossing", app_json_count(report->contacts[VERIFY_CROSSING]));
    cJSON_AddItemToObject(contacts, "touching", app_json_count(report->contacts[VERIFY_TOUCHING]));
    cJSON_AddItemToObject(contacts, "at", app_json_count(report->contacts[VERIFY_WITNESS]));
    cJSON_AddItemToObject(contacts, "exact", app_json_count(report->contacts[VERIFY_CONTACT_DECIDED]));
    cJSON_AddItemToObject(object, "mesh", report->of_step ? cJSON_CreateString(report->mesh) : cJSON_CreateNull());
    cJSON_AddItemToObject(object, "missing", app_json_count(compared ? report->missing : GRAZE_NOT_COUNTED));
    cJSON_AddItemToObject(object, "rejected", app_json_count(report->rejected));
    if (report->rejected) {
        cJSON *first = cJSON_AddObjectToObject(object, "first_rejected");
        cJSON_AddItemToObject(first, "pair", app_json_count(report->first));
        cJSON_AddItemToObject(first, "name", app_json_text(report->name));
        cJSON_AddStringToObject(first, "reason", report->reason);
    } else {
        cJSON_AddNullToObject(object, "first_rejected");
    }
    cJSON_AddStringToObject(object, "premise", premise);
    app_print_json(object);
}

static void print_rejection(const verify_report *report) {
    char *name = app_shown(report->name, sizeof report->name); /* the file gave it */
    printf("rejected: %llu pair%s, the first is pair %llu%s%s%s: %s\n", (unsigned long long)report->rejected,
           app_plural(report->rejected), (unsigned long long)report->first, name[0] ? " (" : "", name,
           name[0] ? ")" : "", report->reason);
    free(name);
}

static void print_text(const verify_report *report, bool compared) {
    printf("%llu pair%s: %llu clear, %llu hit%s (%llu proven), %llu unresolved\n", (unsigned long long)report->pairs,
           app_plural(report->pairs), (unsigned long long)report->clear, (unsigned long long)report->hits,
           app_plural(report->hits), (unsigned long long)report->proven, (unsigned long long)report->unresolved);
    printf("free time: %llu pieces by a direction, %llu by the volume, %llu decided here\n",
           (unsigned long long)report->pieces[VERIFY_DIRECTION], (unsigned long long)report->pieces[VERIFY_VOLUME],
           (unsigned long long)report->pieces[VERIFY_DECIDED]);
    printf("contacts: %llu crossings, %llu touching at a given time, %llu at given points, %llu decided here\n",
           (unsigned long long)report->contacts[VERIFY_CROSSING], (unsigned long long)report->contacts[VERIFY_TOUCHING],
           (unsigned long long)report->contacts[VERIFY_WITNESS],
           (unsigned long long)report->contacts[VERIFY_CONTACT_DECIDED]);
    if (report->rejected)
        print_rejection(report);
    else if (!report->pairs)
        printf("accepted, but nothing is proven: %s\n",
               compared ? "the step has no candidates" : "the file has no pairs");
    else
        printf("accepted%s (%s)\n", compared ? ", and every candidate of the mesh is listed once" : "", premise);
}

/* ---- paths ---- */

static const char path_premise[] =
    "contact means touching triangles, so a link that starts inside a closed mesh touches "
    "nothing; compare the models and motions in the file with yours";

static void print_path_json(const verify_path_report *report) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddBoolToObject(object, "accepted", report->rejected == 0);
    cJSON_AddItemToObject(object, report->of_plan ? "pieces" : "paths", app_json_count(report->paths));
    if (report->of_plan) cJSON_AddItemToObject(object, "begin", app_json_double(report->begin));
    if (report->of_plan) cJSON_AddItemToObject(object, "end", app_json_double(report->end));
    cJSON_AddItemToObject(object, "links", app_json_count(report->links));
    cJSON_AddItemToObject(object, "triangles", app_json_count(report->triangles));
    cJSON_AddItemToObject(object, "pairs", app_json_count(report->pairs));
    cJSON_AddItemToObject(object, "skipped", app_json_count(report->skipped));
    cJSON_AddItemToObject(object, "separation", app_json_double(report->separation));
    if (!report->of_plan) cJSON_AddItemToObject(object, "t_max", app_json_double(report->t_max));
    cJSON_AddItemToObject(object, "windows", app_json_count(report->windows));
    cJSON_AddItemToObject(object, "directions", app_json_count(report->directions));
    cJSON_AddItemToObject(object, "rejected", app_json_count(report->rejected));
    if (report->rejected) {
        cJSON *first = cJSON_AddObjectToObject(object, "first_rejected");
        cJSON_AddItemToObject(first, "proof", app_json_count(report->first));
        cJSON_AddStringToObject(first, "name", report->name);
        cJSON_AddStringToObject(first, "reason", report->reason);
    } else {
        cJSON_AddNullToObject(object, "first_rejected");
    }
    cJSON_AddStringToObject(object, "premise", path_premise);
    app_print_json(object);
}

static void print_path_text(const verify_path_report *report) {
    printf("%llu %s%s of %llu link%s (%llu triangles): %llu pair%s of links each, %llu left out by the file\n",
           (unsigned long long)report->paths, report->of_plan ? "piece" : "path", app_plural(report->paths),
           (unsigned long long)report->links, app_plural(report->links), (unsigned long long)report->triangles,
           (unsigned long long)report->pairs, app_plural(report->pairs), (unsigned long long)report->skipped);
    double begin = report->of_plan ? report->begin : 0, end = report->of_plan ? report->end : report->t_max;
    printf("farther apart than %.17g from %.17g to %.17g%s, by %llu direction%s in %llu window%s of time\n",
           report->separation, begin, end, report->of_plan ? " s" : "", (unsigned long long)report->directions,
           app_plural(report->directions), (unsigned long long)report->windows, app_plural(report->windows));
    if (report->rejected)
        printf("rejected: %llu proof%s, the first is of %s: %s\n", (unsigned long long)report->rejected,
               app_plural(report->rejected), report->name, report->reason);
    else if (!report->paths || !report->pairs)
        printf("accepted, but nothing is proven: the file has no %s\n", report->paths ? "pairs of links" : "paths");
    else
        printf("accepted (%s)\n", path_premise);
}

/* ---- ranges ---- */

static const char range_premise[] = "compare the models and ranges in the file with yours";

static void print_range_json(const verify_range_report *report) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddBoolToObject(object, "accepted", report->rejected == 0);
    cJSON_AddItemToObject(object, "links", app_json_count(report->links));
    cJSON_AddItemToObject(object, "triangles", app_json_count(report->triangles));
    cJSON_AddItemToObject(object, "values", app_json_count(report->values));
    cJSON_AddItemToObject(object, "pairs", app_json_count(report->pairs));
    cJSON_AddItemToObject(object, "skipped", app_json_count(report->skipped));
    cJSON_AddItemToObject(object, "clear", app_json_count(report->clear));
    cJSON_AddItemToObject(object, "touch", app_json_count(report->touch));
    cJSON_AddItemToObject(object, "unresolved", app_json_count(report->open));
    cJSON_AddItemToObject(object, "most_unresolved", app_json_double(report->most_open));
    cJSON_AddItemToObject(object, "separation", app_json_double(report->separation));
    cJSON_AddItemToObject(object, "cells", app_json_count(report->cells));
    cJSON_AddItemToObject(object, "directions", app_json_count(report->directions));
    cJSON_AddItemToObject(object, "rejected", app_json_count(report->rejected));
    if (report->rejected) {
        cJSON *first = cJSON_AddObjectToObject(object, "first_rejected");
        cJSON_AddItemToObject(first, "pair", app_json_count(report->first));
        cJSON_AddStringToObject(first, "name", report->name);
        cJSON_AddStringToObject(first, "reason", report->reason);
    } else {
        cJSON_AddNullToObject(object, "first_rejected");
    }
    cJSON_AddStringToObject(object, "premise", range_premise);
    app_print_json(object);
}

static void print_range_text(const verify_range_report *report) {
    printf("%llu link%s (%llu triangles), %llu joint value%s: %llu pair%s of links, %llu left out by the file\n",
           (unsigned long long)report->links, app_plural(report->links), (unsigned long long)report->triangles,
           (unsigned long long)report->values, app_plural(report->values), (unsigned long long)report->pairs,
           app_plural(report->pairs), (unsigned long long)report->skipped);
    printf("%llu farther apart than %.17g for all values, %llu touch at a given pose, %llu unresolved",
           (unsigned long long)report->clear, report->separation, (unsigned long long)report->touch,
           (unsigned long long)report->open);
    if (report->open) printf(" (%.3g of the range at most)", report->most_open);
    printf("\nby %llu direction%s in %llu cell%s\n", (unsigned long long)report->directions,
           app_plural(report->directions), (unsigned long long)report->cells, app_plural(report->cells));
    if (report->rejected)
        printf("rejected: %llu pair%s, the first is %s: %s\n", (unsigned long long)report->rejected,
               app_plural(report->rejected), report->name, report->reason);
    else if (!report->clear && !report->touch)
        printf("accepted, but nothing is proven: no pair of links is settled\n");
    else
        printf("accepted (%s)\n", range_premise);
}

/* ---- the command ---- */

/* The exit status of what was accepted. */
static int status_of(bool rejected, bool proves_something) {
    return rejected ? APP_FOUND : proves_something ? APP_OK : APP_UNRESOLVED;
}

static verify_mesh read_mesh(given_mesh *given) {
    app_frames *frames = &given->frames;
    given->home = app_context(1);
    app_load_frames(given->home, given->a, given->b, frames);
    io_sha256 hash;
    io_sha256_begin(&hash);
    app_hash_mesh(&hash, frames);
    io_sha256_end(&hash, given->hash);
    return (verify_mesh){.vertex_count = frames->a.vertex_count,
                         .face_count = frames->a.face_count,
                         .edge_count = frames->a.edge_count,
                         .x0 = (const double(*)[3])frames->a.positions,
                         .x1 = (const double(*)[3])frames->b.positions,
                         .faces = (const uint32_t(*)[3])frames->a.faces,
                         .edges = (const uint32_t(*)[2])frames->a.edges};
}

static int verify_pairs(const char *path, const char *text, size_t size, uint64_t threads, given_mesh *given,
                        bool json) {
    char message[VERIFY_TEXT];
    verify_report report;
    verify_mesh mesh = {0};
    bool compared = given->a != NULL;
    if (compared) mesh = read_mesh(given);
    if (!verify_text(text, size, (unsigned)threads, compared ? &mesh : NULL, &report, message))
        app_fail("%s: %s", path, message);
    if (compared && strcmp(report.mesh, given->hash) != 0 && report.rejected++ == 0)
        snprintf(report.reason, sizeof report.reason, "it is about another mesh, or other states of it");
    (json ? print_json : print_text)(&report, compared);
    if (compared) app_free_frames(given->home, &given->frames);
    graze_context_destroy(given->home);
    return status_of(report.rejected, report.pairs);
}

static int verify_paths(const char *path, const char *text, size_t size, uint64_t threads, double work, bool json) {
    char message[VERIFY_TEXT];
    verify_path_report report;
    if (!verify_path_text(text, size, (unsigned)threads, work, &report, message)) app_fail("%s: %s", path, message);
    (json ? print_path_json : print_path_text)(&report);
    return status_of(report.rejected, report.paths && report.pairs);
}

static int verify_ranges(const char *path, const char *text, size_t size, uint64_t threads, double work, bool json) {
    char message[VERIFY_TEXT];
    verify_range_report report;
    if (!verify_range_text(text, size, (unsigned)threads, work, &report, message)) app_fail("%s: %s", path, message);
    (json ? print_range_json : print_range_text)(&report);
    return status_of(report.rejected, report.clear || report.touch);
}

/* Takes the file behind --mesh A out of the operands: it is B. Returns how many are left. */
static int take_second(int argc, char **argv, const char **operands, int count, given_mesh *given) {
    for (int i = 1; i + 2 < argc && !given->b; i++)
        if (argv[i + 1] == given->a) given->b = argv[i + 2];
    int left = 0;
    bool found = false;
    for (int i = 0; i < count; i++) {
        if (operands[i] == given->b && !found)
            found = true;
        else
            operands[left++] = operands[i];
    }
    if (!found) app_fail("verify: --mesh A B: the two frames of the step");
    return left;
}

int cmd_verify(int argc, char **argv) {
    bool json = false;
    uint64_t threads = 0, max_work = 0;
    given_mesh given = {0};
    const app_option options[] = {
        {"--mesh", APP_TEXT, &given.a, "A B", "the frames of a step: each of their candidates must be listed once"},
        {"--max-work", APP_COUNT, &max_work, "N",
         "for paths and ranges: most tests of two boxes, or equal work (0: 2^27)"},
        {"--threads", APP_COUNT, &threads, "N", "threads (0: all cores)"},
        {"--json", APP_FLAG, &json, NULL, "one JSON object on stdout"},
        {0},
    };
    const app_usage usage = {
        "verify", "CERT.json [options]",
        "Checks certificates of `graze query`, `graze step` and `graze articulate`. All arithmetic is in integers, by\n"
        "code that shares nothing with the methods.\n"
        "For pairs it checks that each has the claimed verdict and times, for the coordinates in the file. Claims\n"
        "without a proof are decided again. --mesh also checks that every candidate of the mesh is listed, with its\n"
        "coordinates. For links it checks that no two touch on any path, along the plan, or for any values in range.\n"
        "Sine and cosine are enclosed by rational numbers.\n"
        "Exit status: 0 accepted, 1 rejected, 2 not a certificate, 3 accepted but empty (no pairs, no paths).",
        options,
        "example: graze step 92.ply 93.ply --certificate step.json && graze verify step.json --mesh 92.ply 93.ply"};
    const char **operands = app_allocate((size_t)argc, sizeof *operands);
    int count = app_parse(&usage, argc, argv, operands);
    if (given.a) count = take_second(argc, argv, operands, count, &given);
    if (count != 1) app_fail("verify: no file: `graze verify CERT.json`");
    if (threads > 1024) app_fail("verify: --threads: at most 1024");
    io_error error;
    char *text;
    size_t size;
    if (!io_read_file(operands[0], &text, &size, &error)) app_fail("%s", error.message);
    threads = app_threads(threads);
    bool paths = verify_is_path_text(text, size), ranges = verify_is_range_text(text, size);
    double work = max_work ? (double)max_work : VERIFY_WORK_PATHS;
    if (given.a && (paths || ranges)) app_fail("verify: --mesh is for certificates of steps");
    int status = paths    ? verify_paths(operands[0], text, size, threads, work, json)
                 : ranges ? verify_ranges(operands[0], text, size, threads, work, json)
                          : verify_pairs(operands[0], text, size, threads, &given, json);
    free(text);
    free(operands);
    return status;
}
