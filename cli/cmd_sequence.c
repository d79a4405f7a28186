/* graze sequence: every consecutive pair of a folder of frames. */
#include "cli/outputs.h"
#include "cli/query_files.h"
#include "cli/step_run.h"
#include "cli/view_motion.h"

#include "io/folder.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
    uint64_t step, next; /* of the two frames */
    graze_verdict verdict;
    double toi, ms;
    bool has_pair;
    graze_pair pair;
    uint64_t candidates[4], hits[4];
} entry;

/* Frames that are missing between two that are there. */
static uint64_t missing(const entry *e) { return e->next - e->step - 1; }

/* ---- what is printed ---- */

static cJSON *gaps_json(const entry *entries, size_t count) {
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < count; i++) {
        if (!missing(&entries[i])) continue;
        cJSON *gap = cJSON_CreateObject();
        cJSON_AddItemToObject(gap, "after", cli_json_count(entries[i].step));
        cJSON_AddItemToObject(gap, "before", cli_json_count(entries[i].next));
        cJSON_AddItemToObject(gap, "missing", cli_json_count(missing(&entries[i])));
        cJSON_AddItemToArray(list, gap);
    }
    return list;
}

static void pair_text(const entry *e, char *text, size_t size) {
    if (e->has_pair)
        snprintf(text, size, "%s %u %u", cli_kind_name(e->pair.kind), (unsigned)e->pair.a, (unsigned)e->pair.b);
    else
        snprintf(text, size, "-");
}

static uint64_t sum(const uint64_t counts[4]) {
    uint64_t all = 0;
    for (int kind = 0; kind < 4; kind++) all += counts[kind] == GRAZE_NOT_COUNTED ? 0 : counts[kind];
    return all;
}

static void print_table(const entry *entries, size_t count) {
    printf("%-16s %-11s %-24s %-22s %12s %12s %10s\n", "step", "verdict", "toi", "pair", "candidates", "hits", "ms");
    for (size_t i = 0; i < count; i++) {
        const entry *e = &entries[i];
        char step[48], pair[64];
        snprintf(step, sizeof step, "%llu-%llu%s", (unsigned long long)e->step, (unsigned long long)e->next,
                 missing(e) ? " gap" : "");
        pair_text(e, pair, sizeof pair);
        printf("%-16s %-11s %-24.17g %-22s %12llu %12llu %10.2f\n", step, graze_verdict_name(e->verdict), e->toi, pair,
               (unsigned long long)sum(e->candidates), (unsigned long long)sum(e->hits), e->ms);
    }
}

static const char page_head[] =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>graze sequence</title>\n<style>\n"
    "body{font:15px/1.4 system-ui,sans-serif;margin:2em auto;max-width:62em;padding:0 1em;color:#222}\n"
    "table{border-collapse:collapse}td,th{padding:.2em .8em;text-align:right;border-bottom:1px solid #ddd}\n"
    "th{font-weight:600}td:nth-child(2),th:nth-child(2),td:nth-child(4),th:nth-child(4){text-align:left}\n"
    ".hit{color:#b00020}.unresolved{color:#a06000}.gap{color:#a06000}svg{max-width:100%;height:auto}\n"
    "</style></head><body>\n<h1>First contact in each step</h1>\n";

/* toi over the steps: one point each, red for a hit. */
static void write_plot(FILE *out, const entry *entries, size_t count) {
    enum { WIDTH = 860, HEIGHT = 240, LEFT = 40, TOP = 10, BOTTOM = 30 };
    double across = (double)(WIDTH - LEFT - 10), up = (double)(HEIGHT - TOP - BOTTOM);
    double first = (double)entries[0].step, span = (double)entries[count - 1].step - first;
    fprintf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"time of impact over the steps\">\n", WIDTH,
            HEIGHT);
    for (int i = 0; i <= 4; i++) {
        double y = TOP + up * (1 - i / 4.0);
        fprintf(out,
                "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>"
                "<text x=\"%d\" y=\"%.1f\" font-size=\"11\" text-anchor=\"end\">%.2f</text>\n",
                LEFT, y, WIDTH - 10, y, LEFT - 6, y + 4, i / 4.0);
    }
    for (size_t i = 0; i < count; i++) {
        const entry *e = &entries[i];
        double x = LEFT + (span > 0 ? across * ((double)e->step - first) / span : across / 2);
        fprintf(out,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>step %llu: %s, toi %.6g</title></circle>\n",
                x, TOP + up * (1 - e->toi),
                e->verdict == GRAZE_CLEAR ? "#2a7"
                : e->verdict == GRAZE_HIT ? "#b00020"
                                          : "#a06000",
                (unsigned long long)e->step, graze_verdict_name(e->verdict), e->toi);
    }
    fprintf(out,
            "<text x=\"%d\" y=\"%d\" font-size=\"11\">%llu</text><text x=\"%d\" y=\"%d\" font-size=\"11\" "
            "text-anchor=\"end\">%llu</text><text x=\"%d\" y=\"%d\" font-size=\"11\" "
            "text-anchor=\"middle\">step</text>\n</svg>\n",
            LEFT, HEIGHT - 8, (unsigned long long)entries[0].step, WIDTH - 10, HEIGHT - 8,
            (unsigned long long)entries[count - 1].step, WIDTH / 2, HEIGHT - 8);
}

static void write_page(FILE *out, const cli_step_settings *settings, const entry *entries, size_t count) {
    fputs(page_head, out);
    fprintf(out, "<p>Method %s, separation %g, %zu steps. graze %s.</p>\n",
            graze_method_get(settings->narrow_options.method)->name, settings->narrow_options.min_separation, count,
            graze_version());
    write_plot(out, entries, count);
    fputs("<table><tr><th>step</th><th>verdict</th><th>toi</th><th>pair</th><th>candidates vf</th><th>ee</th>"
          "<th>hits vf</th><th>ee</th><th>ms</th></tr>\n",
          out);
    for (size_t i = 0; i < count; i++) {
        const entry *e = &entries[i];
        char pair[64];
        pair_text(e, pair, sizeof pair);
        fprintf(out, "<tr><td>%llu–%llu", (unsigned long long)e->step, (unsigned long long)e->next);
        if (missing(e)) fprintf(out, " <span class=\"gap\">%llu missing</span>", (unsigned long long)missing(e));
        fprintf(out, "</td><td class=\"%s\">%s</td><td>%.17g</td><td>%s</td>", graze_verdict_name(e->verdict),
                graze_verdict_name(e->verdict), e->toi, pair);
        const uint64_t counts[] = {e->candidates[0], e->candidates[1], e->hits[0], e->hits[1]};
        for (int k = 0; k < 4; k++) {
            if (counts[k] == GRAZE_NOT_COUNTED)
                fputs("<td>-</td>", out);
            else
                fprintf(out, "<td>%llu</td>", (unsigned long long)counts[k]);
        }
        fprintf(out, "<td>%.2f</td></tr>\n", e->ms);
    }
    fputs("</table>\n</body></html>\n", out);
}

/* ---- the command ---- */

static io_frames find_frames(const char **operands, int count) {
    io_frames frames;
    io_error error;
    if (count == 0) cli_fail("sequence: which frames? Name a folder or two files or more");
    bool folder = count == 1;
    if (folder ? !io_list_frames(operands[0], &frames, &error)
               : !io_order_frames(operands, (size_t)count, &frames, &error))
        cli_fail("%s", error.message);
    if (frames.count < 2) cli_fail("%s: %zu frames in it; a sequence needs two", operands[0], frames.count);
    return frames;
}

/* One step: a row for the table, its JSON, and where there is a viewer its part of the page. */
static cJSON *run_entry(const cli_step_settings *settings, graze_context *home, graze_context *context,
                        const io_frame *from, const io_frame *to, cli_motion_page *motion, bool first, entry *e) {
    cli_frames frames;
    cli_step_outcome outcome;
    cli_load_frames(home, from->path, to->path, &frames);
    cli_run_step(settings, &frames, context, &outcome);
    cli_check_start(settings, &frames, &outcome);
    const graze_step_result *result = &outcome.result;
    *e = (entry){.step = from->step,
                 .next = to->step,
                 .verdict = result->verdict,
                 .toi = result->toi,
                 .ms = outcome.ms_total,
                 .has_pair = result->has_pair != 0,
                 .pair = result->limiting.pair};
    memcpy(e->candidates, result->candidates, sizeof e->candidates);
    memcpy(e->hits, result->hits, sizeof e->hits);
    cJSON *step = cJSON_CreateObject();
    cJSON_AddItemToObject(step, "step", cli_json_count(e->step));
    cJSON_AddItemToObject(step, "next", cli_json_count(e->next));
    cJSON_AddItemToObject(step, "a", cli_json_text(from->path));
    cJSON_AddItemToObject(step, "b", cli_json_text(to->path));
    cli_add_step_json(step, settings, &frames, &outcome);
    if (first) cli_notice_fans(&frames);
    if (motion) {
        char name[48];
        snprintf(name, sizeof name, "%llu–%llu", (unsigned long long)e->step, (unsigned long long)e->next);
        cli_motion_step(motion, context, &frames, name);
    }
    cli_free_outcome(&outcome);
    cli_free_frames(home, &frames);
    return step;
}

static void print_json(size_t frames, const entry *entries, size_t count, cJSON *steps) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, "frames", cli_json_count(frames));
    cJSON_AddItemToObject(object, "gaps", gaps_json(entries, count));
    cJSON_AddItemToObject(object, "steps", steps);
    cli_print_json(object);
}

int cmd_sequence(int argc, char **argv) {
    cli_step_settings settings = CLI_STEP_DEFAULTS;
    const char *html = NULL;
    bool exit_code = false;
    const cli_option options[] = {
        CLI_STEP_OPTIONS(settings),
        {"--html", CLI_TEXT, &html, "FILE", "write a self-contained page that shows where each step touches"},
        {"--json", CLI_FLAG, &settings.json, NULL, "one JSON object on stdout"},
        {"--exit-code", CLI_FLAG, &exit_code, NULL, "exit 1 when a step hits, else 3 when one is unresolved"},
        {0},
    };
    const cli_usage usage = {
        "sequence", "DIR|FILE… [options]",
        "Steps from each frame to the next. The number at the end of a file's name is its place; of a folder the\n"
        "meshes in it, or in its folder frames, are taken. Missing numbers are reported; the step then goes to the\n"
        "next frame that is there.",
        options, "example: graze sequence scenes/cloth-ball --html report.html"};
    const char **operands = cli_allocate((size_t)argc, sizeof *operands);
    int operand_count = cli_parse(&usage, argc, argv, operands);
    cli_step_prepare("sequence", &settings);
    io_frames list = find_frames(operands, operand_count);
    for (size_t i = 0; i < list.count; i++) io_note_input(list.frames[i].path);
    io_output page = {0};
    if (html) cli_open_output("--html", html, settings.json, &page);
    size_t count = list.count - 1;
    cli_motion_page motion, *viewer = html && cli_has_viewer() ? &motion : NULL;
    if (viewer) cli_motion_open(viewer, page.stream, operands[0], &settings, count);
    entry *entries = cli_allocate(count, sizeof *entries);
    cJSON *steps = cJSON_CreateArray();
    graze_context *home = cli_context(1), *context = cli_context(settings.threads);
    cli_progress progress;
    cli_progress_begin(&progress, "steps", count);
    bool hit = false, unresolved = false;
    for (size_t i = 0; i < count; i++) {
        cJSON_AddItemToArray(steps, run_entry(&settings, home, context, &list.frames[i], &list.frames[i + 1], viewer,
                                              i == 0, &entries[i]));
        hit = hit || entries[i].verdict == GRAZE_HIT;
        unresolved = unresolved || entries[i].verdict == GRAZE_UNRESOLVED;
        cli_progress_update(&progress, i + 1);
    }
    cli_progress_end(&progress);
    for (size_t i = 0; i < count; i++)
        if (missing(&entries[i]))
            cli_notice("a gap of %llu frames between %llu and %llu", (unsigned long long)missing(&entries[i]),
                       (unsigned long long)entries[i].step, (unsigned long long)entries[i].next);
    if (html) {
        if (viewer)
            cli_motion_close(viewer);
        else
            write_page(page.stream, &settings, entries, count);
        cli_close_output(&page);
        if (!viewer) cli_notice("%s; %s is a plain table", cli_no_viewer, html);
    }
    if (settings.json) {
        print_json(list.count, entries, count, steps);
    } else {
        print_table(entries, count);
        cJSON_Delete(steps);
    }
    graze_context_destroy(context);
    graze_context_destroy(home);
    io_free_frames(&list);
    free(entries);
    free(operands);
    return cli_verdict_status(exit_code, hit, unresolved);
}
