/* graze step: the first contact between two frames of a mesh. */
#include "app/certificate.h"
#include "app/folders.h"
#include "app/outputs.h"
#include "app/query_files.h"
#include "app/step_run.h"
#include "cli/commands.h"
#include "cli/contacts.h"
#include "cli/mpi/step_mpi.h"
#include "cli/plain_page.h"
#include "cli/view/motion.h"
#include "cli/world/step_world.h"

#include <stdlib.h>

static void write_pairs(FILE *stream, const app_frames *frames, const graze_step_result *result) {
    fputc('[', stream);
    for (size_t i = 0; i < result->pair_count; i++) cli_put_pair(stream, i == 0, frames, &result->pairs[i], NULL);
    fputs("\n]\n", stream);
}

static void print_json(const app_step_settings *settings, const app_frames *frames, const app_step_outcome *outcome) {
    cJSON *object = cJSON_CreateObject();
    app_add_step_json(object, settings, frames, outcome);
    if (outcome->ranks) cJSON_AddItemToObject(object, "ranks", app_json_count(outcome->ranks));
    if (outcome->vertex_toi) {
        cJSON *list = cJSON_AddArrayToObject(object, "vertex_toi");
        for (uint32_t i = 0; i < frames->mesh.vertex_count; i++)
            cJSON_AddItemToArray(list, app_json_double(outcome->vertex_toi[i]));
    }
    if (outcome->moved) cJSON_AddItemToObject(object, "alpha", app_json_double(outcome->alpha));
    app_print_json(object);
}

/* Counts that the mode did not make are left out, and so is a line of nothing else. */
static void print_count(const char *label, const uint64_t counts[4]) {
    const char *before = label;
    for (int kind = 0; kind < 4; kind++) {
        if (counts[kind] == GRAZE_NOT_COUNTED || (kind >= 2 && !counts[kind])) continue;
        printf("%-*s %s %llu", before == label ? 12 : 0, before, graze_kind_name((graze_kind)kind),
               (unsigned long long)counts[kind]);
        before = "";
    }
    if (before != label) printf("\n");
}

static void print_text(const app_step_settings *settings, const app_frames *frames, const app_step_outcome *outcome) {
    const graze_step_result *result = &outcome->result;
    printf("%u vertices, %u edges, %u faces\n", (unsigned)frames->mesh.vertex_count, (unsigned)frames->mesh.edge_count,
           (unsigned)frames->mesh.face_count);
    printf("%-12s %s", "verdict", graze_verdict_name(result->verdict));
    if (result->verdict == GRAZE_UNRESOLVED) printf(" (%s)", graze_reason_name(result->reason));
    printf("\n");
    app_print_start(outcome);
    printf("%-12s %.17g", "toi", result->toi);
    if (result->toi_upper <= 1) printf(" to %.17g", result->toi_upper);
    printf("\n");
    if (outcome->moved) printf("%-12s %.17g\n", "alpha", outcome->alpha);
    if (result->has_pair)
        printf("%-12s %s %u %u\n", "pair", graze_kind_name(result->limiting.pair.kind),
               (unsigned)result->limiting.pair.a, (unsigned)result->limiting.pair.b);
    print_count("candidates", result->candidates);
    print_count("hits", result->hits);
    const char *method = graze_method_get(settings->narrow_options.method)->name;
    if (outcome->ranks)
        printf("%-12s %.2f ms, %u ranks with %u threads each, method %s\n", "time", outcome->ms_total,
               (unsigned)outcome->ranks, (unsigned)outcome->threads, method);
    else
        printf("%-12s %.2f ms (boxes %.2f, broad %.2f, narrow %.2f), %u threads, method %s\n", "time",
               outcome->ms_total, outcome->ms_boxes, outcome->ms_broad, outcome->ms_narrow, (unsigned)outcome->threads,
               method);
}

static void print_step(const app_step_settings *settings, const app_frames *frames, const app_step_outcome *outcome) {
    (settings->json ? print_json : print_text)(settings, frames, outcome);
}

/* The state that may be stepped to; `b` goes to it. */
static void write_state(io_output *out, const app_step_settings *settings, const app_frames *frames,
                        app_step_outcome *outcome) {
    const io_mesh *b = &frames->b;
    double(*x)[3] = app_allocate(b->vertex_count, sizeof *x);
    graze_step_result result = graze_default_step_result();
    graze_status status = graze_step_to(outcome->context, &frames->mesh, (const double(*)[3])frames->a.positions,
                                        (const double(*)[3])b->positions, &settings->options, x, &result);
    if (status != GRAZE_OK) app_fail_frames(status, outcome->context, frames);
    outcome->moved = true;
    outcome->alpha = result.alpha;
    io_print_ply(out->stream, (const double(*)[3])x, b->vertex_count, (const uint32_t(*)[3])b->faces, b->face_count,
                 (const uint32_t(*)[2])b->edges, b->edge_count);
    app_close_output(out);
    free(x);
}

/* Without the viewer: what print_text says, as a page. No name of a file is in it. */
static void write_plain_page(FILE *out, const graze_step_result *result) {
    cli_plain_page_open(out, "graze step");
    fprintf(out, "<h1>%s</h1>\n<p>Free until t = %.17g of the step.</p>\n", graze_verdict_name(result->verdict),
            result->toi);
    if (result->has_pair)
        fprintf(out, "<p>Limiting pair: %s %u %u.</p>\n", graze_kind_name(result->limiting.pair.kind),
                (unsigned)result->limiting.pair.a, (unsigned)result->limiting.pair.b);
    cli_plain_page_close(out);
}

static void write_page(FILE *out, const app_step_settings *settings, const app_frames *frames,
                       const app_step_outcome *outcome) {
    if (!cli_has_viewer()) {
        write_plain_page(out, &outcome->result);
        return;
    }
    cli_motion_page motion;
    size_t length_a, length_b;
    const char *a = io_base_name(frames->path_a, &length_a), *b = io_base_name(frames->path_b, &length_b);
    char *title = app_text("%.*s → %.*s", (int)length_a, a, (int)length_b, b);
    cli_motion_open(&motion, out, title, settings, 1);
    free(title);
    cli_motion_step(&motion, outcome->context, frames, "0–1");
    cli_motion_close(&motion);
}

int cmd_step(int argc, char **argv) {
    app_step_settings settings = APP_STEP_DEFAULTS;
    const char *pairs_out = NULL, *contacts_out = NULL, *to = NULL, *thickness = NULL, *html = NULL;
    double relative = 0;
    bool exit_code = false, mpi = false;
    const app_option options[] = {
        APP_STEP_OPTIONS(settings),
        {"--mode", APP_TEXT, &settings.mode, "earliest|any|vertices|all", "what to find (earliest)"},
        {"--thickness", APP_TEXT, &thickness, "R|FILE",
         "a radius for all vertices, or a file with one number for each"},
        {"--relative-separation", APP_NUMBER, &relative, "PART",
         "each pair keeps this part of its start distance, if that is more than --separation (0)"},
        {"--pairs-out", APP_TEXT, &pairs_out, "FILE.json", "write all pairs that touch (implies --mode all)"},
        {"--to", APP_TEXT, &to, "FILE.ply",
         "write rounded positions on the way; the motion from A to them is proven free"},
        {"--contacts", APP_TEXT, &contacts_out, "FILE",
         "write where pairs touch, as .ply, .vtk, .obj or .json (implies --mode all)"},
        {"--html", APP_TEXT, &html, "FILE", "write a self-contained page that shows where it touches"},
        {"--certificate", APP_TEXT, &settings.certificate, "FILE.json", "write proofs that `graze verify` checks"},
        {"--json", APP_FLAG, &settings.json, NULL, "one JSON object on stdout"},
        {"--mpi", APP_FLAG, &mpi, NULL, "one step over all ranks: mpirun -n N graze step A B --mpi"},
        {"--exit-code", APP_FLAG, &exit_code, NULL, "exit 1 for a hit, 3 for unresolved"},
        {0},
    };
    const app_usage usage = {
        "step", "A B | WORLD.json [options]",
        "Finds the first contact of a mesh that moves from A to B. Both are files (PLY, OBJ, STL, OFF, MSH) with the\n"
        "same vertices and faces in the same order. A world file lists bodies that stand still, move straight, by\n"
        "matrices or poses, on joints or on curves (docs/worlds.md).\n"
        "The start is checked first. Parts that overlap there may never touch on the way, so `clear` holds only for a\n"
        "start without intersections. Text and JSON give their number; verdict and exit status do not depend on it.\n"
        "With --thickness every face and edge is the hull of the balls around its vertices, and the separation is\n"
        "measured between the hulls. Methods certified and exact use the radius of each vertex (exact is exact if all\n"
        "vertices of a face or an edge have one radius); other methods use the largest radius of a face or an edge.",
        options, "example: graze step frames/92.ply frames/93.ply --json"};
    const char **operands = app_allocate((size_t)argc, sizeof *operands);
    int count = app_parse(&usage, argc, argv, operands);
    bool world = count == 1 && cli_is_world(operands[0]);
    if (count != 2 && !world) app_fail("step: two meshes, or a world: `graze step A B`");
    if ((pairs_out || contacts_out) && !settings.mode) settings.mode = "all";
    app_step_prepare("step", &settings);
    settings.options.relative_separation = relative;
    if (relative != 0 && settings.certificate) app_fail("step: --certificate does not go with --relative-separation");
    if (pairs_out && settings.options.mode != GRAZE_STEP_ALL) app_fail("step: --pairs-out needs --mode all");
    if (to && settings.options.mode != GRAZE_STEP_EARLIEST) app_fail("step: --to needs --mode earliest");
    if (world) {
        if (mpi || to || contacts_out || pairs_out || html || settings.certificate || relative != 0 || thickness)
            app_fail("step: a world does not take --to, --contacts, --pairs-out, --html, --certificate, --thickness, "
                     "--relative-separation and --mpi");
        int status = cli_step_world(&settings, operands[0], exit_code);
        free(operands);
        return status;
    }
    if (mpi) {
        if (to || contacts_out || html || settings.certificate || relative != 0)
            app_fail("step: --mpi does not take --to, --contacts, --html, --certificate or --relative-separation");
        const cli_mpi_step asked = {&settings, operands[0], operands[1], thickness, pairs_out, print_step};
        graze_verdict verdict;
        bool hit = cli_step_over_ranks(&asked, &verdict);
        free(operands);
        return app_verdict_status(exit_code, hit, verdict == GRAZE_UNRESOLVED);
    }
    graze_context *home = app_context(1);
    app_frames frames;
    app_load_frames(home, operands[0], operands[1], &frames);
    if (thickness) app_load_thickness(thickness, &frames);
    io_output pairs = {0}, page = {0}, state = {0};
    if (html) app_open_output("--html", html, settings.json, &page);
    if (pairs_out) app_open_output("--pairs-out", pairs_out, settings.json, &pairs);
    if (to) app_open_output("--to", to, settings.json, &state);
    cli_contacts contacts;
    if (contacts_out) cli_contacts_open(&contacts, contacts_out, settings.json);
    app_step_outcome outcome;
    app_run_step(&settings, &frames, NULL, &outcome);
    app_check_start(&settings, &frames, &outcome);
    if (pairs_out) {
        write_pairs(pairs.stream, &frames, &outcome.result);
        app_close_output(&pairs);
    }
    if (to) write_state(&state, &settings, &frames, &outcome);
    if (contacts_out) {
        cli_contacts_add(&contacts, &frames, &outcome.result, 0);
        cli_contacts_close(&contacts);
    }
    if (html) {
        write_page(page.stream, &settings, &frames, &outcome);
        app_close_output(&page);
        if (!cli_has_viewer()) app_notice("%s; %s is a plain page", cli_no_viewer, html);
    }
    if (settings.certificate) app_certificate_step(settings.certificate, &settings, &frames);
    print_step(&settings, &frames, &outcome);
    app_notice_fans(&frames);
    graze_verdict verdict = outcome.result.verdict;
    bool hit = verdict == GRAZE_HIT || outcome.result.reason == GRAZE_REASON_STOPPED;
    app_free_outcome(&outcome);
    app_free_frames(home, &frames);
    graze_context_destroy(home);
    free(operands);
    return app_verdict_status(exit_code, hit, verdict == GRAZE_UNRESOLVED);
}
